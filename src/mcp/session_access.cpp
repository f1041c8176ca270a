// SPDX-License-Identifier: MIT
#include "mcp/session_access.hpp"

#include "daybook/base/printable.hpp"
#include "daybook/service/note_text.hpp"
#include "daybook/service/session_lookup.hpp"

#include <algorithm>

namespace daybook::mcp {
namespace {

constexpr std::size_t kMostListed = 10;

Error unknown(const std::string& text) {
  return {ErrorKind::not_found,
          "there is no session or note " + base::printable(base::quoted(text)) +
              " in this agent's memory",
          {},
          "Take a session_token or path from recall or memory_search, as it stands there."};
}

Error ambiguous(const std::string& text, const std::vector<index::SessionRow>& found) {
  std::string hint = "Name one by its token:";
  for (std::size_t i = 0; i < std::min(found.size(), kMostListed); ++i) {
    hint.append(i == 0 ? " " : ", ").append(found[i].token.to_string()).append(" (");
    hint.append(lineage::to_string(found[i].membership)).append(")");
  }
  hint.append(found.size() > kMostListed ? " and more." : ".");
  return {
      ErrorKind::usage,
      base::printable(base::quoted(text)) + " means " + std::to_string(found.size()) + " sessions",
      {},
      std::move(hint)};
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::size_t character_end(std::string_view text, std::size_t at) {
  while (at < text.size() && continues_character(text[at])) {
    ++at;
  }
  return at;
}

}  // namespace

Result<index::SessionRow> find_session(const Memory& memory,
                                       const state::StateFolder& folder,
                                       index::Reader& reader,
                                       service::KnownRemovals& removals,
                                       const std::string& text) {
  TRY_ASSIGN(auto lookup,
             service::look_up_session(
                 reader, folder, removals, text, memory.agent(), service::Naming::exact));
  if (lookup.found.size() == 1) {
    return std::move(lookup.found.front());
  }
  if (lookup.found.size() > 1) {
    return ambiguous(text, lookup.found);
  }
  if (lookup.removed) {
    return Error{ErrorKind::not_found,
                 "the session " + lookup.removed->token.to_string() + " was removed",
                 {},
                 "It was removed on purpose: do not write it again."};
  }
  return unknown(text);
}

Result<NotePart> read_part(const Memory& memory,
                           const service::FileView& file,
                           std::size_t offset,
                           std::size_t most) {
  TRY_ASSIGN(auto notes, service::NoteReader::open(memory.disk(), memory.workspace()));
  auto read = notes.read(file.row);
  if (!read) {
    return Error{read.error().kind,
                 read.error().message,
                 file.row.path(),
                 "The file is gone or cannot be read; memory_status tells whether the index is "
                 "fresh."};
  }
  NotePart part;
  part.file = &file;
  const bool is_valid = file.row.status == index::FileStatus::valid;
  const bool is_same = read->state == service::NoteState::as_indexed;
  part.state = is_valid && !is_same ? "changed since it was indexed"
                                    : std::string(index::to_string(file.row.status));
  part.is_withheld = !is_valid || !is_same;
  if (part.is_withheld) {
    return part;
  }
  const std::string_view body = read->body;
  part.size = body.size();
  if (offset > body.size()) {
    return Error{ErrorKind::usage,
                 "`offset` is " + std::to_string(offset) + ", but the text has " +
                     std::to_string(body.size()) + " bytes",
                 file.row.path(),
                 "Begin at 0, and go on with next_offset."};
  }
  part.offset = character_end(body, offset);
  std::size_t end = std::min(body.size(), part.offset + most);
  while (end > part.offset && end < body.size() && continues_character(body[end])) {
    --end;
  }
  if (end == part.offset) {  // not one character fits: it is shown all the same
    end = character_end(body, std::min(body.size(), part.offset + 1));
  }
  part.text = base::printable_lines(body.substr(part.offset, end - part.offset));
  part.next = end < body.size() ? end : 0;
  return part;
}

Json session_json(const index::SessionRow& session) {
  return Json::object({{"session_token", session.token.to_string()},
                       {"agent_id", session.agent_id},
                       {"session_id", text_or_null(session.session_id)},
                       {"session_key", text_or_null(session.session_key)},
                       {"project", text_or_null(session.project)},
                       {"harness", text_or_null(session.harness)},
                       {"membership_ts", lineage::to_string(session.membership)},
                       {"started_at", time_or_null(session.started_at)},
                       {"memory_sentence", session.sentence},
                       {"changed_since_sealed", session.changed_since_sealed}});
}

}  // namespace daybook::mcp
