#include "solidyn/bodies/floating_frame_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "body_matrices.h"
#include "free_stiffness.h"
#include "nodal_version.h"
#include "nodal_view.h"
#include "port_responses.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/timer.h"
#include "solidyn/math/rotation.h"

namespace solidyn::bodies {
namespace {

using Eigen::Map;
using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Ref;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::cross_of;
using math::skew;

constexpr int kRigidPorts = 6;
constexpr int kColumnsAtOnce = 32;
// Shifts that differ by less share a factor: the step sizes of a run differ by round-off.
constexpr double kSameShift = 1e-9;

// Sums over all nodes with the mass matrix between the factors; added up over ranks in one go.
class Moments {
 public:
  Map<Vector3d> c() { return Map<Vector3d>(values_ + 0); }    // sum m b
  Map<Vector3d> dc() { return Map<Vector3d>(values_ + 3); }   // sum m du
  Map<Vector3d> ddc() { return Map<Vector3d>(values_ + 6); }  // sum m ddu
  Map<Matrix3d> D() { return Map<Matrix3d>(values_ + 9); }    // sum m b b^T
  Map<Matrix3d> E() { return Map<Matrix3d>(values_ + 18); }   // sum m b du^T
  Map<Matrix3d> F() { return Map<Matrix3d>(values_ + 27); }   // sum m b ddu^T
  double& twice_relative_energy() { return values_[36]; }     // du^T M du
  double& twice_strain_energy() { return values_[37]; }       // u^T K u
  double& stiffness_dissipation() { return values_[38]; }     // du^T K du
  // What strains say is added by those who ask for it, since it takes products with K.
  void sum_stiffness(MPI_Comm comm) { base::sum_in_place(comm, values_ + 37, 2); }
  Matrix3d inertia() { return D().trace() * Matrix3d::Identity() - D(); }
  void sum(MPI_Comm comm) { base::sum_in_place(comm, values_, 37); }

 private:
  double values_[39] = {};
};

// (m M + k K)^-1 on the ports, for k K + m M = scale (K + shift M), or scale M when `shift` is
// infinite.
struct Condensation {
  double shift = -1.0;
  PortResponses Y;               // (K + shift M)^-1 P or M^-1 P
  MatrixXd inverse_flexibility;  // (P^T Y)^-1
  bool is_ready = false;
};

}  // namespace

struct FloatingFrameBody::Data {
  std::string name;
  mesh::DistributedMesh mesh;
  FloatingFrameOptions options;
  std::unique_ptr<BodyMatrices> matrices;
  VectorXd m;    // [n_owned] row sums of the mass matrix
  Matrix3Xd mx;  // [3 x n_owned] mass matrix times positions from the body origin
  Matrix3Xd x;   // [3 x n_owned]
  fem::MassProperties properties;
  double size = 0.0;  // largest distance from the mass centre
  PortBasis basis;
  VectorXd amplitude;
  std::vector<reduction::ReducedInterface> interfaces;
  std::vector<reduction::TrackedPoint> points;
  std::vector<reduction::LoadRows> loads;
  base::Vec ghosted;

  TangentCoefficients coefficients;
  Condensation inertial, elastic, at_rest;  // the last without masses, by free_stiffness
  std::unique_ptr<FreeStiffness> free_stiffness;
  Condensation* condensation = nullptr;
  double scale = 1.0;
  Moments moments;  // of the last residual
  Moments known;    // of the state that was asked for last
  NodalVersion known_of;
  bool knows_stiffness = false;         // whether `known` has what strains say
  base::Vec z, r, Mu, Mdu, Mddu, work;  // z = A^-1 r_f of the last residual
  VectorXd z_ports;
  mutable Timings timings;

