// Beams in a system: residual and tangent, balances, and strains inside elements or as unknowns.
#include "solidyn/bodies/beam_body.h"

#include <gtest/gtest.h>

#include "random_beam.h"
#include "solidyn/solvers/linear_solver.h"

namespace solidyn::bodies {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing_support::random_vector;
using testing_support::RandomBeam;

const Vector3d kGravity(0.3, -9.81, 1.7);
constexpr double kStep = 1e-6;

class DenseMatrix final : public solvers::LinearSolver {
 public:
  DenseMatrix() : LinearSolver(Layout::dense) {}
  const char* name() const override { return "dense"; }
  void factor() override {}
  void solve(const VectorXd&, VectorXd&) override {}
  MatrixXd matrix() const { return Eigen::Map<const MatrixXd>(values_.data(), n_, n_); }

 private:
  void pattern_changed() override { values_.assign(static_cast<std::size_t>(n_) * n_, 0.0); }
};

struct Case {
  ElementStrains strains;
  beams::Torsion torsion;
  double damping;
  bool is_loaded = false;
};

// Along the beam, in the world's axes and in those of the sections.
LineLoad line_load(beams::BeamLoad::Axes axes) {
  const auto growing = [](const char* size) {
    return math::TimeFunction::expression(std::string(size) + "*(1 + t)");
  };
  return {"load",
          axes,
          {growing("7"), growing("-5"), growing("9")},
          {growing("2"), growing("3"), growing("-1")},
          {{0, {{0.0, 1.0, 1.0, 0.3}}}, {1, {{0.2, 0.5, 2.0, 1.0}, {0.5, 0.6, -1.0, 1.0}}}}};
}

class BeamContract : public testing::TestWithParam<Case> {
 protected:
  BeamContract() {
    for (BeamElementData& d : beam_.elements) {
      d.torsion = GetParam().torsion;
      d.damping = GetParam().damping;
    }
    if (GetParam().is_loaded)
      beam_.loads = {line_load(beams::BeamLoad::Axes::world),
                     line_load(beams::BeamLoad::Axes::section)};
    if (GetParam().is_loaded && GetParam().strains == ElementStrains::eliminated) {
      beam_.prestrain.constant = {0.02, -0.3, 0.2, 0.1};
      beam_.prestrain.laws[0] = math::TimeFunction::expression("0.01*sin(3*t + 1)");
      beam_.prestrain.laws[2] = math::TimeFunction::expression("0.2 + 0.5*t");
    }
    beam_.add_to(system_, GetParam().strains);
    system_.set_gravity(kGravity);
    system_.finalize();
    std::mt19937 g(5);
    state_ = system_.make_state();
    VectorXd q;
    system_.advance(state_.q, random_vector(g, system_.layout().n_velocities(), 0.05), q);
    state_.q = q;
    state_.v = random_vector(g, system_.layout().n_velocities(), 2.0);
    state_.a = random_vector(g, system_.layout().n_velocities(), 3.0);
    state_.lambda = random_vector(g, system_.layout().n_constraints(), 5.0);
  }

  system::State moved(const VectorXd& d, double h) const {
    system::State s = state_.clone();
    system_.advance(state_.q, h * d, s.q);
    return s;
  }
  // A time h later, to second order.
  system::State later(double h) const {
    system::State s = moved(h * state_.v + 0.5 * h * h * state_.a, 1.0);
    s.v += h * state_.a;
    s.t += h;
    return s;
  }
  VectorXd residual(const system::State& s) {
    system_.update(s);
    system_.compute_residual(s, r_, phi_);
    return r_;
  }
  VectorXd violation(const system::State& s) {
    residual(s);
    return phi_;
  }
  MatrixXd assembled(const TangentCoefficients& c) {
    DenseMatrix matrix;
    system_.set_pattern(matrix);
    residual(state_);
    system::System::TangentOptions options;
    options.coefficients = c;
    system_.assemble(state_, options, matrix);
    return matrix.matrix();
  }
  MatrixXd tangent(const TangentCoefficients& c) {
    const int n = system_.layout().n_velocities();
    return assembled(c).topLeftCorner(n, n);
  }
  template <class Change>
  MatrixXd differences(const Change& change) {
    const int n = system_.layout().n_velocities();
    MatrixXd D(n, n);
    for (int i = 0; i < n; ++i) {
      const VectorXd unit = VectorXd::Unit(n, i);
      D.col(i) = (residual(change(unit, kStep)) - residual(change(unit, -kStep))) / (2.0 * kStep);
    }
    return D;
  }

