#include "solidyn/system/layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "solidyn/bodies/nodal_body.h"
#include "solidyn/joints/constraint.h"

namespace solidyn::system {

Layout::Layout(
    const base::IndexedVector<BodyIndex, std::unique_ptr<bodies::Body>>& bodies,
    const base::IndexedVector<ConstraintIndex, std::unique_ptr<joints::Constraint>>& constraints) {
  for (const BodyIndex i : bodies.indices()) {
    const bodies::Body& body = *bodies[i];
    velocity_offset_.push_back(n_v_);
    n_velocities_.push_back(body.n_velocities());
    n_v_ += body.n_velocities();
    configuration_offset_.push_back(n_q_);
    n_q_ += body.n_configuration();
    elastic_offset_.push_back(n_q_ - body.n_elastic());
    n_dofs_ += body.n_unknowns();
    bodies::NodalBody* nodal = bodies[i]->as_nodal();
    nodal_of_body_.push_back(nodal ? static_cast<int>(nodal_.size()) : -1);
    if (!nodal) continue;
    nodal_.push_back(nodal);
    body_of_nodal_.push_back(i);
  }
  for (const auto& constraint : constraints) {
    constraints_.push_back(constraint.get());
    constraint_offset_.push_back(n_lambda_);
    const int n = constraint->n_rows();
    n_lambda_ += n;
    for (int row = 0; row < n; ++row)
      is_velocity_level_.push_back(constraint->level(row) == joints::Constraint::Level::velocity);
  }
}

std::vector<int> Layout::velocity_indices(const std::vector<BodyIndex>& bodies) const {
  std::vector<int> indices;
  for (const BodyIndex body : bodies)
    for (int i = 0; i < n_velocities(body); ++i) indices.push_back(velocity_offset_[body] + i);
  return indices;
}

std::string Layout::multiplier_name(int row) const {
  const auto after = std::upper_bound(constraint_offset_.begin(), constraint_offset_.end(), row);
  const ConstraintIndex i(after - constraint_offset_.begin() - 1);
  return fmt::format("{} ({})", constraints_[i]->name(),
                     constraints_[i]->row_name(row - constraint_offset_[i]));
}

}  // namespace solidyn::system
