#pragma once
#include "solidyn/system/system.h"

namespace solidyn::recursive {

/// @throws base::InputError with each body and force that relative coordinates cannot have
void refuse_what_is_not_relative(const system::System& system);
/// @throws base::InputError: a massless body that no hinge holds
[[noreturn]] void refuse_lost_frame(const bodies::Body& body);
/// @throws base::InputError: bodies on hinges that, with all that they carry, have no mass
[[noreturn]] void refuse_massless_bodies(const system::System& system,
                                         const std::vector<bodies::BodyIndex>& massless);
/// @throws base::InputError: joints, by their names, with `cut: true` that belong to no loop
[[noreturn]] void refuse_cuts(const std::vector<std::string>& joints);

}  // namespace solidyn::recursive
