// SPDX-License-Identifier: MIT
#include "house/layers.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <map>
#include <optional>
#include <regex>
#include <sstream>

namespace daybook::house {
namespace {

struct Vendor {
  std::string_view header_prefix;
  std::string_view name;  // as in HIDES
};

constexpr std::array kVendors{
    Vendor{"catch2/", "catch2"},
    Vendor{"CLI/", "cli11"},
    Vendor{"cmark-gfm", "cmark-gfm"},
    Vendor{"efsw/", "efsw"},
    Vendor{"fmt/", "fmt"},
    Vendor{"httplib.h", "httplib"},
    Vendor{"nlohmann/", "nlohmann_json"},
    Vendor{"openssl/", "openssl"},
    Vendor{"rapidcheck", "rapidcheck"},
    Vendor{"re2/", "re2"},
    Vendor{"spdlog/", "spdlog"},
    Vendor{"sqlite3.h", "sqlite3"},
    Vendor{"SQLiteCpp/", "sqlitecpp"},
    Vendor{"utf8proc.h", "utf8proc"},
    Vendor{"yaml-cpp/", "yaml-cpp"},
};

// Each is wrapped by one file, so that replacing the vendor means replacing that file.
constexpr std::array<std::string_view, 2> kSoleUser{"cmark-gfm", "efsw"};

struct User {
  std::string_view vendor;
  std::string_view path;
};

// Those whose headers take seconds to compile, and who may include them: all others go through
// src/cli/command.hpp and include/daybook/base/json.hpp.
constexpr std::array<std::string_view, 3> kSlow{"cli11", "httplib", "nlohmann_json"};
constexpr std::array kUsersOfSlow{
    User{"cli11", "src/cli/app.cpp"},
    User{"cli11", "src/cli/command.cpp"},
    User{"httplib", "src/model/http_post.cpp"},
    User{"nlohmann_json", "src/base/json_text.cpp"},
    User{"nlohmann_json", "src/capture/spool_json.cpp"},
    User{"nlohmann_json", "src/cli/capture_input.cpp"},
    User{"nlohmann_json", "src/cli/service_health.cpp"},
    User{"nlohmann_json", "src/learn/export.cpp"},
    User{"nlohmann_json", "src/learn/import_record.cpp"},
    User{"nlohmann_json", "src/learn/judgement.cpp"},
    User{"nlohmann_json", "src/model/chat.cpp"},
    User{"nlohmann_json", "src/model/embedding_json.cpp"},
    User{"nlohmann_json", "src/state/workspace_record.cpp"},
};

// Who may ask and tell SQLite anything; all others ask these by functions with names.
constexpr std::array<std::string_view, 3> kKeepersOfTables{"index", "state", "store"};
constexpr std::array<std::string_view, 5> kWordsOfSql{
    "SELECT ", "INSERT ", "UPDATE ", "DELETE FROM ", "WHERE "};

struct Include {
  int line = 0;
  bool quoted = false;
  std::string target;
};

using Report = std::function<void(const Include&, const std::string& rule)>;

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream{std::string{text}};
  for (std::string part; std::getline(stream, part, separator);) {
    parts.push_back(part);
  }
  return parts;
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<Include> includes_of(std::string_view text) {
  static const std::regex kDirective{R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"])re"};
  std::vector<Include> includes;
  int line = 0;
  for (const std::string& content : split(text, '\n')) {
    ++line;
    std::smatch match;
    if (std::regex_search(content, match, kDirective)) {
      includes.push_back({line, match[1] == "\"", match[2]});
    }
  }
  return includes;
}

struct Literal {
  int line = 0;  // where it begins
  std::string_view text;
};

std::size_t behind(std::string_view text, std::size_t at, std::string_view end) {
  const std::size_t found = text.find(end, at);
  return found == std::string_view::npos ? text.size() : found + end.size();
}

std::size_t behind_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != quote && text[end] != '\n') {
    end += text[end] == '\\' ? std::size_t{2} : std::size_t{1};
  }
  return std::min(end + 1, text.size());
}

bool begins_raw_string(std::string_view rest) { return rest.starts_with("R\""); }

