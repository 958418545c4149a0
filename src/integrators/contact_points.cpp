#include "integrators/contact_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "solidyn/base/error.h"
#include "solidyn/system/force_memory.h"
#include "solidyn/system/scales.h"

namespace solidyn::integrators {

using Eigen::MatrixXd;
using forces::SetValuedPoint;
using system::State;

namespace {

// Of the mechanism's length: deeper overlaps at the start are refused.
constexpr double kOverlaps = 1e-6;

}  // namespace

ContactPoints::ContactPoints(const system::System& system, std::shared_ptr<ContactSolver> solver)
    : system_(system), solver_(solver ? std::move(solver) : std::make_shared<ContactSolver>()) {
  for (const forces::ForceIndex f : system.forces()) {
    const forces::SetValued* law = system.force(f).as_set_valued();
    if (!law) continue;
    laws_.push_back({f, law, law->version(), system.memory_offset(f)});
    if (system.force(f).has_parts())
      may_vary_ = true;
    else
      add_points(laws_.back());
  }
  if (!laws_.empty()) clusters_ = Clusters(system);
}

// Points of one pair of bodies are one after the other.
void ContactPoints::add_points(const Law& from) {
  const std::vector<bodies::BodyIndex>* bodies = nullptr;
  const int island = system_.connectivity().island_of(system_.force(from.force).bodies());
  const int first = size();
  for (int k = 0; k < from.law->n_points(); ++k) {
    const std::vector<bodies::BodyIndex>* own = from.law->bodies_of(k);
    if (k == 0 || own != bodies) {
      Columns columns{
          own ? system_.layout().velocity_indices(*own) : system_.force_columns(from.force), {}};
      columns.ascending.resize(columns.velocities.size());
      std::iota(columns.ascending.begin(), columns.ascending.end(), 0);
      std::sort(columns.ascending.begin(), columns.ascending.end(),
                [&](int a, int b) { return columns.velocities[a] < columns.velocities[b]; });
      columns_.push_back(std::move(columns));
    }
    bodies = own;
    points_.push_back({from.force,
                       from.law,
                       k,
                       from.memory + from.law->memory_offset(k),
                       island,
                       static_cast<int>(columns_.size()) - 1,
                       -1,
                       {-1, -1},
                       (own ? *own : system_.force(from.force).bodies()).size() == 1});
    const int contact = from.law->contact_of(k);
    if (contact < 0) continue;
    Point& of = points_[first + contact];
    points_.back().contact = first + contact;
    of.moments[of.moments[0] < 0 ? 0 : 1] = size() - 1;
  }
}

bool ContactPoints::follow(const State& s) {
  if (!may_vary_) return false;
  const base::IndexedVector<forces::ForceIndex, int> offsets =
      system::memory_offsets(system_, s.memory);
  bool has_changed = version_ == 0;
  for (Law& law : laws_) {
    const int version = law.law->version(), memory = offsets[law.force];
    has_changed = has_changed || law.version != version || law.memory != memory;
    law.version = version;
    law.memory = memory;
  }
  if (!has_changed) return false;
  points_.clear();
  columns_.clear();
  for (const Law& law : laws_) add_points(law);
  ++version_;
  return true;
}

void ContactPoints::find(system::System& system, State& s) {
  system.update(s);
  if (!may_vary_) return;
  system.accept(s);
  system.update(s);
  follow(s);
}

bool ContactPoints::misses_pairs(double t) const {
  for (const Law& law : laws_)
    if (may_vary_ && !system_.force(law.force).rejection(system_.kinematics(), t).empty())
      return true;
  return false;
}

double ContactPoints::largest_restitution() const {
  double e = 0.0;
  for (const Law& law : laws_) e = std::max(e, law.law->law().restitution);
  return e;
}

void ContactPoints::write(State& s, int i, const SetValuedPoint& point) const {
  point.write(s.memory.segment<SetValuedPoint::kSize>(points_[i].memory));
  for (const int k : points_[i].moments) {
    if (k < 0) continue;
    SetValuedPoint moment = read(s, k);
    const bool is_open = point.phase == SetValuedPoint::Phase::open;
    moment.phase = point.phase;
    moment.sticks = moment.sticks && !is_open;
    if (is_open && point.force.isZero(0.0)) moment.force.setZero();
    moment.write(s.memory.segment<SetValuedPoint::kSize>(points_[k].memory));
  }
}

bool ContactPoints::holds(const State& s, int i) const {
  if (!is_closed(s, i)) return false;
  const forces::SetValuedLaw& its = law(i);
  return its.has_gap() || (its.kind == forces::SetValuedLaw::Kind::clutch && read(s, i).sticks);
}

std::vector<int> ContactPoints::closed(const State& s) const {
  std::vector<int> closed;
  for (int i = 0; i < size(); ++i)
    if (is_closed(s, i)) closed.push_back(i);
  return closed;
}

bool ContactPoints::exists(int i) const {
  return points_[i].law->exists(system_.kinematics(), points_[i].number);
}

double ContactPoints::gap(int i) const {
  return points_[i].law->gap(system_.kinematics(), points_[i].number);
}

Eigen::Matrix3d ContactPoints::axes(int i) const {
  return points_[i].law->axes(system_.kinematics(), points_[i].number);
}

Eigen::Vector3d ContactPoints::normal(int i) const {
  return points_[i].law->normal(system_.kinematics(), points_[i].number);
}

Eigen::Vector3d ContactPoints::velocity(int i) const {
  return points_[i].law->velocity(system_.kinematics(), points_[i].number);
}

Eigen::Vector3d ContactPoints::acceleration(int i) const {
  return points_[i].law->acceleration(system_.kinematics(), points_[i].number);
}

double ContactPoints::sliding_speed(int i) const {
  const Eigen::Vector3d u = velocity(i);
  return law(i).kind == forces::SetValuedLaw::Kind::clutch ? u[0] : u.tail<2>().norm();
}

Eigen::SparseMatrix<double> ContactPoints::directions(const std::vector<int>& of) const {
  Eigen::SparseMatrix<double> W(system_.layout().n_velocities(), 3 * of.size());
  Eigen::Index n_entries = 0;
  for (const int i : of)
    n_entries += 3 * static_cast<Eigen::Index>(columns_[points_[i].columns].velocities.size());
  W.reserve(n_entries);
  MatrixXd local;
  for (std::size_t k = 0; k < of.size(); ++k) {
    const Point& p = points_[of[k]];
    const Columns& columns = columns_[p.columns];
    local.setZero(static_cast<Eigen::Index>(columns.velocities.size()), 3);
    p.law->directions(system_.kinematics(), p.number, local);
    for (int d = 0; d < 3; ++d) {
      const Eigen::Index column = 3 * static_cast<Eigen::Index>(k) + d;
      W.startVec(column);
      for (const int j : columns.ascending)
        W.insertBack(columns.velocities[j], column) = local(j, d);
    }
  }
  W.finalize();
  return W;
}

Eigen::MatrixXd ContactPoints::dense_directions(const std::vector<int>& of) const {
  MatrixXd W =
      MatrixXd::Zero(system_.layout().n_velocities(), 3 * static_cast<Eigen::Index>(of.size()));
  MatrixXd local;
  for (std::size_t k = 0; k < of.size(); ++k) {
    const Point& p = points_[of[k]];
    const std::vector<int>& columns = columns_[p.columns].velocities;
    local.setZero(static_cast<Eigen::Index>(columns.size()), 3);
    p.law->directions(system_.kinematics(), p.number, local);
    for (std::size_t j = 0; j < columns.size(); ++j)
      W.block<1, 3>(columns[j], 3 * static_cast<Eigen::Index>(k)) =
          local.row(static_cast<Eigen::Index>(j));
  }
  return W;
}

std::string ContactPoints::name(int i) const { return points_[i].law->name_of(points_[i].number); }

std::string ContactPoints::path(int i) const {
  const bool is_contact = law(i).kind == forces::SetValuedLaw::Kind::contact || is_moment(i);
  return (is_contact ? "contacts." : "joints.") + name(i);
}

ContactEvent ContactPoints::event(double t, int i, ContactEvent::Kind kind, double speed_before,
                                  double speed_after, double impulse) const {
  const Point& p = points_[i];
  return {t,           p.law->label(), p.law->number(p.number) + 1, kind, speed_before,
          speed_after, impulse,        p.law->between(p.number)};
}

// Pushed apart by the first step, they would get energy from nothing.
void ContactPoints::refuse_overlaps(const State& s) const {
  const double length = system::characteristic_length(system_);
  std::vector<base::Diagnostic> overlaps;
  for (int i = 0; i < size(); ++i) {
    if (is_moment(i)) continue;  // of a point that is there itself
    const bool is_stop = law(i).kind == forces::SetValuedLaw::Kind::stop;
    const double allowed = kOverlaps * (is_angle(i) ? 1.0 : length);
    if (is_closed(s, i) || gap(i) >= -allowed) continue;
    overlaps.push_back(
        {{},
         fmt::format("{}: the {} by {:.3g} {} at the start", path(i),
                     is_stop ? "joint is beyond this limit" : "bodies overlap", -gap(i),
                     is_angle(i) ? "rad" : "m"),
         is_stop
             ? "change the limit, or start from a position within it; the coordinate of a joint is 0 as modelled"
             : "move them apart, or reverse the `axis` of a plane, which points away from its material; `start: {assemble: true}` of dynamics does that where joints allow it"});
  }
  if (!overlaps.empty()) throw base::InputError(overlaps);
}

}  // namespace solidyn::integrators
