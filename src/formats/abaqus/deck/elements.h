#pragma once
#include <optional>
#include <string>

#include "solidyn/imported/solid_model.h"

namespace solidyn::formats {

/// What the name of an Abaqus element type means. Private to the reader.
struct AbaqusType {
  enum class Kind { solid, refused, other };
  Kind kind = Kind::other;
  std::string name;                            ///< in capitals
  std::optional<elements::ElementType> shape;  ///< of solids
  imported::Integration integration = imported::Integration::standard;
  bool is_hybrid = false, is_modified = false;  ///< suffixes H and M
  int n_nodes = 0;                              ///< 0: not known (of no solid)
  int dimension = 0;  ///< 3 for solids, 2 for what has faces' shapes, else 0
};

/// C3D20RH: the digits count nodes, letters behind them vary the formulation. Volume elements that
/// are not the solids of C3D4, C3D5, C3D6, C3D8, C3D10, C3D15 and C3D20 are `refused`.
AbaqusType parse_abaqus_type(const std::string& name);

/// Face "S3" of a solid as the entry of elements::faces(shape); nothing if it has no such face.
std::optional<int> find_abaqus_face(elements::ElementType shape, const std::string& face);

}  // namespace solidyn::formats
