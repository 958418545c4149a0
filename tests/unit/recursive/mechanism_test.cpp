// Accelerations and multipliers of random mechanisms: relative coordinates against absolute ones.
#include "solidyn/recursive/mechanism.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "linkages.h"
#include "mechanisms.h"
#include "random_beam.h"
#include "random_bodies.h"
#include "random_trees.h"
#include "solidyn/base/error.h"
#include "solidyn/system/connect.h"

namespace solidyn {
namespace {

using bodies::BodyIndex;
using Eigen::Vector3d;
using Eigen::VectorXd;
using joints::Hinge;
using joints::JointType;
using recursive::Mechanism;
using system::State;
using testing_support::RandomTree;

constexpr double kSame = 1e-10;  // of the largest

void expect_same(const VectorXd& found, const VectorXd& expected, const char* what) {
  EXPECT_LT((found - expected).lpNorm<Eigen::Infinity>(),
            kSame * (1.0 + expected.lpNorm<Eigen::Infinity>()))
      << what << "\n"
      << found.transpose() << "\n"
      << expected.transpose();
}

void expect_same_as_absolute(RandomTree& random, bool has_dependent_rows = false) {
  const State expected = random.absolute_accelerations(has_dependent_rows);
  random.system().update(random.state());
  Mechanism mechanism(random.system());
  VectorXd q, u;
  mechanism.tree().find_coordinates(random.state(), q, u);
  State state = random.state().clone();
  if (mechanism.tree().forest().closures.empty()) {  // from elsewhere, too
    VectorXd elsewhere = q;
    mechanism.tree().advance(VectorXd::LinSpaced(u.size(), -1.0, 0.5), elsewhere);
    mechanism.compute_state(elsewhere, u, state);
    state.lambda.setZero();
  }
  mechanism.compute_state(q, u, state);
  expect_same(state.a, expected.a, "accelerations");
  expect_same(state.lambda, expected.lambda, "multipliers");
}

void add_spring_between(RandomTree& random, BodyIndex first, BodyIndex second) {
  forces::SpringDamper::Options options;
  options.stiffness = 300.0;
  options.damping = 5.0;
  const system::FramesOfPair frames{random.add_frame(first), random.add_frame(second)};
  system::add_spring(random.system(), "spring", bodies::Distance(), options, frames);
}

TEST(Mechanism, HasTheAccelerationsAndReactionsOfAbsoluteCoordinates) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow(random, seed % 2 == 0);
    const int n = random.system().bodies().size();
    add_spring_between(random, BodyIndex(0), BodyIndex(n - 1));
    add_spring_between(random, bodies::kGround, BodyIndex(n / 2));
    random.set_in_motion();
    expect_same_as_absolute(random);
    if (HasFailure()) return;
  }
}

// Bodies that are attached by virtual bodies, outwards and inwards: these are no closures, and
// their multipliers those of absolute coordinates.
TEST(Mechanism, HasVirtualBodies) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow_with_virtual_bodies(random, seed);
    random.set_in_motion();
    const recursive::Forest forest = recursive::find_forest(random.system());
    EXPECT_EQ(forest.n_roots, 0);
    EXPECT_EQ(forest.closures.size(), seed % 2);
    expect_same_as_absolute(random);
    if (HasFailure()) return;
  }
}

// Of forces with coordinates of their own these have accelerations as all others.
TEST(Mechanism, HasTheCoordinatesOfForces) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    if (seed % 3 == 0)
      grow_with_loops(random, seed);
    else
      grow(random, seed % 2 == 0);
    const int n = random.system().bodies().size();
    random.add_series_damper(BodyIndex(0), BodyIndex(n - 1));
    random.add_series_damper(BodyIndex(0), BodyIndex(1));
    random.add_series_damper(BodyIndex(n / 2), bodies::kGround);
    random.set_in_motion();
    expect_same_as_absolute(random);
    const recursive::Forest forest = recursive::find_forest(random.system());
    EXPECT_THAT(describe(random.system(), forest),
                testing::AllOf(testing::StartsWith(fmt::format("recursive: {} bodies", n)),
                               testing::EndsWith("; coordinates of forces: 3\n")));
    if (HasFailure()) return;
  }
}

