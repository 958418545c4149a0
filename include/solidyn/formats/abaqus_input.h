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
/// `<name>_3d`; with several instances a set of an instance is called `<instance>.<set>`.
///
/// Files that *INCLUDE or INPUT= name are read from the folder of `path` and below it.
/// @throws base::InputError with all complaints (at most 20), each with file and line: damaged or
/// contradicting data, solid elements that Solidyn does not know, generators of meshes (*NGEN ...).
/// What changes stiffness or mass in other ways is in `report.unsupported`. Local.
/// Proved by tests/interop/abaqus and tests/robustness/abaqus.
imported::SolidModel read_abaqus_input(const std::string& path);

/// The same from memory; `file` is the name that messages carry. @throws base::InputError also
/// where the file includes another one.
imported::SolidModel parse_abaqus_input(std::string_view bytes, const std::string& file);

}  // namespace solidyn::formats
