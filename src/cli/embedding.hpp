// SPDX-License-Identifier: MIT
//
// The vectors as 'daybook reindex' makes them: in the foreground, with a progress bar, stopped by
// Ctrl-C; and what 'daybook status' says of them. What fails is told on stderr and fails no
// command, since words alone find most things.
#pragma once

#include "cli/answer.hpp"
#include "cli/settings.hpp"
#include "cli/vault.hpp"
#include "daybook/service/embedding.hpp"
#include "daybook/service/status.hpp"

#include <chrono>
#include <string>

namespace daybook::cli {

struct Embedding {
  bool wanted = false;  ///< a model is configured, and no service does it
  service::EmbedReport report;
  std::string error;          ///< was told already
  bool needs_person = false;  ///< a setting is wrong, or the model is another one
  bool interrupted = false;
};

Embedding embed(const Vault& vault,
                service::Reembed what,
                std::chrono::milliseconds wait,
                const Settings& settings);

Json to_json(const service::EmbeddingStatus& status);
/// One line, of a model that is configured.
std::string in_words(const service::EmbeddingStatus& status);

Json to_json(const Embedding& embedding);
/// Nothing when there was nothing to do.
void print_human(const Embedding& embedding);

}  // namespace daybook::cli
