#include "reduction/basis/constraint_modes.h"

#include <fmt/format.h>

#include "solidyn/math/dense.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::string list_interfaces(const FreeBody& body) {
  std::string names;
  for (const mesh::Interface& interface : body.interfaces)
    names += fmt::format("{}`{}`", names.empty() ? "" : ", ", interface.name);
  return names;
}

}  // namespace

ConstraintModes make_constraint_modes(const FreeBody& body, const MultiVector& F,
                                      const MultiVector& U) {
  constexpr double kDependent = 1e-11;  // of the largest pivot, all frame motions on one scale
  const Pencil& pencil = body.pencil;
  const Index m = F.cols();
  const MatrixXd G = inner_products(pencil.comm, F, U);
  const MatrixXd R = inner_products(pencil.comm, F, pencil.rigid);
  const VectorXd scale = G.diagonal().cwiseSqrt().cwiseInverse();
  MatrixXd R_scaled = scale.asDiagonal() * R;
  const VectorXd rigid_scale = R_scaled.colwise().norm().cwiseInverse();
  R_scaled *= rigid_scale.asDiagonal();
  MatrixXd A = MatrixXd::Zero(m + 6, m + 6);
  A.topLeftCorner(m, m) = 0.5 * scale.asDiagonal() * (G + G.transpose()) * scale.asDiagonal();
  A.topRightCorner(m, 6) = R_scaled;
  A.bottomLeftCorner(6, m) = R_scaled.transpose();

  const math::FullLuFactor lu(A, kDependent);
  if (!lu.is_invertible())
    throw base::InputError(
        fmt::format(
            "the motions of the interfaces {} are linearly dependent: no constraint mode can move one with the others fixed",
            list_interfaces(body)),
        "remove the interface that shares nodes with another, or use static_correction, which removes linearly dependent modes");
  MatrixXd rhs = MatrixXd::Zero(m + 6, m);
  rhs.topRows(m) = scale.asDiagonal();
  const MatrixXd solution = lu.solve(rhs);
  ConstraintModes modes;
  modes.stiffness = scale.asDiagonal() * solution.topRows(m);
  modes.vectors =
      U * modes.stiffness + pencil.rigid * (rigid_scale.asDiagonal() * solution.bottomRows(6));
  return modes;
}

}  // namespace solidyn::reduction
