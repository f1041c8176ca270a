// SPDX-License-Identifier: MIT
//
// The text of a settings file, read as far as hooks are concerned: where each hook lies, what would
// have to be cut to take one out, and everything else as one string for comparison. Views live as
// long as the text. Pure.
#pragma once

#include "daybook/base/result.hpp"
#include "harness/json_view.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::harness {

/// A stretch of the text.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// A member of an object (key and value) or an element of an array.
struct Part {
  std::string_view key;  // empty for an element
  JsonView value;
  Span span;  // from the key's or value's first byte to behind the last
};

/// An object or array, its brackets included.
struct Container {
  Span span;
  std::vector<Part> parts;
};

/// Of whose settings these are.
struct SettingsBounds {
  std::size_t most_mebibytes;
  std::string_view by_hand;  ///< what a person may do instead of us: `add the hooks`
};

Error refused_settings(const std::string& why, const SettingsBounds& bounds);
/// The root of the file. Refuses what is too large or no strict JSON object.
Result<JsonView> settings_root(std::string_view text, const SettingsBounds& bounds);

class SettingsText {
 public:
  /// Refuses what is no strict JSON object, and hooks of an unexpected shape.
  static Result<SettingsText> read(std::string_view text);

  const Container& root() const { return root_; }
  /// The position of `hooks` in root, if there is one.
  std::optional<std::size_t> hooks() const { return hooks_; }
  /// Members of an object or elements of an array of this text.
  Container parts_of(const JsonView& container) const;
  std::string_view text() const { return text_; }

  struct Hook {
    std::string_view event;
    std::string command;   // decoded
    Span command_span;     // the string with its quotes
    std::size_t event_at;  // positions in hooks, its array, its group's `hooks`
    std::size_t group_at;
    std::size_t hook_at;
  };
  /// Every hook with a command, in order.
  const std::vector<Hook>& all_hooks() const { return all_; }

  /// What has to be cut to take this hook out, with whatever is empty then and was made for it.
  /// Everything, if the whole file was.
  Span cut_for(const Hook& hook) const;

 private:
  Result<void> read_hooks();
  Result<void> read_event(const Part& event, std::size_t event_at);
  Error wrong(std::string_view what, const Part& part) const;
  Part part(std::string_view key, const JsonView& value) const;

  std::string_view text_;
  Container root_;
  std::optional<std::size_t> hooks_;
  std::vector<Hook> all_;
};

/// What is not ours, without blanks between tokens and without empty hook lists: equal before and
/// after an edit that changed nothing else.
std::string everything_else(const SettingsText& settings,
                            const std::function<bool(std::string_view command)>& is_ours);

}  // namespace daybook::harness
