// A full-mesh body gives the same motion on any number of ranks: every rank computes it alone and
// all of them together.
#include <gtest/gtest.h>

#include "elastic_field.h"
#include "mechanisms.h"
#include "selections.h"
#include "solid_bar.h"
#include "solidyn/base/mpi.h"
#include "solidyn/joints/linear_condition.h"
#include "solidyn/mesh/generators.h"

namespace solidyn::bodies {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

const fem::IsotropicElastic kRubber{2e6, 0.3, 1000.0};

std::unique_ptr<FloatingFrameBody> make_body(MPI_Comm comm, fem::MassKind kind) {
  FloatingFrameOptions options;
  options.mass = kind;
  options.rayleigh_beta = 1e-5;
  options.interfaces = {test::at_set("x_min", mesh::Attachment::rbe3),
                        test::at_set("x_max", mesh::Attachment::virtual_body)};
  options.points = {{"middle", {0.15, 0.025, 0.02}}};
  return FloatingFrameBody::make(
      "bar",
      mesh::distribute(comm,
                       base::rank(comm) == 0 ? testing_support::make_bar_mesh() : mesh::Mesh{}),
      kRubber, options);
}

struct Result {
  VectorXd q, v, a, lambda;
  Energy energy;
  double largest_port_error = 0.0;  // elastic coordinates against the ports of the field
};

Result swing(MPI_Comm comm, fem::MassKind kind) {
  system::System system;
  auto body = make_body(comm, kind);
  const FloatingFrameBody& bar = *body;
  system::InitialMotion motion;
  motion.w_WB_B = {3.0, 0.0, 0.0};
  const reduction::ReducedInterface& i = bar.interfaces()[0];
  motion.v_WB = -motion.w_WB_B.cross(i.x_B);
  Frame on_body;
  on_body.body = bodies::BodyIndex(0);
  on_body.x_B = i.x_B;
  on_body.Psi_t = i.Psi_t;
  on_body.Psi_r = i.Psi_r;
  Frame on_ground;
  on_ground.x_B = i.x_B;
  system.add_body(std::move(body), motion);
  system.add_constraint(std::make_unique<joints::LinearCondition>(
      "mean axis", bodies::BodyIndex(0), bar.mean_axis_rows(),
      FloatingFrameBody::mean_axis_row_names()));
  const auto A = system.add_frame(on_ground), B = system.add_frame(on_body);
  joints::JointRows rows = joints::joint_rows(joints::JointType::spherical);
  system.add_constraint(
      std::make_unique<joints::Joint>("joint", system.link(A, B), rows.primitives, rows.names));
  system.set_gravity({0.0, -9.81, 2.0});
  system.finalize();
  integrators::GeneralizedAlphaOptions options;
  options.tolerance = 1e-12;
  const system::State s = testing_support::run_generalized_alpha(system, 0.02, 10, options);
  system.update(s);
  Result result{s.q, s.v, s.a, s.lambda, system.energy(s), 0.0};
  result.largest_port_error =
      (bar.ports_of(s.nodal[0].u) - s.q.tail(bar.n_elastic())).lpNorm<Eigen::Infinity>();
  return result;
}

class FloatingFrameOnRanks : public testing::TestWithParam<fem::MassKind> {};
INSTANTIATE_TEST_SUITE_P(Mass, FloatingFrameOnRanks,
                         testing::Values(fem::MassKind::lumped, fem::MassKind::consistent));

TEST_P(FloatingFrameOnRanks, MotionIsThatOfOneRank) {
  const Result together = swing(PETSC_COMM_WORLD, GetParam());
  const Result alone = swing(PETSC_COMM_SELF, GetParam());
  ASSERT_EQ(together.q.size(), alone.q.size());
  EXPECT_GT(alone.q.tail<9>().norm(), 5e-4);  // displacements of the free end: it does bend
  EXPECT_LT((together.q - alone.q).lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_LT((together.v - alone.v).norm(), 1e-9 * (1.0 + alone.v.norm()));
  EXPECT_LT((together.a - alone.a).norm(), 1e-7 * alone.a.norm());
  EXPECT_LT((together.lambda - alone.lambda).norm(), 1e-7 * alone.lambda.norm());
  EXPECT_NEAR(together.energy.kinetic, alone.energy.kinetic, 1e-9 * alone.energy.kinetic);
  EXPECT_NEAR(together.energy.strain, alone.energy.strain, 1e-7 * alone.energy.strain);
  EXPECT_LT(together.largest_port_error, 1e-13);
}

TEST_P(FloatingFrameOnRanks, SmallVectorsAreBitwiseTheSameOnAllRanks) {
  const Result result = swing(PETSC_COMM_WORLD, GetParam());
  for (const VectorXd* mine : {&result.q, &result.v, &result.a, &result.lambda}) {
    std::vector<double> first(mine->data(), mine->data() + mine->size());
    base::broadcast(PETSC_COMM_WORLD, first);
    EXPECT_EQ(Eigen::Map<const VectorXd>(first.data(), mine->size()), *mine);
  }
}

TEST(FloatingFrameField, ReachesGhostNodes) {
  const auto body = make_body(PETSC_COMM_WORLD, fem::MassKind::lumped);
  const NodalState state = body->make_state();
  const auto f = [](const Vector3d& x) { return Vector3d(x.y() * x.x(), x.x() * x.x(), x.z()); };
  testing_support::set_elastic_field(*body, f, state.u);
  EXPECT_LT(body->ports_of(state.u).head<6>().norm(), 1e-15);
  const Eigen::Matrix3Xd u = body->on_local_nodes(state.u);
  ASSERT_EQ(u.cols(), body->mesh().n_local());
  // f less a rigid motion: f(x) - f(y) and u(x) - u(y) then differ by a rotation of x - y only.
  for (int i = 0; i < 10; ++i) {
    const int a = i, b = static_cast<int>(u.cols()) - 1 - i;
    const Vector3d x = body->mesh().x.col(a), y = body->mesh().x.col(b);
    const Vector3d difference = (u.col(a) - u.col(b)) - (f(x) - f(y));
    EXPECT_LT(std::abs(difference.dot(x - y)), 1e-14);
  }
}

}  // namespace
}  // namespace solidyn::bodies
