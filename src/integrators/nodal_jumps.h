#pragma once
#include <vector>

#include "integrators/saddle_point_solve.h"
#include "solidyn/system/system.h"

/// Velocities, accelerations and positions of full-mesh bodies that change at once, by forces on
/// their ports (bodies/nodal_body.h): the nodes go with them. All calls are collective with
/// full-mesh bodies.
namespace solidyn::integrators {

using NodalField = base::Vec bodies::NodalState::*;

/// Adds to a field of the nodes what belongs to a change x [n_v] of the small unknowns, made by
/// forces on ports alone. @pre System::set_coefficients() of the matrix that made x
void follow_ports(const system::System& system, const Eigen::VectorXd& x, NodalField field,
                  system::State& s);

/// Those of everything, to go back to.
class Velocities {
 public:
  explicit Velocities(const system::State& s);
  void give_to(system::State& s) const;
  void add_to(system::State& s, double part) const;
  const Eigen::VectorXd& small() const { return small_; }

 private:
  Eigen::VectorXd small_;
  std::vector<base::Vec> nodal_;
};

/// How positions have moved at once. Empty without full-mesh bodies.
struct Move {
  Eigen::VectorXd small;  ///< [n_v]
  std::vector<base::Vec> nodal;
  bool is_empty() const { return small.size() == 0; }
};

/// Copies of a field, and what it has changed since.
std::vector<base::Vec> copies_of(const system::State& s, NodalField field);
void subtract_from(const system::State& s, NodalField field, std::vector<base::Vec>& before);

/// Linear momenta of the full-mesh bodies. @pre System::update()
std::vector<Eigen::Vector3d> mesh_momenta(const system::System& system);
/// Gives floating frames whose positions have moved the velocities with which their bodies have
/// these momenta: that of a frame turns with it where its origin is not the mass centre.
/// @pre System::update(s) @post the same
void keep_momenta(system::System& system, const std::vector<Eigen::Vector3d>& momenta,
                  system::State& s);

/// Whether the matrix of masses that bodies assemble is not quite that of their residuals: nodes in
/// a floating frame couple with it at the undeformed shape.
bool has_approximate_masses(const system::System& system);

/// Corrections of a jump dv of the velocities, by the residual of
///   M dv + G^T p - W P = 0,   G (v + dv) = nu
/// in which M dv is that of accelerations dv / (1 s): a difference of two residuals.
class JumpCorrection {
 public:
  /// @param before  the state that jumps, with any accelerations
  /// @param solve  with the factors of the masses; must outlive this, as `system` must
  JumpCorrection(system::System& system, const system::State& before, SaddlePointSolve& solve);
  /// x = [dv; p], more of both. @param s after the jump so far  @param p [n_lambda] of joints
  /// @param contacts [n_v] W P
  Eigen::VectorXd solve(const system::State& s, const Eigen::VectorXd& p,
                        const Eigen::VectorXd& contacts);
  /// Gives x, to which impulses of contacts may have been added since, to the velocities of `s`.
  void apply(const Eigen::VectorXd& x, system::State& s);

 private:
  std::vector<base::Vec> recover(const Eigen::VectorXd& x) const;

  system::System& system_;
  SaddlePointSolve& solve_;
  system::State before_;
  Eigen::VectorXd residual_;      // of it
  std::vector<base::Vec> nodes_;  // what that would make of the nodes
  double per_second_ = 1.0;       // of the jump that is an acceleration: large enough to be seen
};

}  // namespace solidyn::integrators
