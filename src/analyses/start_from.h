#pragma once
#include "solidyn/system/system.h"

/// How a motion begins where statics ended.
namespace solidyn::analyses {

/// `state`, as the model gives it, takes the positions, multipliers and memory of an equilibrium.
/// Its bodies keep the velocity fields that the model gives them, rigid ones in space, and have the
/// velocity that these have where they are now; or those of an equilibrium that runs steadily
/// (run_steadily()). Collective.
void take_positions(const system::System& system, const system::State& equilibrium,
                    system::State& state);

/// @throws base::InputError where assembly at the time 0 had to move the bodies of an equilibrium,
/// from `found` to `assembled` [n_q]: a drive is elsewhere then
void refuse_displaced_equilibrium(const system::System& system, const Eigen::VectorXd& found,
                                  const Eigen::VectorXd& assembled);

}  // namespace solidyn::analyses
