// SPDX-License-Identifier: MIT
//
// A statement that is prepared when first needed and kept, for those that run once a file.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/store/database.hpp"

#include <optional>
#include <string>

namespace daybook::state {

class KeptStatement {
 public:
  explicit KeptStatement(const char* sql) : sql_(sql) {}

  Result<store::Statement*> in(store::Database& database) {
    if (!statement_) {
      TRY_ASSIGN(statement_, database.prepare(sql_));
    }
    return &*statement_;
  }

 private:
  std::string sql_;
  std::optional<store::Statement> statement_;
};

}  // namespace daybook::state
