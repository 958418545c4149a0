#include "model/track/rail_track.h"

#include <fmt/format.h>

#include <algorithm>

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

const Choice<bool>& yes_or_no() {
  static const Choice<bool> both = {{"false", false}, {"true", true}};
  return both;
}

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
    part.gradient_to =
        segment.has("gradient_to") ? segment.number("gradient_to") : part.gradient_from;
    gradient = part.gradient_to;
  }
  return gradients;
}

// Else there has been a complaint.
bool has_good_segments(const TableView& view) {
  for (const char* key : {"plan", "gradients"}) {
    if (view.has(key) && !view.is_good(key)) return false;
    for (const auto& segment : view.tables(key))
      if (!segment.second.is_good("length")) return false;
  }
  return view.has("plan");
}

// Where the grammar has complained about one of them, they would only say so again.
bool has_wrong(const TableView& view, std::initializer_list<const char*> keys) {
  return std::any_of(keys.begin(), keys.end(),
                     [&view](const char* key) { return view.has(key) && !view.is_good(key); });
}

// None after a complaint.
std::optional<track::Alignment> read_alignment(const TableView& view) {
  if (!has_good_segments(view) || has_wrong(view, {"cant_base", "cant_axis", "blend"})) return {};
  track::AlignmentDescription d;
  d.plan = read_plan(view);
  d.gradients = read_gradients(view);
  d.cant_base = view.number("cant_base");
  if (view.is_good("cant_axis"))
    d.cant_axis = view.text("cant_axis") == "low_rail" ? CantAxis::low_rail : CantAxis::centre;
  d.blend = view.number("blend");
  const std::vector<track::AlignmentNote> faults = faults_of(d);
  for (const track::AlignmentNote& fault : faults)
    view.report().error(view.where(fault.of),
                        fmt::format("{}: {}", view.path(fault.of), fault.what), fault.remedy);
  if (!faults.empty()) return {};
  for (const track::AlignmentNote& note : warnings_about(d))
    view.report().warning(view.where(note.of), fmt::format("{}: {}", view.path(note.of), note.what),
                          note.remedy);
  return track::Alignment(std::move(d));
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
    view.report().warning(view.where("waves"), fmt::format("{}: {}", view.path(), warning), "");
  description.shortest_wavelength = options.shortest;
  read_choice(view, "write", yes_or_no(), description.writes_irregularities);
  description.wavelengths_at = view.where("wavelengths");
  return result;
}

// None after a complaint of the grammar.
track::Irregularities read_irregularities_of(const TableView& view, double length,
                                             TrackDescription& description) {
  if (has_wrong(view, {"file", "spectrum", "vertical", "lateral", "cross_level", "gauge",
                       "wavelengths", "seed", "waves", "from", "fade_in", "write"}))
    return {};
  for (const char* key : {"vertical", "lateral", "cross_level", "gauge"})
    if (view.has(key) &&
        (!view.table(key).is_good("numerator") || !view.table(key).is_good("denominator")))
      return {};
  const bool has_spectra =
      view.has_any({"spectrum", "vertical", "lateral", "cross_level", "gauge"});
  if (view.has("file") == has_spectra)
    throw base::InputError(
        has_spectra ? "it has both a `file` and spectra" : "it has neither a `file` nor a spectrum",
        "give one of them, for example  spectrum: erri_low");
  if (has_spectra) return read_spectra(view, length, description);
  for (const char* key : {"wavelengths", "seed", "waves", "write"})
    if (view.has(key))
      throw base::InputError(fmt::format("`{}` is given beside `file`", key),
                             "remove it: the file has the irregularities themselves");
  const std::filesystem::path file =
      (view.context().directory / view.text("file")).lexically_normal();
  view.context().data_files[view.path("file")] = file;
  return track::read_irregularities(file.string(), length, view.number("fade_in"));
}

// Whether rails that begin to deviate at `from` without a `fade_in` have a step there.
bool is_a_step(const track::Irregularities& irregularities, double from) {
  constexpr double kStep = 1e-6;  // m
  for (const bool is_left : {true, false})
    if (std::abs(irregularities.vertical(is_left, from).value) > kStep ||
        std::abs(irregularities.lateral(is_left, from).value) > kStep)
      return true;
  return false;
}

void warn_of_beginning(const TableView& view, const track::Irregularities& irregularities,
                       double length) {
  constexpr double kShortestFadeIn = 1.0;  // m
  const double from = view.number("from"), fade_in = view.number("fade_in");
  if (from > 0.0 && fade_in < kShortestFadeIn && (fade_in > 0.0 || is_a_step(irregularities, from)))
    view.report().warning(view.where("from"),
                          fmt::format("{} begin at {:g} m within {:g} m: a step of the rails",
                                      view.path(), from, fade_in),
                          "give a longer `fade_in`, for example 20 m");
  if (from + fade_in > length)
    view.report().warning(
        view.where("from"),
        fmt::format(
            "{} have their size from {:g} m on, and the track is {:g} m long: they never reach it",
            view.path(), from + fade_in, length),
        "make the track longer, or let them begin earlier");
}

// Takes wrong rails away, so that the wheels on them say nothing more of them.
void check_rails(const TableView& view, TrackDescription& track) {
  constexpr double kNarrowest = 0.2;  // m
  if (!track.rail || has_wrong(view, {"gauge", "gauge_depth", "inclination"})) return;
  if (!(track.placement.gauge > kNarrowest)) {
    view.report().error(view.where("gauge"),
                        fmt::format("{} is {:g} m", view.path("gauge"), track.placement.gauge),
                        "give the distance between the rails, for example 1.435 m");
    track.rail = nullptr;
    return;
  }
  try {
    railway::RailHead(*track.rail, track.placement);
  } catch (const base::InputError& error) {
    report_all(error, view, "rail");
    track.rail = nullptr;
  }
}

}  // namespace

std::shared_ptr<const TrackDescription> read_track(const TableView& file, const Scope&) {
  if (!file.has("track")) return nullptr;
  const TableView view = file.table("track");
  auto result = std::make_shared<TrackDescription>();
  result->where = view.where();
  if (view.is_good("running_speed")) result->running_speed = view.number("running_speed");
  result->rail = read_profile_of(view, railway::ProfileKind::rail, "rail");
  result->placement = {view.number("gauge"), view.number("inclination"),
                       view.number("gauge_depth")};
  check_rails(view, *result);
  std::optional<track::Alignment> alignment = read_alignment(view);
  if (!alignment) return nullptr;
  try {
    track::Irregularities irregularities;
    if (view.has("irregularities")) {
      const TableView rough = view.table("irregularities");
      irregularities = read_irregularities_of(rough, alignment->length(), *result);
      irregularities.begin_at(rough.number("from"));
      warn_of_beginning(rough, irregularities, alignment->length());
    }
    result->flexible_rails = read_flexible_rails(view, alignment->length());
    result->flexible_rails_at = view.where("flexible_rails");
    result->track = std::make_shared<wheel_rail::RailTrack>(
        wheel_rail::RailTrack{std::move(*alignment), std::move(irregularities)});
  } catch (const base::InputError& error) {
    report_all(error, view, "irregularities");
  }
  return result->track && result->rail ? result : nullptr;
}

}  // namespace solidyn::model
