#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "solidyn/imported/matrices.h"
#include "solidyn/imported/modal_data.h"
#include "solidyn/imported/solid_model.h"

/// Results files of Abaqus, .fil (doc/formats/abaqus_fil.md).
namespace solidyn::formats {

struct AbaqusResults {
  std::string release;         ///< of Abaqus, "6.14-1"
  imported::SolidModel model;  ///< the mesh with its sets, without materials
  imported::ModalData modes;   ///< of all frequency steps; ImportedMode::subcase is the step
  /// Of *SUBSTRUCTURE MATRIX OUTPUT; its nodes have the places of the file's.
  std::optional<imported::MatrixModel> matrices;
};

/// Reads a results file, binary in either byte order or ASCII (*FILE FORMAT), in the units of the
/// file: solids with node and element sets, mode shapes of frequency steps (at the nodes that were
/// asked for, in global axes unless *NODE FILE, GLOBAL=NO), and reduced matrices. Modes are
/// normalised as the step says, by default to displacements; ImportedMode::generalized_mass tells
/// their mass. Other elements and records are counted. A file that ends on a complete record is a
/// shorter run.
/// @throws base::InputError with the byte. Local.
/// Proved by tests/interop/abaqus_fil and tests/robustness/abaqus_fil.
AbaqusResults read_abaqus_fil(const std::string& path);

/// The same from memory; `file` is the name that errors carry.
AbaqusResults parse_abaqus_fil(std::string_view bytes, const std::string& file);

}  // namespace solidyn::formats
