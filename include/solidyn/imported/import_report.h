#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "solidyn/base/error.h"

namespace solidyn::imported {

/// What a reader met besides the data: for the user, in a screenful.
struct ImportReport {
  std::vector<base::Diagnostic> warnings;       ///< what was mended or is doubtful, with its place
  std::map<std::string, std::int64_t> skipped;  ///< cards or records that were ignored
  /// Cards that change stiffness or mass and are not understood, with their first place: no harm to
  /// meshes and modes, an error where matrices are made from the mesh.
  std::map<std::string, base::SourceLocation> unsupported;
};

}  // namespace solidyn::imported
