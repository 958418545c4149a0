// `wheel_rail`, its keys and what they say together.
#include "model/forces/wheel_rail.h"

#include <fmt/format.h>

#include "model/analyses/read_table.h"
#include "model/forces/force_places.h"
#include "model/forces/springs.h"
#include "solidyn/base/error.h"

namespace solidyn::model {
namespace {

const Quantity kCoefficient{"1", 0, 0, 0, 0, 0};
// Beyond these, numbers overflow or mean nothing.
constexpr double kLeastFriction = 1e-6, kLargestFriction = 100.0;

void read_cells(WheelRailEntry& entry, const TableView& view, const Scope&) {
  const std::vector<double> cells = view.numbers("cells");
  if (cells.size() != 2) return;
  for (const double n : cells)
    if (n != std::floor(n) || std::abs(n) > 1e6) {
      view.report().error(
          view.where("cells"),
          fmt::format("{} has {:g}, which is no number of cells", view.path("cells"), n),
          "give the cells along and across, for example [20, 20]");
      return;
    }
  entry.creep.cells_along = static_cast<int>(cells[0]);
  entry.creep.cells_across = static_cast<int>(cells[1]);
}

Words law_names() {
  Words names;
  for (const railway::CreepLaw& law : railway::creep_laws()) names.emplace_back(law.name);
  return names;
}

}  // namespace

const Fields<WheelRailEntry>& WheelRailEntry::fields() {
  using Self = WheelRailEntry;
  static const Choice<bool> spins = {{"frame", true}, {"rolling", false}};
  static const Choice<railway::PatchModel> patches = {
      {"hertz", railway::PatchModel::hertz},
      {"piotrowski_kik", railway::PatchModel::piotrowski_kik}};
  static const Choice<railway::TractionBound> bounds = {
      {"parabola", railway::TractionBound::parabola},
      {"ellipsoid", railway::TractionBound::ellipsoid}};
  static const Range kShare{0.0, 1.0, false, true}, kBelowOne{0.0, 1.0, true, false};
  static const Range kFriction{kLeastFriction, kLargestFriction, true, true};
  static const Fields<Self> list = {
      read_by<Self>(
          Key("at", Form::reference,
              "the wheelset: a place with axes, its origin in the middle of the axle, its y axis along the axle to the left",
              "wheelset")
              .needed(),
          [](Self& entry, const TableView& view, const Scope& scope) {
            read_force_place(view, "at", false, Turns::yes, scope, entry.at);
          }),
      read_by<Self>(
          Key("rails_on", Form::reference,
              "moving track: a body with whose motion since t = 0, in the track's axes, the rails under this wheelset move; by default they are at rest",
              "sleeper"),
          [](Self& entry, const TableView& view, const Scope& scope) {
            if (view.is_good("rails_on"))
              read_force_place(view, "rails_on", false, Turns::yes, scope,
                               entry.rails_on.emplace());
          }),
      read_by<Self>(
          Key("wheel", Form::text,
              "profile of the wheels: a built-in one, or a file (doc/railway.md)", "s1002")
              .needed(),
          [](Self& entry, const TableView& view, const Scope&) {
            if (view.is_good("wheel"))
              entry.wheel = read_profile_of(view, railway::ProfileKind::wheel, "wheel");
          }),
      read_elsewhere<Self>(
          Key("wheel_file", Form::table, "what the wheels' file needs", "{y: inwards}")
              .holds(profile_file_table())),
      field(Key("radius", Form::number, "r0 of the wheels on the tape circle", "0.46")
                .in(kLength)
                .within(kPositive)
                .or_default(),
            &Self::dimensions, &railway::WheelsetDimensions::radius),
      field(Key("flange_back", Form::number, "distance between the backs of the flanges", "1.36")
                .in(kLength)
                .within(kPositive)
                .or_default(),
            &Self::dimensions, &railway::WheelsetDimensions::flange_back),
      field(Key("back_to_tape_circle", Form::number,
                "from the back of the flange to the tape circle", "0.07")
                .in(kLength)
                .within(kPositive)
                .or_default(),
            &Self::dimensions, &railway::WheelsetDimensions::back_to_tape_circle),
      field(Key("friction", Form::number, "coefficient of friction, of wheels that do not slip",
                "0.3")
                .within(kFriction)
                .or_default(),
            &Self::friction, &railway::FallingFriction::start),
      field(Key("friction_right", Form::number,
                "that of the right wheel; by default that of the left one", "0.2")
                .within(kFriction),
            &Self::friction_right),
      read_by<Self>(
          Key("friction_along", Form::table,
              "coefficient of both wheels by s along the track, in place of `friction`: [s, coefficient], constant before and behind them",
              "{table: [[0, 0.3], [500, 0.3], [510, 0.1]]}")
              .holds(curve_table()),
          [](Self& entry, const TableView& view, const Scope&) {
            entry.friction_along = read_curve(view, "friction_along", kLength, kCoefficient);
          }),
      read_by<Self>(Key("friction_along_right", Form::table,
                        "that of the right wheel; by default that of the left one",
                        "{table: [[0, 0.3], [500, 0.1]]}")
                        .holds(curve_table()),
                    [](Self& entry, const TableView& view, const Scope&) {
                      entry.friction_along_right =
                          read_curve(view, "friction_along_right", kLength, kCoefficient);
                    }),
      field(Key("friction_limit", Form::number,
                "of wheels that slip fast, over that of wheels that do not", "0.4")
                .within(kShare)
                .or_default(),
            &Self::friction, &railway::FallingFriction::ratio),
      field(
          Key("friction_decrement", Form::number,
              "B of mu = mu_0 ((1 - A) exp(-B w) + A) by the slip velocity w, with A = `friction_limit`",
              "0.6")
              .in(kSlowness)
              .within(kNotNegative)
              .or_default(),
          &Self::friction, &railway::FallingFriction::decrement),
      field(Key("creep", Form::word,
                "creep law: Kalker's `linear` theory, `shen_hedrick_elkins`, `fastsim`, `polach`",
                "polach")
                .among(law_names())
                .or_default(),
            &Self::law),
      read_by<Self>(Key("cells", Form::vector, "of FASTSIM, along and across", "[20, 20]")
                        .sized(2)
                        .or_else("[20, 20]"),
                    read_cells),
      field(Key("bound", Form::word,
                "of FASTSIM's traction: Kalker's `parabola`, or Hertz' pressure (`ellipsoid`)",
                "ellipsoid")
                .or_default(),
            bounds, &Self::creep, &railway::CreepParameters::bound),
      field(Key("adhesion_reduction", Form::number, "k_A of Polach", "0.6")
                .within(kShare)
                .or_default(),
            &Self::creep, &railway::CreepParameters::adhesion_reduction),
      field(Key("slip_reduction", Form::number, "k_S of Polach", "0.3").within(kShare).or_default(),
            &Self::creep, &railway::CreepParameters::slip_reduction),
      field(
          Key("patch", Form::word,
              "what stiffness and ellipses of patches follow from: the parabola of the overlap with `hertz`, or the zone of interpenetration, for profiles that are conformal or whose curvature changes within a patch",
              "piotrowski_kik")
              .or_default(),
          patches, &Self::patch),
      field(Key("youngs_modulus", Form::number, "of wheels and rails", "2.1e11")
                .in(kPressure)
                .within(kPositive)
                .or_default(),
            &Self::material, &railway::ElasticMaterial::youngs_modulus),
      field(Key("poissons_ratio", Form::number, "of wheels and rails", "0.28")
                .within({0.0, 0.5, true, true})
                .or_default(),
            &Self::material, &railway::ElasticMaterial::poissons_ratio),
      field(
          Key("damping_ratio", Form::number,
              "e: the normal force is 1 + e x/sqrt(1 + x^2) times the elastic one, x = rate/v, with the rate of the overlap",
              "0.2")
              .within(kBelowOne)
              .or_default(),
          &Self::damping, &railway::OverlapDamping::ratio),
      field(Key("damping_speed", Form::number, "v", "0.1")
                .in(kVelocity)
                .within(kPositive)
                .or_default(),
            &Self::damping, &railway::OverlapDamping::speed),
      field(
          Key("spin", Form::word,
              "whether the place turns with the wheels (`frame`), or the wheels turn on it and roll with the nominal radius (`rolling`)",
              "rolling")
              .or_default(),
          spins, &Self::turns),
      field(
          Key("rolling_inertia", Form::number,
              "with  spin: rolling: moment of inertia about the axle of what turns, for its gyroscopic moment; the body has that inertia too",
              "112")
              .in(kInertia)
              .within(kNotNegative)
              .or_default(),
          &Self::rolling_inertia)};
  return list;
}

void WheelRailEntry::check(const TableView& view, const Scope& scope) {
  track = scope.model.track;
  if (!scope.names.has_track)
    view.report().error(
        view.where(), fmt::format("{} needs a `track`", view.path()),
        "give one at the top of the file, for example  track: {plan: [{length: 1000}]}");
  const auto refuse_outside = [&](const char* key, double value, double low, double high,
                                  const char* unit) {
    if (!view.is_good(key) || (value >= low && value <= high)) return;
    view.report().error(view.where(key), fmt::format("{} is {:g} {}", view.path(key), value, unit),
                        fmt::format("give {:g} to {:g} {}", low, high, unit));
  };
  refuse_outside("youngs_modulus", material.youngs_modulus, 1e3, 1e15, "Pa");
  refuse_outside("damping_speed", damping.speed, 1e-9, 1e6, "m/s");
  check_friction(view);
  creep.shear_modulus = material.shear_modulus();
  try {
    railway::check(creep);
  } catch (const base::InputError& error) {
    report_all(error, view, "creep");
  }
  const auto needs_law = [&](const char* key, const char* word) {
    if (view.has(key) && law != word)
      view.report().warning(
          view.where(key),
          fmt::format("{} has no effect with the creep law {}", view.path(key), law),
          fmt::format("remove it, or choose  creep: {}", word));
  };
  for (const char* key : {"cells", "bound"}) needs_law(key, "fastsim");
  for (const char* key : {"adhesion_reduction", "slip_reduction"}) needs_law(key, "polach");
  if (view.has("rolling_inertia") && turns)
    view.report().warning(
        view.where("rolling_inertia"),
        fmt::format(
            "{} has no effect: the place turns with the wheels, and its body's inertia does",
            view.path("rolling_inertia")),
        "remove it, or choose  spin: rolling");
  if (!wheel || !track) return;
  try {
    railway::make_wheelset_on_track(*wheel, dimensions, *track->rail, track->placement);
  } catch (const base::InputError& error) {
    report_all(error, view, "wheel");
  }
}

// At the points of a table, the extremes of lines, and between them, where curves leave the range.
void WheelRailEntry::check_friction(const TableView& view) const {
  const auto check_curve = [&](const char* key, const std::optional<math::Curve>& curve) {
    if (!curve) return;
    constexpr int kBetween = 16;  // places from one point to the next
    const TableUnits units{view.context().units.scale(kLength), 1.0, kLength.si, kCoefficient.si};
    const std::vector<double> points = read_table(view.table(key), units).x;
    const int n = static_cast<int>(points.size() - 1) * kBetween;
    double worst = 0.0, outside = 0.0, where = 0.0;
    for (int i = 0; i <= n; ++i) {
      const auto at = static_cast<std::size_t>(i / kBetween);
      const int beyond = i % kBetween;
      const double s =
          beyond == 0 ? points[at] : points[at] + (points[at + 1] - points[at]) * beyond / kBetween;
      const double value = curve->value(s);
      const double beside = std::max(kLeastFriction - value, value - kLargestFriction);
      if (beside <= outside) continue;
      outside = beside;
      worst = value;
      where = s;
    }
    if (outside == 0.0) return;
    view.report().error(
        view.where(key), fmt::format("{} is {:g} at s = {:g} m", view.path(key), worst, where),
        fmt::format("give {:g} to {:g} everywhere", kLeastFriction, kLargestFriction));
  };
  check_curve("friction_along", friction_along);
  check_curve("friction_along_right", friction_along_right);
  const auto refuse_both = [&](const char* key, const char* other) {
    if (view.has(key) && view.has(other))
      view.report().error(view.where(key),
                          fmt::format("{} stands beside {}", view.path(key), view.path(other)),
                          "keep one of them");
  };
  refuse_both("friction", "friction_along");
  refuse_both("friction_right", "friction_along_right");
}

ForceType wheel_rail_row() {
  return WheelRailEntry::row("wheel_rail", "of a wheelset on the track",
                             wheel_rail::WheelRailForce::own_readings());
}

}  // namespace solidyn::model
