// SPDX-License-Identifier: MIT
#include "daybook/watch/efsw_source.hpp"

#include "daybook/watch/ignored_names.hpp"
#include "support/eventually.hpp"
#include "support/temp_folder.hpp"
#include "watch/remote_disk.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <thread>

namespace daybook::watch {
namespace {

namespace fs = std::filesystem;
using support::eventually;
using support::TempFolder;
using What = Hint::What;

class Collector final : public HintSink {
 public:
  void take(Hint hint) override {
    const std::lock_guard lock(mutex_);
    seen_.emplace(hint.what, std::move(hint.path));
    ++count_;
  }
  bool saw(What what, const std::string& path) const {
    const std::lock_guard lock(mutex_);
    return seen_.contains({what, path});
  }
  bool saw_any(const std::string& path) const {
    return saw(What::changed, path) || saw(What::gone, path) || saw(What::folder, path);
  }
  std::size_t count() const {
    const std::lock_guard lock(mutex_);
    return count_;
  }

 private:
  mutable std::mutex mutex_;
  std::set<std::pair<What, std::string>> seen_;  // guarded by mutex_
  std::size_t count_ = 0;                        // guarded by mutex_
};

std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("What happens to files in watched folders is hinted at, each by its path") {
  const TempFolder place;
  place.make_folder("memory/sub");
  Collector collector;
  EfswSource source;
  const Coverage coverage =
      source.watch(place.path().string(), {"memory", "memory/sub"}, collector);
  CHECK(coverage.asked == 2);
  CHECK(coverage.watched == 2);
  CHECK(coverage.trouble.empty());

  place.write("memory/a.md", "one");
  CHECK(eventually([&] { return collector.saw(What::changed, "memory/a.md"); }));
  place.write("memory/sub/b.md", "two");
  CHECK(eventually([&] { return collector.saw(What::changed, "memory/sub/b.md"); }));
  fs::rename(place.at("memory/a.md"), place.at("memory/c.md"));
  CHECK(eventually([&] {
    return collector.saw(What::gone, "memory/a.md") && collector.saw(What::changed, "memory/c.md");
  }));
  fs::remove(place.at("memory/c.md"));
  CHECK(eventually([&] { return collector.saw(What::gone, "memory/c.md"); }));
  fs::rename(place.at("memory/sub/b.md"), place.at("outside.md"));
  CHECK(eventually([&] { return collector.saw(What::gone, "memory/sub/b.md"); }));
  fs::create_directory(place.at("memory/new"));
  CHECK(eventually([&] { return collector.saw(What::changed, "memory/new"); }));
  fs::rename(place.at("memory/sub"), place.at("memory/moved"));
  CHECK(eventually([&] { return collector.saw(What::folder, "memory/sub"); }));
}

TEST_CASE("Hidden and temporary files are not hinted at") {
  for (const char* name : {".a.md", ".sync", "a.md~", "a.md.tmp", ".a.md.swp", "4913", "#a.md#"}) {
    CHECK(is_ignored(name));
  }
  for (const char* name : {"a.md", "49130", "tmp", "a.tmp.md", "#a.md", "sub"}) {
    CHECK_FALSE(is_ignored(name));
  }
  const TempFolder place;
  place.make_folder("memory");
  Collector collector;
  EfswSource source;
  source.watch(place.path().string(), {"memory"}, collector);
  place.write("memory/.hidden.md", "x");
  place.write("memory/a.md~", "x");
  place.write("memory/last.md", "x");
  REQUIRE(eventually([&] { return collector.saw(What::changed, "memory/last.md"); }));
  CHECK_FALSE(collector.saw_any("memory/.hidden.md"));
  CHECK_FALSE(collector.saw_any("memory/a.md~"));
}

TEST_CASE("After stop() nothing is handed over, and watching again hears again") {
  const TempFolder place;
  place.make_folder("memory");
  Collector collector;
  EfswSource source;
  source.watch(place.path().string(), {"memory"}, collector);
  source.stop();
  const std::size_t before = collector.count();
  place.write("memory/unheard.md", "x");
  source.watch(place.path().string(), {"memory"}, collector);
  place.write("memory/heard.md", "x");
  REQUIRE(eventually([&] { return collector.saw(What::changed, "memory/heard.md"); }));
  CHECK_FALSE(collector.saw_any("memory/unheard.md"));
  CHECK(collector.count() > before);
}

TEST_CASE("A folder that is not there is no trouble, and is not counted as watched") {
  const TempFolder place;
  place.make_folder("memory");
  Collector collector;
  EfswSource source;
  const Coverage coverage =
      source.watch(place.path().string(), {"memory", "memory/gone"}, collector);
  CHECK(coverage.watched == 1);
  CHECK(coverage.trouble.empty());
}

TEST_CASE("File systems on which others' changes are not reported are known") {
  CHECK(silent_file_system(0x6969UL) == "nfs");
  CHECK(silent_file_system(0xFE534D42UL) == "smb2");
  CHECK(silent_file_system(0x65735546UL) == "fuse");
  CHECK(silent_file_system(0xEF53UL).empty());
  CHECK(silent_file_system(fs::temp_directory_path().string()).empty());
}

TEST_CASE("Made anew 200 times under load the watcher keeps no descriptor, and still hears") {
  const TempFolder place;
  place.make_folder("memory/sub");
  Collector collector;
  EfswSource source;
  source.watch(place.path().string(), {"memory", "memory/sub"}, collector);
  const std::size_t before = open_descriptors();
  std::atomic<bool> ended{false};
  std::thread writer([&] {
    for (int i = 0; !ended; ++i) {
      std::ofstream(place.at("memory/sub/" + std::to_string(i % 50) + ".md")) << i;
    }
  });
  for (int i = 0; i < 200; ++i) {
    const Coverage coverage =
        source.watch(place.path().string(), {"memory", "memory/sub"}, collector);
    CHECK(coverage.watched == 2);
  }
  ended = true;
  writer.join();
  CHECK(open_descriptors() == before);
  place.write("memory/last.md", "x");
  CHECK(eventually([&] { return collector.saw(What::changed, "memory/last.md"); }));
}

}  // namespace daybook::watch
