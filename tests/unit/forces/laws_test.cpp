// What every law between two frames must satisfy, on random frames in motion: derivatives as by
// differences, action and reaction, a force that is the gradient of its energy, power and damping.
#include <algorithm>
#include <functional>

#include "random_pairs.h"
#include "solidyn/base/error.h"
#include "solidyn/forces/bushing.h"
#include "solidyn/forces/coordinate_force.h"
#include "solidyn/forces/drag.h"

namespace solidyn::forces {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using math::TimeFunction;
using testing_support::MovingFrames;
using testing_support::random_frames;
using testing_support::random_vector;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

const bodies::PointAlongFrameAxis kSlide(Vector3d::UnitZ());
const bodies::FrameLink kLink({bodies::FrameIndex(0), bodies::BodyIndex(0), 6},
                              {bodies::FrameIndex(1), bodies::BodyIndex(1), 6},
                              bodies::AngleIndex(0));

Matrix6 random_definite(std::mt19937& g) {
  const Matrix6 A = Eigen::Map<const Matrix6>(random_vector(g, 36).data());
  return A * A.transpose();
}

SpringDamper::Options springs_and_dampers() {
  using Interpolation = TimeFunction::Interpolation;
  SpringDamper::Options o;
  o.stiffness = 3.0;
  o.damping = 0.7;
  o.free = 0.2;
  o.preload = 0.4;
  o.by_extension =
      math::Curve({-3.0, -1.0, 0.0, 2.0, 9.0}, {-4.0, -0.5, 0.1, 1.0, 3.0}, Interpolation::cubic);
  o.by_rate = math::Curve({-3.0, 0.0, 3.0}, {-1.0, 0.0, 2.0}, Interpolation::cubic);
  o.formula = SpringDamper::Formula{math::Expression("2*x^3 + x*v + sin(t)", {"x", "v", "t"}), 0.5,
                                    2.0, 3.0};
  o.actuator = TimeFunction::expression("1 + t");
  return o;
}

// Without stiffness about these axes.
Matrix6 free_about(std::mt19937& g, const std::vector<int>& axes) {
  Matrix6 K = random_definite(g);
  for (int axis : axes) {
    K.row(3 + axis).setZero();
    K.col(3 + axis).setZero();
  }
  return K;
}

struct LawCase {
  const char* name;
  bool balances, is_passive;  // momenta; takes energy only
  std::function<std::unique_ptr<PairForce>(std::mt19937&)> make;
  bool dissipates = true;
};

std::unique_ptr<PairForce> along(bodies::Coordinate coordinate, SpringDamper::Options options) {
  return std::make_unique<CoordinateForce>("law", kLink, coordinate,
                                           std::make_unique<SpringDamper>(std::move(options)));
}

std::unique_ptr<PairForce> stops(bodies::Coordinate coordinate) {
  Stops::Options o;
  o.lower = -0.1;
  o.upper = 0.2;
  o.stiffness = 40.0;
  o.damping = 0.3;
  return std::make_unique<CoordinateForce>("stops", kLink, coordinate, std::make_unique<Stops>(o));
}

SpringDamper::Options linear() {
  SpringDamper::Options o;
  o.stiffness = 5.0;
  o.damping = 2.0;
  o.preload = -1.0;
  return o;
}

std::vector<LawCase> all_laws() {
  return {
      {"spring_damper", true, false,
       [](std::mt19937&) { return along(bodies::Distance(), springs_and_dampers()); }},
      {"torsion", true, false,
       [](std::mt19937&) { return along(bodies::RotationAngle(), springs_and_dampers()); }},
      {"slide", true, false, [](std::mt19937&) { return along(kSlide, springs_and_dampers()); }},
      {"linear_spring_damper", true, true,
       [](std::mt19937&) { return along(bodies::Distance(), linear()); }},
      {"linear_torsion", true, true,
       [](std::mt19937&) { return along(bodies::RotationAngle(), linear()); }},
      {"stops_of_slide", true, true, [](std::mt19937&) { return stops(kSlide); }},
      {"stops_of_rotation", true, true,
       [](std::mt19937&) { return stops(bodies::RotationAngle()); }},
      {"bushing", true, true,
       [](std::mt19937& g) {
         const Matrix6 K = random_definite(g), D = random_definite(g);
         return std::make_unique<Bushing>("bushing", kLink, K, D, random_vector(g, 6));
       }},
      {"bushing_free_about_x", true, true,
       [](std::mt19937& g) {
         const Matrix6 K = free_about(g, {0}), D = random_definite(g);
         return std::make_unique<Bushing>("bushing", kLink, K, D, random_vector(g, 6));
       }},
      {"bushing_free_about_z", true, true,
       [](std::mt19937& g) {
         const Matrix6 K = free_about(g, {2}), D = random_definite(g);
         return std::make_unique<Bushing>("bushing", kLink, K, D, random_vector(g, 6));
       }},
      {"bushing_stiff_about_y", true, true,
       [](std::mt19937& g) {
         const Matrix6 K = free_about(g, {0, 2}), D = random_definite(g);
         return std::make_unique<Bushing>("bushing", kLink, K, D, random_vector(g, 6));
       }},
      {"bushing_without_rotations", true, true,
       [](std::mt19937& g) {
         const Matrix6 K = free_about(g, {0, 1, 2}), D = random_definite(g);
         Bushing::Vector6 preload = random_vector(g, 6);
         preload.tail<3>().setZero();
         return std::make_unique<Bushing>("bushing", kLink, K, D, preload);
       }},
      {"drag", false, true, [](std::mt19937&) {
         Drag::Options o;
         o.viscous = 0.6;
         o.rotational = 0.8;
         o.quadratic = 1.3;
         return std::make_unique<Drag>("drag", kLink, o);
       }}};
}

std::vector<LawCase> laws_with(const std::function<bool(const LawCase&)>& property) {
  std::vector<LawCase> laws = all_laws();
  laws.erase(std::remove_if(laws.begin(), laws.end(), std::not_fn(property)), laws.end());
  return laws;
}

class LawContract : public testing::TestWithParam<LawCase> {
 protected:
  // Ten pairs of frames, by up to 2 rad apart in rotation and some turns apart in the angle.
  template <class Check>
  void for_random_frames(const Check& check) {
    std::mt19937 generator(23);
    const auto law = GetParam().make(generator);
    for (int i = 0; i < 10; ++i) {
      MovingFrames frames = random_frames(generator, 2.0);
      frames.turns = i % 3 - 1;
      check(*law, frames);
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Laws, LawContract, testing::ValuesIn(all_laws()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(LawContract, DerivativesAreThoseOfTheWrench) {
  for_random_frames([](const PairForce& law, const MovingFrames& f) {
    Matrix12 by_position = Matrix12::Zero(), by_twist = Matrix12::Zero();
    law.add_derivatives(f.pair(), 0.3, by_position, by_twist);
    const Matrix12 K = testing_support::wrench_by_position(law, f);
    const Matrix12 D = testing_support::wrench_by_twist(law, f);
    const double size = 1.0 + K.norm();
    EXPECT_LT((by_position - K).norm(), 1e-7 * size);
    EXPECT_LT((by_twist - D).norm(), 1e-7 * size);
  });
}

class BalancedLaw : public LawContract {};
INSTANTIATE_TEST_SUITE_P(Laws, BalancedLaw,
                         testing::ValuesIn(laws_with([](const LawCase& c) { return c.balances; })),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(BalancedLaw, ActionIsReaction) {
  for_random_frames([](const PairForce& law, const MovingFrames& f) {
    const Vector12 w = law.wrench(f.pair(), 0.3);
    EXPECT_LT(testing_support::resultant(f, w).norm(), 1e-12 * (1.0 + w.norm()));
  });
}

class PassiveLaw : public LawContract {};
INSTANTIATE_TEST_SUITE_P(Laws, PassiveLaw, testing::ValuesIn(laws_with([](const LawCase& c) {
                           return c.is_passive;
                         })),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(PassiveLaw, ForceAtRestIsTheGradientOfItsEnergy) {
  for_random_frames([](const PairForce& law, const MovingFrames& f) {
    const MovingFrames at_rest = testing_support::with_twist(f, Vector12::Zero());
    const Vector12 w = law.wrench(at_rest.pair(), 0.3);
    EXPECT_LT((w + testing_support::energy_gradient(law, f)).norm(), 1e-7 * (1.0 + w.norm()));
  });
}

// Force::power: work per time plus the rate of the stored energy; negative of passive laws.
TEST_P(LawContract, PowerIsWorkPlusRateOfEnergy) {
  double least = 0.0;
  for_random_frames([&](const PairForce& law, const MovingFrames& f) {
    const Vector12 twist = f.pair().twist();
    const double work = law.wrench(f.pair(), 0.3).dot(twist);
    const double stored = testing_support::energy_gradient(law, f).dot(twist);
    const double power = law.power(f.pair(), 0.3);
    EXPECT_NEAR(power, work + stored, 1e-7 * (1.0 + std::abs(work) + std::abs(stored)));
    if (GetParam().is_passive) {
      EXPECT_LE(power, 0.0);
    }
    least = std::min(least, power);
  });
  if (GetParam().dissipates) {
    EXPECT_LT(least, -0.1);
  } else {
    EXPECT_EQ(least, 0.0);
  }
}

// With A and B exchanged a bushing with isotropic or coupled matrices acts alike: q changes its
// sign only.
TEST(Bushing, PrefersNoneOfTheTwoFrames) {
  std::mt19937 g(5);
  const Matrix6 K = random_definite(g), D = random_definite(g);
  const Bushing bushing("bushing", kLink, K, D, Bushing::Vector6::Zero());
  const MovingFrames f = random_frames(g, 2.5);
  MovingFrames exchanged;
  exchanged.A = f.B;
  exchanged.B = f.A;
  const Vector12 w = bushing.wrench(f.pair(), 0.0), back = bushing.wrench(exchanged.pair(), 0.0);
  EXPECT_GT(w.norm(), 1.0);
  EXPECT_LT((w.head<6>() - back.tail<6>()).norm() + (w.tail<6>() - back.head<6>()).norm(),
            1e-12 * w.norm());
}

TEST(Bushing, TurnedTooFarIsAnError) {
  std::mt19937 g(5);
  const Bushing bushing("bushing", kLink, Matrix6::Identity(), Matrix6::Zero(),
                        Bushing::Vector6::Zero());
  MovingFrames f = random_frames(g, 0.0);
  f.B.R = f.A.R * math::exp_rotation(Vector3d(0.0, 3.1, 0.0));
  EXPECT_THROW(bushing.wrench(f.pair(), 0.0), base::ComputationError);
}

// R_WB of a frame that is tilted and then turned about its z axis, from a frame A.
MovingFrames turned(std::mt19937& g, const Vector3d& tilt, double turn) {
  MovingFrames f = random_frames(g, 0.0);
  f.B.R = f.A.R * math::exp_rotation(tilt) * math::exp_rotation(Vector3d(0.0, 0.0, turn));
  return f;
}

// tau and psi are what the frame was made of, on any turn.
TEST(HalfTiltFrame, FindsTiltAndTurn) {
  std::mt19937 g(3);
  for (const Vector3d& tilt : {Vector3d(0.0, 0.0, 0.0), Vector3d(1e-9, -2e-9, 0.0),
                               Vector3d(0.3, -0.2, 0.0), Vector3d(1.7, 2.1, 0.0)})
    for (double turn : {0.0, 1.0, -3.0, 3.1}) {
      MovingFrames f = turned(g, tilt, turn);
      f.turns = 4;
      const HalfTiltFrame m(f.pair(), 2);
      EXPECT_LT((m.q().segment<2>(3) - tilt.head<2>()).norm(), 1e-12) << tilt << turn;
      EXPECT_NEAR(m.q()[5] - turn, std::round((m.q()[5] - turn) / (2.0 * M_PI)) * 2.0 * M_PI,
                  1e-12);
      EXPECT_NEAR(m.q()[5], f.pair().angle, M_PI + 1e-12);
    }
}

// A bushing without stiffness about its axis resists no turn, and its tilt is that of the axis
// however far it has turned; where it is the same in all directions it prefers none of the frames.
TEST(Bushing, TurnsFreelyAboutAnAxisWithoutStiffness) {
  std::mt19937 g(5);
  Bushing::Vector6 k;
  k << 900.0, 900.0, 400.0, 30.0, 30.0, 0.0;
  const Bushing bushing("bushing", kLink, k.asDiagonal(), Matrix6::Zero(),
                        Bushing::Vector6::Zero());
  const Vector3d tilt(0.02, -0.05, 0.0);
  for (double turn : {0.0, 2.0, 3.1, M_PI, 3.2, 5.0}) {
    const MovingFrames f = turned(g, tilt, turn);
    const double stretch = (f.B.p - f.A.p).norm();
    const Vector3d u = HalfTiltFrame(f.pair(), 2).q().head<3>();
    EXPECT_NEAR(u.norm(), stretch, 1e-12);
    EXPECT_NEAR(
        bushing.energy(f.pair(), 0.0),
        0.5 * (900.0 * u.head<2>().squaredNorm() + 400.0 * u[2] * u[2] + 30.0 * tilt.squaredNorm()),
        1e-9);
    MovingFrames exchanged;
    exchanged.A = f.B;
    exchanged.B = f.A;
    const Vector12 w = bushing.wrench(f.pair(), 0.0), back = bushing.wrench(exchanged.pair(), 0.0);
    EXPECT_LT((w.head<6>() - back.tail<6>()).norm() + (w.tail<6>() - back.head<6>()).norm(),
              1e-10 * w.norm());
  }
}

// Of small rotations tilt and turn are the rotation vector, and M is the same: so are both bushings
// that are alike in x and y, up to a part of the size of the tilt.
TEST(Bushing, AgreesWithTheRotationVectorForSmallRotations) {
  std::mt19937 g(9);
  Bushing::Vector6 k;
  k << 900.0, 900.0, 400.0, 30.0, 30.0, 0.0;
  const Matrix6 K = k.asDiagonal();
  Matrix6 nearly = K;
  nearly(5, 5) = 1e-9;
  const Bushing free("free", kLink, K, Matrix6::Zero(), Bushing::Vector6::Zero()),
      held("held", kLink, nearly, Matrix6::Zero(), Bushing::Vector6::Zero());
  const Vector3d tilt(3e-4, -4e-4, 0.0);
  const MovingFrames f = turned(g, tilt, 0.0);
  EXPECT_LT((free.wrench(f.pair(), 0.0) - held.wrench(f.pair(), 0.0)).norm(),
            0.1 * tilt.norm() * held.wrench(f.pair(), 0.0).norm());
}

TEST(Bushing, TiltedTooFarIsAnError) {
  std::mt19937 g(5);
  const Bushing bushing("bushing", kLink, free_about(g, {2}), Matrix6::Zero(),
                        Bushing::Vector6::Zero());
  EXPECT_THROW(bushing.wrench(turned(g, Vector3d(0.0, 3.1, 0.0), 0.0).pair(), 0.0),
               base::ComputationError);
}

TEST(Drag, IsAgainstTheMotionInTheMedium) {
  Drag::Options o;
  o.quadratic = 0.5 * 1.2 * 0.47 * 0.01;
  o.medium = {TimeFunction::constant(3.0), TimeFunction::constant(0.0),
              TimeFunction::constant(0.0)};
  const Drag drag("drag", kLink, o);
  MovingFrames f;
  f.B.v = Vector3d(1.0, 0.0, 0.0);
  const Vector12 w = drag.wrench(f.pair(), 0.0);
  EXPECT_NEAR(w[6], o.quadratic * 4.0, 1e-15);
  EXPECT_EQ(w.head<6>().norm(), 0.0);
}

// Beyond a stop the effort resists, never pulls, and begins at zero whatever the speed.
TEST(Stops, PushAndNeverPull) {
  Stops::Options o;
  o.lower = -1.0;
  o.upper = 2.0;
  o.stiffness = 100.0;
  o.damping = 0.5;
  const Stops stops(o);
  EXPECT_EQ(stops.effort(1.9, 50.0, 0.0).value, 0.0);
  EXPECT_NEAR(stops.effort(2.1, 1.0, 0.0).value, 100.0 * 0.1 * 1.5, 1e-12);
  EXPECT_NEAR(stops.effort(-1.1, -1.0, 0.0).value, -100.0 * 0.1 * 1.5, 1e-12);
  EXPECT_EQ(stops.effort(2.1, -3.0, 0.0).value, 0.0);
  EXPECT_EQ(stops.effort(-1.1, 3.0, 0.0).value, 0.0);
  EXPECT_NEAR(stops.energy(2.1), 0.5, 1e-12);
}

TEST(SpringDamper, FormulaIsInItsOwnUnits) {
  SpringDamper::Options o;  // N of mm, mm/ms and ms
  o.formula =
      SpringDamper::Formula{math::Expression("x + 10*v + 100*t", {"x", "v", "t"}), 1e-3, 1e-3, 1.0};
  EXPECT_NEAR(SpringDamper(o).effort(0.002, 3.0, 0.004).value, 2.0 + 30.0 + 400.0, 1e-9);
}

TEST(SpringDamper, FormulaWithoutValueIsAnError) {
  SpringDamper::Options o;
  o.formula = SpringDamper::Formula{math::Expression("sqrt(x)", {"x", "v", "t"})};
  EXPECT_THROW(SpringDamper(o).effort(-1.0, 0.0, 0.0), base::ComputationError);
}

TEST(CoordinateForce, PointsThatMeetAreAnError) {
  const auto law = along(bodies::Distance(), linear());
  const MovingFrames f;
  EXPECT_THROW(law->wrench(f.pair(), 0.0), base::ComputationError);
}

}  // namespace
}  // namespace solidyn::forces
