#include "solidyn/bodies/solid_body.h"

#include <Eigen/SVD>

#include "kept_tangent.h"
#include "nearest_rotation.h"
#include "nodal_view.h"
#include "solid_loads.h"
#include "solid_supports.h"
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
using Vector6 = Eigen::Matrix<double, 6, 1>;

// Where the solver may want one and the mesh has it.
std::unique_ptr<CornerLevel> make_corner_level(const std::string& name, const BodySolver& solver,
                                               const mesh::DistributedMesh& mesh,
                                               const fem::Sections& sections,
                                               const fem::SolidOptions& solid, fem::MassKind kind,
                                               const VectorXd& m) {
  if (!solver.may_do_without_matrix() || !fem::has_middle_nodes(mesh)) return nullptr;
  try {
    return std::make_unique<CornerLevel>(mesh, sections, solid, kind, m);
  } catch (const base::InputError& error) {
    // The mesh itself has been accepted: some element is sound with its middle nodes only.
    base::log_info("body {}: no multigrid by the corners of elements: {}", name, error.what());
    return nullptr;
  }
}

}  // namespace

struct SolidBody::Data {
  mesh::DistributedMesh mesh;
  SolidBodyOptions options;
  fem::ElasticBody pattern;  // and masses
  std::unique_ptr<fem::SolidOperator> forces;
  std::unique_ptr<NodalMass> masses;
  std::unique_ptr<BodySolver> solver;
  std::unique_ptr<SolidPorts> ports;
  std::unique_ptr<SolidLoads> loads;
  std::unique_ptr<SolidSupports> supports;
  std::unique_ptr<KeptTangent> tangent;
  VectorXd m;  // [n_owned] row sums of the mass matrix
  fem::MassProperties properties;
  base::Vec z, r, work, rate;   // z = A^-1 r of the last residual
  VectorXd z_ports, port_load;  // port_load: of the last recover()
  double t = 0.0;               // of the last residual or tangent
  VectorXd support_rows;        // what the last residual left at held rows: the supports' forces
  Vector3d gravity = Vector3d::Zero();  // of the last residual, as t
  Matrix3Xd x, v, f;                    // [3 x n_local], [3 x n_local], [3 x n_owned]
  mutable Timings timings;

  int n_ports() const { return ports->size(); }
  const Matrix3Xd& positions(const NodalState& n);
  const Matrix3Xd& velocities(const NodalState& n);
  Matrix3d mean_rotation(const NodalState& n) const;
  void compute_force(const NodalState& n);
  void compute_residual(const NodalState& n);
  void impose_supports(const NodalState& n);
  void apply_tangent(const Matrix3Xd& move, Matrix3Xd& force);
};

const Matrix3Xd& SolidBody::Data::positions(const NodalState& n) {
  x.leftCols(mesh.n_owned) = mesh.x.leftCols(mesh.n_owned) + NodalView(n.u).nodes();
  forces->update_ghosts(x);
  return x;
}

const Matrix3Xd& SolidBody::Data::velocities(const NodalState& n) {
  v.leftCols(mesh.n_owned) = NodalView(n.du).nodes();
  forces->update_ghosts(v);
  return v;
}

// By the polar decomposition of sum m x (X - C)^T; the same on all ranks.
Matrix3d SolidBody::Data::mean_rotation(const NodalState& n) const {
  const auto X = mesh.x.leftCols(mesh.n_owned).colwise() - properties.center_of_mass;
  Matrix3d F =
      (mesh.x.leftCols(mesh.n_owned) + NodalView(n.u).nodes()) * m.asDiagonal() * X.transpose();
  base::sum_in_place(mesh.comm, F.data(), 9);
  return nearest_rotation(F);
}

void SolidBody::Data::compute_force(const NodalState& n) {
  positions(n);
  if (options.viscosity.is_zero())
    forces->compute_force(x, f);
  else
    forces->compute_force(x, velocities(n), f);
}