  int n_ports() const { return basis.ports.size(); }
  void find_mass_properties();
  void make_ports(const VectorXd& nodal_mass);
  void condense(Condensation& c);
  MatrixXd rigid_motions() const;
  void rest();
  void solve(::Vec b, ::Vec x);
  void add_local_moments(const NodalState& n, Moments& moments);
  void remember(const NodalState& n, const Moments& moments);
  Moments& moments_of(const NodalState& n);
  Moments& moments_with_stiffness(const NodalState& n);
};

void FloatingFrameBody::Data::find_mass_properties() {
  x = mesh.x.leftCols(mesh.n_owned);
  MassMoments moments = find_mass_moments(matrices->mass(), mesh);
  m = std::move(moments.m);
  mx = std::move(moments.mx);
  properties = moments.properties;
  const auto distances = (x.colwise() - properties.center_of_mass).colwise().norm();
  size = base::max(mesh.comm, mesh.n_owned > 0 ? distances.maxCoeff() : 0.0);
}

// Candidates in order: moments; nodes of virtual bodies; interface motions; tracked points; loads
// on nodes and faces, in metres like the others.
void FloatingFrameBody::Data::make_ports(const VectorXd& nodal_mass) {
  Ports candidates;
  candidates.comm = mesh.comm;
  candidates.dense.resize(3 * mesh.n_owned, kRigidPorts);
  const Matrix3Xd mx_c = mx - properties.center_of_mass * m.transpose();
  for (std::int32_t k = 0; k < mesh.n_owned; ++k) {
    candidates.dense.block<3, 3>(3 * k, 0) = m[k] * Matrix3d::Identity();
    candidates.dense.block<3, 3>(3 * k, 3) = -skew(mx_c.col(k));  // column a: e_a x m (x - c)
  }
  const double mass = properties.mass;
  std::vector<double> lengths;
  lengths.insert(lengths.end(), 3, 1.0 / mass);
  lengths.insert(lengths.end(), 3, 1.0 / (mass * size));

  SparsePorts sparse(mesh);
  const auto add = [&](const std::vector<std::int64_t>& nodes, const MatrixXd& weights,
                       double length) {
    lengths.insert(lengths.end(), weights.rows(), length);
    return kRigidPorts + sparse.add(nodes, weights);
  };
  struct Rows {
    int translation, rotation, nodes;
  };
  std::vector<Rows> rows;
  std::vector<int> point_rows;
  std::vector<mesh::Interface> resolved;
  for (const mesh::InterfaceDefinition& definition : options.interfaces) {
    if (definition.attach == mesh::Attachment::rbe2)
      throw base::InputError(
          fmt::format(
              "interface `{}` is attached with rbe2, which is not implemented for full-mesh floating-frame bodies",
              definition.name),
          "use attach: rbe3 (average motion of the region), or a modal body");
    resolved.push_back(mesh::resolve_interface(mesh, definition, nodal_mass));
    const mesh::Interface& i = resolved.back();
    Rows at{};
    if (i.attach == mesh::Attachment::virtual_body)
      at.nodes = add(i.nodes, MatrixXd::Identity(9, 9), 1.0);
    at.translation = add(i.nodes, i.weights.topRows<3>(), 1.0);
    at.rotation = add(i.nodes, i.weights.bottomRows<3>(), size);
    rows.push_back(at);
  }
  std::vector<Vector3d> tracked;
  for (const reduction::PointDefinition& point : options.points) {
    const auto [node, x_B] = mesh::nearest_node(mesh, point.x_B);
    tracked.push_back(x_B);
    point_rows.push_back(add({node}, Matrix3d::Identity(), 1.0));
  }
  std::vector<int> load_rows;
  for (const reduction::LoadDefinition& definition : options.loads) {
    reduction::NodalLoad nodal = reduction::make_nodal_load(mesh, definition);
    load_rows.push_back(kRigidPorts + sparse.add(nodal.columns));
    lengths.insert(lengths.end(), nodal.columns.cols(), 1.0);
    nodal.load.rows.resize(nodal.columns.cols(), 0);
    loads.push_back(std::move(nodal.load));
  }
  candidates.sparse = sparse.matrix();
  basis = make_port_basis(std::move(candidates));

  const auto psi = [&](int row) -> Matrix3Xd { return basis.expansion.middleRows<3>(row); };
  for (std::size_t k = 0; k < resolved.size(); ++k) {
    const mesh::Interface& i = resolved[k];
    reduction::ReducedInterface out;
    out.name = i.name;
    out.attach = i.attach;
    out.x_B = i.x_B;
    out.Psi_t = psi(rows[k].translation);
    out.Psi_r = psi(rows[k].rotation);
    out.x_nodes.resize(3, 0);
    if (i.attach == mesh::Attachment::virtual_body) {
      out.x_nodes = i.x_nodes;
      for (int node = 0; node < 3; ++node) out.Psi_nodes.push_back(psi(rows[k].nodes + 3 * node));
    }
    out.report = i.report;
    interfaces.push_back(std::move(out));
  }
  for (std::size_t k = 0; k < tracked.size(); ++k)
    points.push_back({options.points[k].name, tracked[k], psi(point_rows[k])});
  for (std::size_t k = 0; k < loads.size(); ++k)
    loads[k].rows = basis.expansion.middleRows(load_rows[k], loads[k].rows.rows()).eval();
  amplitude.resize(n_ports());
  for (int k = 0; k < n_ports(); ++k) amplitude[k] = lengths[basis.candidates[k]];
}

FloatingFrameBody::FloatingFrameBody(std::string name, std::unique_ptr<Data> data)
    : NodalBody(std::move(name), data->n_ports()), data_(std::move(data)) {}

FloatingFrameBody::~FloatingFrameBody() = default;

std::unique_ptr<FloatingFrameBody> FloatingFrameBody::make(std::string name,
                                                           mesh::DistributedMesh mesh,
                                                           const fem::Sections& sections,
                                                           const FloatingFrameOptions& options) {
  const base::Timer timer;
  auto data = std::make_unique<Data>();
  Data& d = *data;
  d.name = name;
  d.mesh = std::move(mesh);
  d.options = options;
  VectorXd nodal_mass;  // for interfaces: positive with either mass matrix
  {
    const fem::ElasticBody elastic = fem::assemble(d.mesh, sections, options.node_masses);
    d.matrices = std::make_unique<BodyMatrices>(name, elastic, options.mass,
                                                d.mesh.x.leftCols(d.mesh.n_owned));
    nodal_mass = elastic.lumped_mass;
  }
  d.find_mass_properties();
  d.make_ports(nodal_mass);
  for (base::Vec* v : {&d.z, &d.r, &d.Mu, &d.Mdu, &d.Mddu, &d.work}) *v = d.matrices->make_vector();
  d.z_ports = VectorXd::Zero(d.n_ports());
  std::vector<PetscInt> ghosts(d.mesh.global.begin() + d.mesh.n_owned, d.mesh.global.end());
  SOLIDYN_PETSC(VecCreateGhostBlock(d.mesh.comm, 3, 3 * d.mesh.n_owned, PETSC_DETERMINE,
                                    static_cast<PetscInt>(ghosts.size()), ghosts.data(),
                                    d.ghosted.out()));
  d.timings.setup = timer.seconds();
  std::unique_ptr<FloatingFrameBody> body(new FloatingFrameBody(std::move(name), std::move(data)));
  body->set_coefficients({1.0, 0.0, 0.0});
  return body;
}

NodalState FloatingFrameBody::make_state() const {
  NodalState s;
  s.u = data_->matrices->make_vector();
  s.du = data_->matrices->make_vector();
  s.ddu = data_->matrices->make_vector();
  return s;
}

// Translations, and rotations about the mass centre. [3 n_owned x 6]
MatrixXd FloatingFrameBody::Data::rigid_motions() const {
  MatrixXd T(3 * mesh.n_owned, kRigidPorts);
  for (std::int32_t k = 0; k < mesh.n_owned; ++k) {
    T.block<3, 3>(3 * k, 0) = Matrix3d::Identity();
    T.block<3, 3>(3 * k, 3) = -skew(x.col(k) - properties.center_of_mass);
  }
  return T;
}

// Statics: no mass helps a stiffness that leaves the body free.
void FloatingFrameBody::Data::rest() {
  condensation = &at_rest;
  if (at_rest.is_ready) return;
  base::ScopedTimer timer(timings.factor);
  if (!free_stiffness)
    free_stiffness = std::make_unique<FreeStiffness>(name, *matrices, basis.ports, rigid_motions());
  elastic.shift = -1.0;  // its factor goes
  free_stiffness->factor();
  ++timings.n_factors;
  if (at_rest.Y.size() == 0) {
    MatrixXd P(3 * mesh.n_owned, n_ports());
    P << basis.ports.dense, MatrixXd(basis.ports.sparse);
    at_rest.Y.dense = free_stiffness->solve(P);
    at_rest.inverse_flexibility = at_rest.Y.inverse_flexibility(basis.ports);
  }
  at_rest.is_ready = true;
}

void FloatingFrameBody::Data::solve(::Vec b, ::Vec x) {
  if (condensation == &inertial) return matrices->solve_mass(b, x);
  if (condensation == &elastic) return matrices->solve(b, x);
  const NodalView rhs(b);
  WritableNodalView(x).flat() = free_stiffness->solve(MatrixXd(rhs.flat())).col(0);
}

// The rigid columns are known: K t = 0, so that (K + shift M)^-1 M t = t / shift.
void FloatingFrameBody::Data::condense(Condensation& c) {
  const bool is_inertial = &c == &inertial;
  const double factor = is_inertial ? 1.0 : 1.0 / c.shift;
  // Lumped masses leave the nodes' columns as empty as they are.
  const bool is_sparse = is_inertial && options.mass == fem::MassKind::lumped;
  c.Y.dense.resize(3 * mesh.n_owned, is_sparse ? kRigidPorts : n_ports());
  c.Y.dense.leftCols(kRigidPorts) = factor * rigid_motions();
  if (is_sparse) c.Y.sparse = matrices->mass().solve_sparse(basis.ports.sparse);
  // In pieces, so that hundreds of ports are not in memory as a dense matrix beside Y.
  for (int first = kRigidPorts; first < c.Y.dense.cols(); first += kColumnsAtOnce) {
    const int count = std::min(kColumnsAtOnce, n_ports() - first);
    const MatrixXd P = basis.ports.sparse.middleCols(first - kRigidPorts, count);
    c.Y.dense.middleCols(first, count) = is_inertial ? matrices->solve_mass(P) : matrices->solve(P);
  }
  c.inverse_flexibility = c.Y.inverse_flexibility(basis.ports);
  c.is_ready = true;
}

void FloatingFrameBody::set_coefficients(const TangentCoefficients& c) {
  Data& d = *data_;
  d.coefficients = c;
  const double m = c.mass + d.options.rayleigh_alpha * c.damping;
  const double k = c.stiffness + d.options.rayleigh_beta * c.damping;
  if (!(m >= 0.0) || !(k >= 0.0) || m + k == 0.0)
    throw base::ComputationError(fmt::format(
        "body {}: the iteration matrix needs a mass or a stiffness part, but its coefficients are {:.3g} (mass) and {:.3g} (stiffness)",
        name(), m, k));
  if (m == 0.0) {
    d.scale = k;
    return d.rest();
  }
  if (k == 0.0) {
    d.condensation = &d.inertial;
    d.scale = m;
    if (!d.inertial.is_ready) d.condense(d.inertial);
    return;
  }
  const double shift = m / k;
  d.condensation = &d.elastic;
  d.scale = k;
  if (std::abs(shift - d.elastic.shift) <= kSameShift * shift) return;
  base::ScopedTimer timer(d.timings.factor);
  d.elastic.shift = -1.0;
  d.at_rest.is_ready = false;  // its factor goes
  d.matrices->factor(shift);
  d.elastic.shift = shift;
  d.condense(d.elastic);
  ++d.timings.n_factors;
}

// Also sets Mu, Mdu, Mddu.
void FloatingFrameBody::Data::add_local_moments(const NodalState& n, Moments& moments) {
  matrices->multiply_M(n.u, Mu);
  matrices->multiply_M(n.du, Mdu);
  matrices->multiply_M(n.ddu, Mddu);
  const NodalView u(n.u), du(n.du), Mu_view(Mu), Mdu_view(Mdu), Mddu_view(Mddu);
  const Matrix3Xd b = x + u.nodes(), mb = mx + Mu_view.nodes();
  const auto mdu = Mdu_view.nodes(), mddu = Mddu_view.nodes();
  moments.c() += mb.rowwise().sum();
  moments.dc() += mdu.rowwise().sum();
  moments.ddc() += mddu.rowwise().sum();
  moments.D().noalias() += b * mb.transpose();
  moments.E().noalias() += b * mdu.transpose();
  moments.F().noalias() += b * mddu.transpose();
  moments.twice_relative_energy() += du.flat().dot(Mdu_view.flat());
}

void FloatingFrameBody::Data::remember(const NodalState& n, const Moments& summed) {
  known = summed;
  known_of = NodalVersion(n);
  knows_stiffness = false;
}

// Energies and momenta are asked for several times at the end of a step, where the last residual
// was evaluated.
Moments& FloatingFrameBody::Data::moments_of(const NodalState& n) {
  if (known_of == NodalVersion(n)) return known;
  Moments result;
  add_local_moments(n, result);
  result.sum(mesh.comm);
  remember(n, result);
  return known;
}

Moments& FloatingFrameBody::Data::moments_with_stiffness(const NodalState& n) {
  moments_of(n);
  if (knows_stiffness) return known;
  matrices->multiply_K(n.u, work);
  known.twice_strain_energy() = NodalView(n.u).flat().dot(NodalView(work).flat());
  if (options.rayleigh_beta != 0.0) {
    matrices->multiply_K(n.du, work);
    known.stiffness_dissipation() = NodalView(n.du).flat().dot(NodalView(work).flat());
  }
  known.sum_stiffness(mesh.comm);
  knows_stiffness = true;
  return known;
}

void FloatingFrameBody::add_residual(const BodyState& s, const Vector3d& gravity, Ref<VectorXd> r) {
  Data& d = *data_;
  const NodalState& n = *s.nodal;
  const base::Timer timer;
  const Matrix3d& R = s.R_WB;
  const Vector3d w = s.w_WB_B();
  const Vector3d a_B = R.transpose() * (s.a.head<3>() - gravity);
  const Matrix3d Omega = skew(w);
  const Matrix3d A = skew(s.a.segment<3>(3)) + Omega * Omega;

  d.moments = Moments();
  d.add_local_moments(n, d.moments);
  const double beta = d.options.rayleigh_beta;
  SOLIDYN_PETSC(VecWAXPY(d.work, beta, n.du, n.u));
  d.matrices->multiply_K(d.work, d.r);
  {
    const NodalView Mu(d.Mu), Mdu(d.Mdu), Mddu(d.Mddu);
    WritableNodalView r_f(d.r);
    const Matrix3d on_rate = d.options.rayleigh_alpha * Matrix3d::Identity() + 2.0 * Omega;
    r_f.nodes().noalias() += a_B * d.m.transpose();
    r_f.nodes().noalias() += A * d.mx;
    r_f.nodes().noalias() += A * Mu.nodes();
    r_f.nodes().noalias() += on_rate * Mdu.nodes();
    r_f.nodes() += Mddu.nodes();
  }
  Moments& m = d.moments;
  m.sum(d.mesh.comm);
  d.remember(n, m);
  const double mass = d.properties.mass;
  const Vector3d force = mass * a_B + A * m.c() + 2.0 * w.cross(Vector3d(m.dc())) + m.ddc();
  // sum m b y^T with y the field above.
  const Matrix3d Q =
      m.c() * a_B.transpose() + m.D() * A.transpose() + 2.0 * m.E() * Omega.transpose() + m.F();
  r.head<3>().noalias() += R * force;
  r.segment<3>(3) += cross_of(Q);
  d.timings.residual += timer.seconds();

  base::ScopedTimer solve_timer(d.timings.solve);
  d.solve(d.r, d.z);
  SOLIDYN_PETSC(VecScale(d.z, 1.0 / d.scale));
  d.z_ports = ports_of(d.z);
  r.tail(n_elastic()).noalias() += d.scale * (d.condensation->inverse_flexibility * d.z_ports);
}

void FloatingFrameBody::add_tangent(const BodyState& s, const Vector3d& gravity,
                                    const TangentCoefficients& k, Ref<MatrixXd> J_rate,
                                    Ref<MatrixXd> J_q) {
  Data& d = *data_;
  SOLIDYN_ASSERT(k == d.coefficients);
  Moments& m = d.moments;
  const double mass = d.properties.mass;
  const Matrix3d& R = s.R_WB;
  const Vector3d w = s.w_WB_B(), c = m.c(), dc = m.dc();
  const Vector3d a_B = R.transpose() * (s.a.head<3>() - gravity);
  const Matrix3d Omega = skew(w), J = m.inertia(), E = m.E();
  const Matrix3d A = skew(s.a.segment<3>(3)) + Omega * Omega;
  const Vector3d y = mass * a_B + A * c + 2.0 * w.cross(dc) + m.ddc();
  const Matrix3d a_skew = skew(a_B), Rc = R * skew(c);

  J_rate.topLeftCorner<3, 3>().diagonal().array() += k.mass * mass;
  J_rate.block<3, 3>(0, 3) +=
      -k.mass * Rc - k.damping * R * (skew(w.cross(c)) + Omega * skew(c) + 2.0 * skew(dc));
  J_rate.block<3, 3>(3, 0) -= k.mass * Rc.transpose();
  J_rate.block<3, 3>(3, 3) +=
      k.mass * J + k.damping * (Omega * J - skew(J * w) -
                                2.0 * (E.transpose() - E.trace() * Matrix3d::Identity()));
  J_q.block<3, 3>(0, 3) += k.stiffness * R * (mass * a_skew - skew(y));
  J_q.block<3, 3>(3, 3) += k.stiffness * skew(c) * a_skew;

  // What the moment ports say about rigid-elastic coupling: all of it for forces, the inertia
  // coupling at the undeformed shape for torques. sum m x x u = ports 3..5 + x_c x ports 0..2.
  const Matrix3d to_origin = skew(d.properties.center_of_mass);
  J_rate.block<3, 3>(0, 6) += R * (k.mass * Matrix3d::Identity() + 2.0 * k.damping * Omega);
  J_rate.block<3, 3>(6, 0) += k.mass * R.transpose();
  J_rate.block<3, 3>(3, 6) += k.mass * to_origin;
  J_rate.block<3, 3>(6, 3) += k.mass * to_origin.transpose();
  J_rate.block<3, 3>(3, 9).diagonal().array() += k.mass;
  J_rate.block<3, 3>(9, 3).diagonal().array() += k.mass;
  J_q.block<3, 3>(0, 6) += k.stiffness * R * A;
  J_q.block<3, 3>(3, 6) -= k.stiffness * a_skew;
  J_q.block<3, 3>(6, 3) += k.stiffness * a_skew;

  const int n = n_elastic();
  auto elastic = J_rate.bottomRightCorner(n, n);
  elastic += d.scale * d.condensation->inverse_flexibility;
  if (d.condensation == &d.at_rest)
    elastic.diagonal().head<kRigidPorts>().array() -= d.scale * d.free_stiffness->spring();
}

void FloatingFrameBody::recover(const Ref<const VectorXd>& ds, ::Vec increment) {
  Data& d = *data_;
  base::ScopedTimer timer(d.timings.solve);
  const VectorXd load = d.condensation->inverse_flexibility * (ds + d.z_ports);
  const NodalView z(d.z);
  WritableNodalView du(increment);
  d.condensation->Y.multiply(load, du.flat());
  du.flat() -= z.flat();
}

void FloatingFrameBody::follow(const Ref<const VectorXd>& ds, ::Vec increment) {
  const Condensation& c = *data_->condensation;
  c.Y.multiply(c.inverse_flexibility * ds, WritableNodalView(increment).flat());
}

double FloatingFrameBody::interior_increment() const {
  const Data& d = *data_;
  const VectorXd held = d.condensation->inverse_flexibility * d.z_ports;
  VectorXd move(3 * d.mesh.n_owned);
  d.condensation->Y.multiply(held, move);
  move -= NodalView(d.z).flat();
  return base::max(d.mesh.comm, move.size() > 0 ? move.lpNorm<Eigen::Infinity>() : 0.0);
}

VectorXd FloatingFrameBody::ports_of(::Vec x) const {
  return data_->basis.ports.of(NodalView(x).flat());
}

Energy FloatingFrameBody::energy(const BodyState& s, const Vector3d& gravity) const {
  Moments& m = data_->moments_with_stiffness(*s.nodal);
  const double mass = data_->properties.mass;
  const Vector3d v_B = s.R_WB.transpose() * s.v_WB(), w = s.w_WB_B(), c = m.c();
  Energy e;
  e.kinetic = 0.5 * mass * v_B.squaredNorm() + v_B.dot(w.cross(c) + m.dc()) +
              0.5 * w.dot(m.inertia() * w) + w.dot(cross_of(m.E())) +
              0.5 * m.twice_relative_energy();
  e.strain = 0.5 * m.twice_strain_energy();
  e.potential = -gravity.dot(mass * s.p_WB + s.R_WB * c);
  return e;
}

Momentum FloatingFrameBody::momentum(const BodyState& s) const {
  Moments& m = data_->moments_of(*s.nodal);
  const Vector3d v_B = s.R_WB.transpose() * s.v_WB(), w = s.w_WB_B(), c = m.c();
  const Vector3d h = c.cross(v_B) + m.inertia() * w + cross_of(m.E());
  Momentum p;
  p.linear = data_->properties.mass * s.v_WB() + s.R_WB * (w.cross(c) + m.dc());
  p.angular = s.p_WB.cross(p.linear) + s.R_WB * h;
  return p;
}

double FloatingFrameBody::dissipation(const BodyState& s) const {
  const FloatingFrameOptions& o = data_->options;
  if (o.rayleigh_alpha == 0.0 && o.rayleigh_beta == 0.0) return 0.0;
  Moments& m = data_->moments_with_stiffness(*s.nodal);
  return o.rayleigh_alpha * m.twice_relative_energy() + o.rayleigh_beta * m.stiffness_dissipation();
}

double FloatingFrameBody::mass() const { return data_->properties.mass; }
double FloatingFrameBody::radius_of_gyration() const {
  return bodies::radius_of_gyration(data_->properties.mass, data_->properties.inertia);
}
VectorXd FloatingFrameBody::elastic_amplitude() const { return data_->amplitude; }
int FloatingFrameBody::linear_iterations() const { return data_->matrices->iterations(); }
std::int64_t FloatingFrameBody::n_unknowns() const { return 6 + 3 * data_->mesh.n_global_nodes; }
const std::vector<reduction::ReducedInterface>& FloatingFrameBody::interfaces() const {
  return data_->interfaces;
}
const std::vector<reduction::TrackedPoint>& FloatingFrameBody::points() const {
  return data_->points;
}
const std::vector<reduction::LoadRows>& FloatingFrameBody::loads() const { return data_->loads; }
const mesh::DistributedMesh& FloatingFrameBody::mesh() const { return data_->mesh; }
const fem::MassProperties& FloatingFrameBody::mass_properties() const { return data_->properties; }
const FloatingFrameBody::Timings& FloatingFrameBody::timings() const { return data_->timings; }

MatrixXd FloatingFrameBody::mean_axis_rows() const {
  const double mass = data_->properties.mass, size = data_->size;
  MatrixXd rows = MatrixXd::Zero(kRigidPorts, n_elastic());
  rows.topLeftCorner<3, 3>().diagonal().setConstant(1.0 / mass);
  rows.block<3, 3>(3, 3).diagonal().setConstant(1.0 / (mass * size * size));
  return rows;
}

std::vector<std::string> FloatingFrameBody::mean_axis_row_names() {
  return {"mean displacement x", "mean displacement y", "mean displacement z",
          "mean rotation x",     "mean rotation y",     "mean rotation z"};
}

Matrix3Xd FloatingFrameBody::on_local_nodes(::Vec x) const {
  const Data& d = *data_;
  {
    const NodalView owned(x);
    WritableNodalView(d.ghosted).nodes() = owned.nodes();
  }
  SOLIDYN_PETSC(VecGhostUpdateBegin(d.ghosted, INSERT_VALUES, SCATTER_FORWARD));
  SOLIDYN_PETSC(VecGhostUpdateEnd(d.ghosted, INSERT_VALUES, SCATTER_FORWARD));
  ::Vec local = nullptr;
  SOLIDYN_PETSC(VecGhostGetLocalForm(d.ghosted, &local));
  Matrix3Xd result = NodalView(local).nodes();
  SOLIDYN_PETSC(VecGhostRestoreLocalForm(d.ghosted, &local));
  return result;
}

}  // namespace solidyn::bodies
