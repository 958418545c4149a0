#pragma once
#include <string>
#include <string_view>

#include "solidyn/imported/solid_model.h"

/// Input files of Abaqus and CalculiX (.inp), see doc/formats/abaqus_input.md.
namespace solidyn::formats {

/// Reads the model data of an input file: nodes, solid elements (C3D4 to C3D20 with their variants,
/// C3D5), sets, surfaces, isotropic materials and sections, point masses, couplings and other rigid
/// elements, supports and nodal axes. Parts are placed by their instances, so that coordinates,
/// axes and inertias are global. Numbers stay in the units of the file.
///
/// Tags are the file's labels; when several instances (or the assembly) use the same labels, those
/// of each later one are shifted past the largest before it, in the order of the file, and a
/// warning says by how much. Sets keep their names; where a node set, a surface and an element set
/// of different nodes share one, the first of these keeps it and the others become `<name>_2d` and
/// `<name>_3d`; with several instances a set of an instance is called `<instance>.<set>`. Node and
/// element sets that are INTERNAL, as Abaqus/CAE makes them, are used but not kept.
///
/// Files that *INCLUDE or INPUT= name are read from the folder of `path` and below it.
/// @throws base::InputError with all complaints (at most 20), each with file and line: damaged or
/// contradicting data, solid elements that Solidyn does not support, generators of meshes (*NGEN
/// ...). What changes stiffness or mass in other ways is in `report.unsupported`. Local. Proved by
/// tests/interop/abaqus and tests/robustness/abaqus.
imported::SolidModel read_abaqus_input(const std::string& path);

/// The same from memory; `file` is the name that messages carry. @throws base::InputError also
/// where the file includes another one.
imported::SolidModel parse_abaqus_input(std::string_view bytes, const std::string& file);

/// The model as a flat input file, without parts and steps, which Abaqus and CalculiX read, and
/// read_abaqus_input reads back: nodes, elements and regions; sets of dimension 3 as element sets,
/// of 2 as surfaces of the solids' outer faces, others (and those that are not made of whole
/// elements or faces) as node sets; materials, masses, couplings, supports, nodal axes. Faces and
/// lines among the elements are not written. A mass off its node gets a node of its own, which an
/// MPC of type BEAM ties to it, and which the reader takes for an offset again. Numbers have 14
/// digits or more, in at most 20 characters, which is what CalculiX reads.
/// @throws base::InputError for pyramid13, which Abaqus does not have. What has no counterpart
/// (empty sets, RBE3 of some directions only) is logged as a warning. Local.
/// Proved by AbaqusWriter.* and Calculix.FindsTheSameFrequencies.
std::string format_abaqus_input(const imported::SolidModel& model);

/// format_abaqus_input() to a file. @throws base::ComputationError when it cannot be written.
void write_abaqus_input(const std::string& path, const imported::SolidModel& model);

}  // namespace solidyn::formats
