#include "solidyn/analyses/contact_sensor.h"

#include <algorithm>

#include "solidyn/contact/contact_force.h"

namespace solidyn::analyses {
namespace {

using contact::ContactState;
using contact::PairContact;

struct Named {
  const char *suffix, *unit;
};
constexpr Named kColumns[] = {
    {".gap", "m"},          {".penetration", "m"}, {".normal_force", "N"}, {".friction_force", "N"},
    {".slip_speed", "m/s"}, {".in_contact", "1"},  {".force_x", "N"},      {".force_y", "N"},
    {".force_z", "N"},      {".impulse", "N s"},   {".state", "1"},        {".torque_x", "N m"},
    {".torque_y", "N m"},   {".torque_z", "N m"}};

double value_of(ContactQuantity quantity, const ContactState& s) {
  switch (quantity) {
    case ContactQuantity::gap:
      return s.gap;
    case ContactQuantity::penetration:
      return std::max(0.0, -s.gap);
    case ContactQuantity::normal_force:
      return s.normal_force;
    case ContactQuantity::friction_force:
      return s.friction.norm();
    case ContactQuantity::slip_speed:
      return s.slip_speed;
    case ContactQuantity::in_contact:
      return s.is_closed ? 1.0 : 0.0;
    case ContactQuantity::impulse:
      return s.impulse;
    case ContactQuantity::state:
      return s.is_closed ? (s.sticks ? 2.0 : 1.0) : 0.0;
    case ContactQuantity::torque_x:
    case ContactQuantity::torque_y:
    case ContactQuantity::torque_z:
      return s.moment[static_cast<int>(quantity) - static_cast<int>(ContactQuantity::torque_x)];
    case ContactQuantity::force_x:
    case ContactQuantity::force_y:
    case ContactQuantity::force_z:
      break;
  }
  return s.force[static_cast<int>(quantity) - static_cast<int>(ContactQuantity::force_x)];
}

ContactState state_of(const std::vector<const PairContact*>& forces,
                      const bodies::Kinematics& kinematics) {
  std::vector<ContactState> states;
  for (const PairContact* force : forces) states.push_back(force->state(force->pair(kinematics)));
  return contact::combined(states);
}

}  // namespace

Sensor contact_sensor(const std::string& name, const std::vector<const PairContact*>& forces,
                      const std::vector<ContactQuantity>& quantities) {
  Sensor s;
  for (ContactQuantity q : quantities) {
    const Named& column = kColumns[static_cast<int>(q)];
    s.columns.push_back({quantities.size() == 1 ? name : name + column.suffix, column.unit});
  }
  s.read = [=](const SensorContext& c, double* values) {
    const ContactState state = state_of(forces, c.system.kinematics());
    for (ContactQuantity q : quantities) *values++ = value_of(q, state);
  };
  return s;
}

}  // namespace solidyn::analyses
