#include "reduction/basis/rigid_motion.h"

#include <algorithm>
#include <array>

#include "solidyn/base/mpi.h"
#include "solidyn/elements/visit_element.h"
#include "solidyn/math/dense.h"
#include "solidyn/math/rotation.h"

namespace solidyn::reduction {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;

constexpr int kMonomials = 10;  // 1, x, y, z, xx, yy, zz, xy, yz, zx
using Monomials = Eigen::Matrix<double, kMonomials, 1>;
using Moments = Eigen::Matrix<double, kMonomials, kMonomials>;

Monomials monomials(const Vector3d& x) {
  Monomials p;
  p << 1.0, x, x.cwiseAbs2(), x[0] * x[1], x[1] * x[2], x[2] * x[0];
  return p;
}

// Column j: the coefficients of d p_j / dx_axis in 1, x, y, z.
Eigen::Matrix<double, 4, kMonomials> monomial_derivatives(int axis) {
  Eigen::Matrix<double, 4, kMonomials> D = Eigen::Matrix<double, 4, kMonomials>::Zero();
  D(0, 1 + axis) = 1.0;
  D(1 + axis, 4 + axis) = 2.0;
  for (int k = 0; k < 3; ++k) {
    const int a = k, b = (k + 1) % 3;  // p_(7+k) = x_a x_b
    if (axis == a) D(1 + b, 7 + k) = 1.0;
    if (axis == b) D(1 + a, 7 + k) = 1.0;
  }
  return D;
}

// Moments int p p^T dV with p = (1, (x - center) / size), weighted with the moduli: of isotropic
// materials with the Lame constants, of others with each of C.
struct StiffnessMoments {
  Eigen::Matrix4d lambda = Eigen::Matrix4d::Zero(), mu = Eigen::Matrix4d::Zero();
  std::array<Eigen::Matrix4d, 36> of_C;
  bool has_directions = false;

  StiffnessMoments() { of_C.fill(Eigen::Matrix4d::Zero()); }

  void add(const fem::Elasticity& elasticity, const Eigen::Matrix4d& Q) {
    if (elasticity.is_isotropic()) {
      lambda += elasticity.lame_lambda() * Q;
      mu += elasticity.shear_modulus() * Q;
      return;
    }
    for (int k = 0; k < 36; ++k) of_C[k] += elasticity.stiffness()(k) * Q;
  }
  void sum_over_ranks(MPI_Comm comm) {
    base::sum_in_place(comm, lambda.data(), 16);
    base::sum_in_place(comm, mu.data(), 16);
    if (!has_directions) return;
    for (Eigen::Matrix4d& Q : of_C) base::sum_in_place(comm, Q.data(), 16);
  }
};

// int p p^T dV of an element. @param x [3 x n] its nodes  @param volume [n x n] int N N^T dV
Eigen::Matrix4d element_moments(const Eigen::Ref<const Eigen::Matrix3Xd>& x,
                                const Eigen::Ref<const MatrixXd>& volume, const Vector3d& center,
                                double size) {
  MatrixXd p(4, x.cols());
  p.row(0).setOnes();
  p.bottomRows<3>() = (x.colwise() - center) / size;
  return p * volume * p.transpose();
}

bool any_has_directions(const fem::Sections& sections) {
  return std::any_of(sections.all().begin(), sections.all().end(),
                     [](const fem::Section& section) { return !section.material.is_isotropic(); });
}

void add_element_moments(const mesh::DistributedMesh& mesh, const mesh::ElementBlock& block,
                         const fem::Sections& sections, const Vector3d& center, double size,
                         StiffnessMoments& moments) {
  elements::visit_element(block.type, [&](auto type) {
    using Element = decltype(type);
    fem::ElementNodes<Element> x;
    fem::ElementMass<Element> volume;
    for (std::int64_t e = 0; e < block.size(); ++e) {
      for (int a = 0; a < Element::n_nodes; ++a)
        x.col(a) = mesh.x.col(block.connectivity[Element::n_nodes * e + a]);
      fem::compute_mass<Element>(x, 1.0, volume);
      const Eigen::Matrix4d Q = element_moments(x, volume, center, size);
      const fem::Material& material = sections.of_region(block.region(e)).material;
      moments.add(fem::Elasticity(material, Vector3d(x.rowwise().mean())), Q);
    }
  });
}

// Collective. @param P those of the mass, from which they follow when one material has all of it
StiffnessMoments find_stiffness_moments(const mesh::DistributedMesh& mesh,
                                        const fem::Sections& sections, const Vector3d& center,
                                        double size, const Eigen::Matrix4d& P, MassOf mass_of) {
  StiffnessMoments moments;
  moments.has_directions = any_has_directions(sections);
  const fem::Material& first = sections.of_region(0).material;
  if (sections.is_one() && mass_of == MassOf::elements && first.is_uniform()) {
    moments.add(fem::Elasticity(first, center), P / first.density());  // dV = dm / density
    return moments;
  }
  for (const mesh::ElementBlock& block : mesh.solids)
    add_element_moments(mesh, block, sections, center, size, moments);
  moments.sum_over_ranks(mesh.comm);
  return moments;
}

// K of the fields u_i = sum_j p_j, whose gradients have the columns of D as coefficients: the part
// of materials with directions.
void add_stiffness_of_directions(const StiffnessMoments& Q, const MatrixXd* D, MatrixXd& K) {
  const Eigen::Index n = D[0].cols();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l)
          K.block(i * n, j * n, n, n) +=
              D[k].transpose() * Q.of_C[materials::kPlaces[i][k] + 6 * materials::kPlaces[j][l]] *
              D[l];
}

}  // namespace

