#include "model/bodies/build_bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "model/bodies/beams/build_beams.h"
#include "model/bodies/body_source.h"
#include "model/bodies/build_stress.h"
#include "model/bodies/build_supports.h"
#include "model/bodies/carried_masses.h"
#include "model/bodies/doubtful_elements.h"
#include "model/bodies/flexible_source.h"
#include "model/bodies/plausibility.h"
#include "model/forces/build_loads.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/timer.h"
#include "solidyn/bodies/floating_frame_body.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/bodies/solid_body.h"
#include "solidyn/joints/linear_condition.h"
#include "solidyn/joints/reference_condition.h"
#include "solidyn/joints/rigid_flexible_joint.h"
#include "solidyn/joints/tied_axes.h"
#include "solidyn/math/rotation.h"
#include "solidyn/model/reduce_body.h"

namespace solidyn::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

std::string key_of(const PlaceDescription& place) {
  return place.name.empty() ? place.body : place.body + "." + place.name;
}

void add_rigid_body(const BodyDescription& d, BuiltModel& built, PlaceFinder& places) {
  const system::InitialMotion motion = initial_motion(d);
  const int index = built.system.add_body(
      bodies::make_rigid_body(d.name, d.rigid.mass, d.rigid.center_of_mass, d.rigid.inertia),
      motion);
  built.bodies.push_back({d.name, d.type, index, nullptr, nullptr, {}});
  places.add_carrier(index, motion);
  bodies::Frame origin;
  origin.body = index;
  places.add_place(d.name, "", origin);
  for (const FrameDescription& f : d.rigid.frames) {
    bodies::Frame frame;
    frame.body = index;
    frame.x_B = f.pose.position;
    frame.R_BF = f.pose.rotation.normalized().toRotationMatrix();
    places.add_place(d.name, f.name, frame);
  }
}

void log_load_report(const BodyDescription& d, const reduction::ReducedBody& body) {
  const reduction::InertiaInvariants& i = body.inertia;
  const Vector3d c = i.first_moment / i.mass;
  std::string frequencies;
  int shown = 0;
  for (const reduction::Mode& mode : body.modes)
    if (mode.kind != reduction::Mode::Kind::rigid && shown++ < 4)
      frequencies += fmt::format(" {:.4g}", mode.frequency);
  base::log_info(
      "body {}: {:.6g} kg, centre of mass ({:.4g}, {:.4g}, {:.4g}) m, {}", d.name, i.mass, c.x(),
      c.y(), c.z(),
      d.flexible.is_rigid
          ? "rigid"
          : fmt::format("{} modes{}, first elastic frequencies{} Hz", body.n_modes(),
                        body.has_second_order() ? " with geometric stiffening" : "", frequencies));
}

// Of a full-mesh body, and what may be wrong with its units.
void log_whole_mass(const BodyDescription& d, const WholeMass& whole, const std::string& what) {
  const Vector3d& c = whole.center_of_mass;
  base::log_info("body {}: {:.6g} kg, centre of mass ({:.4g}, {:.4g}, {:.4g}) m, {}", d.name,
                 whole.mass, c.x(), c.y(), c.z(), what);
  warn_of_doubtful_units(d, whole.mass, 0.0);
}

template <class Interface>
void log_interfaces(const BodyDescription& d, const std::vector<Interface>& interfaces) {
  std::vector<mesh::InterfaceReport> reports;
  for (const Interface& i : interfaces) reports.push_back(i.report);
  mesh::log_interfaces(d.name, reports);
}

// The virtual body of an interface, its rigid-flexible joint, and the place they make.
void add_virtual_body(const BodyDescription& d, int flexible, const reduction::ReducedInterface& i,
                      const system::InitialMotion& motion, int n_elastic, BuiltModel& built,
                      PlaceFinder& places) {
  const Matrix3d x = i.x_nodes;
  const Matrix3d R_BV = joints::RigidFlexibleJoint::triad(x);
  const system::InitialMotion virtual_motion = carried_along(motion, x.col(0), R_BV);
  const std::string name = d.name + "." + i.name;
  const int index =
      built.system.add_body(bodies::make_virtual_body("virtual body " + name), virtual_motion);
  places.add_carrier(index, virtual_motion);
  built.system.add_constraint(std::make_unique<joints::RigidFlexibleJoint>(
      "rigid-flexible joint of " + name, flexible, index, n_elastic, x,
      std::array<Eigen::Matrix3Xd, 3>{i.Psi_nodes[0], i.Psi_nodes[1], i.Psi_nodes[2]}, R_BV));
  bodies::Frame frame;
  frame.body = index;
  frame.R_BF = R_BV.transpose();  // the interface's axes are the mesh axes
  places.add_place(d.name, i.name, frame);
}

