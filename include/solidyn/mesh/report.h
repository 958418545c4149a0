#pragma once
#include "solidyn/mesh/mesh.h"

namespace solidyn::mesh {

/// A summary of a mesh for its user.
struct Report {
  struct Set {
    std::string name;
    int dimension = 0;
    std::int64_t n_nodes = 0;
  };
  std::int64_t n_nodes = 0;
  std::map<ElementType, std::int64_t> n_elements;
  std::vector<Set> sets;
  Eigen::Vector3d low = Eigen::Vector3d::Zero(),
                  high = Eigen::Vector3d::Zero();  ///< bounding box, m
  double volume = 0.0;                             ///< of the solids, m^3
  Eigen::Vector3d centroid =
      Eigen::Vector3d::Zero();  ///< of the volume, m (straight sides assumed)
  std::int64_t n_parts = 0;     ///< solids that share no node
  /// Of the solids by mesh::quality(): 1 regular, 0 flat, negative inverted.
  double lowest_quality = 0.0, mean_quality = 0.0;
  std::int64_t worst_element = 0;  ///< tag of the element of lowest quality
  ElementType worst_type = ElementType::tet10;
};

/// Local. Proved by Report.TellsTheFactsOfABox.
Report make_report(const Mesh& mesh);

/// The report as lines of text for a terminal, lengths in m.
std::string format(const Report& report);

}  // namespace solidyn::mesh
