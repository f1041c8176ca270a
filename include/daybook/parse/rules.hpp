// SPDX-License-Identifier: MIT
//
// Frontmatter + file name -> a record and every diagnostic that this one file yields by itself:
// fields, types, times, agent, token, name. What needs the body (checksum, sentence) or another
// file (links, lineage) is asked later. Pure; any thread.
#pragma once

#include "daybook/lineage/artifact.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/lineage/diagnostic.hpp"
#include "daybook/parse/frontmatter.hpp"

#include <string_view>
#include <variant>
#include <vector>

namespace daybook::parse {

/// monostate: the file is not what its name says, so there is nothing to go on with.
using Record =
    std::variant<std::monostate, lineage::Artifact, lineage::Manifest, lineage::Tombstone>;

/// For a file whose name claims a kind (`name.kind` is set).
Record read_record(const Frontmatter& fields,
                   const lineage::NameReading& name,
                   std::vector<lineage::Diagnostic>& diagnostics);

/// agent_id as written, whatever the kind; empty if there is none.
std::string_view agent_id_of(const Frontmatter& fields);

/// The tokens of the session that the frontmatter speaks of, in both forms; none if it speaks of no
/// session. Whatever the file's name says, this is whose text it holds.
std::vector<lineage::SessionToken> session_tokens_of(const Frontmatter& fields);

/// `content_sha256` against the body, `memory_sentence` against the gate.
void check_body(const lineage::Artifact& artifact,
                const base::Digest& body_hash,
                std::string_view session_text,
                std::vector<lineage::Diagnostic>& diagnostics);

}  // namespace daybook::parse
