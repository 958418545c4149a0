#include <fmt/format.h>

#include <set>

#include "model/bodies/body_entry.h"
#include "model/language/spelling.h"
#include "model/sensors/built_body.h"
#include "model/sensors/components.h"

namespace solidyn::model {
namespace {

using analyses::CentreQuantity;

struct CentreOfMassSensor final : SensorEntryOf<CentreOfMassSensor> {
  CentreQuantity quantity = CentreQuantity::position;
  std::vector<std::string> bodies;  ///< empty: the system
  Components<analyses::VectorComponent> components;

  static const Fields<CentreOfMassSensor>& fields();
  std::vector<Recorded> recorded() const override {
    return recorded_components(components,
                               quantity == CentreQuantity::position ? kLength : kVelocity);
  }
  analyses::Sensor make(const SensorBuilder& builder) const override;
};

void read_bodies(CentreOfMassSensor& entry, const TableView& view, const Scope& scope) {
  std::vector<std::string> known;
  known.reserve(scope.model.bodies.size());
  for (const auto& body : scope.model.bodies) known.push_back(body->name);
  std::set<std::string> given;
  for (const std::string& name : view.texts("bodies")) {
    if (scope.names.open_bodies.count(name)) continue;
    if (!scope.model.find_body(name))
      view.report().error(view.where("bodies"),
                          fmt::format("{}: there is no body `{}`", view.path("bodies"), name),
                          suggestion(name, known, "there are"));
    else if (!given.insert(name).second)
      view.report().error(view.where("bodies"),
                          fmt::format("{}: duplicate `{}`", view.path("bodies"), name),
                          "remove one of them");
    entry.bodies.push_back(name);
  }
}

const Fields<CentreOfMassSensor>& CentreOfMassSensor::fields() {
  using Self = CentreOfMassSensor;
  static const Choice<CentreQuantity> quantities = {{"position", CentreQuantity::position},
                                                    {"velocity", CentreQuantity::velocity}};
  static const Fields<Self> list = {
      read_by<Self>(
          Key("bodies", Form::references, "the bodies; by default the whole system", "[crank, rod]")
              .sized(kAnySize),
          read_bodies),
      component_field(Key("component", Form::word, "`all` means x, y and z", "x").or_else("all"),
                      vector_components(), 3, &Self::components),
      field(Key("kind", Form::word, "position or velocity of the centre of mass, world axes",
                "velocity")
                .or_default(),
            quantities, &Self::quantity)};
  return list;
}

analyses::Sensor CentreOfMassSensor::make(const SensorBuilder& builder) const {
  std::vector<bodies::BodyIndex> found;
  for (const std::string& body : bodies) {
    const std::vector<bodies::BodyIndex> with_masses = bodies_of(builder.built, body);
    found.insert(found.end(), with_masses.begin(), with_masses.end());
  }
  return analyses::mass_centre_sensor(name, quantity, found, whats(components));
}

}  // namespace

SensorType centre_of_mass_sensor_row() { return CentreOfMassSensor::row("centre_of_mass"); }

}  // namespace solidyn::model
