#include <fmt/format.h>

#include "model/bodies/modes_of_body.h"
#include "model/bodies/reduced_modal_body.h"
#include "model/supports/build_supports.h"
#include "solidyn/joints/reference_condition.h"

namespace solidyn::model {
namespace {

using joints::ReferenceConditionType;
using reduction::GeometricStiffening;
using reduction::ReductionOptions;

/// A floating frame, and deformation by modes.
struct ModalEntry final : FlexibleEntryOf<ModalEntry, ReducedEntry> {
  /// Used where the basis keeps its rigid modes.
  ReferenceConditionType conditions = ReferenceConditionType::mean_axis;

  static const Fields<ModalEntry>& fields();
  void check(const TableView& view, const Scope& scope);
  const BodyTraits& traits() const override {
    static const BodyTraits traits = [] {
      BodyTraits modal;
      modal.takes_loads_on_mesh = true;
      return modal;
    }();
    return traits;
  }
  void build(const BodyBuilder& builder) const override;
  void check_support(const TableView& view, const SupportDescription&) const override;
  ReductionOptions reduction_options(const ModelDescription& model) const override {
    ReductionOptions options = ReducedEntry::reduction_options(model);
    options.supports = support_definitions(model, *this);
    return options;
  }
};

// By default multipliers impose what modes do not satisfy by construction.
void read_conditions(ModalEntry& body, const TableView& view, const Scope&) {
  static const Choice<ReferenceConditionType> words = {
      {"mean_axis", ReferenceConditionType::mean_axis},
      {"principal_axis", ReferenceConditionType::principal_axis}};
  read_choice(view, "reference_conditions", words, body.conditions);
  body.basis.keep_rigid_modes = body.conditions == ReferenceConditionType::principal_axis;
}

// @pre the conditions have been read
void read_mean_axis_level(ModalEntry& body, const TableView& view, const Scope&) {
  if (body.conditions == ReferenceConditionType::mean_axis &&
      view.text("mean_axis_level") == "velocity")
    body.conditions = ReferenceConditionType::mean_axis_velocity;
}

const Fields<ModalEntry>& ModalEntry::fields() {
  using Self = ModalEntry;
  static const Choice<bool> kept = {{"orthogonal_modes", false}, {"multipliers", true}};
  static const Choice<GeometricStiffening> stiffening = {
      {"none", GeometricStiffening::none}, {"second_order", GeometricStiffening::second_order}};
  static const Fields<Self> list = joined_fields(
      Fields<Self>{}, file_fields(), source_fields(), element_fields(),
      Fields<Self>{read_by<Self>(Key("reference_conditions", Form::word,
                                     "how the body frame follows the deforming body", "mean_axis")
                                     .among({"mean_axis", "principal_axis"})
                                     .later({"fixed_nodes"})
                                     .or_else("mean_axis"),
                                 read_conditions)},
      Fields<ReducedDescription>{field(
          Key("enforced_by", Form::word,
              "`orthogonal_modes` (the modes satisfy mean_axis by construction; its default) or `multipliers` (constraints on all modes, rigid ones too; default of principal_axis)",
              "multipliers"),
          kept, &ReducedDescription::basis, &ReductionOptions::keep_rigid_modes)},
      Fields<Self>{read_by<Self>(Key("mean_axis_level", Form::word,
                                     "level on which multipliers impose the mean axis", "position")
                                     .among({"position", "velocity"})
                                     .or_else("position"),
                                 read_mean_axis_level)},
      Fields<ReducedDescription>{
          field(
              Key("geometric_stiffening", Form::word,
                  "`second_order`: displacements are of second order in the modes, so that rotation and loads at interfaces stiffen the body or make it buckle; `none`: linear modes",
                  "second_order")
                  .or_default(),
              stiffening, &ReducedDescription::basis, &ReductionOptions::geometric_stiffening),
          modes_of_body_field()},
      shared_fields());
  return list;
}

void check_conditions(const TableView& view, bool is_principal, bool has_multipliers) {
  if (is_principal && !has_multipliers)
    view.report().error(
        view.where("enforced_by"),
        fmt::format("{}: orthogonal modes satisfy the mean axis, not the principal axis",
                    view.path("enforced_by")),
        "write  enforced_by: multipliers, or  reference_conditions: mean_axis");
  if (!view.has("mean_axis_level") || (!is_principal && has_multipliers)) return;
  view.report().warning(
      view.where("mean_axis_level"),
      fmt::format("{} is not used: {}", view.path("mean_axis_level"),
                  is_principal ? "it applies to the mean axis, not to the principal axis"
                               : "orthogonal modes satisfy the mean axis on every level"),
      is_principal ? "remove it" : "remove it, or write  enforced_by: multipliers");
}

// What the second order of the modes does not go with.
void check_geometric_stiffening(const TableView& view, const ModalEntry& body) {
  const auto refuse = [&](const std::string& what, const char* remedy) {
    view.report().error(view.where("geometric_stiffening"),
                        view.path("geometric_stiffening") + what, remedy);
  };
  if (body.basis.geometric_stiffening == GeometricStiffening::none) return;
  if (body.basis.keep_rigid_modes)
    refuse(
        " needs modes that satisfy the mean axis: with rigid modes among them, displacements of second order would take rigid rotations for strains",
        "write  enforced_by: orthogonal_modes  and  reference_conditions: mean_axis");
  for (const mesh::InterfaceDefinition& i : body.interfaces)
    if (i.attach == mesh::Attachment::virtual_body)
      refuse(
          fmt::format(
              ": the displacements of second order of interface `{}` are not known: its virtual body sits on three nodes",
              i.name),
          "attach it with  rbe3,  three_nodes  or  rbe2");
}

void ModalEntry::check(const TableView& view, const Scope& scope) {
  check_reduced(view, scope);
  check_conditions(view, conditions == ReferenceConditionType::principal_axis,
                   basis.keep_rigid_modes);
  check_geometric_stiffening(view, *this);
}

void ModalEntry::check_support(const TableView& view, const SupportDescription&) const {
  if (basis.geometric_stiffening == GeometricStiffening::second_order)
    view.report().error(
        view.where("body"),
        fmt::format(
            "{}: `{}` has geometric_stiffening: second_order, which is not implemented for nodes constrained by a support",
            view.path("body"), name),
        "define an interface there with  attach: rbe2  and constrain it by a joint");
}

void ModalEntry::build(const BodyBuilder& builder) const {
  const auto [index, reduced] = add_reduced_modal_body(*this, builder);
  if (basis.keep_rigid_modes)
    builder.built.system.add_constraint(
        std::make_unique<joints::ReferenceCondition>(name, index, conditions, reduced->inertia));
  add_places_of_modal_body(*this, index, *reduced, builder);
}

}  // namespace

BodyType modal_row() { return ModalEntry::row("modal"); }

}  // namespace solidyn::model
