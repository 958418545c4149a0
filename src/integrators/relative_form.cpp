#include "integrators/branches_of_run.h"
#include "integrators/index_one_form.h"
#include "solidyn/base/error.h"
#include "solidyn/system/scales.h"

namespace solidyn::integrators {
namespace {

using Eigen::Map;
using Eigen::VectorXd;
using recursive::Link;
using system::State;

class RelativeForm final : public IndexOneForm {
 public:
  explicit RelativeForm(system::System& system) : system_(system), mechanism_(system) {
    n_positions_ = mechanism_.tree().n_coordinates();
    n_velocities_ = mechanism_.tree().n_speeds();
    share_branches_of_run(mechanism_);
  }

  void start(State& state, Eigen::Ref<VectorXd> y) override {
    mechanism_.tree().find_coordinates(state, q_, u_);
    y << q_, u_;
  }

  void take(const VectorXd& y, State& state) override {
    read(y.data());
    mechanism_.place(q_, u_, state);
  }

  int evaluate(const double* y, State& state, double* f) override {
    read(y);
    mechanism_.compute_accelerations(q_, u_, state, du_);
    mechanism_.tree().compute_rates(q_.data(), u_.data(), f);
    Map<VectorXd>(f + n_positions_, n_velocities_) = du_;
    for (const Link& k : mechanism_.tree().links()) {
      if (!k.hinge.turns_freely()) continue;
      const int at = k.q + k.hinge.n_translations();
      const Eigen::Vector4d Q = q_.segment<4>(at);
      Map<Eigen::Vector4d>(f + at) += kQuaternionRate * (1.0 - Q.squaredNorm()) * Q;
    }
    return 1;
  }

  int fill(const VectorXd& y, State& state) override {
    read(y.data());
    mechanism_.compute_state(q_, u_, state);
    return 1;
  }

  // Hinges cannot be violated: coordinates change where laws or loops ask for it.
  int project(VectorXd& y, State& state) override {
    read(y.data());
    for (const Link& k : mechanism_.tree().links())
      if (k.hinge.turns_freely()) q_.segment<4>(k.q + k.hinge.n_translations()).normalize();
    mechanism_.project(q_, u_, state);
    y.head(n_positions_) = q_;
    y.segment(n_positions_, n_velocities_) = u_;
    return 1;
  }

  // Coordinates are lengths, angles and elastic ones, as the velocities of bodies are.
  VectorXd tolerances(const VectorXd&, double of_angle) const override {
    VectorXd absolute(size());
    const double of_length = of_angle * characteristic_length(system_);
    for (const Link& k : mechanism_.tree().links()) {
      const int n = k.hinge.n_translations();
      auto q = absolute.segment(k.q, k.hinge.n_coordinates());
      auto u = absolute.segment(n_positions_ + k.u, k.n_speeds);
      q.setConstant(of_angle);
      u.setConstant(of_angle);
      q.head(n).setConstant(of_length);
      u.head(n).setConstant(of_length);
      if (k.modes < 0) continue;
      const recursive::Modes& m = mechanism_.tree().modes()[k.modes];
      const VectorXd of_modes = m.body->elastic_amplitude().unaryExpr(
          [&](double a) { return a > 0.0 ? of_length / a : of_angle; });
      absolute.segment(k.q + k.hinge.n_coordinates(), m.n) = of_modes;
      absolute.segment(n_positions_ + k.u + k.n_speeds, m.n) = of_modes;
    }
    return absolute;
  }

  bool exchanges_energy() const override { return mechanism_.exchanges_energy(); }

 private:
  void read(const double* y) {
    q_ = Map<const VectorXd>(y, n_positions_);
    u_ = Map<const VectorXd>(y + n_positions_, n_velocities_);
  }

  system::System& system_;
  recursive::Mechanism mechanism_;
  VectorXd q_, u_, du_;
};

}  // namespace

std::unique_ptr<IndexOneForm> make_relative_form(system::System& system,
                                                 const PetscTsOptions& options) {
  if (options.baumgarte_alpha != 0.0 || options.baumgarte_beta != 0.0)
    throw base::InputError(
        "formulation: `recursive` with `baumgarte` is not yet implemented: loops are closed by a projection after each step",
        "leave out `baumgarte`, or set  formulation: absolute");
  return std::make_unique<RelativeForm>(system);
}

}  // namespace solidyn::integrators
