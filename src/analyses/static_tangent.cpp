#include "static_tangent.h"

#include <fmt/format.h>

#include <cmath>

namespace solidyn::analyses {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Vector6 = Eigen::Matrix<double, 6, 1>;

// A component smaller than this part of the motion is not told.
constexpr double kUntold = 0.05;
// A body that has less of the motion is not named.
constexpr double kUnnamed = 0.1;

std::string shown(const Vector3d& v) {
  const Vector3d u = v.normalized();
  const auto clean = [](double x) { return std::abs(x) < 0.005 ? 0.0 : x; };
  return fmt::format("({:.2g}, {:.2g}, {:.2g})", clean(u.x()), clean(u.y()), clean(u.z()));
}

// The rigid motion [v; w] (W) of a body in a motion of its unknowns; zero when it is not known.
Vector6 rigid_motion(const system::System& system, const system::State& state, int b,
                     const VectorXd& of_body) {
  if (system.body(b).n_rigid() > 0) {
    const int at = system.configuration_offset(b);
    const Eigen::Quaterniond R_WB(state.q[at + 3], state.q[at + 4], state.q[at + 5],
                                  state.q[at + 6]);
    Vector6 motion = of_body.head<6>();  // w is in the body's axes
    motion.tail<3>() = R_WB * of_body.segment<3>(3);
    return motion;
  }
  const auto n_nodal = static_cast<int>(system.nodal_bodies().size());
  int nodal = 0;
  while (nodal < n_nodal && system.body_of_nodal(nodal) != b) ++nodal;
  if (nodal == n_nodal) return Vector6::Zero();  // internal coordinates of a superelement
  const MatrixXd ports = system.nodal_bodies()[nodal]->rigid_port_velocities(state.nodal[nodal]);
  if (ports.norm() == 0.0) return Vector6::Zero();  // a body with supports
  return (ports.transpose() * ports).ldlt().solve(ports.transpose() * of_body);
}

std::string sentence(const std::string& body, const Vector6& motion, double length,
                     const std::string& does) {
  const Vector3d v = motion.head<3>(), w = length * motion.tail<3>();
  const double untold = kUntold * (v.norm() + w.norm());
  std::string text = fmt::format("body `{}` {}", body, does);
  if (v.norm() > untold) text += " along " + shown(v);
  if (w.norm() > untold)
    text += fmt::format("{} about {}", v.norm() > untold ? " and turn" : ", turning", shown(w));
  return text;
}

}  // namespace

StaticTangent compute_static_tangent(system::System& system, const system::State& state) {
  StaticTangent tangent;
  system.update(state);
  tangent.length = system.characteristic_length();
  const VectorXd weights = system.increment_weights(tangent.length);
  system::System::TangentOptions options;
  options.coefficients = {0.0, 0.0, 1.0};
  solvers::BlockMatrix matrix;
  system.set_pattern(matrix);
  system.renew_tangents();
  const double stiffness = system.largest_stiffness(tangent.length);
  VectorXd r, phi;
  system.compute_residual(state, r, phi);
  system.assemble(state, options, matrix);
  tangent.scale.resize(system.n_unknowns());
  tangent.scale.head(system.n_velocities()) = weights.cwiseInverse() / tangent.length;
  tangent.scale.tail(system.n_constraints()).setConstant(stiffness > 0.0 ? stiffness : 1.0);
  tangent.matrix =
      tangent.scale.asDiagonal() * MatrixXd(matrix.sparse()) * tangent.scale.asDiagonal();
  return tangent;
}

std::string describe_motion(const system::System& system, const system::State& state,
                            const VectorXd& motion, const std::string& does) {
  const double length = system.characteristic_length();
  const VectorXd sizes = motion.cwiseProduct(system.increment_weights(length));
  for (int b = 0; b < system.n_bodies(); ++b) {
    const int n = system.body(b).n_velocities(), offset = system.velocity_offset(b);
    if (n == 0 || sizes.segment(offset, n).norm() < kUnnamed * sizes.norm()) continue;
    const Vector6 rigid = rigid_motion(system, state, b, motion.segment(offset, n));
    return sentence(system.body(b).name(), rigid, length, does);
  }
  return "";
}

}  // namespace solidyn::analyses
