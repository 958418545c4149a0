#include "model/bodies/flexible_entry.h"

#include <fmt/format.h>

#include "model/bodies/damping.h"

namespace solidyn::model {
namespace {

using Kind = PlaceDescription::Kind;

const Choice<fem::Hex8Formulation> kHex8 = {
    {"standard", fem::Hex8Formulation::standard},
    {"b_bar", fem::Hex8Formulation::b_bar},
    {"incompatible_modes", fem::Hex8Formulation::incompatible_modes}};
const Choice<fem::Hex20Integration> kHex20 = {{"full", fem::Hex20Integration::full},
                                              {"reduced", fem::Hex20Integration::reduced}};

}  // namespace

Field<FlexibleDescription> FlexibleDescription::mass_field() {
  static const Choice<fem::MassKind> kinds = {{"lumped", fem::MassKind::lumped},
                                              {"consistent", fem::MassKind::consistent}};
  return field(
      Key("mass_matrix", Form::word,
          "mass matrix of the elements; by default consistent for `rigid`, `modal` and `superelement`, lumped for the others",
          "lumped"),
      kinds, &FlexibleDescription::mass);
}

Field<FlexibleDescription> FlexibleDescription::hex8_field() {
  return field(
      Key("hex8", Form::word,
          "formulation of 8-node hexahedra: `incompatible_modes` (no locking in bending), `b_bar` (mean dilatation: for nearly incompressible materials), `standard` (trilinear: too stiff in bending; used for `inertial` bodies)",
          "b_bar")
          .or_else(word_of(kHex8, fem::Section().hex8)),
      kHex8, &FlexibleDescription::hex8);
}

Field<FlexibleDescription> FlexibleDescription::hex20_field() {
  return field(
      Key("hex20", Form::word,
          "integration of 20-node hexahedra: `full` (27 points) or `reduced` (8 points: softer, and less sensitive to distorted elements; a single row of elements has zero-energy modes, so use two across)",
          "reduced")
          .or_else(word_of(kHex20, fem::Section().hex20)),
      kHex20, &FlexibleDescription::hex20);
}

Field<FlexibleDescription> FlexibleDescription::damping_field() {
  return table_field(damping_key(), damping_fields(), &FlexibleDescription::damping);
}

Fields<FlexibleDescription> FlexibleDescription::shared_fields() {
  return joined_fields(Fields<FlexibleDescription>{damping_field()}, place_fields(),
                       Fields<FlexibleDescription>{stress_field()});
}

fem::Section FlexibleDescription::section(const ModelDescription& model) const {
  const fem::Section usual;
  return {model.materials.at(material).solid, hex8.value_or(usual.hex8),
          hex20.value_or(usual.hex20)};
}

std::vector<PlaceDescription> FlexibleEntry::places() const {
  std::vector<PlaceDescription> places;
  for (const mesh::InterfaceDefinition& interface : interfaces)
    places.push_back(place(Kind::interface, interface.name));
  for (const reduction::PointDefinition& point : points)
    places.push_back(place(Kind::point, point.name));
  return places;
}

std::vector<std::string> FlexibleEntry::stress_places() const {
  std::vector<std::string> names;
  for (const reduction::StressPlaceDefinition& place : stress.places) names.push_back(place.name);
  return names;
}

std::vector<std::pair<std::string, std::filesystem::path>> FlexibleEntry::files() const {
  if (mesh.empty()) return {};
  return {{"mesh", mesh}};
}

std::string FlexibleEntry::mesh_in_words() const {
  return fmt::format("{}, {}, {} interfaces{}", mesh.filename().string(),
                     material.empty() ? "its materials" : material, interfaces.size(),
                     is_imported() ? " and those of the file" : "");
}

}  // namespace solidyn::model
