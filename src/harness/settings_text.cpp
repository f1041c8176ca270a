// SPDX-License-Identifier: MIT
#include "harness/settings_text.hpp"

#include "harness/json_place.hpp"

#include <algorithm>

namespace daybook::harness {
namespace {

constexpr SettingsBounds kBounds{4, "add the hooks"};

Error refusal(const std::string& why) { return refused_settings(why, kBounds); }

/// The whole value, a string with its quotes.
std::string_view written(const JsonView& value) {
  return value.is_string() ? std::string_view(value.raw.data() - 1, value.raw.size() + 2)
                           : value.raw;
}

/// The cut that takes part `at` out of a container that keeps others.
Span cut_among(const Container& container, std::size_t at) {
  const auto& parts = container.parts;
  if (at > 0) {
    return {parts[at - 1].span.end, parts[at].span.end};
  }
  return {parts[at].span.begin, parts[at + 1].span.begin};
}

/// A container that was there before it was filled has nothing between its bracket and us.
bool was_there_before(const Container& container) {
  return container.parts.front().span.begin == container.span.begin + 1;
}

void append_tokens(const JsonView& value, std::string& out) {
  if (value.is_object()) {
    out += '{';
    each_member(value, [&](std::string_view key, const JsonView& inner) {
      out.append("\"").append(key).append("\":");
      append_tokens(inner, out);
      out += ',';
    });
    out += '}';
  } else if (value.is_array()) {
    out += '[';
    each_element(value, [&](const JsonView& inner) {
      append_tokens(inner, out);
      out += ',';
    });
    out += ']';
  } else {
    out += written(value);
  }
}

}  // namespace

Error refused_settings(const std::string& why, const SettingsBounds& bounds) {
  return {ErrorKind::usage,
          "reading the settings: " + why,
          "",
          std::string("Nothing was changed; mend the file by hand, or ")
              .append(bounds.by_hand)
              .append(" yourself.")};
}

Result<JsonView> settings_root(std::string_view text, const SettingsBounds& bounds) {
  constexpr std::size_t kMebibyte = std::size_t{1024} * 1024;
  if (text.size() > bounds.most_mebibytes * kMebibyte) {
    return refused_settings(
        "the file has more than " + std::to_string(bounds.most_mebibytes) + " MiB", bounds);
  }
  std::size_t failed_at = 0;
  const JsonView root = read_json(text, &failed_at);
  if (root.kind == JsonKind::none) {
    return refused_settings(
        "no JSON at " + place_text(text, failed_at) + " (comments and trailing commas are none)",
        bounds);
  }
  return root.is_object() ? Result(root)
                          : refused_settings("the file is JSON, but no object", bounds);
}

Result<SettingsText> SettingsText::read(std::string_view text) {
  TRY_ASSIGN(const JsonView root, settings_root(text, kBounds));
  SettingsText settings;
  settings.text_ = text;
  settings.root_ = settings.parts_of(root);
  TRY(settings.read_hooks());
  return settings;
}

Part SettingsText::part(std::string_view key, const JsonView& value) const {
  const std::string_view whole = written(value);
  const char* const begin = key.data() == nullptr ? whole.data() : key.data() - 1;
  return {key,
          value,
          {static_cast<std::size_t>(begin - text_.data()),
           static_cast<std::size_t>(whole.data() + whole.size() - text_.data())}};
}

Container SettingsText::parts_of(const JsonView& container) const {
  Container result;
  result.span = part({}, container).span;
  each_member(container, [&](std::string_view key, const JsonView& value) {
    result.parts.push_back(part(key, value));
  });
  each_element(container, [&](const JsonView& value) { result.parts.push_back(part({}, value)); });
  return result;
}

Error SettingsText::wrong(std::string_view what, const Part& part) const {
  return refusal(std::string(what) + " at " + place_text(text_, part.span.begin));
}

Result<void> SettingsText::read_hooks() {
  for (std::size_t at = 0; at < root_.parts.size(); ++at) {
    if (!key_is(root_.parts[at].key, "hooks")) {
      continue;
    }
    if (hooks_) {
      return wrong("a second `hooks`", root_.parts[at]);
    }
    hooks_ = at;
  }
  if (!hooks_) {
    return {};
  }
  const Part& hooks = root_.parts[*hooks_];
  if (!hooks.value.is_object()) {
    return wrong("`hooks` is no object", hooks);
  }
  const Container events = parts_of(hooks.value);
  for (std::size_t at = 0; at < events.parts.size(); ++at) {
    const Part& event = events.parts[at];
    const auto same = [&](const Part& other) { return other.key == event.key; };
    if (std::count_if(events.parts.begin(), events.parts.end(), same) > 1) {
      return wrong("an event twice in `hooks`", event);
    }
    TRY(read_event(event, at));
  }
  return {};
}

Result<void> SettingsText::read_event(const Part& event, std::size_t event_at) {
  if (!event.value.is_array()) {
    return wrong("an event in `hooks` is no list", event);
  }
  const Container groups = parts_of(event.value);
  for (std::size_t group_at = 0; group_at < groups.parts.size(); ++group_at) {
    const Container hooks = parts_of(member(groups.parts[group_at].value, "hooks"));
    for (std::size_t hook_at = 0; hook_at < hooks.parts.size(); ++hook_at) {
      const JsonView command = member(hooks.parts[hook_at].value, "command");
      if (command.is_string()) {
        all_.push_back(
            {event.key, decoded(command.raw), part({}, command).span, event_at, group_at, hook_at});
      }
    }
  }
  return {};
}

Span SettingsText::cut_for(const Hook& hook) const {
  const Part& hooks = root_.parts[*hooks_];
  const Container events = parts_of(hooks.value);
  const Container groups = parts_of(events.parts[hook.event_at].value);
  const Container inner = parts_of(member(groups.parts[hook.group_at].value, "hooks"));
  if (inner.parts.size() > 1) {
    return cut_among(inner, hook.hook_at);
  }
  if (groups.parts.size() > 1) {
    return cut_among(groups, hook.group_at);
  }
  if (was_there_before(groups)) {
    return groups.parts.front().span;
  }
  if (events.parts.size() > 1) {
    return cut_among(events, hook.event_at);
  }
  if (was_there_before(events)) {
    return events.parts.front().span;
  }
  if (root_.parts.size() > 1) {
    return cut_among(root_, *hooks_);
  }
  return was_there_before(root_) ? root_.parts.front().span : Span{0, text_.size()};
}

std::string everything_else(const SettingsText& settings,
                            const std::function<bool(std::string_view command)>& is_ours) {
  std::string out;
  const auto hook_is_ours = [&](const JsonView& hook) {
    const JsonView command = member(hook, "command");
    return command.is_string() && is_ours(decoded(command.raw));
  };
  const auto append_group = [&](const JsonView& group, std::string& list) {
    const JsonView hooks = member(group, "hooks");
    std::string others;
    bool ours = false;
    each_element(hooks, [&](const JsonView& hook) {
      if (hook_is_ours(hook)) {
        ours = true;
      } else {
        append_tokens(hook, others);
        others += ',';
      }
    });
    if (others.empty()) {
      if (!ours) {
        append_tokens(group, list);
      }
      return;
    }
    each_member(group, [&](std::string_view key, const JsonView& value) {
      list.append(key).append(":");
      if (key_is(key, "hooks")) {
        list.append(others);
      } else {
        append_tokens(value, list);
      }
      list += ',';
    });
    list += ';';
  };
  for (std::size_t at = 0; at < settings.root().parts.size(); ++at) {
    const Part& part = settings.root().parts[at];
    if (at != settings.hooks()) {
      out.append(part.key).append(":");
      append_tokens(part.value, out);
      out += ',';
      continue;
    }
    each_member(part.value, [&](std::string_view event, const JsonView& groups) {
      std::string list;
      each_element(groups, [&](const JsonView& group) { append_group(group, list); });
      out += list.empty() ? std::string() : "hooks." + std::string(event) + "=" + list + ",";
    });
  }
  return out;
}

}  // namespace daybook::harness
