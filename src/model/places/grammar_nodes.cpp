#include "model/language/key.h"

namespace solidyn::model {

const TableSpec& box_table() {
  static const TableSpec table{
      "box",
      "A box along the mesh axes.",
      {Key("low", Form::vector, "corner with the smallest coordinates, mesh axes", "[0, 0, 0]")
           .in(kLength)
           .needed(),
       Key("high", Form::vector, "corner with the largest coordinates, mesh axes", "[0, 0.1, 0.1]")
           .in(kLength)
           .needed()}};
  return table;
}

const TableSpec& cylinder_table() {
  static const TableSpec table{
      "cylinder",
      "A circular cylinder.",
      {Key("point", Form::vector, "where the cylinder's axis starts, mesh axes", "[0, 0, 0]")
           .in(kLength)
           .needed(),
       Key("axis", Form::direction, "direction of the axis, mesh axes", "[0, 0, 1]").needed(),
       Key("radius", Form::number, "radius", "0.01").in(kLength).within(kPositive).needed(),
       Key("length", Form::number, "length along the axis from `point`", "0.05")
           .in(kLength)
           .within(kPositive)
           .needed()}};
  return table;
}

const TableSpec& nodes_table() {
  static const TableSpec table{
      "nodes",
      "Which nodes of the mesh an interface takes, in exactly one of four ways. Coordinates are in "
      "mesh "
      "axes and in the length unit of the model file (not in `mesh_units`).",
      {Key("near", Form::vector, "the nodes near this point", "[0, 0, 0]").in(kLength),
       Key("radius", Form::number,
           "all nodes within this distance of `near`; 0: as many as `attach` needs", "0.01")
           .in(kLength)
           .within(kNotNegative)
           .or_else("0")
           .with("near"),
       Key("in_set", Form::text, "the nodes of this named set (physical group) of the mesh",
           "small_end_face"),
       Key("in_box", Form::table, "the nodes in a box", "{low: [0, 0, 0], high: [0, 0.1, 0.1]}")
           .holds(box_table()),
       Key("in_cylinder", Form::table, "the nodes in a cylinder",
           "{point: [0, 0, 0], axis: [0, 0, 1], radius: 0.01, length: 0.05}")
           .holds(cylinder_table())},
      "",
      false,
      {"near", "in_set", "in_box", "in_cylinder"}};
  return table;
}

}  // namespace solidyn::model
