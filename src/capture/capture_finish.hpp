// SPDX-License-Identifier: MIT
//
// A record in the spool -> its canonical files, its receipt, and an empty place in the spool. All
// that the files say is in the record, so that the same files come of it however often this is
// begun. Called by the holder of the session's lock; failure leaves the record for the next try.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/capture/spool.hpp"
#include "daybook/state/state_db.hpp"
#include "daybook/state/state_folder.hpp"

#include <mutex>

namespace daybook::capture {

struct FinishPlace {
  base::Disk& disk;
  const state::StateFolder& folder;
  state::StateDb& state;
  lineage::Timestamp now;
  const VaultNames* names = nullptr;  ///< as in CapturePlace
  ReceiptSync receipts = ReceiptSync::durable;
  std::mutex* writing = nullptr;
};

/// Whether all canonical files of a capture are on the disk, as its flow says.
bool has_files(const state::Flow& flow);

/// What a killed process was writing in that folder goes; what somebody is writing stays.
void remove_leftovers(base::Disk& disk, const std::string& path, lineage::Timestamp now);

/// Which flow a request is: the key that was given, else what it is about and holds.
std::string flow_id_of(const SpoolRecord& record, const std::string& idempotency_key);

/// Where its manifest is, or will be: named after the session's first capture.
std::string manifest_path_of(const SpoolRecord& record);

/// Notes in state.db that this flow is begun. False: the same key stands for other content.
Result<bool> claim_flow(const FinishPlace& place, const SpoolRecord& record);

/// `name`: of the record in the spool, whose flow is claimed.
Result<CaptureResult> finish_capture(const FinishPlace& place,
                                     SpoolRecord record,
                                     const std::string& name);

/// The same for a record that a process has left, claimed or not. Nobody is told any more that its
/// key was taken meanwhile, so it is then known by its content.
Result<CaptureResult> finish_spooled(const FinishPlace& place,
                                     SpoolRecord record,
                                     const std::string& name);

}  // namespace daybook::capture
