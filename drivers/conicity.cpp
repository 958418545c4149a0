// solidyn conicity WHEEL RAIL: where a wheelset touches its track, and its equivalent conicity.
//
//   solidyn conicity s1002 60e1
#include "solidyn/railway/conicity.h"

#include <fmt/format.h>
#include <petsc.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>

#include "command.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc.h"
#include "solidyn/railway/profile_file.h"

namespace solidyn::drivers {
namespace {

namespace po = boost::program_options;
using base::InputError;

constexpr double kMetresPerMm = 1e-3;
constexpr double kLargestAmplitude = 1.0;  // m; each mm of it is evaluated

double finite_number(const std::string& option, const std::string& text) {
  std::size_t end = 0;
  double value = NAN;
  try {
    value = std::stod(text, &end);
  } catch (const std::exception&) {
  }
  if (end != text.size() || !std::isfinite(value))
    throw UsageError(fmt::format("--{} takes a number, and `{}` is none", option, text));
  return value;
}

/// "1:40" or 0.025
double inclination_of(const std::string& text) {
  if (text.rfind("1:", 0) == 0) return 1.0 / finite_number("inclination", text.substr(2));
  return finite_number("inclination", text);
}

/// "Y,Z" in mm
Eigen::Vector2d shift_of(const std::string& option, const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos)
    throw UsageError(fmt::format("--{} takes two numbers Y,Z in mm, and not `{}`", option, text));
  return kMetresPerMm * Eigen::Vector2d(finite_number(option, text.substr(0, comma)),
                                        finite_number(option, text.substr(comma + 1)));
}

railway::Outwards outwards_of(const std::string& option, const std::string& text) {
  if (text == "outwards") return railway::Outwards::by_positive_y;
  if (text == "inwards") return railway::Outwards::by_negative_y;
  throw UsageError(fmt::format("--{} takes outwards or inwards, and not `{}`", option, text));
}

/// Options of one of the two profiles.
void add_profile_options(Options& options, const std::string& which, const std::string& inwards) {
  const auto name = [&](const char* option) { return which + "-" + option; };
  options.add()(
      name("unit").c_str(), po::value<std::string>()->value_name("UNIT"),
      "unit of length of a file: mm, m or in; tables are in mm unless this says otherwise")(
      name("y").c_str(), po::value<std::string>()->value_name("WAY"),
      fmt::format("which way y points in a file: outwards, or inwards to the {}", inwards).c_str())(
      name("z-up").c_str(), "z of a table points up, not down")(
      name("shift").c_str(), po::value<std::string>()->value_name("Y,Z"),
      "mm, added to the file's points")(name("rotation").c_str(),
                                        po::value<double>()->value_name("DEGREES"),
                                        "from y to z of the file, after the shift")(
      name("smoothing").c_str(), po::value<double>()->value_name("MM"),
      "root mean square distance of the spline from the points; without, it goes through them");
}

constexpr std::array<const char*, 6> kFileOptions = {"unit",  "y",        "z-up",
                                                     "shift", "rotation", "smoothing"};

railway::ProfileFileOptions profile_options(const Options& options, const std::string& which,
                                            railway::ProfileKind kind, const std::string& profile) {
  railway::ProfileFileOptions result;
  const auto name = [&](const char* option) { return which + "-" + option; };
  for (const char* option : kFileOptions)
    if (options.has(name(option)) && railway::is_built_in_profile(kind, profile))
      throw UsageError(fmt::format("--{} is for profiles from files, and {} is built in",
                                   name(option), profile));
  if (options.has(name("unit"))) result.metres = metres_per(options.text(name("unit")));
  if (options.has(name("y"))) result.outwards = outwards_of(name("y"), options.text(name("y")));
  if (options.has(name("shift")))
    result.shift = shift_of(name("shift"), options.text(name("shift")));
  if (options.has(name("rotation")))
    result.rotation = options.value<double>(name("rotation")) * M_PI / 180.0;
  if (options.has(name("smoothing")))
    result.smoothing = kMetresPerMm * options.value<double>(name("smoothing"));
  result.z_is_up = options.has(name("z-up"));
  return result;
}

/// As it is printed: nothing is a dash.
std::string shown(const std::optional<double>& conicity) {
  return conicity ? fmt::format("{:.4f}", *conicity) : "-";
}

/// Both wheels touch up to there at least, m; up to `wanted`.
double reach_of(const railway::WheelsetOnTrack& wheelset, double wanted) {
  constexpr double kStep = 5e-4;
  for (double y = kStep; y < wanted; y += kStep) {
    try {
      wheelset.contact(y);
      wheelset.contact(-y);
    } catch (const base::ComputationError&) {
      return y - kStep;
    }
  }
  return wanted;
}

std::string report_on(const railway::RadiusDifferenceTable& table,
                      const std::vector<double>& amplitudes, double asked) {
  std::string text = "amplitude  EN 15302  harmonic  regression\n";
  for (double A : amplitudes)
    text += fmt::format("{:6g} mm  {:>8}  {:>8}  {:>10}\n", A / kMetresPerMm,
                        shown(railway::equivalent_conicity(table.difference, A)),
                        shown(railway::harmonic_conicity(table.difference, A)),
                        shown(railway::regression_conicity(table.difference, A)));
  for (const railway::ContactJump& jump : table.jumps)
    if (jump.y > 0.0)
      text += fmt::format(
          "at y = {:.3f} mm the contact of the {} wheel jumps from {:.3f} to {:.3f} mm off the tape circle\n",
          jump.y / kMetresPerMm, jump.is_left ? "left" : "right", jump.u_before / kMetresPerMm,
          jump.u_after / kMetresPerMm);
  const railway::SteepestContact& steepest = table.steepest;
  constexpr double kFlangeAngle = 0.5;  // rad: more than that of any tread
  if (steepest.angle > kFlangeAngle && asked > steepest.y)
    text += fmt::format(
        "beyond {:.3f} mm, where the contact angle is largest ({:.1f} degrees), a wheel climbs its flange\n",
        steepest.y / kMetresPerMm, steepest.angle * 180.0 / M_PI);
  return text + fmt::format("equivalent conicity at {:g} mm: {}\n", asked / kMetresPerMm,
                            shown(railway::equivalent_conicity(table.difference, asked)));
}

struct Request {
  std::string wheel, rail;
  railway::ProfileFileOptions wheel_file, rail_file;
  railway::WheelsetDimensions wheelset;
  railway::RailPlacement track;
  double amplitude;
  std::vector<double> amplitudes;
};

Request request_of(const Options& options) {
  const auto millimetres = [&](const char* name) {
    return kMetresPerMm * options.value<double>(name);
  };
  railway::WheelsetDimensions wheelset;
  wheelset.radius = millimetres("radius");
  wheelset.flange_back = millimetres("flange-back");
  wheelset.back_to_tape_circle = millimetres("back-to-tape-circle");
  railway::RailPlacement track;
  track.gauge = millimetres("gauge");
  track.gauge_depth = millimetres("gauge-depth");
  track.inclination = inclination_of(options.text("inclination"));
  const double amplitude = millimetres("amplitude");
  if (!(amplitude > 0.0 && amplitude <= kLargestAmplitude))
    throw UsageError("--amplitude takes a number of mm above 0 and up to 1000");
  std::vector<double> amplitudes;
  for (int i = 1; i <= std::max(6, static_cast<int>(std::ceil(amplitude / kMetresPerMm))); ++i)
    amplitudes.push_back(kMetresPerMm * i);
  return {options.text("WHEEL"),
          options.text("RAIL"),
          profile_options(options, "wheel", railway::ProfileKind::wheel, options.text("WHEEL")),
          profile_options(options, "rail", railway::ProfileKind::rail, options.text("RAIL")),
          wheelset,
          track,
          amplitude,
          amplitudes};
}

std::string answer(const Request& r) {
  using railway::ProfileKind;
  const railway::WheelsetOnTrack wheelset = railway::make_wheelset_on_track(
      railway::load_profile(ProfileKind::wheel, r.wheel, r.wheel_file), r.wheelset,
      railway::load_profile(ProfileKind::rail, r.rail, r.rail_file), r.track);
  // A motion whose middle is off the centre reaches further than its amplitude.
  const double wanted = std::max(r.amplitudes.back(), r.amplitude) + 5e-4,
               reach = reach_of(wheelset, wanted);
  const std::string way = fmt::format("the wheels touch their rails up to {:g} mm off the centre",
                                      reach / kMetresPerMm);
  if (reach < r.amplitude)
    throw InputError(
        fmt::format("an amplitude of {:g} mm is too large: {}", r.amplitude / kMetresPerMm, way),
        "give a smaller --amplitude, or profiles that reach further");
  std::string text = fmt::format(
      "wheel {}, r0 {:g} mm, tape circles {:g} mm apart\nrail {}, gauge {:g} mm, inclination {:g}\n",
      r.wheel, r.wheelset.radius / kMetresPerMm, 2.0 * r.wheelset.tape_circle() / kMetresPerMm,
      r.rail, r.track.gauge / kMetresPerMm, r.track.inclination);
  if (reach < wanted) text += way + "\n";
  return text + report_on(railway::tabulate(wheelset, reach), r.amplitudes, r.amplitude);
}

}  // namespace

