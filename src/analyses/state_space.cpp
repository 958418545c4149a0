#include "solidyn/analyses/state_space.h"

#include <fmt/format.h>

#include "solidyn/base/error.h"

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
  for (int i = 0; i < n; ++i) names.push_back(fmt::format("{}{}", letter, i + 1));
  return names;
}

void append(std::vector<std::string>& list, const std::vector<std::string>& more,
            const char* suffix = "") {
  for (const std::string& name : more) list.push_back(name + suffix);
}

class Builder {
 public:
  Builder(const Linearisation& l, const MinimalCoordinates& m, const LinearInputs& inputs)
      : l_(l),
        m_(m),
        n_y_(m.n_y()),
        n_u_(m.n_u()),
        n_f_(static_cast<Index>(inputs.force_names.size())),
        n_m_(static_cast<Index>(inputs.motion_names.size())),
        forces_(inputs.forces),
        U_(n_m_ > 0 ? smallest_motion(l, inputs.motions) : MatrixXd(m.N.rows(), 0)) {
    if (n_f_ == 0) forces_.resize(m.N.rows(), 0);
  }

  MatrixXd A() const { return dz_.by_z; }
  MatrixXd B() const { return dz_.by_i; }

  void build() {
    const Index n = n_y_ + n_u_ + 2 * n_m_, n_i = n_f_ + n_m_;
    x_ = {MatrixXd::Zero(rows(), n), MatrixXd::Zero(rows(), n_i)};
    dx_ = ddx_ = x_;
    x_.by_z << m_.N, MatrixXd::Zero(rows(), n_u_), U_, MatrixXd::Zero(rows(), n_m_);
    dx_.by_z << m_.Q, m_.P, MatrixXd::Zero(rows(), n_m_), U_;
    // x'' = P u' + R y' + ddN y + U m'' with y' = Z u + C y
    const MatrixXd R = m_.N * m_.C + 2.0 * m_.dN;
    Response rest{MatrixXd::Zero(rows(), n), MatrixXd::Zero(rows(), n_i)};
    rest.by_z.leftCols(n_y_) = R * m_.C + m_.ddN;
    rest.by_z.middleCols(n_y_, n_u_) = R * m_.Z;
    rest.by_i.rightCols(n_m_) = U_;

    const Eigen::PartialPivLU<MatrixXd> mass(m_.M);
    const auto rate = [&](const MatrixXd& a, const MatrixXd& v, const MatrixXd& q,
                          const MatrixXd& f) {
      return MatrixXd(mass.solve(m_.L.transpose() * (f - l_.M * a - l_.D * v - l_.K * q)));
    };
    MatrixXd applied = MatrixXd::Zero(rows(), n_i);
    applied.leftCols(n_f_) = forces_;
    const Response du{rate(rest.by_z, dx_.by_z, x_.by_z, MatrixXd::Zero(rows(), n)),
                      rate(rest.by_i, dx_.by_i, x_.by_i, applied)};
    ddx_ = {rest.by_z + m_.P * du.by_z, rest.by_i + m_.P * du.by_i};
    set_rates(du);
    set_multipliers(applied);
  }

  MatrixXd C(const LinearOutputs& o) const {
    return o.by_x * x_.by_z + o.by_dx * dx_.by_z + o.by_ddx * ddx_.by_z + o.by_mu * mu_.by_z;
  }
  MatrixXd D(const LinearOutputs& o) const {
    return o.by_x * x_.by_i + o.by_dx * dx_.by_i + o.by_ddx * ddx_.by_i + o.by_mu * mu_.by_i;
  }

 private:
  Index rows() const { return m_.N.rows(); }

  void set_rates(const Response& du) {
    const Index n = n_y_ + n_u_ + 2 * n_m_, n_i = n_f_ + n_m_;
    dz_ = {MatrixXd::Zero(n, n), MatrixXd::Zero(n, n_i)};
    dz_.by_z.topLeftCorner(n_y_, n_y_) = m_.C;
    dz_.by_z.block(0, n_y_, n_y_, n_u_) = m_.Z;
    dz_.by_z.middleRows(n_y_, n_u_) = du.by_z;
    dz_.by_i.middleRows(n_y_, n_u_) = du.by_i;
    dz_.by_z.block(n_y_ + n_u_, n_y_ + n_u_ + n_m_, n_m_, n_m_).setIdentity();
    dz_.by_i.bottomRightCorner(n_m_, n_m_).setIdentity();
  }

  // B mu = f - M x'' - D x' - K x, which has a solution on all motions that solve the equations.
  void set_multipliers(const MatrixXd& applied) {
    const Eigen::ColPivHouseholderQR<MatrixXd> qr{MatrixXd(l_.B)};
    mu_.by_z = qr.solve(MatrixXd(-(l_.M * ddx_.by_z + l_.D * dx_.by_z + l_.K * x_.by_z)));
    mu_.by_i = qr.solve(MatrixXd(applied - (l_.M * ddx_.by_i + l_.D * dx_.by_i + l_.K * x_.by_i)));
  }

  const Linearisation& l_;
  const MinimalCoordinates& m_;
  Index n_y_, n_u_, n_f_, n_m_;
  MatrixXd forces_, U_;
  Response x_, dx_, ddx_, mu_, dz_;
};

}  // namespace

StateSpace make_state_space(const Linearisation& l, const MinimalCoordinates& m,
                            const LinearInputs& inputs, const LinearOutputs& outputs) {
  Builder builder(l, m, inputs);
  builder.build();
  StateSpace s;
  s.A = builder.A();
  s.B = builder.B();
  s.C = builder.C(outputs);
  s.D = builder.D(outputs);
  append(s.states, numbered("y", m.n_y()));
  append(s.states, numbered("u", m.n_u()));
  append(s.states, inputs.motion_names);
  append(s.states, inputs.motion_names, ".rate");
  append(s.inputs, inputs.force_names);
  append(s.inputs, inputs.motion_names, ".acceleration");
  for (const Sensor::Column& column : outputs.columns) s.outputs.push_back(column.name);
  return s;
}

}  // namespace solidyn::analyses
