// SPDX-License-Identifier: MIT
//
// CheckReport -> text on a stream, in each of its forms. Text from notes and file names is made
// harmless here and only here. Written piece by piece: a report may hold a finding for each of
// 300,000 files.
#pragma once

#include "cli/terminal.hpp"
#include "daybook/lineage/diagnostic.hpp"
#include "daybook/service/check.hpp"

#include <cstdint>
#include <cstdio>
#include <string>

namespace daybook::cli {

enum class CheckFormat : std::uint8_t { human, json, gcc, sarif };

struct SeverityCounts {
  std::uint64_t errors = 0;
  std::uint64_t warnings = 0;
  std::uint64_t infos = 0;
};

struct CheckView {
  const service::CheckReport& report;
  std::string workspace;
  lineage::Severity least = lineage::Severity::info;
  /// Infos are told one by one; otherwise human output sums them up by code.
  bool list_infos = false;
  SeverityCounts counts;  ///< of what is shown

  bool shows(const service::CheckReport::Finding& finding) const {
    return lineage::info(finding.diagnostic.code).severity >= least;
  }
};

SeverityCounts count_shown(const CheckView& view);

void write_human(const CheckView& view, const Palette& colors, std::FILE* out);
void write_json(const CheckView& view, std::FILE* out);
void write_gcc(const CheckView& view, std::FILE* out);
void write_sarif(const CheckView& view, std::FILE* out);

}  // namespace daybook::cli