int conicity_command(const Arguments& arguments) {
  Options options(
      "solidyn conicity WHEEL RAIL [options]",
      "Finds where the wheels of a wheelset touch their rails as it moves sideways, and prints the equivalent conicity by EN 15302 with that by harmonic linearisation and by regression. WHEEL is s1002, cone:SLOPE, circle:RADIUS,SLOPE or a file, RAIL is 60e1, uic60_mbench, circle:RADIUS or a file: .prw and .prr of Simpack, others as tables of two columns y, z. Lengths are in mm, those of built-in profiles in m.",
      "solidyn conicity s1002 60e1 --amplitude 3");
  options.add_positional("WHEEL", "profile of the wheels");
  options.add_positional("RAIL", "profile of the rails");
  options.add()("amplitude", po::value<double>()->default_value(3.0)->value_name("MM"),
                "half the width of the motion")(
      "gauge", po::value<double>()->default_value(1435.0)->value_name("MM"),
      "distance of the rails' gauge faces")(
      "gauge-depth", po::value<double>()->default_value(14.0)->value_name("MM"),
      "below the top of the rails, where the gauge is measured")(
      "inclination", po::value<std::string>()->default_value("1:40")->value_name("SLOPE"),
      "of the rails, their tops inwards; 0 for profiles measured in the track")(
      "flange-back", po::value<double>()->default_value(1360.0)->value_name("MM"),
      "distance between the backs of the flanges")(
      "back-to-tape-circle", po::value<double>()->default_value(70.0)->value_name("MM"),
      "distance from the back of a flange to the tape circle, where y = 0")(
      "radius", po::value<double>()->default_value(460.0)->value_name("MM"),
      "of the wheels on the tape circle");
  add_profile_options(options, "wheel", "flange");
  add_profile_options(options, "rail", "gauge side");
  if (!options.parse(arguments)) return kDone;
  const Request request = request_of(options);
  return run_with_petsc(arguments.petsc, [&] {
    const std::string text = answer(request);
    if (base::rank(PETSC_COMM_WORLD) == 0) std::cout << text << std::flush;
    base::warn_of_unused_petsc_options();
  });
}

}  // namespace solidyn::drivers