// Nodes of beams hang on nothing, and their joints close loops: the multipliers are the same. Beams
// that a force connects are one group.
TEST(Mechanism, HasBeamsBesideTheTree) {
  for (unsigned seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow_with_beams(random, seed);
    random.set_in_motion();
    const recursive::Forest forest = recursive::find_forest(random.system());
    EXPECT_EQ(forest.n_roots, 1);
    EXPECT_EQ(forest.closures.size(), seed % 3 == 0 ? 4 : 3);
    EXPECT_EQ(forest.branches.back().node_group, seed % 2 == 0 ? 1 : 2);
    EXPECT_THAT(
        describe(random.system(), forest),
        testing::EndsWith(
            seed % 2 == 0 ? "; nodes of beams in absolute coordinates: 12 (beam; beam, beam)\n"
                          : "; nodes of beams in absolute coordinates: 12 (beam; beam; beam)\n"));
    expect_same_as_absolute(random);
    if (HasFailure()) return;
  }
}

TEST(Mechanism, NamesABeamWithoutInertia) {
  system::System system;
  testing_support::RandomBeam beam(3);
  for (bodies::BeamElementData& d : beam.elements) {
    d.mass_per_length = 0.0;
    d.inertia_per_length.setZero();
  }
  beam.add_to(system, bodies::ElementStrains::eliminated);
  system.finalize();
  State state = system.make_state();
  system.update(state);
  Mechanism mechanism(system);
  VectorXd q, u, du;
  mechanism.tree().find_coordinates(state, q, u);
  try {
    mechanism.compute_accelerations(q, u, state, du);
    FAIL() << "nothing was thrown";
  } catch (const base::ComputationError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("some motion of the nodes of `beam`"));
  }
}

// Two chains of rigid or flexible bodies from the ground, whose ends meet.
BodyIndex add_chain(RandomTree& random, const std::vector<Hinge::Kind>& kinds, int n_modes,
                    bool is_reversed) {
  BodyIndex last = bodies::kGround;
  for (const Hinge::Kind kind : kinds)
    last = random.add_body(last, kind, {n_modes, is_reversed, false});
  return last;
}

TEST(Mechanism, ClosesLoops) {
  using K = Hinge::Kind;
  const std::vector<JointType> cuts = {JointType::spherical, JointType::universal,
                                       JointType::cylindrical, JointType::point_on_plane,
                                       JointType::perpendicular_axes};
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    const int n_modes = seed % 2 == 0 ? 2 : 0;
    const BodyIndex left = add_chain(random, {K::universal, K::spherical, K::cylindrical}, n_modes,
                                     seed % 3 == 0),
                    right =
                        add_chain(random, {K::spherical, K::cylindrical}, n_modes, seed % 5 == 0);
    const auto A = random.add_frame(left), B = random.add_frame_at(right, A);
    joints::JointRows rows = joints::joint_rows(cuts[seed % cuts.size()]);
    if (seed % cuts.size() == 4) rows = joints::joint_rows(JointType::point_on_line);
    system::add_joint(random.system(), "cut", rows, {A, B});
    const auto C = random.add_frame(BodyIndex(0)), D = random.add_frame(right);
    system::add_joint(random.system(), "rod", joints::distance_rows(random.position(C, D).norm()),
                      {C, D});
    random.set_in_motion();
    expect_same_as_absolute(random);
    if (HasFailure()) return;
  }
}

