// SPDX-License-Identifier: MIT
#include "mcp/tool.hpp"

namespace daybook::mcp {

Json tool_json(const Tool& tool, Revision revision) {
  Json json = Json::object({{"name", tool.name}});
  if (knows_structure(revision)) {
    json["title"] = tool.title;
  }
  json["description"] = tool.description;
  json["inputSchema"] = tool.input;
  if (knows_structure(revision)) {
    json["outputSchema"] = tool.output;
  }
  if (knows_annotations(revision)) {
    json["annotations"] = Json::object({{"title", tool.title},
                                        {"readOnlyHint", tool.effect == Effect::reads},
                                        {"destructiveHint", tool.effect == Effect::destroys},
                                        {"idempotentHint", tool.idempotent},
                                        {"openWorldHint", false}});
  }
  return json;
}

}  // namespace daybook::mcp
