#include "solidyn/system/system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solidyn/math/rotation.h"

namespace solidyn::system {
namespace {

using Eigen::MatrixXd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;

Quaterniond quaternion_at(const VectorXd& q, int offset) {
  return Quaterniond(q[offset], q[offset + 1], q[offset + 2], q[offset + 3]);
}

}  // namespace

State State::clone() const {
  State copy;
  copy.t = t;
  copy.q = q;
  copy.v = v;
  copy.a = a;
  copy.lambda = lambda;
  copy.angles = angles;
  copy.memory = memory;
  for (const bodies::NodalState& n : nodal) copy.nodal.push_back(n.clone());
  return copy;
}

void State::copy_from(const State& other) {
  t = other.t;
  q = other.q;
  v = other.v;
  a = other.a;
  lambda = other.lambda;
  angles = other.angles;
  memory = other.memory;
  for (std::size_t i = 0; i < nodal.size(); ++i) nodal[i].copy_from(other.nodal[i]);
}

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
    add_to_groups({body.nodes(), false});
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
  phi.resize(n_lambda_);
  for (int i = 0; i < n_bodies(); ++i) add_body_residual(i, r);
  add_force_residuals(s.t, r);
  for (int c = 0; c < n_constraint_blocks(); ++c) {
    joints::ConstraintValues& values = values_[c];
    constraints_[c]->evaluate(kinematics_, s.t, values);
    const int n = constraints_[c]->n_rows(), offset = lambda_offset_[c];
    phi.segment(offset, n) = values.phi;
    int column = 0;
    for (int body : constraints_[c]->bodies()) {
      const int width = bodies_[body]->n_velocities();
      r.segment(v_offset_[body], width) +=
          values.G.middleCols(column, width).transpose().lazyProduct(s.lambda.segment(offset, n));
      column += width;
    }
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

void System::set_coefficients(const bodies::TangentCoefficients& coefficients) {
  for (bodies::NodalBody* body : nodal_) body->set_coefficients(coefficients);
}

bool System::turn_tangents() {
  bool has_changed = false;
  for (std::size_t k = 0; k < nodal_.size(); ++k)
    has_changed |= nodal_[k]->turn_tangent(kinematics_.bodies[nodal_index_[k]]);
  return has_changed;
}

bool System::renew_tangents() {
  bool has_changed = false;
  for (std::size_t k = 0; k < nodal_.size(); ++k)
    has_changed |= nodal_[k]->renew_tangent(kinematics_.bodies[nodal_index_[k]]);
  return has_changed;
}

// Blocks in order: of bodies, one each or one per element; then per constraint its stiffness, G and
// G^T; then per force its tangent and what it has from multipliers.
void System::set_pattern(solvers::BlockMatrix& matrix) const {
  std::vector<solvers::BlockIndices> blocks;
  for (const std::vector<int>& columns : block_columns_) blocks.push_back({columns, columns});
  for (int c = 0; c < n_constraint_blocks(); ++c) {
    std::vector<int> rows(constraints_[c]->n_rows());
    for (std::size_t k = 0; k < rows.size(); ++k)
      rows[k] = n_v_ + lambda_offset_[c] + static_cast<int>(k);
    blocks.push_back({columns_[c], columns_[c]});
    blocks.push_back({rows, columns_[c]});
    blocks.push_back({columns_[c], rows});
  }
  for (std::size_t k = 0; k < forces_.size(); ++k) {
    blocks.push_back({force_columns_[k], force_columns_[k]});
    blocks.push_back({force_columns_[k], force_rows_[k]});
  }
  matrix.set_pattern(n_unknowns(), blocks);
}

// The blocks of bodies' tangents, one after the other.
void System::for_body_blocks(const bodies::TangentCoefficients& c,
                             const std::vector<Eigen::Matrix3d>* turns, const BlockAction& action) {
  int block = 0;
  const auto visit = [&](auto&& add_tangent, auto&& turn) {
    const auto n = static_cast<Eigen::Index>(block_columns_[block].size());
    auto J_rate = J_rate_.topLeftCorner(n, n), J_q = J_q_.topLeftCorner(n, n);
    J_rate.setZero();
    J_q.setZero();
    add_tangent(J_rate, J_q);
    if (turns) turn(J_q);
    action(block++, J_rate, J_q);
  };
  auto elements = element_bodies_.begin();
  for (int i = 0; i < n_bodies(); ++i) {
    const bool has_elements = elements != element_bodies_.end() && bodies_[i].get() == *elements;
    if (!has_elements) {
      visit(
          [&](auto& J_rate, auto& J_q) {
            bodies_[i]->add_tangent(kinematics_.bodies[i], gravity_, c, J_rate, J_q);
          },
          [&](auto& J_q) { turn_columns(i, *turns, J_q); });
      continue;
    }
    const bodies::ElementBody& body = **elements++;
    for (int e = 0; e < body.n_elements(); ++e)
      visit([&](auto& J_rate, auto& J_q) { body.add_element_tangent(e, gravity_, c, J_rate, J_q); },
            [&](auto& J_q) {
              int column = 3;
              for (int node : body.element_nodes(e)) {
                J_q.template middleCols<3>(column) =
                    (J_q.template middleCols<3>(column) * (*turns)[body.nodes()[node]]).eval();
                column += 6;
              }
            });
  }
}

void System::assemble(const State& s, const TangentOptions& o, solvers::BlockMatrix& matrix) {
  matrix.set_zero();
  for_body_blocks(o.coefficients, o.rotation_tangents,
                  [&](int block, Eigen::Ref<MatrixXd> J_rate, Eigen::Ref<MatrixXd> J_q) {
                    J_rate += J_q;
                    matrix.add_block(block, J_rate, o.row_scale);
                  });
  for (int c = 0; c < n_constraint_blocks(); ++c) {
    const joints::Constraint& constraint = *constraints_[c];
    joints::ConstraintValues& values = values_[c];
    const int width = static_cast<int>(columns_[c].size());
    const int block = static_cast<int>(block_columns_.size()) + 3 * c;
    const auto turn = [&](Eigen::Ref<MatrixXd> matrix) {
      if (o.rotation_tangents) turn_columns_of(constraint.bodies(), *o.rotation_tangents, matrix);
    };
    if (o.coefficients.stiffness != 0.0) {
      auto K = K_lambda_.topLeftCorner(width, width);
      K.setZero();
      constraint.add_stiffness(kinematics_, s.t,
                               s.lambda.segment(lambda_offset_[c], constraint.n_rows()),
                               o.coefficients.stiffness, K);
      turn(K);
      matrix.add_block(block, K, o.row_scale);
    }
    matrix.add_block_transposed(block + 2, values.G);
    if (o.rotation_tangents) {
      MatrixXd GT = values.G;
      turn(GT);
      for (int row = 0; row < constraint.n_rows(); ++row)
        if (is_velocity_level_[lambda_offset_[c] + row]) GT.row(row) = values.G.row(row);
      matrix.add_block(block + 1, GT);
    } else {
      matrix.add_block(block + 1, values.G);
    }
  }
  assemble_forces(s, o, matrix);
  if (o.regularization != 0.0)
    for (int i = 0; i < n_lambda_; ++i) matrix.add_diagonal(n_v_ + i, -o.regularization);
}

// Multipliers as unknowns are scaled like the rows of r, so that dr/dlambda is not.
void System::assemble_forces(const State& s, const TangentOptions& o,
                             solvers::BlockMatrix& matrix) {
  const int first_block = static_cast<int>(block_columns_.size()) + 3 * n_constraint_blocks();
  for (int k = 0; k < n_forces(); ++k) {
    const auto n = static_cast<Eigen::Index>(force_columns_[k].size());
    auto J_rate = J_rate_.topLeftCorner(n, n), J_q = J_q_.topLeftCorner(n, n);
    J_rate.setZero();
    J_q.setZero();
    forces_[k]->add_tangent(kinematics_, s.t, o.coefficients, J_rate, J_q);
    if (o.rotation_tangents) turn_columns_of(forces_[k]->bodies(), *o.rotation_tangents, J_q);
    J_rate += J_q;
    matrix.add_block(first_block + 2 * k, J_rate, o.row_scale);
    const auto n_rows = static_cast<Eigen::Index>(force_rows_[k].size());
    if (n_rows == 0) continue;
    auto J_lambda = K_lambda_.topLeftCorner(n, n_rows);
    J_lambda.setZero();
    forces_[k]->add_multiplier_tangent(kinematics_, s.t, J_lambda);
    matrix.add_block(first_block + 2 * k + 1, J_lambda);
  }
}

// Of a matrix on the velocities of these bodies, one after the other.
void System::turn_columns_of(const std::vector<int>& bodies,
                             const std::vector<Eigen::Matrix3d>& tangents,
                             Eigen::Ref<MatrixXd> matrix) const {
  int column = 0;
  for (int body : bodies) {
    if (bodies_[body]->n_rigid() > 0)
      matrix.middleCols<3>(column + 3) = (matrix.middleCols<3>(column + 3) * tangents[body]).eval();
    column += bodies_[body]->n_velocities();
  }
}

// Columns of angular velocities become those of rotation increments.
void System::turn_columns(int i, const std::vector<Eigen::Matrix3d>& tangents,
                          Eigen::Ref<MatrixXd> matrix) const {
  const auto turn = [&](int body, int column) {
    matrix.middleCols<3>(column + 3) = (matrix.middleCols<3>(column + 3) * tangents[body]).eval();
  };
  if (bodies_[i]->n_rigid() > 0) turn(i, 0);
  for (std::size_t k = 0; k < superelements_.size(); ++k) {
    if (superelement_index_[k] != i) continue;
    int column = 0;
    for (int carrier : superelements_[k]->carriers()) {
      turn(carrier, column);
      column += 6;
    }
  }
}

double System::largest_stiffness(double length) {
  const VectorXd weights = length * increment_weights(length);
  double largest = 0.0;
  const auto include = [&](const std::vector<int>& columns, const auto& J_rate, const auto& J_q) {
    for (Eigen::Index k = 0; k < J_q.rows(); ++k) {
      const double weight = weights[columns[k]];
      largest = std::max(largest, std::abs(J_rate(k, k) + J_q(k, k)) / (weight * weight));
    }
  };
  for_body_blocks({0.0, 0.0, 1.0}, nullptr, [&](int block, const auto& J_rate, const auto& J_q) {
    include(block_columns_[block], J_rate, J_q);
  });
  for (std::size_t i = 0; i < forces_.size(); ++i) {
    const std::vector<int>& columns = force_columns_[i];
    const auto n = static_cast<int>(columns.size());
    MatrixXd J_rate = MatrixXd::Zero(n, n), J_q = J_rate;
    forces_[i]->add_tangent(kinematics_, 0.0, {0.0, 0.0, 1.0}, J_rate, J_q);
    include(columns, J_rate, J_q);
  }
  return largest;
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

double System::external_power(const State& s) {
  double power = 0.0;
  for (int c = 0; c < n_constraint_blocks(); ++c) {
    if (!constraints_[c]->is_rheonomic()) continue;
    constraints_[c]->evaluate_rates(kinematics_, s.t, values_[c]);
    power -= s.lambda.segment(lambda_offset_[c], constraints_[c]->n_rows()).dot(values_[c].nu);
  }
  for (const auto& force : forces_) power += force->power(kinematics_, s.t);
  for (int i = 0; i < n_bodies(); ++i)
    power += bodies_[i]->load_power(kinematics_.bodies[i]) -
             bodies_[i]->dissipation(kinematics_.bodies[i]);
  return power;
}

bodies::Energy System::energy(const State& s) const {
  bodies::Energy total;
  for (const auto& force : forces_) total.strain += force->energy(kinematics_, s.t);
  for (int i = 0; i < n_bodies(); ++i) total += bodies_[i]->energy(kinematics_.bodies[i], gravity_);
  return total;
}

bodies::Momentum System::momentum(const State&) const {
  bodies::Momentum total;
  for (int i = 0; i < n_bodies(); ++i) {
    const bodies::Momentum p = bodies_[i]->momentum(kinematics_.bodies[i]);
    total.linear += p.linear;
    total.angular += p.angular;
  }
  return total;
}

std::int64_t System::n_dofs() const {
  std::int64_t n = 0;
  for (const auto& body : bodies_) n += body->n_unknowns();
  return n;
}

double System::total_mass() const {
  double mass = 0.0;
  for (const auto& body : bodies_) mass += body->mass();
  return mass;
}

double System::characteristic_length() const {
  std::vector<Vector3d> points;
  for (const bodies::BodyState& b : kinematics_.bodies)
    if (b.n_rigid() > 0) points.push_back(b.p_WB);
  for (const bodies::FrameMotion& f : kinematics_.frames) points.push_back(f.p);
  Vector3d centre = Vector3d::Zero();
  for (const Vector3d& p : points) centre += p / static_cast<double>(points.size());
  double length = 1e-6;
  for (const auto& body : bodies_) length = std::max(length, body->radius_of_gyration());
  for (const Vector3d& p : points) length = std::max(length, (p - centre).norm());
  return length;
}

VectorXd System::increment_weights(double length) const {
  VectorXd w(n_v_);
  for (int i = 0; i < n_bodies(); ++i) {
    const int n_rigid = bodies_[i]->n_rigid();
    if (n_rigid > 0) {
      w.segment<3>(v_offset_[i]).setConstant(1.0 / length);
      w.segment<3>(v_offset_[i] + 3).setOnes();
    }
    w.segment(v_offset_[i] + n_rigid, bodies_[i]->n_elastic()) =
        bodies_[i]->elastic_amplitude() / length;
  }
  return w;
}

}  // namespace solidyn::system
