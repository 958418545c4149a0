// What Newton's iteration is made of: acceleration, renewal of tangents, saddle-point solves.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "integrators/anderson_acceleration.h"
#include "integrators/saddle_point_solve.h"
#include "random_bodies.h"
#include "solidyn/integrators/extrapolation.h"
#include "solvers/tangent_renewal.h"

namespace solidyn::integrators {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using solvers::TangentRenewal;
using testing_support::random_number;
using testing_support::random_vector;

MatrixXd random_matrix(std::mt19937& generator, int rows, int columns) {
  MatrixXd m(rows, columns);
  for (int j = 0; j < columns; ++j) m.col(j) = random_vector(generator, rows);
  return m;
}

base::Vec nodal_vector(const VectorXd& values) {
  base::Vec v;
  SOLIDYN_PETSC(VecCreateSeq(PETSC_COMM_SELF, static_cast<PetscInt>(values.size()), v.out()));
  for (PetscInt i = 0; i < values.size(); ++i)
    SOLIDYN_PETSC(VecSetValue(v, i, values[i], INSERT_VALUES));
  SOLIDYN_PETSC(VecAssemblyBegin(v));
  SOLIDYN_PETSC(VecAssemblyEnd(v));
  return v;
}

VectorXd values_of(const base::Vec& v) {
  PetscInt n;
  SOLIDYN_PETSC(VecGetSize(v, &n));
  VectorXd values(n);
  for (PetscInt i = 0; i < n; ++i) SOLIDYN_PETSC(VecGetValues(v, 1, &i, &values[i]));
  return values;
}

// A x = b with the tangent of another matrix, n unknowns, of which some are nodal. @return errors
// after each correction
std::vector<double> errors_of_iteration(const MatrixXd& A, const MatrixXd& tangent, int n_small,
                                        int n_nodal, bool accelerates, int n_iterations) {
  const auto n = A.rows();
  std::mt19937 generator(3);
  const VectorXd solution = random_vector(generator, static_cast<int>(n)), b = A * solution;
  VectorXd x = VectorXd::Zero(n);
  AndersonAcceleration acceleration;
  acceleration.reset();
  std::vector<double> errors;
  for (int i = 0; i < n_iterations; ++i) {
    const VectorXd d = tangent.partialPivLu().solve(b - A * x);
    VectorXd small = d.head(n_small);
    std::vector<base::Vec> nodal;
    if (n_nodal > 0) nodal.push_back(nodal_vector(d.tail(n_nodal)));
    if (accelerates) acceleration.accelerate(VectorXd::Ones(n_small), 1.0, small, nodal);
    x.head(n_small) += small;
    if (n_nodal > 0) x.tail(n_nodal) += values_of(nodal[0]);
    errors.push_back((x - solution).norm() / solution.norm());
  }
  return errors;
}

// Walker & Ni (2011), theorem 2.2: as GMRES, it is done when corrections span what is wrong of the
// tangent, three directions here, and one more.
TEST(AndersonAcceleration, FindsTheFewDirectionsThatATangentHasWrong) {
  std::mt19937 generator(1);
  for (const int n_nodal : {0, 6}) {
    const int n = 12;
    const MatrixXd tangent = 10.0 * MatrixXd::Identity(n, n) + 0.5 * random_matrix(generator, n, n);
    const MatrixXd A = tangent + random_matrix(generator, n, 3) * random_matrix(generator, 3, n);
    const std::vector<double> with = errors_of_iteration(A, tangent, n - n_nodal, n_nodal, true, 5);
    EXPECT_LT(with[4], 1e-9) << n_nodal;
    EXPECT_GT(with[2], 1e-6) << n_nodal;
  }
}

// The plain iteration diverges: the tangent is three times too soft in one direction.
TEST(AndersonAcceleration, ConvergesWhereThePlainIterationDoesNot) {
  const int n = 8;
  const MatrixXd tangent = MatrixXd::Identity(n, n);
  MatrixXd A = tangent;
  A(0, 0) = 3.0;
  A(3, 3) = 0.2;
  EXPECT_GT(errors_of_iteration(A, tangent, n, 0, false, 6).back(), 10.0);
  EXPECT_LT(errors_of_iteration(A, tangent, n, 0, true, 6).back(), 1e-12);
}

TEST(AndersonAcceleration, LeavesTheFirstCorrectionAndOneAfterAResetAlone) {
  std::mt19937 generator(5);
  AndersonAcceleration acceleration;
  std::vector<base::Vec> nodal;
  for (int i = 0; i < 3; ++i) {
    acceleration.reset();
    const VectorXd given = random_vector(generator, 5);
    VectorXd x = given;
    acceleration.accelerate(VectorXd::Ones(4), 1.0, x, nodal);
    EXPECT_EQ(x, given);
    x = given;
    acceleration.accelerate(VectorXd::Ones(4), 1.0, x, nodal);  // as the last: no way to go
    EXPECT_TRUE(x.allFinite());
  }
}

// Dozens of iterations with a memory of eight: the oldest goes, the others stay matched.
TEST(AndersonAcceleration, ForgetsTheOldestBeyondItsDepth) {
  std::mt19937 generator(8);
  const int n = 40;
  const MatrixXd tangent = 6.0 * MatrixXd::Identity(n, n);
  const MatrixXd A = tangent + 0.7 * random_matrix(generator, n, n);
  const std::vector<double> errors = errors_of_iteration(A, tangent, n, 0, true, 40);
  EXPECT_LT(errors[39], 1e-6);
  for (const double error : errors) EXPECT_TRUE(std::isfinite(error));
}

TEST(TangentRenewal, IsDueWhenTheIterationsThatItCostAddUpToANewOne) {
  TangentRenewal renewal(10.0);
  renewal.start_step();
  for (const int first : {3, 4, 5}) renewal.finish_step(first);  // four in the mean
  EXPECT_FALSE(renewal.is_due());
  for (int i = 0; i < 3; ++i) renewal.finish_step(7);
  EXPECT_FALSE(renewal.is_due());  // nine
  renewal.finish_step(5);
  EXPECT_TRUE(renewal.is_due());
  renewal.renew();
  EXPECT_FALSE(renewal.is_due());
  EXPECT_TRUE(renewal.is_of_this_step());
  renewal.start_step();
  EXPECT_FALSE(renewal.is_of_this_step());
  for (int i = 0; i < 3; ++i) renewal.finish_step(20);  // usual with this tangent
  EXPECT_FALSE(renewal.is_due());
  renewal.finish_step(30);
  EXPECT_TRUE(renewal.is_due());
  renewal.keep();
  EXPECT_FALSE(renewal.is_due());
  renewal.finish_step(25);
  EXPECT_FALSE(renewal.is_due());  // keep() remembers that 20 are usual: five wasted
}

// Steps that need one iteration more or less by turns say nothing of their tangent.
TEST(TangentRenewal, IsNotDueWhereSingleStepsAreLucky) {
  TangentRenewal renewal(10.0);
  renewal.start_step();
  for (int i = 0; i < 200; ++i) {
    renewal.finish_step(i % 3 == 1 ? 2 : 3);
    EXPECT_FALSE(renewal.is_due()) << i;
  }
}

// @return after how many corrections of this rate a new tangent is asked for; 0: never
int corrections_until_slow(double rate, double allowed) {
  TangentRenewal renewal(10.0);
  renewal.start_step();
  double correction = 1.0;
  for (int i = 1; i <= 60; ++i, correction *= rate)
    if (renewal.is_too_slow(correction, allowed)) return i;
  return 0;
}

// Ten iterations more at the rate of the last four pay for a new tangent.
TEST(TangentRenewal, IsAskedForWhereTheRestWouldTakeLonger) {
  EXPECT_EQ(corrections_until_slow(0.01, 1e-10), 0);  // six iterations in all
  EXPECT_EQ(corrections_until_slow(0.1, 1e-10), 0);   // after the fifth, six are left
  EXPECT_EQ(corrections_until_slow(0.1, 1e-20), 5);   // after the fifth, sixteen
  EXPECT_EQ(corrections_until_slow(0.9, 1e-10), 5);
  EXPECT_EQ(corrections_until_slow(1.0, 1e-10), 5);
  EXPECT_EQ(corrections_until_slow(2.0, 1e-10), 5);  // grows
  EXPECT_EQ(corrections_until_slow(0.9, 10.0), 0);   // converged
}

// [S G^T; G -epsilon] as a solver sees it.
struct SaddlePoint {
  SaddlePoint(const MatrixXd& S, const MatrixXd& G, double epsilon)
      : n_v(static_cast<int>(S.rows())),
        n_l(static_cast<int>(G.rows())),
        solver(solvers::make_linear_solver(solvers::Preset::small, n_v + n_l)),
        solve(*solver, n_v, n_l, epsilon) {
    MatrixXd K(n_v + n_l, n_v + n_l);
    K << S, G.transpose(), G, -epsilon * MatrixXd::Identity(n_l, n_l);
    solvers::BlockIndices all;
    for (int i = 0; i < n_v + n_l; ++i) {
      all.rows.push_back(i);
      all.cols.push_back(i);
    }
    solver->set_pattern(n_v + n_l, {all});
    solver->set_zero();
    solver->add_block(0, K);
    solver->factor();
  }
  int n_v, n_l;
  std::unique_ptr<solvers::LinearSolver> solver;
  SaddlePointSolve solve;
};

MatrixXd random_spd(std::mt19937& generator, int n) {
  const MatrixXd R = random_matrix(generator, n, n);
  return R * R.transpose() + MatrixXd::Identity(n, n);
}

// Rows that say twice what others say: x is that of the independent ones, y the smallest.
TEST(SaddlePointSolve, GivesTheMultipliersOfLeastNormOfDependentRows) {
  std::mt19937 generator(11);
  const int n_v = 7;
  const MatrixXd S = random_spd(generator, n_v), G_0 = random_matrix(generator, 3, n_v);
  MatrixXd G(5, n_v);
  G << G_0, 2.0 * G_0.row(0) - G_0.row(2), -0.5 * G_0.row(1);
  const VectorXd f = random_vector(generator, n_v), g = G * random_vector(generator, n_v);
  SaddlePoint saddle(S, G, 1e-9);
  VectorXd rhs(n_v + 5), x;
  rhs << f, g;
  saddle.solve.solve(rhs, x);
  EXPECT_LT((S * x.head(n_v) + G.transpose() * x.tail(5) - f).norm(), 1e-7 * f.norm());
  EXPECT_LT((G * x.head(n_v) - g).norm(), 1e-7 * g.norm());
  const MatrixXd Gt = G.transpose();
  const VectorXd least = Gt.completeOrthogonalDecomposition().solve(VectorXd(f - S * x.head(n_v)));
  EXPECT_LT((x.tail(5) - least).norm(), 1e-6 * least.norm());
}

// What contradicts itself by round-off is left out: divided by epsilon it would be everything.
TEST(SaddlePointSolve, LeavesOutWhatNoSolutionCanMeet) {
  std::mt19937 generator(12);
  const int n_v = 4;
  const MatrixXd S = random_spd(generator, n_v), G_0 = random_matrix(generator, 1, n_v);
  MatrixXd G(2, n_v);
  G << G_0, G_0;
  SaddlePoint saddle(S, G, 1e-10);
  VectorXd rhs = VectorXd::Zero(n_v + 2), x;
  rhs.tail(2) = Eigen::Vector2d(1e-12, -1e-12);
  saddle.solve.solve(rhs, x);
  VectorXd plain;
  saddle.solver->solve(rhs, plain);
  EXPECT_GT(plain.norm(), 0.01);
  EXPECT_LT(x.norm(), 1e-5 * plain.norm());
  const VectorXd multipliers = Eigen::Vector2d(5.0, 1.0);
  EXPECT_LT((saddle.solve.null_part(multipliers) - Eigen::Vector2d(2, -2)).norm(), 1e-6);
}

TEST(SaddlePointSolve, WithoutRegularisationIsAPlainSolve) {
  std::mt19937 generator(13);
  const MatrixXd S = random_spd(generator, 5), G = random_matrix(generator, 2, 5);
  SaddlePoint saddle(S, G, 0.0);
  const VectorXd solution = random_vector(generator, 7);
  VectorXd rhs(7), x;
  rhs << S * solution.head(5) + G.transpose() * solution.tail(2), G * solution.head(5);
  saddle.solve.solve(rhs, x);
  EXPECT_LT((x - solution).norm(), 1e-11 * solution.norm());
  EXPECT_TRUE(saddle.solve.null_part(Eigen::Vector2d(3, 4)).isZero(0.0));
}

// Values of a polynomial of this order in two components, in steps of several lengths; those at the
// end of the last step that Extrapolation finds from those before.
struct Extrapolated {
  int order;
  double error;
};
Extrapolated extrapolate_polynomial(int degree) {
  Extrapolation extrapolation;
  const auto value = [&](double t) {
    return VectorXd(Eigen::Vector2d(std::pow(t, degree), 2.0 - 3.0 * std::pow(t, degree)));
  };
  const VectorXd weights = Eigen::Vector2d(1.0, 0.5);
  double t = 1.0;
  VectorXd now = value(t);
  for (const double h : {0.1, 0.2, 0.15, 0.1, 0.3, 0.2}) {
    const VectorXd next = value(t + h);
    const VectorXd l = -now, l_next = -next;
    extrapolation.note(h, {now, l}, {next, l_next}, weights, Extrapolation::Most::nearest);
    t += h;
    now = next;
  }
  VectorXd a = now, lambda = -now;
  extrapolation.extrapolate(0.25, a, lambda);
  EXPECT_LT((a + lambda).norm(), 1e-14 * a.norm());
  return {extrapolation.order(), (a - value(t + 0.25)).norm()};
}

TEST(Extrapolation, IsExactOfPolynomialsUpToTheThirdOrder) {
  for (int degree = 1; degree <= 3; ++degree) {
    const Extrapolated cubic = extrapolate_polynomial(degree);
    EXPECT_GE(cubic.order, degree);
    EXPECT_LT(cubic.error, 1e-12);
  }
  EXPECT_GT(extrapolate_polynomial(4).error, 1e-4);
}

// Of t^degree and its opposite after twenty steps of one length, of which Newton's iteration leaves
// `noise` that changes sign.
Extrapolated extrapolate_equal_steps(int degree, double noise, double last_step,
                                     Extrapolation::Most most = Extrapolation::Most::nearest) {
  Extrapolation extrapolation;
  const VectorXd weights = VectorXd::Ones(1);
  constexpr double h = 0.1;
  const auto value = [&](int i) {
    return VectorXd(VectorXd::Constant(1, std::pow(i * h, degree) + (i % 2 == 0 ? noise : -noise)));
  };
  constexpr int n = 20;
  for (int i = 0; i < n; ++i) {
    const VectorXd before = value(i), now = value(i + 1), opposite = -before, opposite_now = -now;
    extrapolation.note(h, {before, opposite}, {now, opposite_now}, weights, most);
  }
  VectorXd a = value(n), lambda = -a;
  extrapolation.extrapolate(last_step, a, lambda);
  EXPECT_LT((a + lambda).norm(), 1e-14 * a.norm());
  return {extrapolation.order(), std::abs(a[0] - std::pow(n * h + last_step, degree))};
}

TEST(Extrapolation, IsExactOfPolynomialsOfOrderFiveAfterEqualSteps) {
  for (int degree = 4; degree <= 5; ++degree)
    EXPECT_LT(extrapolate_equal_steps(degree, 0.0, 0.1).error, 1e-11);
  EXPECT_GT(extrapolate_equal_steps(6, 0.0, 0.1).error, 1e-6);
}

// Four values make fifteen times as much of it: 1 = 4 x_0 - 6 x_1 + 4 x_2 - x_3.
TEST(Extrapolation, DampsWhatIterationsLeave) {
  const Extrapolated smooth = extrapolate_equal_steps(3, 1e-6, 0.1);
  EXPECT_EQ(smooth.order, 5);
  EXPECT_LT(smooth.error, 5e-6);
  EXPECT_GT(extrapolate_equal_steps(3, 1e-6, 0.1, Extrapolation::Most::cubic).error, 1.4e-5);
}

TEST(Extrapolation, GoesThroughTheLastValuesWhereTheStepChanges) {
  EXPECT_LT(extrapolate_equal_steps(3, 0.0, 0.03).error, 1e-12);
  // Of the cubic 120 t / 4! times 0.03 0.13 0.23 0.33.
  EXPECT_LT(extrapolate_equal_steps(5, 0.0, 0.03).error, 3e-3);
}

// Accelerations and multipliers that are guessed by Most::clearly.
struct Careful {
  Extrapolation extrapolation;
  VectorXd a = VectorXd::Zero(1), lambda = VectorXd::Zero(1);
  void go_on(double h, double next_a, double next_lambda) {
    const VectorXd a_now = VectorXd::Constant(1, next_a),
                   lambda_now = VectorXd::Constant(1, next_lambda);
    extrapolation.note(h, {a, lambda}, {a_now, lambda_now}, VectorXd::Ones(1),
                       Extrapolation::Most::clearly);
    a = a_now;
    lambda = lambda_now;
  }
  double guessed_a(double h) const { return guess(h).first; }
  double guessed_lambda(double h) const { return guess(h).second; }

