#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "model/bodies/beams/read_beam_section.h"
#include "model/bodies/beams/read_beam_strains.h"
#include "model/bodies/beams/read_beams.h"
#include "model/bodies/read_materials.h"

namespace solidyn::model {
namespace {

void refuse_keys_of_points(const TableView& body) {
  for (const char* key : {"points", "arc_through"})
    if (body.has(key))
      body.report().error(
          body.where(key),
          fmt::format("{}: the line of this beam comes from its `mesh`", body.path(key)),
          "leave it out; name nodes of the mesh under `places`");
}

constexpr const char* kOfStrains[] = {"prestress", "prestrain", "fixed_strains", "driven_strains"};

bool gives_strains(const TableView& group) {
  return std::any_of(std::begin(kOfStrains), std::end(kOfStrains),
                     [&](const char* key) { return group.has(key); });
}

void check_that_it_says_something(const TableView& group) {
  if (group.has("section") || group.has("material") || group.has("y_axis") || gives_strains(group))
    return;
  group.report().error(group.where(), fmt::format("{} says nothing of its lines", group.path()),
                       "give them a section, a material, a y_axis or strains, or leave it out");
}

// Whether the lines of a group take their stiffness from a material.
bool takes_material(const BeamGroup& group, const BeamDescription& beam) {
  if (group.has_section) return !group.section.rigidity;
  return !(beam.has_section && beam.section.rigidity);
}

void check_materials(const TableView& body, const BeamDescription& beam) {
  const auto tables = body.tables("groups");
  bool is_body_read = !(beam.has_section && beam.section.rigidity);
  for (std::size_t k = 0; k < tables.size(); ++k) {
    const bool takes = takes_material(beam.groups[k], beam);
    if (!takes)
      refuse_material(tables[k].second,
                      "the section of these lines is of type stiffness, which takes nothing from a "
                      "material");
    is_body_read |= takes && !tables[k].second.has("material");
  }
  if (!is_body_read)
    refuse_material(body,
                    "the section is of type stiffness, which takes nothing from a material, and no "
                    "group has another without a material of its own");
}

std::vector<BeamGroup> read_groups(const TableView& body, const BeamDescription& beam,
                                   const Names& names) {
  std::vector<BeamGroup> groups;
  for (const auto& [name, view] : body.tables("groups")) {
    BeamGroup group;
    group.name = name;
    group.where = view.where();
    check_that_it_says_something(view);
    group.has_section = view.has("section");
    if (group.has_section) {
      group.section = read_beam_section(view.table("section"));
      check_shear(view.table("section"), beam);
    }
    if (view.is_good("y_axis")) group.y_axis = view.direction("y_axis");
    group.material = read_material(view, names);
    group.has_strains = gives_strains(view);
    group.given = group.has_strains ? read_given_strains(view, body) : beam.given;
    groups.push_back(std::move(group));
  }
  return groups;
}

std::vector<BeamNodePlace> read_places(const TableView& body) {
  using Rule = BeamNodePlace::Rule;
  std::vector<BeamNodePlace> places;
  for (const auto& [name, view] : body.tables("places")) {
    BeamNodePlace place;
    place.name = name;
    place.where = view.where();
    place.rule = view.has("node") ? Rule::number : view.has("in_set") ? Rule::set : Rule::point;
    place.number = view.integer("node");
    place.set = view.text("in_set");
    place.x_B = view.vector("at");
    places.push_back(std::move(place));
  }
  return places;
}

}  // namespace

void read_beam_mesh(const TableView& view, const Names& names, BodyDescription& body) {
  refuse_keys_of_points(view);
  FlexibleDescription& flexible = body.flexible;
  if (view.is_good("mesh"))
    flexible.mesh = (view.context().directory / view.text("mesh")).lexically_normal();
  read_mesh_units(view, flexible);
  flexible.brings_interfaces = true;
  body.beam.groups = read_groups(view, body.beam, names);
  check_materials(view, body.beam);
  body.beam.places = read_places(view);
}

}  // namespace solidyn::model
