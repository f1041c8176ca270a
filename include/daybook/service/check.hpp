// SPDX-License-Identifier: MIT
//
// Workspace -> every diagnostic that needs no database: each file by itself, each session's files
// against each other, links, duplicates, conflict copies, tombstoned content. Reads in parallel,
// writes nothing, creates no state. The unit of work is a session, whose files lie side by side in
// the listing, so that no fact has to be kept beyond it.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/lineage/diagnostic.hpp"
#include "daybook/scan/vault_listing.hpp"
#include "daybook/service/work_progress.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace daybook::service {

struct CheckRequest {
  std::string workspace;
  /// Workspace-relative files and folders to report on; empty: everything. Other files are read
  /// only as far as they are needed to judge these.
  std::vector<std::string> paths;
  std::string agent;     ///< report only on this agent's files; empty: on every agent's
  unsigned threads = 0;  ///< 0: as many as the machine has, at most eight
};

class CheckReport {
 public:
  struct Finding {
    std::uint32_t place = 0;  ///< see path()
    lineage::Diagnostic diagnostic;
  };

  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  double seconds = 0;

  /// Sorted by path, line and code.
  const std::vector<Finding>& findings() const { return findings_; }
  /// Workspace-relative; raw bytes, as the file system has them.
  std::string path(const Finding& finding) const;

  // For the check that fills it:
  explicit CheckReport(scan::VaultListing listing) : listing_(std::move(listing)) {}
  const scan::VaultListing& listing() const { return listing_; }
  void add(scan::VaultListing::Index file, lineage::Diagnostic diagnostic);
  void add(std::string path, lineage::Diagnostic diagnostic);
  void append(std::vector<Finding>&& findings);
  void sort();

 private:
  bool less(const Finding& left, const Finding& right) const;

  // Places below the number of listed files are files; those above are other_paths_.
  scan::VaultListing listing_;
  std::vector<std::string> other_paths_;
  std::vector<Finding> findings_;
};

/// Fails with no_workspace or io, when there is nothing to check or nothing can be read; and with
/// usage when a requested path does not exist.
Result<CheckReport> check(base::Disk& disk, const CheckRequest& request, WorkProgress& progress);

}  // namespace daybook::service
