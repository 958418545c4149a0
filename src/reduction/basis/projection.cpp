#include "reduction/basis/projection.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "reduction/basis/general_invariants.h"
#include "reduction/basis/invariants.h"
#include "solidyn/base/mpi.h"
#include "solidyn/math/constants.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

ReducedInterface reduce_interface(const mesh::DistributedMesh& mesh, const MultiVector& X,
                                  const mesh::Interface& interface) {
  ReducedInterface out;
  out.name = interface.name;
  out.attach = interface.attach;
  out.x_B = interface.x_B;
  out.report = interface.report;
  const MatrixXd rows = rows_at(mesh, X, interface.nodes);
  const MatrixXd frame = interface.weights * rows;
  out.Psi_t = frame.topRows<3>();
  out.Psi_r = frame.bottomRows<3>();
  out.x_nodes.resize(3, 0);
  if (interface.attach == mesh::Attachment::three_nodes ||
      interface.attach == mesh::Attachment::virtual_body) {
    out.x_nodes = interface.x_nodes;
    for (std::size_t k = 0; k < interface.nodes.size(); ++k)
      out.Psi_nodes.emplace_back(rows.middleRows<3>(3 * k));
  }
  return out;
}

HeldPoint sum_components(const mesh::DistributedMesh& mesh, const MultiVector& X,
                         const HeldNodes& support, const HeldSum& sum) {
  MatrixXd Psi = MatrixXd::Zero(3, X.cols());
  for (const HeldComponent& c : support.components) {
    const std::int64_t local = c.node - mesh.first_owned;
    if (c.direction == sum.direction && local >= 0 && local < mesh.n_owned)
      Psi += sum.weight(c) * X.middleRows<3>(3 * local);
  }
  base::sum_in_place(mesh.comm, Psi.data(), static_cast<int>(Psi.size()));
  return {sum.x, sum.d, sum.direction, Psi};
}

std::vector<std::string> held_interfaces(const std::vector<mesh::Interface>& interfaces,
                                         const HeldNodes& support) {
  std::set<std::int64_t> held;
  for (const HeldComponent& c : support.components) held.insert(c.node);
  std::vector<std::string> names;
  for (const mesh::Interface& interface : interfaces)
    if (std::all_of(interface.nodes.begin(), interface.nodes.end(),
                    [&](std::int64_t node) { return held.count(node) > 0; }))
      names.push_back(interface.name);
  return names;
}

ReducedSupport reduce_support(const mesh::DistributedMesh& mesh, const MultiVector& X,
                              const std::vector<mesh::Interface>& interfaces,
                              const HeldNodes& support) {
  ReducedSupport out{support.name,
                     support.digest,
                     support.is_region(),
                     {},
                     {},
                     held_interfaces(interfaces, support)};
  if (support.is_region()) {
    for (const HeldSum& mean : support.holds.means)
      out.points.push_back(sum_components(mesh, X, support, mean));
    for (const std::vector<HeldSum>& arms : support.holds.rotations) {
      out.rotations.emplace_back();
      for (const HeldSum& arm : arms)
        out.rotations.back().push_back(sum_components(mesh, X, support, arm));
    }
    return out;
  }
  for (const std::size_t i : support.independent) {
    const HeldComponent& c = support.components[i];
    out.points.push_back({c.x, c.d, c.direction, rows_at(mesh, X, {c.node})});
  }
  return out;
}

// Of modes that hardly displace anything, what they turn counts.
constexpr double kTurnsAlone = 1e-3;

VectorXd find_amplitudes(MPI_Comm comm, const MultiVector& X) {
  VectorXd amplitude(X.cols());
  for (Index j = 0; j < X.cols(); ++j) {
    const Eigen::Map<const Eigen::Matrix3Xd> u(X.col(j).data(), 3, X.rows() / 3);
    amplitude[j] = base::max(comm, u.cols() ? u.colwise().norm().maxCoeff() : 0.0);
  }
  return amplitude;
}

