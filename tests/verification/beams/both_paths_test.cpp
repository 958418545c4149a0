// Strains inside the elements, and as unknowns of the system with the constraints C(x, eps) = 0
// (P-STRAIN 2.4): the same equilibria and the same motion.
#include <gtest/gtest.h>

#include <cmath>

#include "mechanisms.h"
#include "random_beam.h"
#include "solidyn/analyses/statics.h"

namespace solidyn {
namespace {

using bodies::ElementStrains;
using testing_support::RandomBeam;

constexpr double kAgrees = 1e-10;  // of a length of 1.5 m, and of angles

// A curved beam of three elements, clamped at one end.
struct Cantilever {
  Cantilever(ElementStrains strains, beams::Torsion torsion, const std::string& time,
             const bodies::Prestrain& prestrain = {}) {
    RandomBeam beam(3);
    beam.prestrain = prestrain;
    for (bodies::BeamElementData& d : beam.elements) d.torsion = torsion;
    nodes = beam.add_to(system, strains);
    testing_support::add_joint(system, "wall", joints::JointType::fixed, bodies::kGround, {},
                               nodes.front(), beam.poses.front(), beam.poses.front().p_WB);
    bodies::Frame tip;
    tip.body = nodes.back();
    const auto component = [&](const char* size) {
      return math::TimeFunction::expression(std::string(size) + "*" + time);
    };
    testing_support::add_load(system, "push", system.add_frame(tip),
                              {component("3"), component("-5"), component("4")},
                              {component("2"), component("1"), component("-3")});
    system.finalize();
  }
  const bodies::BodyState& node(std::size_t k) const {
    return system.kinematics().bodies[nodes[k]];
  }
  system::System system;
  std::vector<bodies::BodyIndex> nodes;
};

void expect_same_nodes(const Cantilever& a, const Cantilever& b) {
  for (std::size_t k = 0; k < a.nodes.size(); ++k) {
    EXPECT_LT((a.node(k).p_WB - b.node(k).p_WB).norm(), kAgrees) << k;
    EXPECT_LT((a.node(k).R_WB - b.node(k).R_WB).norm(), kAgrees) << k;
  }
}

class BeamOnBothPaths : public testing::TestWithParam<beams::Torsion> {};
INSTANTIATE_TEST_SUITE_P(Torsion, BeamOnBothPaths,
                         testing::Values(beams::Torsion::constant, beams::Torsion::linear));

TEST_P(BeamOnBothPaths, HasTheSameEquilibriumAndReaction) {
  Cantilever inside(ElementStrains::eliminated, GetParam(), "t"),
      outside(ElementStrains::unknown, GetParam(), "t");
  const auto reaction = [](Cantilever& beam) {
    analyses::StaticsOptions options;
    options.tolerance = 1e-13;
    analyses::Statics statics(beam.system, options);
    statics.start();
    while (!statics.is_done()) statics.advance();
    beam.system.update(statics.state());
    return Eigen::VectorXd(statics.state().lambda.tail<6>());  // the wall is the last constraint
  };
  const Eigen::VectorXd a = reaction(inside), b = reaction(outside);
  EXPECT_GT(a.norm(), std::sqrt(50.0));  // the force at least
  EXPECT_LT((a - b).norm(), 1e-9 * a.norm());
  expect_same_nodes(inside, outside);
  EXPECT_EQ(inside.system.layout().n_constraints(), 6);
  EXPECT_EQ(outside.system.layout().n_constraints(), 24);
}

// An inner strain has no acceleration: with linear torsion only statics is possible on both.
class BeamInMotionOnBothPaths : public testing::TestWithParam<bodies::Prestrain> {};

bodies::Prestrain wriggling() {
  bodies::Prestrain prestrain;
  prestrain.constant << 0.001, -0.2, 0.3, 0.1;
  prestrain.laws[3] = math::TimeFunction::expression("0.5*sin(30*t)");
  return prestrain;
}
INSTANTIATE_TEST_SUITE_P(Prestrain, BeamInMotionOnBothPaths,
                         testing::Values(bodies::Prestrain(), wriggling()));

TEST_P(BeamInMotionOnBothPaths, MovesTheSameWay) {
  Cantilever inside(ElementStrains::eliminated, beams::Torsion::constant, "sin(20*t)", GetParam()),
      outside(ElementStrains::unknown, beams::Torsion::constant, "sin(20*t)", GetParam());
  integrators::GeneralizedAlphaOptions options;
  options.tolerance = 1e-12;
  options.constraint_tolerance = 1e-13;
  for (Cantilever* beam : {&inside, &outside}) {
    const auto start = beam->system.make_state();
    beam->system.update(start);
    const Eigen::Vector3d before = beam->node(3).p_WB;
    const system::State end =
        testing_support::run_generalized_alpha(beam->system, 0.1, 50, options);
    beam->system.update(end);
    EXPECT_GT((beam->node(3).p_WB - before).norm(), 1e-3);
  }
  expect_same_nodes(inside, outside);
}

}  // namespace
}  // namespace solidyn
