// Set-valued laws along coordinates: their velocities are the rates of their gaps, accelerations
// the rates of those, forces do the work of the velocities, and tangents are derivatives.
#include "solidyn/forces/set_valued_coordinates.h"

#include "flexible_carriers.h"
#include "solidyn/math/rotation.h"

namespace solidyn::forces {
namespace {

using bodies::FrameMotion;
using bodies::Kinematics;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing_support::random_vector;
using Options = SetValuedCoordinates::Options;

struct AlongCase {
  const char* name;
  Options options;
};

Options stop(const bodies::Coordinate& coordinate, double sign) {
  Options o;
  o.law.kind = SetValuedLaw::Kind::stop;
  o.normal = {coordinate, sign};
  o.offset = 0.3;
  return o;
}

Options friction(const std::vector<SetValuedCoordinates::Direction>& slips) {
  Options o;
  o.law.kind = SetValuedLaw::Kind::friction;
  o.slips = slips;
  return o;
}

const bodies::Coordinate kTranslation = bodies::PointAlongFrameAxis(Vector3d::UnitZ());

class LawsAlongCoordinates : public testing::TestWithParam<AlongCase> {
 protected:
  SetValuedCoordinates law_on(const bodies::FrameLink& link) const {
    return {"law", link, GetParam().options};
  }
};
INSTANTIATE_TEST_SUITE_P(
    Kinds, LawsAlongCoordinates,
    testing::Values(AlongCase{"lower_stop", stop(kTranslation, 1.0)},
                    AlongCase{"upper_stop", stop(bodies::RotationAngle(), -1.0)},
                    AlongCase{"guide", friction({{kTranslation, 1.0}})},
                    AlongCase{"sleeve",
                              friction({{kTranslation, 1.0}, {bodies::RotationAngle(), 0.2}})}),
    [](const auto& info) { return std::string(info.param.name); });

FrameMotion random_motion(std::mt19937& g) {
  FrameMotion f;
  f.p = random_vector(g, 3);
  f.R = math::exp_rotation(0.4 * random_vector(g, 3));
  f.v = random_vector(g, 3);
  f.w = random_vector(g, 3);
  f.acceleration = random_vector(g, 6);
  return f;
}

FrameMotion later(const FrameMotion& f, double dt) {
  FrameMotion g = f;
  g.p += dt * f.v;
  g.R = f.R * math::exp_rotation(dt * f.w);
  g.v += dt * f.acceleration.head<3>();
  g.w += dt * f.acceleration.tail<3>();
  return g;
}

TEST_P(LawsAlongCoordinates, HaveRatesThatAreDerivatives) {
  std::mt19937 g(3);
  const SetValuedCoordinates law =
      law_on(bodies::FrameLink({bodies::FrameIndex(0)}, {bodies::FrameIndex(1)}));
  const double h = 1e-6;
  for (int sample = 0; sample < 5; ++sample) {
    const FrameMotion A = random_motion(g), B = random_motion(g);
    const auto at = [&](double dt) {
      Kinematics k;
      k.frames.push_back(later(A, dt));
      k.frames.push_back(later(B, dt));
      return k;
    };
    const Kinematics now = at(0.0), ahead = at(h), behind = at(-h);
    const Vector3d rate = (law.velocity(ahead, 0) - law.velocity(behind, 0)) / (2.0 * h);
    EXPECT_LT((law.acceleration(now, 0) - rate).norm(), 1e-7 * (1.0 + rate.norm()));
    EXPECT_GT(rate.norm(), 1e-3);
    if (!law.law().has_gap()) continue;
    EXPECT_NEAR(law.velocity(now, 0)[0], (law.gap(ahead, 0) - law.gap(behind, 0)) / (2.0 * h),
                1e-7);
  }
}

// Between two flexible bodies, with a force in the memory.
TEST_P(LawsAlongCoordinates, ActAsTheirDirectionsSay) {
  testing_support::FlexibleCarriers on(2, 7);
  const auto A = on.add_frame(bodies::BodyIndex(0)), B = on.add_frame(bodies::BodyIndex(1));
  SetValuedCoordinates law = law_on(on.system().link(A, B));
  on.set_in_motion();
  SetValuedPoint point;
  point.force = Vector3d(2.0, -3.0, 1.5);
  VectorXd memory(law.n_memory());
  point.write(memory);
  law.recall(memory);
  const auto tangent = on.expect_exact_tangent(law, 1e-7);
  EXPECT_GT(tangent.K.norm(), 0.1);
  MatrixXd W = MatrixXd::Zero(on.residual(law).size(), 3);
  law.directions(on.system().kinematics(), 0, W);
  EXPECT_LT((on.residual(law) + W * point.force).norm(), 1e-12 * W.norm());
  EXPECT_LT((W.transpose() * on.velocities(law) - law.velocity(on.system().kinematics(), 0)).norm(),
            1e-12 * W.norm());
}

}  // namespace
}  // namespace solidyn::forces
