#include "integrators/contact_step_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "integrators/contact_passage.h"
#include "integrators/energies_of_islands.h"
#include "solidyn/base/error.h"
#include "solidyn/integrators/contact_start.h"
#include "solidyn/integrators/set_valued_powers.h"
#include "solidyn/system/force_memory.h"

namespace solidyn::integrators {

using Eigen::Vector3d;
using Eigen::VectorXd;
using forces::SetValuedPoint;
using system::State;

namespace {

// Of the velocities: what forces left over from the start of a step may make of them.
constexpr double kLeftOver = 1e-2;
// How often the time in which friction ends a slip fits into a step that does not resolve it.
constexpr double kBrief = 100.0;
// Of the mechanism's length: how deep a located impact may be.
constexpr double kLocated = 1e-10;
// Likewise: bodies that are so deep in each other at the end of a step have no step.
constexpr double kTooDeep = 1e-3;

// Slip of the speed u that slows down by a ends after |u|^2/(-u . a), s, in a step of h.
double lasting(const Eigen::Vector2d& u, const Eigen::Vector2d& a, double h) {
  const double slowing = -u.dot(a);
  return slowing * h > u.squaredNorm() ? u.squaredNorm() / slowing : h;
}

// J, of each island: what drives surfaces that move has done, until the slip on them ended, beyond
// half of the step at its power at the start. @pre and after: System::update(s)
VectorXd work_until_slip_ends(system::System& system, const ContactPoints& points,
                              const State& before, const State& s, double h) {
  std::vector<int> ended;
  for (int i = 0; i < points.size(); ++i)
    if (points.moves(i) && points.has_force(before, i) && !points.read(before, i).sticks &&
        points.read(s, i).sticks)
      ended.push_back(i);
  if (ended.empty()) return {};
  system.update(before);
  system.update_accelerations();
  VectorXd work = VectorXd::Zero(system.connectivity().n_islands());
  for (const int i : ended) {
    const Vector3d u = points.velocity(i), a = points.acceleration(i);
    const Vector3d surface = points.dense_directions({i}).transpose() * before.v - u;
    const double power = (points.axes(i).transpose() * points.read(before, i).force).dot(surface);
    work[points.island(i)] += (lasting(u.tail<2>(), a.tail<2>(), h) - 0.5 * h) * power;
  }
  system.update(s);
  return work;
}

}  // namespace

ContactStepEnd::ContactStepEnd(system::System& system, ImplicitStage& stage,
                               const StageOptions& options)
    : system_(system),
      stage_(stage),
      transitions_(system, stage.contacts().points(), stage.regularization(), options.preset,
                   options.multiple_impacts),
      projects_(options.stabilisation == Stabilisation::projection) {
  if (stage.locates_impacts()) search_.emplace();
}

bool ContactStepEnd::has_left_over_forces(const State& before, const State& s) {
  const ContactPoints& points = stage_.contacts().points();
  std::vector<int> cut;
  VectorXd changes;
  for (int i = 0; i < points.size(); ++i) {
    if (!points.has_force(before, i)) continue;
    const SetValuedPoint first = points.read(before, i);
    const SetValuedPoint last = points.read(s, i);
    const Vector3d change = first.force - last.force;
    const bool lets_go = last.force.isZero(0.0), slips = first.sticks && !last.sticks;
    if (change.isZero(0.0) || !(lets_go || slips)) continue;
    cut.push_back(i);
    changes.conservativeResize(3 * cut.size());
    changes.tail<3>() = points.axes(i).transpose() * change;
  }
  if (cut.empty()) return false;
  const ContactFactors factors = stage_.contact_factors(s);
  const ContactCompliance c =
      contact_compliance(points, cut, factors, system_.layout().n_unknowns());
  const double speed = stage_.velocity_factor() * (c.A * changes).lpNorm<Eigen::Infinity>();
  return speed > kLeftOver * stage_.velocity_size(before) * stage_.length();
}

bool ContactStepEnd::has_brief_slip(const State& before, double h) {
  const ContactPoints& points = stage_.contacts().points();
  std::vector<int> slipping;
  for (const int i : points.closed(before))
    if (points.law(i).has_friction() && !points.moves(i) && !points.read(before, i).sticks)
      slipping.push_back(i);
  if (slipping.empty()) return false;
  system_.update(before);
  system_.update_accelerations();
  return std::any_of(slipping.begin(), slipping.end(), [&](int i) {
    const Eigen::Vector2d u = points.velocity(i).tail<2>(), a = points.acceleration(i).tail<2>();
    return -u.dot(a) * h > kBrief * u.squaredNorm() && !u.isZero(0.0);
  });
}

bool ContactStepEnd::take_euler_step(const State& before, State& s, double h) {
  s.copy_from(before);
  s.t += h;
  s.a.setZero();
  stage_.n = h * before.v;
  system_.advance(before.q, stage_.n, s.q);
  for (bodies::NodalState& nodal : s.nodal) {
    SOLIDYN_PETSC(VecAXPY(nodal.u, h, nodal.du));
    SOLIDYN_PETSC(VecZeroEntries(nodal.ddu));
  }
  stage_.forget_tangent();
  return stage_.iterate({h, 1.0 / h, 1.0 / (h * h), h * h}, before, s, ImplicitStage::Search::none);
}

// @pre System::update(s)
VectorXd ContactStepEnd::gaps_now() const {
  const ContactPoints& points = stage_.contacts().points();
  VectorXd gaps(points.size());
  for (int i = 0; i < points.size(); ++i) gaps[i] = points.gap(i);
  return gaps;
}

// Whether any point is closed, or a gap: else gaps are as they are, and nothing is hit.
bool ContactStepEnd::is_touching(const State& s, const VectorXd& gaps) const {
  const ContactPoints& points = stage_.contacts().points();
  for (int i = 0; i < points.size(); ++i)
    if (points.is_closed(s, i) || gaps[i] <= kTouching) return true;
  return false;
}

// Of points that are open there; others are not looked for. @pre System::update(before)
ImpactSearch::Gaps ContactStepEnd::gaps_at_start(const State& before) const {
  const ContactPoints& points = stage_.contacts().points();
  ImpactSearch::Gaps gaps;
  gaps.first.setConstant(points.size(), std::numeric_limits<double>::quiet_NaN());
  gaps.first_rate.setZero(points.size());
  for (int i = 0; i < points.size(); ++i) {
    if (!points.law(i).has_gap() || points.is_closed(before, i) || !points.exists(i)) continue;
    gaps.first[i] = points.gap(i);
    gaps.first_rate[i] = points.velocity(i)[0];
  }
  return gaps;
}

// Until slip ends, and not for half of the step, friction took the mean of its powers. @pre and
// after: System::update(s)
VectorXd ContactStepEnd::ended_slip(const State& before, const State& s, double h) {
  const ContactPoints& points = stage_.contacts().points();
  std::vector<int> ended;
  for (int i = 0; i < points.size(); ++i) {
    if (!points.law(i).has_friction()) continue;
    const SetValuedPoint first = points.read(before, i), last = points.read(s, i);
    if (!first.sticks && last.sticks && !first.force.isZero(0.0)) ended.push_back(i);
  }
  if (ended.empty()) return {};
  system_.update(before);
  system_.update_accelerations();
  VectorXd too_much = VectorXd::Zero(system_.connectivity().n_islands());
  for (const int i : ended) {
    const Eigen::Vector2d u = points.velocity(i).tail<2>(), a = points.acceleration(i).tail<2>();
    const double lasted = lasting(u, a, h);
    const Eigen::Matrix<double, 3, 2> tangents = points.axes(i).rightCols<2>();
    const double power = (tangents.transpose() * points.read(before, i).force).dot(u);
    too_much[points.island(i)] -= 0.5 * (h - lasted) * power;
  }
  system_.update(s);
  return too_much;
}

// Of each point, m/s, in W. @pre System::update(s)
Eigen::Matrix3Xd ContactStepEnd::slips_now() const {
  const ContactPoints& points = stage_.contacts().points();
  Eigen::Matrix3Xd slips = Eigen::Matrix3Xd::Zero(3, points.size());
  for (int i = 0; i < points.size(); ++i)
    if (points.exists(i) && points.law(i).has_friction())
      slips.col(i) = points.axes(i).rightCols<2>() * points.velocity(i).tail<2>();
  return slips;
}

// J, of each island: of forces that are those of the end in the whole step, with which M (v1 - v0)
// changes the kinetic energy by their impulses times (v0 + v1)/2.
// @param first  slips at the start   @pre System::update(s)
VectorXd ContactStepEnd::loss_by_last_forces(const State& s, const Eigen::Matrix3Xd& first,
                                             double h) const {
  const ContactPoints& points = stage_.contacts().points();
  const Eigen::Matrix3Xd last = slips_now();
  VectorXd loss = VectorXd::Zero(system_.connectivity().n_islands());
  for (int i = 0; i < points.size(); ++i)
    if (points.has_force(s, i))
      loss[points.island(i)] -= 0.5 * h * points.read(s, i).force.dot(first.col(i) + last.col(i));
  return loss;
}

// Of points that were open, and are the same ones at both ends. @pre System::update(s)
void ContactStepEnd::look_for_impacts(const State& before, const State& s, double h,
                                      ImpactSearch::Gaps gaps) {
  const ContactPoints& points = stage_.contacts().points();
  gaps.last.setZero(points.size());
  gaps.last_rate.setZero(points.size());
  gaps.allowed.setOnes(points.size());
  for (int i = 0; i < points.size(); ++i) {
    const bool was_open = gaps.first[i] > kTouching || gaps.first_rate[i] > 0.0;
    if (!std::isfinite(gaps.first[i]) || !was_open || points.is_closed(s, i) || !points.exists(i)) {
      gaps.first[i] = gaps.first_rate[i] = 0.0;
      continue;
    }
    gaps.last[i] = points.gap(i);
    gaps.last_rate[i] = points.velocity(i)[0];
    gaps.allowed[i] = kLocated * (points.is_angle(i) ? 1.0 : stage_.length());
  }
  search_->look(before.t, h, gaps);
}

bool ContactStepEnd::finish(const State& before, State& s, double h, ContactReport& report,
                            bool begins_anew) {
  const ContactPoints& points = stage_.contacts().points();
  const bool has_noted = stage_.contacts().note_sticking(s);
  const bool is_known = ahead_ && ahead_->t == before.t && ahead_->q == before.q &&
                        ahead_->version == points.version();
  std::vector<Vector3d> normals;
  if (is_known) normals = std::move(ahead_->normals);
  ahead_.reset();
  VectorXd first;
  Eigen::Matrix3Xd slips;
  ImpactSearch::Gaps gaps;
  if (!is_known || begins_anew || search_) {
    system_.update(before);
    if (!is_known) normals = normals_of(points);
    if (begins_anew) {
      first = total_energies(system_, before);
      slips = slips_now();
    }
    if (search_) gaps = gaps_at_start(before);
    system_.update(s);
  }
  std::vector<Vector3d> last_normals = normals_of(points);
  require_no_passage(system_, points, before, s, stage_.n, normals, last_normals);
  ContactStep step;
  step.h = h;
  step.way = h * stage_.length() * std::max(stage_.velocity_size(before), stage_.velocity_size(s));
  report.friction_power = set_valued_powers(system_).friction;
  if (begins_anew) report.friction_loss = loss_by_last_forces(s, slips, h);
  if (has_noted) report.ended_slip = ended_slip(before, s, h);
  VectorXd driven;
  if (has_noted) driven = work_until_slip_ends(system_, points, before, s, h);
  // Where impacts cut steps, they crowd as they would within whole ones.
  const double steps = search_ ? search_->part_of_longest(h) : 1.0;
  const bool has_calmed = transitions_.count_down_crowding(s, steps);
  const bool has_lost = transitions_.drop_lost_points(before, s, step);
  if (search_) look_for_impacts(before, s, h, std::move(gaps));
  bool has_jumped = false, has_moved = false;
  step.gaps = gaps_now();
  if (begins_anew || has_lost || is_touching(s, step.gaps)) {
    const VectorXd energy = total_energies(system_, s);
    step.energies = energy;
    if (begins_anew) report.euler_change = energy - first;
    const bool is_back = projects_ && transitions_.go_back(before, s, h);
    const VectorXd from = is_back ? s.q : before.q;
    if (is_back) {
      stage_.n.setZero();
      step.gaps = gaps_now();
    }
    for (const int i : transitions_.met()) step.gaps[i] = 0.0;
    step.closing = {-stage_.n, copies_of(s, &bodies::NodalState::u)};
    const std::vector<Vector3d> momenta = mesh_momenta(system_);
    const auto close_gaps = [&](const VectorXd& q, State& moved, VectorXd& n,
                                const std::vector<int>& met) {
      using Joints = GapClosing::Joints;
      return stage_.contacts().gap_closing().close(
          system_, q, moved, stage_.contact_factors(moved), stage_.length(), n,
          is_back ? Joints::always : Joints::beside_gaps, met);
    };
    has_moved = projects_ && close_gaps(from, s, stage_.n, transitions_.met());
    if (has_moved) keep_momenta(system_, momenta, s);
    step.closing.small += stage_.n;
    subtract_from(s, &bodies::NodalState::u, step.closing.nodal);
    has_jumped = transitions_.finish(before, s, step, begins_anew || has_lost);
    if (is_back) {
      has_moved = has_jumped = true;
      transitions_.go_on(s, [&](State& moved) {
        const VectorXd q = moved.q;
        VectorXd n = VectorXd::Zero(moved.v.size());
        close_gaps(q, moved, n, {});
      });
    }
    const bool has_changed = has_moved || has_jumped;
    report.energy_change =
        has_changed ? VectorXd(total_energies(system_, s) - energy) : VectorXd::Zero(energy.size());
    report.work_of_drives = transitions_.work_of_drives();
  }
  if (!has_jumped && (has_noted || has_calmed)) system_.update(s);  // what forces remember
  report.events = transitions_.events();
  report.powers = transitions_.powers_before_impacts();
  report.loads = transitions_.loads_before_impacts();
  if (driven.size() > 0) {  // so that the mean of the powers at both ends is that of the work
    if (report.powers.size() == 0) {
      report.powers = system_.external_powers(s);
      report.loads = report.powers - set_valued_powers(system_).whole;
    }
    report.powers += 2.0 / h * driven;
    report.loads += 2.0 / h * driven;
  }
  if (has_moved || has_jumped) step.gaps = gaps_now();
  for (int i = 0; i < points.size(); ++i) {
    if (points.holds(s, i)) ++report.n_closed;
    report.note_gap(step.gaps[i], points.is_angle(i));
  }
  if (projects_ && report.penetration > kTooDeep * stage_.length())
    throw base::ComputationError(fmt::format(
        "set-valued contacts are {:.2g} m deep at the end of a step, and no position near it has all their gaps closed\n  try a smaller `step`, or look for bodies that squeeze each other",
        report.penetration));
  if (has_jumped) stage_.forget_tangent();
  if (has_moved) last_normals = normals_of(points);
  ahead_ = Ahead{s.t, points.version(), s.q, std::move(last_normals)};
  return has_jumped;
}

ContactReport start_contacts(system::System& system, State& s, double regularization,
                             solvers::Preset preset, MultipleImpacts multiple,
                             std::shared_ptr<ContactSolver> solver) {
  ContactReport report;
  ContactPoints points(system, std::move(solver));
  if (points.is_empty()) return report;
  points.find(system, s);
  ContactTransitions transitions(system, points, regularization, preset, multiple);
  report.energy_change = transitions.start(s);
  report.work_of_drives = transitions.work_of_drives();
  report.events = transitions.events();
  for (int i = 0; i < points.size(); ++i)
    if (points.holds(s, i)) ++report.n_closed;
  return report;
}

void forget_impulses(system::System& system, State& s) {
  bool may_vary = false;
  for (const forces::ForceIndex f : system.forces())
    may_vary = may_vary || (system.force(f).as_set_valued() && system.force(f).has_parts());
  if (may_vary) system.update(s);
  const base::IndexedVector<forces::ForceIndex, int> offsets =
      system::memory_offsets(system, s.memory);
  for (const forces::ForceIndex f : system.forces()) {
    const forces::SetValued* law = system.force(f).as_set_valued();
    for (int k = 0; law && k < law->n_points(); ++k) {
      auto memory = s.memory.segment<SetValuedPoint::kSize>(offsets[f] + law->memory_offset(k));
      SetValuedPoint point = SetValuedPoint::read(memory);
      if (point.impulse.isZero(0.0)) continue;
      point.impulse.setZero();
      point.write(memory);
    }
  }
}

}  // namespace solidyn::integrators
