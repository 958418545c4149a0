#include "static_tangent.h"

#include <fmt/format.h>

#include <cmath>

#include "solidyn/bodies/nodal_body.h"
#include "solidyn/math/dense.h"
#include "solidyn/solvers/block_matrix.h"
#include "solidyn/system/scales.h"

namespace solidyn::analyses {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Vector6 = Eigen::Matrix<double, 6, 1>;

// A component smaller than this fraction of the motion is not reported.
constexpr double kUntold = 0.05;
// A body that has less of the motion is not named.
constexpr double kUnnamed = 0.1;

std::string shown(const Vector3d& v) {
  const Vector3d u = v.normalized();
  const auto clean = [](double x) { return std::abs(x) < 0.005 ? 0.0 : x; };
  return fmt::format("({:.2g}, {:.2g}, {:.2g})", clean(u.x()), clean(u.y()), clean(u.z()));
}

// The rigid motion [v; w] (W) of a body in a motion of its unknowns; zero when it is not known.
Vector6 rigid_motion(const system::System& system, const system::State& state, bodies::BodyIndex b,
                     const VectorXd& of_body) {
  if (system.body(b).n_rigid() > 0) {
    const int at = system.layout().configuration_offset(b);
    const Eigen::Quaterniond R_WB(state.q[at + 3], state.q[at + 4], state.q[at + 5],
                                  state.q[at + 6]);
    Vector6 motion = of_body.head<6>();  // w is in the body's axes
    motion.tail<3>() = R_WB * of_body.segment<3>(3);
    return motion;
  }
  const auto n_nodal = static_cast<int>(system.layout().nodal_bodies().size());
  int nodal = 0;
  while (nodal < n_nodal && system.layout().body_of_nodal(nodal) != b) ++nodal;
  if (nodal == n_nodal) return Vector6::Zero();  // internal coordinates of a superelement
  const MatrixXd ports =
      system.layout().nodal_bodies()[nodal]->rigid_port_velocities(state.nodal[nodal]);
  if (ports.norm() == 0.0) return Vector6::Zero();  // a body with supports
  return math::solve_symmetric(ports.transpose() * ports, VectorXd(ports.transpose() * of_body));
}

std::string sentence(const std::string& body, const Vector6& motion, double length,
                     const std::string& does) {
  const Vector3d v = motion.head<3>(), w = length * motion.tail<3>();
  const double untold = kUntold * (v.norm() + w.norm());
  std::string text = fmt::format("body `{}` {}", body, does);
  if (v.norm() > untold) text += " along " + shown(v);
  if (w.norm() > untold)
    text += fmt::format("{} about {}", v.norm() > untold ? " and rotate" : ", turning", shown(w));
  return text;
}

}  // namespace

StaticTangent compute_static_tangent(system::System& system, const system::State& state) {
  StaticTangent tangent;
  system.update(state);
  tangent.length = characteristic_length(system);
  const VectorXd weights = increment_weights(system, tangent.length);
  system::System::TangentOptions options;
  options.coefficients = {0.0, 0.0, 1.0};
  solvers::BlockMatrix matrix;
  system.set_pattern(matrix);
  system.renew_tangents();
  const double stiffness = largest_stiffness(system, tangent.length);
  VectorXd r, phi;
  system.compute_residual(state, r, phi);
  system.assemble(state, options, matrix);
  tangent.scale.resize(system.layout().n_unknowns());
  tangent.scale.head(system.layout().n_velocities()) = weights.cwiseInverse() / tangent.length;
  tangent.scale.tail(system.layout().n_constraints())
      .setConstant(stiffness > 0.0 ? stiffness : 1.0);
  tangent.matrix =
      tangent.scale.asDiagonal() * MatrixXd(matrix.sparse()) * tangent.scale.asDiagonal();
  return tangent;
}

std::string describe_motion(const system::System& system, const system::State& state,
                            const VectorXd& motion, const std::string& does) {
  const double length = characteristic_length(system);
  const VectorXd sizes = motion.cwiseProduct(increment_weights(system, length));
  for (const bodies::BodyIndex b : system.bodies()) {
    const int n = system.body(b).n_velocities(), offset = system.layout().velocity_offset(b);
    if (n == 0 || sizes.segment(offset, n).norm() < kUnnamed * sizes.norm()) continue;
    const Vector6 rigid = rigid_motion(system, state, b, motion.segment(offset, n));
    return sentence(system.body(b).name(), rigid, length, does);
  }
  return "";
}

}  // namespace solidyn::analyses
