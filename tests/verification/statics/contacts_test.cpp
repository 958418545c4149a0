// Newton's method of statics with set-valued contacts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "solidyn/analyses/statics.h"
#include "solidyn/integrators/static_contacts.h"
#include "solidyn/model/build.h"
#include "solidyn/model/load.h"

namespace solidyn::analyses {
namespace {

using forces::SetValuedPoint;

// A flexible arm, clamped above a plane that leans, is pressed onto it by its tip. Round numbers of
// no special case: it bends far, and slides in no direction of an axis.
constexpr const char* kArm = R"(
solidyn: 1
materials:
  rubber: {{youngs_modulus: 1e7, poissons_ratio: 0.3, density: 1000}}
bodies:
  arm:
    type: beam
    points: {{root: [0, 0, 0], tip: [1, 0, 0]}}
    elements: 4
    section: {{type: rectangle, width: 0.03, height: 0.04}}
    material: rubber
joints:
  wall: {{type: fixed, between: [ground, arm.root]}}
contacts:
  slope: {{between: [ground, arm.tip], first: {{shape: plane, at: [1, 0, -0.02], axis: [0.2, 0.1, 1]}}, second: {{shape: point, at: [1, 0, 0]}}, law: {{type: impact}}, friction: {{static: {}}}}}
loads:
  press: {{type: force, at: arm.tip, force: [{}]}}
sensors:
  tip: {{type: position, of: arm.tip}}
analyses:
  - statics: {{}}
)";

constexpr const char* kStraight = R"f("0.6*t", "-0.4*t", "-8*t")f";
constexpr const char* kTurning = R"f("0.6*t", "1.5*sin(3*t)", "-8-4*t")f";

struct Arm {
  std::unique_ptr<model::BuiltModel> built;
  std::unique_ptr<Statics> statics;

  Arm(double friction, int load_steps, const char* force) {
    built = model::build(
        MPI_COMM_SELF, model::parse_model(fmt::format(kArm, friction, force), "arm.yaml", "."), {});
    StaticsOptions options;
    options.load_steps = load_steps;
    options.method = StaticsMethod::newton;
    statics = std::make_unique<Statics>(built->system, options);
    statics->start();
    while (!statics->is_done()) statics->advance();
    built->system.update(statics->state());
  }
  const forces::SetValued& law() const {
    for (const forces::ForceIndex f : built->system.forces())
      if (const forces::SetValued* law = built->system.force(f).as_set_valued()) return *law;
    throw std::logic_error("no contact");
  }
  Eigen::Vector3d force() const {  // along its axes
    return law().axes(built->system.kinematics(), 0).transpose() * law().kept(0).force;
  }
};

// Corrections fall as e, C e^2, C^3 e^4 ... once what slips is known, but for what the proximal
// term of motions that nothing holds leaves.
void expect_squares(const std::vector<double>& e) {
  int checked = 0;
  for (std::size_t i = 2; i < e.size(); ++i) {
    if (e[i - 1] > 1e-2) continue;
    EXPECT_LT(e[i], 200.0 * e[i - 1] * e[i - 1] + 1e-3 * e[i - 1] + 1e-12)
        << testing::PrintToString(e);
    ++checked;
  }
  EXPECT_GE(checked, 2) << testing::PrintToString(e);
}

// Without friction, slipping and sticking.
TEST(StaticContacts, NewtonConvergesQuadratically) {
  for (const double friction : {0.0, 0.1, 1.0}) {
    const Arm arm(friction, 4, kStraight);
    const SetValuedPoint point = arm.law().kept(0);
    const Eigen::Vector3d r = arm.force();
    EXPECT_EQ(point.phase, SetValuedPoint::Phase::closed);
    EXPECT_EQ(point.sticks, friction == 1.0);
    EXPECT_GT(r[0], 1.0);
    EXPECT_NEAR(arm.law().gap(arm.built->system.kinematics(), 0), 0.0, 1e-13);
    if (friction < 1.0) {
      EXPECT_NEAR(r.tail<2>().norm(), friction * r[0], 1e-9 * r[0]);
    } else {
      EXPECT_LT(r.tail<2>().norm(), r[0]);
    }
    // What sticks does not move at all.
    if (friction < 1.0) expect_squares(arm.statics->statistics().corrections);
  }
}

// Of what slips the direction turns with the load: shorter steps follow it, in first order.
TEST(StaticContacts, LoadStepsConvergeWhereTheSlipTurns) {
  std::vector<Eigen::Vector3d> forces;
  for (const int n : {20, 40, 80, 160}) forces.push_back(Arm(0.1, n, kTurning).force());
  for (std::size_t i = 2; i < forces.size(); ++i)
    EXPECT_LT((forces[i] - forces[i - 1]).norm(), 0.7 * (forces[i - 1] - forces[i - 2]).norm());
  EXPECT_LT((forces[3] - forces[2]).norm(), 1e-2 * forces[3].norm());
}

}  // namespace
}  // namespace solidyn::analyses
