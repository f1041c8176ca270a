// SPDX-License-Identifier: MIT
//
// The reader of the harnesses' JSON, which passes over what nobody asks for, against a parser that
// understands everything: what that one accepts is read in the same way, value by value; and no
// text makes the reader hand out what lies outside of it.
#include "harness/json_view.hpp"
#include "require.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

namespace harness = daybook::harness;
using daybook::fuzz::require;
using harness::JsonKind;
using harness::JsonView;
using nlohmann::json;

constexpr std::size_t kMostEvents = std::size_t{1} << 16U;

/// What a walk over all of it meets, as one text.
class Events {
 public:
  void add(char what, std::string_view text = {}) {
    text_.push_back(what);
    text_.append(std::to_string(text.size())).append(":").append(text);
  }
  const std::string& text() const { return text_; }
  bool full() const { return text_.size() > kMostEvents; }

 private:
  std::string text_;
};

class Understanding : public json::json_sax_t {
 public:
  Events events;
  int depth = 0;
  int deepest = 0;

  bool null() override { return put('n'); }
  bool boolean(bool value) override { return put(value ? 't' : 'f'); }
  bool number_integer(json::number_integer_t) override { return put('0'); }
  bool number_unsigned(json::number_unsigned_t) override { return put('0'); }
  bool number_float(json::number_float_t, const std::string&) override { return put('0'); }
  bool string(std::string& text) override { return put('"', text); }
  bool binary(json::binary_t&) override { return false; }
  bool key(std::string& text) override { return put('k', text); }
  bool start_object(std::size_t) override { return enter('{'); }
  bool end_object() override { return leave('}'); }
  bool start_array(std::size_t) override { return enter('['); }
  bool end_array() override { return leave(']'); }
  bool parse_error(std::size_t, const std::string&, const json::exception&) override {
    return false;
  }

 private:
  bool put(char what, std::string_view text = {}) {
    events.add(what, text);
    return true;
  }
  bool enter(char what) {
    deepest = std::max(deepest, ++depth);
    return put(what);
  }
  bool leave(char what) {
    --depth;
    return put(what);
  }
};

class Walk {
 public:
  explicit Walk(std::string_view text) : text_(text) {}
  Events events;

  /// Members and elements again and again would take long: deep ones are looked at once each.
  bool value(const JsonView& view) {
    inside(view.raw);
    switch (view.kind) {
      case JsonKind::none:
        return false;
      case JsonKind::object: {
        events.add('{');
        bool whole = true;
        whole = harness::each_member(view,
                                     [&](std::string_view key, const JsonView& member) {
                                       inside(key);
                                       events.add('k', harness::decoded(key));
                                       whole = !events.full() && value(member) && whole;
                                     }) &&
                whole;
        events.add('}');
        return whole;
      }
      case JsonKind::array: {
        events.add('[');
        bool whole = true;
        whole = harness::each_element(view,
                                      [&](const JsonView& element) {
                                        whole = !events.full() && value(element) && whole;
                                      }) &&
                whole;
        events.add(']');
        return whole;
      }
      case JsonKind::string: {
        const std::string text = harness::decoded(view.raw);
        require(harness::decoded_size(view.raw) == text.size(), "a text is as long as it was said");
        events.add('"', text);
        return true;
      }
      case JsonKind::number:
        events.add('0');
        return true;
      case JsonKind::boolean:
        events.add(view.is_true() ? 't' : 'f');
        return true;
      case JsonKind::null:
        events.add('n');
        return true;
    }
    return false;
  }

 private:
  void inside(std::string_view view) {
    require(view.empty() || (view.data() >= text_.data() &&
                             view.data() + view.size() <= text_.data() + text_.size()),
            "a view lies in the text");
  }

  std::string_view text_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::size_t failed_at = 0;
  const JsonView view = harness::read_json(text, &failed_at);
  require(failed_at <= text.size(), "a fault lies in the text");

  if (text.find('\0') != std::string::npos) {
    return 0;  // to the other parser a NUL is the end of the text
  }
  Understanding understood;
  const bool is_json = json::sax_parse(text, &understood, json::input_format_t::json, true);
  if (!is_json || understood.deepest >= harness::kMostJsonDepth ||
      text.starts_with("\xEF\xBB\xBF")) {
    return 0;
  }
  require(view.kind != JsonKind::none, "what is JSON is read");
  if (understood.events.full()) {
    return 0;
  }
  Walk walk(text);
  require(walk.value(view), "every part of it is read");
  require(walk.events.text() == understood.events.text(), "and it is read in the same way");
  return 0;
}
