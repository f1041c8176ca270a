// SPDX-License-Identifier: MIT
//
// TCP socket -> how many bytes have come over it so far, as the kernel counts; 0 where it does not.
// A file of its own because the system's two headers for it exclude each other.
#pragma once

#include <cstdint>

namespace daybook::model {

std::uint64_t received_bytes(int socket);

}  // namespace daybook::model
