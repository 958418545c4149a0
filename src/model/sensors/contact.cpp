#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/sensors/components.h"
#include "model/sensors/references.h"
#include "solidyn/analyses/contact_sensor.h"
#include "solidyn/contact/group_contact.h"

namespace solidyn::model {
namespace {

using analyses::ContactQuantity;
using contact::ContactState;

// Of a contact between groups, over all of its pairs: the columns of any contact.
analyses::Sensor group_sensor(const std::string& name, const contact::GroupContact& force,
                              const std::vector<ContactQuantity>& quantities) {
  using Q = ContactQuantity;
  using Value = double (*)(const ContactState&);
  static const std::map<Q, Value> values = {
      {Q::gap, [](const ContactState& s) { return s.gap; }},
      {Q::penetration, [](const ContactState& s) { return std::max(0.0, -s.gap); }},
      {Q::normal_force, [](const ContactState& s) { return s.normal_force; }},
      {Q::friction_force, [](const ContactState& s) { return s.friction.norm(); }},
      {Q::slip_speed, [](const ContactState& s) { return s.slip_speed; }},
      {Q::in_contact, [](const ContactState& s) { return s.is_closed ? 1.0 : 0.0; }},
      {Q::force_x, [](const ContactState& s) { return s.force.x(); }},
      {Q::force_y, [](const ContactState& s) { return s.force.y(); }},
      {Q::force_z, [](const ContactState& s) { return s.force.z(); }},
      {Q::torque_x, [](const ContactState& s) { return s.moment.x(); }},
      {Q::torque_y, [](const ContactState& s) { return s.moment.y(); }},
      {Q::torque_z, [](const ContactState& s) { return s.moment.z(); }},
      {Q::impulse, [](const ContactState& s) { return s.impulse; }},
      {Q::state, [](const ContactState& s) { return s.is_closed ? (s.sticks ? 2.0 : 1.0) : 0.0; }}};
  analyses::Sensor sensor = analyses::contact_sensor(name, {}, quantities);
  sensor.read = [&force, quantities](const analyses::SensorContext& c, double* out) {
    const ContactState state = force.state(c.system.kinematics());
    for (const Q quantity : quantities) *out++ = values.at(quantity)(state);
  };
  return sensor;
}

struct ContactSensor final : SensorEntryOf<ContactSensor> {
  std::string contact;
  Components<ContactQuantity> components;

  static const Fields<ContactSensor>& fields();
  std::vector<Recorded> recorded() const override { return recorded_components(components); }
  analyses::Sensor make(const SensorBuilder& builder) const override {
    const auto group = builder.built.contact_groups.find(contact);
    if (group != builder.built.contact_groups.end())
      return group_sensor(name, *group->second, whats(components));
    return analyses::contact_sensor(name, builder.built.contacts.at(contact), whats(components));
  }
};

// Of what only set-valued contacts have.
void refuse_by_penalty(const std::string& contact, const TableView& view, const Scope& scope) {
  const std::string component = view.is_good("component") ? view.text("component") : "";
  static const std::set<std::string> set_valued = {"impulse", "state", "torque_x", "torque_y",
                                                   "torque_z"};
  if (set_valued.count(component) == 0) return;
  for (const ContactDescription& other : scope.model.contacts)
    if (other.name == contact && !other.set_valued)
      view.report().error(
          view.where("component"),
          fmt::format("{} is `{}`, but contact `{}` acts by penalty", view.path("component"),
                      component, contact),
          "give the contact  law: {type: impact}, or choose another component, such as in_contact");
}

const Fields<ContactSensor>& ContactSensor::fields() {
  using Self = ContactSensor;
  using Q = ContactQuantity;
  static const Components<Q> state = {{"gap", Q::gap, kLength},
                                      {"penetration", Q::penetration, kLength},
                                      {"normal_force", Q::normal_force, kForce},
                                      {"friction_force", Q::friction_force, kForce},
                                      {"slip_speed", Q::slip_speed, kVelocity},
                                      {"in_contact", Q::in_contact, kNumber}};
  static const Components<Q> list = [] {
    Components<Q> all = state;
    all.insert(all.end(), {{"force_x", Q::force_x, kForce},
                           {"force_y", Q::force_y, kForce},
                           {"force_z", Q::force_z, kForce},
                           {"impulse", Q::impulse, kImpulse},
                           {"state", Q::state, kNumber},
                           {"torque_x", Q::torque_x, kTorque},
                           {"torque_y", Q::torque_y, kTorque},
                           {"torque_z", Q::torque_z, kTorque}});
    return all;
  }();
  static const Fields<Self> fields = {
      read_by<Self>(Key("contact", Form::reference, "one of `contacts`", "floor").needed(),
                    [](Self& entry, const TableView& view, const Scope& scope) {
                      entry.contact = read_reference(
                          view, "contact", names_of_entries(scope.model.contacts), "contacts");
                      refuse_by_penalty(entry.contact, view, scope);
                    }),
      component_field(
          Key("component", Form::word,
              "`in_contact` is 1 or 0; forces of the first place on the second, world axes; of set-valued laws `impulse` of an impact at the end of the last step, `torque_x`, `torque_y`, `torque_z` of rolling and drilling friction, and `state`: 0 open, 1 slips, 2 sticks; `all`: the first six",
              "normal_force")
              .or_else("all"),
          list, state.size(), &Self::components)};
  return fields;
}

}  // namespace

SensorType contact_sensor_row() { return ContactSensor::row("contact"); }

}  // namespace solidyn::model
