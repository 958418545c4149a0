#include "info_results.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <map>

#include "solidyn/formats/abaqus/fil/fil.h"
#include "solidyn/formats/calculix/frd.h"
#include "solidyn/formats/calculix/matrices.h"
#include "solidyn/formats/imported_files.h"
#include "solidyn/formats/nastran/bulk_and_punch.h"
#include "solidyn/formats/nastran/op2/op2.h"
#include "solidyn/formats/nastran/op4/op4.h"
#include "solidyn/formats/shared/file_ending.h"
#include "solidyn/formats/tables/modal_tables.h"
#include "solidyn/imported/checks.h"
#include "solidyn/imported/describe.h"
#include "solidyn/mesh/report.h"

namespace solidyn::drivers {
namespace {

using imported::Units;

/// Of a list that may be long, the first ones.
template <class Items, class Line>
std::string first_lines(const Items& items, std::size_t most, const Line& line) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, items.size()); ++i) text += line(items[i]);
  if (items.size() > most) text += fmt::format("           and {} more\n", items.size() - most);
  return text;
}

/// Numbers of the checks, and what is doubtful.
std::string describe_checks(const imported::CheckReport& checks) {
  std::string text = imported::format(checks);
  for (const base::Diagnostic& doubt : checks.warnings)
    text += fmt::format("doubt      {}\n", doubt.what);
  return text;
}

std::string describe_modes(imported::ModalData modes, const Units& units) {
  convert_to_si(modes, units);
  return imported::describe(modes) + describe_checks(imported::report(imported::measure(modes)));
}

/// A mesh that results came with; nothing when they came without one.
std::string describe_mesh(imported::SolidModel model, const Units& units) {
  const bool has_nodes = !model.loose_nodes.empty() || !model.other_elements.empty();
  convert_to_si(model, units);
  if (model.mesh.blocks.empty())
    return has_nodes ? imported::describe(model) +
                           fmt::format("nodes      {} not on solids\n", model.loose_nodes.size())
                     : std::string();
  return imported::describe(model) + mesh::format(mesh::make_report(model.mesh));
}

std::string describe_matrix_list(const std::vector<imported::Matrix>& matrices) {
  constexpr std::size_t kMost = 20;
  return fmt::format("matrices   {}\n", matrices.size()) +
         first_lines(matrices, kMost,
                     [](const auto& matrix) { return imported::describe(matrix); });
}

std::string describe_frd(const std::string& file, const Units& units) {
  formats::CalculixResults results = formats::read_calculix_frd(file);
  std::string text = describe_mesh(std::move(results.model), units);
  if (!results.modes.modes.empty()) text += describe_modes(std::move(results.modes), units);
  return text;
}

std::string describe_fil(const std::string& file, const Units& units) {
  formats::AbaqusResults results = formats::read_abaqus_fil(file);
  std::string text = fmt::format("release    Abaqus {}\n", results.release) +
                     describe_mesh(std::move(results.model), units);
  if (!results.modes.modes.empty()) text += describe_modes(std::move(results.modes), units);
  if (results.matrices) text += imported::describe(*results.matrices);
  return text;
}

std::string block_line(const formats::Op2Block& block) {
  std::size_t n_bytes = 0;
  for (const formats::Op2Record& record : block.records) n_bytes += record.n_bytes;
  const bool has_two_names = !block.header_name.empty() && block.header_name != block.name;
  return fmt::format("block      {:<8} {:<9} {} {}, {} bytes{}\n", block.name,
                     block.is_matrix() ? "matrix," : "table,", block.records.size(),
                     block.is_matrix() ? "columns" : "records", n_bytes,
                     has_two_names ? ", called " + block.header_name : std::string());
}

bool has_block(const formats::Op2File& file, const std::string& start) {
  return std::any_of(file.blocks().begin(), file.blocks().end(), [&](const auto& block) {
    return block.name.rfind(start, 0) == 0 || block.header_name.rfind(start, 0) == 0;
  });
}

/// What is wrong with the mesh must not hide the results beside it.
std::string describe_geometry(const formats::Op2File& file, const Units& units) {
  try {
    return describe_mesh(formats::read_op2_geometry(file), units);
  } catch (const base::InputError& error) {
    return fmt::format("mesh       cannot be used: {}\n", error.diagnostics().front().what);
  }
}

