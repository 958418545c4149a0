#include "relative_equilibrium.h"

#include "relative_static_equations.h"
#include "solidyn/base/timer.h"
#include "solidyn/math/rotation.h"
#include "solidyn/recursive/forest.h"
#include "solidyn/recursive/linearise.h"

namespace solidyn::analyses {

using Eigen::VectorXd;
using system::State;

// What relative coordinates cannot have is refused before anything is written.
RelativeEquilibrium::RelativeEquilibrium(system::System& system) : Equilibrium(system) {
  recursive::refuse_set_valued_contacts(system);
  recursive::find_forest(system);
}

RelativeEquilibrium::~RelativeEquilibrium() = default;

void RelativeEquilibrium::start(const State& state, solvers::Preset preset) {
  Equilibrium::start(state, preset);
  equations_ = std::make_unique<RelativeStaticEquations>(system_, state, length(),
                                                         recursive::Mechanism::Warnings::log);
}

// Which rows of closures depend on others.
void RelativeEquilibrium::renew(const State& state) {
  if (!equations_->has_closures()) return;
  system_.update(state);
  equations_ = std::make_unique<RelativeStaticEquations>(system_, state, length(),
                                                         recursive::Mechanism::Warnings::leave);
}

void RelativeEquilibrium::linearise(const State& state) {
  base::ScopedTimer timer(assembly_seconds);
  equations_->factor(state);
}

void RelativeEquilibrium::find_correction(const State& state, Move& move) {
  base::ScopedTimer timer(solve_seconds);
  const int n = system_.layout().n_velocities();
  move.t = 0.0;
  equations_->correct(state, move.small.head(n), move.small.tail(move.small.size() - n));
  evaluate(state);  // for violation(), and for whoever reads the system
}

void RelativeEquilibrium::apply(const State& before, double fraction, const Move& move,
                                State& state) {
  const int n = system_.layout().n_velocities();
  state.t = before.t + fraction * move.t;
  state.lambda = before.lambda + fraction * move.small.tail(move.small.size() - n);
  equations_->move(before, fraction * move.small.head(n), state);
}

VectorXd RelativeEquilibrium::way(const State& before, const State& after,
                                  const Move& travel) const {
  const system::Layout& layout = system_.layout();
  VectorXd way = VectorXd::Zero(layout.n_velocities());
  if (travel.small.head(way.size()).isZero(0.0)) return way;
  const auto rotation = [](const State& state, int at) {
    const auto q = state.q.segment<4>(at);
    return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
  };
  for (const bodies::BodyIndex body : system_.bodies()) {
    const int q = layout.configuration_offset(body), v = layout.velocity_offset(body);
    const int n = system_.body(body).n_elastic();
    way.segment(v + layout.n_velocities(body) - n, n) =
        after.q.segment(layout.elastic_offset(body), n) -
        before.q.segment(layout.elastic_offset(body), n);
    if (system_.body(body).n_rigid() == 0) continue;  // a superelement
    way.segment<3>(v) = after.q.segment<3>(q) - before.q.segment<3>(q);
    const Eigen::Matrix3d R = rotation(before, q + 3).transpose() * rotation(after, q + 3);
    const Eigen::Vector3d turn = travel.small.segment<3>(v + 3);  // poses say it up to whole turns
    way.segment<3>(v + 3) = turn + math::log_rotation(math::exp_rotation(turn).transpose() * R);
  }
  return way;
}

}  // namespace solidyn::analyses
