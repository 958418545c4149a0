#include "solidyn/analyses/state_space.h"

#include <fmt/format.h>

#include "solidyn/math/dense.h"

namespace solidyn::analyses {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using system::Linearisation;

// Columns of what the motion is at z and i: x = by_z z + by_i i, and so on.
struct Response {
  MatrixXd by_z, by_i;
};

std::vector<std::string> numbered(const char* letter, int n) {
  std::vector<std::string> names;
  names.reserve(n);
  for (int i = 0; i < n; ++i) names.push_back(fmt::format("{}{}", letter, i + 1));
  return names;
}

void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

class Builder {
 public:
  Builder(const Linearisation& l, const MinimalCoordinates& m, const DrivenMotions& d,
          const LinearInputs& inputs)
      : l_(l),
        m_(m),
        d_(d),
        n_f_(static_cast<Index>(inputs.force_names.size())),
        n_z_(m.n_y() + m.n_u() + d.n_m() + d.n_r()),
        n_i_(n_f_ + d.n_r()),
        forces_(MatrixXd::Zero(m.N.rows(), n_i_)) {
    if (n_f_ > 0) forces_.leftCols(n_f_) = inputs.forces;
  }

  const MatrixXd& A() const { return dz_.by_z; }
  const MatrixXd& B() const { return dz_.by_i; }

  void build() {
    set_positions_and_velocities();
    // x'' = P u' + rest with y'' = Z u' + ddy
    const Response ddy = times(m_.C, dy_, of_r(d_.by_m * d_.S), of_dr(d_.by_r));
    Response rest = times(m_.N, ddy, of_r(2.0 * d_.dU * d_.S), of_dr(d_.U * d_.S));
    rest.by_z += 2.0 * m_.dN * dy_.by_z + of_y(m_.ddN) + of_m(d_.ddU);

    const math::LuFactor mass(m_.M);
    const auto rate = [&](const MatrixXd& a, const MatrixXd& v, const MatrixXd& q) {
      return MatrixXd(m_.L.transpose() * (-l_.M * a - l_.D * v - l_.K * q));
    };
    Response du{rate(rest.by_z, dx_.by_z, x_.by_z),
                rate(rest.by_i, dx_.by_i, x_.by_i) + m_.L.transpose() * forces_};
    if (m_.n_u() > 0) du = {mass.solve(du.by_z), mass.solve(du.by_i)};
    ddx_ = {rest.by_z + m_.P * du.by_z, rest.by_i + m_.P * du.by_i};
    set_rates(du);
    set_multipliers();
  }

  MatrixXd C(const LinearOutputs& o) const {
    return o.by_x * x_.by_z + o.by_dx * dx_.by_z + o.by_ddx * ddx_.by_z + o.by_mu * mu_.by_z;
  }
  MatrixXd D(const LinearOutputs& o) const {
    MatrixXd by_i =
        o.by_x * x_.by_i + o.by_dx * dx_.by_i + o.by_ddx * ddx_.by_i + o.by_mu * mu_.by_i;
    by_i.leftCols(o.by_force.cols()) += o.by_force;
    return by_i;
  }

 private:
  // The columns of z = [y; u; m; r] and of the inputs [f; r'] that a part of them has.
  MatrixXd of_z(Index at, const MatrixXd& columns) const {
    MatrixXd all = MatrixXd::Zero(columns.rows(), n_z_);
    all.middleCols(at, columns.cols()) = columns;
    return all;
  }
  MatrixXd of_y(const MatrixXd& columns) const { return of_z(0, columns); }
  MatrixXd of_u(const MatrixXd& columns) const { return of_z(m_.n_y(), columns); }
  MatrixXd of_m(const MatrixXd& columns) const { return of_z(m_.n_y() + m_.n_u(), columns); }
  MatrixXd of_r(const MatrixXd& columns) const { return of_z(n_z_ - d_.n_r(), columns); }
  MatrixXd of_dr(const MatrixXd& columns) const {
    MatrixXd all = MatrixXd::Zero(columns.rows(), n_i_);
    all.rightCols(d_.n_r()) = columns;
    return all;
  }
  static Response times(const MatrixXd& matrix, const Response& of, const MatrixXd& more_by_z,
                        const MatrixXd& more_by_i) {
    return {matrix * of.by_z + more_by_z, matrix * of.by_i + more_by_i};
  }

  void set_positions_and_velocities() {
    const MatrixXd none = MatrixXd::Zero(m_.N.rows(), n_i_);
    x_ = {of_y(m_.N) + of_m(d_.U), none};
    dy_ = {of_y(m_.C) + of_u(m_.Z) + of_m(d_.by_m) + of_r(d_.by_r), MatrixXd::Zero(m_.n_y(), n_i_)};
    dx_ = times(m_.N, dy_, of_y(m_.dN) + of_m(d_.dU) + of_r(d_.U * d_.S), none);
  }

  void set_rates(const Response& du) {
    dz_ = {MatrixXd::Zero(n_z_, n_z_), MatrixXd::Zero(n_z_, n_i_)};
    dz_.by_z.topRows(m_.n_y()) = dy_.by_z;
    dz_.by_z.middleRows(m_.n_y(), m_.n_u()) = du.by_z;
    dz_.by_i.middleRows(m_.n_y(), m_.n_u()) = du.by_i;
    dz_.by_z.middleRows(m_.n_y() + m_.n_u(), d_.n_m()) = of_r(d_.S);
    dz_.by_i.bottomRightCorner(d_.n_r(), d_.n_r()).setIdentity();
  }

  // B mu = f - M x'' - D x' - K x, which has a solution on all motions that solve the equations.
  void set_multipliers() {
    mu_ = {MatrixXd::Zero(l_.B.cols(), n_z_), MatrixXd::Zero(l_.B.cols(), n_i_)};
    if (l_.B.cols() == 0) return;
    const math::PivotedQr qr{MatrixXd(l_.B)};
    mu_.by_z = qr.solve(-(l_.M * ddx_.by_z + l_.D * dx_.by_z + l_.K * x_.by_z));
    mu_.by_i = qr.solve(forces_ - (l_.M * ddx_.by_i + l_.D * dx_.by_i + l_.K * x_.by_i));
  }

  const Linearisation& l_;
  const MinimalCoordinates& m_;
  const DrivenMotions& d_;
  Index n_f_, n_z_, n_i_;
  MatrixXd forces_;
  Response x_, dy_, dx_, ddx_, mu_, dz_;
};

}  // namespace

StateSpace make_state_space(const Linearisation& l, const MinimalCoordinates& m,
                            const DrivenMotions& driven, const LinearInputs& inputs,
                            const LinearOutputs& outputs) {
  Builder builder(l, m, driven, inputs);
  builder.build();
  StateSpace s;
  s.A = builder.A();
  s.B = builder.B();
  s.C = builder.C(outputs);
  s.D = builder.D(outputs);
  append(s.states, numbered("y", m.n_y()));
  append(s.states, numbered("u", m.n_u()));
  append(s.inputs, inputs.force_names);
  for (const LinearInputs::Motion& motion : inputs.motions) {
    if (!l.is_rate[motion.row]) s.states.push_back(motion.name);
    s.inputs.push_back(motion.name + ".acceleration");
  }
  for (const LinearInputs::Motion& motion : inputs.motions)
    s.states.push_back(motion.name + ".rate");
  for (const Sensor::Column& column : outputs.columns) s.outputs.push_back(column.name);
  return s;
}

}  // namespace solidyn::analyses
