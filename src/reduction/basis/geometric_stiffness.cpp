#include "reduction/basis/geometric_stiffness.h"

#include <fmt/format.h>

#include <algorithm>

#include "reduction/basis/projection.h"
#include "reduction/eigen/ghosts.h"
#include "solidyn/base/mpi.h"
#include "solidyn/fem/geometric_stiffness.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using mesh::Interface;

// Nodal loads, one column each: six per interface, then six second moments, then three per point,
// then those of loads on nodes and faces.
class UnitLoads {
 public:
  static constexpr int kMoments[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};

  UnitLoads(const FreeBody& body, const std::vector<TrackedPoint>& points,
            const std::vector<LoadDefinition>& loads)
      : n_interfaces_(static_cast<Index>(body.interfaces.size())) {
    Index n = first_of_point(points.size());
    for (const LoadDefinition& load : loads) {
      first_of_load_.push_back(n);
      n += load.kind == LoadDefinition::Kind::pressure ? 4 : 3;
    }
    values_ = MultiVector::Zero(3 * body.mesh.n_owned, n);
    values_.leftCols(6 * n_interfaces_) = make_nodal_unit_loads(body);
    fill_moments(body);
    for (std::size_t p = 0; p < points.size(); ++p)
      fill_point(body.mesh, points[p], first_of_point(p));
    for (std::size_t i = 0; i < loads.size(); ++i) {
      const MatrixXd columns = make_nodal_load(body.mesh, loads[i]).columns;
      values_.middleCols(first_of_load_[i], columns.cols()) = columns;
    }
  }

  Index first_of_interface(std::size_t i) const { return 6 * static_cast<Index>(i); }
  Index first_moment() const { return 6 * n_interfaces_; }
  Index first_of_point(std::size_t p) const {
    return 6 * n_interfaces_ + 6 + 3 * static_cast<Index>(p);
  }
  Index first_of_load(std::size_t i) const { return first_of_load_[i]; }
  const MultiVector& values() const { return values_; }

  /// First column and number of the loads at interfaces, and of the others.
  std::vector<std::pair<Index, Index>> kinds() const {
    if (n_interfaces_ == 0) return {{0, values_.cols()}};
    return {{0, first_moment()}, {first_moment(), values_.cols() - first_moment()}};
  }

 private:
  // Row a, b of sum m sym(x Y^T) is 1/2 (x_a e_b + x_b e_a)^T M Y. Positions count from the centre
  // of mass: what that leaves out is rigid, and rounds less.
  void fill_moments(const FreeBody& body) {
    const Index n = body.mesh.n_owned;
    const Matrix3Xd x = body.mesh.x.leftCols(n).colwise() - body.matrices.properties.center_of_mass;
    const MultiVector M_x =
        multiply(body.M, MultiVector(Eigen::Map<const MatrixXd>(x.data(), 3 * n, 1)));
    for (int m = 0; m < 6; ++m) {
      const auto [a, b] = std::pair(kMoments[m][0], kMoments[m][1]);
      for (Index k = 0; k < n; ++k) {
        values_(3 * k + b, first_moment() + m) += 0.5 * M_x(3 * k + a, 0);
        values_(3 * k + a, first_moment() + m) += 0.5 * M_x(3 * k + b, 0);
      }
    }
  }

  void fill_point(const mesh::DistributedMesh& mesh, const TrackedPoint& point, Index first) {
    const std::int64_t local = mesh::nearest_node(mesh, point.x_B).first - mesh.first_owned;
    if (local >= 0 && local < mesh.n_owned) values_.block<3, 3>(3 * local, first).setIdentity();
  }

  Index n_interfaces_;
  std::vector<Index> first_of_load_;
  MultiVector values_;
};

// The exact eigenvectors in a basis: they speed up static solutions.
ElasticModes exact_modes(const Basis& basis) {
  std::vector<Index> exact;
  for (std::size_t i = 0; i < basis.modes.size(); ++i)
    if (basis.modes[i].kind == Mode::Kind::free_free) exact.push_back(static_cast<Index>(i));
  ElasticModes modes;
  modes.vectors = basis.vectors(Eigen::all, exact);
  modes.eigenvalues = basis.eigenvalues(exact);
  return modes;
}

// Those of n columns that are not zero, such as the torque of a flat face about its normal is.
std::vector<Index> find_loads(MPI_Comm comm, const MultiVector& f, Index first, Index n) {
  VectorXd sizes = f.middleCols(first, n).colwise().squaredNorm();
  base::sum_in_place(comm, sizes.data(), static_cast<int>(n));
  std::vector<Index> columns;
  for (Index j = 0; j < n; ++j)
    if (sizes[j] > 0.0) columns.push_back(first + j);
  return columns;
}

