// A free body whose K and M another program made.
#include <fmt/format.h>

#include <cmath>

#include "reduction/basis/free_body.h"
#include "reduction/basis/general_invariants.h"
#include "reduction/basis/rigid_motion.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/math/constants.h"
#include "solidyn/math/dense.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Displacement fields 1, x, y, z, xx, yy, zz, xy, yz, zx along each axis; nodes with rotations turn
// by half the curl.
MultiVector make_quadratic_fields(const ImportedRows& rows, const mesh::DistributedMesh& mesh,
                                  const Vector3d& centre, double size) {
  constexpr int kFields = 10;
  MultiVector F = MultiVector::Zero(rows.n_rows(), 3 * kFields);
  using Values = Eigen::Matrix<double, kFields, 1>;
  const auto values = [](const Vector3d& x) {
    Values v;
    v << 1.0, x, x.cwiseAbs2(), x[0] * x[1], x[1] * x[2], x[2] * x[0];
    return v;
  };
  const auto gradient = [](const Vector3d& x) {
    Eigen::Matrix<double, kFields, 3> g = Eigen::Matrix<double, kFields, 3>::Zero();
    g.middleRows<3>(1).setIdentity();
    g.middleRows<3>(4) = 2.0 * Eigen::Matrix3d(x.asDiagonal());
    g.bottomRows<3>() << x[1], x[0], 0.0, 0.0, x[2], x[1], x[2], 0.0, x[0];
    return g;
  };
  for (Index k = 0; k < rows.x.cols(); ++k) {
    const Values v = values((rows.x.col(k) - centre) / size);
    for (int a = 0; a < 3; ++a) F.block<1, kFields>(3 * k + a, a * kFields) = v.transpose();
  }
  for (std::size_t i = 0; i < rows.others.size(); ++i) {
    const ExtraRow& row = rows.others[i];
    if (row.component == 0 || row.node < 0) continue;
    const auto g = gradient((mesh.x.col(row.node - mesh.first_owned) - centre) / size);
    for (int a = 0; a < 3; ++a)  // curl (f e_a) = grad f x e_a
      for (int f = 0; f < kFields; ++f)
        F(3 * rows.x.cols() + static_cast<Index>(i), a * kFields + f) =
            0.5 / size * row.direction.dot(Vector3d(g.row(f)).cross(Vector3d::Unit(a)));
  }
  return F;
}

// An upper bound of the lowest elastic eigenvalue, as estimate_lowest_eigenvalue() has it.
double estimate_lowest(const mesh::DistributedMesh& mesh, const ImportedRows& rows,
                       const Vector3d& centre) {
  double size = rows.x.cols() ? (rows.x.colwise() - centre).cwiseAbs().maxCoeff() : 0.0;
  size = base::max(mesh.comm, size);
  const MultiVector F = make_quadratic_fields(rows, mesh, centre, size);
  const MatrixXd M = inner_products(mesh.comm, F, multiply(rows.M, F));
  const MatrixXd K = inner_products(mesh.comm, F, multiply(rows.K, F));
  const auto spectrum = math::symmetric_spectrum(MatrixXd(0.5 * (M + M.transpose())));
  const VectorXd& masses = spectrum.values;
  const Index n = (masses.array() > 1e-12 * masses.maxCoeff()).count();
  const MatrixXd W =
      spectrum.vectors.rightCols(n) * masses.tail(n).cwiseSqrt().cwiseInverse().asDiagonal();
  const MatrixXd A = W.transpose() * K * W;
  const VectorXd values = math::symmetric_eigenvalues(MatrixXd(0.5 * (A + A.transpose())));
  return n > 6 ? std::max(values[6], 1e-9 * values[n - 1]) : 1e-3 * std::abs(values[n - 1]);
}

