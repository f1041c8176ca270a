// SPDX-License-Identifier: MIT
#include "service/note_links.hpp"

#include <string>
#include <utility>

namespace daybook::service {

using lineage::Code;

void NoteLinks::judge(const parse::Wikilink& link, std::uint32_t body_line) {
  if (wrong_ == kMostFindings) {
    ++not_judged_;
    return;
  }
  const std::uint32_t line = body_line + link.line - 1;
  LinkJudgement judgement = judge_.judge_wikilink(link.inside, folder_, line);
  keep(link.embed ? index::LinkOrigin::embed : index::LinkOrigin::wikilink, line, judgement);
  if (is_wrong(judgement)) {
    ++wrong_;
    last_code_ = judgement.finding->code;
    findings_.push_back(std::move(*judgement.finding));
  }
}

bool NoteLinks::is_wrong(const LinkJudgement& link) const {
  return link.finding && source_ != Source::transcript &&
         (source_ != Source::learning || link.finding->code != Code::link_not_root_relative);
}

void NoteLinks::keep(index::LinkOrigin origin, std::uint32_t line, const LinkJudgement& link) {
  constexpr std::size_t kLongestTarget = 1024;
  if (keep_ == Keep::nothing || link.form == lineage::LinkForm::self) {
    return;
  }
  if (kept_.size() == kMostLinks || link.target.size() > kLongestTarget) {
    ++not_kept_;
    return;
  }
  kept_.push_back({origin, link.form, line, std::string(link.target), link.resolved});
}

void NoteLinks::report_excess() {
  if (not_judged_ > 0) {
    findings_.push_back({last_code_,
                         0,
                         std::to_string(not_judged_) +
                             " further links of this file were not looked at; mend the others "
                             "first"});
  }
  if (not_kept_ > 0) {
    findings_.push_back(
        {Code::links_scanned_linearly,
         0,
         std::to_string(not_kept_) + " further links of this file are not in the index"});
  }
}

}  // namespace daybook::service
