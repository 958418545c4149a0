#include "solidyn/formats/calculix/matrices.h"

#include <fmt/format.h>

#include <algorithm>

#include "formats/shared/file_bytes.h"
#include "formats/shared/matrix_terms.h"

namespace solidyn::formats {
namespace {

constexpr double kMatrixPrecision = 1e-13;  // 14 digits

/// `101.2`, and `101.10` is component 10: a text, not a number.
imported::Dof parse_dof(std::string_view line, const char* at, ImportBytes& file) {
  const std::size_t last = line.find_last_not_of(" \t\r") + 1;
  line = line.substr(0, last);
  line.remove_prefix(line.find_first_not_of(" \t"));
  imported::Dof dof;
  const char* end = line.data() + line.size();
  const auto node = std::from_chars(line.data(), end, dof.node);
  const bool has_point = node.ec == std::errc() && node.ptr != end && *node.ptr == '.';
  const char* rest = has_point ? node.ptr + 1 : end;
  const auto component = std::from_chars(rest, end, dof.component);
  if (!has_point || component.ec != std::errc() || component.ptr != end || dof.node < 1)
    file.fail(at,
              fmt::format("found `{}` instead of a node and its component, such as 101.2",
                          shown_text(line)),
              "give the .dof file from the run that wrote the matrices");
  if (dof.component < 1 || dof.component > 6)
    file.fail(at,
              fmt::format("component {} of node {} is not a displacement or rotation",
                          dof.component, dof.node),
              "write matrices of a mechanical analysis, without temperatures");
  return dof;
}

using CalculixPlace = std::pair<std::int64_t, std::int64_t>;

std::vector<CalculixPlace> places_of(const imported::Matrix& matrix) {
  std::vector<CalculixPlace> places;
  places.reserve(matrix.rows.size());
  for (std::size_t e = 0; e < matrix.rows.size(); ++e)
    places.emplace_back(std::minmax(matrix.rows[e], matrix.columns[e]));
  if (!std::is_sorted(places.begin(), places.end())) std::sort(places.begin(), places.end());
  return places;
}

/// CalculiX writes both matrices by one table of places, zeros too.
void refuse_other_places(const imported::MatrixModel& model) {
  const std::vector<CalculixPlace> k = places_of(model.stiffness), m = places_of(model.mass);
  if (k == m) return;
  const auto different = std::mismatch(k.begin(), k.end(), m.begin(), m.end());
  const CalculixPlace place = different.first != k.end() ? *different.first : *different.second;
  throw base::InputError(
      fmt::format(
          "the stiffness has {} terms and the mass {}, but the same CalculiX run writes identical patterns: they differ at ({}, {})",
          k.size(), m.size(), place.first + 1, place.second + 1),
      "is a file truncated, or do they belong to two meshes? Give the .sti, .mas and .dof files of the same run",
      {k.size() < m.size() ? model.source : model.source_of_mass(), 0, 0});
}

}  // namespace

std::vector<imported::Dof> parse_calculix_dofs(std::string_view bytes, const std::string& name) {
  ImportBytes file(bytes, name);
  refuse_empty(file, "the .dof file of the run that wrote the matrices");
  std::vector<imported::Dof> dofs;
  dofs.reserve(bytes.size() / 8);
  LineCursor cursor(file);
  while (cursor.next_line()) dofs.push_back(parse_dof(cursor.line(), cursor.place(), file));
  refuse_repeated_dofs(dofs, name);
  return dofs;
}

std::vector<imported::Dof> read_calculix_dofs(const std::string& path) {
  return parse_calculix_dofs(FileBytes(path).bytes(), path);
}

imported::Matrix parse_calculix_matrix(std::string_view bytes, const std::string& name,
                                       std::int64_t order) {
  ImportBytes file(bytes, name);
  imported::Matrix matrix = parse_coordinates(file, order);
  matrix.precision = kMatrixPrecision;
  return matrix;
}

imported::MatrixModel parse_calculix_matrices(const NamedBytes& stiffness, const NamedBytes& mass,
                                              const NamedBytes& dofs) {
  imported::MatrixModel model;
  model.source = stiffness.name;
  model.mass_source = mass.name;
  model.format = "CalculiX matrices";
  model.dofs = parse_calculix_dofs(dofs.bytes, dofs.name);
  const auto order = static_cast<std::int64_t>(model.dofs.size());
  model.stiffness = parse_calculix_matrix(stiffness.bytes, stiffness.name, order);
  model.mass = parse_calculix_matrix(mass.bytes, mass.name, order);
  model.stiffness.name = "stiffness";
  model.mass.name = "mass";
  for (const NamedBytes* file : {&stiffness, &mass, &dofs})
    warn_of_open_end(ImportBytes(file->bytes, file->name), model.report);
  if (stiffness.name != mass.name) refuse_other_places(model);
  return model;
}

imported::MatrixModel read_calculix_matrices(const std::string& stiffness, const std::string& mass,
                                             const std::string& dofs) {
  const FileBytes k(stiffness), m(mass), rows(dofs);
  return parse_calculix_matrices({k.bytes(), stiffness}, {m.bytes(), mass}, {rows.bytes(), dofs});
}

}  // namespace solidyn::formats
