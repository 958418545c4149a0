// Products that what couples distant bodies is split into.
#include "recursive/tangent_products.h"

#include <gmock/gmock.h>

#include <random>

#include "random_bodies.h"
#include "solidyn/math/rotation.h"

namespace solidyn {
namespace {

using Eigen::ArrayXXd;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using recursive::take_products;
using testing_support::random_vector;

constexpr int kRows = 12, kColumns = 36;  // two rigid bodies

struct Masks {
  ArrayXXd far = ArrayXXd::Zero(kRows, kColumns), first = far;
  Masks() {
    far.block<6, 18>(0, 18).setOnes();
    far.block<6, 18>(6, 0).setOnes();
    for (const int i : {0, 6})
      for (const int j : {0, 18}) first.block<3, 6>(i, j).setOnes();
  }
};

// A force k between two points on the displacements of these; each body's torque turns with it.
MatrixXd force_between_points(std::mt19937& generator, const Matrix3d& k) {
  MatrixXd moves = MatrixXd::Zero(3, kColumns), acts = MatrixXd::Zero(kRows, 3);
  MatrixXd A = MatrixXd::Zero(kRows, kColumns);
  for (const int body : {0, 1}) {
    const double sign = body == 0 ? 1.0 : -1.0;
    const Matrix3d arm = math::skew(random_vector(generator, 3));
    moves.middleCols<3>(18 * body) = sign * Matrix3d::Identity();
    moves.middleCols<3>(18 * body + 6) = -sign * arm;
    acts.middleRows<3>(6 * body) = sign * Matrix3d::Identity();
    acts.middleRows<3>(6 * body + 3) = sign * arm;
    A.block<3, 3>(6 * body + 3, 18 * body + 6) = math::skew(random_vector(generator, 3, 5.0)) * arm;
  }
  return A + acts * k * moves;
}

TEST(TangentProducts, AreThreeOfAForceBetweenPointsAndLeaveNothingStiff) {
  std::mt19937 generator(4);
  for (const double stiffness : {1.0, 1e3, 1e8, 1e12}) {
    SCOPED_TRACE(stiffness);
    const Vector3d along = random_vector(generator, 3).normalized();
    const Matrix3d k = 20.0 * Matrix3d::Identity() + stiffness * along * along.transpose();
    const MatrixXd whole = force_between_points(generator, k);
    MatrixXd A = whole;
    const Masks masks;
    const auto products = take_products(A, masks.far, masks.first);
    EXPECT_EQ(products.size(), 3U);
    MatrixXd sum = A;
    for (const auto& product : products) {
      EXPECT_NEAR(product.force.norm(), 1.0, 1e-14);
      sum += product.force * product.row.transpose();
    }
    const double size = whole.cwiseAbs().maxCoeff();
    EXPECT_LT((sum - whole).cwiseAbs().maxCoeff(), 1e-14 * size);
    EXPECT_LT((A.array() * masks.far).abs().maxCoeff(), 1e-14 * size);
    // The torques that turn.
    EXPECT_LT(A.cwiseAbs().maxCoeff(), 50.0 + 1e-14 * size);
  }
}

// Of any matrix, also where what is far is small beside what is near.
TEST(TangentProducts, AddUpToAnyMatrix) {
  std::mt19937 generator(5);
  for (const double near : {1.0, 1e6, 1e12}) {
    SCOPED_TRACE(near);
    const Masks masks;
    MatrixXd whole(kRows, kColumns);
    for (int i = 0; i < kRows; ++i) whole.row(i) = random_vector(generator, kColumns);
    whole.array() *= masks.far + near * (1.0 - masks.far);
    MatrixXd A = whole;
    const auto products = take_products(A, masks.far, masks.first);
    EXPECT_LE(products.size(), static_cast<std::size_t>(kRows));
    for (const auto& product : products) A += product.force * product.row.transpose();
    EXPECT_LT((A - whole).cwiseAbs().maxCoeff(), 1e-9 * near);
  }
}

}  // namespace
}  // namespace solidyn
