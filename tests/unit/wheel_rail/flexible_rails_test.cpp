// A wheelset on rails that bend on sleepers.
#include "solidyn/wheel_rail/flexible_rails.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "solidyn/bodies/linear_elements.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/math/rotation.h"
#include "solidyn/railway/profile_file.h"
#include "solidyn/solvers/block_matrix.h"
#include "solidyn/system/system.h"
#include "solidyn/wheel_rail/wheel_rail_force.h"

namespace solidyn::wheel_rail {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kSpeed = 10.0;

// A wheelset at s on a straight track whose rails bend from 20 m to 26 m.
struct OnSleepers {
  system::System system;
  system::State state;
  const WheelRailForce* force = nullptr;
  VectorXd r, phi;

  explicit OnSleepers(double s, bool bends = true) {
    track::AlignmentDescription d;
    d.plan = {{100.0}};
    const auto track = std::make_shared<RailTrack>(RailTrack{track::Alignment(d), {}});
    bodies::InitialMotion motion;
    motion.p_WB = Vector3d(s, 0.0008, 0.4585);
    motion.q_WB = math::exp_quaternion(Vector3d(0.0, 0.0, 0.003));
    motion.v_WB = Vector3d(kSpeed, 0.01, -0.004);
    motion.w_WB_B = Vector3d(0.02, 1.001 * kSpeed / 0.46, 0.03);
    const bodies::BodyIndex wheelset =
        system.add_body(bodies::make_rigid_body("wheelset", 1500.0, Vector3d::Zero(),
                                                Vector3d(900, 100, 900).asDiagonal()),
                        motion);
    WheelRailOptions options;
    static const auto contact = std::make_shared<const railway::RailOverlap>(
        railway::load_profile(railway::ProfileKind::wheel, "s1002"), railway::WheelsetDimensions(),
        railway::RailHead(railway::load_profile(railway::ProfileKind::rail, "60e1"),
                          railway::RailPlacement()),
        railway::ElasticMaterial());
    options.contact = {contact, contact};
    options.friction = {railway::FallingFriction{0.3, 0.5, 0.6},
                        railway::FallingFriction{0.25, 1.0, 0.0}};
    options.law = &railway::creep_law("fastsim");
    options.damping = {0.3, 0.02};
    if (bends) options.rails = add_rails();
    bodies::Frame rails, axle;
    axle.body = wheelset;
    const bodies::FrameIndex A = system.add_frame(rails), B = system.add_frame(axle);
    bodies::FrameMotion at_start;
    at_start.p = motion.p_WB;
    auto made = std::make_unique<WheelRailForce>("wheels", system.link(A, B), track, options,
                                                 bodies::FrameMotion(), at_start, s);
    force = made.get();
    system.add_force(std::move(made));
    system.finalize();
    state = system.make_state();
    bend();
  }

  std::shared_ptr<const FlexibleRails> add_rails() {
    track::SleeperTrackOptions o;
    o.from = 20.0;
    o.to = 26.0;
    o.pad_stiffness = {1.5e8, 4e7};
    o.pad_damping = {4e4, 2e4};
    o.sleeper_mass = 290.0;
    o.ballast_stiffness = {9e7, 3e7};
    o.ballast_damping = {9e4, 5e4};
    auto rails = std::make_shared<FlexibleRails>(FlexibleRails{track::SleeperTrack(o), {}});
    for (const int size : rails->track.node_sizes())
      rails->nodes.push_back(system.add_body(
          std::make_unique<bodies::DisplacementNode>("node", VectorXd::Ones(size)), {}));
    std::vector<bodies::LinearElementBody::Matrices> matrices;
    for (const auto& m : rails->track.matrices()) matrices.push_back({m.M, m.D, m.K});
    std::vector<bodies::LinearElementBody::Element> elements;
    for (const auto& e : rails->track.elements()) elements.push_back({e.matrices, e.nodes});
    system.add_body(std::make_unique<bodies::LinearElementBody>(
                        "rails", rails->nodes, rails->track.node_sizes(), matrices, elements),
                    {});
    return rails;
  }

  // Displacements, velocities and accelerations of all sizes; the wheelset keeps its own.
  void bend() {
    for (Eigen::Index i = 7; i < state.q.size(); ++i)
      state.q[i] = 2e-4 * std::sin(1.7 * static_cast<double>(i));
    for (Eigen::Index i = 6; i < state.v.size(); ++i) {
      state.v[i] = 5e-3 * std::cos(2.3 * static_cast<double>(i));
      state.a[i] = 0.3 * std::sin(3.1 * static_cast<double>(i));
    }
  }

  const VectorXd& residual(const system::State& at) {
    system.update(at);
    system.compute_residual(at, r, phi);
    return r;
  }

  MatrixXd tangent(const bodies::TangentCoefficients& c) {
    system.update(state);
    system::System::TangentOptions options;
    options.coefficients = c;
    solvers::BlockMatrix matrix;
    system.set_pattern(matrix);
    system.assemble(state, options, matrix);
    return matrix.sparse();
  }