// force += A move, without a factor. @param move [3 x n_local], ghosts are updated
void SolidBody::Data::apply_tangent(const Matrix3Xd& move, Matrix3Xd& force) {
  const fem::TangentCoefficients& c = tangent->coefficients();
  if (c.mass != 0.0) {
    WritableNodalView(work).nodes() = move.leftCols(mesh.n_owned);
    masses->multiply(work, rate);
    force += c.mass * NodalView(rate).nodes();
  }
  if (c.stiffness == 0.0 && c.damping == 0.0) return;
  Matrix3Xd with_ghosts = move, product(3, mesh.n_owned);
  forces->update_ghosts(with_ghosts);
  forces->apply_tangent(x, c, with_ghosts, product);
  force += product;
}

void SolidBody::Data::compute_residual(const NodalState& n) {
  base::ScopedTimer timer(timings.residual);
  compute_force(n);
  if (!loads->is_empty()) {
    f *= -1.0;
    loads->add_force(x, t, f);
    f *= -1.0;
  }
  SOLIDYN_PETSC(VecWAXPY(work, options.rayleigh_alpha, n.du, n.ddu));
  {
    WritableNodalView inertia(work);
    inertia.nodes().colwise() -= gravity;
  }
  masses->multiply(work, r);
  WritableNodalView(r).nodes() += f;
  impose_supports(n);
}

// Held rows of the residual become those of u - prescribed = 0, so that one correction moves them
// there, and the other rows know of it. Where stiffness plays no part, accelerations are
// prescribed.
void SolidBody::Data::impose_supports(const NodalState& n) {
  if (supports->is_empty()) return;
  const std::vector<PetscInt>& rows = supports->rows();
  const fem::TangentCoefficients& c = tangent->coefficients();
  const bool is_inertial = c.stiffness == 0.0 && c.damping == 0.0;
  const VectorXd defect = supports->defect(
      is_inertial ? SolidSupports::Level::acceleration : SolidSupports::Level::position, n, t);
  const auto n_rows = static_cast<Eigen::Index>(rows.size());
  support_rows = supports->held_part(NodalView(r).nodes());
  const double largest = n_rows > 0 ? defect.lpNorm<Eigen::Infinity>() : 0.0;
  if (base::max(mesh.comm, largest) > 0.0) {
    VectorXd move = VectorXd::Zero(3 * mesh.n_local());
    for (Eigen::Index i = 0; i < n_rows; ++i) move[rows[i]] = defect[i];
    supports->axes().to_world(move);
    Matrix3Xd force = Matrix3Xd::Zero(3, mesh.n_owned);
    apply_tangent(Eigen::Map<const Matrix3Xd>(move.data(), 3, mesh.n_local()), force);
    WritableNodalView(r).nodes() += force;
  }
  const double scale = is_inertial ? c.mass : 1.0;  // by which inertial solves are divided
  supports->axes().to_nodes(r);
  {
    WritableNodalView residual(r);
    for (Eigen::Index i = 0; i < n_rows; ++i) residual.flat()[rows[i]] = -scale * defect[i];
  }
  supports->axes().to_world(r);
}

SolidBody::SolidBody(std::string name, std::unique_ptr<Data> data)
    : NodalBody(std::move(name), data->n_ports(), Axes::world), data_(std::move(data)) {}

SolidBody::~SolidBody() = default;

