#include "solidyn/reduction/reduce.h"

#include <fmt/format.h>

#include <cmath>

#include "free_body_solver.h"
#include "rigid_motion.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/timer.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kTwoPi = 6.283185307179586;

// A few per cent of the lowest eigenvalue: small enough to keep the spectrum's order and the static
// iteration fast, large enough that K + shift M is far from singular.
constexpr double kShiftOfLowest = 0.05;

double choose_shift(const mesh::DistributedMesh& mesh, const fem::ElasticBody& body,
                    const fem::IsotropicElastic& material) {
  PetscReal shift =
      kShiftOfLowest * estimate_lowest_eigenvalue(mesh.comm, mesh.x.leftCols(mesh.n_owned),
                                                  body.lumped_mass, material);
  SOLIDYN_PETSC(PetscOptionsGetReal(nullptr, "modes_", "-shift", &shift, nullptr));
  if (!(shift > 0.0))
    throw base::InputError(fmt::format("-modes_shift is {}", shift),
                           "give a positive omega^2 in rad^2/s^2");
  return shift;
}

// Forces on the independent coordinates that do unit work with each interface frame's motion: six
// columns per interface, f = W^T e_i.
MultiVector make_unit_loads(const mesh::DistributedMesh& mesh, const Pencil& pencil,
                            const std::vector<mesh::Interface>& interfaces) {
  MultiVector f = MultiVector::Zero(3 * mesh.n_owned, 6 * interfaces.size());
  for (std::size_t i = 0; i < interfaces.size(); ++i)
    for (std::size_t k = 0; k < interfaces[i].nodes.size(); ++k) {
      const std::int64_t local = interfaces[i].nodes[k] - mesh.first_owned;
      if (local < 0 || local >= mesh.n_owned) continue;
      f.block<3, 6>(3 * local, 6 * i) += interfaces[i].weights.middleCols<3>(3 * k).transpose();
    }
  return pencil.gather_forces(f);
}

void scale_columns(MPI_Comm comm, const Mat M, MultiVector& X) {
  const MultiVector M_X = multiply(M, X);
  VectorXd squares = (X.cwiseProduct(M_X)).colwise().sum().transpose();
  base::sum_in_place(comm, squares.data(), static_cast<int>(squares.size()));
  X = (X * squares.cwiseSqrt().cwiseInverse().asDiagonal()).eval();
}

// Attachment modes that add to the kept ones, M- and K-orthonormal among themselves. Directions
// that the kept modes and each other already span are dropped.
ElasticModes make_static_modes(const Pencil& pencil, FreeBodySolver& solver, MultiVector loads,
                               const ElasticModes& kept) {
  constexpr double kDependent = 1e-8;  // of a unit vector's squared M-norm
  pencil.balance(loads);
  MultiVector U = solver.solve_static(loads, kept);
  scale_columns(pencil.comm, pencil.M, U);
  const MultiVector M_kept = multiply(pencil.M, kept.vectors);
  for (int pass = 0; pass < 2; ++pass) {
    U.noalias() -= kept.vectors * inner_products(pencil.comm, M_kept, U);
    pencil.remove_rigid_motion(U);
  }
  const MatrixXd G = inner_products(pencil.comm, U, multiply(pencil.M, U));
  const Eigen::SelfAdjointEigenSolver<MatrixXd> gram(0.5 * (G + G.transpose()));
  const Index n = (gram.eigenvalues().array() > kDependent).count();
  if (n < U.cols())
    base::log_info(
        "reduction: {} of {} static correction modes depend on the others and were dropped",
        U.cols() - n, U.cols());
  MultiVector Q = U * (gram.eigenvectors().rightCols(n) *
                       gram.eigenvalues().tail(n).cwiseSqrt().cwiseInverse().asDiagonal());
  const MatrixXd K = inner_products(pencil.comm, Q, multiply(pencil.K, Q));
  const MatrixXd M = inner_products(pencil.comm, Q, multiply(pencil.M, Q));
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> ritz(0.5 * (K + K.transpose()),
                                                                0.5 * (M + M.transpose()));
  ElasticModes modes;
  modes.eigenvalues = ritz.eigenvalues();
  modes.vectors = Q * ritz.eigenvectors();
  return modes;
}

// Columns' components along axis a: [nodes x modes], a view into X.
auto component(const MultiVector& X, int a) {
  using Stride = Eigen::Stride<Eigen::Dynamic, 3>;
  return Eigen::Map<const MatrixXd, 0, Stride>(X.data() + a, X.rows() / 3, X.cols(),
                                               Stride(X.rows(), 3));
}