// Behind the comment, literal, word or sign that begins there. A word is taken whole, and a number
// with what separates its digits: no quote in them begins anything.
std::size_t behind_token(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//")) {
    return behind(text, at, "\n");
  }
  if (rest.starts_with("/*")) {
    return behind(text, at + 2, "*/");
  }
  if (begins_raw_string(rest)) {
    const std::string delimiter{rest.substr(2, rest.find('(') - 2)};
    return behind(text, at, ")" + delimiter + "\"");
  }
  if (rest.front() == '"' || rest.front() == '\'') {
    return behind_quoted(text, at);
  }
  const auto is_of_word = [](char sign) {
    return std::isalnum(static_cast<unsigned char>(sign)) != 0 || sign == '_' || sign == '\'';
  };
  const auto end = std::find_if_not(rest.begin() + 1, rest.end(), is_of_word);
  return is_of_word(rest.front()) ? at + static_cast<std::size_t>(end - rest.begin()) : at + 1;
}

std::vector<Literal> literals_of(std::string_view text) {
  std::vector<Literal> literals;
  int line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = behind_token(text, at);
    const std::string_view token = text.substr(at, end - at);
    if (token.front() == '"' || begins_raw_string(token)) {
      literals.push_back({line, token});
    }
    line += static_cast<int>(std::count(token.begin(), token.end(), '\n'));
    at = end;
  }
  return literals;
}

// Where SQL begins in a literal, npos if it has none.
std::size_t begin_of_sql(std::string_view literal) {
  std::size_t first = std::string_view::npos;
  for (const std::string_view word : kWordsOfSql) {
    for (std::size_t at = literal.find(word); at < first; at = literal.find(word, at + 1)) {
      if (std::isalpha(static_cast<unsigned char>(literal[at - 1])) == 0) {  // behind a quote
        first = at;
      }
    }
  }
  return first;
}

std::optional<std::string> vendor_of(std::string_view header) {
  for (const Vendor& vendor : kVendors) {
    if (header.starts_with(vendor.header_prefix)) {
      return std::string{vendor.name};
    }
  }
  return std::nullopt;
}

const Stage* find_stage(const std::vector<Stage>& stages, std::string_view name) {
  const auto found =
      std::find_if(stages.begin(), stages.end(), [&](const Stage& s) { return s.name == name; });
  return found == stages.end() ? nullptr : &*found;
}

// The folder that a source lies in: include/daybook/<stage>/… or src/<stage>/….
std::string stage_name_of(std::string_view path) {
  const auto parts = split(path, '/');
  const std::size_t depth = path.starts_with("include/") ? 2 : 1;
  return parts.size() > depth + 1 ? parts[depth] : std::string{};
}

void check_public_include(const Stage& stage, const Include& include, const Report& report) {
  if (include.target == "daybook/version.hpp") {
    return;
  }
  const auto parts = split(include.target, '/');
  const std::string other = parts.size() > 2 ? parts[1] : std::string{};
  if (other != stage.name && !contains(stage.uses, other)) {
    report(include, "stage " + stage.name + " does not USE stage " + other);
  }
}

void check_private_include(const std::vector<Stage>& stages,
                           const Stage& stage,
                           const SourceFile& file,
                           const Include& include,
                           const Report& report) {
  const auto parts = split(include.target, '/');
  if (contains(parts, "..")) {
    report(include, "an include names its file from the root, never through ..");
  } else if (file.path.starts_with("include/")) {
    report(include, "a public header may not include a private one");
  } else if (parts.size() > 1 && parts.front() != stage.name && find_stage(stages, parts.front())) {
    report(include, "headers in src/" + parts.front() + " are private to that stage");
  }
}

void check_vendor_include(const Stage& stage,
                          const SourceFile& file,
                          const std::string& vendor,
                          const Include& include,
                          const Report& report) {
  if (!file.path.ends_with(".cpp")) {
    report(include, "vendor " + vendor + " may be included by a .cpp file only");
  } else if (!contains(stage.hides, vendor)) {
    report(include, "stage " + stage.name + " does not HIDE vendor " + vendor);
  }
}

}  // namespace

std::vector<Stage> parse_stages(std::string_view cmake_text) {
  static const std::regex kComment{"#[^\n]*"};
  static const std::regex kDeclaration{R"(daybook_stage\s*\(([^)]*)\))"};
  const std::string text = std::regex_replace(std::string{cmake_text}, kComment, "");

  std::vector<Stage> stages;
  for (std::sregex_iterator it{text.begin(), text.end(), kDeclaration}, end; it != end; ++it) {
    std::istringstream words{(*it)[1]};
    Stage stage;
    words >> stage.name;
    std::string keyword;
    for (std::string word; words >> word;) {
      if (word == "SOURCES" || word == "USES" || word == "HIDES") {
        keyword = word;
      } else if (keyword == "USES") {
        stage.uses.push_back(word);
      } else if (keyword == "HIDES") {
        stage.hides.push_back(word);
      }
    }
    stages.push_back(std::move(stage));
  }
  return stages;
}

