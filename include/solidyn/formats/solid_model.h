#pragma once
#include <string>

#include "solidyn/imported/solid_model.h"

/// Every file that describes a finite element model of a solid, by one name.
namespace solidyn::formats {

/// Whether the name is that of a mesh file of another program that may bring materials along:
/// .bdf, .dat, .nas, .blk, .bulk, .op2 (Nastran), .inp, .fil (Abaqus), .frd (CalculiX), .vtu (VTK).
bool is_imported_model_name(const std::string& path);

/// Local. Reads a model by its file's name: those above, .msh of Gmsh, or our .smesh, of which the
/// last two are meshes without materials. All but .smesh may be compressed by gzip and then end in
/// .gz. Numbers stay in the units of the file.
/// @throws base::InputError: what the reader complains of, or a name that no reader takes
/// Proved by tests/interop/convert.
imported::SolidModel read_solid_model(const std::string& path);

/// A reader that a program adds for files with an ending of its own, from now on and wherever a
/// mesh file is named, model files included. Called before files are read, by every rank; by one
/// thread.
/// @param ending  in lower case, with its dot: ".ele"   @param read  as read_solid_model(); local
/// @throws base::InputError where the ending has a reader already, or is none
/// Proved by SolidModelReader.*, and examples/extend/reader.
void add_solid_model_reader(const std::string& ending,
                            imported::SolidModel (*read)(const std::string& path));

/// Whether write_solid_model() has a writer for files of this name.
bool is_written_model_name(const std::string& path);

/// The endings of the names that are read, and of those that are written: ".bdf, .inp".
std::string known_model_names();
std::string written_model_names();

/// Local. Writes a model by the file's name: Nastran, Abaqus and VTK files, Gmsh (4.1, ASCII) and
/// our own. Numbers are written as they are. What a format has no place for is left out, see
/// left_out_of().
/// @throws base::InputError for another name, base::ComputationError when it cannot be written
void write_solid_model(const std::string& path, const imported::SolidModel& model);

/// What of the model a file of this name has no place for: "2 materials, 1 masses"; empty: nothing.
std::string left_out_of(const std::string& path, const imported::SolidModel& model);

}  // namespace solidyn::formats
