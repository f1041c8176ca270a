// SPDX-License-Identifier: MIT
#include "mcp/work_queue.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace daybook::mcp {
namespace {

Job job_of(const std::string& id, const std::string& params) {
  return {read_messages(R"({"jsonrpc":"2.0","method":"m","id":")" + id + R"(","params":)" + params +
                        "}"),
          {nullptr}};
}

/// So many of them are taken.
std::size_t taken(WorkQueue& queue, const std::string& id, const std::string& params) {
  std::size_t count = 0;
  for (; queue.has_room(); ++count) {
    queue.put(job_of(id, params));
  }
  return count;
}

std::string zeros(std::size_t count) {
  std::string text = R"({"a":[0)";
  for (std::size_t i = 1; i < count; ++i) {
    text.append(",0");
  }
  return text.append("]}");
}

}  // namespace

TEST_CASE("What waits is bounded by its memory, however short the lines were") {
  constexpr std::size_t kValues = 49'000;
  WorkQueue queue;
  const std::size_t count = taken(queue, "1", zeros(kValues));
  CHECK(count > 1);
  CHECK((count - 1) * kValues * sizeof(Json) < WorkQueue::kMostBytes);
  // There is room again as soon as one is done.
  const auto job = queue.take(std::chrono::milliseconds(0));
  REQUIRE(job);
  CHECK_FALSE(queue.has_room());
  queue.done(*job);
  CHECK(queue.has_room());
}

TEST_CASE("A long id counts as often as it is kept, and short messages by their number") {
  WorkQueue of_ids;
  const std::string id(std::size_t{1} << 20U, 'x');
  CHECK(taken(of_ids, id, "{}") <= WorkQueue::kMostBytes / (3 * id.size()) + 1);
  WorkQueue of_pings;
  CHECK(taken(of_pings, "1", "{}") == WorkQueue::kMostJobs);
}

}  // namespace daybook::mcp
