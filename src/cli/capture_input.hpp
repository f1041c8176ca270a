// SPDX-License-Identifier: MIT
//
// JSON on standard input -> what is to be captured. One object; a field that is not known is an
// error that names the nearest one, because text that a harness misspells would be lost without a
// word. Failure reads nothing more.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/capture/capture.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace daybook::cli {

/// More than that belongs into a file: transcript_path.
inline constexpr std::size_t kLargestInput = std::size_t{32} << 20U;

/// Each takes the fields that it has a use for, and no others.
enum class CaptureKind : std::uint8_t { session_end, compaction };

struct CaptureInput {
  capture::CapturedSession session;
  std::string transcript;  ///< itself
  std::string transcript_path;
  std::string transcript_format;  ///< empty: recognised
  std::optional<std::string> summary;
  std::string text;  ///< of a compaction
  std::string status;
  std::string error;
};

/// Fields that are already set stay as they are: the command line comes first.
Result<void> read_capture_json(std::string_view json, CaptureKind kind, CaptureInput& into);

/// Piece by piece; only once.
Result<void> stream_standard_input(const canon::TakePiece& take);

/// Standard input to its end.
Result<std::string> read_standard_input();

Result<lineage::Timestamp> read_time(const std::string& name, const std::string& text);
Result<std::optional<harness::Format>> read_format(const std::string& name);
Result<std::optional<lineage::RunStatus>> read_run_status(const std::string& name);

}  // namespace daybook::cli
