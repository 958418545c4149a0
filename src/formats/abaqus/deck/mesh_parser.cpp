#include <fmt/format.h>

#include <algorithm>

#include "formats/abaqus/deck/parser.h"

namespace solidyn::formats::abaqus {
namespace {

constexpr double kRadiansPerDegree = EIGEN_PI / 180.0;

/// The definition of a set, new or to be appended to.
SetDefinition& find_or_add(SetDefinitions& sets, const std::string& name) {
  SetDefinition& set = sets[abaqus_fold(name)];
  if (set.name.empty()) set.name = name;
  return set;
}

void add_range(SetDefinitions& sets, const AbaqusKeyword& keyword, const char* parameter,
               std::size_t from, std::size_t to) {
  const std::string* name = keyword.find(parameter);
  if (!name || name->empty()) return;
  SetPiece piece;
  piece.indices.emplace_back(from, to);
  piece.place = keyword.place;
  find_or_add(sets, *name).pieces.push_back(std::move(piece));
}

std::string printable(std::string_view line) {
  std::string text;
  for (char c : line.substr(0, 60)) text += c >= ' ' && c <= '~' ? c : '?';
  return text;
}

}  // namespace

const std::string* ParserContext::require(const AbaqusKeyword& keyword,
                                          const char* parameter) const {
  const std::string* value = keyword.find(parameter);
  if (value && !value->empty()) return value;
  complain(keyword.place, fmt::format("*{} requires the parameter {}", keyword.name, parameter),
           fmt::format("write {}=...", parameter));
  return nullptr;
}

namespace {

// Zeros where the line ends, and everywhere where one of them is not a finite number.
bool are_numbers(std::string_view line, double* values, int n) {
  NumberLine numbers(line);
  for (int i = 0; i < n; ++i) {
    const Item item = numbers.next(values[i]);
    if (item == Item::end) break;
    if (item != Item::bad && std::isfinite(values[i])) continue;
    std::fill(values, values + n, 0.0);
    return false;
  }
  return true;
}

}  // namespace

bool ParserContext::read_numbers(double* values, int n) const {
  std::fill(values, values + n, 0.0);
  std::string_view line;
  if (!source.next_data(line)) return false;
  if (!are_numbers(line, values, n))
    complain(fmt::format("`{}` is not a line of finite numbers", printable(line)));
  return true;
}

bool ParserContext::try_numbers(double* values, int n, bool& is_good) const {
  std::fill(values, values + n, 0.0);
  std::string_view line;
  if (!source.next_data(line)) return false;
  is_good = are_numbers(line, values, n);
  return true;
}

bool MeshParser::read(const AbaqusKeyword& keyword, Scope& scope) {
  if (keyword.name == "NODE") {
    read_nodes(keyword, scope);
  } else if (keyword.name == "ELEMENT") {
    read_elements(keyword, scope);
  } else if (keyword.name == "NSET") {
    read_set(keyword, scope.node_sets, "NSET");
  } else if (keyword.name == "ELSET") {
    read_set(keyword, scope.element_sets, "ELSET");
  } else if (keyword.name == "SURFACE") {
    read_surface(keyword, scope);
  } else if (keyword.name == "SYSTEM") {
    read_system();
  } else {
    return false;
  }
  return true;
}

void MeshParser::read_nodes(const AbaqusKeyword& keyword, Scope& scope) {
  const std::string* system = keyword.find("SYSTEM");
  const char kind = system && !system->empty() ? abaqus_fold(*system)[0] : 'R';
  if (kind != 'R' && kind != 'C')
    context_.complain(keyword.place,
                      fmt::format("nodes in the coordinate system {} are not supported", *system),
                      "give Cartesian or cylindrical coordinates (SYSTEM=R or C)");
  if (const std::string* file = keyword.find("INPUT")) context_.source.insert(*file, keyword.place);
  const std::size_t before = scope.node_labels.size(), n = context_.source.n_data_lines();
  if (before == 0) {
    scope.node_labels.reserve(n);
    scope.x.reserve(3 * n);
  }
  for (std::string_view line; context_.source.next_data(line);)
    if (!read_node(line, kind == 'C', scope))
      context_.complain(
          fmt::format("`{}` is not a node: a positive label and up to three finite coordinates",
                      printable(line)));
  add_range(scope.node_sets, keyword, "NSET", before, scope.node_labels.size());
}

bool MeshParser::read_node(std::string_view line, bool is_cylindrical, Scope& scope) {
  NumberLine numbers(line);
  Label label = 0;
  if (numbers.next(label) != Item::value || label < 1) return false;
  Eigen::Vector3d x;
  for (int i = 0; i < 3; ++i)
    if (numbers.next(x[i]) == Item::bad) return false;
  if (!x.allFinite()) return false;
  if (is_cylindrical) {
    const double angle = x[1] * kRadiansPerDegree;
    x = Eigen::Vector3d(x[0] * std::cos(angle), x[0] * std::sin(angle), x[2]);
  }
  x = system_ * x;
  scope.node_labels.push_back(label);
  scope.x.insert(scope.x.end(), x.data(), x.data() + 3);
  return true;
}

/// A label and what else is a number in this line, and in those behind a comma at its end.
bool MeshParser::read_items(std::string_view line, Label& label, std::vector<Label>& nodes) {
  nodes.clear();
  bool is_good = true;
  for (bool is_first = true, is_continued = true; is_continued; is_first = false) {
    split_abaqus_line(line, items_);
    for (std::size_t i = 0; i < items_.size(); ++i) {
      Label item = 0;
      const bool is_number = parse_number(items_[i], item) && item > 0;
      if (is_first && i == 0) {
        is_good = is_number;
        label = item;
      } else if (is_number) {
        nodes.push_back(item);
      }
    }
    const std::size_t last = line.find_last_not_of(" \t");
    is_continued =
        last != std::string_view::npos && line[last] == ',' && context_.source.next_data(line);
  }
  return is_good;
}

/// Beams, springs, connectors: no solids, but sets and rigid bodies may name them.
void MeshParser::read_other_elements(const AbaqusType& type, const AbaqusKeyword& keyword,
                                     Scope& scope) {
  const std::size_t before = scope.n_elements;
  std::int64_t& n = context_.deck.other_elements[type.name];
  std::vector<Label> nodes;
  Label label = 0;
  Elements* block = nullptr;  // of elements with as many nodes
  for (std::string_view line; context_.source.next_data(line); ++n) {
    if (!read_items(line, label, nodes)) continue;
    const auto n_nodes = static_cast<int>(nodes.size());
    if (!block || block->type.n_nodes != n_nodes) {
      block = &scope.elements.emplace_back();
      block->type = type;
      block->type.n_nodes = n_nodes;
      block->type.dimension = n_nodes > 1 ? 1 : 0;
      block->is_guessed = true;
      block->place = keyword.place;
    }
    block->labels.push_back(label);
    block->nodes.insert(block->nodes.end(), nodes.begin(), nodes.end());
    ++scope.n_elements;
  }
  add_range(scope.element_sets, keyword, "ELSET", before, scope.n_elements);
}

void MeshParser::read_elements(const AbaqusKeyword& keyword, Scope& scope) {
  const std::string* type_name = context_.require(keyword, "TYPE");
  if (!type_name) return;
  Elements block;
  block.type = parse_abaqus_type(*type_name);
  block.place = keyword.place;
  if (const std::string* file = keyword.find("INPUT")) context_.source.insert(*file, keyword.place);
  if (block.type.kind == AbaqusType::Kind::refused) {
    context_.complain(keyword.place,
                      fmt::format("solid elements of type {} are not supported", block.type.name),
                      "use C3D4, C3D5, C3D6, C3D8, C3D10, C3D15 or C3D20 and their variants");
    return;
  }
  if (block.type.n_nodes == 0) return read_other_elements(block.type, keyword, scope);
  if (block.type.is_hybrid || block.type.is_modified)
    context_.warn(
        keyword.place,
        fmt::format(
            "{} is read as the standard element: its {} formulation gives slightly different stiffness or mass",
            block.type.name, block.type.is_hybrid ? "hybrid" : "modified"));
  const std::size_t n = context_.source.n_data_lines();
  const std::size_t lines_each = block.type.n_nodes > 15 ? 2 : 1;
  block.labels.reserve(n / lines_each + 1);
  block.nodes.reserve((n / lines_each + 1) * static_cast<std::size_t>(block.type.n_nodes));
  const std::string wanted = fmt::format("a positive label and {} nodes", block.type.n_nodes);
  for (std::string_view line; context_.source.next_data(line);)
    if (!read_element(line, block))
      context_.complain(fmt::format("the element on line `{}` is not {}", printable(line), wanted));
  if (block.type.kind == AbaqusType::Kind::other)
    context_.deck.other_elements[block.type.name] += static_cast<std::int64_t>(block.labels.size());
  const std::size_t before = scope.n_elements;
  scope.n_elements += block.labels.size();
  add_range(scope.element_sets, keyword, "ELSET", before, scope.n_elements);
  if (!block.labels.empty()) scope.elements.push_back(std::move(block));
}

/// Nodes go on in the next lines until all are there, with a comma at the end of the line or not.
bool MeshParser::read_element(std::string_view line, Elements& block) {
  NumberLine numbers(line);
  Label label = 0, node = 0;
  if (numbers.next(label) != Item::value || label < 1) return false;
  const std::size_t before = block.nodes.size();
  for (int i = 0; i < block.type.n_nodes;) {
    Item item = numbers.next(node);
    if (item == Item::value && node > 0) {
      block.nodes.push_back(node);
      ++i;
      continue;
    }
    if (item == Item::end && context_.source.next_data(line)) {
      numbers = NumberLine(line);
      continue;
    }
    block.nodes.resize(before);
    return false;
  }
  if (!numbers.is_at_end() && block.type.dimension == 3) {
    block.nodes.resize(before);
    return false;
  }
  block.labels.push_back(label);
  return true;
}

void MeshParser::read_set(const AbaqusKeyword& keyword, SetDefinitions& sets,
                          const char* name_parameter) {
  const std::string* name = context_.require(keyword, name_parameter);
  if (!name) return;
  SetPiece piece;
  piece.place = keyword.place;
  if (const std::string* instance = keyword.find("INSTANCE")) piece.instance = *instance;
  if (name_parameter[0] == 'N')
    if (const std::string* elements = keyword.find("ELSET")) piece.elements_of = *elements;
  if (const std::string* file = keyword.find("INPUT")) context_.source.insert(*file, keyword.place);
  const bool generates = keyword.has("GENERATE");
  for (std::string_view line; context_.source.next_data(line);)
    read_set_line(line, generates, piece);
  SetDefinition& set = find_or_add(sets, *name);
  set.pieces.push_back(std::move(piece));
  set.is_internal = keyword.has("INTERNAL");
}

void MeshParser::read_set_line(std::string_view line, bool generates, SetPiece& piece) {
  if (generates) {
    NumberLine numbers(line);
    Range range;
    const Item first = numbers.next(range.first), last = numbers.next(range.last);
    if (numbers.next(range.step) == Item::end || range.step == 0) range.step = 1;
    if (last == Item::end) range.last = range.first;
    if (first == Item::value && (last == Item::value || last == Item::end) && range.first > 0 &&
        range.last >= range.first && range.step > 0 && numbers.is_at_end())
      piece.ranges.push_back(range);
    else
      context_.complain(fmt::format("`{}` is not a range: first, last, step", printable(line)));
    return;
  }
  split_abaqus_line(line, items_);
  for (std::string_view item : items_) {
    Label label = 0;
    if (item.empty()) continue;
    if (!parse_number(item, label))
      piece.names.emplace_back(item);
    else if (label > 0)
      piece.labels.push_back(label);
    else
      context_.complain(fmt::format("the label {} is not positive", label));
  }
}

void MeshParser::read_surface(const AbaqusKeyword& keyword, Scope& scope) {
  const std::string* name = context_.require(keyword, "NAME");
  if (!name) return;
  const std::string* type = keyword.find("TYPE");
  const std::string kind = type ? abaqus_fold(*type) : "ELEMENT";
  if ((kind != "ELEMENT" && kind != "NODE") || keyword.has("COMBINE") || keyword.has("CROP")) {
    ++context_.deck.report.skipped[fmt::format("SURFACE, TYPE={}", kind)];
    return;
  }
  SurfaceDefinition& surface = scope.surfaces[abaqus_fold(*name)];
  if (surface.name.empty()) surface.name = *name;
  surface.is_of_nodes = kind == "NODE";
  surface.is_internal = keyword.has("INTERNAL");
  for (std::string_view line; context_.source.next_data(line);) {
    split_abaqus_line(line, items_);
    if (items_.empty()) continue;
    surface.items.push_back({std::string(items_[0]),
                             items_.size() > 1 ? std::string(items_[1]) : std::string(),
                             context_.source.place()});
  }
}

/// Point a: the origin; b: on the x axis; c: in the xy plane. Without b the axes are the global
/// ones, without c the z axis is.
void MeshParser::read_system() {
  double ab[6], c[3];
  system_.setIdentity();
  if (!context_.read_numbers(ab, 6)) return;
  const bool has_c = context_.read_numbers(c, 3);
  const Eigen::Vector3d a(ab[0], ab[1], ab[2]);
  const Eigen::Vector3d along = Eigen::Vector3d(ab[3], ab[4], ab[5]) - a;
  system_.translation() = a;
  if (ab[3] == 0.0 && ab[4] == 0.0 && ab[5] == 0.0) return;
  const Eigen::Vector3d across = has_c ? Eigen::Vector3d(Eigen::Vector3d(c[0], c[1], c[2]) - a)
                                       : Eigen::Vector3d(Eigen::Vector3d::UnitZ().cross(along));
  const Eigen::Vector3d normal = along.cross(across);
  if (!(normal.norm() > 0.0) || !normal.allFinite()) {
    context_.complain("the points of *SYSTEM are collinear", "a, b and c must form a triangle");
    return;
  }
  const Eigen::Vector3d e1 = along.normalized(), e3 = normal.normalized();
  system_.linear() << e1, e3.cross(e1), e3;
}

}  // namespace solidyn::formats::abaqus