void check_mass(const RigidInertia& rigid) {
  constexpr double kAccepted = 1e-3;
  const Vector3d c = rigid.centre();
  const Eigen::Matrix3d about_centre =
      rigid.inertia -
      rigid.mass * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose());
  const Vector3d moments = math::symmetric_eigenvalues(about_centre);
  if (!(rigid.mass > 0.0) || !(moments[0] > 0.0))
    throw base::InputError(
        fmt::format(
            "the imported mass matrix gives a mass of {:g} kg with principal moments of inertia {:g}, {:g}, {:g} kg m^2",
            rigid.mass, moments[0], moments[1], moments[2]),
        "is it the mass matrix, with its own list of degrees of freedom and its own mesh?");
  if (rigid.anisotropy > kAccepted)
    base::log_warning(
        "the imported mass matrix has different masses along x, y and z (by {:.1e} of {:g} kg): some degrees of freedom may be constrained or missing",
        rigid.anisotropy, rigid.mass);
}

// The largest omega^2 of the rigid motions, which a free body does not have.
double find_rigid_eigenvalue(const Pencil& pencil) {
  const MatrixXd G = inner_products(pencil.comm, pencil.rigid, multiply(pencil.K, pencil.rigid));
  const MatrixXd symmetric = 0.5 * (G + G.transpose());
  return math::symmetric_eigenvalues(symmetric).cwiseAbs().maxCoeff();
}

void check_free(double rigid, double lowest) {
  constexpr double kRefused = 1e-2, kDoubtful = 1e-5;
  if (rigid < kDoubtful * lowest) return;
  const std::string what = fmt::format(
      "the imported stiffness resists rigid-body motion, with frequencies up to {:.3g} Hz (first elastic mode: at most {:.3g} Hz)",
      std::sqrt(rigid) / math::kTwoPi, std::sqrt(lowest) / math::kTwoPi);
  const char* const remedy =
      "usual causes are supports, a wrong list of degrees of freedom, another mesh, another unit of length, or too few digits in the file";
  if (rigid > kRefused * lowest) throw base::InputError(what, remedy);
  base::log_warning("{}\n  {}", what, remedy);
}

// Nodal masses that weigh the nodes of interfaces: diagonal terms, scaled to the body's mass.
VectorXd find_nodal_masses(const mesh::DistributedMesh& mesh, const ImportedRows& rows,
                           double mass) {
  base::Vec diagonal;
  VectorXd values(rows.n_rows());
  SOLIDYN_PETSC(MatCreateVecs(rows.M, nullptr, diagonal.out()));
  SOLIDYN_PETSC(MatGetDiagonal(rows.M, diagonal));
  const PetscScalar* read = nullptr;
  SOLIDYN_PETSC(VecGetArrayRead(diagonal, &read));
  std::copy_n(read, values.size(), values.data());
  SOLIDYN_PETSC(VecRestoreArrayRead(diagonal, &read));
  VectorXd masses(mesh.n_owned);
  for (Index k = 0; k < mesh.n_owned; ++k) masses[k] = values.segment<3>(3 * k).mean();
  return masses * (mass / base::sum(mesh.comm, masses.sum()));
}

std::int64_t first_node_of(const mesh::DistributedMesh& mesh,
                           const mesh::InterfaceDefinition& definition) {
  if (const auto* near = std::get_if<mesh::NodesNear>(&definition.nodes))
    return mesh::nearest_node(mesh, near->point).first;
  const std::vector<std::int32_t> nodes =
      mesh::select_nodes(mesh, fmt::format("interface `{}`", definition.name), definition.nodes);
  Eigen::Vector4d sums = Eigen::Vector4d::Zero();
  for (const std::int32_t node : nodes) {
    sums.head<3>() += mesh.x.col(node);
    sums[3] += 1.0;
  }
  base::sum_in_place(mesh.comm, sums.data(), 4);
  return mesh::nearest_node(mesh, sums.head<3>() / sums[3]).first;
}

std::vector<Index> rotation_rows(const ImportedRows& rows, std::int64_t node) {
  std::vector<Index> found;
  for (std::size_t i = 0; i < rows.others.size(); ++i)
    if (rows.others[i].component > 3 && rows.others[i].node == node)
      found.push_back(3 * rows.x.cols() + static_cast<Index>(i));
  return found;
}

