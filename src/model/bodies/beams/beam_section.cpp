#include "model/bodies/beams/beam_section.h"

#include <fmt/format.h>

#include "model/bodies/beams/beam_grammar.h"

namespace solidyn::model {
namespace {

using beams::Circle;
using beams::ISection;
using beams::Rectangle;
using beams::Rigidity;
using beams::Section;
using beams::Tube;

const Quantity kSecondMoment{"m^4", 4, 0, 0, 0, 0};
const Quantity kBendingStiffness{"N m^2", 2, 0, 0, 0, 1};
const Quantity kMassPerLength{"kg/m", -1, 1, 0, 0, 0};
const Quantity kMassMomentPerLength{"kg m", 1, 1, 0, 0, 0};

// ---- Shapes

template <class Shape>
void set_value(SectionDescription& section, double Shape::*member, double value) {
  auto* shape = std::get_if<beams::SectionShape>(&section.given);
  if (Shape* holder = std::get_if<Shape>(shape)) holder->*member = value;
}

/// A key of one or more shapes: its value goes to that of them which the section is.
template <class... Shapes>
Field<SectionDescription> of_shape(const Key& key, double Shapes::*... members) {
  return read_by<SectionDescription>(
      key, [=, word = KeySpec(key).key](SectionDescription& section, const TableView& view,
                                        const Scope&) {
        if (view.is_good(word)) (set_value(section, members, view.number(word)), ...);
      });
}

template <class... Shapes>
Field<SectionDescription> length(const char* key, const char* meaning, const char* example,
                                 const Words& types, double Shapes::*... members) {
  return of_shape(
      Key(key, Form::number, meaning, example).in(kLength).within(kPositive).needed().of(types),
      members...);
}

Field<SectionDescription> general(const char* key, const char* meaning, const char* example,
                                  const Quantity& quantity, double Section::*member) {
  return of_shape(Key(key, Form::number, meaning, example)
                      .in(quantity)
                      .within(kPositive)
                      .needed()
                      .of({"general"}),
                  member);
}

Field<SectionDescription> shear_factor(const char* key, const char* meaning,
                                       double Section::*member) {
  return of_shape(Key(key, Form::number, meaning, "0.8333")
                      .within(kPositive)
                      .or_else("0.8333333333333334")
                      .of({"general"}),
                  member);
}

Fields<SectionDescription> shape_fields() {
  const Words framed = {"rectangle", "i_section"};
  return {
      length("width", "along y", "0.02", framed, &Rectangle::width, &ISection::width),
      length("height", "along z", "0.04", framed, &Rectangle::height, &ISection::height),
      length("radius", "outer radius", "0.01", {"circle", "tube"}, &Circle::radius, &Tube::radius),
      length("wall", "wall thickness, less than the radius", "0.001", {"tube"}, &Tube::wall),
      length("flange", "thickness of a flange", "0.006", {"i_section"}, &ISection::flange),
      length("web", "thickness of the web", "0.004", {"i_section"}, &ISection::web),
      general("area", "area", "1e-4", kArea, &Section::area),
      general("I_y", "second moment of area about y: the integral of z^2", "8e-10", kSecondMoment,
              &Section::I_y),
      general("I_z", "second moment of area about z: the integral of y^2", "8e-10", kSecondMoment,
              &Section::I_z),
      general("torsion_constant", "St. Venant's torsion constant", "1.4e-9", kSecondMoment,
              &Section::torsion_constant)};
}

Fields<SectionDescription> shear_fields() {
  return {
      shear_factor("shear_y", "fraction of the area that carries shear along y", &Section::shear_y),
      shear_factor("shear_z", "fraction of the area that carries shear along z",
                   &Section::shear_z)};
}

// ---- Sections by their stiffness

Field<SectionDescription> stiffness(const Key& key, const Quantity& quantity,
                                    double Rigidity::*member) {
  const Key full = Key(key).in(quantity).within(kPositive).of({"stiffness"});
  return read_by<SectionDescription>(
      full, [=, word = KeySpec(full).key](SectionDescription& section, const TableView& view,
                                          const Scope&) {
        auto* rigidity = std::get_if<Rigidity>(&section.given);
        if (rigidity && view.is_good(word)) rigidity->*member = view.number(word);
      });
}

Fields<SectionDescription> stiffness_fields() {
  const auto key = [](const char* word, const char* meaning, const char* example) {
    return Key(word, Form::number, meaning, example);
  };
  return {
      stiffness(key("EA", "axial stiffness", "1e4").needed(), kForce, &Rigidity::EA),
      stiffness(
          key("GA_y", "shear stiffness along y; required unless the beam has `shear: none`", "1e4"),
          kForce, &Rigidity::GA_y),
      stiffness(
          key("GA_z", "shear stiffness along z; required unless the beam has `shear: none`", "1e4"),
          kForce, &Rigidity::GA_z),
      stiffness(key("GJ", "torsional stiffness", "500").needed(), kBendingStiffness, &Rigidity::GJ),
      stiffness(key("EI_y", "bending stiffness about y", "500").needed(), kBendingStiffness,
                &Rigidity::EI_y),
      stiffness(key("EI_z", "bending stiffness about z", "500").needed(), kBendingStiffness,
                &Rigidity::EI_z)};
}

// ---- Mass: needed where there is no material; else in place of what its density makes of the
// shape

template <class Member>
Fields<SectionDescription> mass_fields(const Key& key, Member SectionDescription::*member) {
  const Words of_material = {"rectangle", "circle", "tube", "i_section", "general"};
  return {field(Key(key).needed().of({"stiffness"}), member),
          // The key is read once, whichever type it is for.
          read_elsewhere<SectionDescription>(Key(key).of(of_material))};
}

// ---- Type and place

void read_section_type(SectionDescription& section, const TableView& view, const Scope&) {
  static const Choice<decltype(section.given)> types = {
      {"rectangle", Rectangle()}, {"circle", Circle()},   {"tube", Tube()},
      {"i_section", ISection()},  {"general", Section()}, {"stiffness", Rigidity()}};
  read_choice(view, "type", types, section.given);
}

void read_offset(SectionDescription& section, const TableView& view, const Scope&) {
  if (!view.is_good("offset")) return;
  const std::vector<double> across = view.numbers("offset");
  section.offset = Eigen::Vector3d(0.0, across[0], across[1]);
}

// ---- Checks

void check_thickness(const TableView& section, const char* key, double thickness, double limit,
                     const char* of) {
  if (!section.is_good(key) || thickness < limit) return;
  section.report().error(section.where(key),
                         fmt::format("{} is {:g} m, not less than {} ({:g} m)", section.path(key),
                                     thickness, of, limit),
                         "reduce the thickness");
}

// Moments of masses in any section: each is an integral of two squares, of which the others have
// one each.
void check_mass_moments(const TableView& section, const Eigen::Vector3d& moments) {
  constexpr double kRoundOff = 1e-9;
  const auto refuse = [&](const char* why, const char* remedy) {
    section.report().error(
        section.where("mass_moments"),
        fmt::format("{} is [{:g}, {:g}, {:g}] kg m: {}", section.path("mass_moments"), moments[0],
                    moments[1], moments[2], why),
        remedy);
  };
  if (moments[0] == 0.0)
    refuse("the sections would have no inertia about the beam axis",
           "give a moment about x, the first of the three");
  else if (2.0 * moments.maxCoeff() > (1.0 + kRoundOff) * moments.sum())
    refuse(
        "one of them exceeds the sum of the others, which is impossible for a mass",
        "give all three, about x, y and z; `rotary_inertia: torsion` of the beam leaves out those about y and z");
}

}  // namespace

const Fields<SectionDescription>& SectionDescription::fields() {
  using Self = SectionDescription;
  static const Fields<Self> list = joined_fields(
      Fields<Self>{read_by<Self>(
          Key("type", Form::word,
              "`rectangle`, `circle` (full), `tube`, `i_section` (flanges along y, web along z), `general`: by its section properties, or `stiffness`: by stiffness and mass per length, without a material",
              "rectangle")
              .among({"rectangle", "circle", "tube", "i_section", "general", "stiffness"})
              .needed(),
          read_section_type)},
      shape_fields(),
      Fields<Self>{read_by<Self>(
          Key("offset", Form::vector,
              "offset of the centroid from the line through the points, along y and z: the points remain in place, rigidly offset from the centre line",
              "[0, 0.01]")
              .in(kLength)
              .sized(2)
              .or_else("[0, 0]"),
          read_offset)},
      shear_fields(), stiffness_fields(),
      mass_fields(
          Key("mass_per_length", Form::number,
              "mass per length of the beam as modelled, instead of density times area", "1.2")
              .in(kMassPerLength)
              .within(kPositive),
          &Self::mass_per_length),
      mass_fields(
          Key("mass_moments", Form::vector,
              "mass moments of inertia per length about x (along the beam), y and z, instead of density times second moments of area",
              "[2.0e-5, 1.0e-5, 1.0e-5]")
              .in(kMassMomentPerLength)
              .within(kNotNegative),
          &Self::mass_moments));
  return list;
}

const TableSpec& section_table() {
  static const TableSpec table{
      "section",
      "The cross-section of a beam, about its centroid and along its principal axes y and z.",
      keys_of(SectionDescription::fields()), "type"};
  return table;
}

Key section_key() {
  return Key("section", Form::table, "the cross-section", "{type: circle, radius: 0.003}")
      .holds(section_table());
}

void SectionDescription::check(const TableView& section) const {
  if (mass_moments) check_mass_moments(section, *mass_moments);
  const auto* tube = std::get_if<Tube>(shape());
  if (tube && section.is_good("radius"))
    check_thickness(section, "wall", tube->wall, tube->radius, "the radius");
  const auto* i = std::get_if<ISection>(shape());
  if (i && section.is_good("height"))
    check_thickness(section, "flange", i->flange, 0.5 * i->height, "half the height");
  if (i && section.is_good("width")) check_thickness(section, "web", i->web, i->width, "the width");
}

void check_shear(const TableView& section, bool beam_has_shear) {
  const bool has_stiffness = section.type() == "stiffness";
  for (const char* key : {"GA_y", "GA_z"})
    if (has_stiffness && beam_has_shear && !section.has(key))
      section.report().error(
          section.where(),
          fmt::format("{} is missing (type stiffness needs it)", section.path(key)),
          "give it in N, or make the beam rigid in shear by  shear: none");
  for (const char* key : {"GA_y", "GA_z", "shear_y", "shear_z"})
    if (!beam_has_shear && section.has(key))
      section.report().warning(
          section.where(key),
          fmt::format("{} has no effect: the beam has `shear: none`", section.path(key)),
          "remove one of the two");
}

}  // namespace solidyn::model
