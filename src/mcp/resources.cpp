// SPDX-License-Identifier: MIT
#include "mcp/resources.hpp"

#include "daybook/base/file_stream.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/projection/memory_md.hpp"
#include "daybook/service/session_remains.hpp"
#include "daybook/service/session_view.hpp"
#include "mcp/arguments.hpp"
#include "mcp/session_access.hpp"

#include <charconv>
#include <filesystem>
#include <vector>

namespace daybook::mcp {
namespace {

using lineage::Kind;

constexpr std::string_view kSessions = "daybook://sessions/";
constexpr std::string_view kMarkdown = "text/markdown";
constexpr std::size_t kPageOfSessions = 50;
constexpr std::size_t kMostText = std::size_t{1} << 20U;
constexpr std::size_t kMostUri = 1000;

RpcError invalid(std::string message) { return {rpc::kInvalidParams, std::move(message), nullptr}; }

RpcError not_there(const std::string& uri) {
  return {rpc::kResourceNotFound,
          "Resource not found. resources/list names those that there are",
          Json::object({{"uri", base::printable(uri.substr(0, kMostUri))}})};
}

RpcError failed(const Error& error) {
  return {rpc::kInternalError, base::printable(error.in_words()), nullptr};
}

/// A place in the list of sessions: behind that one.
struct Cursor {
  lineage::Timestamp time;
  lineage::SessionToken token;
};

std::string to_text(const Cursor& cursor) {
  return "s1." + std::to_string(cursor.time.ms) + "." + cursor.token.to_string();
}

std::optional<Cursor> cursor_from(std::string_view text) {
  if (!text.starts_with("s1.")) {
    return std::nullopt;
  }
  text.remove_prefix(3);
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos) {
    return std::nullopt;
  }
  Cursor cursor;
  const std::string_view digits = text.substr(0, dot);
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), cursor.time.ms);
  const auto token = lineage::SessionToken::parse(text.substr(dot + 1));
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || !token) {
    return std::nullopt;
  }
  cursor.token = *token;
  return cursor;
}

Json entry(std::string uri, std::string name, std::string title, std::string description) {
  return Json::object({{"uri", std::move(uri)},
                       {"name", std::move(name)},
                       {"title", std::move(title)},
                       {"description", std::move(description)},
                       {"mimeType", kMarkdown}});
}

void append_session(const index::SessionRow& session, Json& list) {
  const std::string token = session.token.to_string();
  const std::string uri = std::string(kSessions) + token;
  const std::string when = lineage::to_string(session.membership);
  const auto has = [&session](Kind kind) { return session.file(kind) != 0; };
  if (has(Kind::summary) || has(Kind::compaction)) {
    list.push_back(entry(uri, token, "Session of " + when, base::printable(session.sentence)));
  }
  if (has(Kind::transcript)) {
    list.push_back(entry(uri + "/transcript",
                         token + "-transcript",
                         "Transcript of " + when,
                         "What was said in that session"));
  }
  if (has(Kind::manifest)) {
    list.push_back(entry(uri + "/manifest",
                         token + "-manifest",
                         "Manifest of " + when,
                         "Which notes that session has"));
  }
}

/// One page behind the cursor; where the next one begins, if there is more.
Result<std::optional<Cursor>> append_page(index::Reader& reader,
                                          service::KnownRemovals& removals,
                                          const std::string& agent,
                                          const std::optional<Cursor>& behind,
                                          Json& list) {
  index::SessionFilter filter;
  filter.agent = agent;
  filter.paths = index::Paths::not_wanted;
  if (behind) {
    filter.until = behind->time;
  }
  std::vector<index::SessionRow> page;
  bool more = false;
  const auto take = [&](const index::SessionRow& session) {
    const bool told = behind && session.membership == behind->time &&
                      session.token.to_string() <= behind->token.to_string();
    if (told) {
      return store::Visit::next;
    }
    more = page.size() == kPageOfSessions;
    if (!more) {
      page.push_back(session);
    }
    return more ? store::Visit::stop : store::Visit::next;
  };
  TRY(service::sessions_that_remain(reader, removals, filter, take));
  std::optional<Cursor> next;
  if (more) {
    next = Cursor{page.back().membership, page.back().token};
  }
  for (const index::SessionRow& session : page) {
    append_session(session, list);
  }
  return next;
}