mesh::Interface make_node_frame(const mesh::DistributedMesh& mesh,
                                const mesh::InterfaceDefinition& definition, std::int64_t node) {
  const std::int64_t local = node - mesh.first_owned;
  const bool is_mine = local >= 0 && local < mesh.n_owned;
  Eigen::Vector4d place = Eigen::Vector4d::Zero();
  if (is_mine) place << mesh.x.col(local), static_cast<double>(mesh.node_tags[local]);
  base::sum_in_place(mesh.comm, place.data(), 4);
  mesh::Interface out;
  out.name = definition.name;
  out.attach = mesh::Attachment::node;
  out.x_B = place.head<3>();
  out.nodes = {node};
  out.x_nodes = out.x_B;
  out.node_weights = VectorXd::Ones(1);
  out.node_moments = Eigen::Vector3d::Zero();
  out.weights.setZero(6, 3);
  out.weights.topRows<3>().setIdentity();
  out.report = mesh::make_interface_report(definition, out, {static_cast<std::int64_t>(place[3])});
  return out;
}

void add_interface(const mesh::InterfaceDefinition& definition, const VectorXd& masses,
                   FreeBody& body) {
  if (definition.attach == mesh::Attachment::rbe2)
    throw base::InputError(
        fmt::format("interface `{}`: an rbe2 region cannot be added to imported matrices",
                    definition.name),
        "attach it with rbe3, which is equivalent where the region is already rigid");
  std::vector<Index> rotations;
  if (definition.attach == mesh::Attachment::node) {
    const std::int64_t node = first_node_of(body.mesh, definition);
    rotations = rotation_rows(body.imported->rows, node);
    if (base::sum(body.mesh.comm, static_cast<std::int64_t>(rotations.size())) == 3) {
      body.interfaces.push_back(make_node_frame(body.mesh, definition, node));
      body.imported->rotations.push_back(rotations);
      return;
    }
  }
  body.interfaces.push_back(mesh::resolve_interface(body.mesh, definition, masses));
  body.imported->rotations.emplace_back();
}

Pencil make_imported_pencil(const mesh::DistributedMesh& mesh, ImportedRows& rows,
                            const Vector3d& centre) {
  Pencil pencil;
  pencil.comm = mesh.comm;
  const double lowest = estimate_lowest(mesh, rows, centre);
  pencil.shift = choose_shift(lowest);
  pencil.rigid = rigid_motions(mesh, rows, rows.K, centre);
  pencil.K = std::move(rows.K);
  pencil.M = std::move(rows.M);
  SOLIDYN_PETSC(MatDuplicate(pencil.K, MAT_COPY_VALUES, pencil.shifted.out()));
  SOLIDYN_PETSC(MatAXPY(pencil.shifted, pencil.shift, pencil.M, DIFFERENT_NONZERO_PATTERN));
  SOLIDYN_PETSC(MatSetOption(pencil.shifted, MAT_SYMMETRIC, PETSC_TRUE));
  SOLIDYN_PETSC(MatSetOption(pencil.shifted, MAT_SPD, PETSC_TRUE));
  orthonormalise_rigid(pencil);
  check_free(find_rigid_eigenvalue(pencil), lowest);
  return pencil;
}

fem::MassProperties properties_of(const RigidInertia& rigid) {
  const Vector3d c = rigid.centre();
  return {rigid.mass, c,
          rigid.inertia -
              rigid.mass * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose())};
}

}  // namespace

FreeBody make_free_body(const mesh::DistributedMesh& mesh, const PlacedMatrices& matrices,
                        const ReductionOptions& options) {
  // There are no elements to integrate.
  FreeBody body{mesh, fem::Section{}, options.mass, {}, {}, {}, {}};
  body.imported.emplace();
  ImportedRows& rows = body.imported->rows;
  rows = distribute(mesh, matrices);
  const MultiVector R = rigid_motions(mesh, rows, rows.K, Vector3d::Zero());
  const RigidInertia rigid = find_rigid_inertia(mesh.comm, R, multiply(rows.M, R));
  check_mass(rigid);
  body.matrices.comm = mesh.comm;
  body.matrices.first_owned = mesh.first_owned;
  body.matrices.properties = properties_of(rigid);
  body.matrices.lumped_mass = find_nodal_masses(mesh, rows, rigid.mass);
  for (const mesh::InterfaceDefinition& definition : options.interfaces)
    add_interface(definition, body.matrices.lumped_mass, body);
  body.pencil = make_imported_pencil(mesh, rows, rigid.centre());
  return body;
}

}  // namespace solidyn::reduction
