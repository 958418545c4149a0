#include <fmt/format.h>

#include "model/bodies/attached_masses.h"
#include "model/bodies/body_source.h"
#include "model/bodies/build_stress.h"
#include "model/bodies/doubtful_elements.h"
#include "model/bodies/flexible_places.h"
#include "model/bodies/nodal_entry.h"
#include "model/loads/catalogue.h"
#include "solidyn/bodies/floating_frame_body.h"
#include "solidyn/joints/linear_condition.h"

namespace solidyn::model {
namespace {

using bodies::FloatingFrameBody;
using bodies::FloatingFrameOptions;

/// A floating frame, and all nodal displacements from it.
struct FloatingFrameEntry final : FlexibleEntryOf<FloatingFrameEntry, NodalEntry> {
  FloatingFrameEntry() { mass = FloatingFrameOptions().mass; }

  static const Fields<FloatingFrameEntry>& fields();
  void check(const TableView& view, const Scope& scope) const { check_nodal(view, scope); }
  const BodyTraits& traits() const override {
    static const BodyTraits traits = [] {
      BodyTraits nodal;
      nodal.keeps_all_nodes = nodal.takes_loads_on_mesh = true;
      return nodal;
    }();
    return traits;
  }
  void build(const BodyBuilder& builder) const override;
  Refusal refuses_supports() const override {
    return {
        "is of type floating_frame, whose nodes cannot be constrained",
        fmt::format(
            "write  type: modal,  corotational  or  inertial  there, or define an interface there and hold it by a joint, for example  {{type: fixed, between: [ground, {}.<interface>]}}",
            name)};
  }

 private:
  FloatingFrameOptions options(const ModelDescription& model, const BodySource& source) const;
};

const Fields<FloatingFrameEntry>& FloatingFrameEntry::fields() {
  using Self = FloatingFrameEntry;
  static const Fields<Self> list = joined_fields(
      Fields<Self>{}, file_fields(), Fields<MeshSource>{material_field()},
      Fields<FlexibleDescription>{mass_field(), hex8_field(), hex20_field()},
      // The only ones that it can have.
      Fields<Self>{
          read_elsewhere<Self>(Key("reference_conditions", Form::word,
                                   "how the body frame follows the deforming body", "mean_axis")
                                   .among({"mean_axis"})
                                   .later({"principal_axis", "fixed_nodes"})
                                   .or_else("mean_axis"))},
      shared_fields());
  return list;
}

FloatingFrameOptions FloatingFrameEntry::options(const ModelDescription& model,
                                                 const BodySource& source) const {
  FloatingFrameOptions options;
  options.mass = mass;
  options.rayleigh_alpha = damping.rayleigh_alpha;
  options.rayleigh_beta = damping.rayleigh_beta;
  options.interfaces = with_frames_of(source.masses.on_frames, source.interfaces);
  options.node_masses = source.masses.at_nodes;
  options.points = points;
  options.loads = load_definitions(model, *this);
  return options;
}

void FloatingFrameEntry::build(const BodyBuilder& builder) const {
  BuiltModel& built = builder.built;
  const BodySource source = make_body_source(builder.comm, builder.model, *this);
  auto body = FloatingFrameBody::make(name, source.load_mesh(), source.sections,
                                      options(builder.model, source));
  const FloatingFrameBody& nodal = *body;
  const system::InitialMotion motion = initial_motion(*this);
  const WholeMass whole = with_masses(nodal.mass_properties(), source.masses.on_frames);
  log_whole_mass(*this, whole.mass, whole.center_of_mass,
                 fmt::format("{} nodes, all kept", nodal.mesh().n_global_nodes));
  warn_of_doubtful_elements(builder.model, *this, nodal.mesh(), source.sections);
  log_interfaces(*this, nodal.interfaces());
  const bodies::BodyIndex index = built.system.add_body(std::move(body), motion);
  built.bodies.push_back(
      {name, index, nullptr, &nodal, stress_of_floating_frame_body(source.sections, *this, nodal)});
  builder.places.add_carrier(index, motion);
  built.system.add_constraint(std::make_unique<joints::LinearCondition>(
      "reference conditions of " + name, index, nodal.mean_axis_rows(),
      FloatingFrameBody::mean_axis_row_names()));
  add_flexible_places(*this, index, nodal.n_elastic(), nodal.interfaces(), nodal.points(), builder);
  built.bodies.back().attached_masses =
      add_attached_masses(*this, source.masses.on_frames, built, builder.places);
}

}  // namespace

BodyType floating_frame_row() { return FloatingFrameEntry::row("floating_frame"); }

}  // namespace solidyn::model