// Answers of the free body on all nodes. The basis has those to interface loads, where it has
// static correction modes, and most of the others: they start the iteration, each kind by itself.
MultiVector find_answers(const FreeBody& body, FreeBodySolver& solver, const Basis& basis,
                         const UnitLoads& loads) {
  constexpr double kAccepted = 1e-9;  // far below what terms of second order are worth
  MultiVector f = body.pencil.gather_forces(loads.values());
  body.pencil.balance(f);
  const ElasticModes exact = exact_modes(basis);
  MultiVector answers = MultiVector::Zero(f.rows(), f.cols());
  for (const auto& [first, n] : loads.kinds()) {
    const std::vector<Index> columns = find_loads(body.mesh.comm, f, first, n);
    const MultiVector part = f(Eigen::all, columns);
    const MatrixXd w = basis.eigenvalues.cwiseInverse().asDiagonal() *
                       inner_products(body.mesh.comm, basis.vectors, part);
    answers(Eigen::all, columns) = solver.solve_static(part, exact, basis.vectors * w, kAccepted);
  }
  return body.pencil.expand(answers);
}

// sum_k f_k . ([a] [b] r_k), symmetrised, as a form of a and b: [a][b] = b a^T - (a . b) I.
// @param Q sum_k f_k r_k^T
Matrix3d turning_form(const Matrix3d& Q) {
  return 0.5 * (Q + Q.transpose()) - Q.trace() * Matrix3d::Identity();
}

// What a frame's weights see of Y although the frame's motion has none of it. A region that turns
// by theta and deforms by d has the displacements exp(theta) (r + d) - r: of second order 1/2 theta
// x (theta x r) + theta x d, with d = u - v - theta x r. Taking it out makes theta the rotation
// vector to second order, and the frame turn as the body does.
MatrixXd turning_of_region(const Eigen::RowVectorXd& weights, const Interface& interface,
                           const MatrixXd& rows, const ReducedInterface& frame) {
  const Index n = frame.Psi_t.cols();
  Matrix3Xd Z = Matrix3Xd::Zero(3, n);
  Matrix3d Q = Matrix3d::Zero();
  for (Index k = 0; k < interface.x_nodes.cols(); ++k) {
    const Vector3d w = weights.segment<3>(3 * k).transpose();
    Q += w * (interface.x_nodes.col(k) - interface.x_B).transpose();
    for (Index j = 0; j < n; ++j)
      Z.col(j) += (rows.block<3, 1>(3 * k, j) - frame.Psi_t.col(j)).cross(w);
  }
  const MatrixXd mixed = frame.Psi_r.transpose() * Z;
  return mixed + mixed.transpose() - frame.Psi_r.transpose() * turning_form(Q) * frame.Psi_r;
}

// Nodes of rigid regions have a prescribed part of second order, g = 1/2 theta x (theta x r); what
// holds them there does work on it.
class RigidRegionForces {
 public:
  RigidRegionForces(const FreeBody& body, const MultiVector& loads, const MultiVector& answers) {
    if (!has_rigid_regions(body)) return;
    const MultiVector rigid = body.pencil.expand(body.pencil.rigid);
    MultiVector forces = loads - multiply(fem::make_stiffness(body.matrices), answers);
    forces.noalias() -= multiply(body.M, rigid) * inner_products(body.mesh.comm, rigid, loads);
    for (std::size_t i = 0; i < body.interfaces.size(); ++i)
      if (body.interfaces[i].attach == mesh::Attachment::rbe2)
        regions_.push_back({i, moments_of(body, body.interfaces[i], forces)});
  }

  MatrixXd work_of(Index load, const std::vector<ReducedInterface>& interfaces, Index n) const {
    MatrixXd work = MatrixXd::Zero(n, n);
    for (const Region& region : regions_) {
      const Matrix3Xd& Psi_r = interfaces[region.interface].Psi_r;
      work += Psi_r.transpose() * turning_form(region.moments[load]) * Psi_r;
    }
    return work;
  }

 private:
  struct Region {
    std::size_t interface;
    std::vector<Matrix3d> moments;  // per load: sum_k f_k r_k^T
  };

