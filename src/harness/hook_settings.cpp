// SPDX-License-Identifier: MIT
#include "daybook/harness/hook_settings.hpp"

#include "harness/quoted_text.hpp"
#include "harness/settings_text.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace daybook::harness {
namespace {

constexpr std::array<std::string_view, 4> kEvents{
    "SessionStart", "PreCompact", "PostCompact", "SessionEnd"};
constexpr std::string_view kLongEvent = "SessionEnd";  // has 1.5 s for all its hooks otherwise
constexpr std::string_view kWords = "hook claude-code";
constexpr std::string_view kBom = "\xEF\xBB\xBF";
constexpr int kMostHooks = 1000;  // of ours; a file with more was not made by us

std::string json_text(std::string_view text) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out += {kDigits[static_cast<unsigned char>(c) >> 4U],
              kDigits[static_cast<unsigned char>(c) & 15U]};
    } else {
      out += c;
    }
  }
  return out + "\"";
}

/// How the text around is laid out: over lines with an indent, or on one line. Either way something
/// stands behind each bracket that we open: by that a container that we made is known from one that
/// was there and empty (SettingsText::cut_for).
struct Layout {
  std::string lead;  // what stands before a part at this level: "\n    ", or blanks
  std::string unit;  // one step of indent

  bool lines() const { return lead.find('\n') != std::string::npos; }
  Layout inner() const { return lines() ? Layout{lead + unit, unit} : Layout{" ", unit}; }
  std::string open() const { return inner().lead; }
  std::string close() const { return lines() ? lead : " "; }
};

std::string wrapped(char open, const std::string& content, char close, const Layout& layout) {
  return open + layout.open() + content + layout.close() + close;
}

std::string group_text(std::string_view event, std::string_view command, const Layout& layout) {
  const Layout list = layout.inner();
  const Layout hook = list.inner();
  const std::string gap = "," + hook.inner().lead;
  const std::string fields = "\"type\": \"command\"" + gap + "\"command\": " + json_text(command) +
                             (event == kLongEvent ? gap + "\"timeout\": 60" : "");
  const std::string hooks = wrapped('[', wrapped('{', fields, '}', hook), ']', list);
  return wrapped('{', "\"hooks\": " + hooks, '}', layout);
}

std::string event_text(std::string_view event, std::string_view command, const Layout& layout) {
  return json_text(event) + ": " +
         wrapped('[', group_text(event, command, layout.inner()), ']', layout);
}

std::string hooks_text(std::string_view event, std::string_view command, const Layout& layout) {
  return "\"hooks\": " + wrapped('{', event_text(event, command, layout.inner()), '}', layout);
}

/// What stands before part `at`, back to the bracket or comma.
std::string_view lead_of(std::string_view text, const Container& container, std::size_t at) {
  const std::size_t end = container.parts[at].span.begin;
  std::size_t begin = end;
  while (begin > container.span.begin + 1 && text[begin - 1] != ',' && text[begin - 1] != '{' &&
         text[begin - 1] != '[') {
    --begin;
  }
  return text.substr(begin, end - begin);
}

/// One step of indent, as the file's first member has it.
std::string unit_of(const SettingsText& settings) {
  if (settings.root().parts.empty()) {
    return "  ";
  }
  const std::string_view lead = lead_of(settings.text(), settings.root(), 0);
  const std::size_t line = lead.rfind('\n');
  const std::string_view indent = line == std::string_view::npos ? "" : lead.substr(line + 1);
  return indent.empty() ? "  " : std::string(indent);
}

/// The text with one more part at a container's end; `make` gets the layout of its level.
template <typename Make>
std::string appended(const SettingsText& settings, const Container& container, Make make) {
  const std::string text(settings.text());
  const std::string unit = unit_of(settings);
  if (container.parts.empty()) {
    const std::size_t at = container.span.begin + 1;
    const bool is_root = container.span.begin == settings.root().span.begin;
    return text.substr(0, at) + make(Layout{is_root ? "\n" : " ", unit}) + text.substr(at);
  }
  const std::size_t at = container.parts.back().span.end;
  const std::string lead(lead_of(text, container, container.parts.size() - 1));
  return text.substr(0, at) + "," + lead + make(Layout{lead, unit}) + text.substr(at);
}

/// One event's hook: added, brought to this command, or already there.
Result<std::string> with_hook(std::string_view text,
                              std::string_view event,
                              std::string_view command,
                              std::string_view program) {
  TRY_ASSIGN(const SettingsText settings, SettingsText::read(text));
  for (const SettingsText::Hook& hook : settings.all_hooks()) {
    if (key_is(hook.event, event) && is_our_hook(hook.command, program)) {
      if (hook.command == command) {
        return std::string(text);
      }
      return std::string(text.substr(0, hook.command_span.begin)) + json_text(command) +
             std::string(text.substr(hook.command_span.end));
    }
  }
  if (!settings.hooks()) {
    return appended(settings, settings.root(), [&](const Layout& layout) {
      return hooks_text(event, command, layout);
    });
  }
  const Container events = settings.parts_of(settings.root().parts[*settings.hooks()].value);
  for (const Part& part : events.parts) {
    if (key_is(part.key, event)) {
      return appended(settings, settings.parts_of(part.value), [&](const Layout& layout) {
        return group_text(event, command, layout);
      });
    }
  }
  return appended(
      settings, events, [&](const Layout& layout) { return event_text(event, command, layout); });
}

