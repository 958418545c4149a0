#include "model/bodies/appearance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "model/read.h"

namespace solidyn::model {
namespace {

using Shape = Appearance::Shape;

// Nobody draws larger machines, and single precision ends at 3e38.
constexpr double kLargest = 1e9;

// Which sizes each shape has.
const std::vector<std::string>& sizes_of(Shape shape) {
  static const std::vector<std::string> none, box = {"size"}, ball = {"radius"},
                                              round = {"radius", "length"};
  switch (shape) {
    case Shape::none:
      return none;
    case Shape::box:
      return box;
    case Shape::sphere:
      return ball;
    case Shape::cylinder:
    case Shape::capsule:
      return round;
  }
  return none;
}

bool is_colour(const std::string& text) {
  return text.size() == 7 && text[0] == '#' &&
         std::all_of(text.begin() + 1, text.end(),
                     [](unsigned char c) { return std::isxdigit(c); });
}

}  // namespace

const Fields<Appearance>& appearance_fields() {
  using Self = Appearance;
  static const Choice<Shape> shapes = {{"box", Shape::box},
                                       {"cylinder", Shape::cylinder},
                                       {"sphere", Shape::sphere},
                                       {"capsule", Shape::capsule}};
  static const Fields<Self> list = {
      field(
          Key("shape", Form::word,
              "`box` (with `size`), `cylinder` and `capsule` (`radius`, `length`, along their z axis), `sphere` (`radius`); by default a rigid body without a mesh is a box of its mass and inertia",
              "box"),
          shapes, &Self::shape),
      field(Key("size", Form::vector, "edges of a box along its axes", "[0.15, 0.02, 0.02]")
                .in(kLength),
            &Self::size),
      field(Key("radius", Form::number, "of a cylinder, a sphere or a capsule", "0.02")
                .in(kLength)
                .within(kPositive),
            &Self::radius),
      field(Key("length", Form::number,
                "of a cylinder; of a capsule between the centres of its two half spheres", "0.1")
                .in(kLength)
                .within(kPositive),
            &Self::length),
      field(Key("position", Form::vector, "of the shape's centre, body axes", "[0.075, 0, 0]")
                .in(kLength)
                .with("shape")
                .or_default(),
            &Self::position),
      read_by<Self>(Key("rotation", Form::table, "rotation from body axes to those of the shape",
                        "{axis: [0, 1, 0], angle: 1.57}")
                        .holds(rotation_table())
                        .with("shape"),
                    [](Self& appearance, const TableView& view, const Scope& scope) {
                      if (view.has("rotation"))
                        appearance.rotation = read_rotation(view.table("rotation"), scope);
                    }),
      field(
          Key("surface", Form::path,
              "file of solid elements (.msh, .smesh), of which the boundary is drawn, in the body's axes; instead of `shape`",
              "housing.msh"),
          &Self::surface),
      read_by<Self>(Key("surface_units", Form::word, "unit of length of that file", "mm")
                        .among({"m", "dm", "cm", "mm", "um", "in", "ft"})
                        .or_else("m")
                        .with("surface"),
                    [](Self& appearance, const TableView& view, const Scope&) {
                      appearance.surface_units =
                          find_length_unit(view.text("surface_units")).value_or(1.0);
                    }),
      field(Key("colour", Form::text, "\"#rrggbb\", red, green and blue as hexadecimal digits",
                "\"#4477aa\""),
            &Self::colour)};
  return list;
}

const TableSpec& appearance_table() {
  static const TableSpec table{
      "appearance", "How the body is drawn in a report (doc/report.md). It changes no result.",
      keys_of(appearance_fields())};
  return table;
}

void check_appearance(const TableView& view, const Appearance& appearance) {
  if (view.has("shape") && !view.is_good("shape")) return;  // the parser has told
  const std::vector<std::string>& wanted = sizes_of(appearance.shape);
  for (const char* key : {"size", "radius", "length"}) {
    const bool is_wanted = std::count(wanted.begin(), wanted.end(), key) > 0;
    if (is_wanted && !view.has(key))
      view.report().error(
          view.where("shape"),
          fmt::format("{} is missing (shape {} needs it)", view.path(key), view.text("shape")),
          "give it in the model's unit of length");
    else if (!is_wanted && view.has(key))
      view.report().error(view.where(key),
                          view.has("shape")
                              ? fmt::format("{} does not belong to the shape {}", view.path(key),
                                            view.text("shape"))
                              : fmt::format("{} is given without `shape`", view.path(key)),
                          view.has("shape") ? "remove it, or choose another `shape`"
                                            : "give the shape that it belongs to");
  }
  if (view.has("surface") && view.has("shape"))
    view.report().error(view.where("surface"),
                        fmt::format("{} and `shape` are both given", view.path("surface")),
                        "remove one of them");
  if (view.is_good("size") &&
      ((appearance.size.array() <= 0.0).any() || (appearance.size.array() > kLargest).any()))
    view.report().error(view.where("size"),
                        fmt::format("{} has an edge that is not positive, or larger than {:g} m",
                                    view.path("size"), kLargest),
                        "give three positive lengths");
  for (const char* key : {"radius", "length"})
    if (view.is_good(key) && (key[0] == 'r' ? appearance.radius : appearance.length) > kLargest)
      view.report().error(view.where(key),
                          fmt::format("{} is larger than {:g} m", view.path(key), kLargest),
                          "check the model's unit of length");
  if (view.is_good("colour") && !is_colour(appearance.colour))
    view.report().error(
        view.where("colour"),
        fmt::format("{} is `{}`, which is no colour", view.path("colour"), appearance.colour),
        "give six hexadecimal digits, for example  colour: \"#4477aa\"");
}

}  // namespace solidyn::model
