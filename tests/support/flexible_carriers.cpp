#include "flexible_carriers.h"

namespace solidyn::testing_support {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int kModes = 3;
constexpr double kStep = 1e-5;

void expect_equal(const MatrixXd& exact, const MatrixXd& differences, double tolerance,
                  const char* what) {
  EXPECT_LT((exact - differences).norm(), tolerance * (1.0 + exact.norm())) << what;
}

}  // namespace

FlexibleCarriers::FlexibleCarriers(int n_bodies, unsigned seed)
    : cloud_(10, kModes, 5), generator_(seed) {
  for (int i = 0; i < n_bodies; ++i) {
    system::InitialMotion motion;
    motion.p_WB = random_vector(generator_, 3);
    motion.q_WB = random_rotation(generator_);
    system_.add_body(std::make_unique<bodies::ModalBody>(
                         "body", cloud_.invariants(), cloud_.mass_matrix(), cloud_.stiffness(1),
                         cloud_.stiffness(2), VectorXd::Ones(kModes)),
                     motion);
  }
}

bodies::FrameIndex FlexibleCarriers::add_frame(bodies::BodyIndex body) {
  bodies::Frame frame;
  frame.body = body;
  frame.x_B = random_vector(generator_, 3);
  frame.R_BF = random_rotation(generator_).toRotationMatrix();
  if (body != bodies::kGround) {
    const auto modes = [&] {
      return Matrix3Xd(
          Eigen::Map<const Matrix3Xd>(random_vector(generator_, 3 * kModes).data(), 3, kModes));
    };
    frame.Psi_t = modes();
    frame.Psi_r = modes();
    frame.Y_t = random_second_order(generator_, kModes, 0.5);
    frame.Y_r = random_second_order(generator_, kModes, 0.5);
  }
  return system_.add_frame(frame);
}

void FlexibleCarriers::set_in_motion() {
  system_.finalize();
  state_ = system_.make_state();
  for (const bodies::BodyIndex i : system_.bodies()) {
    const int n = system_.body(i).n_elastic();
    state_.q.segment(system_.layout().elastic_offset(i), n) = random_vector(generator_, n, 0.4);
  }
  state_.v = random_vector(generator_, system_.layout().n_velocities());
  state_.lambda = random_vector(generator_, system_.layout().n_constraints(), 3.0);
}

std::vector<int> FlexibleCarriers::columns(const forces::Force& force) const {
  return system_.layout().velocity_indices(force.bodies());
}

VectorXd FlexibleCarriers::residual(const forces::Force& force, const system::State& state) {
  system_.update(state);
  VectorXd r = VectorXd::Zero(static_cast<int>(columns(force).size()));
  force.add_residual(system_.kinematics(), state.t, r);
  return r;
}

VectorXd FlexibleCarriers::velocities(const forces::Force& force) const {
  return state_.v(columns(force));
}

ForceTangent FlexibleCarriers::tangent(const forces::Force& force) {
  system_.update(state_);
  const int n = static_cast<int>(columns(force).size());
  ForceTangent t{MatrixXd::Zero(n, n), MatrixXd::Zero(n, n),
                 MatrixXd::Zero(n, system_.layout().n_constraints())};
  force.add_tangent(system_.kinematics(), state_.t, {0.0, 1.0, 1.0}, t.D, t.K);
  force.add_multiplier_tangent(system_.kinematics(), state_.t, t.L);
  return t;
}

ForceTangent FlexibleCarriers::differences(const forces::Force& force) {
  const std::vector<int> at = columns(force);
  const int n = static_cast<int>(at.size()), n_l = system_.layout().n_constraints();
  ForceTangent t{MatrixXd(n, n), MatrixXd(n, n), MatrixXd(n, n_l)};
  const auto difference = [&](const auto& perturb) {
    system::State trial = state_.clone();
    perturb(trial, kStep);
    const VectorXd ahead = residual(force, trial);
    trial = state_.clone();
    perturb(trial, -kStep);
    return VectorXd((ahead - residual(force, trial)) / (2.0 * kStep));
  };
  for (int j = 0; j < n; ++j) {
    const VectorXd unit = VectorXd::Unit(system_.layout().n_velocities(), at[j]);
    t.K.col(j) =
        difference([&](system::State& s, double h) { system_.advance(state_.q, h * unit, s.q); });
    t.D.col(j) = difference([&](system::State& s, double h) { s.v += h * unit; });
  }
  for (int j = 0; j < n_l; ++j)
    t.L.col(j) = difference([&](system::State& s, double h) { s.lambda[j] += h; });
  return t;
}

ForceTangent FlexibleCarriers::expect_exact_tangent(const forces::Force& force, double tolerance) {
  const ForceTangent exact = tangent(force), by_differences = differences(force);
  expect_equal(exact.K, by_differences.K, tolerance, "by positions");
  expect_equal(exact.D, by_differences.D, tolerance, "by velocities");
  expect_equal(exact.L, by_differences.L, tolerance, "by multipliers");
  return exact;
}

double FlexibleCarriers::power(const forces::Force& force) {
  system_.update(state_);
  return force.power(system_.kinematics(), state_.t);
}

double FlexibleCarriers::energy_rate(const forces::Force& force) {
  const auto energy = [&](double dt) {
    system::State at = state_.clone();
    system_.advance(state_.q, dt * state_.v, at.q);
    system_.update(at);
    return force.energy(system_.kinematics(), at.t);
  };
  return (energy(kStep) - energy(-kStep)) / (2.0 * kStep);
}

}  // namespace solidyn::testing_support
