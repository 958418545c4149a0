#include "integrators/contact_transitions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "integrators/kinetic_energies.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/system/accelerations.h"

namespace solidyn::integrators {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using forces::SetValuedPoint;
using solvers::friction::ContactState;
using system::State;
using Kind = ContactEvent::Kind;
using Phase = SetValuedPoint::Phase;

namespace {

// Gaps below this, m, are closed, and velocities below this part of the largest are none: round-off
// of what has been brought to zero.
constexpr double kTouching = 1e-12;
constexpr double kNoSpeed = 1e-10;
// Of the velocities: what is added to them so that contacts press.
constexpr double kLeans = 1e-10;
// Of the kinetic energy: an impact that creates more is reported.
constexpr double kCreated = 1e-9;

}  // namespace

const char* name(ContactEvent::Kind kind) {
  switch (kind) {
    case Kind::impact:
      return "impact";
    case Kind::impact_without_collision:
      return "impact without collision";
    case Kind::opens:
      return "opens";
    case Kind::sticks:
      return "sticks";
    case Kind::slips:
      return "slips";
  }
  return "";
}

ContactTransitions::ContactTransitions(system::System& system, const ContactPoints& points,
                                       double regularization, solvers::Preset preset)
    : system_(system),
      points_(points),
      regularization_(regularization),
      solver_(solvers::make_linear_solver(preset, system.layout().n_unknowns())),
      solve_(*solver_, system.layout().n_velocities(), system.layout().n_constraints(),
             regularization) {
  system_.set_pattern(*solver_);
}

void ContactTransitions::record(double t, int point, Kind kind, double before, double after,
                                double impulse) {
  events_.push_back({t, system_.force(points_.force(point)).name(), points_.number(point) + 1, kind,
                     before, after, impulse});
}

std::vector<int> ContactTransitions::find_closing(const State& s) const {
  std::vector<int> closing;
  for (int i = 0; i < points_.size(); ++i)
    if (!points_.is_closed(s, i) && points_.gap(i) <= kTouching && points_.velocity(i)[0] <= 0.0)
      closing.push_back(i);
  return closing;
}

// Closed contacts without a force that have come apart. @return whether there were any
bool ContactTransitions::release(State& s) {
  bool any = false;
  for (int i = 0; i < points_.size(); ++i) {
    SetValuedPoint point = points_.read(s, i);
    if (point.phase == Phase::open || !point.force.isZero(0.0) || points_.gap(i) <= kTouching)
      continue;
    const double speed = points_.velocity(i)[0];
    if (speed <= 0.0) continue;
    point = {};
    points_.write(s, i, point);
    record(s.t, i, Kind::opens, 0.0, speed, 0.0);
    any = true;
  }
  return any;
}

// None of impacts that are slow, and none where the contact would be closed again within the step:
// impacts that follow each other ever faster end there.
// @param approach m/s, > 0
double ContactTransitions::restitution(int point, double approach, double h) const {
  const forces::SetValuedLaw& law = points_.law(point);
  if (approach < law.slow_speed) return 0.0;
  const double acceleration = points_.acceleration(point)[0];
  const bool returns = 2.0 * law.restitution * approach <= -acceleration * h;
  return returns ? 0.0 : law.restitution;
}

void ContactTransitions::factorise_mass(const State& s) {
  VectorXd r, phi;
  system_.set_coefficients({1.0, 0.0, 0.0});
  system_.update(s);
  system_.compute_residual(s, r, phi);  // G
  system_.update_accelerations();
  system::System::TangentOptions mass_only;
  mass_only.coefficients = {1.0, 0.0, 0.0};
  mass_only.regularization = regularization_;
  system_.assemble(s, mass_only, *solver_);
  solver_->factor();
}

// No impulse at all would meet the laws too, if nothing pressed: what accelerations make of the
// velocities within the shortest of times.
// @param[in,out] velocities [3 n]
void ContactTransitions::lean_on_contacts(const std::vector<int>& of, VectorXd& velocities) const {
  VectorXd accelerations(velocities.size());
  for (std::size_t k = 0; k < of.size(); ++k)
    accelerations.segment<3>(3 * k) = points_.acceleration(of[k]);
  velocities += kLeans * velocities.norm() / accelerations.norm() * accelerations;
}

// Newton's law (11)-(15) of all closed contacts at once: of u+ + e u-, with e = e_T across the
// normal, and slip in the direction of that sum. Joints have velocities as they demand before and
// after it, by impulses of their own.
void ContactTransitions::hit(State& s, const std::vector<int>& closing, double h, Kind kind) {
  const int n_v = system_.layout().n_velocities(), n_l = system_.layout().n_constraints();
  factorise_mass(s);
  std::vector<int> of = points_.closed(s);
  of.insert(of.end(), closing.begin(), closing.end());
  std::sort(of.begin(), of.end());
  of.erase(std::unique(of.begin(), of.end()), of.end());
  const int n = static_cast<int>(of.size());

  VectorXd nu, gamma, Gv, rhs = VectorXd::Zero(n_v + n_l), x;
  system_.compute_rates(s, nu, gamma);
  system_.multiply_G(s.v, Gv);
  rhs.tail(n_l) = nu - Gv;
  if (n_l > 0) {
    solve_.solve(rhs, x);
    s.v += x.head(n_v);
    system_.update(s);
    system_.update_accelerations();
  }
  const VectorXd energy_before = kinetic_energies(system_, s);

  const ContactCompliance c = contact_compliance(points_, of, solve_, 1.0, n_v + n_l);
  VectorXd before(3 * n), added(3 * n), speeds(n);
  std::vector<bool> sticks(n, true);
  VectorXd rebound(n);  // m/s, that the law demands
  for (int k = 0; k < n; ++k) {
    const Vector3d u = points_.velocity(of[k]);
    const bool is_new = std::find(closing.begin(), closing.end(), of[k]) != closing.end();
    // The speed where the surfaces met, which is not where the step ends.
    double approach = std::max(0.0, -u[0]);
    if (is_new && kind == Kind::impact) {
      const double depth = std::max(0.0, -depth_[of[k]]);
      const double acceleration = points_.acceleration(of[k])[0];
      approach = std::sqrt(std::max(0.0, approach * approach + 2.0 * acceleration * depth));
    }
    before.segment<3>(3 * k) = u;
    rebound[k] = restitution(of[k], approach, h) * approach;
    added[3 * k] = -rebound[k];
    added.segment<2>(3 * k + 1) = points_.law(of[k]).tangential_restitution * u.tail<2>();
    speeds[k] = (u.tail<2>() + added.segment<2>(3 * k + 1)).norm();
  }
  if (kind == Kind::impact_without_collision) lean_on_contacts(of, before);
  const ContactSolution solution =
      solve_contacts(points_, c, c.A, before + added, VectorXd::Zero(3 * n), sticks, speeds);
  if (!solution.failure.empty())
    throw base::ComputationError(fmt::format(
        "t = {:.6g} s: no impulses satisfy the impact laws: {}", s.t, solution.failure));
  s.v += (c.X * solution.r).head(n_v);
  system_.update(s);
  const double scale = before.cwiseAbs().maxCoeff();
  for (int k = 0; k < n; ++k) {
    const Vector3d u = points_.velocity(of[k]);
    const Vector3d impulse = solution.r.segment<3>(3 * k);
    SetValuedPoint point = points_.read(s, of[k]);
    point.impulse = points_.axes(of[k]) * impulse;
    const ContactState state = solution.states[k];
    const bool stays = state != ContactState::open && rebound[k] == 0.0;
    const bool is_stuck = state == ContactState::stick && added.segment<2>(3 * k + 1).isZero(0.0);
    point.phase = stays || u[0] <= kNoSpeed * scale ? Phase::closed : Phase::open;
    point.sticks =
        point.phase == Phase::closed && (is_stuck || u.tail<2>().norm() <= kNoSpeed * scale);
    if (point.phase == Phase::open) point.force.setZero();
    points_.write(s, of[k], point);
    const bool is_hit =
        impulse[0] > 0.0 || std::find(closing.begin(), closing.end(), of[k]) != closing.end();
    if (is_hit) record(s.t, of[k], kind, before[3 * k], u[0], impulse[0]);
  }
  const VectorXd energy = kinetic_energies(system_, s);
  energy_change_ += energy - energy_before;
  if (energy.sum() > (1.0 + kCreated) * energy_before.sum())
    warn_of_created_energy(s.t, of, solution.r, energy.sum() - energy_before.sum());
}

// Once, with the contact of the largest friction.
void ContactTransitions::warn_of_created_energy(double t, const std::vector<int>& of,
                                                const VectorXd& r, double energy) {
  if (has_warned_) return;
  has_warned_ = true;
  int worst = 0;
  const auto friction = [&](int k) { return r.segment<2>(3 * k + 1).norm(); };
  for (int k = 1; k < static_cast<int>(of.size()); ++k)
    if (friction(k) > friction(worst)) worst = k;
  base::log_warning(
      "t = {:.6g} s, contact {}: Newton's impact law with friction creates {:.2g} J; smaller restitution or friction there avoids it; this is reported once",
      t, points_.name(of[worst]), energy);
}

// M a + h + G^T lambda = W r, with the law of each closed contact between its acceleration and its
// force. What slips has a known direction of friction, so that its law is that of a contact
// without friction whose force acts along the generator of the cone.
// @return why there is no solution; empty when there is one
std::string ContactTransitions::solve_accelerations(State& s) {
  const int n_v = system_.layout().n_velocities();
  const std::vector<int> closed = points_.closed(s);
  const int n = static_cast<int>(closed.size());
  for (int i = 0; i < points_.size(); ++i) {
    SetValuedPoint point = points_.read(s, i);
    point.force.setZero();
    points_.write(s, i, point);
  }
  system::AccelerationOptions options;
  options.regularization = regularization_;
  system::solve_acceleration_equations(system_, s, options, *solver_);
  if (n == 0) return {};
  system_.update_accelerations();
  const ContactCompliance c =
      contact_compliance(points_, closed, solve_, 1.0, system_.layout().n_unknowns());
  VectorXd q(3 * n), speeds = VectorXd::Zero(n);
  MatrixXd to_forces = MatrixXd::Identity(3 * n, 3 * n);
  std::vector<bool> sticks(n, true);
  std::vector<bool> slips(n, false);
  for (int k = 0; k < n; ++k) {
    q.segment<3>(3 * k) = points_.acceleration(closed[k]);
    const forces::SetValuedLaw& law = points_.law(closed[k]);
    const Vector2d slip = points_.velocity(closed[k]).tail<2>();
    slips[k] = law.has_friction() && !points_.read(s, closed[k]).sticks && slip.norm() > 0.0;
    if (!slips[k]) continue;
    to_forces.block<2, 1>(3 * k + 1, 3 * k) =
        -law.sliding_coefficient(slip.norm()) * slip.normalized();
    to_forces.block<2, 2>(3 * k + 1, 3 * k + 1).setZero();
  }
  const ContactSolution solution =
      solve_contacts(points_, c, c.A * to_forces, q, VectorXd::Zero(3 * n), sticks, speeds, &slips);
  if (!solution.failure.empty()) return solution.failure;
  const VectorXd r = to_forces * solution.r;
  const VectorXd x = c.X * r;
  s.a += x.head(n_v);
  s.lambda += x.tail(system_.layout().n_constraints());
  for (int k = 0; k < n; ++k) {
    SetValuedPoint point = points_.read(s, closed[k]);
    point.force = points_.axes(closed[k]) * r.segment<3>(3 * k);
    const bool stuck = point.sticks;
    point.sticks = !slips[k] && solution.states[k] == ContactState::stick;
    points_.write(s, closed[k], point);
    if (stuck != point.sticks && points_.law(closed[k]).has_friction())
      record(s.t, closed[k], point.sticks ? Kind::sticks : Kind::slips, 0.0, 0.0, 0.0);
  }
  system_.update(s);
  return {};
}

// Where no accelerations keep closed contacts closed, velocities jump (Painleve).
void ContactTransitions::renew_accelerations(State& s) {
  if (solve_accelerations(s).empty()) return;
  hit(s, {}, 0.0, Kind::impact_without_collision);
  const std::string failure = solve_accelerations(s);
  if (!failure.empty())
    throw base::ComputationError(fmt::format(
        "t = {:.6g} s: no accelerations and contact forces satisfy the laws of the closed contacts, and no impulses help; coefficients of friction may be too large for the geometry: {}",
        s.t, failure));
}

void ContactTransitions::start(State& s) {
  events_.clear();
  energy_change_.setZero(system_.connectivity().n_islands());
  if (points_.is_empty()) return;
  system_.update(s);
  system_.update_accelerations();
  depth_.setZero(points_.size());
  std::vector<int> approaching;
  double fastest = 0.0;
  for (int i = 0; i < points_.size(); ++i)
    fastest = std::max(fastest, std::abs(points_.velocity(i)[0]));
  for (const int i : find_closing(s)) {
    SetValuedPoint point;
    point.phase = Phase::closed;
    point.sticks = points_.velocity(i).tail<2>().norm() <= kNoSpeed * fastest;
    points_.write(s, i, point);
    if (points_.velocity(i)[0] < -kNoSpeed * fastest) approaching.push_back(i);
  }
  if (!approaching.empty()) hit(s, approaching, 0.0, Kind::impact);
  renew_accelerations(s);
}

bool ContactTransitions::finish(const State& before, State& s, double h, const VectorXd& gaps) {
  events_.clear();
  depth_ = gaps;
  energy_change_.setZero(system_.connectivity().n_islands());
  for (int i = 0; i < points_.size(); ++i) {
    SetValuedPoint point = points_.read(s, i);
    if (point.impulse.isZero(0.0)) continue;
    point.impulse.setZero();
    points_.write(s, i, point);
  }
  system_.update(s);
  system_.update_accelerations();
  bool has_changed = release(s);
  for (const int i : points_.closed(s)) {
    const bool stuck = points_.read(before, i).sticks, sticks = points_.read(s, i).sticks;
    if (stuck == sticks || !points_.law(i).has_friction()) continue;
    record(s.t, i, sticks ? Kind::sticks : Kind::slips, 0.0, 0.0, 0.0);
    has_changed = true;
  }
  const std::vector<int> closing = find_closing(s);
  if (!closing.empty()) hit(s, closing, h, Kind::impact);
  if (closing.empty() && !has_changed) return false;
  renew_accelerations(s);
  return true;
}

}  // namespace solidyn::integrators
