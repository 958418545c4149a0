#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace solidyn::model {

/// Where a section of a beam is, of which a sensor records: at a point of the beam, or a fraction
/// of its length.
struct SectionPoint {
  std::string body;
  std::string point;              ///< empty: at the fraction
  double fraction = 0.0;          ///< without a point: of the length
  std::optional<bool> is_before;  ///< the element before the place
  /// Of a beam with a mesh: number of the line in the file, group of lines.
  std::optional<std::int64_t> line;
  std::string group;
  bool needs_fibres = false;  ///< stresses, which the outermost fibres have
};

}  // namespace solidyn::model
