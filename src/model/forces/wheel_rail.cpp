#include <fmt/format.h>

#include "model/analyses/read_table.h"
#include "model/analyses/simulated_time.h"
#include "model/bodies/body_entry.h"
#include "model/forces/force_places.h"
#include "model/forces/springs.h"
#include "model/track/rail_track.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/railway/wheelset_geometry.h"

namespace solidyn::model {
namespace {

using railway::RailOverlap;
using wheel_rail::WheelRailForce;
using wheel_rail::WheelRailOptions;

constexpr double kLeastCosine = 0.99;  // of the axle against across the track, at t = 0
const Quantity kCoefficient{"1", 0, 0, 0, 0, 0};
constexpr double kLeastFriction = 1e-6, kLargestFriction = 100.0;

/// Two wheels of a body's frame on the rails of `track`.
struct WheelRailEntry final : ForceEntryOf<WheelRailEntry> {
  PlaceDescription at;
  std::optional<PlaceDescription> rails_on;
  std::shared_ptr<const railway::Profile> wheel;
  std::shared_ptr<const TrackDescription> track;
  railway::WheelsetDimensions dimensions;
  railway::FallingFriction friction;
  std::optional<double> friction_right;
  std::optional<math::Curve> friction_along, friction_along_right;
  railway::ElasticMaterial material;
  railway::PatchModel patch = railway::PatchModel::hertz;
  railway::CreepParameters creep;
  std::string law = "fastsim";
  railway::OverlapDamping damping{0.0, 0.1};
  bool turns = true;
  double rolling_inertia = 0.0;

  static const Fields<WheelRailEntry>& fields();
  void check(const TableView& view, const Scope& scope);
  std::string acts_on() const override { return at.text() + " on the track"; }
  std::vector<PlaceDescription> places() const override {
    return rails_on ? std::vector<PlaceDescription>{*rails_on, at}
                    : std::vector<PlaceDescription>{at};
  }
  std::unique_ptr<forces::Force> build(const Builder& builder) const override;

