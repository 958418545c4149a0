#pragma once
#include <Eigen/Sparse>
#include <vector>

#include "integrators/contact_points.h"
#include "solidyn/solvers/friction/problem.h"

namespace solidyn::integrators {

/// Points that take part in an iteration of statics, at its state; three values each, along their
/// axes.
struct StaticContactSet {
  std::vector<int> points;
  Eigen::SparseMatrix<double> W;  ///< [n_v x 3 n]
  Eigen::VectorXd offsets;        ///< gaps, or what clutches have turned; what has slipped
  Eigen::VectorXd forces;         ///< that the state has
  std::vector<Eigen::Matrix3d> axes;
  /// Of surfaces that move by themselves: against what their friction acts; else zero.
  std::vector<Eigen::Vector2d> running;
  int size() const { return static_cast<int>(points.size()); }
};

/// What an iteration has found for the points of a set.
struct StaticContactForces {
  std::vector<solvers::friction::ContactState> states;
  Eigen::VectorXd coefficients;  ///< of friction
  Eigen::VectorXd r, u;          ///< [3 n] forces, and offsets after the correction
};

/// Newton's method for the equations of equilibrium and the laws of points of which it is known
/// what they do: of closed ones gap = 0, of those that stick no slip, of those that slip
///   r_T = -mu r_N u_T / |u_T|
/// with its derivative. Dependent rows get the least change of the forces. Local.
class StaticContactNewton {
 public:
  /// @param tangent [n x n] scaled as StaticEquations::tangent()   @param rhs [n] with the forces
  /// of the set in it   @param guess  the states, coefficients, and u for directions of slip that
  /// begins
  StaticContactNewton(const ContactPoints& contacts, const StaticContactSet& set,
                      const StaticContactForces& guess, double row_scale);
  /// @return false where the matrix is singular
  bool solve(const Eigen::SparseMatrix<double>& tangent, const Eigen::VectorXd& rhs,
             Eigen::VectorXd& x);
  /// Forces after the correction that solve() has found.
  const StaticContactForces& found() const { return found_; }
  /// Whether these meet the inequalities of all laws. @param length m, of the mechanism
  bool meets_laws(double length) const;

 private:
  // A direction that is held, and along which the force acts: they differ where a point slips.
  struct Row {
    int point, direction;
  };
  bool has_direction(int k, int direction) const;
  void add_point(int k);
  void slide(int k);
  Eigen::VectorXd column(const Row& row) const;

  const ContactPoints& contacts_;
  const StaticContactSet& set_;
  StaticContactForces found_;
  double row_scale_;
  std::vector<Row> rows_;
  std::vector<Eigen::Vector2d> slips_;        // of unit length where a point slips, else zero
  std::vector<Eigen::Matrix2d> stiffnesses_;  // of the turning of its friction
};

}  // namespace solidyn::integrators
