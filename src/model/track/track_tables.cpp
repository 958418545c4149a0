// The grammar of `track`.
#include "model/language/key.h"
#include "model/track/rail_track.h"
#include "solidyn/track/spectrum.h"

namespace solidyn::model {

// m/s: below, creepages mean nothing; above, there are no trains.
constexpr Range kRunningSpeeds{0.01, 400.0, true, true};

const TableSpec& plan_segment_table() {
  static const TableSpec table{
      "plan_segment",
      "A part of the track's plan, over the distance along it. Curvature and cant are linear in it: straights, arcs and clothoids.",
      {Key("length", Form::number, "along the plan", "100").in(kLength).within(kPositive).needed(),
       Key("curvature", Form::number,
           "at its beginning, positive to the left; by default that at the end of the segment before, or 0",
           "0.001")
           .in(kCurvature),
       Key("curvature_to", Form::number, "at its end; by default that at its beginning", "0.002")
           .in(kCurvature),
       Key("cant", Form::number,
           "of the right rail above the left one at its beginning; by default that at the end of the segment before, or 0",
           "0.1")
           .in(kLength),
       Key("cant_to", Form::number, "at its end; by default that at its beginning", "0.1")
           .in(kLength)}};
  return table;
}

const TableSpec& gradient_segment_table() {
  static const TableSpec table{
      "gradient_segment",
      "A part of the track's profile of height: a slope or a vertical curve.",
      {Key("length", Form::number, "along the plan", "100").in(kLength).within(kPositive).needed(),
       Key("gradient", Form::number,
           "rise over length at its beginning; by default that at the end of the segment before, or 0",
           "0.01"),
       Key("gradient_to", Form::number, "at its end; by default that at its beginning", "0.01")}};
  return table;
}

const TableSpec& own_spectrum_table() {
  static const TableSpec table{
      "spectrum",
      "S(W) = sum of n_i W^(2 i) / sum of d_i W^(2 i), in SI whatever the units of the file.",
      {Key("numerator", Form::vector, "n_0, n_1, ...", "[2.1e-7]").sized(kAnySize).needed(),
       Key("denominator", Form::vector, "d_0, d_1, ...", "[2.9e-4, 0.68, 1]")
           .sized(kAnySize)
           .needed(),
       Key("convention", Form::word,
           "of what W is and over which range S is integrated to the variance: wavenumber in rad/m over W > 0 or over all W, or frequency in 1/m over W > 0",
           "one_sided_frequency")
           .among({"one_sided_wavenumber", "two_sided_wavenumber", "one_sided_frequency"})
           .or_else("one_sided_wavenumber")}};
  return table;
}

const TableSpec& irregularities_table() {
  const auto own = [](const char* key, const char* what) {
    return KeySpec(Key(key, Form::table, std::string(what) + ", by its own spectrum",
                       "{numerator: [2.1e-7], denominator: [2.9e-4, 0.68, 1]}")
                       .holds(own_spectrum_table()));
  };
  static const TableSpec table{
      "irregularities",
      "What the rails deviate in from the track's design: by a `file`, or by spectra.",
      {Key("file", Form::path,
           "table of comma-separated values in m: a line of names `s` and of `vertical`, `lateral`, `cross_level`, `gauge`, or of `left_vertical`, `right_vertical`, `left_lateral`, `right_lateral`",
           "irregularities.csv"),
       Key("spectrum", Form::word,
           "ERRI B176 of a good (`erri_low`) or a bad track (`erri_high`), or a class of the FRA",
           "erri_low")
           .among(track::spectrum_names()),
       own("vertical", "mean of both rails, up"), own("lateral", "mean of both rails, to the left"),
       own("cross_level", "left rail above the right one"), own("gauge", "rails apart"),
       Key("wavelengths", Form::vector, "shortest and longest wavelength of spectra", "[3, 70]")
           .in(kLength)
           .sized(2),
       Key("seed", Form::integer, "of the random phases of spectra", "1").within(kNotNegative),
       Key("waves", Form::integer, "of each channel of a spectrum", "1000")
           .within(kOneOrMore)
           .or_else("1000"),
       Key("write", Form::word,
           "`true`: what a spectrum gives, with its beginning, is written into the run's folder as irregularities.csv, which `file` reads (with  fade_in: 0)",
           "true")
           .among({"false", "true"})
           .or_else("false"),
       Key("from", Form::number, "s at which they begin: none under a vehicle that stands before",
           "60")
           .in(kLength)
           .within(kNotNegative)
           .or_else("0"),
       Key("fade_in", Form::number, "from there on, over which they grow to their size", "20")
           .in(kLength)
           .within(kNotNegative)
           .or_else("20")}};
  return table;
}

const TableSpec& track_table() {
  static const TableSpec table{
      "track",
      "The track of all forces of type `wheel_rail`: it begins in the origin of the world, midway between the rails' tops, with x along it, y to the left and z up. doc/railway.md.",
      {Key("plan", Form::list, "its segments, one after another from s = 0 on",
           "[{length: 100}, {length: 50, curvature_to: 0.002, cant_to: 0.1}]")
           .holds(plan_segment_table())
           .needed(),
       Key("gradients", Form::list, "its gradients, likewise; by default it is level",
           "[{length: 100}, {length: 50, gradient_to: 0.01}]")
           .holds(gradient_segment_table()),
       Key("cant_base", Form::number, "distance of the rails' tops that cant is measured over",
           "1.5")
           .in(kLength)
           .within(kPositive)
           .or_else("1.5"),
       Key("cant_axis", Form::word, "about what the track rolls; needed where there is cant",
           "centre")
           .among({"centre", "low_rail"}),
       Key("blend", Form::number,
           "over which corners at joints of segments are rounded, so that accelerations have no steps",
           "1")
           .in(kLength)
           .within(kNotNegative)
           .or_else("1"),
       Key("rail", Form::text, "profile of the rails: a built-in one, or a file (doc/railway.md)",
           "60e1")
           .or_else("60e1"),
       Key("rail_file", Form::table, "what the rails' file needs", "{y: inwards}")
           .holds(profile_file_table()),
       Key("gauge", Form::number, "between the rails", "1.435")
           .in(kLength)
           .within(kPositive)
           .or_else("1.435"),
       Key("gauge_depth", Form::number, "below the rails' tops at which the gauge is measured",
           "0.014")
           .in(kLength)
           .within(kPositive)
           .or_else("0.014"),
       Key("inclination", Form::number,
           "tangent of the angle by which rails are turned, their tops inwards; 0 for profiles that were measured in the track",
           "0.025")
           .within({-0.5, 0.5, true, true})
           .or_else("0.025"),
       Key("running_speed", Form::number,
           "with which the vehicle runs: `statics` then finds, after the equilibrium at rest, that of running steadily, on a straight, an arc or a slope; what follows starts from there, and all bodies have that speed (doc/railway.md)",
           "20")
           .in(kVelocity)
           .within(kRunningSpeeds),
       Key("irregularities", Form::table, "what the rails deviate in",
           "{spectrum: erri_low, wavelengths: [3, 70], seed: 1}")
           .holds(irregularities_table()),
       Key("flexible_rails", Form::table,
           "rails that bend on sleepers over a part of the track; elsewhere they are rigid",
           "{from: 10, to: 40, pad_stiffness: [2e8, 5e7], sleeper_mass: 300, ballast_stiffness: [1e8, 4e7]}")
           .holds(flexible_rails_table())}};
  return table;
}

}  // namespace solidyn::model
