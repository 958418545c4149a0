// What a force at a place feels, from the mobility there.
#include "solidyn/analyses/reflected_inertia.h"

#include <gmock/gmock.h>

#include "mechanisms.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/math/rotation.h"

namespace solidyn {
namespace {

using analyses::Formulation;
using analyses::ReflectedInertia;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using system::TwistAxes;

// A free body of 2 kg seen from a place beside its centre: inverse of [m, -m c~; m c~, J - m c~
// c~].
TEST(ReflectedInertia, OfAFreeBodyIsItsOwn) {
  const Vector3d c(0.3, -0.2, 0.1);
  const Matrix3d J = Vector3d(0.4, 0.5, 0.6).asDiagonal(), skew = math::skew(c);
  ReflectedInertia::Matrix6 inertia;
  inertia << 2.0 * Matrix3d::Identity(), -2.0 * skew, 2.0 * skew, J - 2.0 * skew * skew;
  const ReflectedInertia::Matrix6 mobility = inertia.inverse();
  const ReflectedInertia found = analyses::reflected_inertia(mobility, 2.0, 0.5);
  EXPECT_EQ(found.n_motions, 6);
  ASSERT_TRUE(found.inertia.has_value());
  EXPECT_LT((*found.inertia - inertia).norm(), 1e-13 * inertia.norm());
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(found.masses[i], 1.0 / mobility(i, i), 1e-14);
    EXPECT_LT(found.masses[i], 2.0);                // for a push beside the centre turns it away
    EXPECT_NEAR(found.moments[i], J(i, i), 1e-14);  // a torque alone turns it about its centre
    const Vector3d along = found.principal_masses.directions.col(i);
    EXPECT_LT(
        (mobility.topLeftCorner<3, 3>() * along - along / found.principal_masses.values[i]).norm(),
        1e-14);
  }
  EXPECT_LE(found.principal_masses.values[0], found.principal_masses.values[1]);
  EXPECT_LE(found.principal_masses.values[1], found.principal_masses.values[2]);
  EXPECT_NEAR(found.principal_masses.directions.determinant(), 1.0, 1e-14);
  EXPECT_NEAR(found.principal_masses.values[2], 2.0, 1e-13);  // along c nothing turns
  EXPECT_NEAR(std::abs(found.principal_masses.directions.col(2).dot(c.normalized())), 1.0, 1e-13);
}

// A pendulum of 1 kg and 1 m: the bob moves in one way, whatever round-off says of the others.
TEST(ReflectedInertia, SaysWhatIsHeld) {
  const auto pendulum = testing_support::make_simple_pendulum();
  const system::State state = testing_support::start(*pendulum);
  const bodies::FrameIndex bob(1);
  ASSERT_EQ(pendulum->kinematics().frame_definitions[bob].body, bodies::BodyIndex(0));
  for (const Formulation formulation : {Formulation::absolute, Formulation::recursive}) {
    const MatrixXd mobility =
        analyses::mobility_of_places(*pendulum, state, {bob}, TwistAxes::world, formulation);
    const ReflectedInertia found = analyses::reflected_inertia(mobility, 1.0, 1.0);
    EXPECT_EQ(found.n_motions, 1);
    EXPECT_FALSE(found.inertia.has_value());
    EXPECT_NEAR(found.moments.z(), 1.0, 1e-12);  // about the pin
    EXPECT_TRUE(std::isinf(found.moments.x()) && std::isinf(found.moments.y()));
    EXPECT_TRUE(std::isinf(found.principal_moments.values[1]));
    EXPECT_NEAR(found.principal_moments.values[0], 1.0, 1e-12);
  }
}

// Round-off of a place that cannot move is no large mass.
TEST(ReflectedInertia, OfAPlaceThatIsHeldIsInfinite) {
  const ReflectedInertia found =
      analyses::reflected_inertia(1e-17 * MatrixXd::Random(6, 6), 3.0, 0.2);
  EXPECT_EQ(found.n_motions, 0);
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(std::isinf(found.masses[i]) && std::isinf(found.moments[i]) &&
                std::isinf(found.principal_masses.values[i]));
}

// What a reduction gear of 1000 to 1 reflects is large, and moves.
TEST(ReflectedInertia, OfAGearIsNotHeld) {
  ReflectedInertia::Matrix6 mobility = ReflectedInertia::Matrix6::Zero();
  mobility(5, 5) = 1.0 / (1e6 * 0.01);
  const ReflectedInertia found = analyses::reflected_inertia(mobility, 2.0, 0.3);
  EXPECT_EQ(found.n_motions, 1);
  EXPECT_NEAR(found.moments.z(), 1e4, 1e-8);
}

}  // namespace
}  // namespace solidyn
