// A clamped rod at rest under its weight: the reactions follow from equilibrium, the sag from the
// beam formula q L^4 / (8 E I).
#include <gtest/gtest.h>
#include <petsc.h>

#include <cmath>
#include <string>

#include "model_runs.h"

namespace solidyn {
namespace {

constexpr double kLength = 0.3, kDiameter = 6e-3, kYoungsModulus = 2e11, kDensity = 7870.0;
constexpr double kGravity = 9.81;
// Of the coarse mesh (meshes/README.md): its volume, and by its first frequency its stiffness.
constexpr double kVolume = 8.475698e-6, kFrequency = 302.5, kBeamFrequency = 299.2;

testing_support::History settle(const std::string& attach) {
  return testing_support::run_model(PETSC_COMM_WORLD,
                                    "tests/verification/gravity_sag/gravity_sag.yaml",
                                    {"bodies.rod.interfaces.root.attach=" + attach}, 50)
      .history;
}

class GravitySag : public testing::TestWithParam<const char*> {};

TEST_P(GravitySag, ClampedRodIsInEquilibriumAndSagsLikeABeam) {
  const testing_support::History history = settle(GetParam());
  // The mesh leaves 1e-4 of the length between the origin of the interface and the axis.
  const double weight = kVolume * kDensity * kGravity;
  EXPECT_NEAR(history.at("clamp.force_z").back(), weight, 1e-5 * weight);
  EXPECT_NEAR(history.at("clamp.torque_y").back(), -0.5 * weight * kLength,
              1e-3 * 0.5 * weight * kLength);
  EXPECT_NEAR(history.at("clamp.force_x").back(), 0.0, 1e-6 * weight);
  EXPECT_NEAR(history.at("clamp.force_y").back(), 0.0, 1e-6 * weight);

  const double area = M_PI / 4.0 * kDiameter * kDiameter;
  const double inertia = M_PI / 64.0 * std::pow(kDiameter, 4);
  const double q = kDensity * area * kGravity;
  const double beam = q * std::pow(kLength, 4) / (8.0 * kYoungsModulus * inertia);
  // Stiffer than the beam by the square of the frequencies; a face clamped by its average gives a
  // little, one held at three neighbouring
  // nodes gives a fifth, since their triad turns with the local strain.
  const double expected = -beam * std::pow(kBeamFrequency / kFrequency, 2);
  const std::string attach = GetParam();
  const bool holds_face = attach == "rbe2" || attach == "rbe3";
  EXPECT_NEAR(history.at("tip").back(), expected, (holds_face ? 0.05 : 0.25) * beam);
}

INSTANTIATE_TEST_SUITE_P(Attachments, GravitySag,
                         testing::Values("rbe3", "rbe2", "three_nodes", "virtual_body"));

}  // namespace
}  // namespace solidyn
