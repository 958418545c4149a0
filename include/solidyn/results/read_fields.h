#pragma once
#include "solidyn/results/read_motion.h"

namespace solidyn::results {

/// A fields.h5, for programs that read the results of a run, which may be going on. Local.
class FieldsFile {
 public:
  struct Part {
    std::string name, link;
    StoredSurface surface;  ///< positions: none
    bool has_displacement = false, has_velocity = false, has_stress = false;
    bool has_faces() const;  ///< lines of beams and axes have none
  };
  /// @throws base::InputError for a file that cannot be read, is none of ours, is newer or damaged
  explicit FieldsFile(const std::string& path);
  const std::vector<Part>& parts() const { return parts_; }
  const Part* find(const std::string& name) const;  ///< null: none
  /// Of the snapshots that are complete.
  const std::vector<double>& times() const { return times_; }
  Eigen::Matrix3Xd positions(const Part& part, int snapshot) const;  ///< [3 x nodes] m, in W
  /// [3 x nodes] m, in body axes. @pre has_displacement
  Eigen::Matrix3Xd displacements(const Part& part, int snapshot) const;
  /// [3 x nodes] m/s, in W. @pre has_velocity
  Eigen::Matrix3Xd velocities(const Part& part, int snapshot) const;
  /// [6 x nodes] Pa, xx yy zz yz zx xy, in W. @pre has_stress
  Eigen::MatrixXd stress(const Part& part, int snapshot) const;

 private:
  Eigen::MatrixXd read(const Part& part, const std::string& quantity, int snapshot,
                       int n_components = 3) const;

  std::string path_;
  base::H5File file_;
  std::vector<double> times_;
  std::vector<Part> parts_;
};

}  // namespace solidyn::results
