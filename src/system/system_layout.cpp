// Who acts on whom: what residuals and tangents act on, and the order in which frames can be
// computed.
#include <algorithm>
#include <functional>

#include "solidyn/bodies/element_body.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/bodies/superelement.h"
#include "solidyn/forces/set_valued.h"
#include "solidyn/system/system.h"

namespace solidyn::system {
namespace {

template <class Lists>
int largest_size(const Lists& lists) {
  std::size_t largest = 0;
  for (const std::vector<int>& list : lists) largest = std::max(largest, list.size());
  return static_cast<int>(largest);
}

// Of forces with parts, each between two bodies; follow_parts() makes room for wider ones.
template <class Forces>
int largest_part(const Layout& layout, const Forces& forces) {
  int largest = 0;
  for (const auto& force : forces) {
    if (!force->has_parts()) continue;
    std::vector<int> widths = {0, 0};
    for (const BodyIndex body : force->bodies()) widths.push_back(layout.n_velocities(body));
    std::partial_sort(widths.begin(), widths.begin() + 2, widths.end(), std::greater<>());
    largest = std::max(largest, widths[0] + widths[1]);
  }
  return largest;
}

}  // namespace

void System::finalize() {
  bind_superelements();
  layout_ = Layout(bodies_, constraints_);
  connectivity_ = Connectivity(bodies_, constraints_, forces_, kinematics_.frame_definitions);
  set_body_columns();
  set_block_columns();
  set_constraint_columns();
  set_force_columns();
  allocate();
}

// Frames on superelements can be computed after those that carry them.
void System::bind_superelements() {
  base::IndexedVector<BodyIndex, bool> is_superelement;
  for (const auto& body : bodies_) {
    bodies::Superelement* superelement = body->as_superelement();
    if (superelement) superelement->bind(kinematics_.frame_definitions);
    is_superelement.push_back(superelement != nullptr);
  }
  for (const FrameIndex f : kinematics_.frame_definitions.indices()) {
    const BodyIndex carrier = kinematics_.frame_definitions[f].body;
    const bool rides = carrier != bodies::kGround && is_superelement[carrier];
    (rides ? frames_on_superelements_ : frames_on_unknowns_).push_back(f);
  }
}

void System::set_body_columns() {
  const auto require_rigid = [&](const std::vector<BodyIndex>& bodies) {
    for ([[maybe_unused]] const BodyIndex body : bodies)
      SOLIDYN_ASSERT(layout_.n_velocities(body) == 6);
  };
  for (const BodyIndex i : bodies_.indices()) {
    std::vector<BodyIndex> on;
    if (const bodies::Superelement* superelement = bodies_[i]->as_superelement()) {
      on = superelement->carriers();
      require_rigid(on);
    }
    if (const bodies::ElementBody* elements = bodies_[i]->as_elements()) {
      on = elements->nodes();
      if (bodies_[on.front()]->n_rigid() > 0) require_rigid(on);
    }
    on.push_back(i);
    body_columns_.push_back(layout_.velocity_indices(on));
  }
}

// Nodes of elements are unknowns like other bodies; what acts on them is known element by element.
void System::set_block_columns() {
  for (const BodyIndex i : bodies_.indices()) {
    const bodies::ElementBody* body = bodies_[i]->as_elements();
    if (!body) block_columns_.push_back(body_columns_[i]);
    for (int e = 0; body && e < body->n_elements(); ++e) {
      std::vector<BodyIndex> nodes;
      for (int node : body->element_nodes(e)) nodes.push_back(body->nodes()[node]);
      block_columns_.push_back(layout_.velocity_indices(nodes));
    }
  }
}

void System::set_constraint_columns() {
  for (const auto& constraint : constraints_) {
    columns_.push_back(layout_.velocity_indices(constraint->bodies()));
    const int n = constraint->n_rows();
    joints::ConstraintValues values;
    values.phi.setZero(n);
    values.nu.setZero(n);
    values.gamma.setZero(n);
    values.G.setZero(n, static_cast<Eigen::Index>(columns_.back().size()));
    values_.push_back(std::move(values));
  }
}

// Contacts of nodes of a mesh act on few of its ports: blocks of all would fill the matrix anew
// with each of them.
System::Columns System::columns_of(const forces::Force& force) const {
  Columns all = layout_.velocity_indices(force.bodies());
  const forces::SetValued* law = force.as_set_valued();
  if (!law || law->law().kind != forces::SetValuedLaw::Kind::contact) return all;
  const auto pair = force.pair_wrench(kinematics_, 0.0);
  if (!pair) return all;
  const std::vector<int> few = pair->link.few_columns(kinematics_.frame_definitions);
  if (few.empty()) return all;
  Columns columns;
  for (const int i : few) columns.push_back(all[i]);
  return columns;
}

void System::set_force_columns() {
  kinematics_.frames.resize(kinematics_.frame_definitions.size());
  for (const auto& force : forces_) {
    // Parts act on columns of their own.
    force_columns_.push_back(force->has_parts() ? Columns() : columns_of(*force));
    force_rows_.emplace_back();
    for (const ConstraintIndex c : force->constraints())
      for (int k = 0; k < constraints_[c]->n_rows(); ++k)
        force_rows_.back().push_back(layout_.n_velocities() + layout_.constraint_offset(c) + k);
  }
}

void System::allocate() {
  coupled_residual_.resize(largest_size(body_columns_));
  const int largest = std::max(
      {largest_size(block_columns_), largest_size(force_columns_), largest_part(layout_, forces_)});
  const int widest = std::max({largest, largest_size(columns_), largest_size(force_rows_)});
  force_residual_.resize(largest);
  J_rate_.resize(largest, largest);
  J_q_.resize(largest, largest);
  K_lambda_.resize(widest, widest);
  kinematics_.bodies.resize(bodies_.size());
  kinematics_.frames.resize(kinematics_.frame_definitions.size());
  kinematics_.angles.resize(angles_.size());
  kinematics_.multipliers.reserve(constraints_.size());
  for (int i = 0; i < constraints_.size(); ++i) kinematics_.multipliers.emplace_back(nullptr, 0);
}

State System::make_state() const {
  State s;
  s.q.setZero(layout_.n_configuration());
  s.v.setZero(layout_.n_velocities());
  s.a.setZero(layout_.n_velocities());
  s.lambda.setZero(layout_.n_constraints());
  s.angles.setZero(angles_.size());
  s.memory.setZero(n_memory_ + static_cast<Eigen::Index>(forces_with_parts_.size()));
  for (const BodyIndex i : bodies_.indices()) {
    const InitialMotion& m = initial_[i];
    const int at = layout_.configuration_offset(i), from = layout_.velocity_offset(i);
    s.q.segment(layout_.elastic_offset(i), m.q_e.size()) = m.q_e;
    s.v.segment(from + bodies_[i]->n_rigid(), m.dq_e.size()) = m.dq_e;
    if (bodies_[i]->n_rigid() == 0) continue;
    s.q.segment<3>(at) = m.p_WB;
    s.q.segment<4>(at + 3) << m.q_WB.w(), m.q_WB.vec();
    s.v.segment<3>(from) = m.v_WB;
    s.v.segment<3>(from + 3) = m.w_WB_B;
  }
  const std::vector<bodies::NodalBody*>& nodal = layout_.nodal_bodies();
  for (std::size_t k = 0; k < nodal.size(); ++k) {
    const BodyIndex b = layout_.body_of_nodal(static_cast<int>(k));
    const int n = nodal[k]->n_elastic();
    s.nodal.push_back(nodal[k]->make_state());
    if (nodal[k]->n_rigid() > 0) continue;
    nodal[k]->start(initial_[b], s.nodal.back());
    s.q.segment(layout_.elastic_offset(b), n) = nodal[k]->ports_of(s.nodal.back().u);
    s.v.segment(layout_.velocity_offset(b), n) = nodal[k]->ports_of(s.nodal.back().du);
  }
  return s;
}

}  // namespace solidyn::system
