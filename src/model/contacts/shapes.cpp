#include <fmt/format.h>

#include "model/contacts/contact_entry.h"
#include "model/contacts/contact_grammar.h"
#include "model/language/positions_file.h"
#include "model/language/type_table.h"
#include "solidyn/contact/geometry.h"

namespace solidyn::model {
namespace {

using contact::Box;
using contact::Capsule;
using contact::Cylinder;
using contact::Polyhedron;
using contact::Side;
using contact::Sphere;
using OnPlace = ContactShapeDescription;

/// A row of the catalogue.
struct ShapeType {
  std::string word;
  std::string meaning;  ///< of the word, behind it in parentheses
  OnPlace shape;        ///< what its keys then fill
  Fields<OnPlace> fields;
  std::vector<KeySpec> keys = keys_of(fields);
};

OnPlace standing(contact::Shape shape) {
  OnPlace place;
  place.shape = std::move(shape);
  return place;
}

/// A key of the shape itself. @pre the OnPlace holds an S
template <class S, class Value>
Field<OnPlace> of_shape(const Key& key, Value S::*member) {
  return read_by<OnPlace>(
      key, [=, word = KeySpec(key).key](OnPlace& place, const TableView& view, const Scope&) {
        if (view.is_good(word)) read_value(view, word, std::get<S>(place.shape).*member);
      });
}

Field<OnPlace> at_field() {
  return field(
      Key("at", Form::vector,
          "the shape's centre, or a point of the plane, in the world at t = 0; by default the place's origin",
          "[0, 0, 0]")
          .in(kLength),
      &OnPlace::at);
}

Field<OnPlace> axis_field() {
  return field(
      Key("axis", Form::direction,
          "world at t = 0: the plane's normal, or the axis of the round shape", "[0, 0, 1]")
          .needed(),
      &OnPlace::axis);
}

template <class S>
Field<OnPlace> radius_field() {
  return of_shape(
      Key("radius", Form::number, "radius", "0.02").in(kLength).within(kPositive).needed(),
      &S::radius);
}

template <class S>
Field<OnPlace> length_field() {
  return of_shape(
      Key("length", Form::number,
          "length along the axis, about `at`; of a capsule between the centres of its end spheres",
          "0.1")
          .in(kLength)
          .within(kPositive)
          .needed(),
      &S::length);
}

ShapeType sphere_row(std::string word, std::string meaning, Side side) {
  return {std::move(word),
          std::move(meaning),
          standing(Sphere{0.0, side}),
          {radius_field<Sphere>(), at_field()}};
}

ShapeType cylinder_row(std::string word, std::string meaning, Side side) {
  return {std::move(word),
          std::move(meaning),
          standing(Cylinder{0.0, 0.0, side}),
          {radius_field<Cylinder>(), length_field<Cylinder>(), at_field(), axis_field()}};
}

ShapeType capsule_row() {
  return {"capsule",
          "a cylinder with hemispherical ends",
          standing(Capsule{}),
          {radius_field<Capsule>(), length_field<Capsule>(), at_field(), axis_field()}};
}

ShapeType plane_row() {
  return {"plane",
          "material below, free space above along `axis`",
          standing(contact::Plane{}),
          {at_field(), axis_field()}};
}

Fields<OnPlace> axes_fields() {
  return {
      field(Key("axis", Form::direction,
                "world at t = 0: z of the shape; by default it has the place's axes", "[0, 0, 1]"),
            &OnPlace::axis),
      field(Key("reference", Form::direction,
                "world at t = 0: direction that determines x of the shape", "[1, 0, 0]")
                .with("axis"),
            &OnPlace::reference)};
}

ShapeType box_row() {
  return {"box", "", standing(Box{}),
          joined_fields(
              Fields<OnPlace>{of_shape(Key("size", Form::vector, "edges of the box along its axes",
                                           "[0.1, 0.2, 0.1]")
                                           .in(kLength)
                                           .needed(),
                                       &Box::size),
                              at_field()},
              axes_fields())};
}

// The points, from the key or the file; complaints about what makes no body.
void read_polyhedron(OnPlace& place, const TableView& view, const Scope&) {
  const std::string key = key_of_positions(view, "the polyhedron");
  if (key.empty()) return;
  std::vector<Eigen::Vector3d>& points = std::get<Polyhedron>(place.shape).points;
  try {
    std::vector<Eigen::Vector3d> given;
    if (key == "file")
      given = read_positions_file(view, key);
    else
      read_value(view, key, given);
    contact::require_volume(given);
    points = std::move(given);
  } catch (const base::InputError& error) {
    for (const base::Diagnostic& d : error.diagnostics())
      view.report().error(view.where(key), fmt::format("{}: {}", view.path(key), d.what), d.remedy);
  }
}

ShapeType polyhedron_row() {
  return {
      "polyhedron", "the convex hull of points", standing(Polyhedron{}),
      joined_fields(
          Fields<OnPlace>{
              read_by<OnPlace>(
                  Key("points", Form::positions,
                      "points whose convex hull touches, along the axes of the shape from `at`; those inside of it do not matter",
                      "[[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]")
                      .in(kLength),
                  read_polyhedron),
              read_elsewhere<OnPlace>(Key(
                  "file", Form::path,
                  "instead of `points`: a text file with x, y and z of a point in each line, columns apart by commas, semicolons or blanks, in the units of this file; of lines that begin with # only `# units: m, m, m` counts",
                  "stone.csv")),
              at_field()},
          axes_fields())};
}

ShapeType point_row() { return {"point", "", standing(Sphere{0.0}), {at_field()}}; }

// Points and nodes touch with their own positions.
OnPlace points_of_a_body() {
  OnPlace points = standing(Sphere{0.0});
  points.is_points = true;
  return points;
}

ShapeType points_row() {
  return {"points", "all named `points` of a flexible body", points_of_a_body(), {}};
}

ShapeType nodes_row() {
  OnPlace nodes = points_of_a_body();
  nodes.nodes.emplace();
  return {"nodes",
          "some of the nodes of its mesh",
          std::move(nodes),
          {field(Key("nodes", Form::table, "which nodes of the body's mesh touch", "{in_set: sole}")
                     .holds(nodes_table())
                     .needed(),
                 &OnPlace::nodes)}};
}

// Points and nodes are those of one body.
ShapeType in_groups(ShapeType type) {
  type.fields.push_back(field(
      Key("bodies", Form::references,
          "instead of `between`: the places of all shapes like this one: `ground`, rigid bodies, of which * and ? stand for several, `body.frame` or `body.interface`",
          "[floor, \"ball*\"]")
          .sized(kAnySize),
      &OnPlace::bodies));
  type.keys = keys_of(type.fields);
  return type;
}

const std::vector<ShapeType>& shape_catalogue() {
  static const std::vector<ShapeType> catalogue = {
      in_groups(sphere_row("sphere", "", Side::outer)),
      in_groups(capsule_row()),
      in_groups(cylinder_row("cylinder", "", Side::outer)),
      in_groups(box_row()),
      in_groups(polyhedron_row()),
      in_groups(plane_row()),
      in_groups(point_row()),
      in_groups(sphere_row("hollow_sphere", "contact from inside", Side::inner)),
      in_groups(cylinder_row("hollow_cylinder", "contact from inside", Side::inner)),
      points_row(),
      nodes_row()};
  return catalogue;
}

}  // namespace

const TableSpec& contact_shape_table() {
  static const TableSpec table = table_of_types("contact shape", "A shape attached to a place.",
                                                type_key("shape", shape_catalogue()).needed(),
                                                shape_catalogue(), std::vector<KeySpec>());
  return table;
}

ContactShapeDescription read_shape(const TableView& view, const Scope& scope) {
  const ShapeType* type = find_row(shape_catalogue(), view.type());
  if (!type) return {};  // the grammar has complained
  ContactShapeDescription shape = type->shape;
  read_fields(type->fields, view, scope, shape);
  if (shape.axis && shape.reference && shape.axis->cross(*shape.reference).norm() < 1e-3)
    view.report().error(view.where("reference"),
                        fmt::format("{} is parallel to the axis", view.path("reference")),
                        "give a direction not parallel to the axis, or remove it");
  if (view.is_good("size") && view.vector("size").minCoeff() <= 0.0)
    view.report().error(view.where("size"),
                        fmt::format("{}: the edges of a box must be positive", view.path("size")),
                        "give three lengths, for example  size: [0.1, 0.2, 0.1]");
  return shape;
}

}  // namespace solidyn::model
