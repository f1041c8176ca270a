// SPDX-License-Identifier: MIT
#include "mcp/tools.hpp"

#include "daybook/base/log.hpp"
#include "daybook/base/nearest.hpp"
#include "daybook/base/printable.hpp"
#include "mcp/all_tools.hpp"
#include "mcp/arguments.hpp"
#include "mcp/schema.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace daybook::mcp {
namespace {

enum class Retry : std::uint8_t { useless, worthwhile };

std::string_view code_of(const Error& error) {
  if (is_about_config(error)) {
    return "configuration";
  }
  switch (error.kind) {
    case ErrorKind::usage:
      return "bad-argument";
    case ErrorKind::busy:
      return "busy";
    case ErrorKind::not_found:
    case ErrorKind::no_workspace:
      return "not-found";
    case ErrorKind::damaged:
      return "damaged";
    default:
      return "failed";
  }
}

std::string with_capital(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') {
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  }
  return text;
}

Json failure(std::string_view code, std::string text, Retry retry) {
  const bool retryable = retry == Retry::worthwhile;
  Json content = Json::array();
  content.push_back(Json::object({{"type", "text"}, {"text", std::move(text)}}));
  return Json::object(
      {{"content", std::move(content)},
       {"isError", true},
       {"_meta",
        Json::object(
            {{"daybook/error", Json::object({{"code", code}, {"retryable", retryable}})}})}});
}

Json failure(const Error& error) {
  std::string text = with_capital(base::printable(error.message));
  if (!error.path.empty()) {
    text.append(" (").append(base::printable(error.path)).append(")");
  }
  text.append(".");
  if (!error.hint.empty()) {
    text.append(" ").append(base::printable_lines(error.hint));
  }
  const bool is_busy = error.kind == ErrorKind::busy;
  return failure(code_of(error), std::move(text), is_busy ? Retry::worthwhile : Retry::useless);
}

bool is_listed(const Tool& tool, const Memory& memory) {
  return tool.effect == Effect::reads || memory.may_write();
}

const Tool* find_tool(std::string_view name) {
  const auto& tools = all_tools();
  const auto found = std::find_if(
      tools.begin(), tools.end(), [name](const Tool& tool) { return tool.name == name; });
  return found == tools.end() ? nullptr : &*found;
}

RpcError unknown_tool(const std::string& name, const Memory& memory) {
  std::vector<std::string> known;
  for (const Tool& tool : all_tools()) {
    if (is_listed(tool, memory)) {
      known.push_back(tool.name);
    }
  }
  constexpr std::size_t kLongestName = 100;
  const std::string meant = name.size() > kLongestName ? "" : base::nearest(name, known);
  return {rpc::kInvalidParams,
          "Unknown tool: " + base::printable(base::quoted(name, kLongestName)) +
              (meant.empty() ? "" : "; did you mean " + meant + "?"),
          nullptr};
}

/// With every string as a person may see it. Names of members are ours.
Json shown(const Json& value) {
  if (const std::string* text = value.text()) {
    return base::printable_lines(*text);
  }
  if (const Json::Array* elements = value.elements()) {
    Json::Array list;
    list.reserve(elements->size());
    for (const Json& element : *elements) {
      list.push_back(shown(element));
    }
    return Json::array(std::move(list));
  }
  if (const Json::Object* members = value.members()) {
    Json object = Json::object();
    for (const Json::Member& member : *members) {
      object[member.name] = shown(member.value);
    }
    return object;
  }
  return value;
}

Json success(ToolAnswer& answer, Revision revision) {
  Json content = Json::array();
  content.push_back(Json::object({{"type", "text"}, {"text", base::printable_lines(answer.text)}}));
  Json result = Json::object({{"content", std::move(content)}});
  if (knows_structure(revision)) {
    result["structuredContent"] = shown(answer.structured);
  }
  result["isError"] = false;
  return result;
}

}  // namespace

const std::vector<Tool>& all_tools() {
  static const std::vector<Tool> tools{recall_tool(),
                                       memory_search_tool(),
                                       memory_context_tool(),
                                       memory_get_tool(),
                                       remember_tool(),
                                       learn_procedure_tool(),
                                       record_episode_tool(),
                                       list_memories_tool(),
                                       memory_forget_tool(),
                                       memory_status_tool()};
  return tools;
}

Json list_tools(const Memory& memory, Revision revision) {
  Json tools = Json::array();
  for (const Tool& tool : all_tools()) {
    if (is_listed(tool, memory)) {
      tools.push_back(tool_json(tool, revision));
    }
  }
  return Json::object({{"tools", std::move(tools)}});
}

Called call_tool(const Workshop& workshop, const Json& params, Request& request) {
  const Json* const name = params.find("name");
  if (name == nullptr || name->text() == nullptr) {
    return {
        RpcError{rpc::kInvalidParams, "tools/call needs the `name` of a tool as a text", nullptr}};
  }
  const Tool* const tool = find_tool(*name->text());
  if (tool == nullptr) {
    return {unknown_tool(*name->text(), workshop.memory)};
  }
  if (!is_listed(*tool, workshop.memory)) {
    return {failure("read-only",
                    "This server is read-only: " + tool->name +
                        " is refused and nothing was changed. Tell the user, who can start the "
                        "server without --read-only.",
                    Retry::useless)};
  }
  const Json* const given = params.find("arguments");
  const Json arguments =
      given == nullptr || given->is_null() ? Json::object() : meant_arguments(*given, tool->input);
  if (const std::string faults = faults_of(arguments, tool->input); !faults.empty()) {
    return {
        failure("bad-argument", faults + " Mend the arguments and call again.", Retry::useless)};
  }
  const base::Stopwatch watch;
  auto answer = tool->work({workshop.memory, arguments, request, workshop.outlet, workshop.passes});
  base::log(base::LogLevel::debug, {"mcp", tool->name, {}, watch.seconds()});
  if (request.is_cancelled()) {
    return {std::nullopt};
  }
  if (!answer) {
    return {failure(answer.error())};
  }
  return {success(*answer, workshop.revision), std::move(answer->afterwards)};
}

}  // namespace daybook::mcp
