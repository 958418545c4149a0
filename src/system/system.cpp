#include "solidyn/system/system.h"

#include <algorithm>
#include <cmath>

#include "solidyn/base/log_stage.h"
#include "solidyn/bodies/element_body.h"
#include "solidyn/bodies/superelement.h"
#include "solidyn/math/rotation.h"

namespace solidyn::system {
namespace {

using Eigen::Quaterniond;
using Eigen::VectorXd;

Quaterniond quaternion_at(const VectorXd& q, int offset) {
  return Quaterniond(q[offset], q[offset + 1], q[offset + 2], q[offset + 3]);
}

}  // namespace

BodyIndex System::add_body(std::unique_ptr<bodies::Body> body, const InitialMotion& motion) {
  initial_.push_back(motion);
  return bodies_.push_back(std::move(body));
}

FrameIndex System::add_frame(bodies::Frame frame) {
  return kinematics_.frame_definitions.push_back(std::move(frame));
}

ConstraintIndex System::add_constraint(std::unique_ptr<joints::Constraint> constraint) {
  return constraints_.push_back(std::move(constraint));
}

ForceIndex System::add_force(std::unique_ptr<forces::Force> force) {
  memory_offset_.push_back(n_memory_);
  n_memory_ += force->n_memory();
  const bool has_parts = force->has_parts();
  const ForceIndex index = forces_.push_back(std::move(force));
  if (has_parts) forces_with_parts_.push_back(index);
  return index;
}

bodies::FrameLink::End System::end_at(FrameIndex frame) const {
  const BodyIndex body = kinematics_.frame_definitions[frame].body;
  return {frame, body, body == bodies::kGround ? 0 : bodies_[body]->n_velocities()};
}

bodies::FrameLink System::link(FrameIndex frame_A, FrameIndex frame_B) const {
  return {end_at(frame_A), end_at(frame_B)};
}

bodies::FrameLink System::tracked_link(FrameIndex frame_A, FrameIndex frame_B,
                                       const bodies::Coordinate& coordinate) {
  const bodies::FrameLink link = this->link(frame_A, frame_B);
  const bodies::AngleOfDots* angle = bodies::as_angle(coordinate);
  return angle ? link.with_angle(angles_.add(link, *angle)) : link;
}

bodies::FrameLink System::tracked_link(
    FrameIndex frame_A, FrameIndex frame_B,
    std::shared_ptr<const bodies::TrackedCoordinate> coordinate) {
  const bodies::FrameLink link = this->link(frame_A, frame_B);
  return link.with_angle(angles_.add(link, std::move(coordinate)));
}

// @param v  [n_v], which must stay, instead of the state's
void System::set_bodies(const State& s, const VectorXd& v) {
  for (const BodyIndex i : bodies_.indices()) {
    bodies::BodyState& b = kinematics_.bodies[i];
    const int n = bodies_[i]->n_velocities();
    if (bodies_[i]->n_rigid() > 0) {
      b.p_WB = s.q.segment<3>(layout_.configuration_offset(i));
      b.R_WB =
          quaternion_at(s.q, layout_.configuration_offset(i) + 3).normalized().toRotationMatrix();
    }
    using View = Eigen::Map<const VectorXd>;
    new (&b.q_e) View(s.q.data() + layout_.elastic_offset(i), bodies_[i]->n_elastic());
    new (&b.v) View(v.data() + layout_.velocity_offset(i), n);
    new (&b.a) View(s.a.data() + layout_.velocity_offset(i), n);
    b.t = s.t;
    b.nodal = layout_.nodal_of_body(i) >= 0 ? &s.nodal[layout_.nodal_of_body(i)] : nullptr;
  }
}

// Frames, and what follows them, from those of the bodies.
void System::update_motion() {
  update_frames(frames_on_unknowns_);
  update_superelements();
  update_frames(frames_on_superelements_);
}

void System::update_consistent_twists(const State& s) {
  kinematics_.consistent_twists.resize(s.velocity_correction.size() > 0 ? kinematics_.frames.size()
                                                                        : 0);
  if (kinematics_.consistent_twists.empty()) return;
  consistent_v_ = s.v + s.velocity_correction;
  set_bodies(s, consistent_v_);
  update_motion();
  for (const FrameIndex f : kinematics_.frames.indices())
    kinematics_.consistent_twists[f] << kinematics_.frames[f].v, kinematics_.frames[f].w;
}

void System::update(const State& s) {
  const base::LogStage stage(base::Stage::residual);
  update_consistent_twists(s);
  set_bodies(s, s.v);
  for (bodies::ElementBody* body : connectivity_.element_bodies()) body->follow(kinematics_);
  update_motion();
  angles_.update(s.t, s.angles, kinematics_);
  for (const ConstraintIndex c : constraints_.indices())
    new (&kinematics_.multipliers[c]) Eigen::Map<const VectorXd>(
        s.lambda.data() + layout_.constraint_offset(c), constraints_[c]->n_rows());
  recall_forces(s.memory);
  follow_parts();
}

void System::recall_forces(const VectorXd& memory) {
  for (const ForceIndex k : forces_.indices())
    if (!forces_[k]->has_parts())
      forces_[k]->recall(memory.segment(memory_offset_[k], forces_[k]->n_memory()));
  Eigen::Index at = n_memory_;
  for (const ForceIndex k : forces_with_parts_) {
    const auto n = static_cast<Eigen::Index>(memory[at]);
    forces_[k]->recall(memory.segment(at + 1, n));
    at += 1 + n;
  }
}

void System::follow_parts() {
  bool has_changed = false;
  for (const ForceIndex k : forces_with_parts_) has_changed |= forces_[k]->follow(kinematics_);
  if (!has_changed) return;
  parts_.clear();
  Eigen::Index widest = force_residual_.size();
  for (const ForceIndex k : forces_with_parts_)
    for (const forces::Force* part : forces_[k]->parts()) {
      parts_.push_back({part, layout_.velocity_indices(part->bodies())});
      widest = std::max(widest, static_cast<Eigen::Index>(parts_.back().columns.size()));
    }
  if (widest > force_residual_.size()) {
    force_residual_.resize(widest);
    J_rate_.resize(widest, widest);
    J_q_.resize(widest, widest);
  }
  ++pattern_version_;
}

bool System::is_memory(const VectorXd& memory) const {
  double at = n_memory_;
  for (std::size_t i = 0; i < forces_with_parts_.size(); ++i) {
    if (!(at < static_cast<double>(memory.size()))) return false;
    const double n = memory[static_cast<Eigen::Index>(at)];
    if (!(n >= 0.0) || n != std::floor(n)) return false;
    at += 1.0 + n;
  }
  return at == static_cast<double>(memory.size());
}

void System::accept(State& s) const {
  angles_.require_possible(s.t, kinematics_);
  s.angles = angles_.values(kinematics_);
  for (const ForceIndex k : forces_.indices())
    forces_[k]->remember(kinematics_, s.t,
                         s.memory.segment(memory_offset_[k], forces_[k]->n_memory()));
  if (forces_with_parts_.empty()) return;
  std::vector<double> memory(s.memory.data(), s.memory.data() + n_memory_);
  for (const ForceIndex k : forces_with_parts_) {
    const std::size_t at = memory.size();
    memory.push_back(0.0);
    forces_[k]->append_memory(kinematics_, s.t, memory);
    memory[at] = static_cast<double>(memory.size() - at - 1);
  }
  s.memory = Eigen::Map<const VectorXd>(memory.data(), static_cast<Eigen::Index>(memory.size()));
}

std::string System::rejection(double t) const {
  for (const auto& force : forces_) {
    const std::string reason = force->rejection(kinematics_, t);
    if (!reason.empty()) return reason;
  }
  return {};
}

std::vector<forces::Slip> System::slips() const {
  std::vector<forces::Slip> slips;
  for (const auto& force : forces_) force->add_slips(kinematics_, slips);
  return slips;
}

void System::update_frames(const std::vector<FrameIndex>& frames) {
  static const bodies::BodyState ground;
  for (const FrameIndex f : frames) {
    const bodies::Frame& frame = kinematics_.frame_definitions[f];
    const bodies::BodyState& carrier =
        frame.body == bodies::kGround ? ground : kinematics_.bodies[frame.body];
    bodies::compute_frame_motion(frame, carrier, kinematics_.frames[f]);
  }
}

// Their states follow from the frames on other bodies, with accelerations: these are part of the
// state and not of update_accelerations().
void System::update_superelements() {
  for (std::size_t k = 0; k < connectivity_.superelements().size(); ++k) {
    for (const FrameIndex f : connectivity_.superelements()[k]->frames()) {
      const bodies::Frame& frame = kinematics_.frame_definitions[f];
      if (frame.body != bodies::kGround)
        bodies::compute_frame_acceleration(frame, kinematics_.bodies[frame.body],
                                           kinematics_.frames[f]);
    }
    bodies::BodyState& state = kinematics_.bodies[connectivity_.body_of_superelement(k)];
    connectivity_.superelements()[k]->follow(kinematics_, bodies::BodyState(state), state);
  }
}

void System::update_accelerations() {
  for (const FrameIndex f : kinematics_.frames.indices()) {
    const bodies::Frame& frame = kinematics_.frame_definitions[f];
    if (frame.body != bodies::kGround)
      bodies::compute_frame_acceleration(frame, kinematics_.bodies[frame.body],
                                         kinematics_.frames[f]);
  }
}

void System::compute_residual(const State& s, VectorXd& r, VectorXd& phi) {
  const base::LogStage stage(base::Stage::residual);
  r.setZero(layout_.n_velocities());
  for (const BodyIndex i : bodies_.indices()) add_body_residual(i, r);
  add_force_residuals(s.t, r);
  compute_constraints(s, phi);
  for (const ConstraintIndex c : constraints_.indices()) {
    const int n = constraints_[c]->n_rows(), offset = layout_.constraint_offset(c);
    int column = 0;
    for (const BodyIndex body : constraints_[c]->bodies()) {
      const int width = bodies_[body]->n_velocities();
      r.segment(layout_.velocity_offset(body), width) +=
          values_[c]
              .G.middleCols(column, width)
              .transpose()
              .lazyProduct(s.lambda.segment(offset, n));
      column += width;
    }
  }
}

void System::compute_constraints(const State& s, VectorXd& phi) {
  phi.resize(layout_.n_constraints());
  for (const ConstraintIndex c : constraints_.indices()) {
    constraints_[c]->evaluate(kinematics_, s.t, values_[c]);
    phi.segment(layout_.constraint_offset(c), constraints_[c]->n_rows()) = values_[c].phi;
  }
}

void System::add_force_residuals(double t, VectorXd& r) {
  for (const ForceIndex k : forces_.indices()) {
    auto part = force_residual_.head(static_cast<Eigen::Index>(force_columns_[k].size()));
    part.setZero();
    forces_[k]->add_residual(kinematics_, t, part);
    for (Eigen::Index i = 0; i < part.size(); ++i) r[force_columns_[k][i]] += part[i];
  }
  for (const Part& part : parts_) {
    auto of_part = force_residual_.head(static_cast<Eigen::Index>(part.columns.size()));
    of_part.setZero();
    part.force->add_residual(kinematics_, t, of_part);
    for (Eigen::Index i = 0; i < of_part.size(); ++i) r[part.columns[i]] += of_part[i];
  }
}

void System::add_body_residual(BodyIndex i, VectorXd& r) {
  const std::vector<int>& columns = body_columns_[i];
  const auto n = static_cast<Eigen::Index>(columns.size());
  if (n == bodies_[i]->n_velocities()) {
    bodies_[i]->add_residual(kinematics_.bodies[i], gravity_,
                             r.segment(layout_.velocity_offset(i), n));
    return;
  }
  auto coupled = coupled_residual_.head(n);
  coupled.setZero();
  bodies_[i]->add_residual(kinematics_.bodies[i], gravity_, coupled);
  for (Eigen::Index k = 0; k < n; ++k) r[columns[k]] += coupled[k];
}

void System::compute_rates(const State& s, VectorXd& nu, VectorXd& gamma) {
  nu.resize(layout_.n_constraints());
  gamma.resize(layout_.n_constraints());
  for (const ConstraintIndex c : constraints_.indices()) {
    constraints_[c]->evaluate_rates(kinematics_, s.t, values_[c]);
    nu.segment(layout_.constraint_offset(c), constraints_[c]->n_rows()) = values_[c].nu;
    gamma.segment(layout_.constraint_offset(c), constraints_[c]->n_rows()) = values_[c].gamma;
  }
}

void System::multiply_G(const VectorXd& v, VectorXd& Gv) const {
  Gv.setZero(layout_.n_constraints());
  for (const ConstraintIndex c : constraints_.indices()) {
    auto rows = Gv.segment(layout_.constraint_offset(c), constraints_[c]->n_rows());
    int column = 0;
    for (const BodyIndex body : constraints_[c]->bodies()) {
      const int width = bodies_[body]->n_velocities();
      rows += values_[c]
                  .G.middleCols(column, width)
                  .lazyProduct(v.segment(layout_.velocity_offset(body), width));
      column += width;
    }
  }
}

Eigen::SparseMatrix<double> System::sparse_G() const {
  std::vector<Eigen::Triplet<double>> entries;
  for (const ConstraintIndex c : constraints_.indices())
    for (std::size_t j = 0; j < columns_[c].size(); ++j)
      for (int i = 0; i < constraints_[c]->n_rows(); ++i) {
        const double value = values_[c].G(i, static_cast<Eigen::Index>(j));
        if (value != 0.0)
          entries.emplace_back(layout_.constraint_offset(c) + i, columns_[c][j], value);
      }
  Eigen::SparseMatrix<double> G(layout_.n_constraints(), layout_.n_velocities());
  G.setFromTriplets(entries.begin(), entries.end());
  return G;
}

void System::advance(const VectorXd& q, const VectorXd& increment, VectorXd& result) const {
  result.resize(layout_.n_configuration());
  for (const BodyIndex i : bodies_.indices()) {
    const int at = layout_.configuration_offset(i), from = layout_.velocity_offset(i),
              n_e = bodies_[i]->n_elastic();
    result.segment(layout_.elastic_offset(i), n_e) =
        q.segment(layout_.elastic_offset(i), n_e) +
        increment.segment(from + bodies_[i]->n_rigid(), n_e);
    if (bodies_[i]->n_rigid() == 0) continue;
    result.segment<3>(at) = q.segment<3>(at) + increment.segment<3>(from);
    const Quaterniond rotated =
        (quaternion_at(q, at + 3) * math::exp_quaternion(increment.segment<3>(from + 3)))
            .normalized();
    result.segment<4>(at + 3) << rotated.w(), rotated.vec();
  }
}

}  // namespace solidyn::system