  static std::vector<Matrix3d> moments_of(const FreeBody& body, const Interface& interface,
                                          const MultiVector& forces) {
    const MatrixXd f = rows_at(body.mesh, forces, interface.nodes);
    std::vector<Matrix3d> moments(forces.cols(), Matrix3d::Zero());
    for (Index k = 0; k < interface.x_nodes.cols(); ++k)
      for (Index l = 0; l < f.cols(); ++l)
        moments[l] +=
            f.block<3, 1>(3 * k, l) * (interface.x_nodes.col(k) - interface.x_B).transpose();
    return moments;
  }

  std::vector<Region> regions_;
};

void set_moments(const std::vector<MatrixXd>& Y, Index first, Index n, InertiaInvariants& inertia) {
  inertia.C.assign(n * n, Matrix3d::Zero());
  for (int m = 0; m < 6; ++m) {
    const auto [a, b] = std::pair(UnitLoads::kMoments[m][0], UnitLoads::kMoments[m][1]);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        inertia.C[i * n + j](a, b) = inertia.C[i * n + j](b, a) = Y[first + m](i, j);
  }
}

MatrixXd stack(const std::vector<MatrixXd>& Y, Index first, Index n_rows = 3) {
  const Index n = Y[first].rows();
  MatrixXd out(n_rows * n, n);
  for (Index a = 0; a < n_rows; ++a) out.middleRows(a * n, n) = Y[first + a];
  return out;
}

}  // namespace

bool has_rigid_regions(const FreeBody& body) {
  return std::any_of(body.interfaces.begin(), body.interfaces.end(),
                     [](const Interface& i) { return i.attach == mesh::Attachment::rbe2; });
}

void check_second_order(const ReductionOptions& options) {
  if (options.keep_rigid_modes)
    throw base::InputError(
        "geometric stiffening needs a mean-axis frame by orthogonal modes: with rigid-body modes in the basis, second-order displacements would count rigid rotations as strain",
        "set  enforced_by: orthogonal_modes, or  geometric_stiffening: none");
  if (!options.masses.on_frames.empty())
    throw base::InputError(
        fmt::format("geometric stiffening is not implemented for {}, which is not at a node",
                    options.masses.on_frames[0].name),
        "remove it from the mesh file and connect a rigid body of the model file instead");
  if (!options.supports.empty())
    throw base::InputError(
        fmt::format(
            "geometric stiffening is not implemented for nodes constrained by the support `{}`",
            options.supports[0].name),
        "define an interface there with  attach: rbe2  and constrain it by a joint");
  for (const mesh::InterfaceDefinition& interface : options.interfaces)
    if (interface.attach == mesh::Attachment::virtual_body)
      throw base::InputError(
          fmt::format(
              "geometric stiffening is not implemented for interface `{}`, whose virtual body is attached to three nodes",
              interface.name),
          "attach it with  rbe3,  three_nodes  or  rbe2");
}

void add_second_order(const FreeBody& free_body, FreeBodySolver& solver, const Basis& basis,
                      const std::vector<LoadDefinition>& definitions, ReducedBody& body) {
  const mesh::DistributedMesh& mesh = free_body.mesh;
  const Index n = body.n_modes();
  const UnitLoads loads(free_body, body.points, definitions);
  const MultiVector answers = find_answers(free_body, solver, basis, loads);
  std::vector<MatrixXd> Y = fem::compute_geometric_stiffness(mesh, free_body.sections,
                                                             with_ghosts(mesh, answers), body.X);
  const RigidRegionForces regions(free_body, loads.values(), answers);
  for (std::size_t l = 0; l < Y.size(); ++l)
    Y[l] = regions.work_of(static_cast<Index>(l), body.interfaces, n) - Y[l];
  for (std::size_t i = 0; i < body.interfaces.size(); ++i) {
    const Interface& interface = free_body.interfaces[i];
    const MatrixXd rows = rows_at(mesh, body.X.topRows(3 * mesh.n_owned), interface.nodes);
    const Index first = loads.first_of_interface(i);
    for (int r = 0; r < 6; ++r)
      Y[first + r] -=
          turning_of_region(interface.weights.row(r), interface, rows, body.interfaces[i]);
    body.interfaces[i].Y_t = stack(Y, first);
    body.interfaces[i].Y_r = stack(Y, first + 3);
  }
  for (std::size_t p = 0; p < body.points.size(); ++p)
    body.points[p].Y = stack(Y, loads.first_of_point(p));
  for (std::size_t i = 0; i < body.loads.size(); ++i)
    body.loads[i].Y = stack(Y, loads.first_of_load(i), body.loads[i].rows.rows());
  set_moments(Y, loads.first_moment(), n, body.inertia);
}

}  // namespace solidyn::reduction
