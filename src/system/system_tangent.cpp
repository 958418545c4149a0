// The iteration matrix, block by block.
#include <algorithm>
#include <cmath>

#include "solidyn/base/log_stage.h"
#include "solidyn/bodies/element_body.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/bodies/superelement.h"
#include "solidyn/solvers/block_matrix.h"
#include "solidyn/system/system.h"

namespace solidyn::system {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void System::set_coefficients(const bodies::TangentCoefficients& coefficients) {
  for (const auto& body : bodies_) body->set_coefficients(coefficients);
}

bool System::turn_tangents() {
  bool has_changed = false;
  for (std::size_t k = 0; k < layout_.nodal_bodies().size(); ++k)
    has_changed |=
        layout_.nodal_bodies()[k]->turn_tangent(kinematics_.bodies[layout_.body_of_nodal(k)]);
  return has_changed;
}

bool System::renew_tangents() {
  bool has_changed = false;
  for (std::size_t k = 0; k < layout_.nodal_bodies().size(); ++k)
    has_changed |=
        layout_.nodal_bodies()[k]->renew_tangent(kinematics_.bodies[layout_.body_of_nodal(k)]);
  return has_changed;
}

// Blocks in order: of bodies, one each or one per element; then per constraint its stiffness, G and
// G^T; then per force its tangent and what it has from multipliers; then the parts of forces.
void System::set_pattern(solvers::BlockMatrix& matrix) const {
  std::vector<solvers::BlockIndices> blocks;
  for (const std::vector<int>& columns : block_columns_) blocks.push_back({columns, columns});
  for (const ConstraintIndex c : constraints_.indices()) {
    std::vector<int> rows(constraints_[c]->n_rows());
    for (std::size_t k = 0; k < rows.size(); ++k)
      rows[k] = layout_.n_velocities() + layout_.constraint_offset(c) + static_cast<int>(k);
    blocks.push_back({columns_[c], columns_[c]});
    blocks.push_back({rows, columns_[c]});
    blocks.push_back({columns_[c], rows});
  }
  for (const ForceIndex k : forces_.indices()) {
    blocks.push_back({force_columns_[k], force_columns_[k]});
    blocks.push_back({force_columns_[k], force_rows_[k]});
  }
  for (const Part& part : parts_) blocks.push_back({part.columns, part.columns});
  matrix.set_pattern(layout_.n_unknowns(), blocks, pattern_version_);
}

// The blocks of bodies' tangents, one after the other.
// @param in_plane  asked first of an element: whether that is all of its block
void System::for_body_blocks(const bodies::TangentCoefficients& c, const RotationTangents* turns,
                             const BlockAction& action, const PlaneAction& in_plane) {
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
  auto elements = connectivity_.element_bodies().begin();
  for (const BodyIndex i : bodies_.indices()) {
    const bool has_elements =
        elements != connectivity_.element_bodies().end() && bodies_[i].get() == *elements;
    if (!has_elements) {
      visit(
          [&](auto& J_rate, auto& J_q) {
            bodies_[i]->add_tangent(kinematics_.bodies[i], gravity_, c, J_rate, J_q);
          },
          [&](auto& J_q) { turn_columns(i, *turns, J_q); });
      continue;
    }
    const bodies::ElementBody& body = **elements++;
    for (int e = 0; e < body.n_elements(); ++e) {
      if (in_plane && in_plane(block, body, e)) {
        ++block;
        continue;
      }
      visit([&](auto& J_rate, auto& J_q) { body.add_element_tangent(e, gravity_, c, J_rate, J_q); },
            [&](auto& J_q) {
              if (bodies_[body.nodes().front()]->n_rigid() == 0) return;
              int column = 3;
              for (int node : body.element_nodes(e)) {
                J_q.template middleCols<3>(column) =
                    (J_q.template middleCols<3>(column) * (*turns)[body.nodes()[node]]).eval();
                column += 6;
              }
            });
    }
  }
}

void System::assemble(const State& s, const TangentOptions& o, solvers::BlockMatrix& matrix) {
  const base::LogStage stage(base::Stage::tangent);
  if (matrix.pattern_version() != pattern_version_) set_pattern(matrix);
  matrix.set_zero();
  PlaneAction in_plane;
  if (matrix.may_leave_out())
    in_plane = [&](int block, const bodies::ElementBody& body, int e) {
      bodies::ElementBody::PlaneTangent tangent;
      if (!body.find_plane_tangent(e, gravity_, o.coefficients, tangent)) return false;
      matrix.add_part(block, tangent.at, tangent.J, o.row_scale);
      return true;
    };
  for_body_blocks(
      o.coefficients, o.rotation_tangents,
      [&](int block, Eigen::Ref<MatrixXd> J_rate, Eigen::Ref<MatrixXd> J_q) {
        J_rate += J_q;
        matrix.add_block(block, J_rate, o.row_scale);
      },
      in_plane);
  for (const ConstraintIndex c : constraints_.indices()) {
    const joints::Constraint& constraint = *constraints_[c];
    joints::ConstraintValues& values = values_[c];
    const int width = static_cast<int>(columns_[c].size());
    const int block = static_cast<int>(block_columns_.size()) + 3 * c.value();
    const auto turn = [&](Eigen::Ref<MatrixXd> matrix) {
      if (o.rotation_tangents) turn_columns_of(constraint.bodies(), *o.rotation_tangents, matrix);
    };
    if (o.coefficients.stiffness != 0.0) {
      auto K = K_lambda_.topLeftCorner(width, width);
      K.setZero();
      constraint.add_stiffness(kinematics_, s.t,
                               s.lambda.segment(layout_.constraint_offset(c), constraint.n_rows()),
                               o.coefficients.stiffness, K);
      turn(K);
      matrix.add_block(block, K, o.row_scale);
    }
    matrix.add_block_transposed(block + 2, values.G);
    if (o.rotation_tangents) {
      MatrixXd GT = values.G;
      turn(GT);
      for (int row = 0; row < constraint.n_rows(); ++row)
        if (layout_.is_velocity_level()[layout_.constraint_offset(c) + row])
          GT.row(row) = values.G.row(row);
      matrix.add_block(block + 1, GT);
    } else {
      matrix.add_block(block + 1, values.G);
    }
  }
  assemble_forces(s, o, matrix);
  assemble_parts(s, o, matrix);
  if (o.regularization != 0.0)
    for (int i = 0; i < layout_.n_constraints(); ++i)
      matrix.add_diagonal(layout_.n_velocities() + i, -o.regularization);
}

// Multipliers as unknowns are scaled like the rows of r, so that dr/dlambda is not.
void System::assemble_forces(const State& s, const TangentOptions& o,
                             solvers::BlockMatrix& matrix) {
  const int first_block = first_block_of_forces();
  for (const ForceIndex k : forces_.indices()) {
    const auto n = static_cast<Eigen::Index>(force_columns_[k].size());
    auto J_rate = J_rate_.topLeftCorner(n, n), J_q = J_q_.topLeftCorner(n, n);
    J_rate.setZero();
    J_q.setZero();
    forces_[k]->add_tangent(kinematics_, s.t, o.coefficients, J_rate, J_q);
    if (o.rotation_tangents)
      turn_columns_of(force_columns_[k], *forces_[k], *o.rotation_tangents, J_q);
    J_rate += J_q;
    matrix.add_block(first_block + 2 * k.value(), J_rate, o.row_scale);
    const auto n_rows = static_cast<Eigen::Index>(force_rows_[k].size());
    if (n_rows == 0) continue;
    auto J_lambda = K_lambda_.topLeftCorner(n, n_rows);
    J_lambda.setZero();
    forces_[k]->add_multiplier_tangent(kinematics_, s.t, J_lambda);
    matrix.add_block(first_block + 2 * k.value() + 1, J_lambda);
  }
}

void System::assemble_parts(const State& s, const TangentOptions& o, solvers::BlockMatrix& matrix) {
  int block = first_block_of_parts();
  for (const Part& part : parts_) {
    const auto n = static_cast<Eigen::Index>(part.columns.size());
    auto J_rate = J_rate_.topLeftCorner(n, n), J_q = J_q_.topLeftCorner(n, n);
    J_rate.setZero();
    J_q.setZero();
    part.force->add_tangent(kinematics_, s.t, o.coefficients, J_rate, J_q);
    if (o.rotation_tangents) turn_columns_of(part.force->bodies(), *o.rotation_tangents, J_q);
    J_rate += J_q;
    matrix.add_block(block++, J_rate, o.row_scale);
  }
}

// Of a matrix on these velocities of the force's bodies, all of the rigid ones among them.
void System::turn_columns_of(const Columns& columns, const forces::Force& force,
                             const RotationTangents& tangents, Eigen::Ref<MatrixXd> matrix) const {
  for (const BodyIndex body : force.bodies()) {
    if (bodies_[body]->n_rigid() == 0) continue;
    const auto first = std::find(columns.begin(), columns.end(), layout_.velocity_offset(body) + 3);
    const Eigen::Index column = first - columns.begin();
    matrix.middleCols<3>(column) = (matrix.middleCols<3>(column) * tangents[body]).eval();
  }
}

// Of a matrix on the velocities of these bodies, one after the other.
void System::turn_columns_of(const std::vector<BodyIndex>& bodies, const RotationTangents& tangents,
                             Eigen::Ref<MatrixXd> matrix) const {
  int column = 0;
  for (const BodyIndex body : bodies) {
    if (bodies_[body]->n_rigid() > 0)
      matrix.middleCols<3>(column + 3) = (matrix.middleCols<3>(column + 3) * tangents[body]).eval();
    column += bodies_[body]->n_velocities();
  }
}

// Columns of angular velocities become those of rotation increments.
void System::turn_columns(BodyIndex i, const RotationTangents& tangents,
                          Eigen::Ref<MatrixXd> matrix) const {
  const auto turn = [&](BodyIndex body, int column) {
    matrix.middleCols<3>(column + 3) = (matrix.middleCols<3>(column + 3) * tangents[body]).eval();
  };
  if (bodies_[i]->n_rigid() > 0) turn(i, 0);
  for (std::size_t k = 0; k < connectivity_.superelements().size(); ++k) {
    if (connectivity_.body_of_superelement(k) != i) continue;
    int column = 0;
    for (const BodyIndex carrier : connectivity_.superelements()[k]->carriers()) {
      turn(carrier, column);
      column += 6;
    }
  }
}

void System::visit_tangents(const bodies::TangentCoefficients& c, double t,
                            const TangentVisitor& visitor) {
  for_body_blocks(c, nullptr, [&](int block, const auto& J_rate, const auto& J_q) {
    visitor(block_columns_[block], J_rate, J_q);
  });
  for (const ForceIndex k : forces_.indices()) {
    const auto n = static_cast<Eigen::Index>(force_columns_[k].size());
    auto J_rate = J_rate_.topLeftCorner(n, n), J_q = J_q_.topLeftCorner(n, n);
    J_rate.setZero();
    J_q.setZero();
    forces_[k]->add_tangent(kinematics_, t, c, J_rate, J_q);
    visitor(force_columns_[k], J_rate, J_q);
  }
  for (const Part& part : parts_) {
    const auto n = static_cast<Eigen::Index>(part.columns.size());
    auto J_rate = J_rate_.topLeftCorner(n, n), J_q = J_q_.topLeftCorner(n, n);
    J_rate.setZero();
    J_q.setZero();
    part.force->add_tangent(kinematics_, t, c, J_rate, J_q);
    visitor(part.columns, J_rate, J_q);
  }
}

}  // namespace solidyn::system
