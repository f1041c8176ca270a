// SPDX-License-Identifier: MIT
#include "state/workspace_record.hpp"

#include <nlohmann/json.hpp>

namespace daybook::state {
namespace {

using Json = nlohmann::ordered_json;

std::string text_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

std::string to_json(const WorkspaceRecord& record) {
  const Json object{{"workspace", record.workspace},
                    {"workspace_sha256", record.workspace_sha256},
                    {"schema", record.schema},
                    {"program_version", record.program_version},
                    {"device", record.device}};
  return object.dump(2, ' ', false, Json::error_handler_t::replace).append("\n");
}

std::optional<WorkspaceRecord> read_workspace_record(std::string_view json) {
  const Json object = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) {
    return std::nullopt;
  }
  const auto schema = object.find("schema");
  if (schema == object.end() || !schema->is_number_integer()) {
    return std::nullopt;
  }
  return WorkspaceRecord{text_at(object, "workspace"),
                         text_at(object, "workspace_sha256"),
                         schema->get<std::int64_t>(),
                         text_at(object, "program_version"),
                         text_at(object, "device")};
}

}  // namespace daybook::state
