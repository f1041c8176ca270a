// SPDX-License-Identifier: MIT
#include "mcp/memory.hpp"

#include "daybook/service/freshness.hpp"
#include "daybook/service/use_record.hpp"
#include "daybook/service/workspace_config.hpp"

#include <sys/stat.h>
#include <utility>

namespace daybook::mcp {
namespace {

Error not_indexed(std::string what) {
  return {ErrorKind::not_found,
          std::move(what),
          {},
          "Ask the user to run 'daybook reindex' once; memory_status tells when it is done."};
}

bool is_there(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0;
}

}  // namespace

Result<state::StateFolder> Memory::folder() const {
  const auto create = may_write() ? state::Create::never : state::Create::look_only;
  auto folder = state::StateFolder::open(place_.state_path, place_.workspace, create);
  const bool is_missing = !folder && folder.error().kind == ErrorKind::not_found;
  // Whoever opens state.db where there is none makes it.
  if (is_missing || (folder && !may_write() && !is_there(folder->file("state.db")))) {
    return not_indexed("this vault was never indexed, so there is nothing to look at yet");
  }
  return folder;
}

Result<index::Reader> Memory::reader(const state::StateFolder& folder) const {
  auto reader = index::Reader::open(folder.file(index::kIndexFile));
  if (!reader && reader.error().kind == ErrorKind::not_found) {
    return not_indexed("this vault has no index, so there is nothing to look at yet");
  }
  return reader;
}

Result<parse::Config> Memory::config() const {
  return service::load_config(disk_, place_.workspace);
}

bool is_about_config(const Error& error) {
  // The line may stand behind it.
  return error.kind == ErrorKind::usage && error.path.starts_with(parse::kConfigFile);
}

Result<bool> Memory::looks_fresh(const state::StateFolder& folder) const {
  TRY_ASSIGN(const auto found, service::look_at_freshness(disk_, folder));
  return found.fresh();
}

void Memory::record_use(const state::StateFolder& folder,
                        state::TelemetryEvent event,
                        const std::vector<state::TelemetrySubject>& sessions) const {
  if (may_write()) {
    static_cast<void>(service::record_use(folder, event, sessions, now()));
  }
}

void put_freshness(Json& answer,
                   std::optional<bool> fresh,
                   lineage::Timestamp last_sweep,
                   std::uint64_t generation) {
  answer["fresh"] = fresh ? Json(*fresh) : Json(nullptr);
  answer["last_sweep"] = last_sweep.ms == 0 ? Json(nullptr) : Json(lineage::to_string(last_sweep));
  answer["generation"] = generation;
}

}  // namespace daybook::mcp
