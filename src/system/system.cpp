#include "solidyn/system/system.h"

#include "solidyn/math/rotation.h"

namespace solidyn::system {
namespace {

using Eigen::Quaterniond;
using Eigen::VectorXd;

Quaterniond quaternion_at(const VectorXd& q, int offset) {
  return Quaterniond(q[offset], q[offset + 1], q[offset + 2], q[offset + 3]);
}

}  // namespace

int System::add_body(std::unique_ptr<bodies::Body> body, const InitialMotion& motion) {
  bodies_.push_back(std::move(body));
  initial_.push_back(motion);
  return n_bodies() - 1;
}

int System::add_frame(bodies::Frame frame) {
  kinematics_.frame_definitions.push_back(std::move(frame));
  return static_cast<int>(kinematics_.frame_definitions.size()) - 1;
}

int System::add_constraint(std::unique_ptr<joints::Constraint> constraint) {
  constraints_.push_back(std::move(constraint));
  return n_constraint_blocks() - 1;
}

int System::add_force(std::unique_ptr<forces::Force> force) {
  memory_offset_.push_back(n_memory_);
  n_memory_ += force->n_memory();
  forces_.push_back(std::move(force));
  return n_forces() - 1;
}

bodies::FrameLink System::link(int frame_A, int frame_B, int angle) const {
  const int A = kinematics_.frame_definitions[frame_A].body;
  const int B = kinematics_.frame_definitions[frame_B].body;
  const auto size = [&](int body) { return body < 0 ? 0 : bodies_[body]->n_velocities(); };
  return {frame_A, A, size(A), frame_B, B, size(B), angle};
}

void System::update(const State& s) {
  for (int i = 0; i < n_bodies(); ++i) {
    bodies::BodyState& b = kinematics_.bodies[i];
    const int n = bodies_[i]->n_velocities();
    if (bodies_[i]->n_rigid() > 0) {
      b.p_WB = s.q.segment<3>(q_offset_[i]);
      b.R_WB = quaternion_at(s.q, q_offset_[i] + 3).normalized().toRotationMatrix();
    }
    using View = Eigen::Map<const VectorXd>;
    new (&b.q_e) View(s.q.data() + elastic_offset(i), bodies_[i]->n_elastic());
    new (&b.v) View(s.v.data() + v_offset_[i], n);
    new (&b.a) View(s.a.data() + v_offset_[i], n);
    b.t = s.t;
    b.nodal = nodal_of_body_[i] >= 0 ? &s.nodal[nodal_of_body_[i]] : nullptr;
  }
  for (bodies::ElementBody* body : element_bodies_) body->follow(kinematics_);
  update_frames(frames_on_unknowns_);
  update_superelements();
  update_frames(frames_on_superelements_);
  update_angles(s);
  for (int c = 0; c < n_constraint_blocks(); ++c)
    new (&kinematics_.multipliers[c])
        Eigen::Map<const VectorXd>(s.lambda.data() + lambda_offset_[c], constraints_[c]->n_rows());
  for (int k = 0; k < n_forces(); ++k)
    forces_[k]->recall(s.memory.segment(memory_offset_[k], forces_[k]->n_memory()));
}

void System::accept(State& s) const {
  accept_angles(s);
  for (int k = 0; k < n_forces(); ++k)
    forces_[k]->remember(kinematics_, s.t,
                         s.memory.segment(memory_offset_[k], forces_[k]->n_memory()));
}

std::string System::objection(double t) const {
  for (const auto& force : forces_) {
    const std::string reason = force->objection(kinematics_, t);
    if (!reason.empty()) return reason;
  }
  return {};
}

std::vector<forces::Slip> System::slips() const {
  std::vector<forces::Slip> slips;
  for (const auto& force : forces_) force->add_slips(kinematics_, slips);
  return slips;
}

void System::update_frames(const std::vector<int>& frames) {
  static const bodies::BodyState ground;
  for (int f : frames) {
    const bodies::Frame& frame = kinematics_.frame_definitions[f];
    const bodies::BodyState& carrier = frame.body < 0 ? ground : kinematics_.bodies[frame.body];
    bodies::compute_frame_motion(frame, carrier, kinematics_.frames[f]);
  }
}

// Their states follow from the frames on other bodies, with accelerations: these are part of the
// state and not of update_accelerations().
void System::update_superelements() {
  for (std::size_t k = 0; k < superelements_.size(); ++k) {
    for (int f : superelements_[k]->frames()) {
      const bodies::Frame& frame = kinematics_.frame_definitions[f];
      if (frame.body >= 0)
        bodies::compute_frame_acceleration(frame, kinematics_.bodies[frame.body],
                                           kinematics_.frames[f]);
    }
    bodies::BodyState& state = kinematics_.bodies[superelement_index_[k]];
    superelements_[k]->follow(kinematics_, bodies::BodyState(state), state);
  }
}

void System::update_accelerations() {
  for (std::size_t f = 0; f < kinematics_.frames.size(); ++f) {
    const bodies::Frame& frame = kinematics_.frame_definitions[f];
    if (frame.body >= 0)
      bodies::compute_frame_acceleration(frame, kinematics_.bodies[frame.body],
                                         kinematics_.frames[f]);
  }
}

void System::compute_residual(const State& s, VectorXd& r, VectorXd& phi) {
  r.setZero(n_v_);
  for (int i = 0; i < n_bodies(); ++i) add_body_residual(i, r);
  add_force_residuals(s.t, r);
  compute_constraints(s, phi);
  for (int c = 0; c < n_constraint_blocks(); ++c) {
    const int n = constraints_[c]->n_rows(), offset = lambda_offset_[c];
    int column = 0;
    for (int body : constraints_[c]->bodies()) {
      const int width = bodies_[body]->n_velocities();
      r.segment(v_offset_[body], width) += values_[c]
                                               .G.middleCols(column, width)
                                               .transpose()
                                               .lazyProduct(s.lambda.segment(offset, n));
      column += width;
    }
  }
}

void System::compute_constraints(const State& s, VectorXd& phi) {
  phi.resize(n_lambda_);
  for (int c = 0; c < n_constraint_blocks(); ++c) {
    constraints_[c]->evaluate(kinematics_, s.t, values_[c]);
    phi.segment(lambda_offset_[c], constraints_[c]->n_rows()) = values_[c].phi;
  }
}

void System::add_force_residuals(double t, VectorXd& r) {
  for (std::size_t k = 0; k < forces_.size(); ++k) {
    auto part = force_residual_.head(static_cast<Eigen::Index>(force_columns_[k].size()));
    part.setZero();
    forces_[k]->add_residual(kinematics_, t, part);
    for (Eigen::Index i = 0; i < part.size(); ++i) r[force_columns_[k][i]] += part[i];
  }
}

void System::add_body_residual(int i, VectorXd& r) {
  const std::vector<int>& columns = body_columns_[i];
  const auto n = static_cast<Eigen::Index>(columns.size());
  if (n == bodies_[i]->n_velocities()) {
    bodies_[i]->add_residual(kinematics_.bodies[i], gravity_, r.segment(v_offset_[i], n));
    return;
  }
  auto coupled = coupled_residual_.head(n);
  coupled.setZero();
  bodies_[i]->add_residual(kinematics_.bodies[i], gravity_, coupled);
  for (Eigen::Index k = 0; k < n; ++k) r[columns[k]] += coupled[k];
}

void System::compute_rates(const State& s, VectorXd& nu, VectorXd& gamma) {
  nu.resize(n_lambda_);
  gamma.resize(n_lambda_);
  for (int c = 0; c < n_constraint_blocks(); ++c) {
    constraints_[c]->evaluate_rates(kinematics_, s.t, values_[c]);
    nu.segment(lambda_offset_[c], constraints_[c]->n_rows()) = values_[c].nu;
    gamma.segment(lambda_offset_[c], constraints_[c]->n_rows()) = values_[c].gamma;
  }
}

void System::multiply_G(const VectorXd& v, VectorXd& Gv) const {
  Gv.setZero(n_lambda_);
  for (int c = 0; c < n_constraint_blocks(); ++c) {
    auto rows = Gv.segment(lambda_offset_[c], constraints_[c]->n_rows());
    int column = 0;
    for (int body : constraints_[c]->bodies()) {
      const int width = bodies_[body]->n_velocities();
      rows += values_[c].G.middleCols(column, width).lazyProduct(v.segment(v_offset_[body], width));
      column += width;
    }
  }
}

Eigen::SparseMatrix<double> System::sparse_G() const {
  std::vector<Eigen::Triplet<double>> entries;
  for (int c = 0; c < n_constraint_blocks(); ++c)
    for (std::size_t j = 0; j < columns_[c].size(); ++j)
      for (int i = 0; i < constraints_[c]->n_rows(); ++i) {
        const double value = values_[c].G(i, static_cast<Eigen::Index>(j));
        if (value != 0.0) entries.emplace_back(lambda_offset_[c] + i, columns_[c][j], value);
      }
  Eigen::SparseMatrix<double> G(n_lambda_, n_v_);
  G.setFromTriplets(entries.begin(), entries.end());
  return G;
}

void System::advance(const VectorXd& q, const VectorXd& increment, VectorXd& result) const {
  result.resize(n_q_);
  for (int i = 0; i < n_bodies(); ++i) {
    const int at = q_offset_[i], from = v_offset_[i], n_e = bodies_[i]->n_elastic();
    result.segment(elastic_offset(i), n_e) =
        q.segment(elastic_offset(i), n_e) + increment.segment(from + bodies_[i]->n_rigid(), n_e);
    if (bodies_[i]->n_rigid() == 0) continue;
    result.segment<3>(at) = q.segment<3>(at) + increment.segment<3>(from);
    const Quaterniond rotated =
        (quaternion_at(q, at + 3) * math::exp_quaternion(increment.segment<3>(from + 3)))
            .normalized();
    result.segment<4>(at + 3) << rotated.w(), rotated.vec();
  }
}

}  // namespace solidyn::system
