#include "reduction/basis/frame_masses.h"

#include <algorithm>

#include "reduction/basis/projection.h"
#include "solidyn/math/dense.h"
#include "solidyn/math/rotation.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using math::skew;
using Rows6 = Eigen::Matrix<double, 6, Eigen::Dynamic>;

mesh::Interface resolve_carrier(const mesh::DistributedMesh& mesh, const fem::FrameMass& mass,
                                const std::vector<mesh::Interface>& interfaces,
                                const Eigen::Ref<const Eigen::VectorXd>& nodal_mass) {
  const auto own =
      std::find_if(interfaces.begin(), interfaces.end(),
                   [&](const mesh::Interface& i) { return i.name == mass.carrier.name; });
  return own == interfaces.end() ? mesh::resolve_interface(mesh, mass.carrier, nodal_mass) : *own;
}

FrameMassRows make_rows(const fem::FrameMass& mass, mesh::Interface frame) {
  FrameMassRows out{mass, std::move(frame.nodes), std::move(frame.node_weights),
                    std::move(frame.weights)};
  out.rows.topRows<3>() -= skew(mass.x - frame.x_B) * out.rows.bottomRows<3>();
  return out;
}

Matrix3d second_moments(const Matrix3d& inertia) {
  return 0.5 * inertia.trace() * Matrix3d::Identity() - inertia;
}

// L with L L^T = diag(m I, J), without columns of zeros.
MatrixXd root_of(const fem::FrameMass& mass) {
  constexpr double kRounding = 1e-6;  // as digits of files are; what is negative by these is zero
  const auto J = math::symmetric_spectrum(mass.inertia);
  MatrixXd L = MatrixXd::Zero(6, 6);
  Index n = 0;
  if (mass.mass > 0.0) {
    L.topLeftCorner<3, 3>() = std::sqrt(mass.mass) * Matrix3d::Identity();
    n = 3;
  }
  for (int i = 0; i < 3; ++i)
    if (J.values[i] > kRounding * J.values[2])
      L.col(n++).tail<3>() = std::sqrt(J.values[i]) * J.vectors.col(i);
  return L.leftCols(n);
}

}  // namespace

std::vector<FrameMassRows> find_frame_mass_rows(
    const mesh::DistributedMesh& mesh, const std::vector<fem::FrameMass>& masses,
    const std::vector<mesh::Interface>& interfaces,
    const Eigen::Ref<const Eigen::VectorXd>& nodal_mass) {
  std::vector<FrameMassRows> rows;
  rows.reserve(masses.size());
  for (const fem::FrameMass& mass : masses)
    rows.push_back(make_rows(mass, resolve_carrier(mesh, mass, interfaces, nodal_mass)));
  return rows;
}

MultiVector make_mass_root(const mesh::DistributedMesh& mesh,
                           const std::vector<FrameMassRows>& masses) {
  MultiVector V = MultiVector::Zero(3 * mesh.n_owned, 0);
  for (const FrameMassRows& m : masses) {
    const MatrixXd columns = m.rows.transpose() * root_of(m.mass);
    const Index first = V.cols();
    V.conservativeResize(Eigen::NoChange, first + columns.cols());
    V.rightCols(columns.cols()).setZero();
    for (std::size_t k = 0; k < m.nodes.size(); ++k) {
      const std::int64_t local = m.nodes[k] - mesh.first_owned;
      if (local >= 0 && local < mesh.n_owned)
        V.block(3 * local, first, 3, columns.cols()) += columns.middleRows<3>(3 * k);
    }
  }
  return V;
}

void add_frame_masses(const std::vector<FrameMassRows>& masses, fem::MassProperties& properties) {
  const auto about_origin = [](double mass, const Vector3d& c) {
    return Matrix3d(mass * (c.squaredNorm() * Matrix3d::Identity() - c * c.transpose()));
  };
  double mass = properties.mass;
  Vector3d first = mass * properties.center_of_mass;
  Matrix3d J = properties.inertia + about_origin(mass, properties.center_of_mass);
  for (const FrameMassRows& m : masses) {
    mass += m.mass.mass;
    first += m.mass.mass * m.mass.x;
    J += m.mass.inertia + about_origin(m.mass.mass, m.mass.x);
  }
  properties.mass = mass;
  properties.center_of_mass = first / mass;
  properties.inertia = J - about_origin(mass, properties.center_of_mass);
}

void add_frame_masses(const mesh::DistributedMesh& mesh, const std::vector<FrameMassRows>& masses,
                      const MultiVector& X, InertiaInvariants& inertia) {
  const Index n = X.cols();
  for (const FrameMassRows& m : masses) {
    const double mass = m.mass.mass;
    const Vector3d& x = m.mass.x;
    const Matrix3d S = second_moments(m.mass.inertia);
    const Rows6 motion = m.rows * rows_at(mesh, X, m.nodes);
    inertia.mass += mass;
    inertia.first_moment += mass * x;
    inertia.N00 += mass * x * x.transpose() + S;
    inertia.S += mass * motion.topRows<3>();
    for (Index i = 0; i < n; ++i) {
      const Vector3d d_i = motion.col(i).head<3>();
      const Matrix3d turn_i = skew(motion.col(i).tail<3>());
      inertia.N0[i] += mass * x * d_i.transpose() + S * turn_i.transpose();
      for (Index j = 0; j < n; ++j)
        inertia.N[i * n + j] += mass * d_i * motion.col(j).head<3>().transpose() +
                                turn_i * S * skew(motion.col(j).tail<3>()).transpose();
    }
  }
}

Eigen::VectorXd spread_over_nodes(const mesh::DistributedMesh& mesh,
                                  const std::vector<FrameMassRows>& masses,
                                  Eigen::VectorXd nodal_mass) {
  for (const FrameMassRows& m : masses)
    for (std::size_t k = 0; k < m.nodes.size(); ++k) {
      const std::int64_t local = m.nodes[k] - mesh.first_owned;
      if (local >= 0 && local < mesh.n_owned)
        nodal_mass[local] += m.mass.mass * m.node_weights[static_cast<Index>(k)];
    }
  return nodal_mass;
}

}  // namespace solidyn::reduction
