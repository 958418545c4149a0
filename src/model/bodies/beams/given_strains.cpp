#include "model/bodies/beams/given_strains.h"

#include <fmt/format.h>

#include "model/bodies/beams/beam_grammar.h"
#include "model/read.h"

namespace solidyn::model {
namespace {

const Quantity kStrain{"1", 0, 0, 0, 0, 0};
const Quantity kTwistPerLength{"rad/m", -1, 0, 0, 1, 0};
const Quantity kCurvatureOfLine{"1/m", -1, 0, 0, 0, 0};

constexpr const char* kForces[] = {"axial", "torsion", "bending_y", "bending_z"};

// ---- The tables

Field<GivenStrains::Laws> law_field(BeamStrain strain, const char* meaning, const char* example,
                                    const Quantity& quantity) {
  const std::string word = name(strain);
  return read_by<GivenStrains::Laws>(
      Key(word, Form::time_function, meaning, example).in(quantity),
      [=](GivenStrains::Laws& laws, const TableView& view, const Scope&) {
        if (view.has(word)) laws[static_cast<int>(strain)] = read_time_function(view, word);
      });
}

const Fields<GivenStrains::Laws>& strain_law_fields() {
  static const Fields<GivenStrains::Laws> list = {
      law_field(BeamStrain::stretch, "relative change of length", "\"1.2e-5*80*t\"", kStrain),
      law_field(BeamStrain::twist, "rotation per length about the beam axis", "0.1",
                kTwistPerLength),
      law_field(BeamStrain::curvature_y, "rotation per length about y of the sections", "0.2",
                kCurvatureOfLine),
      law_field(BeamStrain::curvature_z, "rotation per length about z of the sections",
                "\"0.5*sin(t)\"", kCurvatureOfLine)};
  return list;
}

const Fields<Eigen::Vector4d>& prestress_fields() {
  const auto part = [](int i, const char* meaning, const char* example, const Quantity& quantity) {
    return read_by<Eigen::Vector4d>(
        Key(kForces[i], Form::number, meaning, example).in(quantity).or_else("0"),
        [i](Eigen::Vector4d& prestress, const TableView& view, const Scope&) {
          prestress[i] = view.number(kForces[i]);
        });
  };
  static const Fields<Eigen::Vector4d> list = {part(0, "force, tension positive", "80", kForce),
                                               part(1, "torque about the beam", "2", kTorque),
                                               part(2, "moment about y", "2", kTorque),
                                               part(3, "moment about z", "2", kTorque)};
  return list;
}

// Fixed is driven by a law that is zero. @pre the driven ones have been read
void read_fixed_strains(GivenStrains& given, const TableView& view, const Scope&) {
  if (!view.is_good("fixed_strains")) return;
  const std::vector<std::string> fixed = view.texts("fixed_strains");
  for (BeamStrain strain : kBeamStrains)
    if (std::find(fixed.begin(), fixed.end(), name(strain)) != fixed.end())
      given.driven[static_cast<int>(strain)] = math::TimeFunction();
}

// ---- What does not go together

// The tables that hold for a group: its own, else the body's.
class StrainChecker {
 public:
  StrainChecker(const TableView& own, const TableView& body, const GivenStrains& given)
      : own_(own),
        body_(body),
        given_(given),
        prestress_(holder("prestress").table("prestress")),
        prestrain_(holder("prestrain").table("prestrain")),
        driven_(holder("driven_strains").table("driven_strains")) {
    if (holder("fixed_strains").is_good("fixed_strains"))
      fixed_ = holder("fixed_strains").texts("fixed_strains");
  }

  void check() const {
    for (BeamStrain strain : kBeamStrains)
      if (given_.driven[static_cast<int>(strain)]) check_driven(strain);
    check_torsion();
    check_rule();
  }

 private:
  const TableView& holder(const char* key) const { return own_.has(key) ? own_ : body_; }

  // The group where it is one: what it has does not go with what it takes from the body.
  std::string together() const {
    return own_.path() == body_.path() ? "" : fmt::format(" ({})", own_.path());
  }

  void refuse(const TableView& table, const std::string& key, const std::string& strain) const {
    table.report().error(
        table.where(key),
        fmt::format(
            "{}: the {} of the beam is fixed or driven, so that no prestress or prestrain can be given{}",
            table.path(key), strain, together()),
        "remove it in one of the two places");
  }

