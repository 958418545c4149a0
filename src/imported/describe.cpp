#include "solidyn/imported/describe.h"

#include <fmt/format.h>

#include <algorithm>

namespace solidyn::imported {
namespace {

constexpr std::size_t kMostLines = 8;  // of one kind

// At most kMostLines of n lines, and how many more there are.
template <class Line>
std::string list(const char* title, std::size_t n, const Line& line) {
  std::string text;
  for (std::size_t i = 0; i < std::min(n, kMostLines); ++i)
    text += fmt::format("{:<10} {}\n", title, line(i));
  if (n > kMostLines) text += fmt::format("{:<10} and {} more\n", "", n - kMostLines);
  return text;
}

std::int64_t count_elements(const mesh::Mesh& mesh, std::size_t region) {
  std::int64_t n = 0;
  for (const mesh::ElementBlock& block : mesh.blocks) {
    if (elements::dimension(block.type) != 3) continue;
    if (block.regions.empty()) n += region == 0 ? block.size() : 0;
    n += std::count(block.regions.begin(), block.regions.end(), static_cast<std::int32_t>(region));
  }
  return n;
}

std::string material_line(const Material& m) {
  const std::string elastic =
      m.stiffness ? fmt::format("with directions, C_11 {:g}, C_22 {:g}, C_33 {:g} Pa",
                                (*m.stiffness)(0, 0), (*m.stiffness)(1, 1), (*m.stiffness)(2, 2))
      : m.youngs_modulus > 0.0
          ? fmt::format("E {:g} Pa, nu {:g}", m.youngs_modulus, m.poissons_ratio)
          : std::string("E undefined");
  const std::string density = m.density > 0.0 ? fmt::format("density {:g} kg/m^3", m.density)
                                              : std::string("density undefined");
  const std::string expansion =
      m.expansion.isZero(0.0) ? std::string() : fmt::format(", expansion {:g} 1/K", m.expansion[0]);
  return fmt::format("{}: {}, {}{}", m.name, elastic, density, expansion);
}

std::string region_line(const SolidModel& model, std::size_t r) {
  const Region& region = model.regions[r];
  const char* how = region.integration == Integration::reduced ? ", reduced integration"
                    : region.integration == Integration::incompatible_modes ? ", incompatible modes"
                                                                            : "";
  return fmt::format(
      "{}: {} elements {}, {}{}", region.name, count_elements(model.mesh, r), region.element_name,
      region.material < 0 ? "no material" : model.materials[region.material].name, how);
}

std::string rigid_line(const RigidElement& e) {
  return fmt::format("{}: {} of {} nodes, reference {}", e.name,
                     e.kind == RigidElement::Kind::rbe2 ? "rbe2" : "rbe3", e.nodes.size(),
                     e.reference);
}

template <class Map, class Text>
std::string join(const Map& entries, const Text& text) {
  std::string joined;
  for (const auto& entry : entries) joined += (joined.empty() ? "" : ", ") + text(entry);
  return joined;
}

std::string counted(const std::pair<const std::string, std::int64_t>& entry) {
  return fmt::format("{} {}", entry.second, entry.first);
}

std::string left_out(const SolidModel& model) {
  std::string text;
  if (!model.other_elements.empty())
    text += fmt::format("no solids  {}\n", join(model.other_elements, counted));
  std::map<std::string, std::int64_t> skipped = model.report.skipped;
  for (const std::string& card : model.lines.cards) skipped.erase(card);
  if (!skipped.empty()) text += fmt::format("skipped    {}\n", join(skipped, counted));
  if (!model.report.unsupported.empty())
    text += fmt::format("unknown    {} (change stiffness or mass; rejected in a body{})\n",
                        join(model.report.unsupported, [](const auto& e) { return e.first; }),
                        model.lines.elements.empty() ? "" : " of solids");
  return text;
}

const char* name_of(const beams::Rectangle&) { return "rectangle"; }
const char* name_of(const beams::Circle&) { return "circle"; }
const char* name_of(const beams::Tube&) { return "tube"; }
const char* name_of(const beams::ISection&) { return "I"; }
const char* name_of(const beams::Section&) { return "general"; }

const char* shape_name(const beams::SectionShape& shape) {
  return std::visit([](const auto& s) { return name_of(s); }, shape);
}

// What `type: beam` would take.
std::string describe_lines(const LineElements& lines) {
  if (lines.elements.empty() && lines.errors.empty()) return {};
  std::string text = fmt::format("lines      {} for beams\n", lines.elements.size());
  text += list("section", lines.properties.size(), [&](std::size_t i) {
    const LineProperty& p = lines.properties[i];
    const auto n = std::count_if(lines.elements.begin(), lines.elements.end(),
                                 [&](const LineElement& e) { return e.property == int(i); });
    return fmt::format("{}: {} lines, {}, {}", p.name, n, shape_name(p.shape),
                       p.material < 0 ? "no material" : lines.materials[p.material].name);
  });
  text += list("material", lines.materials.size(),
               [&](std::size_t i) { return material_line(lines.materials[i]); });
  const std::string groups = join(
      lines.groups, [](const auto& g) { return fmt::format("{} {}", g.second.size(), g.first); });
  if (!groups.empty()) text += fmt::format("groups     {}\n", groups);
  return text +
         list("no beams", lines.errors.size(), [&](std::size_t i) { return lines.errors[i].what; });
}

}  // namespace

std::string describe(const SolidModel& model) {
  std::string text = fmt::format("format     {}\n", model.format);
  text += list("material", model.materials.size(),
               [&](std::size_t i) { return material_line(model.materials[i]); });
  text +=
      list("region", model.regions.size(), [&](std::size_t i) { return region_line(model, i); });
  text += list("mass", model.masses.size(), [&](std::size_t i) {
    const PointMass& m = model.masses[i];
    return fmt::format("{}: {:g} kg on node {}", m.name, m.mass, m.node);
  });
  text += list("rigid", model.rigid_elements.size(),
               [&](std::size_t i) { return rigid_line(model.rigid_elements[i]); });
  if (!model.supports.empty())
    text += fmt::format("supports   of {} nodes\n", model.supports.size());
  text += describe_lines(model.lines) + left_out(model);
  text += list("warning", model.report.warnings.size(),
               [&](std::size_t i) { return model.report.warnings[i].what; });
  return text;
}

}  // namespace solidyn::imported
