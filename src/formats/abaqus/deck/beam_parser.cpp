#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "formats/abaqus/deck/parser.h"
#include "formats/shared/line_sections.h"

namespace solidyn::formats::abaqus {
namespace {

/// They change beams, and are not understood.
bool changes_beams(const std::string& name) {
  static const std::vector<std::string> names = {"TRANSVERSESHEAR",   "TRANSVERSESHEARSTIFFNESS",
                                                 "BEAMADDEDINERTIA",  "BEAMFLUIDINERTIA",
                                                 "CENTROID",          "SHEARCENTER",
                                                 "RELEASE",           "NORMAL",
                                                 "BEAMSECTIONOFFSET", "BEAMSECTIONGENERATE",
                                                 "ADDEDMASS"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

void BeamParser::complain(AbaqusPlace at, std::string what, std::string remedy) const {
  context_.deck.line_errors.push_back(
      {context_.source.location(at), std::move(what), std::move(remedy)});
}

bool BeamParser::read(const AbaqusKeyword& keyword, Scope& scope) {
  if (keyword.name == "BEAMSECTION" || keyword.name == "BEAMGENERALSECTION") {
    context_.note_unsupported(keyword.name, keyword.place);
    read_section(keyword, scope);
    return true;
  }
  if (changes_beams(keyword.name))
    complain(keyword.place, fmt::format("*{} is not supported for beams", keyword.name),
             keyword.name == "RELEASE" ? "use two bodies, and a joint between them"
                                       : "remove it from the file");
  return false;
}

/// The numbers of the next data line, as many as there are. False without a line.
bool BeamParser::read_line(std::vector<double>& numbers) const {
  numbers.clear();
  std::string_view line;
  if (!context_.source.next_data(line)) return false;
  NumberLine items(line);
  for (double value = 0.0;;) {
    const Item item = items.next(value);
    if (item == Item::end) return true;
    if (item == Item::bad || !std::isfinite(value)) {
      complain(context_.source.place(),
               "a line of a beam section does not consist of finite numbers", kCheckLine);
      numbers.clear();
      return true;
    }
    numbers.push_back(item == Item::value ? value : 0.0);
  }
}

void BeamParser::read_section(const AbaqusKeyword& keyword, Scope& scope) const {
  const bool is_general = keyword.name == "BEAMGENERALSECTION";
  const std::string* elset = keyword.find("ELSET");
  const std::string* shape = keyword.find("SECTION");
  const std::string* material = keyword.find("MATERIAL");
  for (const char* parameter : {"TAPER", "OFFSET1", "OFFSET2"})
    if (keyword.has(parameter))
      return complain(keyword.place,
                      fmt::format("{} of a beam section is not supported", parameter),
                      "remove it: sections are uniform, with nodes at their centroid");
  BeamSection section;
  section.place = keyword.place;
  if (!elset) return complain(keyword.place, "a beam section has no ELSET", "write ELSET=...");
  section.elset = *elset;
  if (material) section.material = *material;
  if (!material && !is_general)
    return complain(keyword.place, "*BEAM SECTION has no MATERIAL", "write MATERIAL=...");
  std::vector<double> numbers, n1, moduli;
  if (!read_line(numbers))
    return complain(keyword.place, "a beam section has no dimensions",
                    "give them on the next line");
  const std::string name = shape ? abaqus_fold(*shape) : is_general ? "GENERAL" : "";
  if (!set_shape(name, numbers, keyword.place, section)) return;
  // The line of the axis 1 may be blank, and then is not there.
  bool has_n1 = read_line(n1), has_moduli = is_general && read_line(moduli);
  if (has_n1 && !has_moduli && is_general && !material) {
    std::swap(n1, moduli);
    std::swap(has_n1, has_moduli);
  }
  if (n1.size() > 3)
    complain(keyword.place,
             fmt::format("the axis n1 of the section of `{}` has {} components", section.elset,
                         n1.size()),
             "expected three; omitted ones are zero");
  n1.resize(3, 0.0);
  const Eigen::Vector3d axis(n1[0], n1[1], n1[2]);
  if (!axis.isZero(0.0)) section.n1 = axis;
  if (is_general && !material) read_own_material(keyword, moduli, section);
  scope.beam_sections.push_back(std::move(section));
}

bool BeamParser::set_shape(const std::string& shape, const std::vector<double>& d, AbaqusPlace at,
                           BeamSection& section) const {
  static const std::map<std::string, std::size_t> n_numbers = {
      {"RECT", 2}, {"CIRC", 1}, {"PIPE", 2}, {"I", 7}, {"GENERAL", 5}};
  const auto known = n_numbers.find(shape);
  if (known == n_numbers.end()) {
    complain(
        at, fmt::format("beam sections of shape `{}` are not supported", shape),
        "use RECT, CIRC, PIPE, I or GENERAL, or give the section properties by *BEAM GENERAL SECTION");
    return false;
  }
  const bool is_general = shape == "GENERAL";
  const bool has_numbers = is_general ? d.size() >= 5 : d.size() == known->second;
  const auto first = d.begin() + (shape == "I" && has_numbers ? 1 : 0);  // l may be any number
  if (!has_numbers || (!is_general && *std::min_element(first, d.end()) <= 0.0)) {
    complain(at,
             fmt::format("a beam section of shape {} has {} dimensions; expected {} positive ones",
                         shape, d.size(), known->second),
             shape == "CIRC" ? "give only the radius" : "check the line after the keyword");
    return false;
  }
  beams::SectionShape& s = section.values.shape;
  if (shape == "RECT") {
    s = beams::Rectangle{d[0], d[1]};
  } else if (shape == "CIRC") {
    s = beams::Circle{d[0]};
  } else if (shape == "PIPE") {
    if (d[1] < d[0])
      s = beams::Tube{d[0], d[1]};
    else
      s = beams::Circle{d[0]};
    if (d[1] > d[0]) complain(at, "the wall thickness of the pipe exceeds its radius", "check it");
  } else {
    return shape == "I" ? set_i(d, at, section) : set_general(d, at, section);
  }
  return true;
}

/// l, h, b1, b2, t1, t2, t3: the node stands l above the bottom, along axis 2.
bool BeamParser::set_i(const std::vector<double>& d, AbaqusPlace at, BeamSection& section) const {
  if (d[2] != d[3] || d[4] != d[5]) {
    complain(at,
             "an I with different flanges is not supported: its shear centre is off its centroid",
             "give its properties by *BEAM GENERAL SECTION, or two equal flanges");
    return false;
  }
  if (!(2.0 * d[4] < d[1] && d[6] < d[2])) {
    complain(
        at,
        "the dimensions of the I section are inconsistent: the flanges leave no web, or the web is as wide as the flanges",
        "check the line after the keyword");
    return false;
  }
  section.values.shape = beams::ISection{d[2], d[1], d[4], d[6]};
  section.offset_2 = 0.5 * d[1] - d[0];
  return true;
}

/// A, I11, I12, I22, J. I11 is the integral of the square of the coordinate along axis 2, our z.
bool BeamParser::set_general(const std::vector<double>& d, AbaqusPlace at,
                             BeamSection& section) const {
  const double A = d[0], I11 = d[1], I12 = d[2], I22 = d[3], J = d[4];
  if (!(A > 0.0 && I11 > 0.0 && I22 > 0.0 && J > 0.0 && I11 * I22 > I12 * I12)) {
    complain(
        at,
        fmt::format(
            "the section properties A {}, I11 {}, I12 {}, I22 {}, J {} are not valid for a beam", A,
            I11, I12, I22, J),
        "A, I11, I22 and J must be positive, and I12 squared less than I11 I22");
    return false;
  }
  beams::Section numbers{A, I11, I22, J, 1.0, 1.0};
  section.values.turn = make_principal(numbers, I12);
  section.values.shape = numbers;
  return true;
}

/// E, G in the third line; DENSITY with the keyword.
void BeamParser::read_own_material(const AbaqusKeyword& keyword, const std::vector<double>& numbers,
                                   BeamSection& section) const {
  if (numbers.size() < 2 || !(numbers[0] > 0.0 && numbers[1] > 0.0))
    return complain(keyword.place, "*BEAM GENERAL SECTION has no moduli E and G",
                    "give them on the third line");
  imported::Material& material = section.own_material;
  material.name = "section of " + section.elset;
  material.where = context_.source.location(keyword.place);
  material.youngs_modulus = numbers[0];
  material.poissons_ratio = 0.5 * numbers[0] / numbers[1] - 1.0;
  if (const std::string* density = keyword.find("DENSITY"))
    if (!parse_number(*density, material.density))
      complain(keyword.place, fmt::format("the density `{}` is not a number", *density),
               "check it");
}

}  // namespace solidyn::formats::abaqus