  // A strain is given in one way.
  void check_driven(BeamStrain strain) const {
    const std::string word = name(strain);
    const char* force = kForces[static_cast<int>(strain)];
    if (driven_.has(word) && std::find(fixed_.begin(), fixed_.end(), word) != fixed_.end())
      own_.report().error(driven_.where(word),
                          fmt::format("{}: {} is also among the fixed strains{}",
                                      driven_.path(word), word, together()),
                          "give it once");
    if (prestrain_.has(word)) refuse(prestrain_, word, word);
    if (prestress_.has(force)) refuse(prestress_, force, word);
  }

  void check_torsion() const {
    if (!given_.has_driven() || !body_.has("torsion") || body_.text("torsion") != "linear") return;
    body_.report().error(
        body_.where("torsion"),
        fmt::format("{}: with fixed or driven strains torsion is constant over an element{}",
                    body_.path("torsion"), together()),
        "write  torsion: constant, or remove it");
  }

  void check_rule() const {
    if (!given_.has_driven() || !body_.has("curvature_rule") ||
        body_.text("curvature_rule") != "lobatto")
      return;
    body_.report().error(
        body_.where("curvature_rule"),
        fmt::format(
            "{}: `lobatto` is unstable under tension, which is not monitored in beams with fixed or driven strains{}",
            body_.path("curvature_rule"), together()),
        "remove it: `magnus` is stable");
  }

  const TableView &own_, &body_;
  const GivenStrains& given_;
  const TableView prestress_, prestrain_, driven_;
  std::vector<std::string> fixed_;
};

}  // namespace

const char* name(BeamStrain strain) {
  static const char* const names[] = {"stretch", "twist", "curvature_y", "curvature_z"};
  return names[static_cast<int>(strain)];
}

const Fields<GivenStrains>& GivenStrains::fields() {
  using Self = GivenStrains;
  static const Fields<Self> list = {
      table_field(
          Key("prestress", Form::table, "forces and moments of the beam as modelled", "{axial: 80}")
              .holds(prestress_table()),
          prestress_fields(), &Self::prestress),
      table_field(Key("prestrain", Form::table, "stress-free strains, such as thermal strains",
                      "{stretch: \"1.2e-5*80*t\"}")
                      .holds(prestrain_table()),
                  strain_law_fields(), &Self::prestrain),
      table_field(
          Key("driven_strains", Form::table, "strains that are prescribed functions of time",
              "{curvature_z: \"0.5*sin(t)\"}")
              .holds(driven_strains_table()),
          strain_law_fields(), &Self::driven),
      read_by<Self>(
          Key("fixed_strains", Form::words,
              "strains fixed at zero: a beam without stretch, without torsion ...; `[]` releases those of the body for a group of lines",
              "[stretch]")
              .among({"stretch", "twist", "curvature_y", "curvature_z"})
              .or_else("[]"),
          read_fixed_strains)};
  return list;
}

bool gives_strains(const TableView& table) {
  const auto& fields = GivenStrains::fields();
  return std::any_of(fields.begin(), fields.end(),
                     [&](const auto& field) { return table.has(field.spec.key); });
}

GivenStrains read_strains_of_group(const TableView& group, const TableView& body,
                                   const Scope& scope) {
  GivenStrains given;
  for (const Field<GivenStrains>& field : GivenStrains::fields())
    field.read(given, group.has(field.spec.key) ? group : body, scope);
  check_given_strains(group, body, given);
  return given;
}

void check_given_strains(const TableView& own, const TableView& body, const GivenStrains& given) {
  StrainChecker(own, body, given).check();
}

const TableSpec& prestrain_table() {
  static const TableSpec table{
      "prestrain",
      "Stress-free strains of a beam relative to its shape as modelled, numbers or functions of time: due to temperature, actuators or growth. The beam is stress-free at these strains. In statics their time is the load parameter.",
      keys_of(strain_law_fields())};
  return table;
}

const TableSpec& driven_strains_table() {
  static const TableSpec table{
      "driven strains",
      "Prescribed strains of a beam relative to its shape as modelled, numbers or functions of time. In statics their time is the load parameter.",
      keys_of(strain_law_fields())};
  return table;
}

const TableSpec& prestress_table() {
  static const TableSpec table{
      "prestress",
      "Internal forces and moments of a beam as modelled, without loads: the same in all sections, in section axes.",
      keys_of(prestress_fields())};
  return table;
}

}  // namespace solidyn::model
