// SPDX-License-Identifier: MIT
//
// What is remembered although it is known, what counts no longer when there are too many, and what
// cannot be read.
#include "learn/bench.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace daybook::learn {
namespace {

using Texts = std::vector<std::string>;
using lineage::LearningKind;
using lineage::LearningStatus;

const std::string kTop = "vault/memory/learnings/";

/// The real disk, but for one name that can be listed and not be opened.
class LockedDisk : public base::Disk {
 public:
  explicit LockedDisk(std::string locked) : locked_(std::move(locked)) {}

  Result<std::unique_ptr<base::Folder>> open_root(const std::string& path) override {
    return wrapped(base::real_disk().open_root(path), locked_);
  }

 private:
  using Opened = Result<std::unique_ptr<base::Folder>>;

  static Error refusal() { return {ErrorKind::io, "permission denied", {}, {}}; }

  class LockedFolder : public base::Folder {
   public:
    LockedFolder(std::unique_ptr<base::Folder> folder, const std::string& locked)
        : folder_(std::move(folder)), locked_(locked) {}
    Result<void> list(
        const std::function<void(std::string_view, base::EntryType)>& visit) override {
      return folder_->list(visit);
    }
    Result<base::FileStat> stat(const std::string& name) override { return folder_->stat(name); }
    Opened open_folder(const std::string& name) override {
      return name == locked_ ? Opened(refusal()) : wrapped(folder_->open_folder(name), locked_);
    }
    Result<std::unique_ptr<base::File>> open_file(const std::string& name) override {
      return name == locked_ ? Result<std::unique_ptr<base::File>>(refusal())
                             : folder_->open_file(name);
    }

   private:
    std::unique_ptr<base::Folder> folder_;
    const std::string& locked_;
  };

  static Opened wrapped(Opened opened, const std::string& locked) {
    return opened ? Opened(std::make_unique<LockedFolder>(std::move(opened).value(), locked))
                  : std::move(opened);
  }

  std::string locked_;
};

void write(const Bench& bench, const std::string& name, const std::string& fields) {
  bench.write(kTop + name, "---\nlearning_kind: fact\n" + fields + "---\nIn " + name + ".\n");
}

}  // namespace

TEST_CASE("One note that cannot be read keeps no other from being told, made or forgotten") {
  Bench bench;
  write(bench, "7-locked.md", "");
  write(bench, "8-open.md", "");
  LockedDisk disk("7-locked.md");
  const Desk desk{disk, bench.folder, bench.config, bench.now};
  CHECK(list(desk, {})->size() == 1);
  NewLearning wanted;
  wanted.content = kFerry;
  CHECK(remember(desk, wanted).ok());
  CHECK(import(desk, "", R"([{"content": "Pier 8."}])", Apply::yes).ok());
  CHECK(revoke(desk, {"", 8}, "stale").ok());
  CHECK(forget(desk, {"", 8}, "stale").ok());
  CHECK(std::filesystem::exists(bench.at(kTop + "7-locked.md")));
  CHECK(what_forgetting_takes(desk, {"", 7})->size() == 1);
  CHECK(forget(desk, {"", 7}, "stale").ok());
  CHECK_FALSE(std::filesystem::exists(bench.at(kTop + "7-locked.md")));
}

TEST_CASE("A folder that cannot be read is passed over, and named") {
  Bench bench;
  write(bench, "8-open.md", "");
  write(bench, "private/9-locked.md", "");
  LockedDisk disk("private");
  const Desk desk{disk, bench.folder, bench.config, bench.now};
  CHECK(list(desk, {})->size() == 1);
  CHECK(unreadable_folders(desk).value() == Texts{"memory/learnings/private"});
  NewLearning wanted;
  wanted.content = kFerry;
  CHECK(remember(desk, wanted).ok());
}

