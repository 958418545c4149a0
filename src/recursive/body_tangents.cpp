#include "recursive/body_tangents.h"

#include <array>

#include "recursive/link_sweeps.h"

namespace solidyn::recursive {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::skew;

// Rows [force; torque; modal] by the fields and modes of a body.
struct BodyTangents::Block {
  RowsOfFields by_fields;
  MatrixXd by_q, by_u, by_du;
};

namespace {

// Rows by the fields at a link's origin, as rows by those at the point that is s before it.
RowsOfFields by_fields(const Vector3d& s, const RowsOfFields& M) {
  constexpr std::array<std::array<int, 2>, 6> kPlaces = {{{kField, kPosition},
                                                          {kField + 3, kRotation},
                                                          {kRate, kVelocity},
                                                          {kRate + 3, kTurning},
                                                          {kSecondRate, kAcceleration},
                                                          {kSecondRate + 3, kTurningRate}}};
  const Matrix3d arm = skew(s);
  RowsOfFields out(M.rows(), 18);
  for (const auto [to, from] : kPlaces) out.middleCols<3>(to) = M.middleCols<3>(from);
  for (const int at : {kField, kRate, kSecondRate})
    out.middleCols<3>(at + 3) -= MatrixXd(out.middleCols<3>(at) * arm);
  return out;
}

}  // namespace

BodyTangents::BodyTangents(StepEquations& equations)
    : equations_(equations), tree_(equations.tree()) {
  M_.assign(tree_.links().size(), Rows18::Zero());
  for (const Modes& m : tree_.modes())
    modes_.push_back({Matrix6X::Zero(6, m.n), Matrix6X::Zero(6, m.n), Matrix6X::Zero(6, m.n),
                      RowsOfFields::Zero(m.n, 18), MatrixXd::Zero(m.n, m.n),
                      MatrixXd::Zero(m.n, m.n), MatrixXd::Zero(m.n, m.n)});
}

void BodyTangents::evaluate(const LinkFields& fields, const VectorXd& du,
                            const system::State& state) {
  couplings_.clear();
  for (OfModes& m : modes_)
    for (MatrixXd* block : {&m.own_q, &m.own_u, &m.own_du}) block->setZero();
  for (OfModes& m : modes_) {
    for (Matrix6X* block : {&m.by_q, &m.by_u, &m.by_du}) block->setZero();
    m.rows.setZero();
  }
  const std::vector<Link>& links = tree_.links();
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (links[i].modes < 0) {
      set_rigid(fields, links[i], M_[i]);
      continue;
    }
    M_[i].setZero();
    add_modal(fields, links[i], du);
  }
  visit_forces(equations_, state, [&](const ForceTangent& force) { add(fields, force); });
  visit_elements(equations_, [&](const ForceTangent& element) { add(fields, element); });
  visit_closures(equations_, state,
                 [&](int, const ForceTangent& closure) { add(fields, closure); });
}

// With I and V of the body at the point: all turns with a field, but gravity does not, and rates
// add I (d' x V) + d' x* I V + V x* I d', in which linear rates cancel.
void BodyTangents::set_rigid(const LinkFields& fields, const Link& k, Rows18& M) const {
  const Vector3d s = fields.arm(k), c_k = k.R * k.first_moment, g = equations_.system().gravity();
  const Vector3d a = k.a.head<3>() - g, alpha = k.a.tail<3>();
  Matrix3d J = k.R * k.J * k.R.transpose();
  Vector6d F;
  const Vector3d Jw = J * k.w;
  F << k.mass * a + alpha.cross(c_k) + k.w.cross(k.w.cross(c_k)),
      c_k.cross(a) + J * alpha + k.w.cross(Jw);
  F = force_at_point(F, s);
  const Matrix3d sx = skew(s), cx_k = skew(c_k);
  J -= sx * cx_k + cx_k * sx + k.mass * sx * sx;
  const Vector3d c = c_k + k.mass * s, v = k.v + s.cross(k.w), p = k.mass * v + k.w.cross(c);
  const Matrix3d cx = skew(c), wx = skew(k.w), gx = skew(g);
  M.setZero();
  M.block<3, 3>(3, kField) = -skew(F.head<3>());
  M.block<3, 3>(0, kField + 3) = -skew(F.head<3>()) - k.mass * gx;
  M.block<3, 3>(3, kField + 3) = -skew(F.tail<3>()) - cx * gx;
  M.block<3, 3>(0, kRate + 3) = -2.0 * skew(p);
  M.block<3, 3>(3, kRate + 3) = -2.0 * cx * skew(v) - J * wx - skew(J * k.w) + wx * J;
  M.block<3, 3>(0, kSecondRate).diagonal().setConstant(k.mass);
  M.block<3, 3>(0, kSecondRate + 3) = -cx;
  M.block<3, 3>(3, kSecondRate) = cx;
  M.block<3, 3>(3, kSecondRate + 3) = J;
}

