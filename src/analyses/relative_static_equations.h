#pragma once
#include <vector>

#include "solidyn/math/dense.h"
#include "solidyn/recursive/dynamics_derivatives.h"

namespace solidyn::analyses {

/// The equations that RelativeEquilibrium solves, at the rows of closures that do not depend on
/// others in the state that the constructor sees.
class RelativeStaticEquations {
 public:
  /// @pre System::update() of a state that satisfies the constraints
  /// @param length  Equilibrium::length()
  RelativeStaticEquations(system::System& system, const system::State& state, double length,
                          recursive::Mechanism::Warnings warnings);

  bool has_closures() const { return !equations_.closures().empty(); }
  /// @throws base::ComputationError when the matrix at this state is singular
  void factor(const system::State& state);
  /// Increments of bodies, and of multipliers of closures, with the last factors.
  /// @param[out] of_bodies [n_velocities] @param[out] lambda [n_lambda]
  void correct(const system::State& state, Eigen::Ref<Eigen::VectorXd> of_bodies,
               Eigen::Ref<Eigen::VectorXd> lambda);
  /// state := before, moved by increments of bodies that hinges let them have, drives where their
  /// laws are at state.t, with the multipliers of hinges.
  void move(const system::State& before, const Eigen::VectorXd& of_bodies, system::State& state);

 private:
  void find_unknowns();
  void follow_laws(double t, Eigen::VectorXd& q);
  Eigen::VectorXd place(const system::State& state);
  Eigen::MatrixXd rows_of_closures();
  Eigen::VectorXd find_forces() const;

  system::System& system_;
  recursive::Mechanism mechanism_;
  recursive::StepEquations equations_;
  recursive::DynamicsDerivatives derivatives_;
  recursive::Tree& tree_;
  system::State scratch_;
  Eigen::VectorXd at_rest_, q_, laws_;
  double length_;
  std::vector<int> free_;            // speeds of the tree that follow no law
  Eigen::VectorXd scale_, balance_;  // of each its size, and what makes its equation of order one
  std::vector<int> rows_;            // of closures that do not depend on others
  Eigen::VectorXd row_scale_;        // of each of these
  math::LuFactor factor_;
};

}  // namespace solidyn::analyses