MultiVector make_rigid_motions(const Eigen::Matrix3Xd& x, const Vector3d& center) {
  MultiVector R(3 * x.cols(), 6);
  for (Eigen::Index k = 0; k < x.cols(); ++k) {
    R.block<3, 3>(3 * k, 0).setIdentity();
    R.block<3, 3>(3 * k, 3) = -math::skew(x.col(k) - center);
  }
  return R;
}

Vector3d center_of_mass(MPI_Comm comm, const Eigen::Matrix3Xd& x, const Eigen::VectorXd& mass) {
  Eigen::Vector4d sums;
  sums.head<3>() = x * mass;
  sums[3] = mass.sum();
  base::sum_in_place(comm, sums.data(), 4);
  return sums.head<3>() / sums[3];
}

double estimate_lowest_eigenvalue(const mesh::DistributedMesh& mesh, const Eigen::VectorXd& mass,
                                  const fem::Sections& sections, MassOf of) {
  const MPI_Comm comm = mesh.comm;
  const Eigen::Matrix3Xd x = mesh.x.leftCols(mesh.n_owned);
  // Centred coordinates of unit size keep the moments well conditioned.
  const Vector3d center = center_of_mass(comm, x, mass);
  double size = x.cols() > 0 ? (x.colwise() - center).cwiseAbs().maxCoeff() : 0.0;
  size = base::max(comm, size);
  Moments P = Moments::Zero();
  for (Eigen::Index k = 0; k < x.cols(); ++k) {
    const Monomials p = monomials((x.col(k) - center) / size);
    P.noalias() += mass[k] * p * p.transpose();
  }
  base::sum_in_place(comm, P.data(), static_cast<int>(P.size()));

  // Fields that carry almost no mass (across a very thin body) would only add rounding errors.
  const auto spectrum = math::symmetric_spectrum(MatrixXd(P));
  const int n_dropped =
      static_cast<int>((spectrum.values.array() < 1e-13 * spectrum.values[kMonomials - 1]).count());
  const int n = kMonomials - n_dropped;
  const MatrixXd whitening = spectrum.vectors.rightCols(n) *
                             spectrum.values.tail(n).cwiseSqrt().cwiseInverse().asDiagonal();

  const StiffnessMoments Q =
      find_stiffness_moments(mesh, sections, center, size, P.topLeftCorner<4, 4>(), of);
  MatrixXd D[3];
  for (int a = 0; a < 3; ++a) D[a] = monomial_derivatives(a) * whitening / size;
  MatrixXd gradients = MatrixXd::Zero(n, n);
  for (int a = 0; a < 3; ++a) gradients += D[a].transpose() * Q.mu * D[a];
  MatrixXd K(3 * n, 3 * n);
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      K.block(a * n, b * n, n, n) =
          D[a].transpose() * Q.lambda * D[b] + D[b].transpose() * Q.mu * D[a];
      if (a == b) K.block(a * n, b * n, n, n) += gradients;
    }
  if (Q.has_directions) add_stiffness_of_directions(Q, D, K);
  const Eigen::VectorXd ritz = math::symmetric_eigenvalues(K);
  // Six values are the rigid motions' zeros, up to rounding of the largest.
  return std::max(ritz[6], 1e-9 * ritz[3 * n - 1]);
}

}  // namespace solidyn::reduction