 private:
  std::pair<double, double> guess(double h) const {
    VectorXd next_a = a, next_lambda = lambda;
    extrapolation.extrapolate(h, next_a, next_lambda);
    return {next_a[0], next_lambda[0]};
  }
};

double cubic(double i) { return 2.0 + i * (1.0 + i * (0.5 - 0.02 * i)); }

// Clearly better in each of the last two steps: the cubic is known from the fourth step on.
TEST(Extrapolation, GuessesAccelerationsBeyondTheLineWhereThatWasClearlyBetterTwice) {
  Careful careful;
  careful.a << cubic(0);
  for (int i = 1; i <= 4; ++i) careful.go_on(0.1, cubic(i), 0.0);
  EXPECT_LE(careful.extrapolation.order(), 2);
  careful.go_on(0.1, cubic(5), 0.0);
  EXPECT_EQ(careful.extrapolation.order(), 3);
  EXPECT_NEAR(careful.guessed_a(0.1), cubic(6), 1e-12);
  EXPECT_NEAR(careful.guessed_a(0.05), cubic(5.5), 1e-12);
  careful.go_on(0.1, cubic(6) + 1.0, 0.0);  // a step that no guess foresees
  EXPECT_LE(careful.extrapolation.order(), 1);
  careful.extrapolation.forget();
  EXPECT_EQ(careful.guessed_a(0.1), careful.a[0]);
}

double wave(int i) { return std::sin(0.05 * i); }

// Twelve steps of a cubic in which multipliers follow a wave.
Careful after_a_wave() {
  Careful careful;
  careful.a << cubic(0);
  careful.lambda << wave(0);
  for (int i = 1; i <= 12; ++i) careful.go_on(0.1, cubic(i), wave(i));
  return careful;
}

TEST(Extrapolation, GuessesMultipliersNearlyAsTheCubicAfterEqualSteps) {
  const Careful careful = after_a_wave();
  const double of_line = wave(13) - 2.0 * wave(12) + wave(11);
  EXPECT_LT(std::abs(careful.guessed_lambda(0.1) - wave(13)), 0.05 * std::abs(of_line));
  EXPECT_NEAR(careful.guessed_lambda(0.05), 1.5 * wave(12) - 0.5 * wave(11), 1e-12);
}

// What comes into them in one step has a slope of 1 / (1 - 0.9)^2 = 100 times itself in the end,
// and no more, where nothing corrects them; along the cubic it would grow by the third power of
// time.
TEST(Extrapolation, LetsWhatNothingCorrectsInMultipliersGrowAlongALine) {
  const auto left_alone = [](double noise, int n_steps) {
    Careful careful = after_a_wave();
    for (int i = 1; i <= n_steps; ++i)
      careful.go_on(0.1, cubic(12 + i), careful.guessed_lambda(0.1) + (i == 1 ? noise : 0.0));
    return careful.lambda[0];
  };
  constexpr double kNoise = 1e-6;
  const auto grown = [&](int n) { return (left_alone(kNoise, n) - left_alone(0.0, n)) / kNoise; };
  EXPECT_NEAR((grown(200) - grown(150)) / 50.0, 100.0, 10.0);
  EXPECT_NEAR((grown(1000) - grown(950)) / 50.0, 100.0, 10.0);
}

// As after an impact.
TEST(Extrapolation, TrustsNoJump) {
  Extrapolation extrapolation;
  const VectorXd none = VectorXd::Zero(1), one = VectorXd::Ones(1);
  for (int i = 0; i < 3; ++i)
    extrapolation.note(0.1, {none, none}, {none, none}, one, Extrapolation::Most::nearest);
  extrapolation.note(0.1, {none, none}, {one, none}, one, Extrapolation::Most::nearest);
  EXPECT_EQ(extrapolation.order(), 0);
}

}  // namespace
}  // namespace solidyn::integrators