std::unique_ptr<SolidBody> SolidBody::make(std::string name, mesh::DistributedMesh mesh,
                                           const fem::Sections& sections,
                                           const SolidBodyOptions& options) {
  const base::Timer timer;
  auto data = std::make_unique<Data>();
  Data& d = *data;
  d.mesh = std::move(mesh);
  d.options = options;
  d.pattern = fem::assemble_masses(d.mesh, sections, options.node_masses);
  const fem::SolidOptions solid{options.formulation,
                                sections.of_region(0).material,
                                options.viscosity,
                                options.hex8,
                                options.hex20,
                                options.regions,
                                fem::at_local_nodes(options.temperature, d.mesh)};
  d.forces = std::make_unique<fem::SolidOperator>(d.mesh, d.pattern, solid);
  d.solver = std::make_unique<BodySolver>(
      d.mesh.comm, name, [&](double enough) { return predict_factor_bytes(d.mesh, enough); },
      Solutions::corrections);
  d.masses = std::make_unique<NodalMass>(d.pattern, options.mass, d.solver->matrix_type());
  d.ports = std::make_unique<SolidPorts>(make_solid_ports(d.mesh, options, d.pattern.lumped_mass));
  {
    MassMoments moments = find_mass_moments(*d.masses, d.mesh);
    d.m = std::move(moments.m);
    d.properties = moments.properties;
  }
  d.loads = std::make_unique<SolidLoads>(d.mesh, *d.forces, options.loads);
  d.supports = std::make_unique<SolidSupports>(d.mesh, options.supports, d.ports->regions.rows());
  TangentTerms terms{
      !d.supports->is_empty(), d.loads->has_followers(), d.supports->rows(), &d.supports->axes(),
      [&d](const Matrix3Xd& x, double scale, Mat A) { d.loads->add_stiffness(x, d.t, scale, A); }};
  const fem::Material& material = sections.of_region(0).material;
  terms.anchor_stiffness =
      material.modulus_scale() * std::cbrt(d.properties.mass / material.density());
  d.tangent = std::make_unique<KeptTangent>(
      name, d.mesh, *d.forces, *d.masses, *d.ports, *d.solver, terms,
      make_corner_level(name, *d.solver, d.mesh, sections, solid, options.mass, d.m));
  for (base::Vec* vector : {&d.z, &d.r, &d.work, &d.rate}) *vector = d.masses->make_vector();
  d.z_ports = d.port_load = VectorXd::Zero(d.n_ports());
  d.x.setZero(3, d.mesh.n_local());
  d.v.setZero(3, d.mesh.n_local());
  d.f.setZero(3, d.mesh.n_owned);
  d.timings.setup = timer.seconds();
  std::unique_ptr<SolidBody> body(new SolidBody(std::move(name), std::move(data)));
  body->set_coefficients({1.0, 0.0, 0.0});
  return body;
}

NodalState SolidBody::make_state() const {
  NodalState s;
  s.u = data_->masses->make_vector();
  s.du = data_->masses->make_vector();
  s.ddu = data_->masses->make_vector();
  return s;
}

void SolidBody::set_coefficients(const TangentCoefficients& c) {
  fem::TangentCoefficients coefficients;
  coefficients.mass = c.mass + data_->options.rayleigh_alpha * c.damping;
  coefficients.damping = data_->options.viscosity.is_zero() ? 0.0 : c.damping;
  coefficients.stiffness = c.stiffness;
  coefficients.mass_kind = data_->options.mass;
  data_->tangent->set_coefficients(coefficients);
}

bool SolidBody::turn_tangent(const BodyState& s) {
  return data_->tangent->turn(data_->mean_rotation(*s.nodal));
}

bool SolidBody::renew_tangent(const BodyState& s) {
  data_->t = s.t;
  return data_->tangent->renew(data_->positions(*s.nodal), data_->mean_rotation(*s.nodal));
}

void SolidBody::add_residual(const BodyState& s, const Vector3d& gravity, Ref<VectorXd> r) {
  Data& d = *data_;
  d.t = s.t;
  d.gravity = gravity;
  d.compute_residual(*s.nodal);
  base::ScopedTimer timer(d.timings.solve);
  d.tangent->solve(d.r, d.z, d.port_load);
  d.z_ports = ports_of(d.z);
  r.noalias() += d.tangent->inverse_flexibility() * d.z_ports;
}

void SolidBody::add_tangent(const BodyState&, const Vector3d&, const TangentCoefficients&,
                            Ref<MatrixXd> J_rate, Ref<MatrixXd>) {
  J_rate += data_->tangent->condensed();
}

void SolidBody::recover(const Ref<const VectorXd>& ds, ::Vec increment) {
  Data& d = *data_;
  base::ScopedTimer timer(d.timings.solve);
  d.port_load = d.tangent->inverse_flexibility() * (ds + d.z_ports);
  const NodalView z(d.z);
  WritableNodalView(increment).flat() = d.tangent->spread(d.port_load) - z.flat();
}

void SolidBody::follow(const Ref<const VectorXd>& ds, ::Vec increment) {
  const KeptTangent& tangent = *data_->tangent;
  WritableNodalView(increment).flat() = tangent.spread(tangent.inverse_flexibility() * ds);
}

