#pragma once
#include "recursive/absolute_nodes.h"

namespace solidyn::recursive {

/// @throws NotRelative with each body and force that relative coordinates cannot have
void refuse_what_is_not_relative(const system::System& system, const AbsoluteNodes& nodes);
/// @throws NotRelative: a massless body that no hinge holds
void refuse_lost_frame(const bodies::Body& body);
/// @throws NotRelative: bodies on hinges that, with all that they carry, have no mass
void refuse_massless_bodies(const system::System& system,
                            const std::vector<bodies::BodyIndex>& massless);
/// @throws NotRelative: superelements with an interface that closes a loop in which nothing can be
/// cut
void refuse_interfaces(const system::System& system, const std::vector<bodies::BodyIndex>& bodies);
/// @throws base::InputError: joints, by their names, with `cut: true` that belong to no loop
[[noreturn]] void refuse_cuts(const std::vector<std::string>& joints);

}  // namespace solidyn::recursive
