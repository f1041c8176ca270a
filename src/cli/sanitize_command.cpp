// SPDX-License-Identifier: MIT
//
// `daybook sanitize < IN > OUT`: what capture does to a transcript, for a person to see. The text
// is the answer and goes to stdout as it comes; what was found goes to stderr. Needs no workspace.
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "daybook/base/disk.hpp"
#include "daybook/base/json.hpp"
#include "daybook/redact/literals.hpp"
#include "daybook/redact/sanitizer.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <unistd.h>

namespace daybook::cli {
namespace {

using base::Json;

struct Options {
  bool keep_pii = false;
  bool check = false;
  std::string literals;
};

constexpr std::size_t kPiece = 256 * 1024;

Result<redact::Policy> policy_of(const Options& options) {
  redact::Policy policy;
  policy.pii = options.keep_pii ? redact::Pii::kept : redact::Pii::redacted;
  if (!options.literals.empty()) {
    TRY_ASSIGN(policy.literals, redact::read_literals(base::real_disk(), options.literals));
  }
  return policy;
}

Error not_written() {
  return base::system_error("the sanitised text could not be written", "standard output", errno);
}

/// Piece by piece, so that the size of the text costs no memory.
Result<void> stream(redact::Sanitizer& sanitizer, bool write) {
  const auto piece = std::make_unique<std::array<char, kPiece>>();
  std::string out;
  const auto pass_on = [&]() -> Result<void> {
    if (write && std::fwrite(out.data(), 1, out.size(), stdout) != out.size()) {
      return not_written();
    }
    out.clear();
    return {};
  };
  while (true) {
    const ssize_t size = ::read(STDIN_FILENO, piece->data(), piece->size());
    if (size < 0 && errno == EINTR) {
      continue;
    }
    if (size < 0) {
      return base::system_error("the text could not be read", "standard input", errno);
    }
    if (size == 0) {
      break;
    }
    sanitizer.feed({piece->data(), static_cast<std::size_t>(size)}, out);
    TRY(pass_on());
  }
  sanitizer.finish(out);
  TRY(pass_on());
  if (std::fflush(stdout) != 0) {
    return not_written();
  }
  return {};
}

Json to_json(const redact::Report& report) {
  Json shapes = Json::object({});
  for (const auto& [shape, count] : report.by_shape) {
    shapes[shape] = count;
  }
  Json findings = Json::array();
  for (const redact::Finding& finding : report.findings) {
    findings.push_back(Json::object({{"line", finding.line}, {"shape", finding.shape}}));
  }
  return Json::object({{"sanitizer_version", redact::kSanitizerVersion},
                       {"secrets", report.secrets},
                       {"pii", report.pii},
                       {"replaced_bytes", report.replaced_bytes},
                       {"removed_bytes", report.removed_bytes},
                       {"by_shape", shapes},
                       {"findings", findings}});
}

std::string summary_of(const redact::Report& report) {
  std::string text = counted(report.secrets, "secret") + " and " + counted(report.pii, "piece") +
                     " of personal data found";
  if (report.replaced_bytes > 0) {
    text += "; " + counted(report.replaced_bytes, "byte") + " of invalid UTF-8 replaced";
  }
  if (report.removed_bytes > 0) {
    text += "; " + counted(report.removed_bytes, "byte") + " of control characters removed";
  }
  return text + ".\n";
}

void tell(const redact::Report& report, const Settings& settings) {
  if (settings.json) {
    print(stderr, to_json(report).pretty() + "\n");
    return;
  }
  std::string text;
  for (const redact::Finding& finding : report.findings) {
    text.append("line ")
        .append(std::to_string(finding.line))
        .append(": ")
        .append(finding.shape)
        .append("\n");
  }
  const std::uint64_t found = report.secrets + report.pii;
  if (found > report.findings.size()) {
    text.append("and ").append(grouped(found - report.findings.size())).append(" more\n");
  }
  print(stderr, settings.loudness == Loudness::quiet ? text : text + summary_of(report));
}

int run_sanitize(const Options& options, const Settings& settings) {
  const auto policy = policy_of(options);
  if (!policy) {
    return fail(policy.error(), settings);
  }
  redact::Sanitizer sanitizer(*policy);
  if (const auto streamed = stream(sanitizer, !options.check); !streamed) {
    return fail(streamed.error(), settings);
  }
  const redact::Report& report = sanitizer.report();
  tell(report, settings);
  return options.check && report.secrets + report.pii > 0 ? kProblemsFound : kDone;
}

}  // namespace

void add_sanitize(const Command& program, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command = program.add("sanitize",
                                      "Take secrets and personal data out of a text",
                                      ": from stdin to stdout, with what was found on stderr.");
  command.flag("--keep-pii", options->keep_pii, "Leave personal data; secrets go all the same");
  command.option(
      "--literals", "FILE", options->literals, "Texts that go wherever they stand, one a line");
  command.flag("--check", options->check, "Write no text; exit 1 if something was found");
  command.when_given([&run, options] {
    run = [options](const Settings& settings) { return run_sanitize(*options, settings); };
  });
}

}  // namespace daybook::cli
