#include "solidyn/formats/imported_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "formats/shared/file_bytes.h"
#include "solidyn/base/error.h"
#include "solidyn/formats/abaqus/fil/fil.h"
#include "solidyn/formats/abaqus/matrices/matrices.h"
#include "solidyn/formats/calculix/frd.h"
#include "solidyn/formats/calculix/matrices.h"
#include "solidyn/formats/nastran/bulk_and_punch.h"
#include "solidyn/formats/nastran/op2/op2.h"
#include "solidyn/formats/nastran/superelement/superelement.h"
#include "solidyn/formats/shared/file_ending.h"
#include "solidyn/formats/tables/matrix_market.h"
#include "solidyn/formats/tables/modal_tables.h"
#include "solidyn/imported/choose_modes.h"

namespace solidyn::formats {
namespace {

constexpr const char* kModalEndings =
    ".op2, .pch (Nastran), .frd (CalculiX), .fil (Abaqus), .csv (a plain table)";
constexpr const char* kSuperelementEndings = ".op4 (Nastran), .mtx, .fil (Abaqus)";

[[noreturn]] void refuse_ending(const std::string& path, const char* what, const char* known) {
  throw base::InputError(fmt::format("{}: {} with this file extension cannot be read", path, what),
                         fmt::format("supported are {}", known), {path, 0, 0});
}

// Shells and beams leave no solids.
imported::NodeKind kind_of_nodes(const imported::SolidModel& mesh) {
  return mesh.mesh.blocks.empty() ? imported::NodeKind::any : imported::NodeKind::of_solids;
}

std::vector<std::int64_t> ascending_tags(const imported::SolidModel& mesh) {
  std::vector<std::int64_t> tags = mesh.mesh.node_tags;
  std::sort(tags.begin(), tags.end());
  return tags;
}

bool is_matrix_market(std::string_view bytes) { return bytes.rfind("%%MatrixMarket", 0) == 0; }

imported::MatrixModel read_mtx(const std::string& stiffness, const std::string& mass,
                               const std::string& dofs, const imported::SolidModel& mesh) {
  const FileBytes k(stiffness), m(mass);
  if (!is_matrix_market(k.bytes()))
    return parse_abaqus_matrices(k.bytes(), stiffness, m.bytes(), mass, ascending_tags(mesh),
                                 kind_of_nodes(mesh));
  const NamedBytes named_k{k.bytes(), stiffness}, named_m{m.bytes(), mass};
  if (dofs.empty())
    return parse_matrix_market_pair(named_k, named_m, mesh.mesh.node_tags, kind_of_nodes(mesh));
  const FileBytes map(dofs);
  return parse_matrix_market_pair(named_k, named_m, NamedBytes{map.bytes(), dofs});
}

imported::MatrixModel matrices_of_results(const std::string& path) {
  AbaqusResults results = read_abaqus_fil(path);
  if (!results.matrices)
    throw base::InputError(fmt::format("{}: it contains no matrices of a substructure", path),
                           "write them with *SUBSTRUCTURE MATRIX OUTPUT, OUTPUT FILE=RESULTS FILE",
                           {path, 0, 0});
  return *std::move(results.matrices);
}

}  // namespace

imported::ModalData read_modal_file(const std::string& path, int subcase) {
  const std::string kind = file_ending(path);
  if (kind == ".op2") return read_op2_modes(Op2File(path), subcase);
  imported::ModalData modes;
  if (kind == ".pch")
    modes = read_nastran_punch(path);
  else if (kind == ".frd")
    modes = read_calculix_frd(path).modes;
  else if (kind == ".fil")
    modes = read_abaqus_fil(path).modes;
  else if (kind == ".csv")
    modes = read_mode_table(path);
  else
    refuse_ending(path, "natural modes", kModalEndings);
  keep_subcase(modes, subcase);
  return modes;
}

imported::MatrixModel read_matrix_files(const MatrixFiles& files,
                                        const imported::SolidModel& mesh) {
  const bool has_mass_only = files.stiffness.empty();
  const std::string& stiffness = has_mass_only ? files.mass : files.stiffness;
  const std::string kind = file_ending(stiffness);
  const bool holds_both = kind == ".op2" || kind == ".pch";
  if (holds_both && !files.mass.empty() && files.mass != stiffness)
    throw base::InputError(
        fmt::format("{} contains stiffness and mass: {} would not be read", stiffness, files.mass),
        "name the same file twice, or omit `mass`", {files.mass, 0, 0});
  imported::MatrixModel model;
  if (kind == ".sti" || kind == ".mas") {
    if (files.dofs.empty())
      throw base::InputError(
          fmt::format("{}: the degrees of freedom of its rows are unknown", stiffness),
          "give the .dof file of the same run as `dofs`", {stiffness, 0, 0});
    model = read_calculix_matrices(stiffness, files.mass, files.dofs);
  } else if (kind == ".mtx") {
    model = read_mtx(stiffness, files.mass, files.dofs, mesh);
  } else if (kind == ".op2") {
    model = read_op2_matrix_model(Op2File(stiffness));
  } else if (kind == ".pch") {
    model = read_nastran_matrices(stiffness);
  } else {
    refuse_ending(stiffness, "matrices",
                  ".sti, .mas (CalculiX), .mtx (Abaqus, Matrix Market), .op2, .pch (Nastran)");
  }
  if (has_mass_only) {
    model.stiffness = {};
    model.source = files.mass;
  }
  return model;
}

imported::MatrixModel read_lone_matrix(const std::string& path) {
  const FileBytes file(path);
  const std::string_view bytes = file.bytes();
  imported::MatrixModel model;
  if (is_matrix_market(bytes)) {
    model.format = "Matrix Market";
    model.stiffness = parse_matrix_market(bytes, path);
  } else if (file_ending(path) != ".mtx") {
    model.format = "CalculiX matrix";
    model.stiffness = parse_calculix_matrix(bytes, path, 0);
  } else if (kind_of_abaqus_matrix(bytes, path) == AbaqusMatrixFile::substructure) {
    return parse_abaqus_substructure(bytes, path);
  } else {
    model = parse_abaqus_matrix(bytes, path);
  }
  model.source = path;
  model.stiffness.name = "matrix";
  return model;
}

imported::MatrixModel read_superelement_files(const std::string& path, const std::string& dofs,
                                              const std::string& nodes) {
  if (file_ending(path) == ".mtx") return read_abaqus_substructure(path);
  if (file_ending(path) == ".fil") return matrices_of_results(path);
  if (file_ending(path) == ".op4") {
    std::vector<std::string> files = {path};
    for (const std::string& file : {dofs, nodes})
      if (!file.empty()) files.push_back(file);
    return read_nastran_superelement(files);
  }
  refuse_ending(path, "superelements", kSuperelementEndings);
}

}  // namespace solidyn::formats