// Interfaces and tracked points of a flexible body whose elastic coordinates they are rows of.
void add_flexible_places(const BodyDescription& d, int index, int n_elastic,
                         const std::vector<reduction::ReducedInterface>& interfaces,
                         const std::vector<reduction::TrackedPoint>& points, BuiltModel& built,
                         PlaceFinder& places) {
  const system::InitialMotion motion = initial_motion(d);
  for (const reduction::ReducedInterface& i : interfaces) {
    if (i.attach == mesh::Attachment::virtual_body) {
      add_virtual_body(d, index, i, motion, n_elastic, built, places);
      continue;
    }
    bodies::Frame frame;
    frame.body = index;
    frame.x_B = i.x_B;
    frame.Psi_t = i.Psi_t;
    frame.Psi_r = i.Psi_r;
    frame.Y_t = i.Y_t;
    frame.Y_r = i.Y_r;
    places.add_place(d.name, i.name, frame);
  }
  for (const reduction::TrackedPoint& p : points) {
    bodies::Frame frame;
    frame.body = index;
    frame.x_B = p.x_B;
    frame.Psi_t = p.Psi;
    frame.Y_t = p.Y;
    places.add_place(d.name, p.name, frame);
  }
}

void add_reference_condition(const BodyDescription& d, int index,
                             const reduction::ReducedBody& reduced, BuiltModel& built) {
  if (!keeps_rigid_modes(d)) return;
  joints::ReferenceConditionType type = joints::ReferenceConditionType::mean_axis;
  if (d.flexible.reference_conditions == ReferenceConditions::principal_axis)
    type = joints::ReferenceConditionType::principal_axis;
  else if (d.flexible.mean_axis_level == MeanAxisLevel::velocity)
    type = joints::ReferenceConditionType::mean_axis_velocity;
  built.system.add_constraint(
      std::make_unique<joints::ReferenceCondition>(d.name, index, type, reduced.inertia));
}

// A file made without the rigid modes cannot serve the multiplier route, and the other way round.
void check_rigid_modes(const BodyDescription& d, const reduction::ReducedBody& reduced) {
  const bool has_rigid =
      !reduced.modes.empty() && reduced.modes.front().kind == reduction::Mode::Kind::rigid;
  if (has_rigid == keeps_rigid_modes(d)) return;
  throw base::InputError(
      fmt::format(
          "bodies.{}: the reduced body {} {} its rigid-body modes, which enforced_by: {} {}",
          d.name, d.flexible.reduced_body.string(), has_rigid ? "keeps" : "does not keep",
          has_rigid ? "orthogonal_modes" : "multipliers", has_rigid ? "must not have" : "needs"),
      has_rigid
          ? "set enforced_by: multipliers, or reduce the body again without them"
          : "set enforced_by: orthogonal_modes, or reduce the body again with its rigid modes");
}

void add_modal_body(MPI_Comm comm, const ModelDescription& model, const BodyDescription& d,
                    const BuildOptions& options, BuiltModel& built, PlaceFinder& places) {
  base::Timer timer;
  const auto reduced = reduce_body(comm, model, d, options.cache_folder).body;
  built.seconds_reduction += timer.seconds();
  check_rigid_modes(d, *reduced);
  log_load_report(d, *reduced);
  log_interfaces(d, reduced->interfaces);
  const system::InitialMotion motion = initial_motion(d);
  const int index = built.system.add_body(
      std::make_unique<bodies::ModalBody>(d.name, reduced->inertia, reduced->M, reduced->K,
                                          reduced->D, reduced->amplitude),
      motion);
  built.bodies.push_back({d.name, d.type, index, reduced, nullptr, stress_of_modal_body(*reduced)});
  places.add_carrier(index, motion);
  add_reference_condition(d, index, *reduced, built);
  add_flexible_places(d, index, reduced->n_modes(), reduced->interfaces, reduced->points, built,
                      places);
  add_supports(model, d, index, reduced->supports, built);
}

