// SPDX-License-Identifier: MIT
//
// A session to be removed, another one beside it that stays, and whether the first is gone.
#pragma once

#include "support/indexed_vault.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace daybook::support {

inline const char* const kSecret = "xenolithword";
inline const char* const kSentence =
    "Stored the xenolithword of the harbour gate in src/gate/secret.cpp of tidewater, and then "
    "rotated it at once.";

inline SessionFiles secret_session() {
  SessionFiles session("default", "secret", "2026-03-20T10:00:00.000Z");
  for (const lineage::Kind kind : {lineage::Kind::summary, lineage::Kind::transcript}) {
    session.file(kind).fields.set_text("memory_sentence", kSentence);
    session.file(kind).fields.set_text("memory_sentence_version",
                                       "v1-" + std::string(kSecret) + "-version");
    session.file(kind).body = "# The gate\n\nThe " + std::string(kSecret) + " of the " +
                              std::string(to_string(kind)) +
                              " is told here, in a body that is long enough to be named.\n";
  }
  session.set_everywhere("project", "\"/home/dev/" + std::string(kSecret) + "-project\"");
  session.set_everywhere("harness", "\"" + std::string(kSecret) + "-harness\"");
  return session;
}

inline SessionFiles other_session() { return {"default", "other", "2026-03-21T10:00:00.000Z"}; }

/// Nothing of it is to be seen.
inline void check_gone(IndexedVault& vault) {
  CHECK(vault.search(kSecret).empty());
  CHECK_THAT(vault.memory_md(), !Catch::Contains(kSecret));
  CHECK_THAT(vault.memory_md(), !Catch::Contains("session=secret"));
  CHECK_THAT(vault.memory_md(), Catch::Contains("session=other"));
  CHECK_THAT(vault.rows(), !Catch::Contains(kSecret));
  CHECK(vault.state_files_with(kSecret).empty());
}

}  // namespace daybook::support
