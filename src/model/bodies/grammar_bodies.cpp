#include "model/bodies/beams/beam_grammar.h"
#include "model/language/key.h"

namespace solidyn::model {
namespace {

const Words kFlexible = {"modal", "superelement", "floating_frame", "corotational", "inertial"};
// Of a rigid body too that takes mass and interfaces from a mesh.
const Words kMeshed = {"rigid",          "modal",        "superelement",
                       "floating_frame", "corotational", "inertial"};
const Words kFromMesh = {"rigid",          "modal",        "superelement", "beam",
                         "floating_frame", "corotational", "inertial"};
const Words kWithMaterial = {"rigid",        "modal",    "superelement", "floating_frame",
                             "corotational", "inertial", "beam"};
const Words kDamped = {"modal",        "superelement", "floating_frame",
                       "corotational", "inertial",     "beam"};
const Words kReduced = {"modal", "superelement"};

}  // namespace

const TableSpec& interface_table() {
  static const TableSpec table{
      "interface",
      "A named place of a flexible body where joints attach.",
      {Key("nodes", Form::table, "which nodes", "{near: [0, 0, 0]}").holds(nodes_table()).needed(),
       Key("attach", Form::word,
           "how the interface's frame follows its nodes: `three_nodes` (the triad of three nodes), "
           "`rbe3` (average motion of the region), `rbe2` (the region is rigid), `virtual_body` (a "
           "massless body tied to three nodes), `node` (one node; turns with the elements around "
           "it)",
           "rbe3")
           .among({"three_nodes", "rbe3", "rbe2", "virtual_body", "node"})
           .or_else("rbe3")}};
  return table;
}

const TableSpec& rayleigh_table() {
  static const TableSpec table{
      "rayleigh",
      "Proportional damping D = mass M + stiffness K.",
      {Key("mass", Form::number, "factor of the mass matrix", "0")
           .in(kRate)
           .within(kNotNegative)
           .or_else("0"),
       Key("stiffness", Form::number, "factor of the stiffness matrix", "1e-6")
           .in(kTime)
           .within(kNotNegative)
           .or_else("0")}};
  return table;
}

const TableSpec& damping_table() {
  static const TableSpec table{
      "damping",
      "Damping of the deformation; none by default.",
      {Key("rayleigh", Form::table, "proportional damping", "{mass: 0, stiffness: 1e-6}")
           .holds(rayleigh_table()),
       Key("modal_ratio", Form::number,
           "fraction of critical damping of the elastic modes (`type: modal` and `superelement`)",
           "0.01")
           .within({0.0, 1.0, true, false})
           .or_else("0"),
       Key("modal_ratio_from", Form::number,
           "frequency in Hz from which modes get `modal_ratio`; lower ones stay undamped. Takes "
           "the "
           "ringing of static correction modes away",
           "4000")
           .within(kNotNegative)
           .or_else("0")}};
  return table;
}

const TableSpec& body_table() {
  static const TableSpec table{
      "body",
      "A body. Keys that belong to another type are ignored with a warning, so that `type` can be "
      "changed alone.",
      {Key("type", Form::word,
           "`rigid`; `modal` (floating frame, deformation by modes); `superelement` (deformation "
           "by "
           "the motion of its interfaces, which are nodes that bodies share); `floating_frame` "
           "(all "
           "nodal "
           "displacements kept); `corotational` (nodes in absolute coordinates, small strain in "
           "elements that turn), `inertial` (the same, large strain); `beam` (elements of slender "
           "parts, "
           "for large deflections)",
           "rigid")
           .among({"rigid", "modal", "superelement", "floating_frame", "corotational", "inertial",
                   "beam"})
           .needed(),
       Key("pose", Form::table, "where the body is at t = 0", "{position: [0.15, 0, 0]}")
           .holds(pose_table()),
       Key("velocity", Form::table, "guess of its velocity at t = 0", "{angular: [0, 0, 150]}")
           .holds(velocity_table()),
       Key("mass", Form::number,
           "mass; without it a `mesh` says mass, inertia and interfaces of the rigid body", "0.1")
           .in(kMass)
           .within(kPositive)
           .of({"rigid"}),
       Key("center_of_mass", Form::vector, "in body axes", "[0.075, 0, 0]")
           .in(kLength)
           .or_else("[0, 0, 0]")
           .of({"rigid"}),
       Key("inertia", Form::inertia,
           "about the centre of mass, in body axes: [Ixx, Iyy, Izz], [Ixx, Iyy, Izz, Ixy, Ixz, "
           "Iyz] "
           "or the 3 x 3 matrix; Ixy, Ixz, Iyz are entries of that matrix (minus the integral of x "
           "y dm "
           "...). Zeros make a point mass",
           "[1e-6, 2e-4, 2e-4]")
           .in(kInertia)
           .or_else("[0, 0, 0]")
           .of({"rigid"}),
       Key("frames", Form::named_tables, "named frames for joints and sensors",
           "{pin: {position: [0.15, 0, 0]}}")
           .holds(frame_table())
           .of({"rigid"}),
       Key("mesh", Form::path,
           "file of solid elements, or of lines for a `beam`: Gmsh (.msh), .smesh of `solidyn "
           "convert`, or of another "
           "program "
           "(.bdf, .inp; doc/meshes.md), whose materials, masses and rigid elements come "
           "along",
           "rod.msh")
           .of(kFromMesh),
       Key("mesh_units", Form::word,
           "unit of length in the mesh file, or the set of units of one that brings its materials",
           "mm")
           .among({"m", "dm", "cm", "mm", "um", "in", "ft", "SI", "tonne-mm-s", "kg-mm-ms",
                   "kg-mm-s", "lbf-in-s"})
           .or_else("m")
           .of(kFromMesh),
       Key("reduced_body", Form::path,
           "file that `solidyn reduce` wrote, instead of `mesh`: interfaces and points come from "
           "it",
           "rod.sbody")
           .of(kReduced),
       Key("import", Form::table,
           "modes or matrices of another program, instead of `mesh` and `material`",
           "{modes: rod.op2, mesh: rod.bdf}")
           .holds(import_table())
           .of(kReduced),
       Key("material", Form::reference,
           "one of `materials`; may be left out with a mesh file that has materials, of which "
           "those "
           "that `materials` names too are replaced",
           "steel")
           .of(kWithMaterial),
       Key("mass_matrix", Form::word,
           "mass matrix of the elements; default consistent for `rigid`, `modal` and "
           "`superelement`, "
           "lumped for the others",
           "lumped")
           .among({"lumped", "consistent"})
           .of(kMeshed),
       Key("hex8", Form::word,
           "stiffness of 8-node hexahedra: `incompatible_modes` (bends without locking), `b_bar` "
           "(mean volume change: for nearly incompressible materials), `standard` (trilinear: too "
           "stiff in bending; that of `inertial` bodies)",
           "b_bar")
           .among({"standard", "b_bar", "incompatible_modes"})
           .or_else("incompatible_modes")
           .of({"modal", "superelement", "floating_frame", "corotational"}),
       Key("hex20", Form::word,
           "stiffness of 20-node hexahedra: `full` (27 points) or `reduced` (8 points: softer, and "
           "less sensitive to distorted elements; a row of single elements has motions without "
           "energy, so mesh two across)",
           "reduced")
           .among({"full", "reduced"})
           .or_else("full")
           .of(kFlexible),
       Key("reference_conditions", Form::word, "how the body's frame follows the deforming body",
           "mean_axis")
           .among({"mean_axis", "principal_axis"})
           .later({"fixed_nodes"})
           .or_else("mean_axis")
           .of({"modal"}),
       Key("reference_conditions", Form::word, "how the body's frame follows the deforming body",
           "mean_axis")
           .among({"mean_axis"})
           .later({"principal_axis", "fixed_nodes"})
           .or_else("mean_axis")
           .of({"floating_frame"}),
       Key("enforced_by", Form::word,
           "`orthogonal_modes` (the modes satisfy mean_axis by construction; its default) or "
           "`multipliers` (constraints on all modes, rigid ones too; default of principal_axis)",
           "multipliers")
           .among({"orthogonal_modes", "multipliers"})
           .of({"modal"}),
       Key("mean_axis_level", Form::word, "level on which multipliers impose the mean axis",
           "position")
           .among({"position", "velocity"})
           .or_else("position")
           .of({"modal"}),
       Key("geometric_stiffening", Form::word,
           "`second_order`: displacements are of second order in the modes, so that spin and loads "
           "at interfaces stiffen the body or make it buckle; `none`: linear modes",
           "second_order")
           .among({"none", "second_order"})
           .or_else("none")
           .of({"modal"}),
       Key("material_law", Form::word,
           "what large strains cost: St. Venant-Kirchhoff, linear in Green-Lagrange strain, or "
           "compressible neo-Hookean, which withstands compression",
           "neo_hookean")
           .among({"st_venant_kirchhoff", "neo_hookean"})
           .or_else("st_venant_kirchhoff")
           .of({"inertial"}),
       Key("modes", Form::table, "the modes; needed with `mesh`", "{free_free: 8}")
           .holds(modes_of_body_table())
           .of(kReduced),
       Key("internal_modes", Form::integer,
           "eigenmodes with all interfaces held, kept beside the motion of the interfaces", "2")
           .within(kNotNegative)
           .or_else("0")
           .of({"superelement"}),
       Key("damping", Form::table, "damping of the deformation", "{modal_ratio: 0.01}")
           .holds(damping_table())
           .of(kDamped),
       Key("interfaces", Form::named_tables, "named places for joints and sensors",
           "{big_end: {nodes: {near: [0, 0, 0]}}}")
           .holds(interface_table())
           .of(kMeshed),
       Key("points", Form::named_vectors, "named points for sensors, in mesh axes",
           "{midpoint: [0.15, 0, 0]}")
           .in(kLength)
           .of(kMeshed),
       Key("stress", Form::table, "where stress is recovered; by default nowhere",
           "{places: {fillet: {near: [0.1, 0, 0]}}}")
           .holds(stress_table())
           .of(kFlexible)},
      "type",
      true};
  static const TableSpec complete = with_beam_keys(table);
  return complete;
}

}  // namespace solidyn::model