TEST_CASE("Whatever is wrong with the state folder, folders that cannot be read are named") {
  Bench bench;
  write(bench, "private/9-locked.md", "");
  LockedDisk disk("private");
  std::filesystem::remove_all(bench.at("state"));
  const Desk desk{disk, bench.folder, bench.config, bench.now};
  const auto unreadable = unreadable_folders(desk);
  REQUIRE(unreadable.ok());
  CHECK(*unreadable == Texts{"memory/learnings/private"});
  CHECK_FALSE(std::filesystem::exists(bench.at("state")));
}

TEST_CASE("An export names what cannot be read, whether or not it is known to be a note") {
  Bench bench;
  write(bench, "8-open.md", "");
  write(bench, "by hand.md", "");
  write(bench, "private/9-locked.md", "");
  LockedDisk folder("private");
  LockedDisk file("by hand.md");
  const Desk without_folder{folder, bench.folder, bench.config, bench.now};
  CHECK(what_exporting_takes(without_folder, {})->left_out == Texts{"memory/learnings/private"});
  const Desk without_file{file, bench.folder, bench.config, bench.now};
  CHECK(what_exporting_takes(without_file, {})->left_out == Texts{"memory/learnings/by hand.md"});
}

TEST_CASE(
    "What is known becomes sensitive when that is wanted, and keeps the rest, which is told") {
  Bench bench;
  NewLearning like;
  like.category = "ops";
  REQUIRE(bench.add(kFerry, like).ok());
  like.category = "travel";
  like.metadata = R"({"source": "standup"})";
  like.expires_at = lineage::Timestamp{bench.now.ms + 86'400'000};
  const auto same = bench.add(kFerry, like);
  REQUIRE(same.ok());
  CHECK(same->paths.empty());
  CHECK(same->not_changed == Texts{"expires_at", "category", "metadata"});
  CHECK(bench.add(kFerry)->not_changed.empty());
  NewLearning hidden;
  hidden.sensitivity = lineage::Sensitivity::sensitive;
  const auto change = bench.add(kFerry, hidden);
  REQUIRE(change.ok());
  CHECK(change->paths.size() == 1);
  CHECK(change->notes.front().learning.sensitivity == lineage::Sensitivity::sensitive);
  CHECK(bench.contents().empty());
  REQUIRE(bench.add(kFerry).ok());
  CHECK(bench.contents().empty());  // it does not become public by being said again
}

TEST_CASE("What a person has revoked waits when an agent says it again, in whatever scope") {
  Bench bench;
  const auto made = bench.add(kFerry, by_agent(LearningKind::fact));
  const lineage::Learning first = made->notes.front().learning;
  REQUIRE(first.status == LearningStatus::active);
  REQUIRE(revoke(bench.desk(), {"", first.id}, "moved").ok());
  SECTION("also where only the tombstone says that it was revoked") {
    std::filesystem::remove(bench.at("vault/" + made->notes.front().path));
    bench.write("vault/" + made->notes.front().path,
                "---\nlearning_kind: fact\nstatus: active\n---\n" + std::string(kFerry) + "\n");
  }
  SECTION("also under another scope") {}
  NewLearning like = by_agent(LearningKind::fact);
  like.scope = {lineage::ScopeKind::project, "/home/me/tidewater"};
  const auto again = bench.add(kFerry, like);
  REQUIRE(again.ok());
  CHECK(again->revoked_before);
  CHECK(again->notes.front().learning.status == LearningStatus::provisional);
  CHECK(again->notes.front().learning.tier == lineage::PublishTier::provisional);
  CHECK(bench.contents().empty());
  CHECK_FALSE(bench.add("Another thing.", by_agent(LearningKind::fact))->revoked_before);
  CHECK_FALSE(bench.add(kFerry, by_agent(LearningKind::episode))->revoked_before);
  CHECK_FALSE(bench.add(kFerry, by_agent(LearningKind::fact, "other"))->revoked_before);
  REQUIRE(approve(bench.desk(), {"", again->notes.front().learning.id}).ok());
  CHECK(bench.contents({"default", lineage::MemoryType::semantic, {}, false}) ==
        Texts{"Another thing.", kFerry});
}