void add_floating_frame_body(MPI_Comm comm, const ModelDescription& model, const BodyDescription& d,
                             BuiltModel& built, PlaceFinder& places) {
  bodies::FloatingFrameOptions options;
  options.mass = d.flexible.mass_matrix;
  options.rayleigh_alpha = d.flexible.damping.rayleigh_mass;
  options.rayleigh_beta = d.flexible.damping.rayleigh_stiffness;
  const BodySource source = make_body_source(comm, model, d);
  options.interfaces = with_frames_of(source.masses.on_frames, source.interfaces);
  options.node_masses = source.masses.at_nodes;
  for (const PointDescription& p : d.flexible.points) options.points.push_back({p.name, p.x_B});
  options.loads = load_definitions(model, d);
  auto body = bodies::FloatingFrameBody::make(d.name, source.load_mesh(), source.sections, options);
  const bodies::FloatingFrameBody& nodal = *body;
  const system::InitialMotion motion = initial_motion(d);
  log_whole_mass(d, with_masses(nodal.mass_properties(), source.masses.on_frames),
                 fmt::format("{} nodes, all kept", nodal.mesh().n_global_nodes));
  warn_of_doubtful_elements(model, d, nodal.mesh(), source.sections);
  log_interfaces(d, nodal.interfaces());
  const int index = built.system.add_body(std::move(body), motion);
  built.bodies.push_back({d.name, d.type, index, nullptr, &nodal,
                          stress_of_floating_frame_body(source.sections, d, nodal)});
  places.add_carrier(index, motion);
  built.system.add_constraint(std::make_unique<joints::LinearCondition>(
      "reference conditions of " + d.name, index, nodal.mean_axis_rows(),
      bodies::FloatingFrameBody::mean_axis_row_names()));
  add_flexible_places(d, index, nodal.n_elastic(), nodal.interfaces(), nodal.points(), built,
                      places);
  built.bodies.back().carried_masses =
      add_carried_masses(d, source.masses.on_frames, built, places);
}

bodies::SolidLoad solid_load(const LoadDescription& load) {
  using Follows = bodies::SolidLoad::Follows;
  return {load_definition(load), load.follows_body ? Follows::deformed : Follows::reference,
          load.force, load.pressure};
}

void add_loads_and_supports(const ModelDescription& model, const BodyDescription& d,
                            bodies::SolidBodyOptions& options) {
  for (const LoadDescription& load : model.loads)
    if (load.body == d.name) options.loads.push_back(solid_load(load));
  for (const SupportDescription& support : model.supports)
    if (support.body == d.name)
      options.supports.push_back({support.name, support.nodes, support.fixes, support.displacement,
                                  support.axes, support.moves});
  for (const AnalysisDescription& analysis : model.analyses) {
    const auto* dynamics = std::get_if<DynamicsDescription>(&analysis);
    options.is_anchored |=
        std::holds_alternative<StaticsDescription>(analysis) ||
        (dynamics && dynamics->options.elastic_start == analyses::ElasticStart::quasi_static);
  }
}

bodies::SolidBodyOptions solid_options(const ModelDescription& model, const BodySource& source,
                                       const BodyDescription& d) {
  bodies::SolidBodyOptions options;
  if (d.type == BodyType::inertial)
    options.formulation = d.flexible.material_law == MaterialLaw::neo_hookean
                              ? fem::SolidFormulation::neo_hookean
                              : fem::SolidFormulation::st_venant_kirchhoff;
  // Large strains take the trilinear element: the others are linear ones that turn.
  const bool has_choice = d.type == BodyType::corotational;
  const double beta = d.flexible.damping.rayleigh_stiffness;
  const fem::Section& first = source.sections.of_region(0);
  if (has_choice) options.hex8 = first.hex8;
  options.hex20 = first.hex20;
  options.viscosity = fem::Viscosity::proportional(first.material, beta);
  if (!source.sections.is_one())
    for (const fem::Section& s : source.sections.all())
      options.regions.push_back({s.material, fem::Viscosity::proportional(s.material, beta),
                                 has_choice ? s.hex8 : fem::Hex8Formulation::standard, s.hex20});
  options.mass = d.flexible.mass_matrix;
  options.rayleigh_alpha = d.flexible.damping.rayleigh_mass;
  options.interfaces = with_frames_of(source.masses.on_frames, source.interfaces);
  options.node_masses = source.masses.at_nodes;
  for (const PointDescription& p : d.flexible.points) options.points.push_back({p.name, p.x_B});
  add_loads_and_supports(model, d, options);
  return options;
}

