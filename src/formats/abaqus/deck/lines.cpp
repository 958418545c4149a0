#include "formats/abaqus/deck/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace solidyn::formats::abaqus {
namespace {

using Eigen::Vector3d;
using imported::LineElement;

struct BeamType {
  const char* name;
  int n_nodes;
  bool has_shear;
};
// H: hybrid, R of CalculiX: reduced; here they are the same element.
constexpr BeamType kTypes[] = {{"B31", 2, true},     {"B31H", 2, true},    {"B31R", 2, true},
                               {"PIPE31", 2, true},  {"PIPE31H", 2, true}, {"B32", 3, true},
                               {"B32H", 3, true},    {"B32R", 3, true},    {"PIPE32", 3, true},
                               {"PIPE32H", 3, true}, {"B33", 2, false},    {"B33H", 2, false}};

const BeamType* find_type(const std::string& name) {
  for (const BeamType& type : kTypes)
    if (name == type.name) return &type;
  return nullptr;
}

class Lines {
 public:
  Lines(const LineSource& source, imported::SolidModel& model)
      : deck_(source.deck),
        placement_(source.placement),
        sets_(source.sets),
        source_(source.source),
        lines_(model.lines) {}

  void add() {
    lines_.errors = deck_.line_errors;
    lines_.materials = deck_.materials;
    lines_.cards = {"BEAMSECTION", "BEAMGENERALSECTION"};
    section_of_.assign(static_cast<std::size_t>(placement_.n_elements()), -1);
    for (const Placed& placed : placement_.placed())
      for (const Scope* scope : placed.scopes)
        for (const BeamSection& section : scope->beam_sections) add_section(section, placed);
    for (const PlacedBlock& block : placement_.blocks()) {
      const std::string& type = block.block->type.name;
      if (!is_beam_type(type)) continue;
      add_block(block);
      lines_.cards.push_back(type);
    }
    for (const Placed& placed : placement_.placed()) add_sets(placed);
  }

 private:
  void error(const AbaqusPlace& at, std::string what, std::string remedy) {
    lines_.errors.push_back({source_.location(at), std::move(what), std::move(remedy)});
  }

  // ---- Sections

  struct Used {
    const BeamSection* section;
    const Placed* placed;
  };

  void add_section(const BeamSection& section, const Placed& placed) {
    const auto number = static_cast<int>(lines_.properties.size());
    lines_.properties.push_back(section.values);
    lines_.properties.back().name = section.elset;
    lines_.properties.back().where = source_.location(section.place);
    lines_.properties.back().material = find_material(section);
    used_.push_back({&section, &placed});
    for (const std::int32_t element :
         sets_.find(SetFinder::Kind::element, section.elset, {&placed, section.place})) {
      const std::string& type = placement_.block_of(element).block->type.name;
      if (is_beam_type(type)) {
        if (std::exchange(section_of_[element], number) < 0) continue;
        error(section.place,
              fmt::format("element {} has another section before that of `{}`",
                          placement_.element_tags()[element], section.elset),
              "assign one section to each element");
        break;
      }
      error(section.place,
            fmt::format("the section of `{}` is for beams, but the set has elements of type {}",
                        section.elset, type),
            "put the beams into a separate set");
      break;
    }
  }

  int find_material(const BeamSection& section) {
    if (section.own_material.youngs_modulus > 0.0) {
      lines_.materials.push_back(section.own_material);
      return static_cast<int>(lines_.materials.size()) - 1;
    }
    const std::string wanted = abaqus_fold(section.material);
    for (std::size_t m = 0; m < deck_.materials.size(); ++m)
      if (abaqus_fold(deck_.materials[m].name) == wanted) return static_cast<int>(m);
    if (!wanted.empty())
      error(section.place, fmt::format("there is no material `{}`", section.material),
            "check the name, or include the file that defines the material");
    return -1;
  }

  // ---- Elements

  void add_block(const PlacedBlock& block) {
    const AbaqusType& type = block.block->type;
    const BeamType* beam = find_type(type.name);
    if (!beam)
      return error(block.block->place, fmt::format("beams of type {} are not supported", type.name),
                   "use B31, B32, B33, or PIPE31 and PIPE32");
    // One more node orients the section.
    if (type.n_nodes != beam->n_nodes && type.n_nodes != beam->n_nodes + 1)
      return error(block.block->place,
                   fmt::format("elements of type {} have {} nodes, not {}", type.name, type.n_nodes,
                               beam->n_nodes),
                   "check the lines of the block");
    const auto n = static_cast<std::int64_t>(block.block->labels.size());
    for (std::int64_t e = 0; e < n; ++e) add_element(block, e, *beam);
  }

