#include "stability.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <cmath>
#include <optional>

#include "solidyn/base/error.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/forces/set_valued.h"
#include "solidyn/math/dense.h"
#include "solidyn/system/scales.h"
#include "static_tangent.h"

namespace solidyn::analyses {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Rows of G whose part orthogonal to the others is smaller depend on them, as find_redundancy().
constexpr double kDependent = 1e-9;
// A stiffness counts as zero below this part of the largest one: round-off of the eigenvalues ...
constexpr double kRoundOffOfStiffness = 1e-13;
// ... or of what the forces of constraints make on whatever moves: the equilibrium is known to such
// a part.
constexpr double kOfForces = 1e-6;
constexpr double kSymmetric = 1e-9;

// Orthonormal columns: the motions that the constraints G (scaled) allow.
MatrixXd allowed_motions(const MatrixXd& G) {
  const Eigen::Index n = G.cols();
  if (G.rows() == 0) return MatrixXd::Identity(n, n);
  VectorXd norms = G.rowwise().norm();
  for (double& norm : norms)
    if (norm == 0.0) norm = 1.0;
  const math::PivotedQr qr((norms.cwiseInverse().asDiagonal() * G).transpose(), kDependent);
  return qr.Q(n).rightCols(n - qr.rank());
}

// Real parts, and directions of length one in columns.
struct Stiffnesses {
  VectorXd values;
  MatrixXd vectors;
};

Stiffnesses stiffnesses_of(const MatrixXd& K) {
  if ((K - K.transpose()).norm() <= kSymmetric * K.norm()) {
    auto spectrum = math::symmetric_spectrum(MatrixXd(0.5 * (K + K.transpose())));
    return {std::move(spectrum.values), std::move(spectrum.vectors)};
  }
  const auto spectrum = math::general_spectrum(K);
  return {spectrum.values.real(), spectrum.vectors.real().colwise().normalized()};
}

struct Least {
  Stability::Kind kind = Stability::Kind::stable;
  double value = 0.0;
  VectorXd motion;
};

// The least stiffness that counts as negative, else one that counts as zero, else the least. What
// is zero is so for each motion: a light part's stiffness may be less than a heavy one's round-off.
// @param of_zero N/m, of coordinates that move alone
Least least_stiffness(const Stiffnesses& all, const MatrixXd& Z, double round_off,
                      const VectorXd& of_zero) {
  const auto rank = [](Stability::Kind kind) {
    return kind == Stability::Kind::unstable ? 2 : kind == Stability::Kind::neutral ? 1 : 0;
  };
  Least least;
  for (Eigen::Index i = 0; i < all.values.size(); ++i) {
    const VectorXd motion = Z * all.vectors.col(i);
    const double value = all.values[i], zero = round_off + motion.cwiseAbs2().dot(of_zero);
    const auto kind = value < -zero   ? Stability::Kind::unstable
                      : value <= zero ? Stability::Kind::neutral
                                      : Stability::Kind::stable;
    const bool is_less = rank(kind) == rank(least.kind) && value < least.value;
    if (i == 0 || rank(kind) > rank(least.kind) || is_less) least = {kind, value, motion};
  }
  return least;
}

// Of full-mesh bodies, beyond what the small matrix shows.
std::optional<int> hidden_negatives(const system::System& system) {
  int sum = 0;
  for (const bodies::NodalBody* body : system.layout().nodal_bodies()) {
    const std::optional<int> n = body->n_hidden_negatives();
    if (!n) return {};
    sum += *n;
  }
  return sum;
}

// Of set-valued contacts that carry something: what they hold. Against it they act like joints.
// @param forces [n_v] N, adds those on coordinates
MatrixXd held_by_contacts(const system::System& system, const VectorXd& scale, VectorXd& forces) {
  std::vector<VectorXd> rows;
  MatrixXd local;
  for (const forces::ForceIndex f : system.forces()) {
    const forces::SetValued* law = system.force(f).as_set_valued();
    for (int i = 0; law && i < law->n_points(); ++i) {
      const forces::SetValuedPoint point = law->kept(i);
      if (point.force.isZero(0.0)) continue;
      const std::vector<bodies::BodyIndex>* own = law->bodies_of(i);
      const std::vector<int> columns =
          own ? system.layout().velocity_indices(*own) : system.force_columns(f);
      local.setZero(static_cast<Eigen::Index>(columns.size()), 3);
      law->directions(system.kinematics(), i, local);
      const Eigen::Vector3d r = law->axes(system.kinematics(), i).transpose() * point.force;
      for (int d = 0; d < (point.sticks ? 3 : 1); ++d) {
        VectorXd row = VectorXd::Zero(system.layout().n_velocities());
        row(columns) = local.col(d);
        row = row.cwiseProduct(scale.head(row.size())).eval();
        forces += std::abs(r[d]) * row.cwiseAbs();
        if (!row.isZero(0.0)) rows.push_back(std::move(row));
      }
    }
  }
  MatrixXd held(rows.size(), system.layout().n_velocities());
  for (std::size_t i = 0; i < rows.size(); ++i) held.row(static_cast<Eigen::Index>(i)) = rows[i];
  return held;
}

}  // namespace

Stability examine_stability(system::System& system, const system::State& state) {
  Stability result;
  const int n_v = system.layout().n_velocities(), n_l = system.layout().n_constraints();
  const bool is_nothing = n_v == 0 && system.layout().nodal_bodies().empty();
  if (is_nothing || n_v + n_l > kLargestDenseTangent) return result;
  StaticTangent tangent;
  try {
    tangent = compute_static_tangent(system, state);
  } catch (const base::ResourceError&) {
    throw;
  } catch (const base::ComputationError&) {
    return result;
  }
  const std::optional<int> hidden = hidden_negatives(system);
  if (!tangent.matrix.allFinite() || !hidden) return result;
  result.kind = *hidden > 0 ? Stability::Kind::unstable : Stability::Kind::stable;
  if (*hidden > 0) result.description = "a full-mesh body deforms on its own";
  if (n_v == 0) return result;  // bodies that supports alone hold
  const MatrixXd G = tangent.matrix.bottomLeftCorner(n_l, n_v);
  VectorXd of_contacts = VectorXd::Zero(n_v);
  const MatrixXd held = held_by_contacts(system, tangent.scale, of_contacts);
  MatrixXd all(n_l + held.rows(), n_v);
  all << G, held;
  const MatrixXd Z = allowed_motions(all);
  if (Z.cols() == 0) return result;
  const MatrixXd K = Z.transpose() * tangent.matrix.topLeftCorner(n_v, n_v) * Z;
  const VectorXd lambda = state.lambda.cwiseQuotient(tangent.scale.tail(n_l));
  const VectorXd forces =
      G.cwiseAbs().transpose() * lambda.cwiseAbs() + of_contacts;  // N, on coordinates
  const Least least = least_stiffness(
      stiffnesses_of(K), Z, kRoundOffOfStiffness * tangent.matrix.topLeftCorner(n_v, n_v).norm(),
      kOfForces / tangent.length * forces);
  result.stiffness = least.value;
  result.motion = least.motion.cwiseProduct(tangent.scale.head(n_v));
  result.motion /= result.motion.cwiseProduct(increment_weights(system, tangent.length))
                       .lpNorm<Eigen::Infinity>();
  if (least.kind == Stability::Kind::stable || *hidden > 0) return result;
  result.kind = least.kind;
  result.description = describe_motion(
      system, state, result.motion,
      result.kind == Stability::Kind::unstable ? "moves away on its own" : "can move freely");
  return result;
}

}  // namespace solidyn::analyses
