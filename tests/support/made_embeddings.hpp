// SPDX-License-Identifier: MIT
//
// An endpoint for embeddings on 127.0.0.1 that answers at once with vectors worked out from the
// words of each text: texts with the same words get the same vector, texts without a common word
// are at a right angle, or nearly. What it was sent can be asked. One thread besides its own.
#pragma once

#include "support/model_server.hpp"

#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace daybook::support {

class MadeEmbeddings {
 public:
  explicit MadeEmbeddings(std::size_t dimensions = 1024);

  /// Words that count as this one.
  void mean_the_same(const std::vector<std::string>& words);
  /// From now on so many numbers a text.
  void set_dimensions(std::size_t dimensions) { dimensions_ = dimensions; }
  /// `200 OK` answers; another status line refuses. `headers` end in CRLF each.
  void set_status(const std::string& status, const std::string& headers = {});
  /// Requests with a text that holds this are refused.
  void refuse_texts_with(const std::string& part, const std::string& status = "400 Bad Request");
  /// As are those with a text that is longer.
  void refuse_texts_above(std::size_t bytes) { longest_ = bytes; }
  /// After so many answers, all others are refused with 500.
  void refuse_after(std::size_t answers) { answers_left_ = answers; }
  /// After so many answers, all others hang until the asker goes away.
  void hang_after(std::size_t answers) { answers_until_hang_ = answers; }
  void answer_again() { answers_until_hang_ = answers_left_ = ~std::size_t{0}; }

  std::string base_url() const { return server_.origin() + "/v1"; }
  /// For daybook.yaml.
  std::string section(const std::string& more = {}) const;
  /// Every text that was sent, in order.
  std::vector<std::string> texts() const;
  /// How many texts each request had.
  std::vector<std::size_t> batches() const;
  std::vector<std::string> requests() const { return server_.requests(); }

 private:
  void answer(const ModelServer::Peer& peer);
  std::vector<double> vector_of(const std::string& text) const;

  mutable std::mutex mutex_;  // guards the next five
  std::string status_ = "200 OK";
  std::string headers_;
  std::string refusal_ = "400 Bad Request";
  std::string refused_part_;
  std::map<std::string, std::string> same_;
  std::atomic<std::size_t> dimensions_;
  std::atomic<std::size_t> longest_{~std::size_t{0}};
  std::atomic<std::size_t> answers_left_{~std::size_t{0}};
  std::atomic<std::size_t> answers_until_hang_{~std::size_t{0}};
  ModelServer server_;  // last: it uses the others
};

}  // namespace daybook::support
