#include "contact_force_changes.h"

#include "solidyn/forces/set_valued.h"
#include "solidyn/system/force_memory.h"

namespace solidyn::analyses {

using Eigen::Vector3d;
using forces::SetValued;
using forces::SetValuedPoint;
using system::State;

namespace {

void add_force(int memory, const Vector3d& change, State& s) {
  auto numbers = s.memory.segment<SetValuedPoint::kSize>(memory);
  SetValuedPoint point = SetValuedPoint::read(numbers);
  point.force += change;
  point.write(numbers);
}

}  // namespace

ContactForceChanges::ContactForceChanges(system::System& system, const State& state,
                                         const system::Linearisation& l)
    : system_(system) {
  system.update(state);
  const bodies::Kinematics& k = system.kinematics();
  const auto offsets = system::memory_offsets(system, state.memory);
  const auto memory_of = [&](forces::ForceIndex f, int point) {
    return offsets[f] + system.force(f).as_set_valued()->memory_offset(point);
  };
  for (const system::ContactRow& row : l.contacts)
    held_.push_back(
        {memory_of(row.force, row.point),
         system.force(row.force).as_set_valued()->axes(k, row.point).col(row.direction)});
  for (const forces::ForceIndex f : system.forces()) {
    const SetValued* law = system.force(f).as_set_valued();
    for (int i = 0; law && i < law->n_points(); ++i) {
      const Vector3d force = law->kept(i).force;
      if (force.isZero(0.0)) continue;
      const Vector3d normal = law->axes(k, i).col(0);
      pressing_.push_back({f, i, memory_of(f, i), force.dot(normal), normal});
    }
  }
}

void ContactForceChanges::turn(State& s) const {
  if (pressing_.empty()) return;
  system_.update(s);
  for (const Pressing& p : pressing_) {
    const Vector3d normal =
        system_.force(p.force).as_set_valued()->axes(system_.kinematics(), p.point).col(0);
    add_force(p.memory, p.size * (normal - p.normal), s);
  }
}

// Multipliers act against the directions (system::hold_closed_contacts).
void ContactForceChanges::add(const Eigen::VectorXd& mu, State& s) const {
  for (std::size_t i = 0; i < held_.size(); ++i)
    add_force(held_[i].memory, -mu[static_cast<Eigen::Index>(i)] * held_[i].direction, s);
}

}  // namespace solidyn::analyses
