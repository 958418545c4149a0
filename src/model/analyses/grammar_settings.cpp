#include "model/language/key.h"

namespace solidyn::model {

const TableSpec& units_table() {
  static const TableSpec table{
      "units",
      "The units of every number in the file; `units: SI` is the default. Numbers are converted "
      "when "
      "they are read. A mesh file has its own length unit, `mesh_units`.",
      {Key("length", Form::word, "unit of length", "mm")
           .among({"m", "dm", "cm", "mm", "um", "in", "ft"})
           .or_else("m"),
       Key("mass", Form::word, "unit of mass (t is the tonne, 1000 kg)", "kg")
           .among({"kg", "t", "g", "lb"})
           .or_else("kg"),
       Key("time", Form::word, "unit of time", "s").among({"s", "ms"}).or_else("s"),
       Key("angle", Form::word, "unit of angle", "deg").among({"rad", "deg"}).or_else("rad"),
       Key("force", Form::word,
           "unit of force, for `youngs_modulus` (force per length squared); by default mass times "
           "length per time squared",
           "N")
           .among({"N", "kN", "MN", "lbf"})}};
  return table;
}

const TableSpec& material_table() {
  static const TableSpec table{"material",
                               "A linear elastic, isotropic material.",
                               {Key("youngs_modulus", Form::number, "Young's modulus E", "2.1e11")
                                    .in(kPressure)
                                    .within(kPositive)
                                    .needed(),
                                Key("poissons_ratio", Form::number, "Poisson's ratio nu", "0.3")
                                    .within({-1.0, 0.5, false, false})
                                    .needed(),
                                Key("density", Form::number, "mass per volume", "7850")
                                    .in(kDensity)
                                    .within(kPositive)
                                    .needed()}};
  return table;
}

const TableSpec& solver_table() {
  static const TableSpec table{
      "solver",
      "Linear solvers.",
      {Key("preset", Form::word,
           "`auto` (by size), `small` (few unknowns, microseconds), `direct` (distributed "
           "factorisation)",
           "auto")
           .among({"auto", "small", "direct"})
           .later({"iterative"})
           .or_else("auto"),
       Key("petsc_options", Form::text,
           "options for PETSc; those on the command line (after --) come later and win",
           "\"-ksp_monitor\"")}};
  return table;
}

const TableSpec& statistics_table() {
  static const TableSpec table{
      "statistics",
      "Over which time least, largest and mean values, rms and amplitudes in `sweep.csv` are "
      "taken.",
      {Key("from", Form::number, "a start that is left out, with the transients", "1")
           .in(kTime)
           .within(kNotNegative)
           .or_else("0")}};
  return table;
}

const TableSpec& output_table() {
  static const TableSpec table{
      "output",
      "What is written, and when.",
      {Key("history_every", Form::integer, "steps between two rows of history.csv", "1")
           .within(kOneOrMore)
           .or_else("1"),
       Key("history_interval", Form::number, "time between two rows, instead of `history_every`",
           "1e-4")
           .in(kTime)
           .within(kPositive),
       Key("fields_interval", Form::number, "time between two pictures for ParaView; 0: none",
           "1e-3")
           .in(kTime)
           .within(kNotNegative)
           .or_else("0"),
       Key("checkpoint_interval", Form::number, "time between two checkpoints; 0: not by time",
           "60")
           .in(kWallTime)
           .within(kNotNegative)
           .or_else("60"),
       Key("checkpoint_every", Form::integer, "steps between two checkpoints; 0: not by steps",
           "1000")
           .within(kNotNegative)
           .or_else("0"),
       Key("statistics", Form::table, "of the columns in a sweep's table (doc/sweeps.md)",
           "{from: 1}")
           .holds(statistics_table())}};
  return table;
}

}  // namespace solidyn::model