Json contents(const std::string& uri, std::string text) {
  Json list = Json::array();
  list.push_back(Json::object({{"uri", uri}, {"mimeType", kMarkdown}, {"text", std::move(text)}}));
  return Json::object({{"contents", std::move(list)}});
}

/// The beginning of a file, cut between characters, and whether there is more of it.
struct Beginning {
  std::string text;
  bool is_cut = false;
};

Result<Beginning> read_beginning(const Memory& memory, const std::string& path) {
  Beginning read;
  const auto all = base::stream_file(
      memory.disk(), memory.workspace(), path, [&read](std::string_view piece) -> Result<void> {
        read.text.append(piece.substr(0, kMostText - read.text.size() + 1));
        read.is_cut = read.text.size() > kMostText;
        return read.is_cut ? Result<void>(Error{}) : Result<void>();  // it is enough
      });
  if (!all && !read.is_cut) {
    return all.error();
  }
  if (read.is_cut) {
    std::size_t end = kMostText;
    while (end > 0 && (static_cast<unsigned char>(read.text[end]) & 0xC0U) == 0x80U) {
      --end;
    }
    read.text.resize(end);
  }
  return read;
}

Reply read_memory_md(const Memory& memory) {
  auto read = read_beginning(memory, projection::projection_path(memory.agent()));
  if (!read) {
    return read.error().kind == ErrorKind::not_found ? not_there(kMemoryUri) : failed(read.error());
  }
  std::string text = base::printable_lines(read->text);
  if (read->is_cut) {
    text.append("\n\n[cut: the file goes on behind the first MiB]\n");
  }
  return contents(kMemoryUri, std::move(text));
}

/// What stands behind the address of a session: its main note, or one of a kind.
struct Address {
  std::string token;
  std::optional<Kind> kind;
};

std::optional<Address> address_from(std::string_view uri) {
  if (!uri.starts_with(kSessions)) {
    return std::nullopt;
  }
  uri.remove_prefix(kSessions.size());
  const std::size_t slash = uri.find('/');
  Address address{std::string(uri.substr(0, slash)), std::nullopt};
  if (!lineage::SessionToken::parse(address.token)) {
    return std::nullopt;
  }
  if (slash == std::string_view::npos) {
    return address;
  }
  const std::string_view kind = uri.substr(slash + 1);
  if (kind != "transcript" && kind != "manifest") {
    return std::nullopt;
  }
  address.kind = kind == "manifest" ? Kind::manifest : Kind::transcript;
  return address;
}

const service::FileView* file_of(const service::SessionView& view, const Address& address) {
  if (address.kind) {
    return view.newest(*address.kind);
  }
  const auto* summary = view.newest(Kind::summary);
  return summary != nullptr ? summary : view.newest(Kind::compaction);
}

Result<std::string> text_of(const Memory& memory, const Address& address) {
  TRY_ASSIGN(const auto folder, memory.folder());
  TRY_ASSIGN(auto reader, memory.reader(folder));
  auto removals = memory.removals(folder, reader);
  TRY_ASSIGN(const auto session, find_session(memory, folder, reader, removals, address.token));
  TRY_ASSIGN(const auto view, service::view_session(reader, folder, removals, session));
  const service::FileView* const file = file_of(view, address);
  if (file == nullptr) {
    return Error{ErrorKind::not_found, "the session has no such note", {}, {}};
  }
  TRY_ASSIGN(auto part, read_part(memory, *file, 0, kMostText));
  if (part.is_withheld) {
    return Error{ErrorKind::damaged,
                 "the note is " + part.state + ", so its text is withheld",
                 file->row.path(),
                 "'daybook check' says what is wrong with it."};
  }
  memory.record_use(folder, state::TelemetryEvent::opened, {{session.token, session.agent_id}});
  if (part.next != 0) {
    part.text.append("\n\n[cut: ").append(std::to_string(part.size - part.next));
    part.text.append(" bytes more; the tool memory_get goes on at offset ");
    part.text.append(std::to_string(part.next)).append("]\n");
  }
  return std::move(part.text);
}

}  // namespace

