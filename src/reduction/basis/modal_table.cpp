#include "solidyn/reduction/modal_table.h"

#include <fmt/format.h>

#include <cmath>

namespace solidyn::reduction {
namespace {

using Vector6d = Eigen::Matrix<double, 6, 1>;

const char* name(Mode::Kind kind) {
  switch (kind) {
    case Mode::Kind::rigid:
      return "rigid";
    case Mode::Kind::free_free:
      return "free-free";
    case Mode::Kind::static_correction:
      return "static";
    case Mode::Kind::fixed_interface:
      return "fixed";
    case Mode::Kind::constraint:
      return "constraint";
    case Mode::Kind::load_pattern:
      return "load";
  }
  return "";
}

Vector6d body_masses(const InertiaInvariants& inertia) {
  const Eigen::Vector3d c = inertia.first_moment / inertia.mass;
  const Eigen::Matrix3d second = inertia.N00 - inertia.mass * c * c.transpose();
  Vector6d out;
  out.head<3>().setConstant(inertia.mass);
  out.tail<3>() = second.trace() - second.diagonal().array();
  return out;
}

std::string format_masses(const Vector6d& masses) {
  std::string line;
  for (int r = 0; r < 6; ++r) line += fmt::format(" {:10.3e}", masses[r]);
  return line;
}

}  // namespace

Participation compute_participation(const ReducedBody& body) {
  const InertiaInvariants& inertia = body.inertia;
  const Eigen::Vector3d center = inertia.first_moment / inertia.mass;
  const int n = body.n_modes();
  Participation out;
  out.factor.resize(6, n);
  for (int i = 0; i < n; ++i) {
    const Eigen::Matrix3d& N = inertia.N0[i];  // sum m x X^T, whose skew part is sum m x cross X
    const Eigen::Vector3d S = inertia.S.col(i);
    const Eigen::Vector3d about_origin(N(1, 2) - N(2, 1), N(2, 0) - N(0, 2), N(0, 1) - N(1, 0));
    out.factor.col(i).head<3>() = S;
    out.factor.col(i).tail<3>() = about_origin - center.cross(S);
  }
  out.effective_mass = out.factor.cwiseAbs2() * body.M.diagonal().cwiseInverse().asDiagonal();
  return out;
}

std::string format_modal_table(const ReducedBody& body) {
  const Participation participation = compute_participation(body);
  std::string table = fmt::format(
      "{:>4} {:<10} {:>12} {:>10} {:>8} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}\n"
      "{:>4} {:<10} {:>12} {:>10} {:>8} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}\n",
      "mode", "kind", "frequency", "amplitude", "damping", "mass x", "mass y", "mass z",
      "inertia x", "inertia y", "inertia z", "", "", "Hz", "m", "ratio", "kg", "kg", "kg", "kg m^2",
      "kg m^2", "kg m^2");
  for (int i = 0; i < body.n_modes(); ++i) {
    const double critical = 2.0 * std::sqrt(body.K(i, i) * body.M(i, i));
    const double ratio = critical > 0.0 ? body.D(i, i) / critical : 0.0;
    table += fmt::format("{:>4} {:<10} {:>12.4f} {:>10.3e} {:>8.4f}{}\n", i + 1,
                         name(body.modes[i].kind), body.modes[i].frequency, body.amplitude[i],
                         ratio, format_masses(participation.effective_mass.col(i)));
  }
  table += fmt::format("{:<47}{}\n", "sum of effective masses",
                       format_masses(participation.effective_mass.rowwise().sum()));
  table += fmt::format("{:<47}{}\n", "body", format_masses(body_masses(body.inertia)));
  return table;
}

}  // namespace solidyn::reduction
