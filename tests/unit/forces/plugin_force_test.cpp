// Forces from shared libraries: the example's, with derivatives of its own and by differences, and
// libraries that are wrong.
#include "solidyn/forces/plugin_force.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "random_pairs.h"
#include "solidyn/base/error.h"

namespace solidyn::forces {
namespace {

using bodies::Matrix12;
using bodies::Vector12;
using testing::HasSubstr;
using testing_support::MovingFrames;

const bodies::FrameLink kPair({bodies::FrameIndex(0), bodies::BodyIndex(0), 6},
                              {bodies::FrameIndex(1), bodies::BodyIndex(1), 6});
const PluginForce::Parameters kMagnets = {
    {"strength", 2.0}, {"core", 0.8}, {"align", 1.5}, {"eddy", 0.4}};

std::string library(const std::string& name) {
  return std::string(SOLIDYN_BINARY_DIR) + "/tests/plugins/" + name + ".so";
}

std::string error_of(const std::string& path, const PluginForce::Parameters& parameters = {}) {
  try {
    PluginForce("grip", kPair, path, parameters);
  } catch (const base::InputError& e) {
    return e.what();
  }
  return "no error";
}

class MagnetForce : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Derivatives, MagnetForce,
                         testing::Values("magnet", "magnet_without_derivatives"));

TEST_P(MagnetForce, DerivativesAreThoseOfTheWrench) {
  const PluginForce force("magnets", kPair, library(GetParam()), kMagnets);
  std::mt19937 generator(4);
  for (int i = 0; i < 5; ++i) {
    const MovingFrames f = testing_support::random_frames(generator, 2.0);
    Matrix12 by_position = Matrix12::Zero(), by_twist = Matrix12::Zero();
    force.add_derivatives(f.pair(), 0.3, by_position, by_twist);
    const Matrix12 K = testing_support::wrench_by_position(force, f);
    const Matrix12 D = testing_support::wrench_by_twist(force, f);
    EXPECT_GT(K.norm(), 0.1);
    EXPECT_LT((by_position - K).norm(), 1e-7 * (1.0 + K.norm()));
    EXPECT_GT(D.norm(), 0.1);
    EXPECT_LT((by_twist - D).norm(), 1e-7 * (1.0 + D.norm()));
  }
}

TEST_P(MagnetForce, ActionIsReaction) {
  const PluginForce force("magnets", kPair, library(GetParam()), kMagnets);
  std::mt19937 generator(4);
  const MovingFrames f = testing_support::random_frames(generator, 2.0);
  const Vector12 w = force.wrench(f.pair(), 0.0);
  EXPECT_GT(w.norm(), 0.1);
  EXPECT_LT(testing_support::resultant(f, w).norm(), 1e-13 * (1.0 + w.norm()));
}

TEST(PluginForce, SaysWhatIsWrongWithALibrary) {
  EXPECT_THAT(error_of("/nowhere/grip.so"), HasSubstr("cannot load the plug-in"));
  EXPECT_THAT(error_of(std::string(SOLIDYN_SOURCE_DIR) + "/README.md"),
              HasSubstr("cannot load the plug-in"));
  EXPECT_THAT(error_of(library("wrong_symbol")), HasSubstr("has no function solidyn_force_plugin"));
  EXPECT_THAT(error_of(library("wrong_version")),
              HasSubstr("has interface version 2, this program has 1"));
  EXPECT_THAT(error_of(library("wrong_table")), HasSubstr("lacks create, evaluate or destroy"));
  EXPECT_THAT(error_of(library("magnet"), {{"strenght", 1.0}}),
              HasSubstr("failed to initialise: unknown parameter `strenght`"));
  EXPECT_THAT(error_of(library("magnet")), HasSubstr("`core` must be given and positive"));
}

TEST(PluginForce, SaysWhatAFailingLibrarySays) {
  const PluginForce force("grip", kPair, library("wrong_calculation"), {});
  const auto error_at = [&](double t) -> std::string {
    try {
      force.wrench(MovingFrames().pair(), t);
    } catch (const base::ComputationError& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_THAT(error_at(0.0), HasSubstr("force grip: "));
  EXPECT_THAT(error_at(0.0), HasSubstr("a force that is not finite"));
  EXPECT_THAT(error_at(1.5), HasSubstr("reports at t = 1.5 s: the magnet is too hot"));
  EXPECT_THAT(error_at(2.5), HasSubstr("no reason given"));
}

}  // namespace
}  // namespace solidyn::forces
