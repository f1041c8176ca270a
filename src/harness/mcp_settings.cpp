// SPDX-License-Identifier: MIT
#include "daybook/harness/mcp_settings.hpp"

#include "daybook/base/json_string.hpp"
#include "harness/settings_text.hpp"

#include <algorithm>
#include <optional>

namespace daybook::harness {
namespace {

constexpr std::string_view kBom = "\xEF\xBB\xBF";

/// Claude Code keeps more than its settings in that file: what was asked in each project.
constexpr SettingsBounds kBounds{64, "add the server"};

Error refusal(const std::string& why) { return refused_settings(why, kBounds); }

std::string quoted(std::string_view text) {
  std::string out;
  base::append_json_string(out, text);
  return out;
}

/// The value as it is written, a string with its quotes.
std::string_view written(const JsonView& value) {
  return value.is_string() ? std::string_view(value.raw.data() - 1, value.raw.size() + 2)
                           : value.raw;
}

Container members_of(std::string_view text, const JsonView& object) {
  const auto at = [text](const char* place) {
    return static_cast<std::size_t>(place - text.data());
  };
  const std::string_view whole = written(object);
  Container container{{at(whole.data()), at(whole.data() + whole.size())}, {}};
  each_member(object, [&](std::string_view key, const JsonView& value) {
    const std::string_view part = written(value);
    container.parts.push_back({key, value, {at(key.data() - 1), at(part.data() + part.size())}});
  });
  return container;
}

/// The settings as far as servers are concerned.
struct Servers {
  Container root;
  std::optional<std::size_t> list_at;  // in root
  Container list;
  std::optional<std::size_t> server_at;  // in list
};

Result<std::optional<std::size_t>> find_once(const Container& container, std::string_view name) {
  std::optional<std::size_t> found;
  for (std::size_t at = 0; at < container.parts.size(); ++at) {
    if (!key_is(container.parts[at].key, name)) {
      continue;
    }
    if (found) {
      return refusal("`" + std::string(name) + "` is there twice");
    }
    found = at;
  }
  return found;
}

Result<Servers> read_servers(std::string_view text, const McpServer& server) {
  TRY_ASSIGN(const JsonView root, settings_root(text, kBounds));
  Servers servers;
  servers.root = members_of(text, root);
  TRY_ASSIGN(servers.list_at, find_once(servers.root, server.list));
  if (servers.list_at) {
    const JsonView& list = servers.root.parts[*servers.list_at].value;
    if (!list.is_object()) {
      return refusal("`" + server.list + "` is no object");
    }
    servers.list = members_of(text, list);
    TRY_ASSIGN(servers.server_at, find_once(servers.list, server.name));
  }
  return servers;
}

/// What stands before a part, back to the bracket or comma.
std::string lead_of(std::string_view text, const Container& container, std::size_t at) {
  const std::size_t end = container.parts[at].span.begin;
  const std::size_t before = at == 0 ? container.span.begin + 1 : container.parts[at - 1].span.end;
  std::string lead(text.substr(before, end - before));
  lead.erase(0, lead.find(',') == std::string::npos ? 0 : lead.find(',') + 1);
  return lead;
}

/// One step of indent, as the file's first member has it; none where all is on one line.
std::string unit_of(std::string_view text, const Container& root) {
  if (root.parts.empty()) {
    return "  ";
  }
  const std::string lead = lead_of(text, root, 0);
  const std::size_t line = lead.rfind('\n');
  return line == std::string::npos ? std::string() : lead.substr(line + 1);
}

std::string arguments_text(const McpServer& server) {
  std::string arguments = "[";
  for (const std::string& argument : server.arguments) {
    arguments.append(arguments.size() == 1 ? "" : ", ").append(quoted(argument));
  }
  return arguments + "]";
}

std::string value_text(const McpServer& server, const std::string& lead, const std::string& unit) {
  const std::string inner = lead.find('\n') == std::string::npos ? std::string(" ") : lead + unit;
  const std::string close = lead.find('\n') == std::string::npos ? std::string(" ") : lead;
  return "{" + inner + "\"type\": \"stdio\"," + inner + "\"command\": " + quoted(server.command) +
         "," + inner + "\"args\": " + arguments_text(server) + close + "}";
}

std::string entry_text(const McpServer& server, const std::string& lead, const std::string& unit) {
  return quoted(server.name) + ": " + value_text(server, lead, unit);
}

/// The list with our server alone, behind `lead`.
std::string list_text(const McpServer& server, const std::string& lead, const std::string& unit) {
  const bool lines = lead.find('\n') != std::string::npos;
  const std::string inner = lines ? lead + unit : std::string(" ");
  return quoted(server.list) + ": {" + inner + entry_text(server, inner, unit) +
         (lines ? lead : std::string(" ")) + "}";
}

/// Behind the container's last part; an empty one that was there is filled right behind its
/// bracket, by which without_server() knows it again.
std::string appended(std::string_view text,
                     const Container& container,
                     const std::string& usual_lead,
                     const auto& make) {
  const std::string before(text);
  if (container.parts.empty()) {
    const std::size_t at = container.span.begin + 1;
    return before.substr(0, at) + make(usual_lead) + before.substr(at);
  }
  const std::size_t at = container.parts.back().span.end;
  const std::string lead = lead_of(text, container, container.parts.size() - 1);
  return before.substr(0, at) + "," + lead + make(lead) + before.substr(at);
}

bool was_there_before(const Container& container) {
  return container.parts.front().span.begin == container.span.begin + 1;
}

/// The cut that takes part `at` out of a container that keeps others.
Span cut_among(const Container& container, std::size_t at) {
  const auto& parts = container.parts;
  return at > 0 ? Span{parts[at - 1].span.end, parts[at].span.end}
                : Span{parts[at].span.begin, parts[at + 1].span.begin};
}

Span cut_for(const Servers& servers, std::size_t size) {
  if (servers.list.parts.size() > 1) {
    return cut_among(servers.list, *servers.server_at);
  }
  if (was_there_before(servers.list)) {
    return servers.list.parts.front().span;
  }
  if (servers.root.parts.size() > 1) {
    return cut_among(servers.root, *servers.list_at);
  }
  return was_there_before(servers.root) ? servers.root.parts.front().span : Span{0, size};
}

bool is_of_server(std::string_view key) {
  return key_is(key, "type") || key_is(key, "command") || key_is(key, "args");
}

/// Everything that is not ours, as it is written.
std::string everything_else(const Servers& servers) {
  std::string out;
  for (std::size_t at = 0; at < servers.root.parts.size(); ++at) {
    const Part& part = servers.root.parts[at];
    if (at != servers.list_at) {
      out.append(part.key).append(":").append(written(part.value)).append("\n");
    }
  }
  for (std::size_t at = 0; at < servers.list.parts.size(); ++at) {
    const Part& part = servers.list.parts[at];
    if (at != servers.server_at) {
      out.append(">").append(part.key).append(":").append(written(part.value)).append("\n");
    }
  }
  return out;
}

/// What somebody else has put into the entry, where it is an object.
std::string rest_of_entry(const Servers& servers) {
  std::string out;
  if (servers.server_at) {
    each_member(servers.list.parts[*servers.server_at].value,
                [&out](std::string_view key, const JsonView& value) {
                  if (!is_of_server(key)) {
                    out.append(key).append(":").append(written(value)).append("\n");
                  }
                });
  }
  return out;
}

/// A failure here is a bug of ours, and better found than written.
Result<void> prove_same(std::string_view before, std::string_view after, const McpServer& server) {
  TRY_ASSIGN(const Servers first, read_servers(before, server));
  TRY_ASSIGN(const Servers second, read_servers(after, server));
  const bool stays = second.server_at.has_value();
  if (everything_else(first) != everything_else(second) ||
      (stays && rest_of_entry(first) != rest_of_entry(second))) {
    return Error{ErrorKind::damaged,
                 "editing the settings: the edit would have changed something else",
                 "",
                 "Nothing was changed; add the server by hand."};
  }
  return {};
}

struct Split {
  std::string_view mark;
  std::string_view text;
};

Split split_mark(std::string_view text) {
  return text.starts_with(kBom) ? Split{kBom, text.substr(kBom.size())} : Split{{}, text};
}

std::vector<std::string> arguments_in(const JsonView& entry) {
  std::vector<std::string> arguments;
  each_element(member(entry, "args"),
               [&](const JsonView& one) { arguments.push_back(decoded(one.raw)); });
  return arguments;
}

/// Without a type it is a local command for every client.
bool is_local(const JsonView& entry) {
  const JsonView type = member(entry, "type");
  return type.kind == JsonKind::none || member_text(entry, "type") == "stdio";
}

/// Whatever its layout, and whatever else somebody has put into it.
bool says(const JsonView& entry, const McpServer& server) {
  return is_local(entry) && member_text(entry, "command") == server.command &&
         arguments_in(entry) == server.arguments;
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// The text with that member of the entry as `value`; the same if it says so already.
Result<std::string> with_member(std::string text,
                                const McpServer& server,
                                std::string_view name,
                                const std::string& value) {
  TRY_ASSIGN(const Servers servers, read_servers(text, server));
  const Container entry = members_of(text, servers.list.parts[*servers.server_at].value);
  TRY_ASSIGN(const auto at, find_once(entry, name));
  if (!at) {
    const std::string unit = unit_of(text, servers.root);
    const std::string outer = lead_of(text, servers.list, *servers.server_at);
    const bool lines = outer.find('\n') != std::string::npos;
    return appended(text, entry, lines ? outer + unit : std::string(" "), [&](const std::string&) {
      return quoted(name) + ": " + value;
    });
  }
  const std::string_view old = written(entry.parts[*at].value);
  text.replace(static_cast<std::size_t>(old.data() - text.data()), old.size(), value);
  return text;
}

/// An entry that is an object, brought to this command.
Result<std::string> adjusted(std::string text, const McpServer& server, const JsonView& entry) {
  const bool was_local = is_local(entry);
  const bool same_command = member_text(entry, "command") == server.command;
  const bool same_arguments = arguments_in(entry) == server.arguments;
  if (!was_local) {
    TRY_ASSIGN(text, with_member(std::move(text), server, "type", "\"stdio\""));
  }
  if (!same_command) {
    TRY_ASSIGN(text, with_member(std::move(text), server, "command", quoted(server.command)));
  }
  if (!same_arguments) {
    TRY_ASSIGN(text, with_member(std::move(text), server, "args", arguments_text(server)));
  }
  return text;
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

Result<std::optional<McpEntry>> entry_in(std::string_view settings, const McpServer& server) {
  const std::string_view text = split_mark(settings).text;
  if (is_blank(text)) {
    return std::optional<McpEntry>();
  }
  TRY_ASSIGN(const Servers servers, read_servers(text, server));
  if (!servers.server_at) {
    return std::optional<McpEntry>();
  }
  const JsonView& value = servers.list.parts[*servers.server_at].value;
  McpEntry entry;
  const std::string command = member_text(value, "command");
  if (is_local(value) && !command.empty()) {
    entry.is_ours = file_name(command) == file_name(server.command);
    entry.words = arguments_in(value);
    entry.words.insert(entry.words.begin(), command);
  }
  return std::optional(std::move(entry));
}

Result<std::string> with_server(std::string_view settings, const McpServer& server) {
  const auto [mark, text] = split_mark(settings);
  if (is_blank(text)) {
    return std::string(mark) + "{\n  " + list_text(server, "\n  ", "  ") + "\n}\n";
  }
  TRY_ASSIGN(const Servers servers, read_servers(text, server));
  const std::string unit = unit_of(text, servers.root);
  const std::string lead = unit.empty() ? std::string(" ") : "\n" + unit;
  std::string after;
  if (!servers.list_at) {
    after = appended(text, servers.root, lead, [&](const std::string& at) {
      return list_text(server, at, unit);
    });
  } else if (servers.server_at && says(servers.list.parts[*servers.server_at].value, server)) {
    return std::string(settings);
  } else if (servers.server_at && servers.list.parts[*servers.server_at].value.is_object()) {
    TRY_ASSIGN(after,
               adjusted(std::string(text), server, servers.list.parts[*servers.server_at].value));
  } else if (servers.server_at) {
    const std::string_view old = written(servers.list.parts[*servers.server_at].value);
    const auto begin = static_cast<std::size_t>(old.data() - text.data());
    after = std::string(text.substr(0, begin)) +
            value_text(server, lead_of(text, servers.list, *servers.server_at), unit) +
            std::string(text.substr(begin + old.size()));
  } else {
    const std::string inner = unit.empty() ? lead : lead + unit;
    after = appended(text, servers.list, inner, [&](const std::string& at) {
      return entry_text(server, at, unit);
    });
  }
  TRY(prove_same(text, after, server));
  return std::string(mark) + after;
}

Result<std::string> without_server(std::string_view settings, const McpServer& server) {
  const auto [mark, original] = split_mark(settings);
  if (is_blank(original)) {
    return std::string(settings);
  }
  TRY_ASSIGN(const Servers servers, read_servers(original, server));
  if (!servers.server_at) {
    return std::string(settings);
  }
  const Span cut = cut_for(servers, original.size());
  if (cut.end - cut.begin == original.size()) {
    return std::string(mark);
  }
  std::string text(original);
  text.erase(cut.begin, cut.end - cut.begin);
  TRY(prove_same(original, text, server));
  return std::string(mark) + text;
}

}  // namespace daybook::harness
