// C04 of the verification collection: a beam 141.42 long, 3 x 3 thick, on a spherical joint at the
// origin. A moment of 200 about z turns its base section until t = 10.2, a force of 100 along z
// pushes its tip from 15 to 15.1. Consistent units as printed in the source: E = 2.1e6,
// density 7.8e-3. Ellenbroek and Schilder (2018) after Cardona and Geradin; the positions are those
// of eight cubic cable elements.
#include <gtest/gtest.h>

#include <cmath>

#include "mechanisms.h"
#include "selections.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/bodies/solid_body.h"
#include "solidyn/joints/tied_axes.h"
#include "solidyn/math/rotation.h"
#include "solidyn/mesh/generators.h"

namespace solidyn {
namespace {

using Eigen::MatrixXd;
using Eigen::Ref;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kLength = 141.42, kWidth = 3.0;
const fem::IsotropicElastic kMaterial{2.1e6, 0.3, 7.8e-3};

/// A massless frame on which a force and a torque act, constant in the world.
class LoadedFrame final : public bodies::Body {
 public:
  explicit LoadedFrame(std::string name) : Body(std::move(name), 0) {}
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();

  void add_residual(const bodies::BodyState& s, const Vector3d&, Ref<VectorXd> r) override {
    r.head<3>() -= force;
    r.segment<3>(3) -= s.R_WB.transpose() * torque;
  }
  void add_tangent(const bodies::BodyState& s, const Vector3d&,
                   const bodies::TangentCoefficients& c, Ref<MatrixXd>,
                   Ref<MatrixXd> J_q) override {
    J_q.block<3, 3>(3, 3) -= c.stiffness * math::skew(s.R_WB.transpose() * torque);
  }
  bodies::Energy energy(const bodies::BodyState&, const Vector3d&) const override { return {}; }
  bodies::Momentum momentum(const bodies::BodyState&) const override { return {}; }
  double mass() const override { return 0.0; }
  double dissipation(const bodies::BodyState&) const override { return 0.0; }
  VectorXd elastic_amplitude() const override { return {}; }
};

std::unique_ptr<bodies::SolidBody> make_beam(fem::SolidFormulation formulation) {
  mesh::BoxOptions box;
  box.type = elements::ElementType::hex20;
  box.nx = 24;
  box.size = {kLength, kWidth, kWidth};
  box.origin = {0.0, -0.5 * kWidth, -0.5 * kWidth};
  bodies::SolidBodyOptions options;
  options.formulation = formulation;
  options.mass = fem::MassKind::consistent;
  options.interfaces = {test::at_set("x_min"), test::at_set("x_max")};
  return bodies::SolidBody::make("beam", mesh::distribute(PETSC_COMM_SELF, mesh::make_box(box)),
                                 kMaterial, options);
}

struct Row {
  double t;
  Vector3d tip;
  double angular_momentum, energy;
};

/// The beam in motion, in steps of generalized-alpha.
class Beam {
 public:
  explicit Beam(fem::SolidFormulation formulation) {
    auto body = make_beam(formulation);
    const bodies::SolidBody& beam = *body;
    system_.add_body(std::move(body), {});
    base_ = add_end(beam, beam.interfaces()[0]);
    tip_ = add_end(beam, beam.interfaces()[1]);
    testing_support::add_joint(system_, "joint", joints::JointType::spherical, bodies::kGround, {},
                               bodies::BodyIndex(1), {}, Vector3d::Zero());
    system_.finalize();
  }

  /// A load that jumps has the mean of both sides at that instant: steps of the trapezoidal kind
  /// then give its impulse. At t = 0 the whole moment is there, and turns the end section alone
  /// with 4000 rad/s^2: the integrator begins with what its step resolves of that.
  std::vector<Row> run(double duration, double h, double rho_infinity) {
    set_loads(0.0);
    system::State state = testing_support::start(system_);
    integrators::GeneralizedAlphaOptions options;
    options.rho_infinity = rho_infinity;
    integrators::GeneralizedAlpha integrator(system_, options);
    integrator.initialize(state);
    std::vector<Row> rows;
    const int n = static_cast<int>(std::lround(duration / h));
    for (int k = 1; k <= n; ++k) {
      set_loads(k * h);
      integrator.step(state, h);
      rows.push_back(row(k * h, state));
    }
    return rows;
  }

