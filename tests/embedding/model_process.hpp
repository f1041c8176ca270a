// SPDX-License-Identifier: MIT
//
// The real model of tests/support/embedding_server.cjs as a child process, which ends with this
// object. Its packages are fetched by the CTest fixture `test_packages`; where they or node are
// missing the test fails and says what to do.
#pragma once

#include <string>
#include <sys/types.h>

namespace daybook::test {

/// Where the packages are that the fixture fetches.
std::string test_packages();

class ModelProcess {
 public:
  ModelProcess();
  ModelProcess(const ModelProcess&) = delete;
  ModelProcess& operator=(const ModelProcess&) = delete;
  ~ModelProcess();

  std::string base_url() const;

 private:
  pid_t child_ = -1;
  int input_ = -1;  // the child ends with it
  int port_ = 0;
};

}  // namespace daybook::test
