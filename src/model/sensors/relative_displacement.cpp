#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/body_entry.h"
#include "model/language/spelling.h"
#include "model/sensors/seen_place.h"

namespace solidyn::model {
namespace {

using Eigen::Vector3d;
using Kind = PlaceDescription::Kind;

/// Distance of a point from a chord: of a flexible body, or between places of any bodies.
struct DisplacementSensor final : SensorEntryOf<DisplacementSensor> {
  PlaceDescription point;
  std::array<PlaceDescription, 2> chord;
  Vector3d about = Vector3d::UnitZ();  ///< unit, world: along the chord turned +90 deg about it
  double normalised_by = 1.0;          ///< m; the distance is divided by it (1: not divided)

  static const Fields<DisplacementSensor>& fields();
  std::vector<Recorded> recorded() const override {
    return {{"", normalised_by == 1.0 ? kLength : kNumber}};
  }
  analyses::Sensor make(const SensorBuilder& builder) const override {
    return analyses::chord_deflection_sensor(
        name, add_place_frame(point, builder), add_place_frame(chord[0], builder),
        add_place_frame(chord[1], builder), about, normalised_by);
  }
  bool is_measurable() const override { return true; }
  std::unique_ptr<forces::Measure> measure(int column, const Builder& builder) const override;
};

void require_interface(const TableView& view, const std::string& name, const BodyEntry& body) {
  const std::vector<std::string> known = body.place_names(Kind::interface);
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  view.report().error(
      view.where("chord"),
      fmt::format("{}: body `{}` has no interface `{}`", view.path("chord"), body.name, name),
      suggestion(name, known, "there are"));
}

void refuse_one_end(const TableView& view, const std::vector<std::string>& ends,
                    const char* remedy) {
  if (ends[0] == ends[1])
    view.report().error(view.where("chord"),
                        fmt::format("{} names `{}` twice", view.path("chord"), ends[0]), remedy);
}

void read_chord(const TableView& view, DisplacementSensor& entry, const BodyEntry& body,
                bool interfaces_are_known) {
  const auto set = [&](const std::string& first, const std::string& second) {
    entry.chord = {place_on(body.name, first), place_on(body.name, second)};
  };
  if (view.is_good("chord")) {
    const std::vector<std::string> ends = view.texts("chord");
    set(ends[0], ends[1]);
    for (const std::string& end : ends)
      if (interfaces_are_known) require_interface(view, end, body);
    return refuse_one_end(view, ends, "give two different interfaces");
  }
  if (view.has("chord")) return;
  const std::vector<std::string> interfaces = body.place_names(Kind::interface);
  if (interfaces.size() >= 2) return set(interfaces[0], interfaces[1]);
  view.report().error(
      view.where(), fmt::format("{} is missing", view.path("chord")),
      interfaces_are_known
          ? fmt::format("body `{}` has fewer than two interfaces: define two", body.name)
          : "give two interfaces of the reduced body");
}

/// Places of several bodies: of superelements in series, for example.
void read_across_bodies(DisplacementSensor& entry, const TableView& view, const Scope& scope) {
  if (!view.has("chord"))
    view.report().error(
        view.where(), fmt::format("{} is missing", view.path("chord")),
        "give `body`, or two places, for example  chord: [rod_1.left, rod_4.right]");
  if (!view.is_good("chord") || !view.is_good("point")) return;
  const auto place = [&](const std::string& key, const std::string& text, bool may_be_ground) {
    return read_place(text, view.path(key), view.where(key), scope.model, scope.names,
                      may_be_ground, view.report());
  };
  const std::vector<std::string> ends = view.texts("chord");
  refuse_one_end(view, ends, "give two different places");
  entry.point = place("point", view.text("point"), false);
  for (int i = 0; i < 2; ++i) entry.chord[i] = place("chord", ends[i], true);
}

void read_point(const TableView& view, DisplacementSensor& entry, const BodyEntry& body,
                bool points_are_known) {
  if (!view.is_good("point")) return;
  const std::string word = view.text("point");
  entry.point = place_on(body.name, word);
  const std::vector<std::string> known = body.place_names(Kind::point);
  if (points_are_known && std::find(known.begin(), known.end(), word) == known.end())
    view.report().error(
        view.where("point"),
        fmt::format("{}: body `{}` has no point `{}`", view.path("point"), body.name, word),
        known.empty() ? fmt::format("define it under bodies.{}.points", body.name)
                      : suggestion(word, known, "there are"));
}

void read_point_and_chord(DisplacementSensor& entry, const TableView& view, const Scope& scope) {
  if (!view.has("body")) return read_across_bodies(entry, view, scope);
  const BodyEntry* body = find_referred_body(view, "body", scope);
  if (!body) return;
  const bool is_open = body->has_open_places();
  if (body->traits().carries_frames)
    return view.report().error(view.where("body"),
                               fmt::format("{}: `{}` is rigid", view.path("body"), body->name),
                               "give a flexible body");
  read_chord(view, entry, *body, !is_open);
  read_point(view, entry, *body, !is_open);
}

const Fields<DisplacementSensor>& DisplacementSensor::fields() {
  using Self = DisplacementSensor;
  static const Fields<Self> list = {
      read_by<Self>(
          Key("body", Form::reference,
              "the flexible body; without it `point` and `chord` are places of any bodies, as `body.interface`",
              "rod"),
          read_point_and_chord),
      read_elsewhere<Self>(
          Key("point", Form::reference, "one of the body's `points`", "midpoint").needed()),
      read_elsewhere<Self>(
          Key("chord", Form::references,
              "two interfaces of the body; by default its first two. The sensor records the distance of the point from the line through their origins",
              "[big_end, small_end]")
              .sized(2)),
      field(
          Key("about", Form::direction,
              "world axes: the positive direction of the distance is the chord (first to second interface) rotated by +90 degrees about this axis",
              "[0, 0, 1]")
              .or_default(),
          &Self::about),
      field(Key("normalised_by", Form::number,
                "reference length by which the distance is divided; by default none", "0.3")
                .in(kLength)
                .within(kPositive),
            &Self::normalised_by)};
  return list;
}

std::unique_ptr<forces::Measure> DisplacementSensor::measure(int, const Builder& builder) const {
  return std::make_unique<forces::FunctionMeasure>(
      std::vector<bodies::FrameIndex>{add_measured_frame(point, builder),
                                      add_measured_frame(chord[0], builder),
                                      add_measured_frame(chord[1], builder)},
      [about = about, length = normalised_by](const forces::FunctionMeasure::Motions& m) {
        return bodies::chord_deflection(*m[0], *m[1], *m[2], about) / length;
      });
}

}  // namespace

SensorType relative_displacement_sensor_row() {
  return DisplacementSensor::row("relative_displacement");
}

}  // namespace solidyn::model
