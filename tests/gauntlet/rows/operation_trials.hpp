// SPDX-License-Identifier: MIT
//
// What the rows that disturb one operation of the program share: the operations, and for each a
// bench that is made ready when it is first needed.
#pragma once

#include "faults/bench.hpp"
#include "gauntlet/row.hpp"

#include <map>
#include <memory>
#include <vector>

namespace daybook::gauntlet {

/// Of the calls of an operation.
enum class Calls {
  every,
  sites,  ///< one of each kind on each file: where a mistake would be, if not all can be tried
};

class OperationTrials : public Trials {
 public:
  OperationTrials();

  std::vector<std::uint64_t> numbers(std::optional<std::uint64_t> first, std::size_t most) override;

 protected:
  /// The trials there are, in growing order.
  virtual std::vector<std::uint64_t> list(Calls calls) = 0;
  /// Those that say most: they are among the chosen also where few are chosen.
  [[nodiscard]] virtual bool says_most(std::uint64_t /*number*/) const { return false; }

  [[nodiscard]] const std::vector<faults::Operation>& operations() const { return operations_; }
  const faults::Bench& bench(std::size_t operation);
  static std::vector<faults::Call> of(const std::vector<faults::Call>& calls, Calls which) {
    return which == Calls::every ? calls : faults::sites(calls);
  }
  /// With the operation and the fault before them, if there are any.
  [[nodiscard]] Complaints told(std::size_t operation,
                                const faults::Fault& fault,
                                Complaints complaints) const;

 private:
  std::vector<std::uint64_t> some_of(const std::vector<std::uint64_t>& all, std::size_t most) const;

  std::vector<faults::Operation> operations_;
  std::map<std::size_t, std::unique_ptr<faults::Bench>> benches_;
};

}  // namespace daybook::gauntlet
