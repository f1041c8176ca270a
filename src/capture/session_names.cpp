// SPDX-License-Identifier: MIT
#include "capture/session_names.hpp"

#include "daybook/capture/vault_names.hpp"
#include "daybook/scan/vault_layout.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace daybook::capture {
namespace {

constexpr std::string_view kTombstoneEnd = "--tombstone.md";

/// Every name below memory/, with its folder.
class Walk {
 public:
  using Take = std::function<void(std::string_view name, const std::string& folder)>;
  explicit Walk(Take take, LockedFolder locked = LockedFolder::is_an_error)
      : take_(std::move(take)), locked_(locked) {}

  Result<void> look_at(base::Disk& disk, const std::string& workspace) {
    const std::string memory(scan::kMemoryFolder);
    TRY_ASSIGN(const auto root, disk.open_root(workspace));
    TRY_ASSIGN(const auto folder, root->open_folder(memory));
    return look_into(*folder, memory);
  }

 private:
  Result<void> look_into(base::Folder& folder, const std::string& path) {
    std::vector<std::string> below;
    TRY(folder.list([&](std::string_view name, base::EntryType type) {
      if (scan::is_hidden(name)) {
        return;
      }
      if (type == base::EntryType::folder) {
        below.emplace_back(name);
      } else if (type == base::EntryType::file) {
        take_(name, path);
      }
    }));
    for (const std::string& name : below) {
      const auto next = folder.open_folder(name);
      const bool gone = !next && next.error().kind == ErrorKind::not_found;  // since it was listed
      if (gone || (!next && locked_ == LockedFolder::passed_over)) {
        continue;
      }
      if (!next) {
        return next.error();
      }
      TRY(look_into(**next, std::string(path).append("/").append(name)));
    }
    return {};
  }

  Take take_;
  LockedFolder locked_;
};

/// Of some sessions.
class Choice {
 public:
  Choice(std::span<const lineage::SessionToken> tokens, SessionNames& found) : found_(found) {
    for (const lineage::SessionToken& token : tokens) {
      marks_.push_back("--" + token.to_string() + "--");
    }
  }

  void take(std::string_view name, const std::string& folder) {
    const bool is_tombstone = name.ends_with(kTombstoneEnd);
    // Tens of thousands of names pass here: only those that may count are taken apart.
    if (!is_tombstone && std::none_of(marks_.begin(), marks_.end(), [name](const auto& mark) {
          return name.find(mark) != std::string_view::npos;
        })) {
      return;
    }
    const lineage::NameReading reading = lineage::read_artifact_name(name);
    if (reading.form == lineage::NameForm::artifact) {
      (is_tombstone ? found_.tombstones : found_.files)
          .push_back({folder + "/" + std::string(name), reading.name});
    }
  }

 private:
  std::vector<std::string> marks_;
  SessionNames& found_;
};

}  // namespace

std::string SessionNames::manifest() const {
  const auto rank = [](const NamedFile& file) {
    return std::tuple(std::count(file.path.begin(), file.path.end(), '/') != 1, file.path);
  };
  const NamedFile* best = nullptr;
  for (const NamedFile& file : files) {
    if (file.name.kind == lineage::Kind::manifest &&
        (best == nullptr || rank(file) < rank(*best))) {
      best = &file;
    }
  }
  return best == nullptr ? std::string() : best->path;
}

Result<SessionNames> session_names(base::Disk& disk,
                                   const std::string& workspace,
                                   std::span<const lineage::SessionToken> tokens,
                                   LockedFolder locked) {
  SessionNames found;
  Choice choice(tokens, found);
  Walk walk([&choice](std::string_view name, const auto& folder) { choice.take(name, folder); },
            locked);
  TRY(walk.look_at(disk, workspace));
  std::sort(found.files.begin(), found.files.end(), [](const auto& left, const auto& right) {
    return std::tie(right.name.captured_at, left.path) <
           std::tie(left.name.captured_at, right.path);
  });
  return found;
}

struct VaultNames::Known {
  std::set<lineage::SessionToken> sessions;
  SessionNames tombstones;
};

VaultNames::VaultNames(std::unique_ptr<Known> known) : known_(std::move(known)) {}
VaultNames::VaultNames(VaultNames&&) noexcept = default;
VaultNames& VaultNames::operator=(VaultNames&&) noexcept = default;
VaultNames::~VaultNames() = default;

Result<VaultNames> VaultNames::list(base::Disk& disk, const std::string& workspace) {
  auto known = std::make_unique<Known>();
  Walk walk([&known](std::string_view name, const std::string& folder) {
    const lineage::NameReading reading = lineage::read_artifact_name(name);
    if (reading.form != lineage::NameForm::artifact) {
      return;
    }
    if (reading.name.kind == lineage::Kind::tombstone) {
      known->tombstones.tombstones.push_back({folder + "/" + std::string(name), reading.name});
    } else {
      known->sessions.insert(reading.name.token);
    }
  });
  TRY(walk.look_at(disk, workspace));
  return VaultNames(std::move(known));
}

bool VaultNames::has_session(const lineage::SessionToken& token) const {
  return known_->sessions.contains(token);
}

const SessionNames& VaultNames::tombstones() const { return known_->tombstones; }

Result<std::string> manifest_of(base::Disk& disk,
                                const std::string& workspace,
                                const lineage::SessionToken& token) {
  TRY_ASSIGN(const SessionNames names, session_names(disk, workspace, std::span(&token, 1)));
  return names.manifest();
}

}  // namespace daybook::capture
