#include "model/language/key.h"

namespace solidyn::model {

std::vector<KeySpec> table_keys(const KeySpec& points, const char* interpolation) {
  return {
      points,
      Key("file", Form::path,
          "a text file with one point per line, columns separated by commas, semicolons or blanks, in the units of the model file; the first line may name the columns. Lines that start with # are ignored, except `# units:`, as in history.csv, which means SI",
          "motion.csv"),
      Key("column", Form::text,
          "name of the column of the file with the values; required if there are more than two columns",
          "tau1")
          .with("file"),
      Key("against", Form::text, "name of the column with the abscissae; by default the first",
          "angle")
          .with("file"),
      Key("interpolation", Form::word,
          "`linear` (held constant outside the table), `cubic` (a spline, extrapolated linearly) or `akima` (no overshoot next to steps; extrapolated linearly)",
          "akima")
          .among({"linear", "cubic", "akima"})
          .or_else(interpolation),
      Key("ends", Form::word,
          "end conditions; of `cubic`: `natural` (zero second derivative at the first and last point), `not_a_knot` (one cubic through the last four points) or `clamped` (`end_slopes`); of all: `periodic` (the table repeats; its last value equals its first)",
          "not_a_knot")
          .among({"natural", "not_a_knot", "clamped", "periodic"})
          .or_else("natural"),
      Key("end_slopes", Form::vector, "slopes at the first and last point", "[0, 0]")
          .sized(2)
          .or_else("[0, 0]")
          .with("ends")};
}

const TableSpec& time_table() {
  static const TableSpec table{
      "time function",
      "A function of time by points, or, for forces and actuators, a function of a sensor. A number or an expression of t can be given instead: `\"150*t\"`, with `pi`, the functions of muParser (sin, cos, sqrt, exp, `c ? a : b` ...), `ramp(t, t0, t1)` and `smooth_step(t, t0, t1)`, which rise from 0 to 1.",
      [] {
        std::vector<KeySpec> keys = table_keys(
            Key("table", Form::time_table,
                "the points [t, value], or [value of `of`, value], with increasing first numbers",
                "[[0, 0], [0.5, 1.2], [1, 3]]"),
            "cubic");
        keys.push_back(Key(
            "of", Form::reference,
            "for a force or an actuator: the sensor that is the argument of the table, by its name in history.csv, instead of t",
            "crank_angle"));
        return keys;
      }(),
      "",
      false,
      {"table", "file"}};
  return table;
}

}  // namespace solidyn::model
