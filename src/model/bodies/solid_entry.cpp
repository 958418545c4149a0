#include "model/bodies/solid_entry.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/attached_masses.h"
#include "model/bodies/body_source.h"
#include "model/bodies/build_stress.h"
#include "model/bodies/doubtful_elements.h"
#include "model/bodies/flexible_places.h"
#include "model/loads/catalogue.h"
#include "solidyn/base/error.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/joints/tied_axes.h"

namespace solidyn::model {
namespace {

using bodies::SolidBody;
using bodies::SolidBodyOptions;

// Whether an equilibrium is looked for.
bool needs_anchor(const ModelDescription& model) {
  return std::any_of(model.analyses.begin(), model.analyses.end(), [](const auto& analysis) {
    const auto* dynamics = std::get_if<DynamicsDescription>(&analysis);
    return std::holds_alternative<StaticsDescription>(analysis) ||
           (dynamics && dynamics->options.elastic_start == analyses::ElasticStart::quasi_static);
  });
}

void require_expansion(const SolidEntry& d, const fem::Sections& sections) {
  const auto& all = sections.all();
  if (d.options.temperature.uniform != 0.0 &&
      std::none_of(all.begin(), all.end(),
                   [](const fem::Section& section) { return section.material.expands(); }))
    throw base::InputError(
        fmt::format(
            "bodies.{}.temperature_change has no effect: no material of the body has thermal expansion",
            d.name),
        "add `thermal_expansion` to its material, for example 1.2e-5 for steel", d.where);
}

// The virtual body that follows an interface of a solid body, and the place it makes.
void add_solid_interface(const SolidEntry& d, bodies::BodyIndex solid, int n_elastic,
                         const bodies::SolidInterface& i, const BodyBuilder& builder) {
  const system::InitialMotion motion =
      carried_along(initial_motion(d), i.region.p_ref, Eigen::Matrix3d::Identity());
  const std::string name = d.name + "." + i.name;
  system::System& system = builder.built.system;
  const bodies::BodyIndex index =
      system.add_body(bodies::make_virtual_body("virtual body " + name), motion);
  builder.places.add_carrier(index, motion);
  if (i.attach == mesh::Attachment::rbe2)
    system.add_constraint(std::make_unique<joints::RigidRegion>("rigid region " + name, solid,
                                                                index, n_elastic, i.region));
  else
    system.add_constraint(std::make_unique<joints::AveragedFrame>("averaged frame " + name, solid,
                                                                  index, n_elastic, i.region));
  bodies::Frame frame;
  frame.body = index;
  frame.x_B = i.x_B - i.region.p_ref;
  builder.places.add_place(d.name, i.name, frame);
}

}  // namespace

const BodyTraits& SolidEntry::traits() const {
  static const BodyTraits traits = [] {
    BodyTraits solid;
    solid.keeps_all_nodes = solid.has_absolute_nodes = solid.takes_loads_on_mesh = true;
    return solid;
  }();
  return traits;
}

SolidBodyOptions SolidEntry::solid_options(const ModelDescription& model,
                                           const BodySource& source) const {
  SolidBodyOptions all = options;
  // Large strains take the trilinear element: the others are linear ones that turn.
  const bool has_choice = !has_trilinear_hex8();
  const double beta = damping.rayleigh_beta;
  const fem::Section& first = source.sections.of_region(0);
  if (has_choice) all.hex8 = first.hex8;
  all.hex20 = first.hex20;
  all.viscosity = fem::Viscosity::proportional(first.material, beta);
  if (!source.sections.is_one())
    for (const fem::Section& s : source.sections.all())
      all.regions.push_back({s.material, fem::Viscosity::proportional(s.material, beta),
                             has_choice ? s.hex8 : fem::Hex8Formulation::standard, s.hex20});
  require_expansion(*this, source.sections);
  all.mass = mass;
  all.rayleigh_alpha = damping.rayleigh_alpha;
  all.interfaces = with_frames_of(source.masses.on_frames, source.interfaces);
  all.node_masses = source.masses.at_nodes;
  all.points = points;
  all.loads = solid_loads(model, *this);
  for (const SupportDescription& support : model.supports)
    if (support.body == name) all.supports.push_back(support);
  all.is_anchored = needs_anchor(model);
  return all;
}

void SolidEntry::build(const BodyBuilder& builder) const {
  BuiltModel& built = builder.built;
  const BodySource source = make_body_source(builder.comm, builder.model, *this);
  auto body = SolidBody::make(name, source.load_mesh(), source.sections,
                              solid_options(builder.model, source));
  const SolidBody& solid = *body;
  const system::InitialMotion motion = initial_motion(*this);
  const WholeMass whole = with_masses(solid.mass_properties(), source.masses.on_frames);
  log_whole_mass(*this, whole.mass, whole.center_of_mass,
                 fmt::format("{} nodes in absolute coordinates", solid.mesh().n_global_nodes));
  warn_of_doubtful_elements(builder.model, *this, solid.mesh(), source.sections);
  log_interfaces(*this, solid.interfaces());
  const bodies::BodyIndex index = built.system.add_body(std::move(body), motion);
  built.bodies.push_back({name, index, nullptr, &solid, stress_of_solid_body(*this, solid)});
  const std::vector<std::string> supports = solid.support_names();
  for (std::size_t i = 0; i < supports.size(); ++i)
    built.solid_supports[supports[i]] = {&solid, static_cast<int>(i)};
  builder.places.add_carrier(index, motion);
  for (const bodies::SolidInterface& i : solid.interfaces())
    add_solid_interface(*this, index, solid.n_elastic(), i, builder);
  add_flexible_places(*this, index, solid.n_elastic(), {}, solid.points(), builder);
  built.bodies.back().attached_masses =
      add_attached_masses(*this, source.masses.on_frames, built, builder.places);
}

}  // namespace solidyn::model