// The virtual body that follows an interface of a solid body, and the place it makes.
void add_solid_interface(const BodyDescription& d, int solid, int n_elastic,
                         const bodies::SolidInterface& i, BuiltModel& built, PlaceFinder& places) {
  const system::InitialMotion motion =
      carried_along(initial_motion(d), i.region.p_ref, Matrix3d::Identity());
  const std::string name = d.name + "." + i.name;
  const int index =
      built.system.add_body(bodies::make_virtual_body("virtual body " + name), motion);
  places.add_carrier(index, motion);
  if (i.attach == mesh::Attachment::rbe2)
    built.system.add_constraint(std::make_unique<joints::RigidRegion>("rigid region " + name, solid,
                                                                      index, n_elastic, i.region));
  else
    built.system.add_constraint(std::make_unique<joints::AveragedFrame>(
        "averaged frame " + name, solid, index, n_elastic, i.region));
  bodies::Frame frame;
  frame.body = index;
  frame.x_B = i.x_B - i.region.p_ref;
  places.add_place(d.name, i.name, frame);
}

void add_solid_body(MPI_Comm comm, const ModelDescription& model, const BodyDescription& d,
                    BuiltModel& built, PlaceFinder& places) {
  const BodySource source = make_body_source(comm, model, d);
  auto body = bodies::SolidBody::make(d.name, source.load_mesh(), source.sections,
                                      solid_options(model, source, d));
  const bodies::SolidBody& solid = *body;
  const system::InitialMotion motion = initial_motion(d);
  log_whole_mass(d, with_masses(solid.mass_properties(), source.masses.on_frames),
                 fmt::format("{} nodes in absolute coordinates", solid.mesh().n_global_nodes));
  warn_of_doubtful_elements(model, d, solid.mesh(), source.sections);
  log_interfaces(d, solid.interfaces());
  const int index = built.system.add_body(std::move(body), motion);
  built.bodies.push_back({d.name, d.type, index, nullptr, &solid, stress_of_solid_body(d, solid)});
  places.add_carrier(index, motion);
  for (const bodies::SolidInterface& i : solid.interfaces())
    add_solid_interface(d, index, solid.n_elastic(), i, built, places);
  add_flexible_places(d, index, solid.n_elastic(), {}, solid.points(), built, places);
  built.bodies.back().carried_masses =
      add_carried_masses(d, source.masses.on_frames, built, places);
}

}  // namespace

system::InitialMotion initial_motion(const BodyDescription& d) {
  system::InitialMotion m;
  m.p_WB = d.pose.position;
  m.q_WB = d.pose.rotation.normalized();
  m.v_WB = d.linear_velocity;
  m.w_WB_B = m.q_WB.conjugate() * d.angular_velocity;
  return m;
}

system::InitialMotion carried_along(const system::InitialMotion& motion, const Vector3d& x_B,
                                    const Matrix3d& R_BF) {
  system::InitialMotion m;
  m.p_WB = motion.p_WB + motion.q_WB * x_B;
  m.q_WB = motion.q_WB * Eigen::Quaterniond(R_BF);
  m.v_WB = motion.v_WB + motion.q_WB * motion.w_WB_B.cross(x_B);
  m.w_WB_B = R_BF.transpose() * motion.w_WB_B;
  return m;
}

void PlaceFinder::add_carrier(int body, const system::InitialMotion& motion) {
  motions_[body] = motion;
}

void PlaceFinder::add_place(const std::string& body, const std::string& name,
                            const bodies::Frame& frame) {
  places_[name.empty() ? body : body + "." + name] = frame;
  extent_ = -1.0;
}

