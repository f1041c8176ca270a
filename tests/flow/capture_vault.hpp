// SPDX-License-Identifier: MIT
//
// A vault with a state folder, into which tests capture in this process.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/capture/capture.hpp"
#include "daybook/service/status.hpp"
#include "support/indexed_vault.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <utility>

namespace daybook::test {

inline constexpr const char* kSaid =
    "User: Please mend src/tide.cpp in tidewater.\n\nAssistant: Mended; all 12 tests pass.\n";
inline constexpr const char* kSummary =
    "# Tide table mended\n\nChanged `src/tide.cpp` so that the forecast of Port Ellory holds.\n";

class CaptureVault {
 public:
  CaptureVault() { std::filesystem::create_directories(vault.at("memory")); }

  capture::CapturePlace place(state::StateDb& state, base::Disk& disk) const {
    return {disk, vault.folder(), state, policy, model, {now}};
  }

  static capture::SessionEnd request(const std::string& id, std::string said = kSaid) {
    capture::SessionEnd end;
    end.session.session_id = id;
    end.session.project = "/home/nina/tidewater";
    end.session.harness = "codex";
    if (!said.empty()) {
      end.transcript = [said = std::move(said)](const canon::TakePiece& take) {
        return take(said);
      };
    }
    return end;
  }

  Result<capture::CaptureResult> try_end(const capture::SessionEnd& request) const {
    state::StateDb state = vault.open_state();
    return capture::end_session(place(state, base::real_disk()), request);
  }
  capture::CaptureResult end(const capture::SessionEnd& request) const {
    auto result = try_end(request);
    if (!result) {
      FAIL(result.error().message << " " << result.error().path);
    }
    return std::move(result).value();
  }
  Result<capture::CaptureResult> try_compact(const std::string& id, const std::string& text) const {
    state::StateDb state = vault.open_state();
    capture::Compaction request;
    request.session = CaptureVault::request(id).session;
    request.text = text;
    return capture::compact_session(place(state, base::real_disk()), request);
  }
  capture::CaptureResult compact(const std::string& id, const std::string& text) const {
    auto result = try_compact(id, text);
    REQUIRE(result);
    return std::move(result).value();
  }

  /// Every file of memory/ with its bytes, but for temporaries.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(vault.at("memory"))) {
      if (entry.is_regular_file() && !entry.path().filename().string().starts_with('.')) {
        const std::string path =
            std::filesystem::relative(entry.path(), vault.workspace()).string();
        all[path] = vault.read(path);
      }
    }
    return all;
  }

  std::size_t temporaries() const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(vault.at("memory"))) {
      count += entry.path().filename().string().starts_with('.') ? 1U : 0U;
    }
    return count;
  }

  std::size_t spooled() const {
    const std::filesystem::path spool = vault.folder().file("spool");
    std::size_t count = 0;
    if (std::filesystem::exists(spool)) {
      for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(spool)) {
        ++count;
      }
    }
    return count;
  }

  /// What status calls the unfinished captures.
  std::vector<std::string> states() const {
    std::vector<std::string> names;
    const auto report = service::look_at_status(base::real_disk(), vault.folder(), {}, {now});
    for (const service::UnfinishedCapture& capture : report.captures) {
      names.push_back(capture.state);
    }
    return names;
  }

  support::IndexedVault vault;
  redact::Policy policy;
  model::Model* model = nullptr;
  std::int64_t now = support::kTestNow;
};

}  // namespace daybook::test
