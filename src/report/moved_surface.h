#pragma once
#include <functional>
#include <vector>

#include "report/drawn_body.h"
#include "solidyn/results/read_fields.h"

namespace solidyn::report {

/// Nodes that move each by itself.
struct MovingNodes {
  results::StoredSurface surface;
  Eigen::Matrix3Xd X;  ///< [3 x nodes] undeformed, m
  int n_pictures = 0;
  std::function<Eigen::Matrix3Xd(int t)> positions;   ///< m, in W
  std::function<Eigen::Matrix3Xd(int t)> velocities;  ///< m/s, in W; empty: not known
  /// [6 x nodes] Pa, xx yy zz yz zx xy, in W; empty: not known
  std::function<Eigen::MatrixXd(int t)> stress;
  /// [7 x T] the axes that X is in; empty: those of the rigid motion that brings X closest.
  Eigen::MatrixXd axes;
  Eigen::Matrix3Xd v, w;  ///< [3 x T] of given axes, in W; empty: at rest
};

/// The same as a rigid motion and few shapes.
struct MovedSurface {
  BodyMotion motion;
  Eigen::MatrixXd pose;  ///< [7 x T]
};
/// @param tolerance m, of the decomposition
MovedSurface as_shapes(const MovingNodes& nodes, double tolerance);

/// Whether the files of a run tell where the nodes are undeformed, as those of earlier versions do
/// not.
bool knows_rest(const results::FieldsFile::Part& part, const results::MotionBody* body);

/// The nodes of a part of fields.h5; undeformed are those of the first picture, where nothing else
/// is known. @param snapshots of the file, one per picture
/// @param body null: fields.h5 says all that is known. @param axes its pose in each picture
MovingNodes nodes_of_part(const results::FieldsFile& fields, const results::FieldsFile::Part& part,
                          const std::vector<int>& snapshots, const results::MotionBody* body,
                          const Eigen::MatrixXd& axes);

/// Those of a tube around the lines of a beam. @param poses of each node [7 x T]
/// @param twists of each node [6 x T]: velocity, angular velocity, in W; empty: not known
MovingNodes nodes_of_beam(const results::MotionBody& beam,
                          const std::vector<Eigen::MatrixXd>& poses,
                          const std::vector<Eigen::MatrixXd>& twists, double radius);

}  // namespace solidyn::report
