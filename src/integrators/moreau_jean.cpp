#include "solidyn/integrators/moreau_jean.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "integrators/energies_of_islands.h"
#include "integrators/implicit_stage.h"
#include "integrators/moreau_contacts.h"
#include "integrators/refusals.h"
#include "integrators/rethrow_with_time.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/integrators/set_valued_powers.h"

namespace solidyn::integrators {

using Eigen::VectorXd;
using forces::SetValuedPoint;
using system::State;

namespace {

// How often restitution is made of lower speeds, which the end of the step has a part in.
constexpr int kMaxLowered = 6;
// Of the kinetic energy at its start: what a step may add to all energy beyond what acts on it.
constexpr double kFromNothing = 1e-2;

}  // namespace

MoreauJean::MoreauJean(system::System& system, const MoreauJeanOptions& options)
    : system_(system), options_(options), stage_(std::make_unique<ImplicitStage>(system, options)) {
  if (!(options.theta >= 0.5 && options.theta <= 1.0))
    throw base::InputError(fmt::format("theta of `moreau_jean` is {:g}", options.theta),
                           "choose it between 0.5 and 1");
  refuse_full_meshes(system, "moreau_jean");
  stage_->use_velocity_level(given_);
  contacts_ = std::make_unique<MoreauContacts>(system, *stage_, options.theta);
}

MoreauJean::~MoreauJean() = default;

void MoreauJean::initialize(const State& state) {
  contacts_->forget_changes();
  stage_->begin_anew(state);
  stage_->allocate(state);
  before_ = state.clone();
}

void MoreauJean::forget_history(const State& state) {
  contacts_->forget_changes();
  stage_->choose_regularization(state);
  stage_->begin_anew(state);
}

// Without joints and contacts: those are P.
void MoreauJean::find_forces_at_start() {
  State first = before_.clone();
  first.a.setZero();
  first.lambda.setZero();
  const ContactPoints& points = stage_->contacts().points();
  for (int i = 0; i < points.size(); ++i) {
    SetValuedPoint point = points.read(first, i);
    point.force.setZero();
    points.write(first, i, point);
  }
  VectorXd phi;
  system_.update(first);
  system_.compute_residual(first, forces_at_start_, phi);
  system_.update(before_);
}

// The equations over theta, with a := (v1 - v0) / (theta h), so that v1 and a follow the increment
// as those of Euler's formula with the step theta h do. Multipliers and contact forces are P / h
// over theta; friction of joints grows with the multipliers, so that it has all its impulse here
// and none in f0.
void MoreauJean::take_step(State& s, double h, double theta) {
  const auto begin = [&] {
    s.copy_from(before_);
    s.t += h;
    contacts_->prepare(s, theta);
    if (contacts_->is_empty() || contacts_->goes_on()) s.v += h * before_.a;
    s.a = (s.v - before_.v) / (theta * h);
    s.lambda /= theta;
    stage_->n = h * (theta * s.v + (1.0 - theta) * before_.v);
    if (!holds_directions_) system_.advance(before_.q, stage_->n, s.q);
  };
  stage_->hold_positions(holds_directions_);
  given_ = (1.0 - theta) / theta * forces_at_start_;
  const double c = 1.0 / (theta * h);
  const StageCoefficients coefficients{h, c, c * c, 1.0 / (c * c)};
  begin();
  bool has_converged = stage_->iterate(coefficients, before_, s, ImplicitStage::Search::none);
  if (!has_converged && stage_->may_need_halves(s)) {
    begin();
    stage_->forget_tangent();
    has_converged = stage_->iterate(coefficients, before_, s, ImplicitStage::Search::halves);
  }
  if (!has_converged) throw base::ComputationError(stage_->failure(before_, s, h));
  if (holds_directions_) system_.advance(before_.q, stage_->n, s.q);
  s.lambda *= theta;
  const ContactPoints& points = stage_->contacts().points();
  for (int i = 0; i < points.size(); ++i) {
    SetValuedPoint point = points.read(s, i);
    point.force *= theta;
    points.write(s, i, point);
  }
  system_.update(s);
  stage_->contacts().note_sticking(s);
}

// Points that the prediction has missed are made active. Where impulses would do work on the
// bodies because directions turn, restitution is of lower speeds. Where they still do, as Newton's
// law with friction may, or what comes back within the step, the island's step is taken with
// theta = 1 and without restitution: then they cannot. That of others stays.
void MoreauJean::solve_as_asked(State& s, double h) {
  double theta = 1.0;
  const auto take = [&] {
    do {
      theta = contacts_->theta_of_step();
      take_step(s, h, theta);
    } while (contacts_->add_missed());
    theta_of_step_.setConstant(theta);
    return contacts_->work(before_, s, theta);
  };
  VectorXd work = take();
  for (int i = 0; i < kMaxLowered && work.maxCoeff() > 0.0 &&
                  contacts_->lower_restitution(before_, s, theta, work);
       ++i)
    work = take();
  if (!(work.maxCoeff() > 0.0)) return;
  const State asked = s.clone();
  const VectorXd n = stage_->n;
  const MoreauContacts::Active active = contacts_->active();
  std::vector<bool> is_left_out(work.size());
  for (std::size_t k = 0; k < is_left_out.size(); ++k)
    is_left_out[k] = work[static_cast<Eigen::Index>(k)] > 0.0;
  contacts_->leave_out_restitution(is_left_out);
  solve_without_restitution(s, h);
  contacts_->keep_of(is_left_out, active);
  take_others(asked, n, is_left_out, s);
  for (std::size_t k = 0; k < is_left_out.size(); ++k)
    if (!is_left_out[k]) theta_of_step_[static_cast<Eigen::Index>(k)] = theta;
}

void MoreauJean::solve_without_restitution(State& s, double h) {
  theta_of_step_.setOnes();
  do take_step(s, h, 1.0);
  while (contacts_->add_missed());
}

// All but that of these islands. @param n  increment that has led to `from`
void MoreauJean::take_others(const State& from, const VectorXd& n, const std::vector<bool>& islands,
                             State& s) {
  const system::Layout& layout = system_.layout();
  const system::Connectivity& connectivity = system_.connectivity();
  for (const bodies::BodyIndex b : system_.bodies()) {
    if (islands[connectivity.island_of_body(b)]) continue;
    const int q = layout.configuration_offset(b), n_q = system_.body(b).n_configuration();
    const int v = layout.velocity_offset(b), n_v = system_.body(b).n_velocities();
    s.q.segment(q, n_q) = from.q.segment(q, n_q);
    s.v.segment(v, n_v) = from.v.segment(v, n_v);
    s.a.segment(v, n_v) = from.a.segment(v, n_v);
    stage_->n.segment(v, n_v) = n.segment(v, n_v);
  }
  for (const bodies::ConstraintIndex c : system_.constraints()) {
    if (islands[connectivity.island_of(system_.constraint(c).bodies())]) continue;
    const int at = layout.constraint_offset(c), n_rows = system_.constraint(c).n_rows();
    s.lambda.segment(at, n_rows) = from.lambda.segment(at, n_rows);
  }
  const ContactPoints& points = stage_->contacts().points();
  for (int i = 0; i < points.size(); ++i)  // moments after their contacts
    if (!islands[points.island(i)]) points.write(s, i, points.read(from, i));
  system_.update(s);
}

// Boxes on their edges may have other points and directions of contact for each velocity that these
// lead to, however short the step is: at last those that it begins with are kept. With them
// impulses do no work by turning, and the rest is a matter of the gaps at its end.
void MoreauJean::solve(State& s, double h) {
  holds_directions_ = false;
  try {
    return solve_with_restitution(s, h);
  } catch (const base::ResourceError&) {
    throw;
  } catch (const base::ComputationError&) {
    if (!is_last_try_ || contacts_->is_empty()) throw;
  }
  stage_->forget_tangent();
  holds_directions_ = true;
  solve_with_restitution(s, h);
  if (!std::exchange(has_held_directions_, true))
    base::log_warning(
        "t = {:.6g} s: contacts have no impulses with the directions at the end of a step of {:.2g} s; it is taken with those at its start; this is reported once",
        s.t, h);
}

void MoreauJean::solve_with_restitution(State& s, double h) {
  contacts_->begin(before_, h);
  find_forces_at_start();
  theta_of_step_.resize(system_.connectivity().n_islands());
  std::vector<int> rebounding;
  try {
    solve_as_asked(s, h);
    return require_plausible_impulses(h, s);
  } catch (const base::ResourceError&) {
    throw;
  } catch (const base::ComputationError&) {
    rebounding = contacts_->islands_with_rebounds();
    if (!is_last_try_ || rebounding.empty()) throw;
  }
  solve_without_some_restitution(rebounding, s, h);
}

// Stops and a floor between which a linkage is jammed may have no impulses that give the bodies
// what restitution asks for, however short the step is. Which island has none the failure does not
// say: one is tried after the other before all of them are left out.
void MoreauJean::solve_without_some_restitution(const std::vector<int>& rebounding, State& s,
                                                double h) {
  const auto begin_without = [&](const std::vector<int>& islands) {
    stage_->forget_tangent();
    contacts_->begin(before_, h);
    std::vector<bool> is_left_out(theta_of_step_.size(), false);
    for (const int island : islands) is_left_out[island] = true;
    contacts_->leave_out_restitution(is_left_out);
  };
  for (std::size_t k = 0; k < rebounding.size() && rebounding.size() > 1; ++k) {
    begin_without({rebounding[k]});
    try {
      solve_as_asked(s, h);
      return require_plausible_impulses(h, s);
    } catch (const base::ResourceError&) {
      throw;
    } catch (const base::ComputationError&) {  // not this one, or not alone
    }
  }
  begin_without(rebounding);
  solve_without_restitution(s, h);
  require_plausible_impulses(h, s);
}

// Where contacts jam bodies, laws are met to a part of speeds that are out of all proportion, and
// what meets them so may have any energy.
void MoreauJean::require_plausible_impulses(double h, const State& s) {
  contacts_->require_bounded_impulses(s, h * forces_at_start_.norm() * before_.v.norm());
  if (is_last_try_) return;
  VectorXd gain = contacts_->suspicious_gain(s, kFromNothing);
  if (gain.isZero(0.0)) return;
  find_mean_velocity(s);
  const Works works = work_of_forces(s, h);
  gain -= (1.0 + kFromNothing) * (works.whole - works.of_laws).cwiseMax(0.0);
  if (gain.maxCoeff() > 0.0)
    throw base::ComputationError(fmt::format(
        "impulses of contacts would give the bodies {:.2g} J from nothing: they are jammed\n  try a smaller `step`",
        gain.maxCoeff()));
}

void MoreauJean::find_mean_velocity(const State& s) {
  mean_velocity_.resize(s.v.size());
  for (const bodies::BodyIndex b : system_.bodies()) {
    const int at = system_.layout().velocity_offset(b), n = system_.body(b).n_velocities();
    const double theta = theta_of_step_[system_.connectivity().island_of_body(b)];
    mean_velocity_.segment(at, n) =
        theta * s.v.segment(at, n) + (1.0 - theta) * before_.v.segment(at, n);
  }
}

// Gaps of contacts that press are closed unless that costs energy, as against a stiff spring: then
// those that are open stay so for another step, and what penetrates, as edges that bodies roll on
// do, is lifted by the velocities of the bodies on it. Where these do not have as much it stays
// where it is until they do.
void MoreauJean::project(State& s) {
  using Joints = GapClosing::Joints;
  contacts_->settle(s);
  if (options_.stabilisation == Stabilisation::none)
    return contacts_->make_velocities_consistent(s);
  const auto close = [&](Joints joints) {
    stage_->contacts().gap_closing().close(system_, before_.q, s, stage_->contact_factors(s),
                                           stage_->length(), stage_->n, joints);
  };
  if (contacts_->is_empty()) {
    close(Joints::always);
    return contacts_->make_velocities_consistent(s);
  }
  const State unprojected = s.clone();
  const VectorXd n = stage_->n, before = total_energies(system_, s);
  const auto go_back = [&] {
    s.copy_from(unprojected);
    stage_->n = n;
    system_.update(s);
    contacts_->open_gaps(s);
  };
  close(Joints::always);
  if (contacts_->gains(s, before)) {
    go_back();
    close(Joints::always);
  }
  contacts_->open_gaps(s);
  contacts_->make_velocities_consistent(s);
  if (contacts_->pay_for(s, before)) return;
  go_back();
  close(Joints::alone);
  contacts_->make_velocities_consistent(s);
}

// J, of each island: what forces, dampers and drives have done at the velocity v_theta, as the
// scheme has it. Of dampers that are fast for the step the powers at its ends say nothing.
MoreauJean::Works MoreauJean::work_of_forces(const State& s, double h) {
  State at = before_.clone();
  at.v = mean_velocity_;
  at.lambda = s.lambda;
  at.memory = s.memory;  // forces of contacts that are no impulses
  Works works{VectorXd::Zero(theta_of_step_.size()), {}, {}};
  works.of_laws = works.of_friction = works.whole;
  const auto add = [&](const VectorXd& part) {
    system_.update(at);
    const SetValuedPowers laws = set_valued_powers(system_);
    works.whole += h * part.cwiseProduct(system_.external_powers(at));
    works.of_laws += h * part.cwiseProduct(laws.whole);
    works.of_friction += h * part.cwiseProduct(laws.friction);
  };
  add((1.0 - theta_of_step_.array()).matrix());
  at.t = s.t;
  at.q = s.q;
  add(theta_of_step_);
  system_.update(s);
  return works;
}

// Where something is hit, what forces have not done impulses have, or the scheme where theta is
// above 1/2: (11) of doc/theory/nonsmooth.md.
void MoreauJean::report_contacts(State& s, double h, const VectorXd& closing) {
  const std::vector<bool> is_hit = contacts_->finish(before_, s, contact_report_);
  const Works works = work_of_forces(s, h);
  const VectorXd& work = works.whole;
  // So that the mean of the powers at both ends is that of the work.
  contact_report_.powers = 2.0 / h * work - contacts_->first_powers();
  contact_report_.loads = 2.0 / h * (work - works.of_laws) - contacts_->first_loads();
  contact_report_.friction_loss = works.of_friction;
  contact_report_.energy_change = closing;
  if (std::none_of(is_hit.begin(), is_hit.end(), [](bool hit) { return hit; })) return;
  const VectorXd last = total_energies(system_, s);
  system_.update(before_);
  const VectorXd first = total_energies(system_, before_);
  system_.update(s);
  for (std::size_t k = 0; k < is_hit.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    if (is_hit[k]) contact_report_.energy_change[i] = last[i] - first[i] - work[i];
  }
}

void MoreauJean::require_acceptable(const State& s) {
  try {
    stage_->require_no_rejection(before_, s);
    contacts_->require_no_passage(before_, s);
  } catch (const base::ComputationError&) {
    rethrow_with_time(std::current_exception(), s.t);
  }
}

void MoreauJean::step(State& s, double h) {
  require_step(h);
  before_.copy_from(s);
  contact_report_ = {};
  stage_->note_start(s);
  try {
    solve(s, h);
    find_mean_velocity(s);
    require_acceptable(s);
    VectorXd energies;
    if (!contacts_->is_empty()) energies = total_energies(system_, s);
    project(s);
    s.a = (s.v - before_.v) / h;
    contacts_->note_change(before_, s);
    if (contacts_->is_empty())
      system_.update(s);
    else
      report_contacts(s, h, total_energies(system_, s) - energies);
    contacts_->warn_of_refused_restitution(s.t);
  } catch (const base::ComputationError&) {
    s.copy_from(before_);
    stage_->forget_tangent();
    contacts_->forget_changes();
    throw;
  }
  ++stage_->statistics().steps;
}

const IntegratorStatistics& MoreauJean::statistics() const { return stage_->statistics(); }

}  // namespace solidyn::integrators
