#include "model/bodies/beams/beam_entry.h"

#include <fmt/format.h>

#include "model/bodies/beams/beam_of_mesh.h"
#include "model/bodies/beams/beam_of_points.h"
#include "model/bodies/damping.h"
#include "model/bodies/materials.h"

namespace solidyn::model {
namespace {

// Stresses of strain rates alone: no mass matrix and no modes.
void read_beam_damping(BeamDescription& beam, const TableView& view, const Scope& scope) {
  const TableView table = view.table("damping");
  const auto refuse = [](const TableView& in, const char* key) {
    if (in.is_good(key) && in.number(key) != 0.0)
      in.report().error(
          in.where(key),
          fmt::format("{} does not apply to beams, where only strain rates are damped",
                      in.path(key)),
          "write  rayleigh: {stiffness: 1e-5}, or apply a `drag` force at its points");
  };
  refuse(table.table("rayleigh"), "mass");
  refuse(table, "modal_ratio");
  refuse(table, "modal_ratio_from");
  reduction::Damping damping;
  read_fields(damping_fields(), table, scope, damping);
  beam.damping = damping.rayleigh_beta;
}

}  // namespace

const Fields<BeamDescription>& BeamDescription::fields() {
  using Self = BeamDescription;
  static const Choice<bool> shear = {{"included", true}, {"none", false}},
                            inertia = {{"included", true}, {"torsion", false}};
  static const Choice<beams::Torsion> torsions = {{"linear", beams::Torsion::linear},
                                                  {"constant", beams::Torsion::constant}};
  static const Choice<beams::TurnRule> rules = {{"magnus", beams::TurnRule::magnus},
                                                {"lobatto", beams::TurnRule::lobatto}};
  static const Fields<Self> list = joined_fields(
      Fields<Self>{
          table_field(section_key().needed().unless("mesh"), SectionDescription::fields(),
                      &Self::section),
          read_by<Self>(material_key(),
                        [](Self& beam, const TableView& view, const Scope& scope) {
                          beam.material = read_material(view, scope);
                        }),
          field(
              Key("elements", Form::integer,
                  "number of elements, distributed by length, at least one between two points; with a `mesh` per line, by default 1",
                  "8")
                  .within(kOneOrMore)
                  .needed()
                  .unless("mesh"),
              &Self::n_elements),
          field(
              Key("y_axis", Form::direction,
                  "approximate direction of y of the first section, in body axes; the other sections follow the line without twist. With a `mesh`: of all sections, instead of the orientations in the file. By default as close to the x y plane of the body as the line allows, on the left",
                  "[0, 1, 0]"),
              &Self::y_axis),
          field(Key("shear", Form::word, "whether shear deformation is included", "none")
                    .or_default(),
                shear, &Self::has_shear),
          field(
              Key("torsion", Form::word,
                  "variation of torsion over an element: `linear` (seven strains) or `constant` (six)",
                  "linear")
                  .or_default(),
              torsions, &Self::torsion),
          field(
              Key("rotary_inertia", Form::word,
                  "rotary inertia of the cross-sections: `included`, or `torsion` only, about the beam axis",
                  "included")
                  .or_default(),
              inertia, &Self::has_rotary_inertia),
          field(
              Key("curvature_rule", Form::word,
                  "integration of orientations from curvatures, both of order four: `magnus` (exact in plane bending), or `lobatto` (Lobatto IIIA; long elements are unstable under tension)",
                  "magnus")
                  .or_default(),
              rules, &Self::rule),
          read_by<Self>(damping_key(), read_beam_damping)},
      fields_of_member(GivenStrains::fields(), &Self::given));
  return list;
}

const BodyTraits& BeamEntry::traits() const {
  static const BodyTraits traits;
  return traits;
}

Refusal BeamEntry::refuses_supports() const {
  return {
      "is of type beam, whose nodes cannot be constrained",
      fmt::format(
          "constrain one of its points by a joint, for example  {{type: fixed, between: [ground, {}.<point>]}}",
          name)};
}

Refusal BeamEntry::refuses_own_modes() const {
  return {"is a beam, whose modes are available in a mechanism only",
          "remove `body` to compute the modes of the whole mechanism"};
}

void BeamEntry::check_beam(const TableView& view) const {
  if (section) section->check(view.table("section"));
  check_shear(view.table("section"), has_shear);
  check_given_strains(view, view, given);
}

void BeamEntry::visit_strains(const GivenStrains& strains, const std::string& path,
                              const base::SourceLocation& at, const BodyLawVisitor& visit) const {
  for (BeamStrain strain : kBeamStrains) {
    const auto i = static_cast<int>(strain);
    const bool is_stretch = strain == BeamStrain::stretch;
    if (strains.prestrain[i])
      visit({*strains.prestrain[i], fmt::format("{}.prestrain.{}", path, model::name(strain)), at,
             is_stretch, false});
    if (strains.driven[i])
      visit({*strains.driven[i], fmt::format("{}.driven_strains.{}", path, model::name(strain)), at,
             is_stretch, true});
  }
}

void refuse_material(const TableView& table, const char* why) {
  if (table.has("material"))
    table.report().error(table.where("material"),
                         fmt::format("{}: {}", table.path("material"), why), "remove it");
}

BodyType beam_row() {
  BodyType type{
      "beam", keys_of(BeamOfPoints::fields()), [](const TableView& view, const Scope& scope) {
        return view.has("mesh") ? BeamOfMesh::read(view, scope) : BeamOfPoints::read(view, scope);
      }};
  for (const KeySpec& key : keys_of(BeamOfMesh::own_fields())) type.keys.push_back(key);
  return type;
}

}  // namespace solidyn::model
