// SPDX-License-Identifier: MIT
#include "support/made_embeddings.hpp"

#include <nlohmann/json.hpp>

#include <cctype>

namespace daybook::support {
namespace {

using nlohmann::json;

json body_of(const std::string& request) {
  return json::parse(request.substr(request.find("\r\n\r\n") + 4));
}

/// The same on every machine.
std::size_t hash_of(const std::string& word) {
  std::size_t hash = 1469598103934665603U;
  for (const char c : word) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  }
  return hash;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

}  // namespace

MadeEmbeddings::MadeEmbeddings(std::size_t dimensions)
    : dimensions_(dimensions), server_({[this](const ModelServer::Peer& peer) { answer(peer); }}) {}

void MadeEmbeddings::mean_the_same(const std::vector<std::string>& words) {
  const std::lock_guard lock(mutex_);
  for (const std::string& word : words) {
    same_[word] = words.front();
  }
}

void MadeEmbeddings::set_status(const std::string& status, const std::string& headers) {
  const std::lock_guard lock(mutex_);
  status_ = status;
  headers_ = headers;
}

void MadeEmbeddings::refuse_texts_with(const std::string& part, const std::string& status) {
  const std::lock_guard lock(mutex_);
  refused_part_ = part;
  refusal_ = status;
}

std::string MadeEmbeddings::section(const std::string& more) const {
  return "embeddings:\n  base_url: " + base_url() + "\n  model: made\n" + more;
}

std::vector<std::string> MadeEmbeddings::texts() const {
  std::vector<std::string> texts;
  for (const std::string& request : server_.requests()) {
    const json body = body_of(request);
    for (const auto& text : body.at("input")) {
      texts.push_back(text.get<std::string>());
    }
  }
  return texts;
}

std::vector<std::size_t> MadeEmbeddings::batches() const {
  std::vector<std::size_t> sizes;
  for (const std::string& request : server_.requests()) {
    sizes.push_back(body_of(request).at("input").size());
  }
  return sizes;
}

std::vector<double> MadeEmbeddings::vector_of(const std::string& text) const {
  std::vector<double> vector(dimensions_, 0.0);
  for (const std::string& word : words_of(text)) {
    const auto found = same_.find(word);
    vector[hash_of(found == same_.end() ? word : found->second) % vector.size()] += 1;
  }
  vector[0] += 0.01;  // so that a text without words has a vector, too
  return vector;
}

void MadeEmbeddings::answer(const ModelServer::Peer& peer) {
  if (answers_until_hang_ == 0) {
    peer.hang();
    return;
  }
  --answers_until_hang_;
  std::string status;
  std::string headers;
  json data = json::array();
  {
    const std::lock_guard lock(mutex_);
    status = status_;
    headers = headers_;
    if (answers_left_ == 0) {
      status = "500 Internal Server Error";
    } else {
      --answers_left_;
    }
    const json body = body_of(server_.requests().back());
    std::size_t index = 0;
    for (const auto& text : body.at("input")) {
      const auto& words = text.get_ref<const std::string&>();
      if ((!refused_part_.empty() && words.find(refused_part_) != std::string::npos) ||
          words.size() > longest_) {
        status = refusal_;
      }
      data.push_back({{"index", index++}, {"embedding", vector_of(text.get<std::string>())}});
    }
  }
  replies(status, json{{"data", data}}.dump(), headers)(peer);
}

}  // namespace daybook::support
