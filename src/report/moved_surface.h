#pragma once
#include <memory>
#include <vector>

#include "report/drawn_body.h"
#include "solidyn/results/read_fields.h"

namespace solidyn::report {

/// A body whose nodes move each by itself, as a rigid motion and few shapes.
struct MovedSurface {
  BodyMotion motion;
  Eigen::MatrixXd pose;   ///< [7 x T]
  double residual = 0.0;  ///< m
};

/// Of a part of fields.h5. @param snapshots of the file, one per picture
/// @param tolerance m, of the decomposition
MovedSurface surface_from_fields(const results::FieldsFile& fields,
                                 const results::FieldsFile::Part& part,
                                 const std::vector<int>& snapshots, double tolerance);

/// A tube around the lines of a beam. @param nodes of each its poses [7 x T]
MovedSurface surface_of_beam(const results::MotionBody& beam,
                             const std::vector<Eigen::MatrixXd>& nodes, double radius,
                             double tolerance);

}  // namespace solidyn::report
