#include "solidyn/model/fingerprint.h"

#include <gmock/gmock.h>

#include "solidyn/model/load.h"

namespace solidyn::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kModel = R"(
solidyn: 1
title: a swing
gravity: [0, 0, -9.81]
bodies:
  seat: {type: rigid, mass: 0.5, inertia: [1, 1, 1], frames: {hook: {position: [0, 0, 1]}, tip: {}, tip-hook: {position: [0, 1, 0]}}}
joints:
  chain: {type: spherical, between: [ground, seat.hook]}
loads:
  wind: {type: force, at: seat.tip-hook, force: [1, 0, 0]}
sensors:
  height: {type: position, of: seat, component: z}
analyses:
  - dynamics: {duration: 1, step: 1e-3}
)";

std::map<std::string, std::string> physics(const std::vector<std::string>& overrides = {}) {
  return physics_of(MPI_COMM_SELF, parse_model(kModel, "swing.yaml", ".", overrides));
}

std::vector<std::string> changed_by(const std::string& override_text) {
  return differences(physics(), physics({override_text}));
}

TEST(Fingerprint, NamesWhatChangesTheMotion) {
  EXPECT_THAT(changed_by("bodies.seat.mass=0.25"),
              ElementsAre("bodies.seat.mass was 0.5, is 0.25"));
  EXPECT_THAT(changed_by("gravity=[0, 0, -1.62]"),
              ElementsAre("gravity was [0, 0, -9.81], is [0, 0, -1.62]"));
  EXPECT_THAT(changed_by("bodies.seat.velocity.linear=[1, 0, 0]"),
              ElementsAre("bodies.seat.velocity.linear was not given, is [1, 0, 0]"));
  EXPECT_THAT(changed_by("bodies.seat.frames.hook.position=[0, 0, 2]"),
              ElementsAre("bodies.seat.frames.hook.position was [0, 0, 1], is [0, 0, 2]"));
  // Beside `tip`, which nothing uses: its name begins alike, and `-` sorts before `.`.
  EXPECT_THAT(changed_by("bodies.seat.frames.tip-hook.position=[0, 0, 2]"),
              ElementsAre("bodies.seat.frames.tip-hook.position was [0, 1, 0], is [0, 0, 2]"));
  EXPECT_THAT(differences(physics({"bodies.seat.velocity.linear=[1, 0, 0]"}), physics()),
              ElementsAre("bodies.seat.velocity.linear was [1, 0, 0], is not given"));
}

TEST(Fingerprint, LeavesOutWhatMayChangeDuringARun) {
  for (const char* free : {"title=another", "analyses.dynamics.duration=2",
                           "output.history_every=5", "sensors.height.component=x",
                           "solver.preset=small", "bodies.seat.frames.tip.position=[1, 0, 0]"})
    EXPECT_THAT(changed_by(free), IsEmpty()) << free;
}

TEST(Fingerprint, ComparesNumbersByValue) {
  EXPECT_THAT(changed_by("bodies.seat.mass=5.0e-1"), IsEmpty());
  EXPECT_THAT(changed_by("gravity=[0.0, 0e3, -9.810]"), IsEmpty());
}

TEST(Fingerprint, TakesADefaultThatIsWrittenOutForOneThatIsNot) {
  for (const char* same : {"bodies.seat.velocity={linear: [0, 0, 0], angular: [0.0, 0, 0]}",
                           "bodies.seat.pose={position: [0, 0, 0]}", "units={length: m}"})
    EXPECT_THAT(changed_by(same), IsEmpty()) << same;
  EXPECT_THAT(differences(physics({"bodies.seat.pose={position: [0, 0, 0]}"}), physics()),
              IsEmpty());
  EXPECT_THAT(changed_by("bodies.seat.pose={position: [0, 1, 0]}"),
              ElementsAre("bodies.seat.pose.position was not given, is [0, 1, 0]"));
}

}  // namespace
}  // namespace solidyn::model
