#pragma once
#include <vector>

#include "solidyn/bodies/solid_body.h"
#include "solidyn/fem/surface_load.h"

namespace solidyn::bodies {

/// The loads of a solid body as nodal forces. Positions x [3 x n_local] have their ghosts up to
/// date. Calls are collective unless said otherwise.
class SolidLoads {
 public:
  /// @param mesh, forces must outlive this object. @throws base::InputError when a selection holds
  /// no node, or no face where faces are loaded
  SolidLoads(const mesh::DistributedMesh& mesh, const fem::SolidOperator& forces,
             const std::vector<SolidLoad>& loads);

  bool is_empty() const { return parts_.empty(); }
  bool has_followers() const;
  /// Local. Dead pressures act along the normals of the mesh turned by R.
  void set_orientation(const Eigen::Matrix3d& R) { R_ = R; }
  /// f += loads at time t. @param[in,out] f [3 x n_owned]
  void add_force(const Eigen::Matrix3Xd& x, double t, Eigen::Matrix3Xd& f) const;
  /// A += scale times the symmetric part of the derivative of minus the loads by x, so that A can
  /// keep Cholesky's factor. A is of type AIJ.
  void add_stiffness(const Eigen::Matrix3Xd& x, double t, double scale, Mat A) const;

 private:
  struct Part {
    SolidLoad load;
    Eigen::Matrix3Xd amounts;  ///< [3 x n_owned] per unit of the load; areas, area vectors or ones
    std::vector<fem::Surface> followers;  ///< one, where the load follows
  };
  static Part make_part(const mesh::DistributedMesh& mesh, const SolidLoad& load);

  const mesh::DistributedMesh& mesh_;
  const fem::SolidOperator& forces_;
  std::vector<Part> parts_;
  Eigen::Matrix3d R_ = Eigen::Matrix3d::Identity();
};

}  // namespace solidyn::bodies
