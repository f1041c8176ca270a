// SPDX-License-Identifier: MIT
#include "daybook/index/writer.hpp"

#include "daybook/index/text_months.hpp"
#include "index/file_columns.hpp"
#include "index/link_columns.hpp"
#include "index/writer_statements.hpp"

#include <utility>

namespace daybook::index {

using store::Statement;

Writer::Writer(std::unique_ptr<Statements> statements) : statements_(std::move(statements)) {}
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;
Writer::~Writer() = default;

Result<Writer> Writer::make(store::Database& db) {
  // Both, because SQLite takes a savepoint before each OR REPLACE.
  TRY_ASSIGN(auto add_file, db.prepare(std::string("INSERT").append(kPutFile)));
  TRY_ASSIGN(auto replace_file, db.prepare(std::string("INSERT OR REPLACE").append(kPutFile)));
  TRY_ASSIGN(auto erase_file, db.prepare("DELETE FROM file WHERE id = ?"));
  TRY_ASSIGN(auto erase_links, db.prepare("DELETE FROM link WHERE id BETWEEN ? AND ?"));
  TRY_ASSIGN(auto erase_diagnostics, db.prepare("DELETE FROM diagnostic WHERE file = ?"));
  TRY_ASSIGN(auto put_run, db.prepare("INSERT INTO run VALUES(?,?,?,?,?,?,?)"));
  TRY_ASSIGN(auto erase_run, db.prepare("DELETE FROM run WHERE file = ?"));
  TRY_ASSIGN(auto put_learning,
             db.prepare("INSERT INTO learning VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"));
  TRY_ASSIGN(auto erase_learning, db.prepare("DELETE FROM learning WHERE file = ?"));
  TRY_ASSIGN(auto put_link,
             db.prepare("INSERT INTO link(id, line, origin, form, target_shared, target_rest,"
                        " target_mark, resolved) VALUES(?,?,?,?,?,?,?,?)"));
  TRY_ASSIGN(auto put_diagnostic,
             db.prepare("INSERT INTO diagnostic(file, path, agent, code, severity, line, message)"
                        " VALUES(?,?,?,?,?,?,?)"));
  TRY_ASSIGN(auto find_word, db.prepare("SELECT id FROM word WHERE text = ?"));
  TRY_ASSIGN(auto put_word, db.prepare("INSERT INTO word(text) VALUES(?)"));
  TRY_ASSIGN(auto files_of_session, db.prepare(std::string(kSelectFiles) + " WHERE session = ?"));
  TRY_ASSIGN(auto put_session,
             db.prepare("INSERT INTO session(token, agent, session_id, session_key,"
                        " project, harness, membership, started_at, source, changed,"
                        " summary, transcript, compaction, manifest)"
                        " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
                        " ON CONFLICT(token) DO NOTHING"));
  TRY_ASSIGN(auto erase_session, db.prepare("DELETE FROM session WHERE token = ?"));
  return Writer(std::unique_ptr<Statements>(new Statements{db,
                                                           std::move(add_file),
                                                           std::move(replace_file),
                                                           std::move(erase_file),
                                                           std::move(erase_links),
                                                           std::move(erase_diagnostics),
                                                           std::move(put_run),
                                                           std::move(erase_run),
                                                           std::move(put_learning),
                                                           std::move(erase_learning),
                                                           std::move(put_link),
                                                           std::move(put_diagnostic),
                                                           std::move(find_word),
                                                           std::move(put_word),
                                                           std::move(files_of_session),
                                                           std::move(put_session),
                                                           std::move(erase_session),
                                                           {}}));
}

Result<std::int64_t> Writer::word(std::string_view value) {
  constexpr std::size_t kMostRemembered = 50'000;
  Statements& s = *statements_;
  if (const auto known = s.words.find(value); known != s.words.end()) {
    return known->second;
  }
  TRY_ASSIGN(auto id, s.find_word.integer(value));
  if (!id) {
    TRY(s.put_word.run(value));
    id = s.database.last_insert_id();
  }
  if (s.words.size() < kMostRemembered) {
    s.words.emplace(value, *id);
  }
  return *id;
}

Result<std::optional<std::int64_t>> Writer::word_or_null(std::string_view value) {
  if (value.empty()) {
    return std::optional<std::int64_t>();
  }
  TRY_ASSIGN(const std::int64_t id, word(value));
  return std::optional(id);
}

Result<void> Writer::erase_links(std::int64_t file) {
  return statements_->erase_links.run(first_link(file), first_link(file + 1) - 1);
}

Result<void> Writer::put_links(std::int64_t file,
                               std::string_view path,
                               const std::vector<LinkRow>& links) {
  if (links.size() > kMostLinksOfFile) {
    return Error{ErrorKind::usage, "the file has more links than the index can hold", {}, {}};
  }
  std::int64_t number = 0;
  for (const LinkRow& link : links) {
    const SharedPath target = shared_path(link.target, path);
    TRY(statements_->put_link.run(first_link(file) + ++number,
                                  link.line,
                                  link.origin,
                                  link.form,
                                  target.shared,
                                  target.rest,
                                  target_mark(link.target),
                                  // A link that leads where it says needs that said once.
                                  link.resolved == link.target ? &kSame : text(link.resolved)));
  }
  return {};
}

Result<void> Writer::put_diagnostics(std::int64_t file,
                                     std::string_view agent_id,
                                     std::span<const lineage::Diagnostic> diagnostics) {
  TRY(statements_->erase_diagnostics.run(file));
  return add_diagnostics(file, agent_id, diagnostics);
}

Result<void> Writer::add_diagnostics(std::int64_t file,
                                     std::string_view agent_id,
                                     std::span<const lineage::Diagnostic> diagnostics) {
  if (diagnostics.empty()) {
    return {};
  }
  TRY_ASSIGN(const auto agent,
             word_or_null(lineage::is_valid_agent_id(agent_id) ? agent_id : std::string_view()));
  for (const lineage::Diagnostic& found : diagnostics) {
    const lineage::CodeInfo& info = lineage::info(found.code);
    TRY(statements_->put_diagnostic.run(
        file, nullptr, agent, info.name, info.severity, found.line, found.sentence()));
  }
  return {};
}

Result<void> Writer::put_other_diagnostics(
    std::span<const std::pair<std::string, lineage::Diagnostic>> diagnostics) {
  TRY(statements_->database.execute("DELETE FROM diagnostic WHERE file IS NULL"));
  for (const auto& [path, found] : diagnostics) {
    const lineage::CodeInfo& info = lineage::info(found.code);
    TRY(statements_->put_diagnostic.run(
        nullptr, path, nullptr, info.name, info.severity, found.line, found.sentence()));
  }
  return {};
}

Result<void> Writer::mark_month(std::int64_t month) {
  return TextMonths(statements_->database).mark(month);
}

Result<void> drop_unused_words(store::Database& database) {
  return database.execute(
      "DELETE FROM word WHERE id NOT IN (SELECT folder FROM file"
      " UNION SELECT agent FROM file WHERE agent IS NOT NULL"
      " UNION SELECT project FROM file WHERE project IS NOT NULL"
      " UNION SELECT harness FROM file WHERE harness IS NOT NULL"
      " UNION SELECT sentence_version FROM file WHERE sentence_version IS NOT NULL"
      " UNION SELECT agent FROM learning"
      " UNION SELECT agent FROM session"
      " UNION SELECT project FROM session WHERE project IS NOT NULL"
      " UNION SELECT harness FROM session WHERE harness IS NOT NULL"
      " UNION SELECT agent FROM diagnostic WHERE agent IS NOT NULL)");
}

}  // namespace daybook::index
