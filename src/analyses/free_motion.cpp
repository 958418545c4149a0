#include "free_motion.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>

#include "solidyn/base/error.h"

namespace solidyn::analyses {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Vector6 = Eigen::Matrix<double, 6, 1>;

constexpr int kLargest = 1000;
// Relative to the largest pivot, with all unknowns in lengths and forces of like size.
constexpr double kFree = 1e-11;
// A component smaller than this part of the motion is not told.
constexpr double kUntold = 0.05;

// The tangent of velocities in units of length, and of multipliers in such that G is like it.
MatrixXd scaled_tangent(system::System& system, const system::State& state, const VectorXd& weights,
                        double length) {
  system::System::TangentOptions options;
  options.coefficients = {0.0, 0.0, 1.0};
  const double stiffness = system.largest_stiffness(length);
  solvers::BlockMatrix matrix;
  system.set_pattern(matrix);
  system.renew_tangents();
  VectorXd r, phi;
  system.compute_residual(state, r, phi);
  system.assemble(state, options, matrix);
  VectorXd scale(system.n_unknowns());
  scale.head(system.n_velocities()) = weights.cwiseInverse() / length;
  scale.tail(system.n_constraints()).setConstant(stiffness > 0.0 ? stiffness : 1.0);
  return scale.asDiagonal() * MatrixXd(matrix.sparse()) * scale.asDiagonal();
}

std::string shown(const Vector3d& v) {
  const Vector3d u = v.normalized();
  const auto clean = [](double x) { return std::abs(x) < 0.005 ? 0.0 : x; };
  return fmt::format("({:.2g}, {:.2g}, {:.2g})", clean(u.x()), clean(u.y()), clean(u.z()));
}

// The rigid motion [v; w] of a body in a motion of its unknowns; zero when it is not known.
Vector6 rigid_motion(const system::System& system, const system::State& state, int b,
                     const VectorXd& of_body) {
  if (system.body(b).n_rigid() > 0) return of_body.head<6>();
  const auto n_nodal = static_cast<int>(system.nodal_bodies().size());
  int nodal = 0;
  while (nodal < n_nodal && system.body_of_nodal(nodal) != b) ++nodal;
  if (nodal == n_nodal) return Vector6::Zero();  // internal coordinates of a superelement
  const MatrixXd ports = system.nodal_bodies()[nodal]->rigid_port_velocities(state.nodal[nodal]);
  if (ports.norm() == 0.0) return Vector6::Zero();  // a body with supports
  return (ports.transpose() * ports).ldlt().solve(ports.transpose() * of_body);
}

std::string sentence(const std::string& body, const Vector6& motion, double length) {
  const Vector3d v = motion.head<3>(), w = length * motion.tail<3>();
  const double untold = kUntold * (v.norm() + w.norm());
  std::string text = fmt::format("\n  body `{}` can move freely", body);
  if (v.norm() > untold) text += " along " + shown(v);
  if (w.norm() > untold)
    text += fmt::format("{} about {}", v.norm() > untold ? " and turn" : ", turning", shown(w));
  return text + ": hold it by a support or a joint";
}

}  // namespace

std::string describe_free_motion(system::System& system, const system::State& state) {
  if (system.n_unknowns() == 0 || system.n_unknowns() > kLargest) return "";
  system.update(state);
  const double length = system.characteristic_length();
  const VectorXd weights = system.increment_weights(length);
  MatrixXd K;
  try {
    K = scaled_tangent(system, state, weights, length);
  } catch (const base::ComputationError&) {
    return "";  // where it came to, no tangent can be had
  }
  if (!K.allFinite()) return "";
  Eigen::FullPivLU<MatrixXd> factor(K);
  factor.setThreshold(kFree);
  if (factor.dimensionOfKernel() == 0) return "";
  const MatrixXd kernel = factor.kernel();
  for (Eigen::Index i = 0; i < kernel.cols(); ++i) {
    const VectorXd scaled = kernel.col(i).normalized().head(system.n_velocities());
    if (scaled.norm() < 0.5) continue;  // of redundant constraints
    const VectorXd motion = scaled.cwiseQuotient(weights) / length;
    for (int b = 0; b < system.n_bodies(); ++b) {
      const int n = system.body(b).n_velocities(), offset = system.velocity_offset(b);
      if (n == 0 || scaled.segment(offset, n).norm() < 0.1) continue;
      const Vector6 rigid = rigid_motion(system, state, b, motion.segment(offset, n));
      return sentence(system.body(b).name(), rigid, length);
    }
  }
  return "";
}

}  // namespace solidyn::analyses
