// A body on absolute coordinates gives the same motion on any number of ranks: every rank computes
// it alone and all of them together.
#include <gtest/gtest.h>

#include "bodies/body_solver.h"
#include "scoped_petsc_options.h"
#include "solid_bar.h"
#include "solidyn/base/mpi.h"
#include "solidyn/mesh/generators.h"

namespace solidyn::bodies {
namespace {

using Eigen::VectorXd;
using testing_support::SolidBar;
using testing_support::SolidBarOptions;

struct Result {
  VectorXd q, v;
  Energy energy;
  double largest_port_error = 0.0;  // elastic coordinates against the ports of the field
};

Result swing(MPI_Comm comm, mesh::Attachment attach, integrators::NewtonTangent tangent) {
  SolidBarOptions options;
  options.attach = attach;
  options.motion.q_WB = Eigen::Quaterniond(0.8, 0.2, -0.3, 0.4).normalized();
  options.motion.w_WB_B = {3.0, 0.0, 10.0};
  options.rayleigh_beta = 1e-4;
  SolidBar bar = testing_support::make_solid_bar(comm, options);
  integrators::GeneralizedAlphaOptions o;
  o.tolerance = 1e-12;
  o.tangent = tangent;
  const system::State s = testing_support::run_generalized_alpha(*bar.system, 0.02, 10, o);
  bar.system->update(s);
  Result result{s.q, s.v, bar.system->energy(s), 0.0};
  result.largest_port_error = (bar.body->ports_of(s.nodal[0].u) - s.q.head(bar.body->n_elastic()))
                                  .lpNorm<Eigen::Infinity>();
  return result;
}

void expect_equal(const Result& a, const Result& b) {
  ASSERT_EQ(a.q.size(), b.q.size());
  // What a rough solve leaves of the filtered accelerations at the start stays in the motion.
  EXPECT_LT((a.q - b.q).lpNorm<Eigen::Infinity>(), 1e-7);
  EXPECT_LT((a.v - b.v).norm(), 1e-5 * (1.0 + b.v.norm()));
  EXPECT_NEAR(a.energy.kinetic, b.energy.kinetic, 5e-7 * b.energy.kinetic);
  EXPECT_NEAR(a.energy.strain, b.energy.strain, 1e-5 * b.energy.strain);
  EXPECT_LT(a.largest_port_error, 1e-12);
}

class SolidBodyOnRanks : public testing::TestWithParam<mesh::Attachment> {};
INSTANTIATE_TEST_SUITE_P(Attachments, SolidBodyOnRanks,
                         testing::Values(mesh::Attachment::rbe3, mesh::Attachment::rbe2,
                                         mesh::Attachment::three_nodes));

TEST_P(SolidBodyOnRanks, MotionIsThatOfOneRankWithEitherTangent) {
  const auto kept = integrators::NewtonTangent::kept;
  const Result alone = swing(PETSC_COMM_SELF, GetParam(), kept);
  EXPECT_GT(alone.energy.strain, 1e-6);  // it does bend
  expect_equal(swing(PETSC_COMM_WORLD, GetParam(), kept), alone);
  expect_equal(swing(PETSC_COMM_WORLD, GetParam(), integrators::NewtonTangent::consistent), alone);
}

TEST_P(SolidBodyOnRanks, MotionIsThatOfConjugateGradients) {
  const auto kept = integrators::NewtonTangent::kept;
  const Result direct = swing(PETSC_COMM_SELF, GetParam(), kept);
  for (const char* preconditioner : {"gamg", "bjacobi", "mg"}) {
    for (const char* is_matrix_free : {"false", "true"}) {
      // The level of corners is for products without a matrix.
      if (preconditioner == std::string("mg") && is_matrix_free == std::string("false")) continue;
      SCOPED_TRACE(std::string(preconditioner) + ", matrix-free " + is_matrix_free);
      const test::ScopedPetscOptions options({"-body_ksp_type cg",
                                              std::string("-body_pc_type ") + preconditioner,
                                              std::string("-body_matrix_free ") + is_matrix_free});
      expect_equal(swing(PETSC_COMM_WORLD, GetParam(), kept), direct);
    }
  }
}

// The corners of so small a mesh have a factor, so that its cycle is the same on all ranks.
TEST(SolidBodyOnRanksByCorners, IterationsAreThoseOfOneRank) {
  const test::ScopedPetscOptions options({"-body_ksp_type cg", "-body_pc_type mg"});
  const auto iterations = [](MPI_Comm comm) {
    testing_support::SolidBarOptions bar_options;
    bar_options.attach = mesh::Attachment::rbe2;
    bar_options.motion.w_WB_B = {3.0, 0.0, 10.0};
    SolidBar bar = testing_support::make_solid_bar(comm, bar_options);
    testing_support::run_generalized_alpha(*bar.system, 0.01, 5, {});
    return bar.body->linear_iterations();
  };
  const int alone = iterations(PETSC_COMM_SELF);
  EXPECT_NEAR(iterations(PETSC_COMM_WORLD), alone, 2 + alone / 50);
  EXPECT_GT(alone, 5);
}

TEST(SolidBodyOnRanksByCorners, LinearElementsAreRefused) {
  const test::ScopedPetscOptions options({"-body_ksp_type cg", "-body_pc_type mg"});
  mesh::BoxOptions box;
  box.type = elements::ElementType::hex8;
  box.nx = 3, box.ny = 2, box.nz = 2;
  const auto make = [&] {
    const auto body = SolidBody::make(
        "brick",
        mesh::distribute(PETSC_COMM_WORLD,
                         base::rank(PETSC_COMM_WORLD) == 0 ? mesh::make_box(box) : mesh::Mesh{}),
        fem::IsotropicElastic{2e6, 0.3, 1000.0}, {});
    body->set_coefficients({1e4, 0.0, 1.0});
  };
  try {
    make();
    FAIL() << "accepted";
  } catch (const base::InputError& e) {
    EXPECT_NE(std::string(e.what()).find("-body_pc_type mg needs nodes in the middle of edges"),
              std::string::npos)
        << e.what();
  }
}

TEST_P(SolidBodyOnRanks, MotionIsThatOfAFactorInSinglePrecision) {
  const auto kept = integrators::NewtonTangent::kept;
  const Result direct = [&] {
    const test::ScopedPetscOptions options({"-body_precision double"});
    return swing(PETSC_COMM_SELF, GetParam(), kept);
  }();
  const test::ScopedPetscOptions options({"-body_precision single"});
  for (const MPI_Comm comm : {PETSC_COMM_SELF, PETSC_COMM_WORLD})
    expect_equal(swing(comm, GetParam(), kept), direct);
}

TEST(SolidBodyOnRanksWithOptions, FactorsAreKeptInSinglePrecisionByDefault) {
  const auto log_of = [](const std::vector<std::string>& given) {
    const test::ScopedPetscOptions options(given);
    const auto body = testing_support::make_solid_bar_body(PETSC_COMM_WORLD, {});
    testing::internal::CaptureStderr();
    body->set_coefficients({1e8, 0.0, 1.0});
    body->set_coefficients({2e8, 0.0, 1.0});
    return testing::internal::GetCapturedStderr();
  };
  const std::string words = "factor of the tangent in single precision", log = log_of({});
  const bool is_told = log.find(words) != std::string::npos;
  EXPECT_EQ(is_told, base::rank(PETSC_COMM_WORLD) == 0) << log;
  EXPECT_EQ(log.find(words), log.rfind(words));  // once
  for (const char* option : {"-body_precision double", "-body_pc_factor_mat_solver_type mumps"})
    EXPECT_EQ(log_of({option}).find(words), std::string::npos) << option;
}

TEST(SolverChoice, IsSinglePrecisionWhereOnlyThatFactorFitsIntoHalfOfTheMemory) {
  const double memory = 24e9;
  EXPECT_TRUE(choose_solver(11e9, memory) == SolverChoice::double_factor);
  EXPECT_TRUE(choose_solver(23e9, memory) == SolverChoice::single_factor);
  EXPECT_TRUE(choose_solver(25e9, memory) == SolverChoice::iterations);
}

TEST(SolidBodyOnRanksWithOptions, PrecisionIsRefusedByNameWhereItHasNoEffect) {
  const auto make = [] { testing_support::make_solid_bar_body(PETSC_COMM_WORLD, {}); };
  const auto text_of = [&]() -> std::string {
    try {
      make();
    } catch (const base::InputError& e) {
      return e.what();
    }
    return "accepted";
  };
  {
    const test::ScopedPetscOptions options({"-body_precision half"});
    EXPECT_NE(text_of().find("option -body_precision is `half`"), std::string::npos) << text_of();
  }
  const test::ScopedPetscOptions options({"-body_precision single", "-body_pc_type gamg"});
  EXPECT_NE(text_of().find("-body_pc_type takes another solver"), std::string::npos) << text_of();
}

// Nearly incompressible, and all but without inertia: nothing but it holds the bar.
TEST(SolidBodyOnRanksWithOptions, AnIllConditionedBodyGoesOnInDoublePrecisionAndSaysSo) {
  const test::ScopedPetscOptions options({"-body_precision single"});
  SolidBodyOptions of_body;
  of_body.points = {{"tip", {0.3, 0.0, 0.0}}};
  const bool is_first = base::rank(PETSC_COMM_WORLD) == 0;
  const auto body =
      SolidBody::make("bar",
                      mesh::distribute(PETSC_COMM_WORLD,
                                       is_first ? testing_support::make_bar_mesh() : mesh::Mesh()),
                      fem::IsotropicElastic{2e11, 0.499, 7800.0}, of_body);
  for (const auto& [mass, is_usable] : {std::pair{1e10, true}, {1.0, false}}) {
    testing::internal::CaptureStderr();
    body->set_coefficients({mass, 0.0, 1.0});
    const std::string log = testing::internal::GetCapturedStderr();
    if (is_first)
      EXPECT_EQ(
          log.find("is too ill-conditioned for a factor in single precision") == std::string::npos,
          is_usable)
          << log;
  }
}

// Of one element: all ranks but one own nothing.
TEST(SolidBodyOnRanksWithoutNodes, IsPreparedMoreThanOnce) {
  mesh::Mesh mesh;
  if (base::rank(PETSC_COMM_WORLD) == 0) {
    mesh.x.resize(3, 4);
    mesh.x << 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1;
    mesh.node_tags = {1, 2, 3, 4};
    mesh.blocks = {{elements::ElementType::tet4, {0, 1, 2, 3}, {1}}};
  }
  SolidBodyOptions options;
  options.points = {{"tip", {1.0, 0.0, 0.0}}};
  const auto body =
      SolidBody::make("tetrahedron", mesh::distribute(PETSC_COMM_WORLD, std::move(mesh)),
                      fem::IsotropicElastic{2e6, 0.3, 1000.0}, options);
  for (int i = 0; i < 2; ++i) {
    body->set_coefficients({1.0, 0.0, 0.0});
    body->set_coefficients({1e4, 0.0, 1.0});
  }
  EXPECT_EQ(body->n_elastic(), 3);
}

// As a contact would whose gap is 0 up to round-off.
class LastRankObjects final : public forces::Force {
 public:
  LastRankObjects() : Force("watch", {bodies::BodyIndex(0)}) {}
  void add_residual(const Kinematics&, double, Eigen::Ref<VectorXd>) const override {}
  void add_tangent(const Kinematics&, double, const TangentCoefficients&,
                   Eigen::Ref<Eigen::MatrixXd>, Eigen::Ref<Eigen::MatrixXd>) const override {}
  double power(const Kinematics&, double) const override { return 0.0; }
  std::string rejection(const Kinematics&, double) const override {
    const bool is_last = base::rank(PETSC_COMM_WORLD) == base::size(PETSC_COMM_WORLD) - 1;
    return is_last ? "watch objects" : "";
  }
};

TEST(SolidBodyOnRanksWithForces, StepsAreRefusedByAllRanksWhereOneObjects) {
  system::System system;
  system.add_body(testing_support::make_solid_bar_body(PETSC_COMM_WORLD, {}), {});
  system.add_force(std::make_unique<LastRankObjects>());
  system.finalize();
  system::State state = system.make_state();
  integrators::GeneralizedAlpha integrator(system, {});
  system.update(state);
  integrator.initialize(state);
  try {
    integrator.step(state, 1e-5);
    FAIL() << "this rank went on alone";
  } catch (const base::ComputationError& e) {
    EXPECT_NE(std::string(e.what()).find("the step is too long: watch objects"), std::string::npos);
  }
}

}  // namespace
}  // namespace solidyn::bodies