InertiaInvariants compute_invariants(MPI_Comm comm, Mat M, const Eigen::Matrix3Xd& x,
                                     const MultiVector& X) {
  const Index n = X.cols();
  MultiVector unit = MultiVector::Zero(X.rows(), 1);  // one along the first axis: m times ones
  for (Index k = 0; k < x.cols(); ++k) unit(3 * k, 0) = 1.0;
  const VectorXd mass = component(multiply(M, unit), 0);
  const MultiVector position = Eigen::Map<const VectorXd>(x.data(), x.size());
  const Eigen::Matrix3Xd M_x =
      Eigen::Map<const Eigen::Matrix3Xd>(multiply(M, position).data(), 3, x.cols());
  const MultiVector M_X = multiply(M, X);

  InertiaInvariants out;
  out.S.resize(3, n);
  MatrixXd N0(3 * n, 3), N(3 * n, 3 * n);  // blocks by component: row a n + i, column b n + j
  for (int a = 0; a < 3; ++a) {
    out.S.row(a) = component(M_X, a).colwise().sum();
    N0.middleRows(a * n, n) = component(M_X, a).transpose() * x.transpose();
    for (int b = 0; b < 3; ++b)
      N.block(a * n, b * n, n, n) = component(X, a).transpose() * component(M_X, b);
  }
  out.mass = mass.sum();
  out.first_moment = x * mass;
  out.N00 = x * M_x.transpose();
  base::sum_in_place(comm, &out.mass, 1);
  base::sum_in_place(comm, out.first_moment.data(), 3);
  base::sum_in_place(comm, out.N00.data(), 9);
  base::sum_in_place(comm, out.S.data(), static_cast<int>(out.S.size()));
  base::sum_in_place(comm, N0.data(), static_cast<int>(N0.size()));
  base::sum_in_place(comm, N.data(), static_cast<int>(N.size()));

  out.N0.resize(n);
  out.N.resize(n * n);
  for (Index i = 0; i < n; ++i) {
    for (int a = 0; a < 3; ++a) out.N0[i].col(a) = N0.row(a * n + i).transpose();
    for (Index j = 0; j < n; ++j)
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) out.N[i * n + j](a, b) = N(a * n + i, b * n + j);
  }
  return out;
}

// Rows of X at global nodes, [3 k x n], on every rank.
MatrixXd rows_at(const mesh::DistributedMesh& mesh, const MultiVector& X,
                 const std::vector<std::int64_t>& nodes) {
  MatrixXd rows = MatrixXd::Zero(3 * nodes.size(), X.cols());
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const std::int64_t local = nodes[k] - mesh.first_owned;
    if (local >= 0 && local < mesh.n_owned) rows.middleRows<3>(3 * k) = X.middleRows<3>(3 * local);
  }
  base::sum_in_place(mesh.comm, rows.data(), static_cast<int>(rows.size()));
  return rows;
}

ReducedInterface reduce_interface(const mesh::DistributedMesh& mesh, const MultiVector& X,
                                  const mesh::Interface& interface) {
  ReducedInterface out;
  out.name = interface.name;
  out.attach = interface.attach;
  out.x_B = interface.x_B;
  const MatrixXd rows = rows_at(mesh, X, interface.nodes);
  const MatrixXd frame = interface.weights * rows;
  out.Psi_t = frame.topRows<3>();
  out.Psi_r = frame.bottomRows<3>();
  out.x_nodes.resize(3, 0);
  if (interface.attach == mesh::Attachment::three_nodes ||
      interface.attach == mesh::Attachment::virtual_body) {
    out.x_nodes = interface.x_nodes;
    for (std::size_t k = 0; k < interface.nodes.size(); ++k)
      out.Psi_nodes.push_back(rows.middleRows<3>(3 * k));
  }
  return out;
}

VectorXd find_amplitudes(MPI_Comm comm, const MultiVector& X) {
  VectorXd amplitude(X.cols());
  for (Index j = 0; j < X.cols(); ++j) {
    const Eigen::Map<const Eigen::Matrix3Xd> u(X.col(j).data(), 3, X.rows() / 3);
    amplitude[j] = base::max(comm, u.cols() ? u.colwise().norm().maxCoeff() : 0.0);
  }
  return amplitude;
}

// The owned nodes' rows followed by the ghosts'.
MatrixXd with_ghosts(const mesh::DistributedMesh& mesh, const MultiVector& X) {
  if (base::size(mesh.comm) == 1) return X;
  std::vector<PetscInt> ghosts(mesh.global.begin() + mesh.n_owned, mesh.global.end());
  base::Vec v;
  SOLIDYN_PETSC(VecCreateGhostBlock(mesh.comm, 3, 3 * mesh.n_owned, PETSC_DETERMINE,
                                    static_cast<PetscInt>(ghosts.size()), ghosts.data(), v.out()));
  MatrixXd out(3 * mesh.n_local(), X.cols());
  for (Index j = 0; j < X.cols(); ++j) {
    ::Vec local = nullptr;
    PetscScalar* values = nullptr;
    SOLIDYN_PETSC(VecGetArray(v, &values));
    std::copy_n(X.col(j).data(), X.rows(), values);
    SOLIDYN_PETSC(VecRestoreArray(v, &values));
    SOLIDYN_PETSC(VecGhostUpdateBegin(v, INSERT_VALUES, SCATTER_FORWARD));
    SOLIDYN_PETSC(VecGhostUpdateEnd(v, INSERT_VALUES, SCATTER_FORWARD));
    SOLIDYN_PETSC(VecGhostGetLocalForm(v, &local));
    SOLIDYN_PETSC(VecGetArray(local, &values));
    std::copy_n(values, out.rows(), out.col(j).data());
    SOLIDYN_PETSC(VecRestoreArray(local, &values));
    SOLIDYN_PETSC(VecGhostRestoreLocalForm(v, &local));
  }
  return out;
}

