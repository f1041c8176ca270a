// SPDX-License-Identifier: MIT
#include "daybook/scan/fingerprints.hpp"

#include "daybook/base/keyed_hash.hpp"
#include "daybook/base/safety.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <thread>
#include <unordered_map>
#include <utility>

namespace daybook::scan {
namespace {

constexpr std::size_t kPacked = 8 + 8 + 4;

/// Looks at one range of the listing through handles of its own.
class Looker {
 public:
  Looker(std::unique_ptr<base::Folder> root, const VaultListing& listing)
      : root_(std::move(root)), listing_(listing) {}

  /// kNeverEqual for what cannot be looked at: whoever reads it will say why.
  std::uint64_t look(VaultListing::Index file,
                     const std::string& name,
                     std::int64_t looked_at_ns,
                     std::uint64_t secret) {
    base::Folder* folder = folder_of(file);
    if (folder == nullptr) {
      return kNeverEqual;
    }
    const auto stat = folder->stat(name);
    return stat ? stat_mark(*stat, looked_at_ns, secret) : kNeverEqual;
  }

 private:
  base::Folder* folder_of(VaultListing::Index file) {
    const std::string& path = listing_.folder_path(file);
    if (&path == last_path_) {
      return last_;
    }
    constexpr std::size_t kMostOpen = 64;
    if (open_.size() >= kMostOpen) {
      open_.clear();
    }
    auto& handle = open_[&path];
    if (!handle) {
      if (auto opened = base::open_below(*root_, path)) {
        handle = std::move(opened).value();
      }
    }
    last_path_ = &path;
    last_ = handle.get();
    return last_;
  }