std::string memory_md_path(const Memory& memory) {
  return memory.workspace() + "/" + projection::projection_path(memory.agent());
}

Reply list_resources(const Memory& memory, const Json& params, Revision revision) {
  const Json* const given = given_cursor(params);
  std::optional<Cursor> cursor;
  if (given != nullptr) {
    cursor = given->text() == nullptr ? std::nullopt : cursor_from(*given->text());
    if (!cursor) {
      return invalid("`cursor` is none that resources/list has given; leave it out to begin");
    }
  }
  Json list = Json::array();
  std::error_code none;
  if (!cursor && std::filesystem::is_regular_file(memory_md_path(memory), none)) {
    list.push_back(entry(kMemoryUri,
                         "MEMORY.md",
                         "MEMORY.md",
                         "What this agent should know at the beginning of its work"));
  }
  Json result = Json::object({{"resources", Json::array()}});
  const auto folder = memory.folder();
  auto reader = folder ? memory.reader(*folder) : Result<index::Reader>(folder.error());
  if (reader) {
    auto removals = memory.removals(*folder, *reader);
    const auto next = append_page(*reader, removals, memory.agent(), cursor, list);
    if (!next) {
      return failed(next.error());
    }
    if (*next) {
      result["nextCursor"] = to_text(**next);
    }
  } else if (reader.error().kind != ErrorKind::not_found) {
    return failed(reader.error());
  }
  if (!knows_structure(revision)) {
    Json::Array older;
    for (const Json& one : *list.elements()) {
      older.push_back(Json::object({{"uri", *one.find("uri")},
                                    {"name", *one.find("title")},
                                    {"description", *one.find("description")},
                                    {"mimeType", kMarkdown}}));
    }
    list = Json::array(std::move(older));
  }
  result["resources"] = std::move(list);
  return result;
}

Reply list_resource_templates(const Json& params) {
  if (given_cursor(params) != nullptr) {
    return invalid("`cursor` is none that was given: there is one page");
  }
  const auto one = [](std::string_view uri, const char* name, const char* description) {
    return Json::object({{"uriTemplate", uri},
                         {"name", name},
                         {"description", description},
                         {"mimeType", kMarkdown}});
  };
  Json list = Json::array();
  list.push_back(
      one(kResourceTemplates[0], "session", "The summary of a session, else its compaction"));
  list.push_back(one(kResourceTemplates[1], "session-transcript", "What was said in a session"));
  list.push_back(one(kResourceTemplates[2], "session-manifest", "Which notes a session has"));
  return Json::object({{"resourceTemplates", std::move(list)}});
}

Reply read_resource(const Memory& memory, const Json& params) {
  const Json* const given = params.find("uri");
  if (given == nullptr || given->text() == nullptr) {
    return invalid("resources/read needs the `uri` of a resource as a text");
  }
  const std::string& uri = *given->text();
  if (uri == kMemoryUri) {
    return read_memory_md(memory);
  }
  const auto address = address_from(uri);
  if (!address) {
    return not_there(uri);
  }
  auto text = text_of(memory, *address);
  if (!text) {
    return text.error().kind == ErrorKind::not_found || text.error().kind == ErrorKind::usage
               ? not_there(uri)
               : failed(text.error());
  }
  return contents(uri, std::move(*text));
}

}  // namespace daybook::mcp
