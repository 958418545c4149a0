#pragma once
#include "solidyn/system/system.h"

namespace solidyn::recursive {

/// @throws base::InputError with each body and force that relative coordinates cannot have
void refuse_what_is_not_relative(const system::System& system);
/// @throws base::InputError: a massless body that no hinge holds
[[noreturn]] void refuse_lost_frame(const bodies::Body& body);

}  // namespace solidyn::recursive