TEST_CASE("A person may say again what was revoked, and is no longer asked by agents") {
  Bench bench;
  const auto made = bench.add(kFerry);
  REQUIRE(revoke(bench.desk(), {"", made->notes.front().learning.id}, "moved").ok());
  const auto again = bench.add(kFerry);
  CHECK_FALSE(again->revoked_before);
  CHECK(again->notes.front().learning.status == LearningStatus::active);
  const auto said = bench.add(kFerry, by_agent(LearningKind::fact));
  CHECK_FALSE(said->revoked_before);
  CHECK(said->paths.empty());
  CHECK(bench.contents() == Texts{kFerry});
}

TEST_CASE("A person who says what an agent's procedure says has approved it") {
  Bench bench;
  NewLearning like;
  like.kind = LearningKind::procedure;
  const auto waiting = bench.add("Deploy on Mondays.", by_agent(LearningKind::procedure));
  REQUIRE(waiting->notes.front().learning.status == LearningStatus::provisional);
  REQUIRE(bench.add("Deploy on Mondays.", by_agent(LearningKind::procedure))->paths.empty());
  const auto said = bench.add("Deploy on Mondays.", like);
  REQUIRE(said.ok());
  CHECK(said->paths.size() == 1);
  CHECK(said->notes.front().learning.id == waiting->notes.front().learning.id);
  CHECK(bench.contents() == Texts{"Deploy on Mondays."});
}

TEST_CASE("Approving keeps to the limit: the oldest other note is archived, and named") {
  Bench bench;
  bench.config.learnings.semantic.most = 2;
  const auto first = bench.add("One.");
  REQUIRE(bench.add("Two.").ok());
  REQUIRE(bench.add("Three.")->archived.size() == 1);
  const auto approved = approve(bench.desk(), {"", first->notes.front().learning.id});
  REQUIRE(approved.ok());
  REQUIRE(approved->archived.size() == 1);
  CHECK(approved->archived.front().learning.content == "Two.");
  CHECK(bench.contents() == Texts{"Three.", "One."});
}

TEST_CASE("A note that does not say when it was made is archived after those that do") {
  Bench bench;
  bench.config.learnings.semantic.most = 2;
  bench.write(kTop + "by hand.md", "---\nlearning_kind: fact\n---\nBy hand.\n");
  REQUIRE(bench.add("One.").ok());
  const auto change = bench.add("Two.");
  REQUIRE(change->archived.size() == 1);
  CHECK(change->archived.front().learning.content == "One.");
  CHECK(bench.contents() == Texts{"Two.", "By hand."});
}

TEST_CASE("What is imported under an id that was revoked here gets another one, and lives") {
  Bench bench;
  const auto made = bench.add(kFerry);
  const std::string json = to_json(made->notes);
  REQUIRE(revoke(bench.desk(), {"", made->notes.front().learning.id}, "moved").ok());
  const auto taken = import(bench.desk(), "", json, Apply::yes);
  REQUIRE(taken.ok());
  CHECK(taken->written == 1);
  CHECK(bench.contents() == Texts{kFerry});
}

TEST_CASE("What is only there archived is imported, and what is exported so is known") {
  Bench bench;
  bench.config.learnings.semantic.most = 1;
  REQUIRE(bench.add("One.").ok());
  const std::string alive = to_json(list(bench.desk(), {}).value());
  REQUIRE(bench.add("Two.")->archived.size() == 1);
  bench.config.learnings.semantic.most = 10;
  const std::string put_away = to_json(list(bench.desk(), {{}, {}, {}, true}).value());
  CHECK(import(bench.desk(), "", put_away, Apply::yes)->known == 2);
  CHECK(import(bench.desk(), "", alive, Apply::yes)->written == 1);
  CHECK(bench.contents().size() == 2);
}

}  // namespace daybook::learn
