#pragma once
#include <memory>

#include "solidyn/system/system.h"

namespace solidyn::testing_support {

/// Links of 1 m and 1 kg in a row along x, pinned about z, the first one to the world, at rest;
/// gravity 9.81 along -y. Each is 20 masses with random modes of sqrt(1000) rad/s, of which pins
/// see the displacement and the rotation.
std::unique_ptr<system::System> make_flexible_chain(int n_links, int n_modes);
/// Rows of such links, 1 m from each other along z, on the second one of two.
std::unique_ptr<system::System> make_flexible_fork(int n_rows, int n_links, int n_modes);

}  // namespace solidyn::testing_support