  // By central differences along the increment of a position or a velocity.
  VectorXd difference(Eigen::Index i, double h, bool of_velocity) {
    VectorXd sides[2];
    for (const int side : {0, 1}) {
      system::State moved = state.clone();
      const VectorXd by = (side ? h : -h) * VectorXd::Unit(state.v.size(), i);
      if (of_velocity)
        moved.v += by;
      else
        system.advance(state.q, by, moved.q);
      sides[side] = residual(moved);
    }
    return (sides[1] - sides[0]) / (2.0 * h);
  }
};

// In the middle of the part, and beside its clamped end: by the wheelset and by the rails.
TEST(FlexibleRails, TangentIsDerivativeOfResidual) {
  for (const double s : {22.937, 20.02}) {
    OnSleepers one(s);
    const MatrixXd K = one.tangent({0.0, 0.0, 1.0}), D = one.tangent({0.0, 1.0, 0.0});
    ASSERT_EQ(one.force->parts().size(), 1U);
    ASSERT_GT(one.force->state(one.force->pair(one.system.kinematics())).wheels[kLeft].Q, 1e4);
    std::set<Eigen::Index> columns = {0, 1, 2, 3, 4, 5, one.state.v.size() - 1};
    for (const int i : one.system.layout().velocity_indices(one.force->parts()[0]->bodies()))
      columns.insert(i);
    ASSERT_EQ(columns.size(), s < 20.1 ? 15U : 23U);
    for (const Eigen::Index i : columns) {
      const VectorXd by_q = one.difference(i, 1e-6, false), by_v = one.difference(i, 1e-4, true);
      EXPECT_LT((K.col(i) - by_q).norm(), 0.02 * (by_q.norm() + 1e5)) << s << " position " << i;
      EXPECT_LT((D.col(i) - by_v).norm(), 0.02 * (by_v.norm() + 1e3)) << s << " velocity " << i;
    }
    const MatrixXd M = one.tangent({1.0, 0.0, 0.0});
    EXPECT_LT((M - M.transpose()).norm(), 1e-12 * M.norm());
  }
}

// What the force does to the wheelset and to the rails, per time, is what it stores less what creep
// and damping take.
TEST(FlexibleRails, PowerIsWorkPlusRateOfEnergy) {
  OnSleepers one(22.937);
  one.system.update(one.state);
  const forces::Force& part = *one.force->parts().at(0);
  const std::vector<int> columns = one.system.layout().velocity_indices(part.bodies());
  VectorXd r = VectorXd::Zero(static_cast<Eigen::Index>(columns.size()));
  part.add_residual(one.system.kinematics(), 0.0, r);
  double work = 0.0;
  for (std::size_t k = 0; k < columns.size(); ++k)
    work -= r[static_cast<Eigen::Index>(k)] * one.state.v[columns[k]];
  const double power = part.power(one.system.kinematics(), 0.0), h = 1e-8;
  double sides[2];
  for (const int side : {0, 1}) {
    system::State moved = one.state.clone();
    one.system.advance(one.state.q, (side ? h : -h) * one.state.v, moved.q);
    one.system.update(moved);
    sides[side] = one.force->energy(one.force->pair(one.system.kinematics()), 0.0);
  }
  const double rate = (sides[1] - sides[0]) / (2.0 * h);
  EXPECT_NEAR(power, work + rate, 1e-4 * (std::abs(work) + std::abs(rate)));
  EXPECT_LT(power, 0.0);
}

// Where they are clamped, and before, the wheelset sees rails that do not bend.
TEST(FlexibleRails, AreRigidOutsideOfTheirPart) {
  OnSleepers before(19.9), rigid(19.9, false), at_the_end(20.0 + 1e-9);
  const VectorXd of_rigid = rigid.residual(rigid.state).head<6>();
  EXPECT_LT((before.residual(before.state).head<6>() - of_rigid).norm(), 1e-9 * of_rigid.norm());
  EXPECT_EQ(before.force->parts().at(0)->bodies().size(), 1U);
  EXPECT_LT((at_the_end.residual(at_the_end.state).head<6>() - of_rigid).norm(),
            1e-4 * of_rigid.norm());
}

// Its own energies: of the rails' velocities and displacements, with what dampers take.
TEST(LinearElements, EnergyIsThatOfItsForces) {
  OnSleepers one(10.0);
  const Eigen::Index n = one.state.v.size() - 6;
  const MatrixXd M = one.tangent({1.0, 0.0, 0.0}).bottomRightCorner(n, n),
                 D = one.tangent({0.0, 1.0, 0.0}).bottomRightCorner(n, n),
                 K = one.tangent({0.0, 0.0, 1.0}).bottomRightCorner(n, n);
  one.system.update(one.state);
  const VectorXd q = one.state.q.tail(n), v = one.state.v.tail(n), a = one.state.a.tail(n);
  const VectorXd expected = M * a + D * v + K * q;
  EXPECT_LT((one.residual(one.state).tail(n) - expected).norm(), 1e-12 * expected.norm());
  const bodies::BodyIndex body(static_cast<int>(one.system.bodies().size()) - 1);
  const bodies::Energy energy = one.system.body(body).energy({}, Vector3d::Zero());
  EXPECT_NEAR(energy.kinetic, 0.5 * v.dot(M * v), 1e-12 * energy.kinetic);
  EXPECT_NEAR(energy.strain, 0.5 * q.dot(K * q), 1e-12 * energy.strain);
  EXPECT_NEAR(one.system.body(body).dissipation({}), v.dot(D * v), 1e-12 * v.dot(D * v));
}

}  // namespace
}  // namespace solidyn::wheel_rail
