// solidyn ride HISTORY: comfort and running safety of a railway vehicle.
//
//   solidyn ride out/history.csv --lateral floor_y --vertical floor_z
#include "solidyn/analyses/ride.h"

#include <fmt/format.h>
#include <petsc.h>

#include <cmath>
#include <iostream>

#include "signals.h"
#include "solidyn/analyses/running_safety.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc.h"
#include "solidyn/math/signal.h"

namespace solidyn::drivers {
namespace {

namespace po = boost::program_options;
using analyses::RideDirection;
using analyses::VibrationWeight;
using base::InputError;
using Eigen::VectorXd;

constexpr double kMeanOver = 2.0, kMeanEvery = 0.5;  // m, EN 14363
constexpr int kFilterOrder = 4;

/// Root mean square over the whole signal by a weight, and Sperling's index.
std::string line_of(const std::string& name, const VectorXd& a, double rate, VibrationWeight weight,
                    const char* weight_name, RideDirection direction) {
  const double whole = static_cast<double>(a.size()) / rate;
  const double rms = analyses::weighted_rms(a, rate, weight, whole).front();
  const std::optional<double> Wz = analyses::sperling_index(a, rate, direction);
  return fmt::format("{}: rms {:.4g} m/s^2, weighted by {} {}, Sperling's Wz {}\n", name,
                     std::sqrt((a.array() - a.mean()).square().mean()), weight_name,
                     Wz ? fmt::format("{:.4g} m/s^2", rms) : "- (needs 5 s)",
                     Wz ? fmt::format("{:.3f}", *Wz) : "- (needs 5 s)");
}

std::string comfort_of(const Options& options, const Signals& signals) {
  const auto read = [&](const char* option) {
    return options.has(option) ? column_in(signals, options.text(option), "m/s^2") : VectorXd();
  };
  const analyses::FloorAccelerations floor{read("longitudinal"), read("lateral"), read("vertical")};
  std::string text;
  const auto add = [&](const char* option, const VectorXd& a, VibrationWeight weight,
                       const char* weight_name, RideDirection direction) {
    if (a.size() > 0)
      text += line_of(options.text(option), a, signals.rate, weight, weight_name, direction);
  };
  add("longitudinal", floor.longitudinal, VibrationWeight::Wd, "Wd", RideDirection::horizontal);
  add("lateral", floor.lateral, VibrationWeight::Wd, "Wd", RideDirection::horizontal);
  add("vertical", floor.vertical, VibrationWeight::Wk, "Wk", RideDirection::vertical);
  if (const auto comfort = analyses::mean_comfort(floor, signals.rate))
    text += fmt::format("mean comfort by EN 12299: N_MV {:.3f} from {} blocks of 5 s{}\n",
                        comfort->index, comfort->n_blocks,
                        comfort->is_whole() ? "" : ", of 60 that the standard takes");
  return text;
}

VectorXd way_of(const Options& options, const Signals& signals) {
  VectorXd way = options.has("speed") ? VectorXd(positive(options, "speed") * signals.history.time)
                                      : column_in(signals, options.text("distance"), "m");
  for (Eigen::Index i = 1; i < way.size(); ++i) {
    const double moved = way[i] - way[i - 1];
    if (!(moved > 0.0))  // times grow, so it is a column
      throw InputError(fmt::format("the distance `{}` does not grow at t = {:g} s",
                                   options.text("distance"), signals.history.time[i]),
                       "choose with --from and --to a time in which the vehicle runs forward");
    if (!(moved <= kMeanEvery))
      throw InputError(
          fmt::format("rows of the history are {:g} m apart, and means are taken each {:g} m",
                      moved, kMeanEvery),
          "write rows more often, or check --speed");
  }
  return way;
}

std::string shown(const analyses::SafetyValue& value, double unit) {
  return fmt::format("50 % {:.4g}, 99.85 % {:.4g}, largest {:.4g}", value.median / unit,
                     value.high / unit, value.largest / unit);
}

// What the sections of the way say together; empty where they are not asked for.
std::string sections_of(const Options& options, const VectorXd& means, double unit) {
  if (!options.has("sections")) return "";
  constexpr int kEnough = 25;  // of EN 14363, of straight track
  const double length = positive(options, "sections");
  const auto all = analyses::section_values(means, kMeanOver, kMeanEvery, length);
  if (!all)
    throw InputError(
        fmt::format("the way of {:.4g} m has no two sections of {:g} m, or these are below {:g} m",
                    kMeanOver + kMeanEvery * static_cast<double>(means.size() - 1), length,
                    kMeanOver + kMeanEvery),
        "give shorter --sections, 2.5 m or more, or a longer run");
  return fmt::format(
      "  over {} sections of {:g} m{}: 50 % {:.4g} in the mean; 99.85 % {:.4g} in the mean, standard deviation {:.4g}, expected {:.4g} (3 deviations above)\n",
      all->n_sections, length, all->n_sections < kEnough ? ", of 25 that the standard takes" : "",
      all->mean_median / unit, all->mean_high / unit, all->deviation_high / unit,
      all->expected() / unit);
}

struct Wheels {
  VectorXd way;
  std::vector<std::string> names;
  std::vector<VectorXd> guiding, load;  ///< filtered, N
};

Wheels wheels_of(const Options& options, const Signals& signals) {
  const std::vector<std::string> guiding = words_of(options.text("guiding")),
                                 load = words_of(options.text("load"));
  const double limit = positive(options, "low-pass");
  if (limit > 0.5 * signals.rate)
    throw InputError(
        fmt::format("a low pass of {:g} Hz is above half the {:g} rows a second of the history",
                    limit, signals.rate),
        "write rows more often, or give a lower --low-pass");
  // About its first value, so that a steady force does not begin with a step.
  const auto read = [&](const std::string& name) {
    const VectorXd force = column_in(signals, name, "N");
    return VectorXd(math::filtered(force.array() - force[0], signals.rate,
                                   math::butterworth_low_pass(limit, kFilterOrder))
                        .array() +
                    force[0]);
  };
  Wheels wheels{way_of(options, signals), guiding, {}, {}};
  for (std::size_t i = 0; i < guiding.size(); ++i) {
    wheels.guiding.push_back(read(guiding[i]));
    wheels.load.push_back(read(load[i]));
  }
  return wheels;
}

VectorXd means_of(const Wheels& wheels, const VectorXd& values) {
  VectorXd means = analyses::sliding_mean(wheels.way, values, kMeanOver, kMeanEvery);
  if (means.size() == 0)
    throw InputError("the vehicle runs less than 2 m, over which forces are averaged",
                     "give a longer run, or check --speed");
  return means.cwiseAbs();
}

std::string safety_of(const Options& options, const Signals& signals) {
  if (!options.has("guiding")) return "";
  const Wheels wheels = wheels_of(options, signals);
  std::string text;
  VectorXd sum = VectorXd::Zero(wheels.way.size()), axle_load = sum;
  for (std::size_t i = 0; i < wheels.names.size(); ++i) {
    const VectorXd& Q = wheels.load[i];
    if (!(Q.minCoeff() > 0.0))
      throw InputError(fmt::format("a wheel has no load: `{}` is {:.4g} N at least",
                                   words_of(options.text("load"))[i], Q.minCoeff()),
                       "loads are positive while a wheel stands on its rail");
    const VectorXd means = means_of(wheels, wheels.guiding[i].cwiseQuotient(Q));
    text += fmt::format("Y/Q of {} over 2 m: {}\n", wheels.names[i],
                        shown(analyses::safety_value(means), 1.0)) +
            sections_of(options, means, 1.0);
    sum += wheels.guiding[i];
    axle_load += Q;
  }
  if (wheels.names.size() == 2) {
    const VectorXd means = means_of(wheels, sum);
    text += fmt::format(
                "sum of guiding forces over 2 m, kN: {}; Prud'homme's limit for this load {:.4g}\n",
                shown(analyses::safety_value(means), 1e3),
                analyses::prudhomme_limit(axle_load.mean()) / 1e3) +
            sections_of(options, means, 1e3);
  }
  if (options.has("flange-angle"))
    text += fmt::format("Nadal's limit of Y/Q: {:.4f}\n",
                        analyses::nadal_limit(positive(options, "flange-angle") * M_PI / 180.0,
                                              positive(options, "friction")));
  return text;
}

void check_ride_options(const Options& options) {
  const bool has_forces = options.has("guiding") || options.has("load");
  if (!options.has("longitudinal") && !options.has("lateral") && !options.has("vertical") &&
      !has_forces)
    throw UsageError(
        "nothing to evaluate: give --longitudinal, --lateral or --vertical, or --guiding and "
        "--load");
  positive(options, "low-pass");
  positive(options, "friction");
  if (options.has("flange-angle") && !(std::tan(positive(options, "flange-angle") * M_PI / 180.0) >
                                           positive(options, "friction") &&
                                       positive(options, "flange-angle") < 90.0))
    throw UsageError(
        "--flange-angle takes degrees below 90 whose tangent is above the friction: with less the "
        "wheel slides up under its own load");
  for (const char* name : {"speed", "sections"})
    if (options.has(name)) positive(options, name);
  if (!has_forces) {
    for (const char* name : {"speed", "distance", "flange-angle", "sections"})
      if (options.has(name))
        throw UsageError(fmt::format("--{} is for --guiding and --load", name));
    return;
  }
  if (options.has("guiding") != options.has("load"))
    throw UsageError("--guiding and --load belong together");
  if (options.has("distance") == options.has("speed"))
    throw UsageError("means over 2 m of the way need --speed or --distance, and one of them");
  const std::size_t guiding = words_of(options.text("guiding")).size(),
                    load = words_of(options.text("load")).size();
  if (guiding != load)
    throw UsageError(fmt::format("--guiding has {} columns and --load {}: one of each for a wheel",
                                 guiding, load));
}

}  // namespace

int ride_command(const Arguments& arguments) {
  Options options(
      "solidyn ride HISTORY [options]",
      "Prints comfort and running safety of a railway vehicle from columns of a history.csv: root mean squares weighted by ISO 2631-1, mean comfort by EN 12299, Sperling's Wz; Y/Q and the sum of guiding forces of a wheelset as means over 2 m. Rows have to be equally spaced.",
      "solidyn ride out/history.csv --lateral floor_y --vertical floor_z");
  options.add_positional("HISTORY", "history.csv of a run");
  const auto column = [] { return po::value<std::string>()->value_name("COLUMN"); };
  options.add()("longitudinal", column(), "acceleration on the floor, m/s^2")(
      "lateral", column(), "the same to the side")("vertical", column(), "the same upwards")(
      "guiding", po::value<std::string>()->value_name("Y,Y"),
      "lateral forces of wheels, N, all in one direction")(
      "load", po::value<std::string>()->value_name("Q,Q"), "vertical forces of the same wheels, N")(
      "speed", po::value<double>()->value_name("V"), "m/s, for means over the way")(
      "distance", column(), "the way instead, m")(
      "sections", po::value<double>()->value_name("M"),
      "evaluate sections of this length, m, and their mean, deviation and expected largest value")(
      "low-pass", po::value<double>()->default_value(20.0)->value_name("HZ"),
      "limit of the forces' filter, Butterworth of fourth order")(
      "flange-angle", po::value<double>()->value_name("DEGREES"), "print Nadal's limit of Y/Q")(
      "friction", po::value<double>()->default_value(0.3, "0.3")->value_name("MU"),
      "for that limit");
  add_time_options(options);
  if (!options.parse(arguments)) return kDone;
  check_ride_options(options);
  return run_with_petsc(arguments.petsc, [&] {
    const Signals signals = read_signals(options, options.text("HISTORY"));
    const std::string text = comfort_of(options, signals) + safety_of(options, signals);
    if (base::rank(PETSC_COMM_WORLD) == 0) std::cout << text << std::flush;
    base::warn_of_unused_petsc_options();
  });
}

}  // namespace solidyn::drivers
