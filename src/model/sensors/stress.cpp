#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/body_entry.h"
#include "model/language/spelling.h"
#include "model/read.h"
#include "model/sensors/built_body.h"
#include "model/sensors/components.h"
#include "solidyn/analyses/stress_sensor.h"
#include "solidyn/base/error.h"

namespace solidyn::model {
namespace {

using analyses::StressAxes;
using analyses::StressComponent;

/// At a place of a flexible body.
struct StressSensor final : SensorEntryOf<StressSensor> {
  std::string body, place;
  StressAxes axes = StressAxes::body;
  Components<StressComponent> components;

  static const Fields<StressSensor>& fields();
  void check(const TableView& view, const Scope& scope);
  std::vector<Recorded> recorded() const override {
    return recorded_components(components, kPressure);
  }
  analyses::Sensor make(const SensorBuilder& builder) const override;
};

const Fields<StressSensor>& StressSensor::fields() {
  using Self = StressSensor;
  using S = StressComponent;
  static const Choice<StressAxes> of_axes = {{"body", StressAxes::body},
                                             {"world", StressAxes::world}};
  static const Components<S> tensor = {{"xx", S::xx}, {"yy", S::yy}, {"zz", S::zz},
                                       {"xy", S::xy}, {"yz", S::yz}, {"zx", S::zx}};
  static const Components<S> list = [] {
    Components<S> all = tensor;
    all.insert(all.end(), {{"von_mises", S::von_mises},
                           {"principal_1", S::principal_1},
                           {"principal_2", S::principal_2},
                           {"principal_3", S::principal_3}});
    return all;
  }();
  static const Fields<Self> fields = {
      read_elsewhere<Self>(Key("body", Form::reference, "the flexible body", "rod").needed()),
      field(
          Key("place", Form::reference,
              "one of the places under `stress` of the body; of several nodes, the one with the largest von Mises stress at each time",
              "fillet")
              .needed(),
          &Self::place),
      component_field(
          Key("component", Form::word,
              "`all` means the six components of the tensor; `principal_1` is the largest principal stress",
              "xx")
              .or_else("von_mises"),
          list, tensor.size(), &Self::components),
      field(
          Key("axes", Form::word,
              "axes of the components: of the body (of the world for `corotational` and `inertial`), or of the world",
              "world")
              .or_default(),
          of_axes, &Self::axes)};
  return fields;
}

void require_stress_place(const TableView& view, const std::string& place, const BodyEntry& body) {
  const std::vector<std::string> known = body.stress_places();
  if (std::find(known.begin(), known.end(), place) != known.end()) return;
  view.report().error(
      view.where("place"),
      fmt::format("{}: `stress` of body `{}` has no place `{}`", view.path("place"), body.name,
                  place),
      known.empty()
          ? fmt::format(
                "define it, for example  bodies.{}.stress.places: {{{}: {{near: [0, 0, 0]}}}}",
                body.name, place)
          : suggestion(place, known, "there are"));
}

void StressSensor::check(const TableView& view, const Scope& scope) {
  const BodyEntry* of = find_referred_body(view, "body", scope);
  if (!of) return;
  body = of->name;
  if (of->has_open_places()) return;
  if (of->traits().carries_frames)
    view.report().error(view.where("body"),
                        fmt::format("{}: `{}` is rigid", view.path("body"), body),
                        "give a flexible body");
  else if (view.is_good("place"))
    require_stress_place(view, place, *of);
}

analyses::Sensor StressSensor::make(const SensorBuilder& builder) const {
  const BuiltBody& of = built_body(builder.built, body);
  const auto found = of.stress.places.find(place);
  if (found == of.stress.places.end()) {
    std::vector<std::string> known;
    for (const auto& [name, unused] : of.stress.places) known.push_back(name);
    throw base::InputError(
        fmt::format("sensors.{}.place: `stress` of body `{}` has no place `{}`", name, body, place),
        known.empty()
            ? "its reduced body has no stress modes: reduce it again with `stress: {places: ...}` in the model file"
            : suggestion(place, known, "there are"));
  }
  return analyses::stress_sensor(name, of.index, found->second.stress, found->second.comm, axes,
                                 whats(components));
}

}  // namespace

SensorType stress_sensor_row() { return StressSensor::row("stress"); }

}  // namespace solidyn::model
