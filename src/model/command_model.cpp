// SPDX-License-Identifier: MIT
#include "daybook/host/filter_program.hpp"
#include "daybook/model/model.hpp"

namespace daybook::model {
namespace {

constexpr std::size_t kMostOutput = std::size_t{256} * 1024;

class CommandModel final : public Model {
 public:
  explicit CommandModel(CommandModelSpec spec) : spec_(std::move(spec)) {}

  Result<std::string> answer(const Prompt& prompt) override {
    host::FilterProgram program;
    program.words = spec_.words;
    program.variables = {"DAYBOOK_INHIBIT=1"};
    program.most_time = spec_.timeout;
    program.most_output = kMostOutput;
    TRY_ASSIGN(auto answer,
               host::run_filter(program, prompt.instructions + "\n\n" + prompt.text + "\n")
                   .in_context("asking the model's command"));
    if (!answer.ok()) {
      return Error{ErrorKind::io,
                   name() + (answer.exit_code < 0
                                 ? " was ended by a signal"
                                 : " ended with exit code " + std::to_string(answer.exit_code)),
                   {},
                   "Run the command of model.command by hand, with some text on its input."};
    }
    return std::move(answer.out);
  }

  std::string name() const override {
    return "the command '" + (spec_.words.empty() ? std::string() : spec_.words.front()) + "'";
  }

 private:
  CommandModelSpec spec_;
};

}  // namespace

std::unique_ptr<Model> command_model(const CommandModelSpec& spec) {
  return std::make_unique<CommandModel>(spec);
}

}  // namespace daybook::model
