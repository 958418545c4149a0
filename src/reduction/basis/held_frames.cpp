#include "reduction/basis/held_frames.h"

#include "solidyn/math/dense.h"

namespace solidyn::reduction {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// The inverse where G is not rounding. @return its rank
int invert_symmetric(const MatrixXd& G, MatrixXd& inverse) {
  constexpr double kRounding = 1e-13;
  const auto spectrum = math::symmetric_spectrum(MatrixXd(0.5 * (G + G.transpose())));
  const VectorXd& values = spectrum.values;
  const VectorXd inverses = (values.array() > kRounding * values.maxCoeff())
                                .select(values.cwiseInverse(), VectorXd::Zero(values.size()));
  inverse = spectrum.vectors * inverses.asDiagonal() * spectrum.vectors.transpose();
  return static_cast<int>((inverses.array() > 0.0).count());
}

}  // namespace

HeldFrames::HeldFrames(MPI_Comm comm, const MultiVector& F, MultiVector Y)
    : comm_(comm), F_(F), Y_(std::move(Y)) {
  // Metres and radians on one scale.
  const VectorXd scale = inner_products(comm_, F_, Y_).diagonal().cwiseSqrt().cwiseInverse();
  F_ *= scale.asDiagonal();
  Y_ *= scale.asDiagonal();
  n_held_ = invert_symmetric(inner_products(comm_, F_, Y_), stiffness_);
  invert_symmetric(inner_products(comm_, F_, F_), gram_inverse_);
}

void HeldFrames::project(MultiVector& u) const {
  for (int pass = 0; pass < 2; ++pass)
    u.noalias() -= Y_ * (stiffness_ * inner_products(comm_, F_, u));
}

void HeldFrames::project_forces(MultiVector& r) const {
  for (int pass = 0; pass < 2; ++pass)
    r.noalias() -= F_ * (stiffness_ * inner_products(comm_, Y_, r));
}

void HeldFrames::remove_frame_forces(MultiVector& r) const {
  for (int pass = 0; pass < 2; ++pass)
    r.noalias() -= F_ * (gram_inverse_ * inner_products(comm_, F_, r));
}

}  // namespace solidyn::reduction
