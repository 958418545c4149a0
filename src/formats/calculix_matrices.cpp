#include "solidyn/formats/calculix_matrices.h"

#include <fmt/format.h>

#include "formats/file_bytes.h"
#include "formats/matrix_terms.h"

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
              fmt::format("found `{}` where a node and its component should stand, as in 101.2",
                          shown_text(line)),
              "give the .dof file of the run that wrote the matrices");
  if (dof.component < 1 || dof.component > 6)
    file.fail(at, fmt::format("component {} of node {} is no motion", dof.component, dof.node),
              "write matrices of a mechanical analysis, without temperatures");
  return dof;
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

imported::MatrixModel read_calculix_matrices(const std::string& stiffness, const std::string& mass,
                                             const std::string& dofs) {
  imported::MatrixModel model;
  model.source = stiffness;
  model.format = "CalculiX matrices";
  model.dofs = read_calculix_dofs(dofs);
  const auto order = static_cast<std::int64_t>(model.dofs.size());
  model.stiffness = parse_calculix_matrix(FileBytes(stiffness).bytes(), stiffness, order);
  model.mass = parse_calculix_matrix(FileBytes(mass).bytes(), mass, order);
  model.stiffness.name = "stiffness";
  model.mass.name = "mass";
  return model;
}

}  // namespace solidyn::formats