/// Nothing but our hooks may differ. A failure here is a bug of ours, and better found than
/// written.
Result<void> prove_same(std::string_view before, std::string_view after, std::string_view program) {
  const auto ours = [&](std::string_view command) { return is_our_hook(command, program); };
  TRY_ASSIGN(const SettingsText first, SettingsText::read(before));
  TRY_ASSIGN(const SettingsText second, SettingsText::read(after));
  if (everything_else(first, ours) != everything_else(second, ours)) {
    return Error{ErrorKind::damaged,
                 "editing the settings: the edit would have changed something else",
                 "",
                 "nothing was changed; add the hooks by hand"};
  }
  return {};
}

/// Byte-order mark and text.
struct Split {
  std::string_view mark;
  std::string_view text;
};

Split split_mark(std::string_view text) {
  return text.starts_with(kBom) ? Split{kBom, text.substr(kBom.size())} : Split{{}, text};
}

/// Divides a command line as a shell does, as far as it is one plain command.
class ShellWords {
 public:
  explicit ShellWords(std::string_view command) : rest_(command) {}

  /// Nothing if it is more than that, or does not end what it quotes.
  std::optional<std::vector<std::string>> read() {
    while (!rest_.empty()) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      const bool taken = c == '\'' || c == '"' ? quoted(c) : bare(c);
      if (!taken) {
        return std::nullopt;
      }
    }
    end_word();
    return std::move(words_);
  }

 private:
  static bool runs_another(char c, std::string_view behind) {
    return c == '`' || (c == '$' && behind.starts_with('('));
  }

  bool quoted(char quote) {
    word_ = word_.value_or("");
    while (!rest_.empty()) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == quote) {
        return true;
      }
      if (quote == '"' && runs_another(c, rest_)) {
        return false;
      }
      const bool escapes = quote == '"' && c == '\\' && rest_.find_first_of("\"\\$`") == 0;
      word_->push_back(escapes ? rest_.front() : c);
      rest_.remove_prefix(escapes ? 1 : 0);
    }
    return false;
  }

  bool bare(char c) {
    constexpr std::string_view kOperators = ";|&<>()\n\r";
    if (c == ' ' || c == '\t') {
      end_word();
      return true;
    }
    if (kOperators.find(c) != std::string_view::npos || runs_another(c, rest_) ||
        (c == '#' && !word_) || (c == '\\' && rest_.empty())) {
      return false;
    }
    word_ = word_.value_or("");
    word_->push_back(c == '\\' ? rest_.front() : c);
    rest_.remove_prefix(c == '\\' ? 1 : 0);
    return true;
  }

  void end_word() {
    if (word_) {
      words_.push_back(std::move(*word_));
      word_.reset();
    }
  }

  std::string_view rest_;
  std::optional<std::string> word_;
  std::vector<std::string> words_;
};

}  // namespace

// A person's own line may call us among other things; that one is theirs.
bool is_our_hook(std::string_view command, std::string_view program) {
  const auto words = ShellWords(command).read();
  if (!words || words->size() < 3) {
    return false;
  }
  const std::size_t hook = words->size() - 2;
  if (words->front().substr(words->front().find_last_of("/\\") + 1) != program ||
      (*words)[hook] != "hook" || (*words)[hook + 1] != "claude-code") {
    return false;
  }
  for (std::size_t at = 1; at < hook; ++at) {
    if (!(*words)[at].starts_with("--")) {
      return false;
    }
    const bool has_value = (*words)[at].find('=') == std::string::npos && at + 1 < hook &&
                           !(*words)[at + 1].starts_with("--");
    at += has_value ? 1 : 0;
  }
  return true;
}

std::vector<std::string> our_hooks(std::string_view settings, std::string_view program) {
  std::vector<std::string> commands;
  const std::string_view text = split_mark(settings).text;
  if (const auto read = SettingsText::read(text)) {
    for (const SettingsText::Hook& hook : read->all_hooks()) {
      if (is_our_hook(hook.command, program) &&
          std::find(commands.begin(), commands.end(), hook.command) == commands.end()) {
        commands.push_back(hook.command);
      }
    }
  }
  return commands;
}

Result<std::string> with_hooks(std::string_view settings,
                               std::string_view command,
                               std::string_view program) {
  if (program.empty() || !is_our_hook(command, program)) {
    return Error{ErrorKind::usage,
                 "adding hooks: the command does not run `" + std::string(program) + " " +
                     std::string(kWords) + "`",
                 "",
                 ""};
  }
  const auto [mark, original] = split_mark(settings);
  const bool fresh = trimmed(original).empty();
  std::string text(original);
  if (fresh) {
    const Layout layout{"\n  ", "  "};
    text = "{" + layout.lead + hooks_text(kEvents.front(), command, layout) + "\n}\n";
  }
  for (const std::string_view event : kEvents) {
    TRY_ASSIGN(text, with_hook(text, event, command, program));
  }
  TRY(prove_same(fresh ? "{}" : original, text, program));
  return std::string(mark) + text;
}

Result<std::string> without_hooks(std::string_view settings, std::string_view program) {
  const auto [mark, original] = split_mark(settings);
  if (trimmed(original).empty()) {
    return std::string(settings);
  }
  std::string text(original);
  for (int round = 0;; ++round) {
    TRY_ASSIGN(const SettingsText read, SettingsText::read(text));
    const auto& hooks = read.all_hooks();
    const auto ours = std::find_if(hooks.begin(), hooks.end(), [&](const auto& hook) {
      return is_our_hook(hook.command, program);
    });
    if (ours == hooks.end()) {
      break;
    }
    if (round == kMostHooks) {
      return Error{ErrorKind::usage, "removing hooks: there are more than a thousand", "", ""};
    }
    const Span cut = read.cut_for(*ours);
    if (cut.end - cut.begin == text.size()) {
      return std::string(mark);
    }
    text.erase(cut.begin, cut.end - cut.begin);
  }
  TRY(prove_same(original, text, program));
  return std::string(mark) + text;
}

}  // namespace daybook::harness