double SolidBody::interior_increment() const {
  const Data& d = *data_;
  const VectorXd load = d.tangent->inverse_flexibility() * d.z_ports;
  const VectorXd move = NodalView(d.z).flat() - d.tangent->spread(load);
  return base::max(d.mesh.comm, move.size() > 0 ? move.lpNorm<Eigen::Infinity>() : 0.0);
}

VectorXd SolidBody::ports_of(::Vec x) const {
  return data_->ports->basis.ports.of(NodalView(x).flat());
}

void SolidBody::make_admissible(::Vec x) const {
  WritableNodalView nodes(x);
  data_->ports->regions.make_affine(nodes.flat());
}

void SolidBody::start(const InitialMotion& motion, NodalState& state) const {
  const Data& d = *data_;
  const Matrix3d R = motion.q_WB.toRotationMatrix();
  const auto X = d.mesh.x.leftCols(d.mesh.n_owned);
  const Vector3d w = motion.q_WB * motion.w_WB_B;
  WritableNodalView u(state.u), du(state.du);
  u.nodes() = ((R - Matrix3d::Identity()) * X).colwise() + motion.p_WB;
  du.nodes() = (math::skew(w) * (R * X)).colwise() + motion.v_WB;
  data_->loads->set_orientation(R);
  data_->supports->start(state);
  data_->tangent->place(R);
}

MatrixXd SolidBody::rigid_port_velocities(const NodalState& state) const {
  MatrixXd velocities = MatrixXd::Zero(n_elastic(), 6);
  if (!data_->supports->is_empty()) return velocities;  // it cannot be moved
  NodalState field;
  field.du = data_->masses->make_vector();
  field.u = data_->masses->make_vector();
  SOLIDYN_PETSC(VecCopy(state.u, field.u));
  for (int k = 0; k < 6; ++k) {
    SOLIDYN_PETSC(VecZeroEntries(field.du));
    add_rigid_velocity(Vector6::Unit(k), field);
    velocities.col(k) = ports_of(field.du);
  }
  return velocities;
}

void SolidBody::move_rigidly(const Vector6& motion, NodalState& state) const {
  const Matrix3d R = math::exp_rotation(motion.tail<3>());
  const auto X = data_->mesh.x.leftCols(data_->mesh.n_owned);
  WritableNodalView u(state.u), du(state.du);
  u.nodes() = ((R * (X + u.nodes()) - X).colwise() + motion.head<3>()).eval();
  du.nodes() = (R * du.nodes()).eval();
}

void SolidBody::add_rigid_velocity(const Vector6& twist, NodalState& state) const {
  const auto X = data_->mesh.x.leftCols(data_->mesh.n_owned);
  const NodalView u(state.u);
  WritableNodalView du(state.du);
  const Vector3d w = twist.tail<3>();
  du.nodes() += (math::skew(w) * (X + u.nodes())).colwise() + twist.head<3>();
}

Energy SolidBody::energy(const BodyState& s, const Vector3d& gravity) const {
  Data& d = *data_;
  const NodalState& n = *s.nodal;
  Energy e;
  d.masses->multiply(n.du, d.work);
  Eigen::Matrix<double, 4, 1> sums;
  sums[0] = NodalView(n.du).flat().dot(NodalView(d.work).flat());
  sums.tail<3>() = (d.mesh.x.leftCols(d.mesh.n_owned) + NodalView(n.u).nodes()) * d.m;
  base::sum_in_place(d.mesh.comm, sums.data(), 4);
  e.kinetic = 0.5 * sums[0];
  e.potential = -gravity.dot(sums.tail<3>());
  e.strain = d.forces->compute_energy(d.positions(n));
  return e;
}

Momentum SolidBody::momentum(const BodyState& s) const {
  Data& d = *data_;
  const NodalState& n = *s.nodal;
  d.masses->multiply(n.du, d.work);
  const NodalView u(n.u), p(d.work);
  Vector6 sums = Vector6::Zero();
  for (std::int32_t k = 0; k < d.mesh.n_owned; ++k) {
    const Vector3d x = d.mesh.x.col(k) + u.nodes().col(k), momentum = p.nodes().col(k);
    sums.head<3>() += momentum;
    sums.tail<3>() += x.cross(momentum);
  }
  base::sum_in_place(d.mesh.comm, sums.data(), 6);
  return {sums.head<3>(), sums.tail<3>()};
}

