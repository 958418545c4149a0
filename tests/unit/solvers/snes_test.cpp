// PETSc's SNES on equations of ours: it converges, shortens steps over which the equations object,
// hands on what they throw, and takes options.
#include "solidyn/solvers/snes.h"

#include <gmock/gmock.h>

#include <cmath>

namespace solidyn::solvers {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// atan(a) = 1/2 and a + b^3 = 9: from a = 3 whole corrections of the first diverge.
class TwoEquations final : public NonlinearEquations {
 public:
  double farthest = 1e300;  // where evaluate() objects
  bool is_singular = false;
  double noise = 0.0;  // of the residual, from one evaluation to the next
  int evaluations = 0;

  void evaluate(const VectorXd& y, VectorXd& f) override {
    ++evaluations;
    if (std::abs(y[0]) > farthest) throw base::ComputationError("too far");
    f.resize(2);
    f << std::atan(y[0]) - 0.5, y[0] + y[1] * y[1] * y[1] - 9.0;
    f.array() += noise * evaluations;
    f_ = f;
  }
  void linearise(const VectorXd& y) override {
    if (is_singular) throw base::ComputationError("singular");
    J_ << 1.0 / (1.0 + y[0] * y[0]), 0.0, 1.0, 3.0 * y[1] * y[1];
  }
  void solve(const VectorXd& b, VectorXd& x) override { x = J_.lu().solve(b); }
  VectorXd product(const VectorXd& x) override { return J_ * x; }
  bool has_converged(const VectorXd& update) override { return update.norm() < 1e-12; }
  bool is_at_round_off(const VectorXd& y) override {
    linearise(y);
    return J_.lu().solve(f_).norm() < 1e-12;
  }

 private:
  Eigen::Matrix2d J_;
  Eigen::Vector2d f_;
};

const double kFirst = std::tan(0.5), kSecond = std::cbrt(9.0 - kFirst);

VectorXd start() { return Eigen::Vector2d(3.0, 2.0); }

TEST(Snes, ConvergesWhereWholeCorrectionsDiverge) {
  TwoEquations equations;
  Snes snes(equations, 2, 50, SNESLINESEARCHBT);
  VectorXd y = start();
  ASSERT_TRUE(snes.solve(y)) << snes.reason();
  EXPECT_NEAR(y[0], kFirst, 1e-12);
  EXPECT_NEAR(y[1], kSecond, 1e-12);
  EXPECT_GT(equations.evaluations, snes.iterations() + 1);  // the line search has tried
}

TEST(Snes, ShortensStepsThatTheEquationsObjectTo) {
  TwoEquations equations;
  equations.farthest = 3.5;
  Snes snes(equations, 2, 50, SNESLINESEARCHBT);
  VectorXd y = start();
  ASSERT_TRUE(snes.solve(y)) << snes.reason();
  EXPECT_NEAR(y[0], kFirst, 1e-12);
}

TEST(Snes, HandsOnWhatEndsTheIteration) {
  TwoEquations equations;
  Snes snes(equations, 2, 50, SNESLINESEARCHBT);
  VectorXd y = start();
  equations.is_singular = true;
  EXPECT_THROW(snes.solve(y), base::ComputationError);
  equations.is_singular = false;
  y = start();
  EXPECT_TRUE(snes.solve(y)) << "and begins anew";
  equations.farthest = 0.0;  // nothing can be evaluated
  y = start();
  EXPECT_THROW(snes.solve(y), base::ComputationError);
}

TEST(Snes, SaysWhyItHasNotConverged) {
  TwoEquations equations;
  Snes snes(equations, 2, 1, SNESLINESEARCHBT);
  VectorXd y = start();
  EXPECT_FALSE(snes.solve(y));
  EXPECT_EQ(snes.reason(), "DIVERGED_MAX_IT");
}

// From the solution, of which the residual is not quite zero and becomes no less.
TEST(Snes, EndsWhereRoundOffIsLeft) {
  for (const char* options : {"-system_snes_type newtonls", "-system_snes_type newtontr"}) {
    SOLIDYN_PETSC(PetscOptionsInsertString(nullptr, options));
    TwoEquations equations;
    equations.noise = 1e-15;
    Snes snes(equations, 2, 50, SNESLINESEARCHBT);
    VectorXd y = Eigen::Vector2d(kFirst, kSecond);
    EXPECT_TRUE(snes.solve(y)) << options << ": " << snes.reason();
    EXPECT_NEAR(y[0], kFirst, 1e-12) << options;
    EXPECT_LT(equations.evaluations, 100) << options;
    equations.noise = 0.1;  // far from a solution no more than from one
    EXPECT_FALSE(snes.solve(y)) << options;
    SOLIDYN_PETSC(PetscOptionsClearValue(nullptr, "-system_snes_type"));
  }
}

TEST(Snes, TakesOptions) {
  for (const char* options : {"-system_snes_type newtontr", "-system_snes_linesearch_type l2",
                              "-system_snes_ksp_type gmres", "-system_snes_lag_jacobian 2"}) {
    SOLIDYN_PETSC(PetscOptionsInsertString(nullptr, options));
    TwoEquations equations;
    Snes snes(equations, 2, 200, SNESLINESEARCHBT);
    VectorXd y = start();
    EXPECT_TRUE(snes.solve(y)) << options << ": " << snes.reason();
    EXPECT_NEAR(y[0], kFirst, 1e-9) << options;
    const std::string name = std::string(options).substr(0, std::string(options).rfind(' '));
    SOLIDYN_PETSC(PetscOptionsClearValue(nullptr, name.c_str()));
  }
}

TEST(Snes, RefusesOptionsThatWouldTakeAnythingForASolution) {
  for (const char* options : {"-system_snes_type ksponly", "-system_snes_convergence_test skip",
                              "-system_snes_rtol 1e-3", "-system_snes_fd"}) {
    SOLIDYN_PETSC(PetscOptionsInsertString(nullptr, options));
    TwoEquations equations;
    EXPECT_THROW(Snes(equations, 2, 50, SNESLINESEARCHBT), base::InputError) << options;
    const std::string name = std::string(options).substr(0, std::string(options).rfind(' '));
    SOLIDYN_PETSC(PetscOptionsClearValue(nullptr, name.c_str()));
  }
}

}  // namespace
}  // namespace solidyn::solvers