std::vector<Violation> check_order(const std::vector<Stage>& stages) {
  std::vector<Violation> violations;
  std::vector<std::string> declared;
  for (const Stage& stage : stages) {
    for (const std::string& used : stage.uses) {
      if (!contains(declared, used)) {
        violations.push_back(
            {"src/CMakeLists.txt",
             0,
             "stage " + stage.name + " USES " + used + ", not declared before it"});
      }
    }
    declared.push_back(stage.name);
  }
  return violations;
}

std::vector<Violation> check_includes(const std::vector<Stage>& stages, const SourceFile& file) {
  std::vector<Violation> violations;
  const std::string name = stage_name_of(file.path);
  const Stage* stage = find_stage(stages, name);
  if (stage == nullptr) {
    violations.push_back({file.path, 1, "no daybook_stage() declares the folder '" + name + "'"});
    return violations;
  }

  const Report report = [&](const Include& include, const std::string& rule) {
    violations.push_back({file.path, include.line, include.target + ": " + rule});
  };
  for (const Include& include : includes_of(file.text)) {
    if (const auto vendor = vendor_of(include.target)) {
      check_vendor_include(*stage, file, *vendor, include, report);
    } else if (include.target.starts_with("daybook/")) {
      check_public_include(*stage, include, report);
    } else if (include.quoted) {
      check_private_include(stages, *stage, file, include, report);
    }
  }
  return violations;
}

std::vector<Violation> check_sole_users(const std::vector<SourceFile>& files) {
  std::vector<Violation> violations;
  std::map<std::string, std::string> user_of;
  for (const SourceFile& file : files) {
    for (const Include& include : includes_of(file.text)) {
      const auto vendor = vendor_of(include.target);
      if (!vendor || std::find(kSoleUser.begin(), kSoleUser.end(), *vendor) == kSoleUser.end()) {
        continue;
      }
      const std::string& user = user_of.emplace(*vendor, file.path).first->second;
      if (user != file.path) {
        violations.push_back({file.path,
                              include.line,
                              include.target + ": " + user + " is the one file that may know it"});
      }
    }
  }
  return violations;
}

std::vector<Violation> check_slow_vendors(const SourceFile& file) {
  std::vector<Violation> violations;
  for (const Include& include : includes_of(file.text)) {
    const auto vendor = vendor_of(include.target);
    if (!vendor || std::find(kSlow.begin(), kSlow.end(), *vendor) == kSlow.end()) {
      continue;
    }
    const bool may = std::any_of(kUsersOfSlow.begin(), kUsersOfSlow.end(), [&](const User& user) {
      return user.vendor == *vendor && user.path == file.path;
    });
    if (!may) {
      violations.push_back({file.path,
                            include.line,
                            include.target + ": " + *vendor +
                                " takes seconds to compile, and is behind a header of ours"});
    }
  }
  return violations;
}

std::vector<Violation> check_sql(const SourceFile& file) {
  std::vector<Violation> violations;
  const std::string stage = stage_name_of(file.path);
  if (std::find(kKeepersOfTables.begin(), kKeepersOfTables.end(), stage) !=
      kKeepersOfTables.end()) {
    return violations;
  }
  for (const Literal& literal : literals_of(file.text)) {
    const std::size_t begin = begin_of_sql(literal.text);
    if (begin != std::string_view::npos) {
      const auto before = literal.text.substr(0, begin);
      const auto lines = std::count(before.begin(), before.end(), '\n');
      violations.push_back({file.path,
                            literal.line + static_cast<int>(lines),
                            "stage " + stage + " keeps no tables, and may hold no SQL"});
    }
  }
  return violations;
}

std::string to_text(const std::vector<Violation>& violations) {
  std::string text;
  for (const Violation& violation : violations) {
    text += violation.path + ":" + std::to_string(violation.line) + ": " + violation.rule + "\n";
  }
  return text;
}

}  // namespace daybook::house
