// SPDX-License-Identifier: MIT
#include "gauntlet/row.hpp"

#include <algorithm>
#include <utility>

namespace daybook::gauntlet {
namespace {

class SeparateTrials final : public Trials {
 public:
  explicit SeparateTrials(std::function<Complaints(std::uint64_t)> trial)
      : trial_(std::move(trial)) {}
  Complaints run(std::uint64_t number) override { return trial_(number); }

 private:
  std::function<Complaints(std::uint64_t)> trial_;
};

}  // namespace

std::vector<std::uint64_t> Trials::numbers(std::optional<std::uint64_t> first, std::size_t most) {
  std::vector<std::uint64_t> numbers;
  for (std::size_t i = 0; i < most; ++i) {
    numbers.push_back(first.value_or(1) + i);
  }
  return numbers;
}

std::vector<std::uint64_t> choose(const std::vector<std::uint64_t>& all,
                                  std::optional<std::uint64_t> first,
                                  std::size_t most) {
  if (all.empty()) {
    return {};
  }
  const std::size_t count = most == kEvery ? all.size() : most;
  const auto begin = first ? std::lower_bound(all.begin(), all.end(), *first) - all.begin() : 0;
  std::vector<std::uint64_t> chosen;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = first || count > all.size() ? i : i * all.size() / count;
    chosen.push_back(all[(static_cast<std::size_t>(begin) + at) % all.size()]);
  }
  return chosen;
}

std::function<std::unique_ptr<Trials>()> each(std::function<Complaints(std::uint64_t)> trial) {
  return [trial = std::move(trial)] { return std::make_unique<SeparateTrials>(trial); };
}

}  // namespace daybook::gauntlet
