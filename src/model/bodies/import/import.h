#pragma once
#include <filesystem>

#include "model/language/field.h"
#include "solidyn/imported/units.h"

namespace solidyn::model {

/// What another program computed of a body; paths are absolute, empty when not given.
struct ImportDescription {
  std::filesystem::path modes;                  ///< natural modes, or
  std::filesystem::path stiffness, mass, dofs;  ///< full matrices (mass: also that of modes), or
  std::filesystem::path superelement, nodes;    ///< a superelement's (its map is `dofs`)
  std::filesystem::path masses;                 ///< of nodes, for modes
  std::filesystem::path mesh;                   ///< with the same node numbers
  int subcase = 0;                              ///< of `modes`; 0: the first
  imported::Units units;                        ///< of all these files

  static const Fields<ImportDescription>& fields();
  /// Modes, matrices or superelement: that which the others go with.
  const std::filesystem::path& main_file() const;
  /// Those that are given, by their keys.
  std::vector<std::pair<std::string, std::filesystem::path>> files() const;
};

/// What does not go together within `import`, or with the other keys of the body.
void check_import(const TableView& body);

}  // namespace solidyn::model
