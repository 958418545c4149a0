#pragma once
#include "model/bodies/beams/beam_of_points.h"
#include "solidyn/bodies/beam_body.h"

namespace solidyn::model {

/// Nodes and elements of a beam's centre line, in body axes; with an offset it is beside the
/// points.
struct BeamLine {
  std::vector<Eigen::Vector3d> nodes;      ///< from the first point to the last
  std::vector<int> node_of_point;          ///< for each of BeamOfPoints::points
  std::vector<Eigen::Matrix3d> sections;   ///< two per element: R_BS at its start and at its end
  std::vector<double> lengths;             ///< of the elements, along the line, m
  std::vector<Eigen::Vector3d> to_points;  ///< from each node to the line through the points, m
};

/// Axes as columns: x, y towards a direction across it, z.
Eigen::Matrix3d section_axes(const Eigen::Vector3d& x, const Eigen::Vector3d& towards_y);
/// Where y points by default: in the x y plane, to the left; of a line along z along y.
Eigen::Vector3d default_y_axis(const Eigen::Vector3d& along);

/// Shares the elements out over the parts of the line. Sections follow it without twist, from the
/// first, whose y axis is given or the default of `y_axis`.
BeamLine make_beam_line(const BeamOfPoints& beam);

}  // namespace solidyn::model
