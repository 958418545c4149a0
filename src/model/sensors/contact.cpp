#include <fmt/format.h>

#include "model/sensors/components.h"
#include "model/sensors/references.h"
#include "solidyn/analyses/contact_sensor.h"

namespace solidyn::model {
namespace {

using analyses::ContactQuantity;

struct ContactSensor final : SensorEntryOf<ContactSensor> {
  std::string contact;
  Components<ContactQuantity> components;

  static const Fields<ContactSensor>& fields();
  std::vector<Recorded> recorded() const override { return recorded_components(components); }
  analyses::Sensor make(const SensorBuilder& builder) const override {
    return analyses::contact_sensor(name, builder.built.contacts.at(contact), whats(components));
  }
};

// Of what only set-valued contacts have.
void refuse_by_penalty(const std::string& contact, const TableView& view, const Scope& scope) {
  const std::string component = view.is_good("component") ? view.text("component") : "";
  if (component != "impulse" && component != "state") return;
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
                           {"state", Q::state, kNumber}});
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
              "`in_contact` is 1 or 0; forces of the first place on the second, world axes; of set-valued laws `impulse` of an impact at the end of the last step, and `state`: 0 open, 1 slips, 2 sticks; `all`: the first six",
              "normal_force")
              .or_else("all"),
          list, state.size(), &Self::components)};
  return fields;
}

}  // namespace

SensorType contact_sensor_row() { return ContactSensor::row("contact"); }

}  // namespace solidyn::model
