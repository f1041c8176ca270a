// SPDX-License-Identifier: MIT
#include "mcp/schema.hpp"

#include "daybook/base/nearest.hpp"
#include "daybook/base/printable.hpp"

#include <algorithm>
#include <vector>

namespace daybook::mcp {
namespace {

constexpr std::size_t kMostFaults = 8;
constexpr std::size_t kMostQuoted = 40;

std::string spoken(const Json& value) {
  if (const std::string* text = value.text()) {
    return base::printable(base::quoted(*text, kMostQuoted));
  }
  const bool is_short = value.is_null() || value.truth() != nullptr || value.is_number();
  return is_short ? value.compact() : std::string(value.kind_name());
}

std::size_t characters_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

class Judge {
 public:
  void look(const std::string& name, const Json& value, const Json& schema) {
    if (!has_type(value, schema)) {
      const std::string meaning = schema.text_at("description");
      blame(name.empty() ? "arguments" : name,
            "is " + spoken(value) + ", but must be " + wanted(schema) +
                (meaning.empty() ? "" : ": " + meaning));
      return;
    }
    if (const Json* allowed = schema.find("enum")) {
      const auto& choices = *allowed->elements();
      if (std::find(choices.begin(), choices.end(), value) == choices.end()) {
        blame(name, "is " + spoken(value) + ", but must be " + wanted(schema));
      }
    } else if (const std::string* text = value.text()) {
      look_at_length(name, characters_of(*text), schema, "Length", "characters");
    } else if (const auto number = value.integer()) {
      look_at_number(name, *number, schema);
    } else if (value.elements() != nullptr) {
      look_at_elements(name, value, schema);
    } else if (value.members() != nullptr) {
      look_at_members(name, value, schema);
    }
  }

  std::string take() {
    if (faults_.size() > kMostFaults) {
      faults_.resize(kMostFaults);
      faults_.emplace_back("And more.");
    }
    std::string all;
    for (const std::string& fault : faults_) {
      all.append(all.empty() ? "" : " ").append(fault);
    }
    return all;
  }

 private:
  void blame(const std::string& name, const std::string& what) {
    if (faults_.size() <= kMostFaults) {
      faults_.push_back((name.empty() ? "The arguments" : "`" + name + "`") + " " + what + ".");
    }
  }

  static bool has_type(const Json& value, const Json& schema) {
    const std::string type = schema.text_at("type");
    return type.empty() || (type == "string" && value.text() != nullptr) ||
           (type == "integer" && value.integer().has_value()) ||
           (type == "boolean" && value.truth() != nullptr) ||
           (type == "array" && value.elements() != nullptr) ||
           (type == "object" && value.members() != nullptr);
  }

  static std::string wanted(const Json& schema) {
    if (const Json* allowed = schema.find("enum")) {
      std::string list = "one of";
      for (const Json& choice : *allowed->elements()) {
        list.append(list == "one of" ? " " : ", ").append(*choice.text());
      }
      return list;
    }
    const std::string type = schema.text_at("type");
    if (type == "integer") {
      const Json* least = schema.find("minimum");
      const Json* most = schema.find("maximum");
      return "an integer" + (least == nullptr ? "" : " from " + least->compact()) +
             (most == nullptr ? "" : " to " + most->compact());
    }
    return type == "boolean" ? "true or false" : type == "string" ? "a text" : "an " + type;
  }

  void look_at_length(const std::string& name,
                      std::size_t length,
                      const Json& schema,
                      const std::string& what,
                      const std::string& unit) {
    const Json* least = schema.find("min" + what);
    const Json* most = schema.find("max" + what);
    const auto size = static_cast<std::int64_t>(length);
    if (least != nullptr && size < *least->integer()) {
      blame(name,
            size == 0 ? "is empty"
                      : "has " + std::to_string(length) + " " + unit + ", but needs at least " +
                            least->compact());
    } else if (most != nullptr && size > *most->integer()) {
      blame(name,
            "has " + std::to_string(length) + " " + unit + ", but may have at most " +
                most->compact());
    }
  }

  void look_at_number(const std::string& name, std::int64_t number, const Json& schema) {
    const Json* least = schema.find("minimum");
    const Json* most = schema.find("maximum");
    if ((least != nullptr && number < *least->integer()) ||
        (most != nullptr && number > *most->integer())) {
      blame(name, "is " + std::to_string(number) + ", but must be " + wanted(schema));
    }
  }

  void look_at_elements(const std::string& name, const Json& value, const Json& schema) {
    look_at_length(name, value.elements()->size(), schema, "Items", "elements");
    if (const Json* items = schema.find("items")) {
      std::size_t at = 0;
      for (const Json& element : *value.elements()) {
        look(name + "[" + std::to_string(at++) + "]", element, *items);
        if (faults_.size() > kMostFaults) {
          return;
        }
      }
    }
  }

  void look_at_members(const std::string& name, const Json& value, const Json& schema) {
    const Json* properties = schema.find("properties");
    std::vector<std::string> known;
    for (const Json::Member& property : *properties->members()) {
      known.push_back(property.name);
    }
    if (const Json* required = schema.find("required")) {
      for (const Json& wanted : *required->elements()) {
        if (value.find(*wanted.text()) == nullptr) {
          blame(name, "must have `" + *wanted.text() + "`");
        }
      }
    }
    for (const Json::Member& member : *value.members()) {
      if (const Json* property = properties->find(member.name)) {
        look(name.empty() ? member.name : name + "." + member.name, member.value, *property);
      } else {
        blame_unknown(member.name, known);
      }
      if (faults_.size() > kMostFaults) {
        return;
      }
    }
  }

  void blame_unknown(const std::string& given, const std::vector<std::string>& known) {
    const std::string meant = given.size() > kMostQuoted ? "" : base::nearest(given, known);
    std::string allowed;
    for (const std::string& name : known) {
      allowed.append(allowed.empty() ? "" : ", ").append(name);
    }
    blame({},
          "have no " + base::printable(base::quoted(given, kMostQuoted)) +
              (meant.empty() ? "" : " (did you mean `" + meant + "`?)") +
              (known.empty() ? "; none are taken" : "; allowed are " + allowed));
  }

  std::vector<std::string> faults_;
};

}  // namespace

std::string faults_of(const Json& arguments, const Json& schema) {
  Judge judge;
  judge.look({}, arguments, schema);
  return judge.take();
}

}  // namespace daybook::mcp
