#include "integrators/contact_points.h"

#include <fmt/format.h>

namespace solidyn::integrators {

using Eigen::MatrixXd;
using forces::SetValuedPoint;
using system::State;

ContactPoints::ContactPoints(const system::System& system, std::shared_ptr<ContactSolver> solver)
    : system_(system), solver_(solver ? std::move(solver) : std::make_shared<ContactSolver>()) {
  for (const forces::ForceIndex f : system.forces()) {
    const forces::SetValued* law = system.force(f).as_set_valued();
    if (!law) continue;
    for (int k = 0; k < law->n_points(); ++k)
      points_.push_back({f, law, k, system.memory_offset(f) + k * SetValuedPoint::kSize,
                         system.connectivity().island_of(system.force(f).bodies())});
  }
  if (!points_.empty()) clusters_ = Clusters(system);
}

SetValuedPoint ContactPoints::read(const State& s, int i) const {
  return SetValuedPoint::read(s.memory.segment<SetValuedPoint::kSize>(points_[i].memory));
}

void ContactPoints::write(State& s, int i, const SetValuedPoint& point) const {
  point.write(s.memory.segment<SetValuedPoint::kSize>(points_[i].memory));
}

bool ContactPoints::is_closed(const State& s, int i) const {
  return read(s, i).phase == SetValuedPoint::Phase::closed;
}

bool ContactPoints::holds(const State& s, int i) const {
  const forces::SetValuedLaw& its = law(i);
  const SetValuedPoint point = read(s, i);
  if (point.phase == SetValuedPoint::Phase::open) return false;
  return its.has_gap() || (its.kind == forces::SetValuedLaw::Kind::clutch && point.sticks);
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

// Columns of a force are distinct but those of its bodies in no order.
Eigen::SparseMatrix<double> ContactPoints::directions(const std::vector<int>& of) const {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(36 * of.size());
  MatrixXd local;
  for (std::size_t k = 0; k < of.size(); ++k) {
    const Point& p = points_[of[k]];
    const std::vector<int>& columns = system_.force_columns(p.force);
    local.setZero(columns.size(), 3);
    p.law->directions(system_.kinematics(), p.number, local);
    for (std::size_t j = 0; j < columns.size(); ++j)
      for (int d = 0; d < 3; ++d)
        entries.emplace_back(columns[j], static_cast<int>(3 * k) + d, local(j, d));
  }
  Eigen::SparseMatrix<double> W(system_.layout().n_velocities(), 3 * of.size());
  W.setFromTriplets(entries.begin(), entries.end());
  return W;
}

Eigen::MatrixXd ContactPoints::dense_directions(const std::vector<int>& of) const {
  MatrixXd W =
      MatrixXd::Zero(system_.layout().n_velocities(), 3 * static_cast<Eigen::Index>(of.size()));
  MatrixXd local;
  for (std::size_t k = 0; k < of.size(); ++k) {
    const Point& p = points_[of[k]];
    const std::vector<int>& columns = system_.force_columns(p.force);
    local.setZero(static_cast<Eigen::Index>(columns.size()), 3);
    p.law->directions(system_.kinematics(), p.number, local);
    for (std::size_t j = 0; j < columns.size(); ++j)
      W.block<1, 3>(columns[j], 3 * static_cast<Eigen::Index>(k)) =
          local.row(static_cast<Eigen::Index>(j));
  }
  return W;
}

std::string ContactPoints::name(int i) const {
  const Point& p = points_[i];
  const std::string name = p.law->label();
  return p.law->n_points() == 1 ? name : fmt::format("{}, point {}", name, p.number + 1);
}

std::string ContactPoints::path(int i) const {
  const bool is_contact = law(i).kind == forces::SetValuedLaw::Kind::contact;
  return (is_contact ? "contacts." : "joints.") + name(i);
}

ContactEvent ContactPoints::event(double t, int i, ContactEvent::Kind kind, double speed_before,
                                  double speed_after, double impulse) const {
  return {t,      points_[i].law->label(), points_[i].number + 1, kind, speed_before, speed_after,
          impulse};
}

}  // namespace solidyn::integrators
