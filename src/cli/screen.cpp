// SPDX-License-Identifier: MIT
#include "cli/screen.hpp"

#include "cli/terminal.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/base/unicode.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/host/child_program.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <sys/ioctl.h>
#include <unistd.h>
#include <vector>

namespace daybook::cli {
namespace {

std::size_t width_of(char32_t code_point) {
  const bool is_wide_form = code_point >= 0xFF01 && code_point <= 0xFF60;
  const bool is_hangul = code_point >= 0xAC00 && code_point <= 0xD7A3;
  const bool is_emoji = code_point >= 0x1F300 && code_point <= 0x1FAFF;
  const bool is_thai_or_near = code_point < 0x2E80;  // unspaced scripts that are not wide
  return is_wide_form || is_hangul || is_emoji ||
                 (!is_thai_or_near && base::is_unspaced_script(code_point))
             ? 2
             : 1;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) {
    words.push_back(word);
  }
  return words;
}

}  // namespace

std::optional<Screen> screen_of(std::FILE* stream) {
  if (!is_terminal(stream)) {
    return std::nullopt;
  }
  Screen screen;
  winsize size{};
  if (::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
    screen = {size.ws_col, size.ws_row};
  }
  return screen;
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto character = base::decode_utf8(text, at);
    columns += width_of(character.code_point);
    at += character.size;
  }
  return columns;
}

std::string cut_to_columns(std::string_view text, std::size_t columns) {
  std::size_t used = 0;
  std::size_t fits = 0;  // bytes that leave room for the ellipsis
  for (std::size_t at = 0; at < text.size();) {
    const auto character = base::decode_utf8(text, at);
    used += width_of(character.code_point);
    if (used > columns) {
      return std::string(text.substr(0, fits)).append(columns == 0 ? "" : "…");
    }
    at += character.size;
    fits = used < columns ? at : fits;
  }
  return std::string(text);
}

std::string printable_text(std::string_view text) {
  constexpr std::string_view kTab = "    ";
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.ends_with('\r')) {
      line.remove_suffix(1);
    }
    for (std::size_t tab = line.find('\t'); tab != std::string_view::npos; tab = line.find('\t')) {
      out.append(base::printable(line.substr(0, tab))).append(kTab);
      line.remove_prefix(tab + 1);
    }
    out.append(base::printable(line)).append("\n");
  }
  return out;
}

void show_text(const std::string& text) {
  const auto screen = screen_of(stdout);
  const char* pager = std::getenv("PAGER");  // NOLINT(concurrency-mt-unsafe): one thread
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  if (!screen || pager == nullptr || lines < screen->rows) {
    print(stdout, text);
    return;
  }
  std::fflush(stdout);
  if (!host::feed_program(words_of(pager), text)) {
    print(stdout, text);
  }
}

}  // namespace daybook::cli
