// SPDX-License-Identifier: MIT
#include "vocabulary.hpp"

#include <unordered_set>

namespace daybook::bench {
namespace {

using Parts = std::vector<std::string_view>;

/// What the syllables of a language are made of. Repeated parts are commoner.
struct Sounds {
  Parts onsets;
  Parts nuclei;
  Parts codas;
};

// The commonest words of real text are short and carry no meaning; these stand in for them.
constexpr std::array<std::string_view, 48> kFunctionWords{
    "the",   "of",   "to",   "and",  "a",    "in",   "is",  "it",   "that", "for",
    "was",   "on",   "with", "as",   "be",   "this", "are", "by",   "from", "at",
    "or",    "an",   "not",  "we",   "have", "but",  "all", "can",  "when", "if",
    "which", "then", "so",   "has",  "will", "one",  "no",  "into", "each", "its",
    "only",  "more", "than", "also", "now",  "how",  "out", "after"};

const Sounds& english() {
  static const Sounds kSounds{
      {"b",  "c",  "d",  "f",  "g",  "h",  "j",  "k",  "l",  "m",  "n",
       "p",  "r",  "s",  "t",  "v",  "w",  "z",  "br", "ch", "cl", "cr",
       "dr", "fl", "gr", "pl", "pr", "sh", "sl", "st", "th", "tr"},
      {"a", "e", "i", "o", "u", "a", "e", "i", "o", "ea", "ou", "ai"},
      {"", "", "", "", "n", "r", "s", "l", "t", "m", "d", "ck", "nd", "st", "ng", "rt"}};
  return kSounds;
}

const Sounds& sounds_of(Language language) {
  static const Sounds kGerman{
      {"b", "d", "f", "g", "h", "k", "l", "m", "n", "r", "s", "t", "w", "z", "sch", "st", "pf"},
      {"a", "e", "i", "o", "u", "ä", "ö", "ü", "ei", "au"},
      {"", "", "n", "r", "t", "ß", "ng", "ch", "st"}};
  static const Sounds kFrench{
      {"b", "c", "d", "f", "g", "j", "l", "m", "n", "p", "r", "s", "t", "v", "ç", "qu", "ch"},
      {"a", "e", "i", "o", "u", "é", "è", "ê", "à", "ou", "oi", "î"},
      {"", "", "", "s", "t", "r", "n", "x", "l"}};
  static const Sounds kRussian{
      {"б", "в", "г", "д", "ж", "з", "к", "л", "м", "н", "п", "р", "с", "т", "ф", "х", "ч", "ш"},
      {"а", "е", "и", "о", "у", "я", "ю", "ы", "э"},
      {"", "", "", "н", "т", "й", "ль", "ст", "м"}};
  // One Han character stands for a whole syllable, so the other parts stay empty.
  static const Sounds kChinese{
      {"的", "一", "是", "不", "了", "人", "我", "在", "有", "他", "这", "中", "大", "来",
       "上", "国", "个", "到", "说", "们", "为", "子", "和", "你", "地", "出", "道", "也",
       "时", "年", "得", "就", "那", "要", "下", "以", "生", "会", "自", "着", "去", "之",
       "过", "家", "学", "对", "可", "她", "里", "后", "小", "么", "心", "多", "天", "而",
       "能", "好", "都", "然", "没", "日", "于", "起", "还", "发", "成", "事", "只", "作",
       "当", "想", "看", "文", "无", "开", "手", "十", "用", "主"},
      {""},
      {""}};
  switch (language) {
    case Language::german:
      return kGerman;
    case Language::french:
      return kFrench;
    case Language::russian:
      return kRussian;
    case Language::chinese:
      break;
  }
  return kChinese;
}

std::string_view any_of(const Parts& parts, Random& random) {
  return parts[random.below(static_cast<std::uint32_t>(parts.size()))];
}

std::string make_word(const Sounds& sounds, std::size_t syllables, Random& random) {
  std::string word;
  for (std::size_t i = 0; i < syllables; ++i) {
    word += any_of(sounds.onsets, random);
    word += any_of(sounds.nuclei, random);
    word += any_of(sounds.codas, random);
  }
  return word;
}

/// Common words are short.
std::size_t syllables_at(std::size_t rank, Random& random) {
  if (rank < 400) {
    return 1;
  }
  return rank < 9'000 ? 2 : random.between(2, 3);
}

std::vector<std::string> make_english() {
  std::vector<std::string> words{kFunctionWords.begin(), kFunctionWords.end()};
  std::unordered_set<std::string> taken{words.begin(), words.end()};
  Random random{0x766F636162756C61U};
  words.reserve(Vocabulary::kWords);
  while (words.size() < Vocabulary::kWords) {
    std::string word = make_word(english(), syllables_at(words.size(), random), random);
    if (taken.insert(word).second) {
      words.push_back(std::move(word));
    }
  }
  return words;
}

std::vector<std::string> make_foreign(Language language) {
  std::vector<std::string> words;
  std::unordered_set<std::string> taken;
  Random random{0x6C616E6775616765U, static_cast<std::uint64_t>(language)};
  while (words.size() < Vocabulary::kForeignWords) {
    std::string word = make_word(sounds_of(language), random.between(2, 3), random);
    if (taken.insert(word).second) {
      words.push_back(std::move(word));
    }
  }
  return words;
}

/// Zipf: the word of rank r (from 0) is drawn in proportion to 1 / (r + 2). In integers, because
/// floating point may round otherwise elsewhere.
std::vector<std::uint16_t> share_out_slots(std::size_t words) {
  const auto weight = [](std::size_t rank) { return (std::uint64_t{1} << 36U) / (rank + 2); };
  constexpr std::uint64_t kSlots = std::uint64_t{1} << Vocabulary::kSlotBits;
  std::uint64_t total = 0;
  for (std::size_t rank = 0; rank < words; ++rank) {
    total += weight(rank);
  }
  std::vector<std::uint16_t> rank_of(kSlots);
  std::uint64_t before = 0;
  for (std::size_t rank = 0; rank < words; ++rank) {
    const std::uint64_t first = before * kSlots / total;
    before += weight(rank);
    const std::uint64_t end = before * kSlots / total;
    for (std::uint64_t slot = first; slot < end; ++slot) {
      rank_of[slot] = static_cast<std::uint16_t>(rank);
    }
  }
  return rank_of;
}

static_assert(Vocabulary::kWords <= 65'536, "a rank must fit into a slot of 16 bits");

}  // namespace

Vocabulary::Vocabulary() : words_(make_english()), rank_of_(share_out_slots(words_.size())) {
  for (std::size_t i = 0; i < kLanguages; ++i) {
    foreign_[i] = make_foreign(static_cast<Language>(i));
  }
}

const Vocabulary& Vocabulary::instance() {
  static const Vocabulary kVocabulary;
  return kVocabulary;
}

std::string_view Vocabulary::draw_foreign(Language language, Random& random) const {
  constexpr auto kBound = static_cast<std::uint32_t>(kForeignWords);
  return foreign_word(language, random.below(random.between(1, kBound)));
}

}  // namespace daybook::bench
