#include "integrators/acceleration_forecast.h"

#include <algorithm>
#include <cmath>

#include "bodies/nearest_rotation.h"
#include "integrators/implicit_stage.h"
#include "integrators/vector_copy.h"
#include "solidyn/base/mpi.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/math/dense.h"

namespace solidyn::integrators {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Changes are alike in direction where their Gram matrix of unit vectors is that near to singular.
constexpr double kAlike = 1e-10;
// A forecast may be so many times as large as the largest change that it is made of.
constexpr double kGrowth = 1.5;

double dot(const std::vector<base::Vec>& a, const std::vector<base::Vec>& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    PetscScalar product = 0.0;
    SOLIDYN_PETSC(VecDot(a[k], b[k], &product));
    sum += product;
  }
  return sum;
}

void turn(const std::vector<Matrix3d>& Q, std::vector<base::Vec>& nodal) {
  for (std::size_t k = 0; k < nodal.size(); ++k) {
    PetscInt n = 0;
    PetscScalar* values = nullptr;
    SOLIDYN_PETSC(VecGetLocalSize(nodal[k], &n));
    SOLIDYN_PETSC(VecGetArray(nodal[k], &values));
    Eigen::Map<Eigen::Matrix3Xd> nodes(values, 3, n / 3);
    for (Eigen::Index i = 0; i < nodes.cols(); ++i) nodes.col(i) = (Q[k] * nodes.col(i)).eval();
    SOLIDYN_PETSC(VecRestoreArray(nodal[k], &values));
  }
}

int first_velocity(const system::System& system, std::size_t k) {
  return system.layout().velocity_offset(system.layout().body_of_nodal(static_cast<int>(k)));
}

// From the drawn place, by the polar decomposition of sum x (X - C)^T over the nodes; of a body
// with a frame of its own none. Collective; the same on all ranks.
Matrix3d mean_rotation(const bodies::NodalBody& body, ::Vec u) {
  if (body.n_rigid() > 0) return Matrix3d::Identity();
  const mesh::DistributedMesh& mesh = body.mesh();
  const auto X = mesh.x.leftCols(mesh.n_owned);
  const PetscScalar* values = nullptr;
  SOLIDYN_PETSC(VecGetArrayRead(u, &values));
  const Eigen::Map<const Eigen::Matrix3Xd> moved(values, 3, mesh.n_owned);
  Eigen::Matrix<double, 3, 5> sums;
  sums.leftCols<3>() = (X + moved) * X.transpose();
  sums.col(3) = (X + moved).rowwise().sum();
  sums.col(4) = X.rowwise().sum();
  SOLIDYN_PETSC(VecRestoreArrayRead(u, &values));
  base::sum_in_place(mesh.comm, sums.data(), static_cast<int>(sums.size()));
  return bodies::nearest_rotation(sums.leftCols<3>() -
                                  sums.col(3) * sums.col(4).transpose() /
                                      static_cast<double>(mesh.n_global_nodes));
}

}  // namespace

// Of changes by those before them, over all that are known.
VectorXd AccelerationForecast::fit() const {
  const auto n = static_cast<Eigen::Index>(changes_.size()), n_terms = n / 2;
  if (n_terms == 0) return {};
  MatrixXd gram(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j <= i; ++j)
      gram(i, j) = gram(j, i) = dot(changes_[i].nodal, changes_[j].nodal);
  MatrixXd normal = MatrixXd::Zero(n_terms, n_terms);
  VectorXd with = VectorXd::Zero(n_terms);
  for (Eigen::Index k = 0; k + n_terms < n; ++k) {
    normal += gram.block(k + 1, k + 1, n_terms, n_terms);
    with += gram.block(k + 1, k, n_terms, 1);
  }
  const VectorXd scale = normal.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const math::LeastSquares least_squares(scale.asDiagonal() * normal * scale.asDiagonal(), kAlike);
  return scale.asDiagonal() * least_squares.solve(scale.cwiseProduct(with));
}

void AccelerationForecast::replace(const system::System& system, const system::State& before,
                                   double h, VectorXd& small, std::vector<base::Vec>& nodal) {
  const auto& bodies = system.layout().nodal_bodies();
  std::vector<Matrix3d> R(bodies.size()), Q(bodies.size(), Matrix3d::Identity());
  for (std::size_t k = 0; k < bodies.size(); ++k)
    R[k] = mean_rotation(*bodies[k], before.nodal[k].u);
  is_used_ =
      std::abs(h - step_) <= ImplicitStage::kSameStep * h && before_.small.size() == small.size();
  step_ = h;
  if (!is_used_) {
    changes_.clear();
    before_ = {small, copies(nodal)};
    R_ = std::move(R);
    return;
  }
  for (std::size_t k = 0; k < bodies.size(); ++k) Q[k] = R[k] * R_[k].transpose();
  R_ = std::move(R);
  turn(Q, before_.nodal);
  for (Accelerations& change : changes_) turn(Q, change.nodal);
  // before_ becomes the last change, and is then the present.
  Accelerations change = std::move(before_);
  before_ = {small, copies(nodal)};
  change.small = small - change.small;
  for (std::size_t k = 0; k < nodal.size(); ++k) {
    SOLIDYN_PETSC(VecAYPX(change.nodal[k], -1.0, nodal[k]));
    if (bodies[k]->n_rigid() == 0) continue;
    // Nothing says how conditions on its frame would let what is continued grow.
    SOLIDYN_PETSC(VecZeroEntries(change.nodal[k]));
    change.small.segment(first_velocity(system, k), bodies[k]->n_rigid()).setZero();
  }
  changes_.push_front(std::move(change));
  if (changes_.size() > kMost) changes_.pop_back();
  const VectorXd c = fit();
  double largest = 0.0, largest_small = 0.0;
  for (const Accelerations& one : changes_) {
    largest = std::max(largest, dot(one.nodal, one.nodal));
    largest_small = std::max(largest_small, one.small.squaredNorm());
  }
  Accelerations next{VectorXd::Zero(small.size()), copies(nodal)};
  for (base::Vec& v : next.nodal) SOLIDYN_PETSC(VecZeroEntries(v));
  for (Eigen::Index j = 0; j < c.size(); ++j) {
    next.small += c[j] * changes_[j].small;
    for (std::size_t k = 0; k < nodal.size(); ++k)
      SOLIDYN_PETSC(VecAXPY(next.nodal[k], c[j], changes_[j].nodal[k]));
  }
  if (dot(next.nodal, next.nodal) <= kGrowth * kGrowth * largest &&
      next.small.squaredNorm() <= kGrowth * kGrowth * largest_small) {
    small += next.small;
    for (std::size_t k = 0; k < nodal.size(); ++k)
      SOLIDYN_PETSC(VecAXPY(nodal[k], 1.0, next.nodal[k]));
  }
  turn(Q, nodal);
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    // Round-off that no correction reaches would be continued too, and grow without bound.
    bodies[k]->make_admissible(nodal[k]);
    small.segment(first_velocity(system, k) + bodies[k]->n_rigid(), bodies[k]->n_elastic()) =
        bodies[k]->ports_of(nodal[k]);
  }
}

}  // namespace solidyn::integrators
