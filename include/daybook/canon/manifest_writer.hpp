// SPDX-License-Identifier: MIT
//
// A manifest as it is -> the same manifest with some fields changed, by compare-and-swap: under the
// session's lock the file is read, the caller decides on the change, and it is written by atomic
// replace only if the bytes (and with them the revision) are still those that were read; else all
// begins anew, a few times, then ErrorKind::busy. `revision` grows by one and `updated_at` is set.
// Unknown fields, comments, order, body, line ends and BOM keep their bytes. The only way in which
// a canonical file gains links after its session's end. Any thread, any process; failure leaves the
// file as it was. Durable on return.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/canon/file_place.hpp"
#include "daybook/lineage/artifact.hpp"
#include "daybook/lineage/timestamp.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace daybook::canon {

/// What is to be changed. Empty: nothing, and nothing is written.
class ManifestEdit {
 public:
  /// Nothing: null.
  ManifestEdit& set_text(const std::string& key, std::optional<std::string> value);
  ManifestEdit& set_list(const std::string& key, std::vector<std::string> items);

  using Value = std::variant<std::optional<std::string>, std::vector<std::string>>;
  const std::map<std::string, Value>& values() const { return values_; }

 private:
  std::map<std::string, Value> values_;
};

enum class ManifestWrite : std::uint8_t {
  unchanged,  ///< it said so already
  written,
};

struct ManifestOutcome {
  ManifestWrite write = ManifestWrite::unchanged;
  std::uint64_t revision = 0;
  base::Digest sha256{};  ///< of the file's bytes as they are now
};

/// `change` may be called several times, each time with what the file then says. A manifest with
/// findings that make it invalid, or in a form that cannot be edited safely, is refused
/// (ErrorKind::damaged).
Result<ManifestOutcome> update_manifest(
    base::Disk& disk,
    const FilePlace& place,
    lineage::Timestamp now,
    const std::function<ManifestEdit(const lineage::Manifest&)>& change);

}  // namespace daybook::canon