// A force about the moved origin of its body is another one about the point: torque + d x force.
BodyTangents::Block BodyTangents::block_of(const LinkFields& fields, const Link& row,
                                           const Link& column, const MatrixXd* by_a,
                                           const MatrixXd& by_v, const MatrixXd& by_q,
                                           const VectorXd* r, LinearAxes axes) const {
  const MatrixXd at_rest = in_variations(row, column, {0.0, 0.0}, by_a, by_v, by_q, axes),
                 by_speeds = in_variations(row, column, {1.0, 0.0}, by_a, by_v, by_q, axes),
                 by_rates = in_variations(row, column, {0.0, 1.0}, by_a, by_v, by_q, axes);
  const auto n = at_rest.cols() - 18;
  RowsOfFields M = at_rest.leftCols(18);
  if (r) {
    const Vector3d f = axes == LinearAxes::own ? Vector3d(row.R * r->head<3>()) : r->head<3>();
    M.block<3, 3>(3, kRotation) -= skew(row.R * r->segment<3>(3));  // it turns with the body
    M.block<3, 3>(3, kPosition) -= skew(f);
  }
  const Vector3d s = fields.arm(row);
  const auto at_point = [&s](auto&& rows) {
    rows.template middleRows<3>(3) += MatrixXd(skew(s) * rows.template topRows<3>());
  };
  Block block{by_fields(fields.arm(column), M), at_rest.rightCols(n),
              by_speeds.rightCols(n) - at_rest.rightCols(n),
              by_rates.rightCols(n) - at_rest.rightCols(n)};
  at_point(block.by_fields);
  at_point(block.by_q);
  at_point(block.by_u);
  at_point(block.by_du);
  return block;
}

void BodyTangents::add_own(const Link& k, const Block& block) {
  M_[&k - tree_.links().data()] += block.by_fields.topRows<6>();
  if (k.modes < 0) return;
  OfModes& m = modes_[k.modes];
  const auto n = m.rows.rows();
  m.rows += block.by_fields.bottomRows(n);
  m.by_q += block.by_q.topRows<6>();
  m.by_u += block.by_u.topRows<6>();
  m.by_du += block.by_du.topRows<6>();
  m.own_q += block.by_q.bottomRows(n);
  m.own_u += block.by_u.bottomRows(n);
  m.own_du += block.by_du.bottomRows(n);
}

void BodyTangents::add_modal(const LinkFields& fields, const Link& k, const VectorXd& du) {
  Modes& m = tree_.modes()[k.modes];
  const VectorXd a = own_acceleration(tree_, k, du);
  bodies::BodyState state = m.state;
  new (&state.a) Eigen::Map<const VectorXd>(a.data(), a.size());
  const Vector3d gravity = k.R.transpose() * equations_.system().gravity();
  const auto n = a.size();
  MatrixXd by_a = MatrixXd::Zero(n, n), by_v = by_a, by_q = by_a, unused = by_a;
  m.body->add_tangent(state, gravity, {1.0, 0.0, 0.0}, by_a, unused);
  m.body->add_tangent(state, gravity, {0.0, 1.0, 1.0}, by_v, by_q);
  VectorXd force = VectorXd::Zero(n);
  m.body->add_residual(state, gravity, force);
  add_own(k, block_of(fields, k, k, &by_a, by_v, by_q, &force, LinearAxes::own));
}

void BodyTangents::add(const LinkFields& fields, const ForceTangent& t) {
  const std::vector<int> at = places_of(tree_, t);
  for (std::size_t i = 0; i < t.bodies.size(); ++i)
    for (std::size_t j = 0; j < t.bodies.size(); ++j) {
      const Link &row = tree_.link_of(t.bodies[i]), &column = tree_.link_of(t.bodies[j]);
      const int n_i = at[i + 1] - at[i], n_j = at[j + 1] - at[j];
      const VectorXd own = t.r.segment(at[i], n_i);
      MatrixXd by_a;
      if (t.by_a.size() > 0) by_a = t.by_a.block(at[i], at[j], n_i, n_j);
      const Block block =
          block_of(fields, row, column, by_a.size() > 0 ? &by_a : nullptr,
                   t.by_v.block(at[i], at[j], n_i, n_j), t.by_q.block(at[i], at[j], n_i, n_j),
                   i == j ? &own : nullptr, LinearAxes::world);
      if (&row == &column) {
        add_own(row, block);
        continue;
      }
      add_between(row, column, block);
      couplings_.back().has_inertia = by_a.size() > 0;
    }
}

void BodyTangents::add_between(const Link& row, const Link& column, const Block& block) {
  const std::vector<Link>& links = tree_.links();
  const int i = static_cast<int>(&row - links.data()), j = static_cast<int>(&column - links.data());
  int meet = i;
  for (int other = j; meet != other;) {  // parents have lower numbers
    int& last = meet > other ? meet : other;
    last = links[last].parent;
  }
  couplings_.push_back({i, j, meet, block.by_fields, block.by_q, block.by_u});
  if (meet < 0) return;
  M_[meet] += block.by_fields.topRows<6>();
  if (meet == i && row.modes >= 0) {
    RowsOfFields& rows = modes_[row.modes].rows;
    rows += block.by_fields.bottomRows(rows.rows());
  }
  if (meet == j && column.modes >= 0) {
    modes_[column.modes].by_q += block.by_q.topRows<6>();
    modes_[column.modes].by_u += block.by_u.topRows<6>();
  }
}

}  // namespace solidyn::recursive
