#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "solidyn/bodies/indices.h"

namespace solidyn::bodies {
class Body;
class NodalBody;
}  // namespace solidyn::bodies
namespace solidyn::joints {
class Constraint;
}

namespace solidyn::system {

using bodies::BodyIndex;
using bodies::ConstraintIndex;

/// Where the unknowns of bodies and constraints are in the vectors of a State, in the residual and
/// in the iteration matrix: velocities of all bodies, one body after the other, then multipliers.
/// Empty until System::finalize(). Proved by Layout.*.
class Layout {
 public:
  Layout() = default;
  /// @param bodies, constraints must outlive the layout
  Layout(
      const base::IndexedVector<BodyIndex, std::unique_ptr<bodies::Body>>& bodies,
      const base::IndexedVector<ConstraintIndex, std::unique_ptr<joints::Constraint>>& constraints);

  int n_velocities() const { return n_v_; }
  int n_constraints() const { return n_lambda_; }  ///< rows, and multipliers
  int n_configuration() const { return n_q_; }
  int n_unknowns() const { return n_v_ + n_lambda_; }
  /// Velocity unknowns including those that full-mesh bodies condense.
  std::int64_t n_dofs() const { return n_dofs_; }

  /// Where a body's share of State::v and State::a begins, ...
  int velocity_offset(BodyIndex body) const { return velocity_offset_[body]; }
  int n_velocities(BodyIndex body) const { return n_velocities_[body]; }
  /// ... of State::q, ...
  int configuration_offset(BodyIndex body) const { return configuration_offset_[body]; }
  /// ... of that its q_e, ...
  int elastic_offset(BodyIndex body) const { return elastic_offset_[body]; }
  /// ... and a constraint's of State::lambda.
  int constraint_offset(ConstraintIndex constraint) const { return constraint_offset_[constraint]; }
  /// All velocities of these bodies, in this order.
  std::vector<int> velocity_indices(const std::vector<BodyIndex>& bodies) const;

  /// Full-mesh bodies, in the order of State::nodal.
  const std::vector<bodies::NodalBody*>& nodal_bodies() const { return nodal_; }
  BodyIndex body_of_nodal(int k) const { return body_of_nodal_[k]; }
  /// Index among nodal_bodies(); -1 for a body of another kind.
  int nodal_of_body(BodyIndex body) const { return nodal_of_body_[body]; }

  /// True for the multiplier rows of velocity-level constraints. [n_constraints]
  const std::vector<bool>& is_velocity_level() const { return is_velocity_level_; }
  /// "joint main_bearing (rotation about joint x)" of a multiplier.
  std::string multiplier_name(int row) const;

 private:
  using OfBodies = base::IndexedVector<BodyIndex, int>;
  int n_v_ = 0, n_q_ = 0, n_lambda_ = 0;
  OfBodies velocity_offset_, n_velocities_, configuration_offset_, elastic_offset_;
  base::IndexedVector<ConstraintIndex, int> constraint_offset_;
  std::int64_t n_dofs_ = 0;
  std::vector<bodies::NodalBody*> nodal_;
  std::vector<BodyIndex> body_of_nodal_;
  OfBodies nodal_of_body_;
  base::IndexedVector<ConstraintIndex, const joints::Constraint*> constraints_;
  std::vector<bool> is_velocity_level_;
};

}  // namespace solidyn::system