double SolidBody::dissipation(const BodyState& s) const {
  Data& d = *data_;
  const NodalState& n = *s.nodal;
  double sum = 0.0;
  if (d.options.rayleigh_alpha != 0.0) {
    d.masses->multiply(n.du, d.work);
    sum += d.options.rayleigh_alpha * NodalView(n.du).flat().dot(NodalView(d.work).flat());
  }
  if (!d.options.viscosity.is_zero()) {
    Matrix3Xd elastic(3, d.mesh.n_owned);
    d.compute_force(n);
    d.forces->compute_force(d.x, elastic);
    sum += NodalView(n.du).nodes().cwiseProduct(d.f - elastic).sum();
  }
  return base::sum(d.mesh.comm, sum);
}

double SolidBody::load_power(const BodyState& s) const {
  Data& d = *data_;
  if (d.loads->is_empty() && d.supports->is_empty()) return 0.0;
  // Newton's last correction has changed the supports' forces since the last residual.
  if (!d.supports->is_empty()) {
    d.t = s.t;
    d.compute_residual(*s.nodal);
  }
  Matrix3Xd force = Matrix3Xd::Zero(3, d.mesh.n_owned);
  d.loads->add_force(d.positions(*s.nodal), s.t, force);
  const NodalView du(s.nodal->du);
  double power = force.cwiseProduct(du.nodes()).sum();
  if (d.support_rows.size() == static_cast<Eigen::Index>(d.supports->rows().size()))
    power += d.support_rows.dot(d.supports->held_part(du.nodes()));
  return base::sum(d.mesh.comm, power);
}

std::vector<std::string> SolidBody::support_names() const {
  std::vector<std::string> names;
  for (const Support& support : data_->options.supports) names.push_back(support.name);
  return names;
}

Matrix3Xd SolidBody::support_forces() const {
  const VectorXd none = VectorXd::Zero(static_cast<Eigen::Index>(data_->supports->rows().size()));
  return data_->supports->sums(data_->support_rows.size() == none.size() ? data_->support_rows
                                                                         : none);
}

double SolidBody::mass() const { return data_->properties.mass; }
double SolidBody::radius_of_gyration() const {
  return bodies::radius_of_gyration(data_->properties.mass, data_->properties.inertia);
}
// Ports are positions, and moments of unit variance.
VectorXd SolidBody::elastic_amplitude() const { return VectorXd::Ones(n_elastic()); }
std::optional<int> SolidBody::n_hidden_negatives() const {
  return data_->tangent->n_hidden_negatives();
}

double SolidBody::nodal_forces() const {
  const Data& d = *data_;
  SOLIDYN_PETSC(VecCopy(d.r, d.work));
  d.supports->axes().to_nodes(d.work);
  WritableNodalView forces(d.work);
  for (PetscInt row : d.supports->rows()) forces.flat()[row] = 0.0;
  return base::sum(d.mesh.comm, forces.nodes().colwise().norm().sum());
}

void SolidBody::solve_exactly(bool yes) { data_->tangent->solve_exactly(yes); }

int SolidBody::linear_iterations() const {
  return data_->solver->iterations() + data_->masses->iterations();
}
std::int64_t SolidBody::n_unknowns() const { return 3 * data_->mesh.n_global_nodes; }
const mesh::DistributedMesh& SolidBody::mesh() const { return data_->mesh; }
const std::vector<SolidInterface>& SolidBody::interfaces() const {
  return data_->ports->interfaces;
}
const std::vector<reduction::TrackedPoint>& SolidBody::points() const {
  return data_->ports->points;
}
const fem::MassProperties& SolidBody::mass_properties() const { return data_->properties; }
const fem::SolidOperator& SolidBody::forces() const { return *data_->forces; }
const SolidBody::Timings& SolidBody::timings() const {
  data_->timings.assembly = data_->tangent->assembly_seconds;
  data_->timings.factor = data_->tangent->factor_seconds;
  data_->timings.condensation = data_->tangent->condensation_seconds;
  data_->timings.n_factors = data_->tangent->n_factors;
  return data_->timings;
}

}  // namespace solidyn::bodies
