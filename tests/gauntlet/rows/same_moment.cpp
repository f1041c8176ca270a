// SPDX-License-Identifier: MIT
//
// A file is changed in the moment in which it was indexed: size and inode stay, and so do both of
// its times, because the file system's are coarse. The next pass reads it again all the same.
#include "gauntlet/coarse_disk.hpp"
#include "gauntlet/random_vault.hpp"
#include "gauntlet/rows.hpp"

#include <algorithm>
#include <fstream>
#include <sys/stat.h>

namespace daybook::gauntlet {
namespace {

/// Of ext3 and HFS+, FAT, and kernels that count a hundred or a thousand ticks a second.
const std::vector<std::int64_t> kGranularities{1'000'000'000, 2'000'000'000, 10'000'000, 1'000'000};

class SameMomentTrials final : public Trials {
 public:
  Complaints run(std::uint64_t number) override {
    RandomVault vault(number);
    const std::int64_t granularity = vault.one_of(kGranularities);
    CoarseDisk disk(granularity);
    const auto sessions = vault.add_sessions(static_cast<int>(2 + vault.below(4)));
    vault.add_notes();
    pass(vault, disk, {});
    for (std::uint64_t rounds = 1 + vault.below(3); rounds > 0; --rounds) {
      // Written anew at the moment of the pass, so that the change is of the same moment.
      const support::SessionFiles& session = vault.one_of(sessions);
      const std::string path = vault.one_in(2) ? session.summary.path() : session.transcript.path();
      vault.write(path, vault.read(path));
      pass(vault,
           disk,
           vault.one_in(2) ? std::vector<std::string>{path} : std::vector<std::string>{});
      const auto before = look(vault.at(path), granularity);
      replace_a_letter(vault, path);
      same_ += before == look(vault.at(path), granularity) ? 1U : 0U;
      pass(vault, disk, {});
    }
    Complaints complaints;
    judge_rebuild(vault, complaints);
    return complaints;
  }

  [[nodiscard]] std::map<std::string, std::uint64_t> counts() const override {
    return {{"of the same moment", same_}};
  }

 private:
  static std::vector<std::int64_t> look(const std::string& path, std::int64_t granularity) {
    struct stat raw {};
    ::stat(path.c_str(), &raw);
    const auto rounded = [granularity](const timespec& time) {
      const std::int64_t ns = time.tv_sec * 1'000'000'000LL + time.tv_nsec;
      return ns - ns % granularity;
    };
    return {rounded(raw.st_mtim),
            rounded(raw.st_ctim),
            raw.st_size,
            static_cast<std::int64_t>(raw.st_ino)};
  }

  static void pass(const RandomVault& vault, base::Disk& disk, std::vector<std::string> hints) {
    const base::FixedClock clock(support::kTestNow);
    service::WorkProgress progress;
    service::PassRequest request;
    request.hints = std::move(hints);
    const auto report = service::Pipeline(disk, vault.folder(), clock).run(request, progress);
    if (!report) {
      throw std::runtime_error("a pass fails: " + report.error().message);
    }
  }

  /// In the file itself. The digit, so that the change can be told by rows and searches.
  static void replace_a_letter(RandomVault& vault, const std::string& path) {
    std::string text = vault.read(path);
    const std::size_t begin = text.find("\n---\n") + 5;
    const std::size_t at = begin + vault.below(text.size() - begin);
    std::fstream file(vault.at(path), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(text[at] == 'q' ? 'z' : 'q');
  }

  std::uint64_t same_ = 0;
};

}  // namespace

Row same_moment() {
  return {"same-moment",
          "changed in the moment in which it was indexed",
          "C",
          40,
          2000,
          [] { return std::make_unique<SameMomentTrials>(); },
          Place::memory};
}

}  // namespace daybook::gauntlet
