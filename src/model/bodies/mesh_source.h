#pragma once
#include <filesystem>

#include "model/language/field.h"
#include "solidyn/imported/units.h"

namespace solidyn::model {

/// A mesh file, and what its numbers are.
struct MeshFile {
  std::filesystem::path mesh;  ///< absolute; empty: none
  /// What one unit of the mesh file is; by `mesh_units: mm` only the length is known.
  imported::Units mesh_units;
  bool has_unit_system = true;  ///< mass and time of mesh_units are known

  /// `mesh` and `mesh_units`.
  static Fields<MeshFile> file_fields();
};

/// The same with what its regions are made of.
struct MeshSource : MeshFile {
  /// Key of ModelDescription::materials; empty: the mesh file of another program says it.
  std::string material;

  /// Whether the file is of another program, whose materials, masses and rigid elements come along.
  bool is_imported() const;

  static Field<MeshSource> material_field();
  /// That the file's units and materials are known as far as they are needed.
  void check_mesh(const TableView& view, const Scope& scope) const;
};

}  // namespace solidyn::model
