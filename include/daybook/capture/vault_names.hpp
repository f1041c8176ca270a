// SPDX-License-Identifier: MIT
//
// memory/ -> which sessions had files in it and which tombstones there were, at one moment: so that
// a thousand captures in a row need not list a vault of any size a thousand times. Sessions that
// come in later are not known; a capture trusts it only for a session that no process on this
// device has ever locked. Built once, then only read; any thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/lineage/session_token.hpp"

#include <memory>
#include <span>
#include <string>

namespace daybook::capture {

struct SessionNames;

class VaultNames {
 public:
  /// A folder that cannot be read is an error: what is in it may forbid a capture.
  static Result<VaultNames> list(base::Disk& disk, const std::string& workspace);

  VaultNames(VaultNames&&) noexcept;
  VaultNames& operator=(VaultNames&&) noexcept;
  ~VaultNames();

  bool has_session(const lineage::SessionToken& token) const;
  /// All tombstones, and no file of any session.
  const SessionNames& tombstones() const;

 private:
  struct Known;
  explicit VaultNames(std::unique_ptr<Known> known);
  std::unique_ptr<Known> known_;
};

/// The manifest of a session, workspace-relative; empty: none. Lists memory/.
Result<std::string> manifest_of(base::Disk& disk,
                                const std::string& workspace,
                                const lineage::SessionToken& token);

}  // namespace daybook::capture