std::string describe_op2(const std::string& name, const Units& units) {
  constexpr std::size_t kMostBlocks = 16;
  const formats::Op2File file(name);
  std::string text = fmt::format(
      "format     Nastran OP2, {}-endian, {}-byte words{}\nblocks     {}\n",
      file.is_big_endian() ? "big" : "little", file.word_bytes(),
      file.has_label() ? ", by " + file.version() : ", without a label", file.blocks().size());
  if (!file.is_closed()) text += "warning    the key that ends the file is missing\n";
  text += first_lines(file.blocks(), kMostBlocks, block_line);
  if (has_block(file, "GEOM1") && has_block(file, "GEOM2")) text += describe_geometry(file, units);
  if (formats::has_op2_modes(file)) text += describe_modes(formats::read_op2_modes(file), units);
  const auto is_matrix = [](const formats::Op2Block& block) { return block.is_matrix(); };
  if (std::any_of(file.blocks().begin(), file.blocks().end(), is_matrix))
    text += describe_matrix_list(formats::read_op2_matrices(file));
  return text;
}

std::string describe_op4(const std::string& file, const Units&) {
  return "format     Nastran OP4\n" + describe_matrix_list(formats::read_op4(file));
}

/// Nodes and coordinate systems of a superelement, as Nastran writes them for its assembly.
std::string describe_bulk(const std::string& file, const Units& units) {
  imported::SolidModel model = formats::read_nastran_bulk(file);
  convert_to_si(model, units);
  return imported::describe(model) +
         fmt::format("grids      {}\n", model.loose_nodes.size() + model.mesh.node_tags.size());
}

/// Results, DMIG matrices, or other bulk data such as those of a superelement.
std::string describe_pch(const std::string& file, const Units& units) {
  if (formats::is_results_punch(file))
    return describe_modes(formats::read_nastran_punch(file), units);
  std::vector<imported::Matrix> matrices;
  for (formats::DmigMatrix& dmig : formats::read_nastran_dmig(file))
    matrices.push_back(std::move(dmig.matrix));
  if (!matrices.empty()) return "format     Nastran DMIG\n" + describe_matrix_list(matrices);
  return describe_bulk(file, units);
}

std::string describe_nodes(const formats::NodeTable& nodes, const Units& units) {
  Eigen::AlignedBox3d box;
  double mass = 0.0;
  for (const auto& [node, x] : nodes.places) box.extend(x * units.length);
  for (const auto& [node, m] : nodes.masses) mass += m * units.mass;
  std::string text =
      fmt::format("format     plain table of nodes\nnodes      {}\n", nodes.places.size());
  if (!box.isEmpty())
    text += fmt::format("box        ({:g}, {:g}, {:g}) to ({:g}, {:g}, {:g}) m\n", box.min().x(),
                        box.min().y(), box.min().z(), box.max().x(), box.max().y(), box.max().z());
  return text + fmt::format("mass       {:g} kg on {} nodes\n", mass, nodes.masses.size());
}

/// Modes, or the nodes that stand beside them.
std::string describe_table(const std::string& file, const Units& units) {
  try {
    return describe_modes(formats::read_mode_table(file), units);
  } catch (const base::InputError&) {
    try {
      return describe_nodes(formats::read_node_table(file), units);
    } catch (const base::InputError&) {  // what it is not as modes is the better answer
    }
    throw;
  }
}

std::string describe_dofs(const std::string& file, const Units&) {
  imported::MatrixModel model;
  model.format = "CalculiX degrees of freedom";
  model.dofs = formats::read_calculix_dofs(file);
  return imported::describe(model);
}

std::string describe_matrix(const std::string& file, const Units&) {
  return imported::describe(formats::read_lone_matrix(file));
}

using Describe = std::string (*)(const std::string& file, const Units& units);

const std::map<std::string, Describe>& kinds() {
  static const std::map<std::string, Describe> by_ending = {
      {".asm", describe_bulk},   {".csv", describe_table}, {".dof", describe_dofs},
      {".fil", describe_fil},    {".frd", describe_frd},   {".mas", describe_matrix},
      {".mtx", describe_matrix}, {".op2", describe_op2},   {".op4", describe_op4},
      {".pch", describe_pch},    {".sti", describe_matrix}};
  return by_ending;
}

}  // namespace

std::optional<std::string> describe_results(const std::string& file, const Units& units) {
  const auto found = kinds().find(formats::file_ending(file));
  if (found == kinds().end()) return std::nullopt;
  return found->second(file, units);
}

std::string known_results_names() {
  std::string names;
  for (const auto& [ending, describe] : kinds()) names += (names.empty() ? "" : ", ") + ending;
  return names;
}

}  // namespace solidyn::drivers
