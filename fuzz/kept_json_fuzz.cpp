// SPDX-License-Identifier: MIT
//
// The JSON that Daybook keeps or hands itself: a record, a receipt and a hook of the spool,
// workspace.json, what the running service answers. Damaged text is refused with a reason; what is
// read is written and read again as the same, and its times can be written.
//
// The input: a byte that says which of them, then the JSON.
#include "capture/spool_json.hpp"
#include "cli/service_health.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "require.hpp"
#include "state/workspace_record.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace {

namespace capture = daybook::capture;
namespace cli = daybook::cli;
namespace lineage = daybook::lineage;
namespace state = daybook::state;
using daybook::fuzz::require;

void require_time(std::optional<lineage::Timestamp> time) {
  require(!time || lineage::parse_timestamp(to_string(*time)) == time, "a time can be written");
}

template <typename Value, typename Write, typename Read>
std::optional<Value> again(const daybook::Result<Value>& value, Write write, Read read) {
  if (!value) {
    require(value.error().kind == daybook::ErrorKind::damaged, "what is not understood is damaged");
    require(!value.error().message.empty(), "a refusal says why");
    require(daybook::base::is_valid_utf8(value.error().message), "a refusal can be printed");
    return std::nullopt;
  }
  const std::string text = write(*value);
  const auto read_again = read(text);
  require(read_again.ok(), "what is written is read");
  require(write(*read_again) == text, "what is read again is the same");
  return *value;
}

void try_record(std::string_view text) {
  const auto record =
      again(capture::record_from_json(text), capture::record_to_json, capture::record_from_json);
  if (record) {
    require_time(record->session.captured_at);
    require_time(record->started_at);
    require_time(record->ended_at);
    require_time(record->sentence.generated_at);
    require_time(record->result.captured_at);
  }
}

void try_receipt(std::string_view text) {
  const auto receipt =
      again(capture::receipt_from_json(text), capture::receipt_to_json, capture::receipt_from_json);
  if (receipt) {
    require_time(receipt->result.captured_at);
  }
}

void try_hook(std::string_view text) {
  const auto hook =
      again(capture::hook_from_json(text), capture::hook_to_json, capture::hook_from_json);
  if (hook) {
    require_time(hook->spooled_at);
    require(hook->input.event <= daybook::harness::HookEvent::other,
            "an event is one that is known");
  }
}

void try_workspace(std::string_view text) {
  if (const auto record = state::read_workspace_record(text)) {
    const std::string written = to_json(*record);
    const auto read = state::read_workspace_record(written);
    require(read && to_json(*read) == written, "a workspace's record is read again as the same");
  }
}

void try_health(const std::string& text) {
  if (const auto health = cli::health_from_text(text)) {
    const std::string written = cli::health_text(*health);
    const auto read = cli::health_from_text(written);
    require(read && cli::health_text(*read) == written, "a service's health is read again");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 5) {
    case 0:
      try_record(text);
      break;
    case 1:
      try_receipt(text);
      break;
    case 2:
      try_hook(text);
      break;
    case 3:
      try_workspace(text);
      break;
    default:
      try_health(text);
      break;
  }
  return 0;
}