// The longest side of the box around all places.
double PlaceFinder::extent() const {
  if (extent_ >= 0.0) return extent_;
  Eigen::AlignedBox3d box;
  for (const auto& [name, frame] : places_) {
    const auto carrier = motions_.find(frame.body);
    if (carrier == motions_.end()) continue;
    const system::InitialMotion& m = carrier->second;
    box.extend(Vector3d(m.p_WB + m.q_WB * frame.x_B));
  }
  extent_ = box.isEmpty() ? 0.0 : box.sizes().maxCoeff();
  return extent_;
}

bool PlaceFinder::is_same_point(const Vector3d& p, const Vector3d& q) const {
  constexpr double kSame = 1e-5;
  return (p - q).norm() <= kSame * extent();
}

bodies::Frame PlaceFinder::own_frame(const PlaceDescription& place) const {
  if (place.kind == PlaceDescription::Kind::ground) return {};
  const auto found = places_.find(key_of(place));
  if (found == places_.end()) {
    throw base::InputError(
        fmt::format(
            "{} is no place for a joint or a sensor: a body with a mesh is held by its interfaces "
            "and points",
            key_of(place)),
        fmt::format("name one, for example {}.<interface>", place.body), place.where);
  }
  bodies::Frame frame = found->second;
  frame.name = key_of(place);
  return frame;
}

Vector3d PlaceFinder::position(const PlaceDescription& place) const {
  const bodies::Frame frame = own_frame(place);
  if (frame.body < 0) return frame.x_B;
  const system::InitialMotion& m = motions_.at(frame.body);
  return m.p_WB + m.q_WB * frame.x_B;
}

Matrix3d PlaceFinder::orientation(const PlaceDescription& place) const {
  const bodies::Frame frame = own_frame(place);
  if (frame.body < 0) return frame.R_BF;
  return motions_.at(frame.body).q_WB * frame.R_BF;
}

bodies::Frame PlaceFinder::frame(const PlaceDescription& place, const std::string& name,
                                 const Vector3d& p_W, const Matrix3d& R_W) const {
  bodies::Frame frame = own_frame(place);
  frame.name = name;
  if (frame.body < 0) {
    frame.x_B = p_W;
    frame.R_BF = R_W;
    return frame;
  }
  const system::InitialMotion& m = motions_.at(frame.body);
  const Matrix3d R_BW = m.q_WB.toRotationMatrix().transpose();
  bodies::move_origin(frame, R_BW * (p_W - m.p_WB) - frame.x_B);
  frame.R_BF = R_BW * R_W;
  return frame;
}

bodies::Frame PlaceFinder::frame_on(int body, const std::string& name, const Vector3d& p_W,
                                    const Matrix3d& R_W) const {
  bodies::Frame frame;
  frame.name = name;
  frame.body = body;
  frame.x_B = p_W;
  frame.R_BF = R_W;
  if (body < 0) return frame;
  const system::InitialMotion& m = motions_.at(body);
  frame.x_B = m.q_WB.conjugate() * (p_W - m.p_WB);
  frame.R_BF = m.q_WB.conjugate().toRotationMatrix() * R_W;
  return frame;
}

int PlaceFinder::carrier_of_frame(int frame) const {
  return system_.kinematics().frame_definitions[frame].body;
}

void add_body(MPI_Comm comm, const ModelDescription& model, const BodyDescription& d,
              const BuildOptions& options, BuiltModel& built, PlaceFinder& places) {
  switch (d.type) {
    case BodyType::rigid:
      add_rigid_body(d, built, places);
      break;
    case BodyType::modal:
      add_modal_body(comm, model, d, options, built, places);
      break;
    case BodyType::superelement:  // added together: they share nodes
      throw std::logic_error("add_superelements() adds superelements");
    case BodyType::floating_frame:
      add_floating_frame_body(comm, model, d, built, places);
      break;
    case BodyType::corotational:
    case BodyType::inertial:
      add_solid_body(comm, model, d, built, places);
      break;
    case BodyType::beam:
      if (d.flexible.mesh.empty())
        add_beam(model, d, built, places);
      else
        add_beam_network(model, d, read_beam_network(comm, model, d), built, places);
      break;
  }
}

}  // namespace solidyn::model