  std::unique_ptr<base::Folder> root_;
  const VaultListing& listing_;
  std::unordered_map<const std::string*, std::unique_ptr<base::Folder>> open_;
  const std::string* last_path_ = nullptr;
  base::Folder* last_ = nullptr;
};

void look_at_range(Looker& looker,
                   const VaultListing& listing,
                   std::uint64_t secret,
                   std::int64_t looked_at_ns,
                   VaultListing::Index first,
                   VaultListing::Index last,
                   std::vector<Survey::Seen>& files) {
  std::string path;
  for (VaultListing::Index file = first; file < last; ++file) {
    const std::string name = listing.file_name(file);
    path.assign(listing.folder_path(file)).append(1, '/').append(name);
    files[file].path = path_mark(path, secret);
    files[file].stat = looker.look(file, name, looked_at_ns, secret);
  }
}

bool by_path(const Fingerprint& left, const Fingerprint& right) { return left.path < right.path; }

}  // namespace

std::uint64_t stat_mark(const base::FileStat& stat,
                        std::int64_t looked_at_ns,
                        std::uint64_t secret) {
  const std::int64_t trusted_before = looked_at_ns - kRacyNanoseconds;
  // The change time is the kernel's own: it cannot be set back, so being old proves rest. A
  // modification time can be set to anything, so only one that is close to now says something.
  const bool just_changed = stat.ctime_ns >= trusted_before;
  const bool just_written =
      stat.mtime_ns >= trusted_before && stat.mtime_ns <= looked_at_ns + kRacyNanoseconds;
  if (base::keeps(base::Safety::racy_rule) && (just_changed || just_written)) {
    return kNeverEqual;
  }
  std::uint64_t hash = base::mix(secret, stat.size);
  hash = base::mix(hash, static_cast<std::uint64_t>(stat.mtime_ns));
  hash = base::mix(hash, static_cast<std::uint64_t>(stat.ctime_ns));
  hash = base::mix(hash, stat.inode);
  return hash == kNeverEqual ? 1 : hash;
}

std::uint64_t path_mark(std::string_view workspace_path, std::uint64_t secret) {
  return base::keyed_hash(workspace_path, secret);
}

Survey survey_paths(const VaultListing& listing, std::uint64_t secret) {
  Survey result;
  result.files.resize(listing.entries().size());
  for (VaultListing::Index file = 0; file < result.files.size(); ++file) {
    result.files[file].path = path_mark(listing.path(file), secret);
  }
  return result;
}

Result<Survey> survey(base::Disk& disk,
                      const std::string& workspace,
                      const VaultListing& listing,
                      std::uint64_t secret,
                      std::int64_t looked_at_ns,
                      unsigned threads) {
  constexpr std::size_t kWorthAThread = 2000;
  const auto count = static_cast<VaultListing::Index>(listing.entries().size());
  const unsigned wanted = std::max(1U, std::min<unsigned>(threads, count / kWorthAThread));
  std::vector<Looker> lookers;
  lookers.reserve(wanted);
  for (unsigned i = 0; i < wanted; ++i) {
    TRY_ASSIGN(auto root, disk.open_root(workspace));
    lookers.emplace_back(std::move(root), listing);
  }
  Survey result;
  result.files.resize(count);
  const auto look = [&](unsigned part) {
    const auto at = [&](unsigned of) {
      return static_cast<VaultListing::Index>(std::uint64_t{count} * of / wanted);
    };
    look_at_range(
        lookers[part], listing, secret, looked_at_ns, at(part), at(part + 1), result.files);
  };
  {
    std::vector<std::jthread> running;
    running.reserve(wanted);
    for (unsigned part = 1; part < wanted; ++part) {
      running.emplace_back(look, part);
    }
    look(0);
  }
  return result;
}

std::optional<Fingerprints> Fingerprints::decode(std::string_view blob) {
  if (blob.size() % kPacked != 0) {
    return std::nullopt;
  }
  Fingerprints fingerprints;
  fingerprints.known_.resize(blob.size() / kPacked);
  const char* at = blob.data();
  for (Fingerprint& known : fingerprints.known_) {
    std::memcpy(&known.path, at, 8);
    std::memcpy(&known.stat, at + 8, 8);
    std::memcpy(&known.file, at + 16, 4);
    at += kPacked;
  }
  if (!std::is_sorted(fingerprints.known_.begin(), fingerprints.known_.end(), by_path)) {
    return std::nullopt;
  }
  return fingerprints;
}

std::string Fingerprints::encode() const {
  std::string blob(known_.size() * kPacked, '\0');
  char* at = blob.data();
  for (const Fingerprint& known : known_) {
    std::memcpy(at, &known.path, 8);
    std::memcpy(at + 8, &known.stat, 8);
    std::memcpy(at + 16, &known.file, 4);
    at += kPacked;
  }
  return blob;
}

void Fingerprints::sort() { std::sort(known_.begin(), known_.end(), by_path); }

void Fingerprints::renew(const std::vector<Fingerprint>& newer) {
  if (newer.empty()) {
    return;
  }
  std::vector<Fingerprint> added;
  for (const Fingerprint& fingerprint : newer) {
    const Fingerprint* before = find(fingerprint.path);
    if (before == nullptr) {
      added.push_back(fingerprint);
    } else {
      known_[static_cast<std::size_t>(before - known_.data())] = fingerprint;
    }
  }
  known_.insert(known_.end(), added.begin(), added.end());
  std::erase_if(known_, [](const Fingerprint& fingerprint) { return fingerprint.file == 0; });
  sort();
}

const Fingerprint* Fingerprints::find(std::uint64_t path) const {
  const auto found =
      std::lower_bound(known_.begin(), known_.end(), Fingerprint{path, 0, 0}, by_path);
  return found != known_.end() && found->path == path ? &*found : nullptr;
}

Differences differences(const Survey& survey, const Fingerprints& known) {
  Differences result;
  std::vector<bool> still_there(known.size(), false);
  for (VaultListing::Index file = 0; file < survey.files.size(); ++file) {
    const Survey::Seen& seen = survey.files[file];
    const Fingerprint* before = known.find(seen.path);
    if (before == nullptr) {
      result.added.push_back(file);
      continue;
    }
    still_there[static_cast<std::size_t>(before - known.all().data())] = true;
    if (before->stat == kNeverEqual || before->stat != seen.stat) {
      result.changed.push_back(file);
    }
  }
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!still_there[i]) {
      result.gone.push_back(known.all()[i]);
    }
  }
  return result;
}

}  // namespace daybook::scan
