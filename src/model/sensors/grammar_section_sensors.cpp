#include "model/sensors/sensor_grammar.h"

namespace solidyn::model {

std::vector<KeySpec> section_sensor_keys() {
  const Words both = {"section_force", "section_strain"};
  return {
      Key("body", Form::reference, "the beam", "rod").needed().of(both),
      Key("point", Form::reference,
          "the section at one of the beam's points (of a beam with a mesh: places), or", "midpoint")
          .of(both),
      Key("fraction", Form::number,
          "at this fraction of the beam's length (with a mesh: of a `line`)", "0.25")
          .within({0.0, 1.0, true, true})
          .of(both),
      Key("line", Form::integer,
          "of a beam with a mesh: the line, by its number in the file (that of the CBAR, of the "
          "element), at a `fraction` of it or at the end that is at a `point`",
          "12")
          .within(kOneOrMore)
          .of(both),
      Key("group", Form::text,
          "of a beam with a mesh: the line at the `point` is the one of this group of the file",
          "legs")
          .of(both),
      Key("side", Form::word,
          "where forces jump, at a point with a joint or a load: just `before` the place on the "
          "way along the beam, or just `after` it. By default after, at the beam's end before. "
          "Lines "
          "of a mesh go from their first node to their second",
          "before")
          .among({"before", "after"})
          .of(both),
      Key("component", Form::word,
          "what the part of the beam beyond the section exerts on the part before, along the "
          "section's axes (x along the beam): `axial` (tension is positive), `shear_y`, `shear_z`, "
          "`torsion`, `bending_y`, `bending_z`; largest and least stress along the beam of the "
          "section, `stress_max`, `stress_min` (not of sections of type `general`). `all`: the six "
          "forces and moments",
          "bending_z")
          .among({"axial", "shear_y", "shear_z", "torsion", "bending_y", "bending_z", "stress_max",
                  "stress_min", "all"})
          .or_else("all")
          .of({"section_force"}),
      Key("component", Form::word,
          "more than as drawn: `stretch`, shear strains, `twist` (rad/m) and curvatures (1/m) "
          "about the section's axes. `all`: the six",
          "curvature_z")
          .among({"stretch", "shear_y", "shear_z", "twist", "curvature_y", "curvature_z", "all"})
          .or_else("all")
          .of({"section_strain"})};
}

}  // namespace solidyn::model
