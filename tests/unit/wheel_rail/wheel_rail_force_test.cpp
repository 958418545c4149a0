// The force between a wheelset's frame and the track.
#include "solidyn/wheel_rail/wheel_rail_force.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/math/rotation.h"
#include "solidyn/railway/profile_file.h"

namespace solidyn::wheel_rail {
namespace {

using bodies::FrameMotion;
using bodies::FramePair;
using bodies::Matrix12;
using bodies::Vector12;
using Eigen::Matrix3d;
using Eigen::Vector3d;

// A curve with a gradient and cant, and waves in both rails.
std::shared_ptr<const RailTrack> curved_track() {
  track::AlignmentDescription d;
  d.plan = {{60.0, 0.0, 0.003, 0.0, 0.1}, {100.0, 0.003, 0.003, 0.1, 0.1}};
  d.gradients = {{80.0, 0.0, 0.02}, {80.0, 0.02, 0.02}};
  d.cant_axis = track::CantAxis::low_rail;
  const auto wave = [](double size, double length) {
    return [=](double s) {
      const double W = 2.0 * M_PI / length;
      return track::Deviation{size * std::sin(W * s), size * W * std::cos(W * s),
                              -size * W * W * std::sin(W * s)};
    };
  };
  track::Irregularities waves({wave(1e-3, 3.0), wave(5e-4, 4.0), wave(1e-3, 5.0), wave(4e-4, 7.0)},
                              0.0);
  return std::make_shared<RailTrack>(RailTrack{track::Alignment(d), waves});
}

struct Options {
  std::string law = "fastsim";
  bodies::BodyIndex rails = bodies::kGround;
  double damping = 0.0;
  double friction = 0.3;
  bool turns = true;
  double friction_limit = 0.5;
};

WheelRailForce make(const std::shared_ptr<const RailTrack>& track, const Options& given,
                    const FrameMotion& rails = {}, double s = 40.0) {
  WheelRailOptions options;
  static const auto contact = std::make_shared<const railway::RailOverlap>(
      load_profile(railway::ProfileKind::wheel, "s1002"), railway::WheelsetDimensions(),
      railway::RailHead(load_profile(railway::ProfileKind::rail, "60e1"), railway::RailPlacement()),
      railway::ElasticMaterial());
  options.contact = {contact, contact};
  options.friction = {railway::FallingFriction{given.friction, given.friction_limit, 0.6},
                      railway::FallingFriction{0.8 * given.friction, 1.0, 0.0}};
  options.law = &railway::creep_law(given.law);
  options.damping = {given.damping, 0.02};
  options.turns = given.turns;
  const bodies::FrameLink link(
      {bodies::FrameIndex{0}, given.rails, given.rails == bodies::kGround ? 0 : 6},
      {bodies::FrameIndex{1}, bodies::BodyIndex{1}, 6});
  return WheelRailForce("wheels", link, track, options, rails, {}, s);
}

// On the track at s, offset y, z above r0, rolled, yawed and turned about the axle.
FrameMotion wheelset(const RailTrack& track, double s, double y, double z, double roll, double yaw,
                     double speed) {
  const track::TrackFrame at = track.alignment.at(s);
  FrameMotion m;
  m.R = at.R * math::exp_rotation(Vector3d(0, 0, yaw)) * math::exp_rotation(Vector3d(roll, 0, 0)) *
        math::exp_rotation(Vector3d(0, 1.3, 0));
  m.p = at.p + at.R * Vector3d(0, y, 0.46 + z);
  m.v = at.R * Vector3d(speed, 0.01, -0.004);
  m.w = m.R.transpose() * (at.R * Vector3d(0.02, 1.002 * speed / 0.46, 0.03));
  return m;
}

FrameMotion varied(FrameMotion m, int i, double by) {
  if (i < 3)
    m.p[i] += by;
  else
    m.R = m.R * math::exp_rotation(by * Vector3d::Unit(i - 3));
  return m;
}

// On tread and flange, in a curve on bad rails: without friction, what a displacement does to the
// energy is the force's work.
TEST(WheelRailForce, NormalForceIsTheDerivativeOfTheEnergy) {
  const auto track = curved_track();
  const WheelRailForce force = make(track, {"fastsim", bodies::kGround, 0.0, 1e-12});
  for (const double y : {0.001, 0.0058}) {
    const FrameMotion A, B = wheelset(*track, 40.3, y, -1e-3, 0.001, 0.01, 10.0);
    const Vector12 w = force.wrench({A, B, 0.0}, 0.0);
    ASSERT_GT(w.segment<3>(6).norm(), 1e4);
    for (int i = 0; i < 6; ++i) {
      const double h = 1e-7;
      const FrameMotion up = varied(B, i, h), down = varied(B, i, -h);
      const double slope =
          (force.energy({A, up, 0.0}, 0.0) - force.energy({A, down, 0.0}, 0.0)) / (2.0 * h);
      EXPECT_NEAR(w[6 + i], -slope, 3e-5 * w.segment<3>(6).norm()) << "y " << y << ", " << i;
    }
  }
}

// By each law, on moving rails: force's work per time is what is stored, less what creep and
// damping take.
TEST(WheelRailForce, PowerIsWorkPlusRateOfEnergy) {
  const auto track = curved_track();
  FrameMotion A;
  A.p = Vector3d(0.0, 1e-3, -5e-4);
  A.R = math::exp_rotation(Vector3d(2e-4, 0, 0));
  A.v = Vector3d(0.0, 0.02, -0.01);
  A.w = Vector3d(0.003, 0, 0);
  for (const char* law : {"linear", "shen_hedrick_elkins", "fastsim", "polach"})
    for (const bool turns : {true, false}) {
      const WheelRailForce force = make(track, {law, bodies::BodyIndex{0}, 0.3, 0.3, turns});
      const FrameMotion B = wheelset(*track, 40.3, 0.0012, -1.6e-3, 0.001, 0.004, 10.0);
      const FramePair f{A, B, 0.0};
      const double h = 1e-8;
      const auto later = [](FrameMotion m, double t) {
        m.p += t * m.v;
        m.R = m.R * math::exp_rotation(t * m.w);
        return m;
      };
      const FrameMotion A1 = later(A, h), A0 = later(A, -h), B1 = later(B, h), B0 = later(B, -h);
      const double rate =
          (force.energy({A1, B1, 0.0}, 0.0) - force.energy({A0, B0, 0.0}, 0.0)) / (2.0 * h);
      const double work = force.wrench(f, 0.0).dot(f.twist());
      ASSERT_GT(force.state(f).wheels[kLeft].Q, 1e3);
      EXPECT_NEAR(force.power(f, 0.0), work + rate, 1e-4 * (std::abs(work) + std::abs(rate)))
          << law << turns;
      if (turns) EXPECT_LT(force.power(f, 0.0), 0.0);
    }
}

// Moving the rails by something is moving the wheelset the other way.
TEST(WheelRailForce, RailsOnABodyAreSeenRelativeToTheWheelset) {
  track::AlignmentDescription d;
  d.plan = {{100.0}};
  const auto straight = std::make_shared<RailTrack>(RailTrack{track::Alignment(d), {}});
  const WheelRailForce force = make(straight, {"polach", bodies::BodyIndex{0}});
  const FrameMotion still, B = wheelset(*straight, 40.0, 0.001, -5e-4, 0.0, 0.002, 10.0);
  FrameMotion moved = still, away = B;
  const Vector3d by(0.0, 7e-4, 2e-4), rate(0.0, 0.01, 0.003);
  moved.p += by;
  moved.v += rate;
  away.p += by;
  away.v += rate;
  const Vector12 w = force.wrench({still, B, 0.0}, 0.0), v = force.wrench({moved, away, 0.0}, 0.0);
  EXPECT_LT((w.tail<6>() - v.tail<6>()).norm(), 1e-6 * w.norm());
  EXPECT_LT((w.head<3>() + w.segment<3>(6)).norm(), 1e-9 * w.norm());
}

// The place across the track between these at which the left wheel gets or loses patches.
double place_of_change(const WheelRailForce& force, const RailTrack& track, double from,
                       double to) {
  const auto patches = [&](double y) {
    const FrameMotion A, B = wheelset(track, 40.3, y, -1.5e-3, 0.001, 0.004, 10.0);
    return force.state({A, B, 0.0}).wheels[kLeft].patches.size();
  };
  const std::size_t before = patches(from);
  EXPECT_NE(before, patches(to));
  for (int i = 0; i < 40; ++i)
    (patches(0.5 * (from + to)) == before ? from : to) = 0.5 * (from + to);
  return from;
}

// Steps ten and hundred times those inside give the same derivatives, also where a patch has just
// appeared and where it is about to.
TEST(WheelRailForce, TangentIsThatOfOtherDifferences) {
  const auto track = curved_track();
  const double appears = place_of_change(make(track, {}), *track, 0.001, 0.0046);
  for (const char* law : {"linear", "shen_hedrick_elkins", "fastsim", "polach"})
    for (const double y : {0.001, 0.0046, appears - 1e-7, appears + 1e-7}) {
      const WheelRailForce force = make(track, {law, bodies::kGround, 0.3});
      const FrameMotion A, B = wheelset(*track, 40.3, y, -1.5e-3, 0.001, 0.004, 10.0);
      Matrix12 by_position = Matrix12::Zero(), by_twist = Matrix12::Zero();
      force.add_derivatives({A, B, 0.0}, 0.0, by_position, by_twist);
      const auto check = [&](const Matrix12& J, double h, auto&& change, const char* what) {
        for (int i = 0; i < 6; ++i) {
          const FrameMotion up = change(B, i, h), down = change(B, i, -h);
          const Vector12 slope =
              (force.wrench({A, up, 0.0}, 0.0) - force.wrench({A, down, 0.0}, 0.0)) / (2.0 * h);
          EXPECT_LT((J.col(6 + i).tail<6>() - slope.tail<6>()).norm(),
                    0.02 * J.rightCols<6>().norm())
              << law << " at " << y << " by " << what << " " << i;
        }
      };
      check(by_position, 1e-6, varied, "position");
      check(
          by_twist, 1e-4,
          [](FrameMotion m, int i, double by) {
            (i < 3 ? m.v[i] : m.w[i - 3]) += by;
            return m;
          },
          "twist");
    }
}

// A wheelset with an angle of attack that is pushed from the tread onto its flange: the ratio of
// guiding force and load rises to Nadal's for the flange's 70 degrees, and no further.
TEST(WheelRailForce, FlangeClimbReachesNadalsLimit) {
  track::AlignmentDescription d;
  d.plan = {{100.0}};
  const auto straight = std::make_shared<RailTrack>(RailTrack{track::Alignment(d), {}});
  const double angle = 70.0 * M_PI / 180.0, mu = 0.3;
  const WheelRailForce force = make(straight, {"fastsim", bodies::kGround, 0.0, mu, true, 1.0});
  const double nadal = (std::tan(angle) - mu) / (1.0 + mu * std::tan(angle));
  EXPECT_NEAR(nadal, 1.3416, 1e-4);
  double first = 0.0, largest = 0.0;
  for (double y = 0.005; y < 0.0082; y += 2e-4) {
    FrameMotion A, B = wheelset(*straight, 40.0, y, 0.0, 0.0, 0.01, 10.0);
    B.v = Vector3d(10.0, 0.0, 0.0);
    B.w = B.R.transpose() * (B.R.col(1) * (10.0 / 0.474));  // no creepage along the flange's patch
    for (double z = 0.006; z > -0.002; z -= 2e-5) {         // lowered until it carries 50 kN
      B.p.z() = 0.46 + z;
      const WheelResult left = force.state({A, B, 0.0}).wheels[kLeft];
      if (left.Q < 5e4) continue;
      largest = std::max(largest, left.Y / left.Q);
      if (first == 0.0) first = largest;
      break;
    }
  }
  EXPECT_LT(first, 0.4 * nadal);
  EXPECT_NEAR(largest, nadal, 0.005 * nadal);
}

// Integrators look at places ahead without velocities: brakes are for wheels that stood before.
TEST(WheelRailForce, OnlyWheelsThatStoodAreBraked) {
  const auto track = curved_track();
  WheelRailForce force = make(track, {});
  const FrameMotion A;
  FrameMotion runs = wheelset(*track, 40.0, 0.0, -2e-4, 0.0, 0.0, 10.0), stands = runs;
  FrameMotion ahead = wheelset(*track, 40.02, 0.0, -2e-4, 0.0, 0.0, 0.0);
  for (FrameMotion* m : {&stands, &ahead}) m->v = m->w = Vector3d::Zero();
  const auto along_ahead_of = [&](const FrameMotion& B) {
    bodies::Kinematics kinematics;
    kinematics.frames.push_back(A);
    kinematics.frames.push_back(B);
    Eigen::VectorXd memory = Eigen::VectorXd::Zero(2);
    force.remember(kinematics, 0.0, memory);
    force.recall(memory);
    return force.state({A, ahead, 0.0}).force.x();
  };
  EXPECT_LT(along_ahead_of(stands), -1e7);
  EXPECT_LT(std::abs(along_ahead_of(runs)), 1e4);  // of normal forces on slopes
}

// A cone of slope e on narrow rails, half a distance b from the middle. In the vertical plane of a
// rail a wheelset that is yawed by p shows its wheel at L = b (1 + p^2/2) - x p from the middle, so
// that the axle is e p^2 (b - r e)/2 lower: under a load W the yaw has the stiffness
// -W e (b - r e), and a wheelset that stands alone does not stay as it is.
TEST(WheelRailForce, GravityTurnsAWheelsetThatStandsAlone) {
  constexpr double e = 0.05, b = 0.75, r = 0.46, load = 1.147e5;
  track::AlignmentDescription d;
  d.plan = {{100.0}};
  const auto straight = std::make_shared<RailTrack>(RailTrack{track::Alignment(d), {}});
  WheelRailOptions options;
  const auto contact = std::make_shared<const railway::RailOverlap>(
      load_profile(railway::ProfileKind::wheel, "cone:0.05"), railway::WheelsetDimensions(),
      railway::RailHead(load_profile(railway::ProfileKind::rail, "circle:0.01"),
                        {1.48368, 0.0, 0.005}),
      railway::ElasticMaterial());
  options.contact = {contact, contact};
  options.law = &railway::creep_law("linear");
  const bodies::FrameLink link({bodies::FrameIndex{0}, bodies::kGround, 0},
                               {bodies::FrameIndex{1}, bodies::BodyIndex{1}, 6});
  const WheelRailForce force("wheels", link, straight, options, {}, {}, 40.0);
  const auto yaw_moment = [&](double yaw) {
    FrameMotion A, B;
    B.R = math::exp_rotation(Vector3d(0, 0, yaw));
    double low = 0.4575, high = 0.4605;
    for (int i = 0; i < 60; ++i) {
      B.p = Vector3d(40.0, 0.0, 0.5 * (low + high));
      (force.state({A, B, 0.0}).force.z() > load ? low : high) = B.p.z();
    }
    return force.state({A, B, 0.0}).moment.z();
  };
  const double stiffness = -(yaw_moment(2e-3) - yaw_moment(-2e-3)) / 4e-3;
  EXPECT_NEAR(stiffness, -load * e * (b - r * e), 0.03 * load * e * b);
}

TEST(WheelRailForce, FrictionFollowsTheTrack) {
  const auto track = curved_track();
  const auto with = [&](std::optional<math::Curve> along, double friction) {
    WheelRailOptions options;
    options.contact.fill(std::make_shared<const railway::RailOverlap>(
        load_profile(railway::ProfileKind::wheel, "s1002"), railway::WheelsetDimensions(),
        railway::RailHead(load_profile(railway::ProfileKind::rail, "60e1"),
                          railway::RailPlacement()),
        railway::ElasticMaterial()));
    options.friction.fill({friction, 1.0, 0.0});
    options.friction_along[kRight] = std::move(along);
    options.law = &railway::creep_law("polach");
    const bodies::FrameLink link({bodies::FrameIndex{0}, bodies::kGround, 0},
                                 {bodies::FrameIndex{1}, bodies::BodyIndex{1}, 6});
    return WheelRailForce("wheels", link, track, std::move(options), {}, {}, 40.0);
  };
  using math::TimeFunction;
  const math::Curve curve({20.0, 60.0}, {0.1, 0.3}, TimeFunction::Interpolation::linear);
  const WheelRailForce along = with(curve, 0.3), low = with({}, 0.1), middle = with({}, 0.2);
  const FrameMotion A;
  for (const double s : {10.0, 40.0}) {  // before the table, and in it
    FrameMotion B = wheelset(*track, s, 0.0, -2e-4, 0.0, 0.01, 10.0);
    const auto left_and_right = [&](const WheelRailForce& force) {
      WheelRailForce::State state = force.state({A, B, 0.0});
      return std::pair(state.wheels[kLeft].patches[0].force.y(),
                       state.wheels[kRight].patches[0].force.y());
    };
    EXPECT_NEAR(left_and_right(along).second, left_and_right(s < 20.0 ? low : middle).second, 1e-6);
    EXPECT_NEAR(left_and_right(along).first, left_and_right(with({}, 0.3)).first, 1e-6);
    if (s < 20.0) continue;
    TimeFunction::Ends repeats;
    repeats.kind = TimeFunction::Ends::Kind::periodic;
    const math::Curve waves({0.0, 8.0, 12.0}, {0.3, 0.1, 0.3}, TimeFunction::Interpolation::linear,
                            repeats);
    EXPECT_NEAR(left_and_right(with(waves, 0.3)).second, left_and_right(middle).second, 1e-6);
  }
}

// Newton's iterates of a wheelset that runs may stand or go back; what it comes to may not.
TEST(WheelRailForce, OnlyAcceptedStatesHaveToGoForward) {
  const auto track = curved_track();
  WheelRailForce force = make(track, {});
  const FrameMotion A, runs = wheelset(*track, 40.0, 0.0, -2e-4, 0.0, 0.0, 1.0),
                       back = wheelset(*track, 40.0, 0.0, -2e-4, 0.0, 0.0, -0.5);
  const auto remember = [&](const FrameMotion& B) {
    bodies::Kinematics kinematics;
    kinematics.frames.push_back(A);
    kinematics.frames.push_back(B);
    Eigen::VectorXd memory = Eigen::VectorXd::Zero(2);
    force.remember(kinematics, 0.0, memory);
    return memory;
  };
  force.recall(remember(runs));
  EXPECT_TRUE(force.wrench({A, back, 0.0}, 0.0).allFinite());
  EXPECT_THROW(remember(back), base::ComputationError);
}

TEST(WheelRailForce, StandingOrLeavingTheTrackIsAnError) {
  const auto track = curved_track();
  const WheelRailForce force = make(track, {});
  const FrameMotion A, back = wheelset(*track, 40.0, 0.0, 0.0, 0.0, 0.0, -1.0),
                       off = wheelset(*track, 40.0, 0.3, 0.0, 0.0, 0.0, 10.0);
  EXPECT_THROW(force.wrench({A, back, 0.0}, 0.0), base::ComputationError);
  EXPECT_THROW(force.wrench({A, off, 0.0}, 0.0), base::ComputationError);
}

}  // namespace
}  // namespace solidyn::wheel_rail
