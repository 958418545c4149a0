#include "solidyn/beams/beam_element.h"

#include <gtest/gtest.h>

#include <tuple>

#include "random_sections.h"
#include "solidyn/beams/section_pair.h"

namespace solidyn::beams {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kLength = 0.8;
constexpr double kStep = 1e-5;

Rigidity rigidity() { return {900.0, 7.0, 11.0, 17.0, 400.0, 300.0}; }

using Kind = std::tuple<Torsion, TurnRule>;
class BeamElements : public testing::TestWithParam<Kind> {
 protected:
  BeamElements() : element_(kLength, rigidity(), std::get<0>(GetParam()), std::get<1>(GetParam())) {
    pose(random_vector(6, 0.15, 3), D_, R_);
    EXPECT_TRUE(element_.set_unstressed(D_, quaternion_of(R_)));
    pose(random_vector(6, 0.3, 4), D_, R_);
    EXPECT_TRUE(element_.solve(D_, quaternion_of(R_)));
  }
  // A pose near that of the straight element.
  static void pose(const Vector6& d, Vector3d& D, Matrix3d& R) {
    D = Vector3d(kLength, 0.0, 0.0) + kLength * d.head<3>().cwiseProduct(Vector3d(0.2, 1.0, 1.0));
    R = math::exp_rotation(2.0 * d.tail<3>());
  }
  bool solve_at(const Vector6& d) {
    return element_.solve(D_ + d.head<3>(), quaternion_of(R_ * math::exp_rotation(d.tail<3>())));
  }
  BeamElement element_;
  Vector3d D_;
  Matrix3d R_;
};
INSTANTIATE_TEST_SUITE_P(Kinds, BeamElements,
                         testing::Combine(testing::Values(Torsion::constant, Torsion::linear),
                                          testing::Values(TurnRule::lobatto, TurnRule::magnus)));

TEST_P(BeamElements, GradientIsDerivativeOfEnergy) {
  const Vector6 gradient = element_.gradient();
  for (int i = 0; i < 6; ++i) {
    ASSERT_TRUE(solve_at(kStep * Vector6::Unit(i)));
    double difference = element_.energy();
    ASSERT_TRUE(solve_at(-kStep * Vector6::Unit(i)));
    difference = (difference - element_.energy()) / (2.0 * kStep);
    EXPECT_NEAR(difference, gradient[i], 2e-7 * gradient.norm()) << i;
  }
}

TEST_P(BeamElements, SecondDerivativeIsThatOfGradient) {
  const Matrix6 H = element_.second_derivative();
  const Matrix76 rows = element_.rows();
  for (int i = 0; i < 6; ++i) {
    ASSERT_TRUE(solve_at(kStep * Vector6::Unit(i)));
    Vector6 column = element_.gradient();
    Strains strains = element_.strains();
    ASSERT_TRUE(solve_at(-kStep * Vector6::Unit(i)));
    column = (column - element_.gradient()) / (2.0 * kStep);
    strains = (strains - element_.strains()) / (2.0 * kStep);
    EXPECT_LT((column - H.col(i)).norm(), 1e-6 * H.norm()) << i;
    EXPECT_LT((strains - rows.col(i)).norm(), 1e-7) << i;
  }
}

TEST_P(BeamElements, UnstressedPoseHasNoForce) {
  pose(random_vector(6, 0.15, 3), D_, R_);
  ASSERT_TRUE(solve_at(Vector6::Zero()));
  EXPECT_LT(element_.gradient().norm(), 1e-9);
  EXPECT_LT(element_.energy(), 1e-18);
}

TEST_P(BeamElements, SameStrainsFromAnyStart) {
  const Strains found = element_.strains();
  const Vector3d D = D_;
  const Matrix3d R = R_;
  pose(-random_vector(6, 0.3, 9), D_, R_);
  ASSERT_TRUE(solve_at(Vector6::Zero()));
  ASSERT_TRUE(element_.solve(D, quaternion_of(R)));
  EXPECT_LT((element_.strains() - found).norm(), 1e-12);
  BeamElement other(kLength, rigidity(), std::get<0>(GetParam()), std::get<1>(GetParam()));
  pose(random_vector(6, 0.15, 3), D_, R_);
  ASSERT_TRUE(other.set_unstressed(D_, quaternion_of(R_)));
  ASSERT_TRUE(other.solve(D, quaternion_of(R)));
  EXPECT_LT((other.strains() - found).norm(), 1e-12);
}

TEST_P(BeamElements, ForcesOnSectionsAreInEquilibriumAndTheirStiffnessIsTheirDerivative) {
  RandomSections s(kLength, 0.3, 5);
  const auto forces = [&](const Vector12& d, Matrix12* K) {
    const SectionPair pair(moved(s.p, d.head<6>()), moved(s.q, d.tail<6>()));
    EXPECT_TRUE(element_.solve(pair.D, quaternion_of(pair.Q)));
    const Vector12 r = pair.forces(element_.gradient());
    if (K) *K = pair.stiffness(element_.gradient(), element_.second_derivative());
    return r;
  };
  Matrix12 K;
  const Vector12 r = forces(Vector12::Zero(), &K);
  const Vector3d moment =
      s.p.R * r.segment<3>(3) + s.q.R * r.segment<3>(9) + (s.q.p - s.p.p).cross(r.segment<3>(6));
  EXPECT_LT((r.segment<3>(0) + r.segment<3>(6)).norm(), 1e-10 * r.norm());
  EXPECT_LT(moment.norm(), 1e-10 * r.norm());
  for (int i = 0; i < 12; ++i) {
    const Vector12 step = kStep * unit12(i);
    const Vector12 column = (forces(step, nullptr) - forces(-step, nullptr)) / (2.0 * kStep);
    EXPECT_LT((column - K.col(i)).norm(), 1e-6 * K.norm()) << i;
  }
}

}  // namespace
}  // namespace solidyn::beams
