#include "model/track/rail_track.h"

#include <fmt/format.h>

#include "model/forces/force_entry.h"
#include "model/language/field.h"

namespace solidyn::model {
namespace {

using track::CantAxis;
using track::Spectrum;
using track::SpectrumConvention;

const Choice<SpectrumConvention>& conventions() {
  static const Choice<SpectrumConvention> all = {
      {"one_sided_wavenumber", SpectrumConvention::one_sided_wavenumber},
      {"two_sided_wavenumber", SpectrumConvention::two_sided_wavenumber},
      {"one_sided_frequency", SpectrumConvention::one_sided_frequency}};
  return all;
}

Words words(const std::vector<std::string>& names) { return names; }

// A segment begins as the one before it ends, unless it says otherwise, and goes on so.
std::vector<track::PlanSegment> read_plan(const TableView& view) {
  std::vector<track::PlanSegment> plan;
  double curvature = 0.0, cant = 0.0;
  for (const auto& item : view.tables("plan")) {
    const TableView& segment = item.second;
    track::PlanSegment& part = plan.emplace_back();
    part.length = segment.number("length");
    const auto read = [&](const char* from, const char* to, double& value, double& begins,
                          double& ends) {
      begins = segment.has(from) ? segment.number(from) : value;
      ends = segment.has(to) ? segment.number(to) : begins;
      value = ends;
    };
    read("curvature", "curvature_to", curvature, part.curvature_from, part.curvature_to);
    read("cant", "cant_to", cant, part.cant_from, part.cant_to);
  }
  return plan;
}

std::vector<track::GradientSegment> read_gradients(const TableView& view) {
  std::vector<track::GradientSegment> gradients;
  double gradient = 0.0;
  for (const auto& [number, segment] : view.tables("gradients")) {
    track::GradientSegment& part = gradients.emplace_back();
    part.length = segment.number("length");
    part.gradient_from = segment.has("gradient") ? segment.number("gradient") : gradient;
    part.gradient_to = segment.has("gradient_to") ? segment.number("gradient_to")
                                                  : part.gradient_from;
    gradient = part.gradient_to;
  }
  return gradients;
}

track::AlignmentDescription read_alignment(const TableView& view) {
  track::AlignmentDescription d;
  d.plan = read_plan(view);
  d.gradients = read_gradients(view);
  d.cant_base = view.number("cant_base");
  if (view.is_good("cant_axis"))
    d.cant_axis = view.text("cant_axis") == "low_rail" ? CantAxis::low_rail : CantAxis::centre;
  d.blend = view.number("blend");
  return d;
}

// Coefficients are of powers of the wavenumber, in SI: they have the unit of none of the file's.
std::optional<Spectrum> read_own_spectrum(const TableView& view) {
  SpectrumConvention convention = SpectrumConvention::one_sided_wavenumber;
  read_choice(view, "convention", conventions(), convention);
  return Spectrum(view.numbers("numerator"), view.numbers("denominator"), convention);
}

track::Irregularities read_spectra(const TableView& view, double length,
                                   TrackDescription& description) {
  std::array<std::optional<Spectrum>, track::kChannels> spectra;
  for (int c = 0; c < track::kChannels; ++c) {
    const auto channel = static_cast<track::Channel>(c);
    const std::string key = track::channel_name(channel);
    if (view.is_good("spectrum")) spectra[c] = find_spectrum(view.text("spectrum"), channel);
    if (view.has(key)) spectra[c] = read_own_spectrum(view.table(key));
  }
  track::SynthesisOptions options;
  const std::vector<double> band = view.numbers("wavelengths");
  if (view.is_good("wavelengths") && band.size() == 2) {
    options.shortest = band[0];
    options.longest = band[1];
  }
  if (view.is_good("seed")) options.seed = static_cast<std::uint64_t>(view.integer("seed"));
  options.n_waves = view.integer("waves");
  options.fade_in = view.number("fade_in");
  std::vector<std::string> warnings;
  track::Irregularities result = synthesise(spectra, options, length, &warnings);
  for (const std::string& warning : warnings)
    view.report().warning(view.where("waves"), fmt::format("{}: {}", view.path(), warning),
                          "take more waves");
  description.shortest_wavelength = options.shortest;
  description.wavelengths_at = view.where("wavelengths");
  return result;
}

track::Irregularities read_irregularities_of(const TableView& view, double length,
                                             TrackDescription& description) {
  const bool has_spectra =
      view.has_any({"spectrum", "vertical", "lateral", "cross_level", "gauge"});
  if (view.has("file") == has_spectra)
    throw base::InputError(
        has_spectra ? "it has both a `file` and spectra" : "it has neither a `file` nor a spectrum",
        "give one of them, for example  spectrum: erri_low");
  if (has_spectra) return read_spectra(view, length, description);
  for (const char* key : {"wavelengths", "seed", "waves"})
    if (view.has(key) && std::string(key) != "waves")
      throw base::InputError(fmt::format("`{}` is given beside `file`", key),
                             "remove it: the file has the irregularities themselves");
  const std::filesystem::path file =
      (view.context().directory / view.text("file")).lexically_normal();
  view.context().data_files[view.path("file")] = file;
  return track::read_irregularities(file.string(), length, view.number("fade_in"));
}

}  // namespace

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
           .among(words(track::spectrum_names())),
       own("vertical", "mean of both rails, up"), own("lateral", "mean of both rails, to the left"),
       own("cross_level", "left rail above the right one"), own("gauge", "rails apart"),
       Key("wavelengths", Form::vector, "shortest and longest wavelength of spectra", "[3, 70]")
           .in(kLength)
           .sized(2),
       Key("seed", Form::integer, "of the random phases of spectra", "1").within(kNotNegative),
       Key("waves", Form::integer, "of each channel of a spectrum", "1000")
           .within(kOneOrMore)
           .or_else("1000"),
       Key("fade_in", Form::number, "from s = 0 on, over which they grow to their size", "20")
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
           .or_else("0.025"),
       Key("irregularities", Form::table, "what the rails deviate in",
           "{spectrum: erri_low, wavelengths: [3, 70], seed: 1}")
           .holds(irregularities_table())}};
  return table;
}

