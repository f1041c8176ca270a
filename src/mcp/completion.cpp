// SPDX-License-Identifier: MIT
#include "mcp/completion.hpp"

#include "daybook/base/printable.hpp"
#include "daybook/service/session_remains.hpp"
#include "mcp/prompts.hpp"
#include "mcp/resources.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace daybook::mcp {
namespace {

constexpr std::size_t kMostCompletions = 100;

RpcError invalid(std::string message) { return {rpc::kInvalidParams, std::move(message), nullptr}; }

Reply complete_token(const Memory& memory, const std::string& beginning) {
  std::vector<std::string> values;
  std::uint64_t total = 0;
  const auto folder = memory.folder();
  auto reader = folder ? memory.reader(*folder) : Result<index::Reader>(folder.error());
  if (reader) {
    index::SessionFilter filter;
    filter.agent = memory.agent();
    filter.paths = index::Paths::not_wanted;
    auto removals = memory.removals(*folder, *reader);
    const auto take = [&](const index::SessionRow& session) {
      const std::string token = session.token.to_string();
      if (token.starts_with(beginning) && ++total <= kMostCompletions) {
        values.push_back(token);
      }
      return store::Visit::next;
    };
    const auto read = service::sessions_that_remain(*reader, removals, filter, take);
    if (!read) {
      return RpcError{rpc::kInternalError, base::printable(read.error().in_words()), nullptr};
    }
  }
  return Json::object(
      {{"completion",
        Json::object({{"values", values}, {"total", total}, {"hasMore", total > values.size()}})}});
}

}  // namespace

Reply complete_argument(const Memory& memory, const Json& params) {
  const Json* const argument = params.find("argument");
  const Json* const reference = params.find("ref");
  if (argument == nullptr || reference == nullptr || argument->find("value") == nullptr ||
      argument->find("value")->text() == nullptr) {
    return invalid("completion/complete needs `ref` and `argument` with `name` and `value`");
  }
  const std::string type = reference->text_at("type");
  if (type == "ref/prompt") {
    return complete_prompt(reference->text_at("name"), argument->text_at("name"));
  }
  const std::string uri = reference->text_at("uri");
  const bool is_template = std::find(kResourceTemplates.begin(), kResourceTemplates.end(), uri) !=
                           kResourceTemplates.end();
  if (type != "ref/resource" || !is_template) {
    return invalid("`ref` names no prompt and none of resources/templates/list");
  }
  if (argument->text_at("name") != "token") {
    return invalid("the only argument of " + uri + " is `token`");
  }
  return complete_token(memory, argument->text_at("value"));
}

}  // namespace daybook::mcp
