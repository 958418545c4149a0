#pragma once
#include <functional>

#include "solidyn/recursive/step_equations.h"

namespace solidyn::recursive {

/// How what acts on bodies varies when they move: rows and columns of the bodies' velocities one
/// after the other, [force; torque in B; modal] by increments as bodies::Body has them. A
/// coordinate of the force itself comes last, as the mode of a body that nothing moves.
struct ForceTangent {
  const std::vector<BodyIndex>& bodies;
  Eigen::MatrixXd by_v, by_q;  ///< left-hand side of the equations of motion
  Eigen::VectorXd r;           ///< the force itself, likewise
  bool has_own_coordinate = false;
  Eigen::MatrixXd by_a = {};  ///< by accelerations; empty: it does not depend on them
};

/// Where the rows of each body begin, and behind the last one.
std::vector<int> places_of(Tree& tree, const ForceTangent& tangent);
/// Of a force on the velocities that the system has of its bodies: likewise for all links.
Eigen::VectorXd on_links(Tree& tree, const std::vector<BodyIndex>& bodies,
                         const Eigen::VectorXd& force);

/// Of each force of the system, and of each part of those that have some, in turn.
/// @pre System::update(state)
void visit_forces(StepEquations& equations, const system::State& state,
                  const std::function<void(const ForceTangent&)>& visit);

/// Of each element of a beam, inertia included, without the force itself: along the speeds of nodes
/// that is what Link::f of these, which does not have it either, leaves out. @pre
/// StepEquations::evaluate()
void visit_elements(const StepEquations& equations,
                    const std::function<void(const ForceTangent&)>& visit);

/// Of each closure at its multipliers in `state`. `closure` is its place among
/// Closures::constraints(). @pre the same, and Closures::evaluate()
void visit_closures(const StepEquations& equations, const system::State& state,
                    const std::function<void(int closure, const ForceTangent&)>& visit);

}  // namespace solidyn::recursive
