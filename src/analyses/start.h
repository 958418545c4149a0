#pragma once
#include <string>

#include "solidyn/solvers/linear_solver.h"
#include "solidyn/system/initial_conditions.h"
#include "solidyn/system/system.h"

/// What is said of the start of a motion that differs from what the model file asks for.
namespace solidyn::analyses {

/// As system::solve_accelerations(), for a mechanism whose masses may not do.
/// @throws base::InputError where nothing resists some motion, or friction jams the mechanism
void solve_first_accelerations(system::System& system, system::State& state,
                               solvers::LinearSolver& solver, bool is_redundant);

/// Warns of bodies that assembly moved from the configuration `drawn` to `assembled`.
void warn_of_displaced_bodies(const system::System& system, const Eigen::VectorXd& drawn,
                              const Eigen::VectorXd& assembled);

/// Warns of bodies that were given velocities that the joints do not allow. @param given,
/// consistent [n_v]
void warn_of_changed_velocities(const system::System& system, const Eigen::VectorXd& given,
                                const Eigen::VectorXd& consistent);

/// Warns of what forces say of the start, such as stops that are passed. @pre kinematics() are
/// those of the start
void warn_of_forces_at_start(const system::System& system, double t);

/// Warns of constraints that depend on others. @param found  what does not depend on it: "motion"
void warn_of_redundancy(const system::System& system, const system::Redundancy& redundancy,
                        const std::string& found);

}  // namespace solidyn::analyses
