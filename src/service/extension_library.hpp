// SPDX-License-Identifier: MIT
//
// A path -> a library of which only this user and root can have said what is in it, held open. It
// is to run as part of this process, so it is no file that others may write, lies in no folder in
// which others may put another one in its place, and did not come with a synced vault. One thread.
#pragma once

#include "daybook/base/descriptor.hpp"
#include "daybook/base/result.hpp"

#include <string>

namespace daybook::service {

class ExtensionLibrary {
 public:
  /// An Error says why it is not to be loaded.
  static Result<ExtensionLibrary> open(const std::string& path, const std::string& workspace);

  /// What to load: the very file that was judged where the system can name it, else the path.
  std::string loadable_path() const;

 private:
  ExtensionLibrary(std::string path, base::Descriptor file)
      : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;
  base::Descriptor file_;
};

}  // namespace daybook::service
