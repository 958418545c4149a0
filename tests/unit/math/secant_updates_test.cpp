#include "math/secant_updates.h"

#include <gtest/gtest.h>

#include <random>

#include "random_numbers.h"

namespace solidyn::math {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd random_vector(int n) {
  static std::mt19937 generator(7);
  return testing_support::random_vector(generator, n);
}

// A z = b by corrections with another matrix B, which misses `n_missed` directions.
struct Problem {
  Problem(int n, int m, int n_missed, double miss) : n(n), B(MatrixXd::Identity(n + m, n + m)) {
    for (int i = 0; i < n + m; ++i) B(i, i) = 1.0 + 0.3 * i;
    MatrixXd E = MatrixXd::Zero(n + m, n + m);
    for (int k = 0; k < n_missed; ++k) {
      const VectorXd u = random_vector(n + m).normalized();
      VectorXd v = random_vector(n + m);
      v.tail(m).setZero();  // what is compared
      E += miss * u * v.normalized().transpose();
    }
    A = B * (MatrixXd::Identity(n + m, n + m) - E);
    z.setZero(n + m);
  }
  // @return size of the correction
  double correct(SecantUpdates* secants, const VectorXd& b) {
    const VectorXd d = B.partialPivLu().solve(b - A * z);
    VectorXd x = d.head(n), y = d.tail(d.size() - n);
    if (secants) secants->improve(VectorXd::Ones(n), x, y);
    z.head(n) += x;
    z.tail(y.size()) += y;
    return x.norm();
  }
  int corrections(SecantUpdates* secants, const VectorXd& b) {
    z.setZero();
    for (int i = 1; i <= 100; ++i)
      if (correct(secants, b) < 1e-12) return i;
    return 101;
  }
  int n;
  MatrixXd A, B;
  VectorXd z;
};

TEST(SecantUpdates, FindADirectionThatTheMatrixMisses) {
  Problem problem(12, 3, 1, 0.8);
  const VectorXd b = random_vector(15);
  const int without = problem.corrections(nullptr, b);
  SecantUpdates secants;
  const int with = problem.corrections(&secants, b);
  // What one direction misses is found by the second correction and gone with the third.
  EXPECT_LE(with, 4);
  EXPECT_GT(without, with);
  EXPECT_LT((problem.A * problem.z - b).norm(), 1e-11);
}

TEST(SecantUpdates, AreKeptForOtherRightHandSides) {
  Problem problem(12, 0, 1, 0.6);
  SecantUpdates secants;
  const VectorXd b = random_vector(12), next = b + 1e-3 * random_vector(12);
  problem.corrections(&secants, b);
  secants.break_off();
  const auto left_by_one = [&](SecantUpdates* kept) {
    problem.z.setZero();
    problem.correct(kept, next);
    return (problem.A * problem.z - next).norm();
  };
  EXPECT_LT(left_by_one(&secants), 0.5 * left_by_one(nullptr));
  secants.forget();
  EXPECT_EQ(secants.size(), 0);
}

// Beyond as many as are kept the oldest go, and the iteration still ends.
TEST(SecantUpdates, ForgetTheOldest) {
  Problem problem(40, 0, 20, 0.3);
  SecantUpdates secants;
  const VectorXd b = random_vector(40);
  const int with = problem.corrections(&secants, b);
  EXPECT_LE(with, 100);
  EXPECT_EQ(secants.size(), 8);
  EXPECT_LT((problem.A * problem.z - b).norm(), 1e-10);
}

// A matrix that is off as a whole teaches nothing: no update divides by nearly zero.
TEST(SecantUpdates, LeaveOutWhatDividesByNothing) {
  SecantUpdates secants;
  const VectorXd s = random_vector(5), none;
  VectorXd x = s, y = none;
  secants.improve(VectorXd::Ones(5), x, y);
  EXPECT_EQ((x - s).norm(), 0.0);
  secants.improve(VectorXd::Ones(5), x, y);  // the same correction again
  EXPECT_EQ(secants.size(), 0);
  EXPECT_EQ((x - s).norm(), 0.0);
}

// A correction that does not follow the last one is taken as it is.
TEST(SecantUpdates, LearnNothingAcrossABreak) {
  SecantUpdates secants;
  VectorXd x = random_vector(5), y = random_vector(2);
  secants.improve(VectorXd::Ones(5), x, y);
  secants.break_off();
  const VectorXd next_x = random_vector(5), next_y = random_vector(2);
  x = next_x;
  y = next_y;
  secants.improve(VectorXd::Ones(5), x, y);
  EXPECT_EQ((x - next_x).norm() + (y - next_y).norm(), 0.0);
  EXPECT_EQ(secants.size(), 0);
}

}  // namespace
}  // namespace solidyn::math
