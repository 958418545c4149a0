// Where the unknowns of bodies and constraints are, and who acts on whom.
#include <fmt/format.h>

#include <algorithm>

#include "solidyn/system/system.h"

namespace solidyn::system {

void System::finalize() {
  int largest = 0;
  for (int i = 0; i < n_bodies(); ++i) {
    v_offset_.push_back(n_v_);
    q_offset_.push_back(n_q_);
    n_v_ += bodies_[i]->n_velocities();
    n_q_ += bodies_[i]->n_configuration();
    if (auto* superelement = dynamic_cast<bodies::Superelement*>(bodies_[i].get())) {
      superelements_.push_back(superelement);
      superelement_index_.push_back(i);
    }
    if (auto* elements = dynamic_cast<bodies::ElementBody*>(bodies_[i].get())) {
      element_bodies_.push_back(elements);
      element_body_index_.push_back(i);
    }
    auto* nodal = dynamic_cast<bodies::NodalBody*>(bodies_[i].get());
    nodal_of_body_.push_back(nodal ? static_cast<int>(nodal_.size()) : -1);
    if (nodal) {
      nodal_.push_back(nodal);
      nodal_index_.push_back(i);
    }
  }
  bind_superelements();
  bind_element_bodies();
  find_islands();
  for (const std::vector<int>& columns : body_columns_)
    largest = std::max(largest, static_cast<int>(columns.size()));
  coupled_residual_.resize(largest);
  largest = 0;
  for (const std::vector<int>& columns : block_columns_)
    largest = std::max(largest, static_cast<int>(columns.size()));
  int widest = 0;
  for (const auto& constraint : constraints_) {
    lambda_offset_.push_back(n_lambda_);
    const int n = constraint->n_rows();
    n_lambda_ += n;
    for (int row = 0; row < n; ++row)
      is_velocity_level_.push_back(constraint->level(row) == joints::Constraint::Level::velocity);
    columns_.push_back(velocity_indices(constraint->bodies()));
    const int width = static_cast<int>(columns_.back().size());
    widest = std::max(widest, width);
    joints::ConstraintValues values;
    values.phi.setZero(n);
    values.nu.setZero(n);
    values.gamma.setZero(n);
    values.G.setZero(n, width);
    values_.push_back(std::move(values));
  }
  for (const auto& force : forces_) {
    force_columns_.push_back(velocity_indices(force->bodies()));
    largest = std::max(largest, static_cast<int>(force_columns_.back().size()));
    force_rows_.emplace_back();
    for (int c : force->constraints())
      for (int k = 0; k < constraints_[c]->n_rows(); ++k)
        force_rows_.back().push_back(n_v_ + lambda_offset_[c] + k);
    widest = std::max(widest, static_cast<int>(force_rows_.back().size()));
  }
  widest = std::max(widest, largest);
  force_residual_.resize(largest);
  J_rate_.resize(largest, largest);
  J_q_.resize(largest, largest);
  K_lambda_.resize(widest, widest);
  kinematics_.bodies.resize(n_bodies());
  kinematics_.frames.resize(kinematics_.frame_definitions.size());
  kinematics_.angles.resize(tracked_.size());
  kinematics_.multipliers.reserve(constraints_.size());
  for (std::size_t c = 0; c < constraints_.size(); ++c)
    kinematics_.multipliers.emplace_back(nullptr, 0);
}

// What bodies' tangents act on, and the order in which frames can be computed.
void System::bind_superelements() {
  const auto add_range = [&](int body, std::vector<int>& columns) {
    for (int k = 0; k < bodies_[body]->n_velocities(); ++k) columns.push_back(v_offset_[body] + k);
  };
  body_columns_.resize(n_bodies());
  for (int i = 0; i < n_bodies(); ++i) add_range(i, body_columns_[i]);
  std::vector<bool> is_superelement(n_bodies(), false);
  for (std::size_t k = 0; k < superelements_.size(); ++k) {
    const int i = superelement_index_[k];
    is_superelement[i] = true;
    superelements_[k]->bind(kinematics_.frame_definitions);
    RigidGroup group{superelements_[k]->carriers(), false};
    for (int f : superelements_[k]->frames())
      group.is_grounded |= kinematics_.frame_definitions[f].body < 0;
    add_to_groups(std::move(group));
    body_columns_[i].clear();
    for (int carrier : superelements_[k]->carriers()) {
      SOLIDYN_ASSERT(bodies_[carrier]->n_velocities() == 6);
      add_range(carrier, body_columns_[i]);
    }
    add_range(i, body_columns_[i]);
  }
  for (std::size_t f = 0; f < kinematics_.frame_definitions.size(); ++f) {
    const int carrier = kinematics_.frame_definitions[f].body;
    const bool rides = carrier >= 0 && is_superelement[carrier];
    (rides ? frames_on_superelements_ : frames_on_unknowns_).push_back(static_cast<int>(f));
  }
}

// Nodes of elements are unknowns like other bodies; what acts on them is known element by element.
void System::bind_element_bodies() {
  std::vector<std::vector<std::vector<int>>> blocks(n_bodies());
  for (int i = 0; i < n_bodies(); ++i) blocks[i] = {body_columns_[i]};
  for (std::size_t k = 0; k < element_bodies_.size(); ++k) {
    const bodies::ElementBody& body = *element_bodies_[k];
    SOLIDYN_ASSERT(std::all_of(body.nodes().begin(), body.nodes().end(),
                               [&](int node) { return bodies_[node]->n_velocities() == 6; }));
    if (!body.is_shaped_by_constraints()) add_to_groups({body.nodes(), false});
    const int i = element_body_index_[k];
    body_columns_[i] = velocity_indices(body.nodes());
    blocks[i].clear();
    for (int e = 0; e < body.n_elements(); ++e) {
      std::vector<int> nodes = body.element_nodes(e);
      for (int& node : nodes) node = body.nodes()[node];
      blocks[i].push_back(velocity_indices(nodes));
    }
  }
  for (auto& of_body : blocks)
    for (std::vector<int>& columns : of_body) block_columns_.push_back(std::move(columns));
}

// The groups that its bodies belong to become one.
void System::add_to_groups(RigidGroup merged) {
  const std::vector<int> own = merged.bodies;
  const auto is_common = [&](int body) {
    return std::find(own.begin(), own.end(), body) != own.end();
  };
  std::vector<RigidGroup> apart;
  for (RigidGroup& group : rigid_groups_) {
    if (std::none_of(group.bodies.begin(), group.bodies.end(), is_common)) {
      apart.push_back(std::move(group));
      continue;
    }
    merged.is_grounded |= group.is_grounded;
    for (int body : group.bodies)
      if (!is_common(body)) merged.bodies.push_back(body);
  }
  apart.push_back(std::move(merged));
  rigid_groups_ = std::move(apart);
}

std::vector<int> System::velocity_indices(const std::vector<int>& bodies) const {
  std::vector<int> indices;
  for (int body : bodies)
    for (int i = 0; i < bodies_[body]->n_velocities(); ++i) indices.push_back(v_offset_[body] + i);
  return indices;
}

std::string System::multiplier_name(int row) const {
  const auto after = std::upper_bound(lambda_offset_.begin(), lambda_offset_.end(), row);
  const auto i = after - lambda_offset_.begin() - 1;
  return fmt::format("{} ({})", constraints_[i]->name(),
                     constraints_[i]->row_name(row - lambda_offset_[i]));
}

State System::make_state() const {
  State s;
  s.q.setZero(n_q_);
  s.v.setZero(n_v_);
  s.a.setZero(n_v_);
  s.lambda.setZero(n_lambda_);
  s.angles.setZero(static_cast<Eigen::Index>(tracked_.size()));
  s.memory.setZero(n_memory_);
  for (int i = 0; i < n_bodies(); ++i) {
    const InitialMotion& m = initial_[i];
    s.q.segment(elastic_offset(i), m.q_e.size()) = m.q_e;
    s.v.segment(v_offset_[i] + bodies_[i]->n_rigid(), m.dq_e.size()) = m.dq_e;
    if (bodies_[i]->n_rigid() == 0) continue;
    s.q.segment<3>(q_offset_[i]) = m.p_WB;
    s.q.segment<4>(q_offset_[i] + 3) << m.q_WB.w(), m.q_WB.vec();
    s.v.segment<3>(v_offset_[i]) = m.v_WB;
    s.v.segment<3>(v_offset_[i] + 3) = m.w_WB_B;
  }
  for (std::size_t k = 0; k < nodal_.size(); ++k) {
    const int b = nodal_index_[k];
    s.nodal.push_back(nodal_[k]->make_state());
    if (nodal_[k]->n_rigid() > 0) continue;
    nodal_[k]->start(initial_[b], s.nodal.back());
    s.q.segment(elastic_offset(b), nodal_[k]->n_elastic()) = nodal_[k]->ports_of(s.nodal.back().u);
    s.v.segment(v_offset_[b], nodal_[k]->n_elastic()) = nodal_[k]->ports_of(s.nodal.back().du);
  }
  return s;
}

}  // namespace solidyn::system
