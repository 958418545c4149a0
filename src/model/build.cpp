#include "solidyn/model/build.h"

#include <fmt/format.h>

#include <cstdlib>

#include "model/analyses/reflected_inertia.h"
#include "model/analyses/simulated_time.h"
#include "model/bodies/body_entry.h"
#include "model/bodies/build_bodies.h"
#include "model/bodies/build_superelements.h"
#include "model/contacts/build_contacts.h"
#include "model/contacts/contact_nodes.h"
#include "model/forces/catalogue.h"
#include "model/joints/catalogue.h"
#include "model/loads/catalogue.h"
#include "model/places/axes.h"
#include "model/sensors/catalogue.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log_stage.h"
#include "solidyn/formats/read_mesh.h"

namespace solidyn::model {
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
  const base::LogStage stage(base::Stage::reading);
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
  const BodyBuilder body_builder{comm, description, options, *built, places};
  for (const auto& body : description.bodies)
    collect(body->where, [&] { body->build(body_builder); });
  collect({}, [&] { add_superelements(body_builder); });
  if (!errors.empty()) throw base::InputError(errors);  // joints need all bodies

  // Drives and couplings after the joints that they act on.
  const Builder builder{description, places, *built};
  for (const bool later : {false, true})
    for (const auto& joint : description.joints)
      if (joint->acts_on_joints() == later && !built->shared_joints.count(joint->name))
        collect(joint->where, [&] { joint->build(builder); });
  if (!errors.empty()) throw base::InputError(errors);
  for (const auto& load : description.loads)
    collect(load->where, [&] { add_load(*load, builder); });
  for (const ContactDescription& contact : description.contacts)
    collect(contact.where, [&] { add_contact(contact, places, first_step(description), *built); });
  for (const auto& joint : description.joints)
    collect(joint->where, [&] { add_joint_forces(*joint, builder); });
  for (const auto& force : description.forces)
    collect(force->where, [&] { add_force(*force, builder); });
  if (!errors.empty()) throw base::InputError(errors);
  for (BuiltBody& body : built->bodies) {
    const BodyEntry& entry = *description.find_body(body.name);
    body.type = entry.type;
    body.appearance = entry.appearance;
    if (!body.appearance.surface.empty())
      collect(entry.where, [&] {
        body.drawn_mesh = std::make_shared<mesh::DistributedMesh>(formats::read_mesh(
            comm, body.appearance.surface.string(), body.appearance.surface_units));
      });
  }
  if (!errors.empty()) throw base::InputError(errors);
  for (const auto& joint : description.joints) built->joint_types[joint->name] = joint->type.word;
  add_sensors(builder);
  add_drive_sensors(builder);
  add_analysed_places(builder);
  built->system.finalize();
  check_gaps(description, places);
  warn_of_overlaps(*built);
  return built;
}

analyses::StaticsOptions statics_options(const StaticsDescription& analysis,
                                         const SolverDescription& solver) {
  analyses::StaticsOptions options = analysis.options;
  options.preset = solver.preset;
  options.nonlinear = solver.nonlinear;
  return options;
}

analyses::DynamicsOptions dynamics_options(const DynamicsDescription& analysis,
                                           const SolverDescription& solver) {
  analyses::DynamicsOptions options = analysis.options;
  options.preset = solver.preset;
  options.nonlinear = solver.nonlinear;
  return options;
}

}  // namespace solidyn::model
