#include "formats/nastran/bulk/beam_properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "formats/shared/line_sections.h"

namespace solidyn::formats {
namespace {

using imported::LineProperty;

constexpr const char* kUniform = "use a uniform section for each element, and several elements";

// What a row of a PBEAM says of the section at a station.
struct Station {
  double area = 0.0, I1 = 0.0, I2 = 0.0, I12 = 0.0, J = 0.0, mass = 0.0;

  bool operator!=(const Station& other) const {
    return area != other.area || I1 != other.I1 || I2 != other.I2 || I12 != other.I12 ||
           J != other.J || mass != other.mass;
  }
};

// Plane 1 is that of the element's x and y: I1 is the integral of y^2.
void set_general(const NastranCard& card, const Station& s, double k1, double k2,
                 LineProperty& property) {
  for (const auto& [name, value] : {std::pair{"A", s.area}, {"I1", s.I1}, {"I2", s.I2}, {"J", s.J}})
    if (!(value > 0.0))
      card.fail(fmt::format("{} is {}: the beam would have no stiffness in {}", name, value,
                            name[0] == 'A'   ? "stretch"
                            : name[0] == 'J' ? "torsion"
                                             : "bending"),
                "give a positive value");
  if (!(s.I1 * s.I2 > s.I12 * s.I12))
    card.fail(fmt::format("I12 is {}, which is impossible with these I1 and I2", s.I12),
              "I12 squared must be less than I1 times I2");
  for (const double k : {k1, k2})
    if (k < 0.0)
      card.fail(fmt::format("the shear factor {} is negative", k), "it must be between 0 and 1");
  if (s.I12 != 0.0 && k1 != k2)
    card.fail(
        "I12 is not zero and K1 differs from K2: the principal axes of bending and shear would differ",
        "align the orientation vectors with the principal axes, so that I12 is 0");
  beams::Section section{s.area, s.I2, s.I1, s.J, k1, k2};
  property.turn = make_principal(section, s.I12);
  property.shape = section;
  property.mass_per_length = s.mass;
}

void read_pbar(const NastranCard& card, LineProperty& property) {
  const Station s = {card.real(3, 0.0),  card.real(4, 0.0), card.real(5, 0.0),
                     card.real(19, 0.0), card.real(6, 0.0), card.real(7, 0.0)};
  set_general(card, s, card.real(17, 0.0), card.real(18, 0.0), property);
}

// ---- Shapes

struct ShapeSize {
  const char* name;
  int n;
};
constexpr std::array<ShapeSize, 5> kShapes = {
    {{"ROD", 1}, {"TUBE", 2}, {"TUBE2", 2}, {"BAR", 2}, {"I", 6}}};

int n_dimensions(const NastranCard& card, const std::string& type) {
  for (const ShapeSize& shape : kShapes)
    if (type == shape.name) return shape.n;
  card.fail(fmt::format("sections of type {} are not supported", type),
            "use ROD, TUBE, TUBE2, BAR or I, or give the section properties by PBAR or PBEAM");
}

void set_i(const NastranCard& card, const double* d, LineProperty& property) {
  if (d[1] != d[2] || d[4] != d[5])
    card.fail("an I with different flanges is not supported: its shear centre is off its centroid",
              "give its properties by PBAR, or two equal flanges");
  if (!(2.0 * d[4] < d[0] && d[3] < d[1]))
    card.fail(
        "the dimensions of the I section are inconsistent: the flanges leave no web, or the web is as wide as the flanges",
        "check DIM1 to DIM6");
  set_upright_i_section(property, d[0], d[1], d[4], d[3]);
}

// A tube, or without a hole a circle.
beams::SectionShape make_round(const NastranCard& card, double radius, double wall) {
  if (!(wall > 0.0 && wall <= radius))
    card.fail(fmt::format("the tube has a radius of {} and a wall thickness of {}", radius, wall),
              "the wall thickness must be less than the radius");
  if (wall == radius) return beams::Circle{radius};
  return beams::Tube{radius, wall};
}

void set_shape(const NastranCard& card, const std::string& type, const double* d,
               LineProperty& property) {
  if (type == "ROD") {
    property.shape = beams::Circle{d[0]};
  } else if (type == "TUBE" || type == "TUBE2") {
    property.shape = make_round(card, d[0], type == "TUBE" ? d[0] - d[1] : d[1]);
  } else if (type == "BAR") {
    property.shape = beams::Rectangle{d[1], d[0]};  // DIM1 is along z
  } else {
    set_i(card, d, property);
  }
}

// Field 9 on: the dimensions, then the mass per length.
void read_dimensions(const NastranCard& card, LineProperty& property) {
  const std::string type = card.word(4);
  const int n = n_dimensions(card, type);
  std::array<double, 6> d{};
  for (int i = 0; i < n; ++i) {
    d[i] = card.real(9 + i);
    const bool may_be_zero = type == "TUBE" && i == 1;
    if (d[i] < 0.0 || (d[i] == 0.0 && !may_be_zero))
      card.fail(fmt::format("DIM{} is {}", i + 1, d[i]), "dimensions must be positive");
  }
  set_shape(card, type, d.data(), property);
  property.mass_per_length = card.real(9 + n, 0.0);
}

// SO, X/XB, dimensions and mass of further stations.
void refuse_other_dimensions(const NastranCard& card) {
  const int n = n_dimensions(card, card.word(4));
  for (int at = 10 + n; at <= card.n_fields(); at += n + 3)
    for (int i = 0; i <= n; ++i)
      if (!card.is_blank(at + 2 + i) && card.real(at + 2 + i) != card.real(9 + i, 0.0))
        card.fail("tapered elements are not supported", kUniform);
}

// ---- PBEAM

Station read_station(const NastranCard& card, int at, const Station& first) {
  return {card.real(at, first.area),    card.real(at + 1, first.I1), card.real(at + 2, first.I2),
          card.real(at + 3, first.I12), card.real(at + 4, first.J),  card.real(at + 5, first.mass)};
}

// Rows of stress points follow the first station, and those whose SO is YES.
// @return the field where the row with K1 begins
int skip_stations(const NastranCard& card, const Station& first) {
  int at = card.is_word(9) ? 9 : 17;
  while (card.is_word(at)) {
    const std::string output = card.word(at);
    if (output != "YES" && output != "YESA" && output != "NO")
      card.fail(fmt::format("found `{}` instead of YES, YESA or NO", output),
                "check the lines of the entry");
    if (read_station(card, at + 2, first) != first)
      card.fail("tapered elements are not supported", kUniform);
    at += output == "YES" ? 16 : 8;
  }
  return at;
}

void refuse_fields(const NastranCard& card, int from, int to, const char* what) {
  for (int i = from; i <= to; ++i)
    if (card.real(i, 0.0) != 0.0)
      card.fail(fmt::format("{} {} not supported", what, what[0] == 'n' ? "are" : "is"),
                "set them to zero, and offset the elements by WA and WB");
}

void read_pbeam(const NastranCard& card, LineProperty& property) {
  const Station first = read_station(card, 3, {});
  const int at = skip_stations(card, first);
  refuse_fields(card, at + 4, at + 5, "inertia per length (NSI)");
  refuse_fields(card, at + 12, at + 15, "neutral axes off the shear centre (N1, N2)");
  if (first.mass != 0.0)
    refuse_fields(card, at + 8, at + 11, "a mass per length off the centre line (M1, M2)");
  set_general(card, first, card.real(at, 1.0), card.real(at + 1, 1.0), property);
}

}  // namespace

bool NastranBeamProperties::is_property(std::uint64_t key) {
  return key == card_key("PBAR") || key == card_key("PBARL") || key == card_key("PBEAM") ||
         key == card_key("PBEAML");
}

NastranBeamProperties::Property NastranBeamProperties::read(const NastranCard& card) {
  Property property;
  property.values.name = fmt::format("{} {}", card.name(), card.label(1));
  property.values.where = card.where();
  property.material = card.label(2);
  if (card.is("PBAR")) {
    read_pbar(card, property.values);
  } else if (card.is("PBEAM")) {
    read_pbeam(card, property.values);
  } else {
    read_dimensions(card, property.values);
    if (card.is("PBEAML")) refuse_other_dimensions(card);
  }
  if (property.values.mass_per_length < 0.0)
    card.fail(fmt::format("the mass per length {} is negative", property.values.mass_per_length),
              "correct NSM");
  return property;
}

void NastranBeamProperties::add(const NastranCard& card) {
  const std::int32_t pid = card.label(1);
  try {
    const bool is_new = properties_.emplace(pid, read(card)).second;
    if (!is_new)
      card.fail(fmt::format("property {} is defined twice", pid), "use unique property numbers");
  } catch (const base::InputError&) {
    wrong_.insert(pid);
    throw;
  }
}

const NastranBeamProperties::Property* NastranBeamProperties::find(std::int32_t pid) const {
  const auto found = properties_.find(pid);
  return found == properties_.end() ? nullptr : &found->second;
}

}  // namespace solidyn::formats
