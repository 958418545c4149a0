#include "formats/abaqus/deck/elements.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "formats/abaqus/deck/source.h"
#include "solidyn/elements/topology.h"

namespace solidyn::formats {
namespace {

using elements::ElementType;

bool starts_with(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

bool is_volume(const std::string& name) {
  static const std::array<const char*, 17> prefixes = {
      "C3D", "SC6",  "SC8", "COH3D", "CSS",  "CIN3D", "AC3D", "DC3D", "DCC3D",
      "F3D", "FC3D", "Q3D", "EMC3D", "EC3D", "GK3D",  "PC3D", "CCL"};
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&name](const char* prefix) { return starts_with(name, prefix); });
}

bool is_face_like(const std::string& prefix) {
  static const std::array<const char*, 11> prefixes = {"CPS", "CPE", "CPEG",  "CAX", "S",   "STRI",
                                                       "M3D", "R3D", "SFM3D", "DS",  "F3DR"};
  return std::find(prefixes.begin(), prefixes.end(), prefix) != prefixes.end();
}

std::optional<ElementType> find_solid(int n_nodes) {
  const std::string name = "C3D" + std::to_string(n_nodes);
  for (const elements::ElementTraits& e : elements::kElements)
    if (name == e.abaqus) return e.type;
  return {};
}

/// The name in three: "C3D", "20", "RH". A digit inside the prefix stays there.
struct NameParts {
  std::string prefix, suffix;
  int n_nodes = 0;
};
NameParts split_name(const std::string& name) {
  NameParts parts;
  std::size_t last = name.find_last_of("0123456789");
  if (last == std::string::npos) return {name, {}, 0};
  std::size_t first = last;
  while (first > 0 && std::isdigit(static_cast<unsigned char>(name[first - 1]))) --first;
  parts.prefix = name.substr(0, first);
  parts.suffix = name.substr(last + 1);
  if (last - first < 2) parts.n_nodes = std::stoi(name.substr(first, last + 1 - first));
  return parts;
}

void add_suffix(const std::string& suffix, AbaqusType& type) {
  const auto has = [&suffix](char c) { return suffix.find(c) != std::string::npos; };
  if (has('R')) type.integration = imported::Integration::reduced;
  if (has('I') && *type.shape == ElementType::hex8 && !has('R'))
    type.integration = imported::Integration::incompatible_modes;
  type.is_hybrid = has('H');
  type.is_modified = has('M');
}

/// Corners of the faces S1, S2, ..., counted from 1, as Abaqus numbers them.
const std::vector<std::vector<int>>& abaqus_faces(ElementType linear) {
  static const std::map<ElementType, std::vector<std::vector<int>>> faces = {
      {ElementType::tet4, {{1, 2, 3}, {1, 4, 2}, {2, 4, 3}, {3, 4, 1}}},
      {ElementType::wedge6, {{1, 2, 3}, {4, 6, 5}, {1, 4, 5, 2}, {2, 5, 6, 3}, {3, 6, 4, 1}}},
      {ElementType::pyramid5, {{1, 2, 3, 4}, {1, 5, 2}, {2, 5, 3}, {3, 5, 4}, {4, 5, 1}}},
      {ElementType::hex8,
       {{1, 2, 3, 4}, {5, 8, 7, 6}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 8, 4}, {4, 8, 5, 1}}}};
  return faces.at(linear);
}

}  // namespace

AbaqusType parse_abaqus_type(const std::string& written) {
  AbaqusType type;
  type.name = abaqus_fold(written);
  const NameParts parts = split_name(type.name);
  const bool has_known_suffix =
      parts.suffix.find_first_not_of("RIHMSTEP") == std::string::npos && parts.suffix.size() <= 4;
  if (parts.prefix == "C3D" && has_known_suffix) type.shape = find_solid(parts.n_nodes);
  if (type.shape) {
    type.kind = AbaqusType::Kind::solid;
    type.n_nodes = parts.n_nodes;
    type.dimension = 3;
    add_suffix(parts.suffix, type);
  } else if (is_volume(type.name)) {
    type.kind = AbaqusType::Kind::refused;
  } else if (is_face_like(parts.prefix) && parts.n_nodes >= 3 && parts.n_nodes <= 9) {
    type.n_nodes = parts.n_nodes;
    type.dimension = 2;
  } else if (type.name == "STRI65") {  // six nodes, five degrees of freedom each
    type.n_nodes = 6;
    type.dimension = 2;
  } else if (type.name == "MASS" || type.name == "ROTARYI" || type.name == "DCOUP3D") {
    type.n_nodes = 1;
  }
  return type;
}

std::optional<int> find_abaqus_face(ElementType shape, const std::string& face) {
  if (face.size() != 2 || (face[0] != 'S' && face[0] != 's')) return std::nullopt;
  const std::vector<std::vector<int>>& theirs = abaqus_faces(elements::linear_of(shape));
  const int number = face[1] - '1';
  if (number < 0 || number >= static_cast<int>(theirs.size())) return std::nullopt;
  const std::vector<int>& corners = theirs[static_cast<std::size_t>(number)];
  const std::vector<elements::Face>& ours = elements::faces(elements::linear_of(shape));
  for (std::size_t f = 0; f < ours.size(); ++f) {
    const int n = elements::n_nodes(ours[f].type);
    const bool has_all = std::all_of(corners.begin(), corners.end(), [&](int corner) {
      const auto last = ours[f].nodes.begin() + n;
      return std::find(ours[f].nodes.begin(), last, corner - 1) != last;
    });
    if (n == static_cast<int>(corners.size()) && has_all) return static_cast<int>(f);
  }
  return std::nullopt;
}

}  // namespace solidyn::formats
