#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "model/bodies/beams/beam_entry.h"
#include "model/language/spelling.h"
#include "model/read.h"
#include "model/sensors/built_body.h"
#include "model/sensors/components.h"
#include "model/sensors/section_point.h"
#include "solidyn/analyses/section_sensor.h"
#include "solidyn/bodies/beam_body.h"

namespace solidyn::model {
namespace {

using analyses::SectionComponent;
using analyses::SectionPlace;

/// Of a section of a beam.
class SectionSensor : public SensorEntry {
 public:
  SectionPoint at;
  Components<SectionComponent> components;

  static Fields<SectionSensor> fields();
  void check(const TableView& view, const Scope& scope);
  std::vector<Recorded> recorded() const override { return recorded_components(components); }
  analyses::Sensor make(const SensorBuilder& builder) const override;
  const SectionPoint* section() const override { return &at; }
};

struct SectionForceSensor final : SensorEntryOf<SectionForceSensor, SectionSensor> {
  static const Fields<SectionForceSensor>& fields();
  void check(const TableView& view, const Scope& scope) {
    at.needs_fibres =
        components.size() == 1 && (components[0].what == SectionComponent::stress_max ||
                                   components[0].what == SectionComponent::stress_min);
    SectionSensor::check(view, scope);
  }
};

struct SectionStrainSensor final : SensorEntryOf<SectionStrainSensor, SectionSensor> {
  static const Fields<SectionStrainSensor>& fields();
  void check(const TableView& view, const Scope& scope) { SectionSensor::check(view, scope); }
};

Fields<SectionSensor> SectionSensor::fields() {
  using Self = SectionSensor;
  return {
      read_elsewhere<Self>(Key("body", Form::reference, "the beam", "rod").needed()),
      read_elsewhere<Self>(
          Key("point", Form::reference,
              "the section at one of the points of the beam (of a beam with a mesh: places), or",
              "midpoint")),
      read_elsewhere<Self>(
          Key("fraction", Form::number,
              "at this fraction of the length of the beam (with a mesh: of a `line`)", "0.25")
              .within({0.0, 1.0, true, true})),
      read_elsewhere<Self>(
          Key("line", Form::integer,
              "of a beam with a mesh: the line by its number in the file (CBAR or element number), at a `fraction` of it or at its end at a `point`",
              "12")
              .within(kOneOrMore)),
      read_elsewhere<Self>(
          Key("group", Form::text,
              "of a beam with a mesh: the line at the `point` is the one of this group of the file",
              "legs")),
      read_elsewhere<Self>(
          Key("side", Form::word,
              "where internal forces are discontinuous, at a point with a joint or a load: just `before` the point along the beam, or just `after` it. By default after, at the end of the beam before. Lines of a mesh run from their first node to their second",
              "before")
              .among({"before", "after"}))};
}

const Fields<SectionForceSensor>& SectionForceSensor::fields() {
  using Self = SectionForceSensor;
  static const Components<SectionComponent> list = {
      {"axial", SectionComponent::axial, kForce},
      {"shear_y", SectionComponent::shear_y, kForce},
      {"shear_z", SectionComponent::shear_z, kForce},
      {"torsion", SectionComponent::torsion, kTorque},
      {"bending_y", SectionComponent::bending_y, kTorque},
      {"bending_z", SectionComponent::bending_z, kTorque},
      {"stress_max", SectionComponent::stress_max, kPressure},
      {"stress_min", SectionComponent::stress_min, kPressure}};
  static const Fields<Self> fields = joined_fields(
      Fields<Self>(), SectionSensor::fields(),
      Fields<SectionSensor>{component_field(
          Key("component", Form::word,
              "internal forces and moments that the part of the beam beyond the section exerts on the part before it, in section axes (x along the beam): `axial` (tension is positive), `shear_y`, `shear_z`, `torsion`, `bending_y`, `bending_z`; maximum and minimum axial stress in the section, `stress_max`, `stress_min` (not for sections of type `general`). `all`: the six forces and moments",
              "bending_z")
              .or_else("all"),
          list, 6, &SectionSensor::components)});
  return fields;
}

const Fields<SectionStrainSensor>& SectionStrainSensor::fields() {
  using Self = SectionStrainSensor;
  static const Quantity by_length{"1/m", -1, 0, 0, 0, 0}, twist{"rad/m", -1, 0, 0, 1, 0};
  static const Components<SectionComponent> list = {
      {"stretch", SectionComponent::stretch, kNumber},
      {"shear_y", SectionComponent::strain_y, kNumber},
      {"shear_z", SectionComponent::strain_z, kNumber},
      {"twist", SectionComponent::twist, twist},
      {"curvature_y", SectionComponent::curvature_y, by_length},
      {"curvature_z", SectionComponent::curvature_z, by_length}};
  static const Fields<Self> fields = joined_fields(
      Fields<Self>(), SectionSensor::fields(),
      Fields<SectionSensor>{component_field(
          Key("component", Form::word,
              "relative to the beam as modelled: `stretch`, shear strains, `twist` (rad/m) and curvatures (1/m) about the section axes. `all`: all six",
              "curvature_z")
              .or_else("all"),
          list, list.size(), &SectionSensor::components)});
  return fields;
}

void check_side(const TableView& view, const SectionPoint& at, bool is_first, bool is_last) {
  if (!view.is_good("side") || !(*at.is_before ? is_first : is_last)) return;
  view.report().error(
      view.where("side"),
      fmt::format("{}: the beam {} there", view.path("side"), *at.is_before ? "begins" : "ends"),
      "remove it");
}

void read_beam_point(const TableView& view, SectionPoint& at, const BodyEntry& body) {
  const std::vector<std::string> known = body.place_names(PlaceDescription::Kind::interface);
  at.point = view.text("point");
  if (std::find(known.begin(), known.end(), at.point) == known.end())
    return view.report().error(
        view.where("point"),
        fmt::format("{}: the beam `{}` has no point `{}`", view.path("point"), body.name, at.point),
        suggestion(at.point, known, "there are"));
  const bool is_first = at.point == known.front(), is_last = at.point == known.back();
  check_side(view, at, is_first, is_last);
  if (!view.has("side")) at.is_before = is_last;
}

void read_fraction(const TableView& view, SectionPoint& at) {
  at.fraction = view.number("fraction");
  check_side(view, at, at.fraction == 0.0, at.fraction == 1.0);
  if (!view.has("side")) at.is_before = at.fraction == 1.0;
}

void refuse_lines(const TableView& view, const BodyEntry& body) {
  for (const char* key : {"line", "group"})
    if (view.has(key))
      view.report().error(view.where(key),
                          fmt::format("{}: `{}` is a beam by points, which has no mesh lines",
                                      view.path(key), body.name),
                          "remove it");
}

// The mesh file determines the line, later.
void read_place_on_lines(const TableView& view, SectionPoint& at) {
  if (view.is_good("line")) at.line = view.integer("line");
  at.group = view.text("group");
  at.point = view.text("point");
  at.fraction = view.number("fraction");
  const auto refuse = [&](const char* key, const char* what, const char* remedy) {
    view.report().error(view.where(key), fmt::format("{} {}", view.path(key), what), remedy);
  };
  if (view.has("fraction") && !view.has("line"))
    refuse("fraction", "refers to one line of the mesh, but the line is not given",
           "give the number of the line in the file, for example  line: 12");
  if (view.has("group") && view.has("line"))
    refuse("group", "is redundant with `line`, which already identifies one line",
           "remove one of the two");
  else if (view.has("group") && !view.has("point"))
    refuse("group", "selects among the lines at a `point`, but none is given", "give the point");
  if (view.has("side") && view.has("line"))
    refuse("side", "is redundant with `line`, which is already on one side",
           "remove one of the two");
}

bool are_fibres_known(const SectionDescription& section) {
  return section.shape() && !std::holds_alternative<beams::Section>(*section.shape());
}

void require_fibres(const TableView& view, const BeamEntry& body) {
  if (!body.section || are_fibres_known(*body.section)) return;
  view.report().error(
      view.where("component"),
      fmt::format("{}: the section of `{}` is of type {}, whose outermost fibres are unknown",
                  view.path("component"), body.name,
                  body.section->rigidity() ? "stiffness" : "general"),
      "record the forces, component: all, or define the section by its shape");
}

void SectionSensor::check(const TableView& view, const Scope& scope) {
  if (view.is_good("side")) at.is_before = view.text("side") == "before";
  if (view.has("point") == view.has("fraction"))
    view.report().error(
        view.where(),
        fmt::format("{} needs either a `point` of the beam or a `fraction` of its length",
                    view.path()),
        "write for example  fraction: 0.25");
  const BodyEntry* body = find_referred_body(view, "body", scope);
  if (!body) return;
  at.body = body->name;
  const BeamEntry* beam = body->beam();
  if (beam && beam->is_of_mesh()) return read_place_on_lines(view, at);
  if (body->has_open_places()) return;
  if (!beam)
    return view.report().error(view.where("body"),
                               fmt::format("{}: `{}` is of type {}, which has no cross-sections",
                                           view.path("body"), body->name, body->type),
                               "give a body of type beam");
  refuse_lines(view, *body);
  if (view.is_good("point")) read_beam_point(view, at, *body);
  if (view.is_good("fraction") && !view.has("point")) read_fraction(view, at);
  if (at.needs_fibres) require_fibres(view, *beam);
}

// Of an element's length: closer to a node is at the node.
constexpr double kAtNode = 1e-9;

// The end of the element before the node, or the start of the one after it; at the beam's ends the
// one that there is.
SectionPlace at_node(const SectionPoint& at, const bodies::BeamBody& beam, int node) {
  const bool is_before = at.is_before.value_or(false);
  for (const bool is_end : {is_before, !is_before})
    for (int e = 0; e < beam.n_elements(); ++e)
      if ((is_end ? beam.data(e).q : beam.data(e).p) == node) return {e, is_end ? 1.0 : 0.0};
  throw std::logic_error("a node of a beam has no element");
}

SectionPlace at_point(const SectionPoint& at, const PlaceFinder& places,
                      const bodies::BeamBody& beam) {
  const bodies::Frame frame = places.own_frame(place_on(at.body, at.point));
  const auto& nodes = beam.nodes();
  const auto node = std::find(nodes.begin(), nodes.end(), frame.body);
  return at_node(at, beam, static_cast<int>(node - nodes.begin()));
}

SectionPlace at_fraction(const SectionPoint& at, const bodies::BeamBody& beam) {
  double whole = 0.0;
  for (int e = 0; e < beam.n_elements(); ++e) whole += beam.data(e).length;
  double left = at.fraction * whole;
  int e = 0;
  for (; e + 1 < beam.n_elements() && left > beam.data(e).length; ++e) left -= beam.data(e).length;
  const double x = left / beam.data(e).length;
  if (x < kAtNode) return at_node(at, beam, beam.data(e).p);
  if (x > 1.0 - kAtNode) return at_node(at, beam, beam.data(e).q);
  return {e, x};
}

analyses::Sensor SectionSensor::make(const SensorBuilder& builder) const {
  const BuiltBody& body = built_body(builder.built, at.body);
  const bodies::BeamBody& beam = *body.beam;
  const auto on_line_of_mesh = body.sections.find(name);
  SectionPlace place = on_line_of_mesh != body.sections.end() ? on_line_of_mesh->second
                       : at.point.empty()                     ? at_fraction(at, beam)
                                                              : at_point(at, builder.places, beam);
  place.constraint = body.strain_constraints[place.element];
  return analyses::section_sensor(name, beam, place, whats(components));
}

}  // namespace

SensorType section_force_sensor_row() { return SectionForceSensor::row("section_force"); }
SensorType section_strain_sensor_row() { return SectionStrainSensor::row("section_strain"); }

}  // namespace solidyn::model