  void add_element(const PlacedBlock& block, std::int64_t e, const BeamType& type) {
    std::vector<std::int32_t> nodes(static_cast<std::size_t>(block.block->type.n_nodes));
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      nodes[i] = placement_.node_of(block, e, static_cast<int>(i));
      if (nodes[i] < 0)
        return error(
            block.block->place,
            fmt::format("element {} of type {} uses node {}, which is not defined in the file",
                        block.block->labels[e], type.name,
                        block.block->nodes[e * block.block->type.n_nodes + i]),
            "is the file truncated, or is an *INCLUDE missing?");
    }
    const std::int32_t extra =
        block.block->type.n_nodes > type.n_nodes ? nodes.back() : std::int32_t{-1};
    for (int i = 0; i + 1 < type.n_nodes; ++i)
      add_line(block, e, type, {nodes[i], nodes[i + 1]}, nodes[0], extra);
  }

  void add_line(const PlacedBlock& block, std::int64_t e, const BeamType& type,
                std::array<std::int32_t, 2> nodes, std::int32_t first, std::int32_t extra) {
    const std::int32_t element = block.first_element + static_cast<std::int32_t>(e);
    LineElement line;
    line.tag = placement_.element_tags()[element];
    line.name = fmt::format("{} {}", type.name, line.tag);
    line.nodes = {placement_.node_tags()[nodes[0]], placement_.node_tags()[nodes[1]]};
    line.has_shear = type.has_shear;
    line.where = source_.location(block.block->place);
    line.property = section_of_[element];
    if (extra >= 0) line.towards_y = placement_.x(extra) - placement_.x(first);
    if (line.property >= 0) orient(nodes, line);
    lines_of_[element].push_back(lines_.elements.size());
    used_nodes_.insert(nodes.begin(), nodes.end());
    lines_.elements.push_back(std::move(line));
  }

  // Axes turn with the instance of the part that has the section.
  void orient(std::array<std::int32_t, 2> nodes, LineElement& line) const {
    const auto& [section, placed] = used_[line.property];
    if (line.towards_y.isZero(0.0)) line.towards_y = placed->pose.linear() * section->n1;
    const Vector3d along = placement_.x(nodes[1]) - placement_.x(nodes[0]);
    const Vector3d axis_2 = along.cross(line.towards_y);
    if (section->offset_2 != 0.0 && axis_2.norm() > 0.0)
      line.offsets[0] = line.offsets[1] = section->offset_2 * axis_2.normalized();
  }

  // ---- Sets

  void add_sets(const Placed& placed) {
    const bool has_several = placement_.placed().size() > 2;
    const std::string prefix = has_several && !placed.name.empty() ? placed.name + "." : "";
    for (const Scope* scope : placed.scopes) {
      for (const auto& [key, set] : scope->element_sets)
        if (!set.is_internal) add_group(prefix + set.name, set, placed);
      for (const auto& [key, set] : scope->node_sets)
        if (!set.is_internal) add_nodes(prefix + set.name, set, placed);
    }
  }

  void add_group(const std::string& name, const SetDefinition& set, const Placed& placed) {
    for (const std::int32_t element :
         sets_.find(SetFinder::Kind::element, set.name, {&placed, set.pieces.front().place})) {
      const auto found = lines_of_.find(element);
      if (found == lines_of_.end()) continue;
      auto& group = lines_.groups[name];
      group.insert(group.end(), found->second.begin(), found->second.end());
    }
  }

  void add_nodes(const std::string& name, const SetDefinition& set, const Placed& placed) {
    std::set<std::int64_t> tags;
    for (const std::int32_t node :
         sets_.find(SetFinder::Kind::node, set.name, {&placed, set.pieces.front().place}))
      if (used_nodes_.count(node) > 0) tags.insert(placement_.node_tags()[node]);
    if (!tags.empty()) lines_.node_sets[name].assign(tags.begin(), tags.end());
  }

  const Deck& deck_;
  const Placement& placement_;
  SetFinder& sets_;
  const AbaqusSource& source_;
  imported::LineElements& lines_;
  std::vector<Used> used_;       // by property
  std::vector<int> section_of_;  // by element
  std::map<std::int32_t, std::vector<std::size_t>> lines_of_;
  std::set<std::int32_t> used_nodes_;
};

}  // namespace

bool is_beam_type(const std::string& name) {
  const bool is_b = name.size() > 2 && name[0] == 'B' && (name[1] == '2' || name[1] == '3');
  return is_b || name.rfind("PIPE", 0) == 0;
}

void add_lines(const LineSource& source, imported::SolidModel& model) {
  Lines(source, model).add();
}

}  // namespace solidyn::formats::abaqus
