// SPDX-License-Identifier: MIT
#include "daybook/service/embedding_tools.hpp"
#include "embedding/embedded_vault.hpp"
#include "embedding/model_process.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

using daybook::index::VectorBackend;
using daybook::test::EmbeddedVault;

std::string extension() {
  return daybook::test::test_packages() + "/node_modules/sqlite-vec-linux-x64/vec0.so";
}

daybook::Result<VectorBackend> backend(const EmbeddedVault& vault, const std::string& path) {
  auto opened = daybook::index::open_index(vault.folder().file(daybook::index::kIndexFile),
                                           daybook::store::Access::read_only);
  REQUIRE(opened);
  auto config = vault.config.embeddings;
  config.sqlite_vec = path;
  return daybook::service::vector_backend(*opened->database, config, vault.workspace());
}

/// Where nobody else may put anything: not in /tmp.
class TrustedFolder {
 public:
  TrustedFolder() : path_(fs::current_path() / ("trusted-" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directory(path_);
    fs::permissions(path_, fs::perms::owner_all);
  }
  TrustedFolder(const TrustedFolder&) = delete;
  TrustedFolder& operator=(const TrustedFolder&) = delete;
  ~TrustedFolder() {
    std::error_code trouble;
    fs::remove_all(path_, trouble);
  }
  std::string at(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

std::string refusal(const EmbeddedVault& vault, const std::string& path) {
  const auto used = backend(vault, path);
  return used ? std::string() : used.error().message + " / " + used.error().hint;
}

}  // namespace

TEST_CASE("sqlite-vec finds what our own code finds, in the same order") {
  EmbeddedVault vault(48);
  for (int i = 0; i < 40; ++i) {
    const std::string number = std::to_string(i);
    vault.add_session("key-" + number,
                      "Turned part " + number + " of machine " + std::to_string(i % 7) + " around.",
                      "Part " + number + " and " + std::to_string(i * 3 % 11) + " fit by now.");
  }
  vault.reindex();
  vault.embed();
  auto opened = daybook::index::open_index(vault.folder().file(daybook::index::kIndexFile),
                                           daybook::store::Access::read_only);
  REQUIRE(opened);
  auto config = vault.config.embeddings;
  config.sqlite_vec = extension();
  const auto used = daybook::service::vector_backend(*opened->database, config, vault.workspace());
  INFO((used ? std::string() : used.error().message));
  REQUIRE(used);
  CHECK(*used == VectorBackend::sqlite_vec);

  daybook::index::Vectors exact(*opened->database);
  daybook::index::Vectors by_extension(*opened->database, VectorBackend::sqlite_vec);
  for (int i = 0; i < 20; ++i) {
    std::vector<float> question(48, 0.1F);
    question[static_cast<std::size_t>(i)] = 3;
    question[static_cast<std::size_t>(2 * i)] += 1;
    const auto ours = exact.nearest(question, {}, 1000);
    const auto theirs = by_extension.nearest(question, {}, 1000);
    REQUIRE(ours);
    REQUIRE(theirs);
    REQUIRE(ours->size() == 40);
    REQUIRE(theirs->size() == 40);
    for (std::size_t place = 0; place < ours->size(); ++place) {
      // Equal distances may fall either way by a rounding.
      const auto& mine = (*ours)[place];
      CHECK(std::abs(mine.score - (*theirs)[place].score) < 1e-5);
      if ((place == 0 || (*ours)[place - 1].score - mine.score > 1e-5) &&
          (place + 1 == ours->size() || mine.score - (*ours)[place + 1].score > 1e-5)) {
        CHECK(mine.file == (*theirs)[place].file);
      }
    }
  }
}

TEST_CASE("recall by sqlite-vec answers as without it") {
  EmbeddedVault vault;
  vault.endpoint.mean_the_same({"automobile", "car", "vehicle"});
  vault.add_session("car", "Repaired the automobile before the winter came around.", "Car.");
  vault.add_session("rose", "Planted roses along the wall of the southern garden.", "Roses.");
  vault.reindex();
  vault.embed();
  const auto without = vault.keys(vault.recall(vault.question("vehicle garden")));
  vault.config.embeddings.sqlite_vec = extension();
  CHECK(vault.keys(vault.recall(vault.question("vehicle garden"))) == without);
  vault.config.embeddings.sqlite_vec = "/no/such/library.so";
  CHECK(vault.keys(vault.recall(vault.question("vehicle garden"))) == without);
}

TEST_CASE("a library that others may have written is not loaded") {
  EmbeddedVault vault;
  vault.add_session("rose", "Planted roses along the wall of the southern garden.", "Roses.");
  vault.reindex();
  const TrustedFolder place;
  const std::string copy = place.at("vec0.so");
  fs::copy_file(extension(), copy);
  ::chmod(copy.c_str(), 0644);
  CHECK(refusal(vault, copy).empty());
  ::chmod(copy.c_str(), 0664);
  CHECK_THAT(refusal(vault, copy), Catch::Contains("others may write it"));
  ::chmod(copy.c_str(), 0646);
  CHECK_THAT(refusal(vault, copy), Catch::Contains("others may write it"));
  ::chmod(copy.c_str(), 0644);
  fs::create_symlink(copy, place.at("link.so"));
  CHECK_THAT(refusal(vault, place.at("link.so")), Catch::Contains("no regular file"));
  CHECK_THAT(refusal(vault, place.at("none.so")), Catch::Contains("not there"));
  std::ofstream(place.at("text.so")) << "no library";
  CHECK_THAT(refusal(vault, place.at("text.so")), Catch::Contains("cannot be loaded"));
  // What came with a synced vault is not the user's.
  vault.write("vec0.so", std::string());
  fs::copy_file(copy, vault.at("vec0.so"), fs::copy_options::overwrite_existing);
  CHECK_THAT(refusal(vault, vault.at("vec0.so")), Catch::Contains("in the workspace"));
}

TEST_CASE("a library is not loaded from where others may put another one in its place") {
  EmbeddedVault vault;
  vault.add_session("rose", "Planted roses along the wall of the southern garden.", "Roses.");
  vault.reindex();
  const TrustedFolder place;
  fs::create_directories(place.at("above/lib"));
  const std::string copy = place.at("above/lib/vec0.so");
  fs::copy_file(extension(), copy);
  ::chmod(copy.c_str(), 0644);
  CHECK(refusal(vault, copy).empty());
  fs::create_directory_symlink(place.at("above/lib"), place.at("link"));
  CHECK(refusal(vault, place.at("link/vec0.so")).empty());
  const std::string linked = place.at("link/vec0.so");
  for (const std::string& folder : {place.at("above"), place.at("above/lib"), place.at("")}) {
    for (const mode_t mode : {0777U, 0775U}) {
      INFO(folder << " " << mode);
      ::chmod(folder.c_str(), mode);
      CHECK_THAT(refusal(vault, copy), Catch::Contains("others may write a folder"));
      CHECK_THAT(refusal(vault, linked), Catch::Contains("others may write a folder"));
    }
    ::chmod(folder.c_str(), 01777);  // nobody but its owner may replace what is in it
    CHECK(refusal(vault, copy).empty());
    CHECK(refusal(vault, linked).empty());
    ::chmod(folder.c_str(), 0755);
  }
  const daybook::support::TempFolder temporary;  // below /tmp, which is everybody's
  fs::copy_file(extension(), temporary.at("vec0.so"));
  ::chmod(temporary.at("vec0.so").c_str(), 0644);
  CHECK(refusal(vault, temporary.at("vec0.so")).empty());
  if (::geteuid() == 0) {
    ::chmod(place.at("above").c_str(), 01777);
    constexpr uid_t kSomebody = 65534;
    REQUIRE(::chown(place.at("above/lib").c_str(), kSomebody, kSomebody) == 0);
    CHECK_FALSE(refusal(vault, copy).empty());
  }
}

TEST_CASE("a vector in which a bit has turned comes before or after none") {
  EmbeddedVault vault(16);
  for (const std::string key : {"car", "rose", "shed", "lamp"}) {
    vault.add_session(key, "Wrote a few words about one " + key + " in the house.", key);
  }
  vault.reindex();
  vault.embed();
  auto opened = daybook::index::open_index(vault.folder().file(daybook::index::kIndexFile),
                                           daybook::store::Access::read_write);
  const std::string nan = "0000C07F";
  const std::string broken = "CAST(x'" + nan + "' || substr(value, 5) AS BLOB)";
  REQUIRE(opened->database->execute(
      "UPDATE vector SET value = " + broken +
      " WHERE id / 8 = (SELECT id FROM file WHERE session_key = 'rose' AND kind = 0)"));
  REQUIRE(opened->database->load_extension(extension(), "sqlite3_vec_init"));
  for (const auto by : {VectorBackend::exact, VectorBackend::sqlite_vec}) {
    const auto near = daybook::index::Vectors(*opened->database, by)
                          .nearest(std::vector<float>(16, 1.0F), {}, 10);
    INFO((near ? std::string() : near.error().message));
    REQUIRE(near);
    CHECK(near->size() >= 3);
    CHECK(std::all_of(
        near->begin(), near->end(), [](const auto& file) { return std::isfinite(file.score); }));
    CHECK(std::is_sorted(near->begin(), near->end(), [](const auto& a, const auto& b) {
      return a.score > b.score;
    }));
  }
}

TEST_CASE("no SQL can load a library, neither before nor after one was loaded") {
  EmbeddedVault vault;
  vault.reindex();
  auto opened = daybook::index::open_index(vault.folder().file(daybook::index::kIndexFile),
                                           daybook::store::Access::read_only);
  REQUIRE(opened);
  const std::string load = "SELECT load_extension('" + extension() + "')";
  CHECK_FALSE(opened->database->text(load));
  REQUIRE(opened->database->load_extension(extension(), "sqlite3_vec_init"));
  CHECK(opened->database->text("SELECT vec_version()"));
  CHECK_FALSE(opened->database->text(load));
}