  RandomBeam beam_{3};
  system::System system_;
  system::State state_;
  VectorXd r_, phi_;
};
INSTANTIATE_TEST_SUITE_P(
    Beams, BeamContract,
    testing::Values(Case{ElementStrains::eliminated, beams::Torsion::constant, 0.0},
                    Case{ElementStrains::eliminated, beams::Torsion::linear, 0.0},
                    Case{ElementStrains::eliminated, beams::Torsion::linear, 1e-3},
                    Case{ElementStrains::eliminated, beams::Torsion::linear, 0.0, true},
                    Case{ElementStrains::eliminated, beams::Torsion::constant, 1e-3, true},
                    Case{ElementStrains::unknown, beams::Torsion::constant, 1e-3},
                    Case{ElementStrains::unknown, beams::Torsion::constant, 0.0, true},
                    Case{ElementStrains::unknown, beams::Torsion::linear, 0.0}));

TEST_P(BeamContract, TangentIsDerivativeOfResidual) {
  const MatrixXd M = tangent({1, 0, 0}), D = tangent({0, 1, 0}), K = tangent({0, 0, 1});
  EXPECT_LT((M - M.transpose()).norm(), 1e-13 * M.norm());
  const MatrixXd by_a = differences([&](const VectorXd& d, double h) {
    system::State s = state_.clone();
    s.a += h * d;
    return s;
  });
  const MatrixXd by_v = differences([&](const VectorXd& d, double h) {
    system::State s = state_.clone();
    s.v += h * d;
    return s;
  });
  const MatrixXd by_q = differences([&](const VectorXd& d, double h) { return moved(d, h); });
  EXPECT_LT((by_a - M).norm(), 1e-7 * M.norm());
  EXPECT_LT((by_v - D).norm(), 1e-6 * D.norm());
  // That of damping leaves out how the strains' rows change: damping times rates of about 10/s.
  const bool is_exact = GetParam().damping == 0.0 || GetParam().strains == ElementStrains::unknown;
  EXPECT_LT((by_q - K).norm(), (is_exact ? 1e-7 : 20.0 * GetParam().damping) * K.norm());
}

TEST_P(BeamContract, PowerIsRateOfEnergy) {
  if (GetParam().strains == ElementStrains::unknown) state_.lambda.setZero();
  const double power = residual(state_).dot(state_.v) - [&] {
    double dissipation = 0.0;
    for (const bodies::BodyIndex i : system_.bodies())
      dissipation += system_.body(i).dissipation(system_.kinematics().bodies[i]);
    return dissipation;
  }() + [&] {
    double of_loads = 0.0;
    for (const bodies::BodyIndex i : system_.bodies())
      of_loads += system_.body(i).load_power(system_.kinematics().bodies[i]);
    return of_loads;
  }();
  const auto energy = [&](double h) {
    const system::State s = later(h);
    system_.update(s);
    const Energy e = system_.energy(s);
    return e.kinetic + e.strain + e.potential;
  };
  EXPECT_NEAR((energy(kStep) - energy(-kStep)) / (2.0 * kStep), power,
              1e-6 * std::abs(power) + 1e-5);
}

TEST_P(BeamContract, ForcesOnNodesChangeTheMomentum) {
  if (GetParam().is_loaded) GTEST_SKIP() << "of a beam that nothing pushes";
  system_.set_gravity(Vector3d::Zero());
  const VectorXd r = residual(state_);
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
  for (std::size_t k = 0; k < beam_.poses.size(); ++k) {
    const BodyIndex b(k);
    const BodyState& node = system_.kinematics().bodies[b];
    const int at = system_.layout().velocity_offset(b);
    force += r.segment<3>(at);
    moment += node.p_WB.cross(r.segment<3>(at)) + node.R_WB * r.segment<3>(at + 3);
  }
  const auto momentum = [&](double h) {
    const system::State s = later(h);
    system_.update(s);
    return system_.momentum(s);
  };
  const Momentum after = momentum(kStep), before = momentum(-kStep);
  EXPECT_LT(((after.linear - before.linear) / (2 * kStep) - force).norm(), 1e-6);
  EXPECT_LT(((after.angular - before.angular) / (2 * kStep) - moment).norm(), 1e-6);
}

TEST_P(BeamContract, ConstraintsHaveTheirDerivatives) {
  const int n = system_.layout().n_velocities(), n_rows = system_.layout().n_constraints();
  if (n_rows == 0) GTEST_SKIP() << "strains are eliminated";
  residual(state_);
  const MatrixXd G = Eigen::MatrixXd(system_.sparse_G());
  for (int i = 0; i < n; ++i) {
    const VectorXd unit = VectorXd::Unit(n, i);
    const VectorXd column =
        (violation(moved(unit, kStep)) - violation(moved(unit, -kStep))) / (2.0 * kStep);
    EXPECT_LT((column - G.col(i)).norm(), 1e-8) << i;
  }
  VectorXd nu, gamma;
  residual(state_);
  system_.update_accelerations();
  system_.compute_rates(state_, nu, gamma);
  EXPECT_EQ(nu.norm(), 0.0);
  // G v along the motion: its rate is G a - gamma.
  const auto rate = [&](double h) {
    const system::State s = later(h);
    residual(s);
    VectorXd Gv;
    system_.multiply_G(s.v, Gv);
    return Gv;
  };
  const VectorXd difference = (rate(kStep) - rate(-kStep)) / (2.0 * kStep);
  EXPECT_LT((difference - (G * state_.a - gamma)).norm(), 1e-6 * gamma.norm());
}

TEST_P(BeamContract, RigidMotionGivesNoForceAndIsNotDamped) {
  if (GetParam().is_loaded) GTEST_SKIP() << "of a beam that nothing pushes";
  std::mt19937 g(8);
  system_.set_gravity(Vector3d::Zero());
  const Vector3d w = random_vector(g, 3);
  state_ = system_.make_state();
  state_.lambda.setZero();
  system_.update(state_);
  for (std::size_t k = 0; k < beam_.poses.size(); ++k) {
    const BodyIndex b(k);
    const BodyState& node = system_.kinematics().bodies[b];
    const int at = system_.layout().velocity_offset(b);
    state_.v.segment<3>(at) = w.cross(node.p_WB);
    state_.v.segment<3>(at + 3) = node.R_WB.transpose() * w;
  }
  system_.update(state_);
  double dissipation = 0.0;
  for (const bodies::BodyIndex i : system_.bodies())
    dissipation += system_.body(i).dissipation(system_.kinematics().bodies[i]);
  EXPECT_LT(dissipation, 1e-18);
  EXPECT_LT(system_.energy(state_).strain, 1e-18);
  state_.v.setZero();
  EXPECT_LT(residual(state_).norm(), 1e-9);
}

}  // namespace
}  // namespace solidyn::bodies
