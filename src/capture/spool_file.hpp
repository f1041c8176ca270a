// SPDX-License-Identifier: MIT
//
// The form of every file in the spool: bytes of a transcript, JSON, and a last line of fixed size
// with the JSON's length and hash, so that it is found from the end and a torn file is known as
// such. Reads through base::Disk; one thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace daybook::capture {

/// What follows the transcript.
std::string spool_tail(std::string_view json);

struct SpoolTail {
  std::string json;
  std::uint64_t transcript_bytes = 0;  ///< that stand before it
};

/// damaged when it is torn, not_found when it is gone.
Result<SpoolTail> read_spool_tail(base::Disk& disk,
                                  const std::string& spool,
                                  const std::string& name);

Error damaged_spool_file(const std::string& name);

}  // namespace daybook::capture