// Drives along hinges prescribe their speeds; another, along no hinge, closes a loop.
TEST(Mechanism, FollowsDrives) {
  using K = Hinge::Kind;
  for (unsigned seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    const int n_modes = seed % 2 == 0 ? 2 : 0;
    const bool is_reversed = seed % 3 == 0;
    const auto law = [](double value, const char* form) {
      return math::TimeFunction::expression(fmt::format("{:.17g}{}", value, form));
    };
    BodyIndex last = random.add_body(bodies::kGround, K::revolute, {n_modes, is_reversed, false});
    const double angle = random.angle(random.frame_A(), random.frame_B());
    system::add_joint(random.system(), "angle",
                      joints::rotation_drive_rows(law(angle, "+0.4*sin(2*t)+0.3*t^2")),
                      {random.frame_A(), random.frame_B()});
    last = random.add_body(last, K::spherical, {n_modes, false, false});
    last = random.add_body(last, K::cylindrical, {n_modes, is_reversed, false});
    const double along = random.position(random.frame_A(), random.frame_B()).z();
    system::add_joint(random.system(), "slide",
                      seed % 4 == 0 ? joints::translation_drive_rows(
                                          law(0.3, "+t"), joints::Constraint::Level::velocity)
                                    : joints::translation_drive_rows(law(along, "+0.2*t+0.1*t^2")),
                      {random.frame_A(), random.frame_B()});
    last = random.add_body(last, K::planar, {0, is_reversed, false});
    const double turn = random.angle(random.frame_A(), random.frame_B());
    system::add_joint(random.system(), "turn", joints::rotation_drive_rows(law(turn, "-0.7*t^2")),
                      {random.frame_A(), random.frame_B()});
    // Two screws, a whole turn of the first behind its law, and a point on a line.
    last = random.add_body(last, K::screw, {0, is_reversed, false});
    const double advance = random.angle(random.frame_A(), random.frame_B()) + 2.0 * M_PI;
    system::add_joint(random.system(), "screw", joints::rotation_drive_rows(law(advance, "+3*t")),
                      {random.frame_A(), random.frame_B()});
    last = random.add_body(last, K::screw, {n_modes, is_reversed, false});
    const double nut = random.position(random.frame_A(), random.frame_B()).z();
    system::add_joint(random.system(), "nut", joints::translation_drive_rows(law(nut, "-0.2*t")),
                      {random.frame_A(), random.frame_B()});
    last = random.add_body(last, K::point_on_line, {0, is_reversed, false});
    const double slide = random.position(random.frame_A(), random.frame_B()).z();
    system::add_joint(random.system(), "point", joints::translation_drive_rows(law(slide, "+t^2")),
                      {random.frame_A(), random.frame_B()});
    const auto C = random.add_frame(bodies::kGround), D = random.add_frame(last);
    system::add_joint(
        random.system(), "winch",
        joints::distance_drive_rows(law(0.0, "-0.2*t+0.3*t^2"), joints::Constraint::Level::position,
                                    random.position(C, D).norm()),
        {C, D});
    random.set_in_motion();
    expect_same_as_absolute(random);
    const recursive::Forest forest = recursive::find_forest(random.system());
    EXPECT_EQ(forest.closures.size(), 1u);
    if (HasFailure()) return;
  }
}

// Its four revolute joints have three rows too many, whose forces the equations leave open.
TEST(Mechanism, SharesForcesOfDependentRowsAsAbsoluteCoordinatesDo) {
  const auto bars = testing_support::make_four_bars(2);
  const State expected = testing_support::start(*bars);
  State state = expected.clone();
  bars->update(state);
  Mechanism mechanism(*bars);
  VectorXd q, u;
  mechanism.tree().find_coordinates(state, q, u);
  state.a.setZero();
  state.lambda.setZero();
  mechanism.compute_state(q, u, state);
  expect_same(state.a, expected.a, "accelerations");
  expect_same(state.lambda, expected.lambda, "multipliers");
}

TEST(Mechanism, ProjectsOntoLoops) {
  using K = Hinge::Kind;
  RandomTree random(5);
  const BodyIndex left = add_chain(random, {K::universal, K::spherical}, 2, false),
                  right = add_chain(random, {K::spherical, K::cylindrical}, 0, true);
  const auto A = random.add_frame(left), B = random.add_frame_at(right, A);
  system::add_joint(random.system(), "cut", JointType::spherical, {A, B});
  random.set_in_motion();
  Mechanism mechanism(random.system());
  VectorXd q, u;
  mechanism.tree().find_coordinates(random.state(), q, u);
  mechanism.tree().advance(testing_support::random_vector(random.generator(), u.size(), 1e-3), q);
  u += testing_support::random_vector(random.generator(), u.size(), 1e-2);
  State state = random.state().clone();
  mechanism.project(q, u, state);
  VectorXd phi, nu, gamma, Gv;
  random.system().update(state);
  random.system().compute_constraints(state, phi);
  random.system().update_accelerations();
  random.system().compute_rates(state, nu, gamma);
  random.system().multiply_G(state.v, Gv);
  EXPECT_LT(phi.lpNorm<Eigen::Infinity>(), 1e-11);
  EXPECT_LT((Gv - nu).lpNorm<Eigen::Infinity>(), 1e-11);
}

}  // namespace
}  // namespace solidyn
