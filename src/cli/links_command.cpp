// SPDX-License-Identifier: MIT
#include "cli/answer.hpp"
#include "cli/command.hpp"
#include "cli/reading.hpp"
#include "cli/session_json.hpp"
#include "cli/terminal.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/projection/memory_md.hpp"
#include "daybook/service/links.hpp"

#include <filesystem>
#include <memory>
#include <set>

namespace daybook::cli {
namespace {

namespace fs = std::filesystem;
using index::FoundLink;
using service::LinksOfNote;

struct Options {
  std::string path;
  bool explain = false;
};

/// The notes that are asked about, or the exit code of a failure that was told.
struct Notes {
  std::vector<std::string> paths;
  int exit_code = kDone;
};

/// As typed, from the workspace's root; else from the current folder, where that is inside it.
std::vector<std::string> candidates(const std::string& argument, const std::string& workspace) {
  std::vector<std::string> paths{fs::path(argument).lexically_normal().generic_string()};
  std::error_code trouble;
  const fs::path absolute = fs::absolute(argument, trouble).lexically_normal();
  const fs::path folder = fs::weakly_canonical(absolute.parent_path(), trouble);
  const fs::path below = (folder / absolute.filename()).lexically_relative(workspace);
  if (!below.empty() && *below.begin() != "..") {
    paths.push_back(below.generic_string());
  }
  return paths;
}

bool is_of_agent(const index::FileRow& row, const std::string& agent) {
  return agent.empty() || row.fields.agent_id == agent ||
         (row.fields.agent_id.empty() && agent == projection::kDefaultAgent);
}

/// A note of the index, or a path that some link names; nothing: neither.
Result<std::optional<std::string>> known_path(Reading& reading, const std::string& argument) {
  for (const std::string& path : candidates(argument, reading.vault.workspace)) {
    TRY_ASSIGN(const auto row, reading.reader.file_at(path));
    if (row && !is_of_agent(*row, reading.agent)) {
      return Error{ErrorKind::usage,
                   "the note does not belong to the agent '" + reading.agent + "'",
                   path,
                   "Leave out --agent, or name the agent that it belongs to."};
    }
    TRY_ASSIGN(const auto backlinks, reading.reader.links_to(path));
    if (row || !backlinks.empty()) {
      return std::optional(path);
    }
  }
  return std::optional<std::string>();
}

Notes notes_meant(Reading& reading, const Options& options, const Settings& settings) {
  const auto known = known_path(reading, options.path);
  if (!known) {
    return {{}, fail(known.error(), settings)};
  }
  if (*known) {
    return {{**known}, kDone};
  }
  std::error_code trouble;
  for (const std::string& path : candidates(options.path, reading.vault.workspace)) {
    if (!path.starts_with("..") && !path.starts_with("/") &&
        fs::exists(fs::symlink_status(fs::path(reading.vault.workspace) / path, trouble))) {
      return {{path}, kDone};
    }
  }
  auto removals = reading.removals();
  const SessionArgument argument = session_argument(reading, removals, options.path, settings);
  if (!argument.session) {
    return {{}, argument.exit_code};
  }
  Notes notes;
  for (const std::string& path : argument.session->paths) {
    if (!path.empty()) {
      notes.paths.push_back(path);
    }
  }
  return notes;
}

std::string_view origin_name(index::LinkOrigin origin) {
  switch (origin) {
    case index::LinkOrigin::wikilink:
      return "wikilink";
    case index::LinkOrigin::embed:
      return "embed";
    case index::LinkOrigin::field:
      break;
  }
  return "field";
}

Json to_json(const FoundLink& link, const service::LinkExplainer* explainer) {
  Json object = Json::object({{"path", link.source},
                              {"line", link.link.line},
                              {"origin", origin_name(link.link.origin)},
                              {"target", link.link.target},
                              {"resolved", text_or_null(link.link.resolved)}});
  if (explainer != nullptr) {
    object["explanation"] = explainer->explain(link);
  }
  return object;
}

void print_as_json(const std::vector<LinksOfNote>& notes,
                   const service::LinkExplainer* explainer,
                   const Reading& reading) {
  Json list = Json::array();
  for (const LinksOfNote& note : notes) {
    Json links = Json::array();
    for (const FoundLink& link : note.links) {
      links.push_back(to_json(link, explainer));
    }
    Json backlinks = Json::array();
    for (const FoundLink& link : note.backlinks) {
      backlinks.push_back(to_json(link, nullptr));
    }
    list.push_back(Json::object({{"path", note.path}, {"links", links}, {"backlinks", backlinks}}));
  }
  print_json(
      Json::object({{"last_sweep", lineage::to_string(reading.last_sweep())}, {"notes", list}}));
}

void append_link(std::string& text,
                 const FoundLink& link,
                 const service::LinkExplainer* explainer,
                 const Palette& colors) {
  text.append("  ").append(std::to_string(link.link.line)).append("  ");
  text.append(base::printable(link.link.target)).append("  ");
  if (link.link.form == lineage::LinkForm::self) {
    text.append("(the note itself)\n");
  } else if (link.link.resolved.empty()) {
    text.append(colors.red).append("leads nowhere").append(colors.reset).append("\n");
  } else if (link.link.resolved == link.link.target) {
    text.append("found\n");
  } else {
    text.append("-> ").append(base::printable(link.link.resolved)).append("\n");
  }
  if (explainer != nullptr) {
    for (const std::string& step : explainer->explain(link)) {
      text.append("       ").append(colors.dim).append(base::printable(step));
      text.append(colors.reset).append("\n");
    }
  }
}

void print_human(const std::vector<LinksOfNote>& notes,
                 const service::LinkExplainer* explainer,
                 const Settings& settings) {
  const Palette colors = palette_for(stdout, settings.color);
  std::string text;
  for (const LinksOfNote& note : notes) {
    text.append(colors.bold).append(base::printable(note.path)).append(colors.reset).append("\n");
    for (const FoundLink& link : note.links) {
      append_link(text, link, explainer, colors);
    }
    if (note.links.empty()) {
      text.append("  no links\n");
    }
    for (const FoundLink& link : note.backlinks) {
      text.append("  from ").append(base::printable(link.source)).append(":");
      text.append(std::to_string(link.link.line)).append("\n");
    }
    if (note.backlinks.empty()) {
      text.append("  nothing links here\n");
    }
  }
  print(stdout, text);
}

Result<std::vector<LinksOfNote>> links_of_all(Reading& reading, const Notes& notes) {
  std::vector<LinksOfNote> found;
  found.reserve(notes.paths.size());
  for (const std::string& path : notes.paths) {
    TRY_ASSIGN(auto links, service::links_of(reading.reader, path, reading.agent));
    found.push_back(std::move(links));
  }
  return found;
}

int run_links(const Options& options, const Settings& settings) {
  auto reading = open_for_reading(settings);
  if (!reading) {
    return fail(reading.error(), settings);
  }
  const Notes notes = notes_meant(*reading, options, settings);
  if (notes.paths.empty()) {
    return notes.exit_code;
  }
  const auto found = links_of_all(*reading, notes);
  if (!found) {
    return fail(found.error(), settings);
  }
  std::optional<service::LinkExplainer> explainer;
  if (options.explain) {
    auto made = service::LinkExplainer::make(base::real_disk(), reading->vault.workspace);
    if (!made) {
      return fail(made.error(), settings);
    }
    explainer.emplace(std::move(made).value());
  }
  const service::LinkExplainer* explaining = explainer ? &*explainer : nullptr;
  settings.json ? print_as_json(*found, explaining, *reading)
                : print_human(*found, explaining, settings);
  return kDone;
}

}  // namespace

void add_links(const Command& program, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command = program.add("links",
                                      "List the links of a note and the links to it",
                                      ", with the line and where each leads.");
  command.argument(
      "PATH", options->path, "A note, or a session as 'daybook show' takes it", Need::required);
  command.flag("--explain", options->explain, "Say step by step why a link leads where it does");
  command.when_given([&run, options] {
    run = [options](const Settings& settings) { return run_links(*options, settings); };
  });
}

}  // namespace daybook::cli
