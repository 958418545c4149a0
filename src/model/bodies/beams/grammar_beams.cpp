#include <array>

#include "model/bodies/beams/beam_grammar.h"

namespace solidyn::model {
namespace {

const Quantity kSecondMoment{"m^4", 4, 0, 0, 0, 0};
const Quantity kBendingStiffness{"N m^2", 2, 0, 0, 0, 1};
const Quantity kMassPerLength{"kg/m", -1, 1, 0, 0, 0};
const Quantity kMassMomentPerLength{"kg m", 1, 1, 0, 0, 0};

Key length(const char* key, const char* meaning, const char* example) {
  return Key(key, Form::number, meaning, example).in(kLength).within(kPositive).needed();
}

Key general(const char* key, const char* meaning, const char* example, const Quantity& quantity) {
  return Key(key, Form::number, meaning, example)
      .in(quantity)
      .within(kPositive)
      .needed()
      .of({"general"});
}

Key shear(const char* key, const char* meaning) {
  return Key(key, Form::number, meaning, "0.8333")
      .within(kPositive)
      .or_else("0.8333333333333334")
      .of({"general"});
}

Key stiffness(const char* key, const char* meaning, const char* example, const Quantity& quantity) {
  return Key(key, Form::number, meaning, example).in(quantity).within(kPositive).of({"stiffness"});
}

// Needed where there is no material; else in place of what its density makes of the shape.
std::vector<KeySpec> mass_keys() {
  const Words of_material = {"rectangle", "circle", "tube", "i_section", "general"};
  const auto both = [&](const Key& key) {
    return std::array<KeySpec, 2>{Key(key).needed().of({"stiffness"}), Key(key).of(of_material)};
  };
  const auto mass =
      both(Key("mass_per_length", Form::number,
               "mass per length of the beam as drawn, in place of density times area", "1.2")
               .in(kMassPerLength)
               .within(kPositive));
  const auto moments =
      both(Key("mass_moments", Form::vector,
               "mass moments of inertia per length about x (along the beam), y and z, in place of "
               "density times second moments",
               "[2.0e-5, 1.0e-5, 1.0e-5]")
               .in(kMassMomentPerLength)
               .within(kNotNegative));
  return {mass[0], mass[1], moments[0], moments[1]};
}

TableSpec with_mass_keys(TableSpec section) {
  for (const KeySpec& key : mass_keys()) section.keys.push_back(key);
  return section;
}

}  // namespace

const TableSpec& section_table() {
  static const TableSpec table = with_mass_keys(
      {"section",
       "The cross-section of a beam, about its centroid and along its principal axes y and z.",
       {Key("type", Form::word,
            "`rectangle`, `circle` (full), `tube`, `i_section` (flanges along y, web along z), "
            "`general`: its numbers, or `stiffness`: those of stiffness and mass, without a "
            "material",
            "rectangle")
            .among({"rectangle", "circle", "tube", "i_section", "general", "stiffness"})
            .needed(),
        length("width", "along y", "0.02").of({"rectangle", "i_section"}),
        length("height", "along z", "0.04").of({"rectangle", "i_section"}),
        length("radius", "outer radius", "0.01").of({"circle", "tube"}),
        length("wall", "thickness of the wall, less than the radius", "0.001").of({"tube"}),
        length("flange", "thickness of a flange", "0.006").of({"i_section"}),
        length("web", "thickness of the web", "0.004").of({"i_section"}),
        general("area", "area", "1e-4", kArea),
        general("I_y", "second moment about y: the integral of z^2", "8e-10", kSecondMoment),
        general("I_z", "second moment about z: the integral of y^2", "8e-10", kSecondMoment),
        general("torsion_constant", "St. Venant's torsion constant", "1.4e-9", kSecondMoment),
        Key("offset", Form::vector,
            "of the centroid from the line through the points, along y and z: the points keep "
            "their "
            "places, rigidly held off the centre line",
            "[0, 0.01]")
            .in(kLength)
            .sized(2)
            .or_else("[0, 0]"),
        shear("shear_y", "fraction of the area that carries shear along y"),
        shear("shear_z", "fraction of the area that carries shear along z"),
        stiffness("EA", "stiffness along the beam", "1e4", kForce).needed(),
        stiffness("GA_y", "stiffness of shear along y; needed unless the beam has `shear: none`",
                  "1e4", kForce),
        stiffness("GA_z", "stiffness of shear along z; needed unless the beam has `shear: none`",
                  "1e4", kForce),
        stiffness("GJ", "stiffness of torsion", "500", kBendingStiffness).needed(),
        stiffness("EI_y", "stiffness of bending about y", "500", kBendingStiffness).needed(),
        stiffness("EI_z", "stiffness of bending about z", "500", kBendingStiffness).needed()},
       "type"});
  return table;
}

const TableSpec& beam_group_table() {
  static const TableSpec table = with_strain_keys(
      {"group",
       "Lines of a beam's mesh file that differ from the others. What is left out is that of the "
       "body, "
       "else of the file.",
       {Key("section", Form::table, "the cross-section", "{type: circle, radius: 0.003}")
            .holds(section_table()),
        Key("material", Form::reference, "one of `materials`; by default that of the body",
            "steel"),
        Key("y_axis", Form::direction,
            "roughly where y of these sections points, in body axes; by default as for the body",
            "[0, 1, 0]")}},
      {});
  return table;
}

const TableSpec& beam_place_table() {
  static const TableSpec table{
      "place",
      "A node of a beam's mesh file, in exactly one of three ways.",
      {Key("node", Form::integer, "the node's number in the file", "7").within(kOneOrMore),
       Key("in_set", Form::text, "the one node of this set (physical point) of the file", "tip"),
       Key("at", Form::vector, "where the node is, in body axes", "[0.3, 0, 0]").in(kLength)},
      "",
      false,
      {"node", "in_set", "at"}};
  return table;
}

TableSpec with_beam_keys(TableSpec body) {
  const Words beam = {"beam"};
  const std::vector<KeySpec> keys = {
      Key("points", Form::named_vectors,
          "named points of the centre line, in body axes: the beam runs straight from one to the "
          "next. They are its places for joints, forces and sensors",
          "{left: [0, 0, 0], right: [0.3, 0, 0]}")
          .in(kLength)
          .needed()
          .unless("mesh")
          .of(beam),
      Key("arc_through", Form::vector,
          "a point of the circular arc that joins the two `points`, in place of a straight line; "
          "the beam is curved without stress",
          "[0.1, 0.02, 0]")
          .in(kLength)
          .of(beam),
      Key("elements", Form::integer,
          "number of elements, shared out by length, with at least one between two points; with a "
          "`mesh` those of each line, by default 1",
          "8")
          .within(kOneOrMore)
          .needed()
          .unless("mesh")
          .of(beam),
      Key("section", Form::table, "the cross-section", "{type: circle, radius: 0.003}")
          .holds(section_table())
          .needed()
          .unless("mesh")
          .of(beam),
      Key("groups", Form::named_tables,
          "lines of the `mesh` with a section, material or strains of their own, by the names of "
          "the file: physical "
          "groups, sets of elements, properties (PBAR_3)",
          "{columns: {section: {type: circle, radius: 0.02}}}")
          .holds(beam_group_table())
          .with("mesh")
          .of(beam),
      Key("places", Form::named_tables,
          "nodes of the `mesh` for joints, forces and sensors, beside its sets of one node",
          "{tip: {node: 7}}")
          .holds(beam_place_table())
          .with("mesh")
          .of(beam),
      Key("y_axis", Form::direction,
          "roughly where y of the first section points, in body axes; the others follow the line "
          "without twist. Of a `mesh`: of all sections, instead of what the file says. By default "
          "as close to the body's x y plane as the line allows, on the "
          "left",
          "[0, 1, 0]")
          .of(beam),
      Key("shear", Form::word, "whether shear deforms the beam", "none")
          .among({"included", "none"})
          .or_else("included")
          .of(beam),
      Key("torsion", Form::word,
          "how torsion varies over an element: `linear` (seven strains) or `constant` (six)",
          "linear")
          .among({"linear", "constant"})
          .or_else("linear")
          .of(beam),
      Key("rotary_inertia", Form::word,
          "of the cross-sections: `included`, or `torsion` alone, about the beam's own axis",
          "included")
          .among({"included", "torsion"})
          .or_else("included")
          .of(beam),
      Key("curvature_rule", Form::word,
          "how orientations follow from curvatures, both of order four: `magnus` (exact in plane "
          "bending), or `lobatto` (Lobatto IIIA; long elements are unstable under tension)",
          "magnus")
          .among({"magnus", "lobatto"})
          .or_else("magnus")
          .of(beam)};
  body.keys.insert(body.keys.end(), keys.begin(), keys.end());
  return with_strain_keys(std::move(body), beam);
}

}  // namespace solidyn::model
