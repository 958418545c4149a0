#include "solidyn/model/build.h"

#include <fmt/format.h>

#include <cstdlib>

#include "model/bodies/build_bodies.h"
#include "model/bodies/build_superelements.h"
#include "model/contacts/build_contacts.h"
#include "model/contacts/contact_nodes.h"
#include "model/forces/build_forces.h"
#include "model/forces/build_loads.h"
#include "model/joints/build_joints.h"
#include "model/joints/joint_poses.h"
#include "model/places/axes.h"
#include "model/sensors/build_sensors.h"
#include "solidyn/base/error.h"

namespace solidyn::model {
namespace {

solvers::Preset preset_of(const SolverDescription& solver) {
  switch (solver.preset) {
    case SolverPreset::small:
      return solvers::Preset::small;
    case SolverPreset::direct:
      return solvers::Preset::direct;
    case SolverPreset::automatic:
      break;
  }
  return solvers::Preset::automatic;
}

}  // namespace

std::string default_cache_folder() {
  if (const char* own = std::getenv("SOLIDYN_CACHE")) return own;
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg && *xdg)
    return std::string(xdg) + "/solidyn";
  if (const char* home = std::getenv("HOME"); home && *home)
    return std::string(home) + "/.cache/solidyn";
  return {};
}

std::unique_ptr<BuiltModel> build(MPI_Comm comm, const ModelDescription& given,
                                  const BuildOptions& options) {
  const ModelDescription description = with_contact_nodes(comm, given);
  auto built = std::make_unique<BuiltModel>();
  std::vector<base::Diagnostic> errors;
  const auto collect = [&](const base::SourceLocation& where, auto&& work) {
    try {
      work();
    } catch (const base::InputError& e) {
      for (base::Diagnostic d : e.diagnostics()) {
        if (d.where.file.empty()) d.where = where;
        errors.push_back(std::move(d));
      }
    }
  };
  built->system.set_gravity(description.gravity);
  PlaceFinder places(built->system);
  for (const BodyDescription& body : description.bodies)
    if (body.type != BodyType::superelement)
      collect(body.where, [&] { add_body(comm, description, body, options, *built, places); });
  collect({}, [&] { add_superelements(comm, description, options, *built, places); });
  if (!errors.empty()) throw base::InputError(errors);  // joints need all bodies

  // Drives and couplings after the joints that they act on.
  const auto acts_on_joints = [](const JointDescription& joint) {
    return !joint.joint.empty() || family(joint.type) == JointFamily::coupling;
  };
  for (const bool later : {false, true})
    for (const JointDescription& joint : description.joints)
      if (acts_on_joints(joint) == later && !built->shared_joints.count(joint.name))
        collect(joint.where, [&] { add_joint(joint, places, *built); });
  if (!errors.empty()) throw base::InputError(errors);
  for (const LoadDescription& load : description.loads)
    collect(load.where, [&] { add_load(load, description, places, *built); });
  for (const ContactDescription& contact : description.contacts)
    collect(contact.where, [&] { add_contact(contact, places, *built); });
  for (const JointDescription& joint : description.joints)
    collect(joint.where, [&] { add_joint_forces(joint, description, places, *built); });
  for (const ForceDescription& force : description.forces)
    collect(force.where, [&] { add_force(force, description, places, *built); });
  if (!errors.empty()) throw base::InputError(errors);
  add_sensors(description, places, *built);
  built->system.finalize();
  check_gaps(description, places);
  warn_of_overlaps(*built);
  return built;
}

analyses::StaticsOptions statics_options(const StaticsDescription& a,
                                         const SolverDescription& solver) {
  analyses::StaticsOptions o;
  o.load_steps = a.load_steps;
  o.tolerance = a.tolerance;
  o.max_iterations = a.max_iterations;
  o.smallest_step = a.smallest_step;
  o.arc_length = a.arc_length;
  o.max_steps = a.max_steps;
  o.max_relaxation_steps = a.max_relaxation_steps;
  if (a.method == StaticsDescription::Method::newton) o.method = analyses::StaticsMethod::newton;
  if (a.method == StaticsDescription::Method::relaxation)
    o.method = analyses::StaticsMethod::relaxation;
  if (a.time == StaticsDescription::Time::start) o.time = analyses::LoadTime::start;
  o.preset = preset_of(solver);
  return o;
}

analyses::DynamicsOptions dynamics_options(const DynamicsDescription& a,
                                           const SolverDescription& solver) {
  analyses::DynamicsOptions o;
  o.duration = a.duration;
  o.step = a.step;
  switch (a.integrator) {
    case Integrator::generalized_alpha:
      o.integrator = analyses::IntegratorKind::generalized_alpha;
      break;
    case Integrator::hht:
      o.integrator = analyses::IntegratorKind::hht;
      break;
    case Integrator::bdf:
      o.integrator = analyses::IntegratorKind::bdf;
      break;
    case Integrator::runge_kutta:
      o.integrator = analyses::IntegratorKind::runge_kutta;
      break;
    case Integrator::kinematics:
      o.integrator = analyses::IntegratorKind::kinematics;
      break;
  }
  o.rho_infinity = a.rho_infinity;
  o.hht_alpha = a.alpha;
  o.tolerance = a.tolerance;
  o.max_iterations = a.max_iterations;
  if (a.has_consistent_tangent) o.tangent = integrators::NewtonTangent::consistent;
  o.relative_tolerance = a.relative_tolerance;
  o.absolute_tolerance = a.absolute_tolerance;
  o.baumgarte_alpha = a.baumgarte_alpha;
  o.baumgarte_beta = a.baumgarte_beta;
  if (a.adaptive)
    o.adaptive = {a.adaptive->tolerance, a.adaptive->minimum_step, a.adaptive->maximum_step};
  if (a.is_quasi_static_start) o.elastic_start = analyses::ElasticStart::quasi_static;
  o.preset = preset_of(solver);
  return o;
}

}  // namespace solidyn::model
