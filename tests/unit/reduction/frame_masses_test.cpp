// Rigid masses on frames of a body: M + W^T M6 W, against dense matrices of the small mesh.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "irregular_bar.h"
#include "selections.h"
#include "serial_matrices.h"
#include "solidyn/base/error.h"
#include "solidyn/base/petsc.h"
#include "solidyn/math/rotation.h"
#include "solidyn/reduction/reduce_modes.h"

namespace solidyn::reduction {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::skew;
using mesh::Attachment;

constexpr double kTwoPi = 6.283185307179586;

// As make_bar(), with few nodes: references are dense.
mesh::DistributedMesh make_short_bar() {
  mesh::BoxOptions box;
  box.size = {0.2, 0.03, 0.02};
  box.origin = {0.5, -0.2, 0.1};
  box.nx = 6;
  box.perturbation = 0.15;
  return mesh::distribute(PETSC_COMM_SELF, mesh::make_box(box));
}

// A wheel beyond the bar's end, as heavy as the bar; its axis has most of its inertia.
fem::FrameMass make_wheel(Attachment attach) {
  fem::FrameMass mass{"wheel", 0.9, {0.73, -0.18, 0.12}, Matrix3d::Zero(), {}};
  mass.inertia << 2e-4, -1e-5, 2e-5, -1e-5, 1.2e-4, 1e-5, 2e-5, 1e-5, 1.3e-4;
  mass.carrier = test::at_set("x_max", attach);
  return mass;
}

// Spins about x and has no mass: no distribution of positive mass has this inertia.
fem::FrameMass make_rotor() {
  fem::FrameMass mass{"rotor", 0.0, {0.5, -0.185, 0.11}, Matrix3d::Zero(), {}};
  mass.inertia(0, 0) = 3e-4;
  mass.carrier = test::at_set("x_min", Attachment::rbe3);
  return mass;
}

class CarriedMasses : public testing::Test {
 protected:
  MatrixXd frame_rows(const fem::FrameMass& mass) const {
    const mesh::Interface frame = mesh::resolve_interface(mesh_, mass.carrier, full_.lumped_mass);
    MatrixXd W = MatrixXd::Zero(6, 3 * mesh_.n_owned);
    for (std::size_t k = 0; k < frame.nodes.size(); ++k)
      W.middleCols<3>(3 * frame.nodes[k]) = frame.weights.middleCols<3>(3 * k);
    W.topRows<3>() -= skew(mass.x - frame.x_B) * W.bottomRows<3>();
    return W;
  }
  MatrixXd dense_mass(const std::vector<fem::FrameMass>& masses) const {
    MatrixXd M = test::make_sparse_mass(full_, fem::MassKind::consistent);
    for (const fem::FrameMass& mass : masses) {
      const MatrixXd W = frame_rows(mass);
      M += mass.mass * W.topRows<3>().transpose() * W.topRows<3>() +
           W.bottomRows<3>().transpose() * mass.inertia * W.bottomRows<3>();
    }
    return M;
  }
  // Of the free body with the masses, rigid motions first, Hz.
  VectorXd dense_frequencies(const std::vector<fem::FrameMass>& masses) const {
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes(
        MatrixXd(test::make_sparse_stiffness(full_)), dense_mass(masses), Eigen::EigenvaluesOnly);
    return modes.eigenvalues().cwiseMax(0.0).cwiseSqrt() / kTwoPi;
  }
  static ReductionOptions make_options(std::vector<fem::FrameMass> masses) {
    ReductionOptions options;
    options.free_free = 8;
    options.masses.on_frames = std::move(masses);
    return options;
  }
  mesh::DistributedMesh mesh_ = make_short_bar();
  fem::ElasticBody full_ = fem::assemble(mesh_, kSteel);
};

void expect_frequencies(const ReducedBody& body, const VectorXd& expected, double accepted) {
  for (int i = 0; i < 8; ++i)
    EXPECT_NEAR(body.modes[i].frequency, expected[6 + i], accepted * expected[6 + i]) << i;
}

TEST_F(CarriedMasses, HaveTheModesOfTheDenseMatrices) {
  const std::vector<fem::FrameMass> masses = {make_wheel(Attachment::rbe3), make_rotor()};
  const VectorXd expected = dense_frequencies(masses);
  EXPECT_LT(expected[6], 0.8 * dense_frequencies({})[6]);  // the masses count
  expect_frequencies(reduce(mesh_, kSteel, make_options(masses)), expected, 1e-8);
}

TEST_F(CarriedMasses, HaveTheSameModesByMultigrid) {
  const std::vector<fem::FrameMass> masses = {make_wheel(Attachment::rbe3)};
  SOLIDYN_PETSC(PetscOptionsSetValue(nullptr, "-modes_route", "iterative"));
  const ReducedBody body = reduce(mesh_, kSteel, make_options(masses));
  SOLIDYN_PETSC(PetscOptionsClearValue(nullptr, "-modes_route"));
  expect_frequencies(body, dense_frequencies(masses), 1e-6);
}

TEST_F(CarriedMasses, SlepcSaysThatItDoesNotKnowThem) {
  SOLIDYN_PETSC(PetscOptionsSetValue(nullptr, "-modes_solver", "slepc"));
  EXPECT_THROW(reduce(mesh_, kSteel, make_options({make_rotor()})), base::InputError);
  SOLIDYN_PETSC(PetscOptionsClearValue(nullptr, "-modes_solver"));
}

TEST_F(CarriedMasses, BasisIsOrthonormalInTheWholeMass) {
  const std::vector<fem::FrameMass> masses = {make_wheel(Attachment::rbe3), make_rotor()};
  ReductionOptions options = make_options(masses);
  options.static_correction = StaticCorrection::at_interfaces;
  options.interfaces = {masses[0].carrier};
  options.keep_rigid_modes = true;
  const ReducedBody body = reduce(mesh_, kSteel, options);
  const MatrixXd gram = body.X.transpose() * dense_mass(masses) * body.X;
  EXPECT_LT((gram - MatrixXd::Identity(body.n_modes(), body.n_modes())).norm(), 1e-8);
}

// The sums of reduced_body.h over the nodes and over points that make up the mass; of a rotor some
// of these points weigh less than nothing.
TEST_F(CarriedMasses, InvariantsAreThoseOfPointsThatMoveWithTheFrame) {
  const std::vector<fem::FrameMass> masses = {make_wheel(Attachment::node), make_rotor()};
  const ReducedBody body = reduce(mesh_, kSteel, make_options(masses));
  const InertiaInvariants& inertia = body.inertia;
  const int i = 2, j = 5;
  const MatrixXd M = test::make_sparse_mass(full_, fem::MassKind::consistent);
  Vector3d first = Vector3d::Zero();
  Matrix3d N00 = Matrix3d::Zero(), N0 = Matrix3d::Zero(), N = Matrix3d::Zero();
  double total = 0.0;
  const auto add = [&](double m, const Vector3d& x_k, const Vector3d& x_l, const Vector3d& u_ik,
                       const Vector3d& u_il, const Vector3d& u_jl) {
    total += m;
    first += m * x_l;
    N00 += m * x_k * x_l.transpose();
    N0 += m * x_k * u_il.transpose();
    N += m * u_ik * u_jl.transpose();
  };
  for (int k = 0; k < mesh_.n_owned; ++k)
    for (int l = 0; l < mesh_.n_owned; ++l)
      if (M(3 * k, 3 * l) != 0.0)
        add(M(3 * k, 3 * l), mesh_.x.col(k), mesh_.x.col(l), body.X.block<3, 1>(3 * k, i),
            body.X.block<3, 1>(3 * l, i), body.X.block<3, 1>(3 * l, j));
  for (const fem::FrameMass& mass : masses) {
    const MatrixXd motion = frame_rows(mass) * body.X;
    const Matrix3d S = 0.5 * mass.inertia.trace() * Matrix3d::Identity() - mass.inertia;
    const Eigen::SelfAdjointEigenSolver<Matrix3d> axes(S);
    const auto add_point = [&](double m, const Vector3d& r) {
      const auto u = [&](int mode) {
        return Vector3d(motion.col(mode).head<3>() + Vector3d(motion.col(mode).tail<3>()).cross(r));
      };
      add(m, mass.x + r, mass.x + r, u(i), u(i), u(j));
    };
    constexpr double kArm = 0.01;
    add_point(mass.mass - axes.eigenvalues().sum() / (kArm * kArm), Vector3d::Zero());
    for (int a = 0; a < 3; ++a)
      for (const double side : {-kArm, kArm})
        add_point(0.5 * axes.eigenvalues()[a] / (kArm * kArm), side * axes.eigenvectors().col(a));
  }
  EXPECT_NEAR(inertia.mass, total, 1e-9);
  EXPECT_LT((inertia.first_moment - first).norm(), 1e-9 * first.norm());
  EXPECT_LT((inertia.N00 - N00).norm(), 1e-9 * N00.norm());
  EXPECT_LT((inertia.N0[i] - N0).norm(), 1e-8 * N0.norm());
  const int n = body.n_modes();
  EXPECT_LT((inertia.N[i * n + j] - N).norm(), 1e-8 * N.norm());
  EXPECT_LT(inertia.S.norm(), 1e-9 * std::sqrt(inertia.mass));  // the mean axis, with the masses
}

TEST_F(CarriedMasses, MassCentreAndInertiaAreExact) {
  ReductionOptions options = make_options({make_wheel(Attachment::rbe2), make_rotor()});
  options.interfaces = {options.masses.on_frames[0].carrier};
  options.check = Check::against_mesh;
  ReductionTimings timings;
  const ReducedBody body = reduce(mesh_, kSteel, options, &timings);
  const fem::MassProperties& bare = full_.properties;
  const fem::FrameMass wheel = make_wheel(Attachment::rbe2);
  const double mass = bare.mass + wheel.mass;
  const Vector3d c = (bare.mass * bare.center_of_mass + wheel.mass * wheel.x) / mass;
  const auto steiner = [&](double m, const Vector3d& x) {
    const Vector3d d = x - c;
    return Matrix3d(m * (d.squaredNorm() * Matrix3d::Identity() - d * d.transpose()));
  };
  const Matrix3d J = bare.inertia + steiner(bare.mass, bare.center_of_mass) + wheel.inertia +
                     steiner(wheel.mass, wheel.x) + make_rotor().inertia;
  const Matrix3d S = body.inertia.N00 - body.inertia.mass * c * c.transpose();
  EXPECT_NEAR(body.inertia.mass, mass, 1e-12 * mass);
  EXPECT_LT((body.inertia.first_moment / mass - c).norm(), 1e-12);
  EXPECT_LT((S.trace() * Matrix3d::Identity() - S - J).norm(), 1e-9 * J.norm());
  EXPECT_LT(timings.check->mass_error, 1e-12);
  EXPECT_LT(timings.check->inertia_error, 1e-9);
}

TEST_F(CarriedMasses, AreCountedUpToAFrequency) {
  const std::vector<fem::FrameMass> masses = {make_wheel(Attachment::rbe3), make_rotor()};
  const VectorXd expected = dense_frequencies(masses);
  ReductionOptions options = make_options(masses);
  for (const int n : {1, 4, 7}) {  // between two of them
    options.free_free_up_to = 0.5 * (expected[5 + n] + expected[6 + n]);
    EXPECT_EQ(reduce(mesh_, kSteel, options).n_modes(), n);
  }
}

// The bare body in many modes and static answers at the frame, with the wheel joined to it there:
// Ritz's frequencies, a little above those of the whole.
TEST_F(CarriedMasses, AreARigidBodyThatIsJoinedToTheFrame) {
  for (const Attachment attach : {Attachment::rbe3, Attachment::rbe2}) {
    const fem::FrameMass wheel = make_wheel(attach);
    ReductionOptions options;
    options.free_free = 40;
    options.static_correction = StaticCorrection::at_interfaces;
    options.interfaces = {wheel.carrier};
    options.keep_rigid_modes = true;
    const ReducedBody bare = reduce(mesh_, kSteel, options);
    const ReducedInterface& frame = bare.interfaces[0];
    const MatrixXd d = frame.Psi_t - skew(wheel.x - frame.x_B) * frame.Psi_r;
    const MatrixXd M = bare.M + wheel.mass * d.transpose() * d +
                       frame.Psi_r.transpose() * wheel.inertia * frame.Psi_r;
    const VectorXd joined =
        Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(bare.K, M, Eigen::EigenvaluesOnly)
            .eigenvalues()
            .cwiseMax(0.0)
            .cwiseSqrt() /
        kTwoPi;
    options = make_options({wheel});
    options.interfaces = {wheel.carrier};
    const ReducedBody whole = reduce(mesh_, kSteel, options);
    for (int i = 0; i < 5; ++i)
      EXPECT_NEAR(whole.modes[i].frequency, joined[6 + i], 1e-4 * joined[6 + i]) << i;
  }
}

TEST_F(CarriedMasses, ModesWithTheFrameHeldAreThoseOfTheBareBody) {
  ReductionOptions options;
  options.free_free = 0;
  options.fixed_interface = 4;
  options.interfaces = {test::at_set("x_max", Attachment::rbe3),
                        test::at_set("x_min", Attachment::rbe3)};
  const auto stiffness_of_held = [&] {
    const ReducedBody body = reduce(mesh_, kSteel, options);
    return compute_fixed_base_modes(body, 0).frequencies[0];
  };
  const double bare = stiffness_of_held();
  options.masses.on_frames = {make_wheel(Attachment::rbe3)};
  EXPECT_NEAR(stiffness_of_held(), bare, 1e-6 * bare);
}

// Modes that another program found of the body with its masses fit the mass of both.
TEST_F(CarriedMasses, ImportedModesHaveThemToo) {
  ReductionOptions options = make_options({make_wheel(Attachment::rbe3), make_rotor()});
  options.masses.at_nodes = {{"ballast", 0.1, mesh_.node_tags[7]}};
  const ReducedBody expected = reduce(mesh_, kSteel, options);
  imported::ModalData modes;
  modes.node_tags = mesh_.node_tags;
  modes.x = mesh_.x;
  modes.translations = expected.X;
  modes.rotations.resize(0, 8);
  for (int i = 0; i < 8; ++i) modes.modes.push_back({i + 1, expected.K(i, i), 0.0, 1.0, 1});
  ModalFit fit;
  const ReducedBody body = reduce_modes(mesh_, modes, kSteel, options, &fit);
  EXPECT_LT(fit.normalisation, 1e-8);
  EXPECT_LT(fit.orthogonality, 1e-8);
  EXPECT_LT(fit.rigid_part, 1e-12);
  EXPECT_NEAR(body.inertia.mass, expected.inertia.mass, 1e-12);
  EXPECT_LT((body.inertia.N00 - expected.inertia.N00).norm(), 1e-10);
  for (int i = 0; i < 8; ++i)
    EXPECT_LT((body.inertia.N[9 * i] - expected.inertia.N[9 * i]).norm(), 1e-7);
}

TEST_F(CarriedMasses, GeometricStiffeningIsRefused) {
  ReductionOptions options = make_options({make_rotor()});
  options.geometric_stiffening = GeometricStiffening::second_order;
  try {
    reduce(mesh_, kSteel, options);
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("rotor, which is not at a node"));
  }
}

}  // namespace
}  // namespace solidyn::reduction
