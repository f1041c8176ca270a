// SPDX-License-Identifier: MIT
//
// The vectors of an index and the settings -> what status and doctor say of them. Asks no endpoint.
// What cannot be learnt is left as it is. One thread.
#pragma once

#include "daybook/lineage/timestamp.hpp"
#include "daybook/parse/config.hpp"
#include "daybook/service/status.hpp"

#include <string>

namespace daybook::service {

EmbeddingStatus embedding_status(const std::string& index_path,
                                 const parse::EmbeddingConfig& config,
                                 const std::string& workspace,
                                 lineage::Timestamp now);

}  // namespace daybook::service