 private:
  LoadedFrame* add_end(const bodies::SolidBody& beam, const bodies::SolidInterface& end) {
    auto frame = std::make_unique<LoadedFrame>("frame " + end.name);
    LoadedFrame* const added = frame.get();
    system::InitialMotion motion;
    motion.p_WB = end.region.p_ref;
    const auto index = system_.add_body(std::move(frame), motion);
    system_.add_constraint(std::make_unique<joints::AveragedFrame>(
        end.name, bodies::BodyIndex(0), index, beam.n_elastic(), end.region));
    return added;
  }

  void set_loads(double t) {
    const auto is_on = [t](double from, double to) {
      const auto past = [t](double s) { return std::abs(t - s) < 1e-9 ? 0.5 : t > s ? 1.0 : 0.0; };
      return past(from) - past(to);
    };
    base_->torque.z() = 200.0 * is_on(-1.0, 10.2);
    tip_->force.z() = 100.0 * is_on(15.0, 15.1);
  }

  Row row(double t, const system::State& state) {
    system_.update(state);
    const bodies::Energy energy = system_.energy(state);
    return {t, state.q.segment<3>(system_.layout().configuration_offset(bodies::BodyIndex(2))),
            system_.momentum(state).angular.z(), energy.kinetic + energy.strain};
  }

  system::System system_;
  LoadedFrame* base_ = nullptr;
  LoadedFrame* tip_ = nullptr;
};

const Row& at(const std::vector<Row>& rows, double t) {
  for (const Row& row : rows)
    if (std::abs(row.t - t) < 1e-6) return row;
  throw std::out_of_range("no step at " + std::to_string(t));
}

class BeamOnSphericalJoint : public testing::TestWithParam<fem::SolidFormulation> {};
INSTANTIATE_TEST_SUITE_P(CorotationalInertial, BeamOnSphericalJoint,
                         testing::Values(fem::SolidFormulation::corotational,
                                         fem::SolidFormulation::st_venant_kirchhoff));

TEST_P(BeamOnSphericalJoint, TipAndMomentumFollowTheReference) {
  const Row expected[] = {{5.0, {141.3196, 5.3277, 0.0}, 1000.0, 7.650},
                          {10.0, {139.8117, 21.2672, 0.0}, 2000.0, 30.368},
                          {12.0, {138.2331, 29.8534, 0.0}, 2040.0, 31.537},
                          {14.9, {135.0147, 42.0792, 0.0}, 2040.0, 31.536},
                          {16.0, {133.4871, 46.6205, 2.6189}, 2040.0, 71.604},
                          {18.0, {130.1063, 54.6657, 9.1216}, 2040.0, 71.603},
                          {20.0, {126.0543, 62.4192, 14.6073}, 2040.0, 71.602}};
  const std::vector<Row> rows = Beam(GetParam()).run(20.0, 0.02, 0.8);
  for (const Row& e : expected) {
    const Row& found = at(rows, e.t);
    EXPECT_NEAR(found.tip.x(), e.tip.x(), 0.1) << e.t;
    EXPECT_NEAR(found.tip.y(), e.tip.y(), 0.1) << e.t;
    EXPECT_NEAR(found.tip.z(), e.tip.z(), 0.15) << e.t;
    EXPECT_NEAR(found.angular_momentum, e.angular_momentum, 1e-5 * e.angular_momentum) << e.t;
    // Of the push, steps of 0.02 damp the axial and the higher bending part.
    if (e.t > 10.2 && e.t < 15.0) {
      EXPECT_NEAR(found.energy, e.energy, 0.005 * e.energy) << e.t;
    }
  }
}

}  // namespace
}  // namespace solidyn