MatrixXd make_damping(const Damping& damping, const VectorXd& eigenvalues) {
  const Eigen::ArrayXd omega2 = eigenvalues.array(), omega = omega2.sqrt();
  const Eigen::ArrayXd ratio = (omega >= math::kTwoPi * damping.modal_from)
                                   .select(damping.modal_ratio, Eigen::ArrayXd::Zero(omega.size()));
  return (damping.rayleigh_alpha + damping.rayleigh_beta * omega2 + 2.0 * ratio * omega)
      .matrix()
      .asDiagonal();
}

InertiaInvariants imported_invariants(const FreeBody& body, const Basis& basis) {
  const ImportedRows& rows = body.imported->rows;
  const MultiVector R = rigid_motions(
      body.mesh, rows, body.pencil.K ? body.pencil.K.get() : rows.K.get(), Eigen::Vector3d::Zero());
  return compute_general_invariants(body.mesh.comm, body.pencil.M, rows.x, R, basis.vectors);
}

// Frames on nodes with rotations of their own: unit loads on a frame read its motion.
void follow_rotations(const FreeBody& body, const Basis& basis,
                      std::vector<ReducedInterface>& interfaces) {
  const MatrixXd motions =
      inner_products(body.mesh.comm, make_nodal_unit_loads(body), basis.vectors);
  for (std::size_t i = 0; i < interfaces.size(); ++i)
    interfaces[i].Psi_r = motions.middleRows<3>(6 * static_cast<Index>(i) + 3);
}

}  // namespace

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

void include_rotations(const mesh::DistributedMesh& mesh,
                       const std::vector<ReducedInterface>& interfaces, VectorXd& amplitude) {
  if (interfaces.empty()) return;
  const Index n = mesh.n_owned;
  double lever = 0.0;
  for (Index k = 0; k < n; ++k) lever = std::max(lever, (mesh.x.col(k) - interfaces[0].x_B).norm());
  lever = base::max(mesh.comm, lever);
  for (Index j = 0; j < amplitude.size(); ++j) {
    double turned = 0.0;
    for (const ReducedInterface& i : interfaces)
      turned = std::max(turned, lever * i.Psi_r.col(j).norm());
    if (amplitude[j] < kTurnsAlone * turned) amplitude[j] = turned;
  }
}

ReducedBody project(const FreeBody& body, const Basis& basis, const MultiVector& X,
                    const ReductionOptions& options) {
  const mesh::DistributedMesh& mesh = body.mesh;
  const Index n = X.cols();
  ReducedBody reduced;
  reduced.inertia = body.imported
                        ? imported_invariants(body, basis)
                        : compute_invariants(mesh.comm, body.M, mesh.x.leftCols(mesh.n_owned), X);
  add_frame_masses(mesh, body.frame_masses, X, reduced.inertia);
  reduced.M = MatrixXd::Identity(n, n);
  reduced.K = basis.eigenvalues.asDiagonal();
  reduced.D = make_damping(options.damping, basis.eigenvalues);
  reduced.modes = basis.modes;
  for (const mesh::Interface& interface : body.interfaces)
    reduced.interfaces.push_back(reduce_interface(mesh, X, interface));
  if (body.imported) follow_rotations(body, basis, reduced.interfaces);
  for (const PointDefinition& point : options.points) {
    const auto [node, x_B] = mesh::nearest_node(mesh, point.x_B);
    reduced.points.push_back({point.name, x_B, rows_at(mesh, X, {node})});
  }
  for (const LoadDefinition& definition : options.loads) {
    NodalLoad nodal = make_nodal_load(mesh, definition);
    nodal.load.rows = inner_products(mesh.comm, nodal.columns, X);
    reduced.loads.push_back(std::move(nodal.load));
  }
  for (const HeldNodes& support : body.supports)
    reduced.supports.push_back(reduce_support(mesh, X, body.interfaces, support));
  reduced.amplitude = find_amplitudes(mesh.comm, X);
  include_rotations(mesh, reduced.interfaces, reduced.amplitude);
  return reduced;
}

}  // namespace solidyn::reduction