 private:
  void check_friction(const TableView& view) const;
  void warn_of_rolling_inertia(const Builder& builder, bodies::FrameIndex wheelset) const;
  void check_start(const Builder& builder, double s) const;
  void refuse_the_same_axle(const Builder& builder) const;
};

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
  // Beyond these, numbers overflow or mean nothing.
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

std::unique_ptr<forces::Force> WheelRailEntry::build(const Builder& builder) const {
  const Eigen::Vector3d p = builder.places.position(at);
  double s = 0.0;
  try {
    s = track::find_station(track->track->alignment, p);
  } catch (const base::ComputationError&) {
    throw base::InputError(
        fmt::format("forces.{}: {} stands at ({:g}, {:g}, {:g}) m at t = 0, off the track's {:g} m",
                    name, at.text(), p.x(), p.y(), p.z(), track->track->alignment.length()),
        "the track begins in the origin of the world, along x: move the bodies, or make it longer",
        where);
  }
  check_start(builder, s);
  refuse_the_same_axle(builder);
  WheelRailOptions options;
  const auto contact = std::make_shared<const RailOverlap>(
      *wheel, dimensions, railway::RailHead(*track->rail, track->placement), material, patch);
  options.contact = {contact, contact};
  options.radius = dimensions.radius;
  options.tape_circle = dimensions.tape_circle();
  options.friction = {friction, friction};
  options.friction[wheel_rail::kRight].start = friction_right.value_or(friction.start);
  options.friction_along = {friction_along, friction_along_right};
  if (!friction_along_right && !friction_right)
    options.friction_along[wheel_rail::kRight] = friction_along;
  options.law = &railway::creep_law(law);
  options.creep = creep;
  options.damping = damping;
  options.turns = turns;
  options.rolling_inertia = rolling_inertia;
  options.rails = flexible_rails(builder);
  bodies::FrameMotion rails, wheelset;
  wheelset.R = builder.places.orientation(at);
  rails.p =
      p;  // of rails at rest: the track's beginning would make the mechanism as long as the way
  if (rails_on) {
    rails.p = builder.places.position(*rails_on);
    rails.R = builder.places.orientation(*rails_on);
  }
  const bodies::FrameIndex A =
      add_force_frame(*this, rails_on.value_or(PlaceDescription()), 0, rails.p, rails.R, builder);
  const bodies::FrameIndex B =
      add_force_frame(*this, at, 1, p, builder.places.orientation(at), builder);
  refuse_force_within(*this, A, B, builder);
  warn_of_rolling_inertia(builder, B);
  return std::make_unique<WheelRailForce>(name, builder.built.system.link(A, B), track->track,
                                          std::move(options), rails, wheelset, s);
}

// Under another name of the place: check_wheelsets() finds the same one.
void WheelRailEntry::refuse_the_same_axle(const Builder& builder) const {
  for (const auto& force : builder.model.forces) {
    if (force.get() == this) return;
    if (force->type != type) continue;
    const PlaceDescription other = force->places().back();
    if (other.body != at.body) continue;
    const double distance = (builder.places.position(at) - builder.places.position(other)).norm();
    if (distance < dimensions.radius)
      throw base::InputError(
          fmt::format(
              "forces.{}.at: {} and {}, where the wheels of `{}` are, are {:.3g} m apart, less than a wheel's radius",
              name, at.text(), other.text(), force->name, distance),
          "remove one of the two forces: each carries the whole load", where);
  }
}

// What turns is a part of the body: its moment of inertia is twice the energy of turning by 1
// rad/s.
void WheelRailEntry::warn_of_rolling_inertia(const Builder& builder,
                                             bodies::FrameIndex wheelset) const {
  const bodies::Body& body = builder.built.system.body(builder.places.carrier_of_frame(wheelset));
  if (rolling_inertia == 0.0 || body.n_rigid() == 0 || body.name() != at.body) return;
  constexpr double kAsWritten = 1.0 + 1e-6;
  const Eigen::VectorXd q_e = Eigen::VectorXd::Zero(body.n_velocities() - body.n_rigid());
  Eigen::VectorXd v = Eigen::VectorXd::Zero(body.n_velocities());
  v.segment<3>(3) = builder.model.find_body(at.body)->pose.rotation.conjugate() *
                    builder.places.orientation(at).col(1);
  bodies::BodyState turning;
  new (&turning.q_e) Eigen::Map<const Eigen::VectorXd>(q_e.data(), q_e.size());
  new (&turning.v) Eigen::Map<const Eigen::VectorXd>(v.data(), v.size());
  const double moment = 2.0 * body.energy(turning, Eigen::Vector3d::Zero()).kinetic;
  if (rolling_inertia > kAsWritten * moment)
    base::log_warning(
        "{}:{}: forces.{}.rolling_inertia is {:g} kg m^2, and `{}` has {:g} kg m^2 about its axle\n  give the moment of inertia of what turns, which the body has too",
        where.file, where.line, name, rolling_inertia, at.body, moment);
}

void WheelRailEntry::check_start(const Builder& builder, double s) const {
  const Eigen::Matrix3d R = track->track->alignment.at(s).R;
  const Eigen::Vector3d axle = R.transpose() * builder.places.orientation(at).col(1);
  if (!(axle.y() > kLeastCosine))
    throw base::InputError(
        fmt::format(
            "forces.{}: the axle, the y axis of {}, points along ({:.3g}, {:.3g}, {:.3g}) in the track's axes at t = 0",
            name, at.text(), axle.x(), axle.y(), axle.z()),
        "turn the wheelset across the track: its y axis is to the left", where);
  const BodyEntry& body = *builder.model.find_body(at.body);
  const Eigen::Vector3d w = body.velocity.angular,
                        arm = builder.places.position(at) - body.pose.position;
  const double running = track->running_speed;
  const double speed =
      running > 0.0 ? running : (R.transpose() * (body.velocity.linear + w.cross(arm))).x();
  const double end = longest_motion(builder.model);
  if (!(speed > wheel_rail::kLeastSpeed) && end > 0.0)
    throw base::InputError(
        fmt::format(
            "forces.{}: {} moves along the track with {:g} m/s at t = 0; creepages are velocities over that speed",
            name, at.text(), speed),
        "give the bodies a `velocity` forward along the track, or the track a `running_speed`",
        where);
  const double step = longest_step(builder.model), shortest = track->shortest_wavelength;
  constexpr double kLeastSteps = 6.0;  // in the shortest wavelength, or from sleeper to sleeper
  if (const auto& rails = track->flexible_rails;
      rails && step * speed * kLeastSteps > rails->spacing)
    throw base::InputError(
        fmt::format(
            "track.flexible_rails: from sleeper to sleeper there are {:g} m, which {} passes in {:.3g} steps of {:g} s at {:g} m/s",
            rails->spacing, at.text(), rails->spacing / (step * speed), step, speed),
        fmt::format("take steps of {:.2g} s or less", rails->spacing / (speed * kLeastSteps)),
        track->flexible_rails_at);
  if (shortest > 0.0 && step * speed * kLeastSteps > shortest)
    throw base::InputError(
        fmt::format(
            "track.irregularities.wavelengths begin at {:g} m, which {} passes in {:.3g} steps of {:g} s at {:g} m/s",
            shortest, at.text(), shortest / (step * speed), step, speed),
        fmt::format("take steps of {:.2g} s or less, or wavelengths from {:.2g} m on",
                    shortest / (speed * kLeastSteps), step * speed * kLeastSteps),
        track->wavelengths_at);
}

}  // namespace

ForceType wheel_rail_row() {
  return WheelRailEntry::row("wheel_rail", "of a wheelset on the track",
                             WheelRailForce::own_readings());
}

}  // namespace solidyn::model