// The chosen basis: vectors on the independent coordinates with their kinds and eigenvalues.
struct Basis {
  MultiVector vectors;
  VectorXd eigenvalues;
  std::vector<Mode> modes;

  void append(const MultiVector& more, const VectorXd& values, Mode::Kind kind) {
    const Index n = vectors.cols(), k = more.cols();
    vectors.conservativeResize(more.rows(), n + k);
    vectors.rightCols(k) = more;
    eigenvalues.conservativeResize(n + k);
    eigenvalues.tail(k) = values;
    for (Index i = 0; i < k; ++i) modes.push_back({kind, std::sqrt(values[i]) / kTwoPi});
  }
};

MatrixXd make_damping(const Damping& damping, const VectorXd& eigenvalues) {
  const Eigen::ArrayXd omega2 = eigenvalues.array(), omega = omega2.sqrt();
  const Eigen::ArrayXd ratio = (omega >= kTwoPi * damping.modal_from)
                                   .select(damping.modal_ratio, Eigen::ArrayXd::Zero(omega.size()));
  return (damping.rayleigh_alpha + damping.rayleigh_beta * omega2 + 2.0 * ratio * omega)
      .matrix()
      .asDiagonal();
}

Basis compute_basis(const mesh::DistributedMesh& mesh, const Pencil& pencil,
                    const std::vector<mesh::Interface>& interfaces, const ReductionOptions& options,
                    ReductionTimings& timings) {
  base::Timer timer;
  FreeBodySolver solver(pencil, options.tolerance);
  timings.factorisation = timer.seconds();

  timer = base::Timer();
  const ElasticModes elastic = solver.compute_modes(options.free_free);
  timings.eigensolve = timer.seconds();
  timings.n_eigenproblems = options.free_free > 0 ? 1 : 0;
  timings.largest_residual = elastic.largest_residual;

  timer = base::Timer();
  Basis basis;
  if (options.keep_rigid_modes) basis.append(pencil.rigid, VectorXd::Zero(6), Mode::Kind::rigid);
  basis.append(elastic.vectors, elastic.eigenvalues, Mode::Kind::free_free);
  if (options.static_correction == StaticCorrection::at_interfaces && !interfaces.empty()) {
    const ElasticModes more =
        make_static_modes(pencil, solver, make_unit_loads(mesh, pencil, interfaces), elastic);
    basis.append(more.vectors, more.eigenvalues, Mode::Kind::static_correction);
  }
  timings.static_correction = timer.seconds();
  return basis;
}

}  // namespace

ReducedBody reduce(mesh::DistributedMesh mesh, const fem::IsotropicElastic& material,
                   const ReductionOptions& options, ReductionTimings* timings) {
  ReductionTimings spent;
  const base::Timer total;
  base::Timer timer;
  const fem::ElasticBody body = fem::assemble(mesh, material, options.hex8);
  std::vector<mesh::Interface> interfaces;
  for (const mesh::InterfaceDefinition& definition : options.interfaces)
    interfaces.push_back(mesh::resolve_interface(mesh, definition, body.lumped_mass));
  const Pencil pencil =
      make_pencil(mesh, body, options.mass, interfaces, choose_shift(mesh, body, material));
  spent.assembly = timer.seconds();

  const Basis basis = compute_basis(mesh, pencil, interfaces, options, spent);

  timer = base::Timer();
  const MultiVector X = pencil.expand(basis.vectors);
  const base::Mat M = fem::make_mass_operator(body, options.mass);
  ReducedBody reduced;
  reduced.inertia = compute_invariants(mesh.comm, M, mesh.x.leftCols(mesh.n_owned), X);
  const Index n = X.cols();
  reduced.M = MatrixXd::Identity(n, n);
  reduced.K = basis.eigenvalues.asDiagonal();
  reduced.D = make_damping(options.damping, basis.eigenvalues);
  reduced.modes = basis.modes;
  for (const mesh::Interface& interface : interfaces)
    reduced.interfaces.push_back(reduce_interface(mesh, X, interface));
  for (const PointDefinition& point : options.points) {
    const auto [node, x_B] = mesh::nearest_node(mesh, point.x_B);
    reduced.points.push_back({point.name, x_B, rows_at(mesh, X, {node})});
  }
  reduced.amplitude = find_amplitudes(mesh.comm, X);
  reduced.X = with_ghosts(mesh, X);
  reduced.mesh = std::move(mesh);
  spent.projection = timer.seconds();
  spent.total = total.seconds();
  if (timings) *timings = spent;
  return reduced;
}

}  // namespace solidyn::reduction