std::shared_ptr<const TrackDescription> read_track(const TableView& file, const Scope&) {
  if (!file.has("track")) return nullptr;
  const TableView view = file.table("track");
  auto result = std::make_shared<TrackDescription>();
  result->where = view.where();
  result->rail = read_profile_of(view, railway::ProfileKind::rail, "rail");
  result->placement = {view.number("gauge"), view.number("inclination"),
                       view.number("gauge_depth")};
  std::string about = "plan";
  try {
    if (result->rail) {
      about = "rail";
      railway::RailHead(*result->rail, result->placement);
    }
    about = "plan";
    track::Alignment alignment(read_alignment(view));
    for (const std::string& warning : alignment.warnings())
      view.report().warning(view.where("plan"), fmt::format("{}: {}", view.path("plan"), warning),
                            "join the segments by a clothoid: a segment with `curvature_to`");
    track::Irregularities irregularities;
    about = "irregularities";
    if (view.has("irregularities"))
      irregularities = read_irregularities_of(view.table("irregularities"), alignment.length(),
                                              *result);
    result->track = std::make_shared<wheel_rail::RailTrack>(
        wheel_rail::RailTrack{std::move(alignment), std::move(irregularities)});
  } catch (const base::InputError& error) {
    report_all(error, view, about);
  }
  return result->track && result->rail ? result : nullptr;
}

void check_track_is_used(const TableView& file, const ModelDescription& model) {
  if (!model.track) return;
  for (const auto& force : model.forces)
    if (force->type == "wheel_rail") return;
  file.report().warning(model.track->where, "track has no effect: no force of type `wheel_rail` is on it",
                        "add one for each wheelset, or remove the track");
}

}  // namespace solidyn::model
