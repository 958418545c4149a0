#include "solidyn/formats/solid_model.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "formats/shared/file_bytes.h"
#include "solidyn/base/error.h"
#include "solidyn/formats/abaqus/deck/input.h"
#include "solidyn/formats/abaqus/fil/fil.h"
#include "solidyn/formats/calculix/frd.h"
#include "solidyn/formats/gmsh/gmsh.h"
#include "solidyn/formats/nastran/bulk_and_punch.h"
#include "solidyn/formats/nastran/op2/op2.h"
#include "solidyn/formats/shared/file_ending.h"
#include "solidyn/formats/solidyn/mesh.h"
#include "solidyn/formats/vtu/vtu.h"

namespace solidyn::formats {
namespace {

using imported::SolidModel;

SolidModel as_model(const std::string& path, const char* format, mesh::Mesh mesh) {
  SolidModel model;
  model.source = path;
  model.format = format;
  model.mesh = std::move(mesh);
  return model;
}

SolidModel read_own_model(const std::string& path) {
  if (is_gzip_name(path))
    throw base::InputError("a compressed .smesh cannot be read: each rank reads its own part of it",
                           "decompress it with gunzip", {path, 0, 0});
  return as_model(path, "Solidyn mesh", read_whole_solidyn_mesh(path));
}

SolidModel read_vtu_model(const std::string& path) {
  return as_model(path, "VTK unstructured grid", read_vtu(path));
}

SolidModel read_frd_model(const std::string& path) { return read_calculix_frd(path).model; }

SolidModel read_fil_model(const std::string& path) { return read_abaqus_fil(path).model; }

SolidModel read_op2_model(const std::string& path) { return read_op2_geometry(Op2File(path)); }

// CalculiX calls its listing of results so, too.
SolidModel read_dat_model(const std::string& path) {
  constexpr std::size_t kFirstBytes = 200;
  const FileBytes file(path);
  if (file.bytes().substr(0, kFirstBytes).find("E I G E N V A L U E   O U T P U T") !=
      std::string_view::npos)
    throw base::InputError("this is a CalculiX listing of frequencies, not a mesh",
                           "give the .frd file of the run, which has mesh and modes", {path, 0, 0});
  return read_nastran_bulk(path);
}

void write_gmsh_model(const std::string& path, const SolidModel& model) {
  write_gmsh(path, model.mesh);
}

void write_own_model(const std::string& path, const SolidModel& model) {
  write_solidyn_mesh(path, model.mesh);
}

void write_vtu_model(const std::string& path, const SolidModel& model) {
  write_vtu(path, model.mesh);
}

struct Format {
  SolidModel (*read)(const std::string& path);
  void (*write)(const std::string& path, const SolidModel& model);  // null: not written
  bool is_imported;                                                 // may bring materials
  bool keeps_regions;  // materials, masses and rigid elements are written
};

std::map<std::string, Format>& formats_by_ending() {
  static const Format nastran = {read_nastran_bulk, write_nastran_bulk, true, true};
  static std::map<std::string, Format> formats = {
      {".bdf", nastran},
      {".blk", nastran},
      {".bulk", nastran},
      {".dat", {read_dat_model, write_nastran_bulk, true, true}},
      {".nas", nastran},
      {".fil", {read_fil_model, nullptr, true, false}},
      {".frd", {read_frd_model, nullptr, true, false}},
      {".inp", {read_abaqus_input, write_abaqus_input, true, true}},
      {".msh", {read_gmsh_model, write_gmsh_model, false, false}},
      {".op2", {read_op2_model, nullptr, true, false}},
      {".smesh", {read_own_model, write_own_model, false, false}},
      {".vtu", {read_vtu_model, write_vtu_model, true, false}},
  };
  return formats;
}

// Null for a name that is not known.
const Format* find_format(const std::string& path) {
  const auto found = formats_by_ending().find(file_ending(path));
  return found == formats_by_ending().end() ? nullptr : &found->second;
}

[[noreturn]] void refuse(const std::string& path, const std::string& known) {
  const std::string ending = file_ending(path);
  const std::string what = std::filesystem::is_directory(path) ? "this is a folder, not a mesh file"
                           : ending.empty()
                               ? "the file name has no extension to identify the mesh format"
                               : fmt::format("`{}` is not a supported mesh format", ending);
  throw base::InputError(what, "give a file with one of these extensions: " + known, {path, 0, 0});
}

template <class Condition>
std::string names_where(const Condition& condition) {
  std::string names;
  for (const auto& [ending, format] : formats_by_ending())
    if (condition(format)) names += (names.empty() ? "" : ", ") + ending;
  return names;
}

}  // namespace

bool is_imported_model_name(const std::string& path) {
  const Format* format = find_format(path);
  return format && format->is_imported;
}

bool is_written_model_name(const std::string& path) {
  const Format* format = find_format(path);
  return format && format->write && !is_gzip_name(path);
}

std::string known_model_names() {
  return names_where([](const Format&) { return true; });
}

std::string written_model_names() {
  return names_where([](const Format& format) { return format.write != nullptr; });
}

void add_solid_model_reader(const std::string& ending,
                            SolidModel (*read)(const std::string& path)) {
  if (ending.size() < 2 || file_ending("mesh" + ending) != ending)
    throw base::InputError(fmt::format("`{}` is no file extension", ending),
                           "give a dot and lower-case letters: \".ele\"");
  if (!formats_by_ending().emplace(ending, Format{read, nullptr, true, false}).second)
    throw base::InputError(fmt::format("files that end in {} have a reader already", ending),
                           "choose another extension");
}

SolidModel read_solid_model(const std::string& path) {
  const Format* format = find_format(path);
  if (!format) refuse(path, known_model_names());
  return format->read(path);
}

void write_solid_model(const std::string& path, const SolidModel& model) {
  if (!is_written_model_name(path)) refuse(path, written_model_names());
  find_format(path)->write(path, model);
}

std::string left_out_of(const std::string& path, const SolidModel& model) {
  const Format* format = find_format(path);
  if (!format || format->keeps_regions) return {};
  std::string text;
  const auto add = [&](const char* what, std::size_t n) {
    if (n > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, what);
  };
  add("materials", model.materials.size());
  add("masses", model.masses.size());
  add("rigid elements", model.rigid_elements.size());
  add("supports", model.supports.size());
  return text;
}

}  // namespace solidyn::formats
