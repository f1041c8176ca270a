// SPDX-License-Identifier: MIT
//
// The file that describes the service to its manager, on the disk. Only files with Daybook's marker
// are replaced or removed, unless somebody insists. One thread; failure leaves the file as it was.
#pragma once

#include "daybook/base/result.hpp"

#include <cstdint>
#include <string>

namespace daybook::host {

enum class ServiceFileState : std::uint8_t {
  missing,
  current,  ///< just as it would be written now
  older,    ///< Daybook's, with other content
  foreign,  ///< not Daybook's, or a link
};

enum class Foreign : std::uint8_t { refuse, overrule };

Result<ServiceFileState> service_file_state(const std::string& path, const std::string& text);

/// Writes it whole or not at all, with the folders on the way; what stood there before. A file that
/// is current is not touched.
Result<ServiceFileState> write_service_file(const std::string& path,
                                            const std::string& text,
                                            Foreign foreign);

/// What stood there before.
Result<ServiceFileState> remove_service_file(const std::string& path, Foreign foreign);

}  // namespace daybook::host
