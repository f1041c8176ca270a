// SPDX-License-Identifier: MIT
#include "service/passages.hpp"

#include "daybook/base/utf8.hpp"

#include <algorithm>

namespace daybook::service {
namespace {

/// Of a body so much is looked at, since redacting makes it shorter.
constexpr std::size_t kLookedAt = 4 * kBodyPassages * kPassageBytes;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  return first == std::string_view::npos
             ? std::string_view()
             : text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// At the end of a line or word if there is one in the second half, else of a character.
std::size_t end_of_passage(std::string_view text, std::size_t most = kPassageBytes) {
  if (text.size() <= most) {
    return text.size();
  }
  for (const char mark : {'\n', ' '}) {
    const std::size_t at = text.rfind(mark, most - 1);
    if (at != std::string_view::npos && at > most / 2) {
      return at + 1;
    }
  }
  return std::max<std::size_t>(base::character_begin(text, most), 1);
}

void add(std::vector<std::string>& passages, std::string_view text) {
  if (!trimmed(text).empty()) {
    passages.emplace_back(trimmed(text));
  }
}

}  // namespace

std::vector<std::string> passages_of(std::string_view sentence,
                                     std::string_view body,
                                     const redact::Policy& policy) {
  std::vector<std::string> passages;
  const std::string clean_sentence = redact::sanitize(sentence, policy);
  add(passages, std::string_view(clean_sentence).substr(0, end_of_passage(clean_sentence)));
  const std::string clean = redact::sanitize(body.substr(0, kLookedAt), policy);
  std::string_view rest(clean);
  if (body.size() > kLookedAt) {
    // The cut may have halved a secret, and no rule knows half of one: the last line goes.
    const std::size_t line = rest.rfind('\n');
    rest = rest.substr(0, line == std::string_view::npos ? rest.size() / 2 : line);
  }
  for (std::size_t taken = 0; taken < kBodyPassages && !rest.empty(); ++taken) {
    const std::size_t end = end_of_passage(rest);
    add(passages, rest.substr(0, end));
    rest.remove_prefix(end);
  }
  if (passages.empty()) {
    passages.emplace_back("-");
  }
  return passages;
}

std::vector<std::string> shortened(const std::vector<std::string>& passages) {
  std::vector<std::string> shorter;
  bool differs = false;
  for (const std::string& passage : passages) {
    const std::string_view text(passage);
    add(shorter, text.substr(0, end_of_passage(text, kShortPassageBytes)));
    differs = differs || text.size() > kShortPassageBytes;
  }
  return differs ? shorter : std::vector<std::string>();
}

}  // namespace daybook::service
