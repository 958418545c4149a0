#pragma once
#include "solidyn/base/hdf5.h"
#include "solidyn/elements/element_type.h"
#include "solidyn/results/motion.h"

namespace solidyn::results {

/// A surface of motion.h5.
struct StoredSurface {
  std::vector<std::int64_t> tags;  ///< [nodes]
  Eigen::Matrix3Xf positions;      ///< [3 x nodes] undeformed, m, body axes
  struct Cells {
    elements::ElementType shape;
    std::vector<std::int64_t> nodes;  ///< rows of the surface, in XDMF's order
  };
  std::vector<Cells> cells;
  bool has_stress = false;
};

/// A motion.h5, for programs that read the results of a run, which may be going on. Local.
/// Proved by Motion.*.
class MotionFile {
 public:
  /// @throws base::InputError for a file that cannot be read, is none of ours, is newer or damaged
  explicit MotionFile(const std::string& path);
  const MotionScene& scene() const { return scene_; }
  /// Of the pictures that are complete.
  const std::vector<double>& times() const { return times_; }
  /// [row length x pictures]
  const Eigen::MatrixXd& rows() const { return rows_; }
  bool has_surface(int body) const;
  /// @pre has_surface(body)  @throws base::InputError
  StoredSurface surface(int body) const;
  Eigen::Matrix3Xf shape(int body, int k) const;  ///< [3 x nodes]
  Eigen::Matrix<float, 6, Eigen::Dynamic> stress_shape(int body, int k) const;

 private:
  std::string path_;
  base::H5File file_;
  MotionScene scene_;
  std::vector<double> times_;
  Eigen::MatrixXd rows_;
};

}  // namespace solidyn::results
