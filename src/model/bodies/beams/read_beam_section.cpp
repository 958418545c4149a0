#include "model/bodies/beams/read_beam_section.h"

#include <fmt/format.h>

namespace solidyn::model {
namespace {

using Eigen::Vector3d;

void check_thickness(const TableView& section, const char* key, double thickness, double limit,
                     const char* of) {
  if (!section.is_good(key) || thickness < limit) return;
  section.report().error(section.where(key),
                         fmt::format("{} is {:g} m, not less than {} ({:g} m)", section.path(key),
                                     thickness, of, limit),
                         "make it thinner");
}

// Moments of masses in any section: each is an integral of two squares, of which the others have
// one each.
void check_mass_moments(const TableView& section, const Vector3d& moments) {
  constexpr double kRoundOff = 1e-9;
  const auto refuse = [&](const char* why, const char* remedy) {
    section.report().error(
        section.where("mass_moments"),
        fmt::format("{} is [{:g}, {:g}, {:g}] kg m: {}", section.path("mass_moments"), moments[0],
                    moments[1], moments[2], why),
        remedy);
  };
  if (moments[0] == 0.0)
    refuse("nothing would resist a turn of the sections about the beam's axis",
           "give a moment about x, the first of the three");
  else if (2.0 * moments.maxCoeff() > (1.0 + kRoundOff) * moments.sum())
    refuse("one is more than the sum of the others, which no mass has",
           "give all three, about x, y and z; `rotary_inertia: torsion` of the beam leaves out "
           "those about y and z");
}

}  // namespace

SectionDescription read_beam_section(const TableView& section) {
  using Shape = SectionDescription::Shape;
  SectionDescription s;
  s.shape = chosen<Shape>(section.type(), {{"rectangle", Shape::rectangle},
                                           {"circle", Shape::circle},
                                           {"tube", Shape::tube},
                                           {"i_section", Shape::i_section},
                                           {"general", Shape::general},
                                           {"stiffness", Shape::general}});
  switch (s.shape) {
    case Shape::i_section:
      s.flange = section.number("flange");
      s.web = section.number("web");
      [[fallthrough]];
    case Shape::rectangle:
      s.width = section.number("width");
      s.height = section.number("height");
      break;
    case Shape::tube:
      s.wall = section.number("wall");
      [[fallthrough]];
    case Shape::circle:
      s.radius = section.number("radius");
      break;
    case Shape::general:
      if (section.type() == "stiffness") break;
      s.general = {section.number("area"),    section.number("I_y"),
                   section.number("I_z"),     section.number("torsion_constant"),
                   section.number("shear_y"), section.number("shear_z")};
  }
  if (section.type() == "stiffness")
    s.rigidity = {section.number("EA"),   section.number("GJ"),   section.number("EI_y"),
                  section.number("EI_z"), section.number("GA_y"), section.number("GA_z")};
  if (section.is_good("mass_per_length")) s.mass_per_length = section.number("mass_per_length");
  if (section.is_good("mass_moments")) s.mass_moments = section.vector("mass_moments");
  if (section.is_good("offset")) {
    const std::vector<double> across = section.numbers("offset");
    s.offset = Vector3d(0.0, across[0], across[1]);
  }
  if (s.mass_moments) check_mass_moments(section, *s.mass_moments);
  if (s.shape == Shape::tube && section.is_good("radius"))
    check_thickness(section, "wall", s.wall, s.radius, "the radius");
  if (s.shape == Shape::i_section && section.is_good("height"))
    check_thickness(section, "flange", s.flange, 0.5 * s.height, "half the height");
  if (s.shape == Shape::i_section && section.is_good("width"))
    check_thickness(section, "web", s.web, s.width, "the width");
  return s;
}

void check_shear(const TableView& section, const BeamDescription& beam) {
  const bool has_stiffness = section.type() == "stiffness";
  for (const char* key : {"GA_y", "GA_z"})
    if (has_stiffness && beam.has_shear && !section.has(key))
      section.report().error(
          section.where(),
          fmt::format("{} is missing (type stiffness needs it)", section.path(key)),
          "give it in N, or make the beam rigid in shear by  shear: none");
  for (const char* key : {"GA_y", "GA_z", "shear_y", "shear_z"})
    if (!beam.has_shear && section.has(key))
      section.report().warning(
          section.where(key),
          fmt::format("{} has no effect: the beam has `shear: none`", section.path(key)),
          "leave one of the two out");
}

void refuse_material(const TableView& table, const char* why) {
  if (table.has("material"))
    table.report().error(table.where("material"),
                         fmt::format("{}: {}", table.path("material"), why), "leave it out");
}

}  // namespace solidyn::model
