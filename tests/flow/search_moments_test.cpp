// SPDX-License-Identifier: MIT
//
// What a search says while another process makes the full text that it looks into.
#ifdef __linux__
#include "daybook/index/full_text_search.hpp"
#include "daybook/service/search.hpp"
#include "support/eventually.hpp"
#include "support/indexed_vault.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <future>

namespace daybook::flow {
namespace {

namespace fs = std::filesystem;
using support::IndexedVault;
using support::SessionFiles;

fs::path only_month(const IndexedVault& vault) {
  for (const auto& entry : fs::directory_iterator(vault.folder().file("text"))) {
    if (entry.path().extension() == ".db") {
      return entry.path();
    }
  }
  FAIL("there is no full text");
  return {};
}

int times_open(const fs::path& path) {
  int times = 0;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    times += fs::read_symlink(entry.path(), ignored) == path ? 1 : 0;
  }
  return times;
}

}  // namespace

TEST_CASE("A search of full text that was behind says so, though it was made up meanwhile") {
  IndexedVault vault;
  vault.add(SessionFiles("default", "first", "2026-03-28T10:00:00.000Z"));
  vault.reindex();
  const fs::path month = only_month(vault);
  // As rows that a pass has written, with the full text still to come.
  auto index = store::Database::open(vault.folder().file(index::kIndexFile));
  REQUIRE(index);
  REQUIRE(index->execute("INSERT INTO text_month VALUES(24314, 1)"));

  auto text = store::Database::open(month.string());
  REQUIRE(text);
  std::future<Result<service::SearchReport>> searching;
  {
    REQUIRE(text->execute("BEGIN EXCLUSIVE"));
    const int before = times_open(month);
    service::SearchRequest request;
    request.query = "nothing-of-that-kind";
    searching = std::async(std::launch::async, [&vault, request] {
      return service::search(base::real_disk(), vault.folder(), request);
    });
    CHECK(support::eventually([&] { return times_open(month) > before; }));
    // Now it waits for the month. The pass that makes it up is done before it gets there.
    REQUIRE(index->execute("DELETE FROM text_month"));
    REQUIRE(text->execute("ROLLBACK"));
  }
  const auto report = searching.get();
  REQUIRE(report);
  CHECK(report->results.empty());
  CHECK(report->months_behind == 1);
}

}  // namespace daybook::flow
#endif
