#include "model/bodies/beams/beam_of_mesh.h"

#include <fmt/format.h>

#include "model/bodies/beams/beam_grammar.h"
#include "model/bodies/beams/build_beams.h"
#include "model/bodies/build_bodies.h"
#include "model/bodies/materials.h"

namespace solidyn::model {
namespace {

void refuse_keys_of_points(const TableView& body) {
  for (const char* key : {"points", "arc_through"})
    if (body.has(key))
      body.report().error(
          body.where(key),
          fmt::format("{}: the centre line of this beam comes from its `mesh`", body.path(key)),
          "remove it; define nodes of the mesh under `places`");
}

void check_that_it_says_something(const TableView& group) {
  if (group.has_any({"section", "material", "y_axis"}) || gives_strains(group)) return;
  group.report().error(group.where(),
                       fmt::format("{} contains no data for its lines", group.path()),
                       "give a section, a material, a y_axis or strains, or remove it");
}

// @pre the beam's own keys have been read
void read_groups(BeamOfMesh& beam, const TableView& body, const Scope& scope) {
  for (const auto& [name, view] : body.tables("groups")) {
    BeamGroup& group = beam.groups.emplace_back();
    group.name = name;
    group.where = view.where();
    check_that_it_says_something(view);
    read_fields(BeamGroup::fields(), view, scope, group);
    if (group.section) {
      group.section->check(view.table("section"));
      check_shear(view.table("section"), beam.has_shear);
    }
    group.has_strains = gives_strains(view);
    group.given = group.has_strains ? read_strains_of_group(view, body, scope) : beam.given;
  }
}

void read_node_places(BeamOfMesh& beam, const TableView& body, const Scope& scope) {
  for (const auto& [name, view] : body.tables("places")) {
    BeamNodePlace& place = beam.node_places.emplace_back();
    place.name = name;
    place.where = view.where();
    read_fields(BeamNodePlace::fields(), view, scope, place);
  }
}

bool is_stiffness(const std::optional<SectionDescription>& section) {
  return section && section->rigidity();
}

// Whether the lines of a group take their stiffness from a material.
bool takes_material(const BeamGroup& group, const BeamOfMesh& beam) {
  return !is_stiffness(group.section ? group.section : beam.section);
}

void check_materials(const TableView& body, const BeamOfMesh& beam) {
  const auto tables = body.tables("groups");
  bool is_body_read = !is_stiffness(beam.section);
  for (std::size_t k = 0; k < tables.size(); ++k) {
    const bool takes = takes_material(beam.groups[k], beam);
    if (!takes)
      refuse_material(
          tables[k].second,
          "the section of these lines is of type stiffness, which does not use a material");
    is_body_read |= takes && !tables[k].second.has("material");
  }
  if (!is_body_read)
    refuse_material(
        body,
        "the section is of type stiffness, which does not use a material, and no group without its own material has another section");
}

// The key also says which of the ways it is.
template <class Way>
Field<BeamNodePlace> of_way(const Field<Way>& field) {
  return {field.spec,
          [field](BeamNodePlace& place, const TableView& view, const Scope& scope) {
            if (view.has(field.spec.key)) field.read(place.node.emplace<Way>(), view, scope);
          },
          {}};
}

}  // namespace

const Fields<BeamGroup>& BeamGroup::fields() {
  using Self = BeamGroup;
  static const Fields<Self> list = joined_fields(Fields<Self>{
      table_field(section_key(), SectionDescription::fields(), &Self::section),
      read_by<Self>(Key("material", Form::reference,
                        "one of `materials`; by default that of the body", "steel"),
                    [](Self& group, const TableView& view, const Scope& scope) {
                      group.material = read_material(view, scope);
                    }),
      field(
          Key("y_axis", Form::direction,
              "approximate direction of y of these sections, in body axes; by default as for the body",
              "[0, 1, 0]"),
          &Self::y_axis)});
  return list;
}

const Fields<BeamNodePlace>& BeamNodePlace::fields() {
  using Self = BeamNodePlace;
  static const Fields<Self> list = {
      of_way(
          field(Key("node", Form::integer, "the node number in the file", "7").within(kOneOrMore),
                &NodeByNumber::number)),
      of_way(field(
          Key("in_set", Form::text, "the one node of this set (physical point) of the file", "tip"),
          &NodeOfSet::set)),
      of_way(field(Key("at", Form::vector, "coordinates of the node, in body axes", "[0.3, 0, 0]")
                       .in(kLength),
                   &NodeAtPoint::x_B))};
  return list;
}

Fields<BeamOfMesh> BeamOfMesh::own_fields() {
  using Self = BeamOfMesh;
  return joined_fields(
      Fields<Self>{}, file_fields(),
      Fields<Self>{
          read_by<Self>(
              Key("groups", Form::named_tables,
                  "lines of the `mesh` with their own section, material or strains, by the names in the file: physical groups, sets of elements, properties (PBAR_3)",
                  "{columns: {section: {type: circle, radius: 0.02}}}")
                  .holds(beam_group_table())
                  .with("mesh"),
              read_groups),
          read_by<Self>(
              Key("places", Form::named_tables,
                  "nodes of the `mesh` for joints, forces and sensors, beside its sets of one node",
                  "{tip: {node: 7}}")
                  .holds(beam_place_table())
                  .with("mesh"),
              read_node_places)});
}

const Fields<BeamOfMesh>& BeamOfMesh::fields() {
  static const Fields<BeamOfMesh> list =
      joined_fields(Fields<BeamOfMesh>{}, BeamDescription::fields(), own_fields());
  return list;
}

const TableSpec& beam_group_table() {
  static const TableSpec table = [] {
    TableSpec group{
        "group",
        "Lines of the mesh file of a beam that differ from the others. Omitted keys are taken from the body, or else from the file.",
        keys_of(BeamGroup::fields())};
    for (const KeySpec& key : keys_of(GivenStrains::fields())) group.keys.push_back(key);
    return group;
  }();
  return table;
}

const TableSpec& beam_place_table() {
  static const TableSpec table{
      "place",
      "A node of the mesh file of a beam, identified in exactly one of three ways.",
      keys_of(BeamNodePlace::fields()),
      "",
      false,
      {"node", "in_set", "at"}};
  return table;
}

void BeamOfMesh::check(const TableView& view, const Scope&) const {
  refuse_keys_of_points(view);
  check_beam(view);
  check_materials(view, *this);
}

std::string BeamOfMesh::in_words() const {
  return fmt::format("lines of {}{}, {} groups, {} places and those of the file",
                     mesh.filename().string(), material.empty() ? "" : ", " + material,
                     groups.size(), node_places.size());
}

void BeamOfMesh::visit_laws(const BodyLawVisitor& visit) const {
  const std::string path = "bodies." + name;
  visit_strains(given, path, where, visit);
  for (const BeamGroup& group : groups)
    if (group.has_strains)
      visit_strains(group.given, fmt::format("{}.groups.{}", path, group.name), group.where, visit);
}

void BeamOfMesh::build(const BodyBuilder& builder) const {
  add_beam_network(*this, read_beam_network(builder.comm, builder.model, *this), builder);
}

}  // namespace solidyn::model
