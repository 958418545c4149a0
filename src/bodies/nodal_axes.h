#pragma once
#include <Eigen/Dense>
#include <map>

#include "solidyn/base/petsc.h"

namespace solidyn::bodies {

/// Axes of their own for some nodes' components: u_k = Q_k u'_k, u = B u'. Rows of supports along
/// skew directions are rows of such components.
class NodalAxes {
 public:
  /// Collective. @param axes [owned node] Q_k   @param n_owned this rank's nodes
  NodalAxes(MPI_Comm comm, std::int32_t n_owned, std::map<std::int32_t, Eigen::Matrix3d> axes);

  bool is_empty() const { return !is_needed_; }  ///< on all ranks
  /// Local. X := B^T X, or B X. @param X [3 n_owned x k]
  void to_nodes(Eigen::Ref<Eigen::MatrixXd> X) const;
  void to_world(Eigen::Ref<Eigen::MatrixXd> X) const;
  void to_nodes(::Vec x) const;
  void to_world(::Vec x) const;
  /// Collective. A := B^T A B, of type AIJ.
  void turn(Mat A) const;
  /// Collective. The same as a new matrix of type AIJ, whatever A is.
  base::Mat turned(Mat A) const;

 private:
  MPI_Comm comm_;
  std::int32_t n_owned_;
  std::map<std::int32_t, Eigen::Matrix3d> axes_;
  bool is_needed_ = false;
  base::Mat B_;
};

}  // namespace solidyn::bodies
