#include <fmt/format.h>

#include "model/language/field.h"
#include "model/read.h"

namespace solidyn::model {
namespace {

using mesh::NodesInBox;
using mesh::NodesInCylinder;
using mesh::NodesNear;
using Self = mesh::NodeSelection;

const Fields<NodesInBox>& box_fields() {
  static const Fields<NodesInBox> list = {
      field(Key("low", Form::vector, "corner with the smallest coordinates, mesh axes", "[0, 0, 0]")
                .in(kLength)
                .needed(),
            &NodesInBox::low),
      field(Key("high", Form::vector, "corner with the largest coordinates, mesh axes",
                "[0, 0.1, 0.1]")
                .in(kLength)
                .needed(),
            &NodesInBox::high)};
  return list;
}

const Fields<NodesInCylinder>& cylinder_fields() {
  static const Fields<NodesInCylinder> list = {
      field(Key("point", Form::vector, "start point of the cylinder axis, mesh axes", "[0, 0, 0]")
                .in(kLength)
                .needed(),
            &NodesInCylinder::start),
      field(Key("axis", Form::direction, "direction of the axis, mesh axes", "[0, 0, 1]").needed(),
            &NodesInCylinder::axis),
      field(Key("radius", Form::number, "radius", "0.01").in(kLength).within(kPositive).needed(),
            &NodesInCylinder::radius),
      field(Key("length", Form::number, "length along the axis from `point`", "0.05")
                .in(kLength)
                .within(kPositive)
                .needed(),
            &NodesInCylinder::length)};
  return list;
}

// A selection is one near a point until another key is read.
Field<Self> of_near(const Field<NodesNear>& field) {
  return {field.spec,
          [read = field.read](Self& selection, const TableView& view, const Scope& scope) {
            if (auto* near = std::get_if<NodesNear>(&selection)) read(*near, view, scope);
          },
          {}};
}

void read_set(Self& selection, const TableView& view, const Scope&) {
  if (!view.has("in_set")) return;
  selection = mesh::NodesInSet{view.text("in_set")};
}

void read_box(Self& selection, const TableView& view, const Scope& scope) {
  if (!view.has("in_box")) return;
  const TableView given = view.table("in_box");
  auto& box = selection.emplace<NodesInBox>();
  read_fields(box_fields(), given, scope, box);
  if (given.is_good("low") && given.is_good("high") && (box.low.array() > box.high.array()).any())
    view.report().error(given.where("low"),
                        fmt::format("{} exceeds `high` in some coordinate", given.path("low")),
                        "`low` contains the smallest x, y and z, `high` the largest");
}

void read_cylinder(Self& selection, const TableView& view, const Scope& scope) {
  if (!view.has("in_cylinder")) return;
  read_fields(cylinder_fields(), view.table("in_cylinder"), scope,
              selection.emplace<NodesInCylinder>());
}

const Fields<Self>& node_fields() {
  static const Fields<Self> list = {
      of_near(field(Key("near", Form::vector, "the nodes near this point", "[0, 0, 0]").in(kLength),
                    &NodesNear::point)),
      of_near(field(
          Key("radius", Form::number,
              "all nodes within this distance of `near`; 0: as many as `attach` requires", "0.01")
              .in(kLength)
              .within(kNotNegative)
              .or_default()
              .with("near"),
          &NodesNear::radius)),
      read_by<Self>(
          Key("in_set", Form::text, "the nodes of this named set (physical group) of the mesh",
              "small_end_face"),
          read_set),
      read_by<Self>(
          Key("in_box", Form::table, "the nodes in a box", "{low: [0, 0, 0], high: [0, 0.1, 0.1]}")
              .holds(box_table()),
          read_box),
      read_by<Self>(Key("in_cylinder", Form::table, "the nodes in a cylinder",
                        "{point: [0, 0, 0], axis: [0, 0, 1], radius: 0.01, length: 0.05}")
                        .holds(cylinder_table()),
                    read_cylinder)};
  return list;
}

}  // namespace

mesh::NodeSelection read_nodes(const TableView& nodes) {
  static const ModelDescription nothing;  // that a selection could refer to
  static const Names no_names;
  mesh::NodeSelection selection;
  read_fields(node_fields(), nodes, {nothing, no_names}, selection);
  return selection;
}

const TableSpec& box_table() {
  static const TableSpec table{"box", "A box along the mesh axes.", keys_of(box_fields())};
  return table;
}

const TableSpec& cylinder_table() {
  static const TableSpec table{"cylinder", "A circular cylinder.", keys_of(cylinder_fields())};
  return table;
}

const TableSpec& nodes_table() {
  static const TableSpec table{
      "nodes",
      "Selection of nodes of the mesh, in exactly one of four ways. Coordinates are in mesh axes and in the length unit of the model file (not in `mesh_units`).",
      keys_of(node_fields()),
      "",
      false,
      {"near", "in_set", "in_box", "in_cylinder"}};
  return table;
}

}  // namespace solidyn::model
