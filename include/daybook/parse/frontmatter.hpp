// SPDX-License-Identifier: MIT
//
// File -> frontmatter (a flat mapping of scalars and lists of scalars) and body. yaml-cpp is the
// authority on YAML; the machine-written form that nearly every file has is read by a reader of our
// own, twenty times faster, that hands over whatever it does not know. All values are data: `007`
// and `true` stay the text that was written. Failure is diagnostics, never an exception. One
// Frontmatter belongs to one thread and is reused from file to file without allocating.
#pragma once

#include "daybook/lineage/diagnostic.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::parse {

inline constexpr std::size_t kMostFrontmatterBytes = 64 * 1024;
/// So much of a file's beginning is enough to tell where its frontmatter ends.
inline constexpr std::size_t kEnoughForFrontmatter = 2 * kMostFrontmatterBytes;

enum class FrontmatterBounds : std::uint8_t {
  found,
  none,       ///< the first line is not `---`
  unclosed,   ///< no second `---` line
  too_large,  ///< the second `---` line is not within the limit
};

/// Where frontmatter and body lie in a file. A BOM belongs to neither.
struct FileParts {
  FrontmatterBounds bounds = FrontmatterBounds::none;
  std::string_view yaml;        ///< between the `---` lines; its first line is line 2 of the file
  std::string_view body;        ///< all bytes after the closing line; the whole file if none
  std::uint32_t body_line = 1;  ///< line of the file on which the body begins
};

/// `file` may be only the beginning of a file, as long as it holds kMostFrontmatterBytes and some.
FileParts split_file(std::string_view file);

struct Scalar {
  std::string_view text;  ///< decoded
  bool is_null = false;   ///< nothing, `~` or a plain `null`
  bool operator==(const Scalar&) const = default;
};

class Frontmatter {
 public:
  struct Field {
    std::string_view key;
    std::uint32_t line = 0;
    bool is_list = false;
    Scalar scalar;  ///< null for a list
    std::uint32_t first_item = 0;
    std::uint32_t item_count = 0;
  };

  const Field* find(std::string_view key) const;
  std::span<const Field> fields() const { return fields_; }
  std::span<const Scalar> items(const Field& field) const {
    return std::span(items_).subspan(field.first_item, field.item_count);
  }

  // For the readers:
  void clear();
  void add_scalar(std::string_view key, std::uint32_t line, Scalar value);
  void begin_list(std::string_view key, std::uint32_t line);
  void add_item(Scalar item);
  /// Removes the last field if it has this key.
  bool drop_last_if(std::string_view key);
  /// Keeps a text for as long as this object is not cleared.
  std::string_view keep(std::string text);

 private:
  std::vector<Field> fields_;
  std::vector<Scalar> items_;
  std::deque<std::string> kept_;
};

/// Reads `yaml` (valid UTF-8) into `out`; views in it point into `yaml` or into `out`. Returns
/// whether it is usable; if not, `diagnostics` says why.
bool read_frontmatter(std::string_view yaml,
                      Frontmatter& out,
                      std::vector<lineage::Diagnostic>& diagnostics);

/// For whoever only wants to know what a file claims: empty when there is no frontmatter that can
/// be read. What the body holds does not matter.
Frontmatter claims_of(const FileParts& parts);

/// The two readers behind it, apart so that they can be compared and measured.
enum class FastRead : std::uint8_t { done, not_recognised };
FastRead read_frontmatter_fast(std::string_view yaml, Frontmatter& out);
bool read_frontmatter_yaml(std::string_view yaml,
                           Frontmatter& out,
                           std::vector<lineage::Diagnostic>& diagnostics);

}  // namespace daybook::parse
