#include "solidyn/reduction/quality.h"

#include <cmath>

#include "reduction/basis/quality_check.h"
#include "solidyn/base/mpi.h"
#include "solidyn/math/constants.h"
#include "solidyn/math/dense.h"
#include "solidyn/math/rotation.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Matrix6d = Eigen::Matrix<double, 6, 6>;
using Matrix6X = Eigen::Matrix<double, 6, Eigen::Dynamic>;

constexpr double kStepsPerPeriod = 20.0;

// Elastic modes to compare with those of the mesh: each costs a vector of the eigensolver.
constexpr Index kMaxCompared = 40;

bool is_eigenmode(const Mode& mode) {
  return mode.kind == Mode::Kind::free_free || mode.kind == Mode::Kind::fixed_interface;
}

// The mass matrix of the rigid motions t + theta x x (about the mesh's origin).
Matrix6d rigid_mass(const InertiaInvariants& inertia) {
  Matrix6d M;
  M << inertia.mass * Matrix3d::Identity(), -math::skew(inertia.first_moment),
      math::skew(inertia.first_moment), inertia.N00.trace() * Matrix3d::Identity() - inertia.N00;
  return M;
}

// R^T M X of the same motions.
Matrix6X rigid_coupling(const ReducedBody& body) {
  Matrix6X coupling(6, body.n_modes());
  for (int i = 0; i < body.n_modes(); ++i) {
    const Matrix3d& N = body.inertia.N0[i];  // its skew part is sum m x cross X
    coupling.col(i) << body.inertia.S.col(i), N(1, 2) - N(2, 1), N(2, 0) - N(0, 2),
        N(0, 1) - N(1, 0);
  }
  return coupling;
}

// Columns of the basis that deform, and among them those that are exact modes of the mesh.
std::vector<Index> elastic_columns(const Basis& basis) {
  std::vector<Index> columns;
  for (Index i = 0; i < basis.eigenvalues.size(); ++i)
    if (basis.modes[i].kind != Mode::Kind::rigid) columns.push_back(i);
  return columns;
}

ElasticModes free_free_modes(const Basis& basis) {
  std::vector<Index> columns;
  for (const Index i : elastic_columns(basis))
    if (basis.modes[i].kind == Mode::Kind::free_free) columns.push_back(i);
  ElasticModes modes;
  modes.eigenvalues = basis.eigenvalues(columns);
  modes.vectors = basis.vectors(Eigen::all, columns);
  return modes;
}

VectorXd find_residuals(const Pencil& pencil, const Basis& basis) {
  const MultiVector inertia = pencil.multiply_mass(basis.vectors) * basis.eigenvalues.asDiagonal();
  const VectorXd size = column_norms(pencil.comm, inertia);
  const VectorXd residual = column_norms(pencil.comm, multiply(pencil.K, basis.vectors) - inertia);
  return (size.array() > 0.0).select(residual.array() / size.array().max(1e-300), 0.0);
}

VectorXd find_static_errors(const FreeBody& body, FreeBodySolver& solver, const Basis& basis) {
  if (body.interfaces.empty()) return {};
  MultiVector loads =
      make_unit_loads(body).leftCols(6 * static_cast<Index>(body.interfaces.size()));
  body.pencil.balance(loads);
  const MultiVector u = solver.solve_static(loads, free_free_modes(basis));
  VectorXd full = loads.cwiseProduct(u).colwise().sum().transpose();
  base::sum_in_place(body.pencil.comm, full.data(), static_cast<int>(full.size()));
  const std::vector<Index> elastic = elastic_columns(basis);
  const MultiVector V = basis.vectors(Eigen::all, elastic);
  const MatrixXd f = inner_products(body.pencil.comm, V, loads);
  const VectorXd reduced =
      (VectorXd(basis.eigenvalues(elastic)).cwiseInverse().asDiagonal() * f.cwiseAbs2())
          .colwise()
          .sum()
          .transpose();
  return 1.0 - reduced.array() / full.array();
}

VectorXd find_full_frequencies(FreeBodySolver& solver, const Basis& basis) {
  const Index n = std::min(kMaxCompared, static_cast<Index>(elastic_columns(basis).size()));
  return solver.compute_modes(static_cast<int>(n)).eigenvalues.cwiseSqrt() / math::kTwoPi;
}

void compare_masses(const fem::MassProperties& full, const InertiaInvariants& inertia,
                    QualityCheck& check) {
  const Vector3d c = inertia.first_moment / inertia.mass;
  const Matrix3d second = inertia.N00 - inertia.mass * c * c.transpose();
  const Matrix3d J = second.trace() * Matrix3d::Identity() - second;
  check.mass_error = std::abs(inertia.mass - full.mass) / full.mass;
  check.inertia_error = (J - full.inertia).norm() / full.inertia.norm();
}

}  // namespace

QualityCheck check_quality(const FreeBody& body, FreeBodySolver& solver, const Basis& basis,
                           const ReducedBody& reduced) {
  QualityCheck check;
  check.residuals = find_residuals(body.pencil, basis);
  check.vector_condition = basis.vector_condition;
  check.static_errors = find_static_errors(body, solver, basis);
  check.full_frequencies = find_full_frequencies(solver, basis);
  compare_masses(body.matrices.properties, reduced.inertia, check);
  return check;
}

// With z = [rigid motion; q] the held frame says R z_r + Psi q = 0, R its rigid rows.
FixedBaseModes compute_fixed_base_modes(const ReducedBody& body, std::size_t interface) {
  const ReducedInterface& frame = body.interfaces.at(interface);
  std::vector<Index> elastic;
  for (Index i = 0; i < body.n_modes(); ++i)
    if (body.modes[i].kind != Mode::Kind::rigid) elastic.push_back(i);
  Matrix6d R = Matrix6d::Identity();
  R.topRightCorner<3, 3>() = -math::skew(frame.x_B);
  Matrix6X Psi(6, elastic.size());
  Psi << frame.Psi_t(Eigen::all, elastic), frame.Psi_r(Eigen::all, elastic);
  const Matrix6X rigid = -math::inverse(R) * Psi;  // of the free body, per unit of q
  const Matrix6d M_r = rigid_mass(body.inertia);
  const Matrix6X M_re = rigid_coupling(body)(Eigen::all, elastic);
  const MatrixXd coupling = rigid.transpose() * M_re;
  const MatrixXd M =
      body.M(elastic, elastic) + coupling + coupling.transpose() + rigid.transpose() * M_r * rigid;
  const auto modes =
      math::generalized_spectrum(body.K(elastic, elastic), 0.5 * (M + M.transpose()));
  FixedBaseModes out;
  out.frequencies = modes.values.cwiseMax(0.0).cwiseSqrt() / math::kTwoPi;
  const Matrix6d base = math::inverse(R);  // rigid motions that are unit motions of the frame
  out.effective_mass = (base.transpose() * (M_r * rigid + M_re) * modes.vectors).cwiseAbs2();
  out.total = (base.transpose() * M_r * base).diagonal();
  return out;
}

double recommended_step(const ReducedBody& body) {
  double highest = 0.0, lowest = 0.0;
  for (const Mode& mode : body.modes) {
    if (mode.kind == Mode::Kind::rigid || mode.frequency <= 0.0) continue;
    if (lowest == 0.0 || mode.frequency < lowest) lowest = mode.frequency;
    if (is_eigenmode(mode)) highest = std::max(highest, mode.frequency);
  }
  return 1.0 / (kStepsPerPeriod * (highest > 0.0 ? highest : lowest));
}

}  // namespace solidyn::reduction
