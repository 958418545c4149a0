#pragma once
#include <functional>
#include <vector>

#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::fem {

/// Nodal forces of a pressure on one face in its current place x [3 x n_nodes(type)], outward
/// normal t_r x t_s:
///   f_a += -p int N_a (t_r x t_s) dr ds
/// Local. Proved by SurfaceLoad.*.
void add_pressure_force(elements::ElementType type, const Eigen::Ref<const Eigen::Matrix3Xd>& x,
                        double pressure, Eigen::Ref<Eigen::Matrix3Xd> f);

/// The face's load stiffness, the derivative of -f: K_ab += p int N_a (skew(t_r) dN_b/ds -
/// skew(t_s) dN_b/dr) dr ds, [3n x 3n]. What is not symmetric of it is a line integral around the
/// loaded surface: none where that is closed or its edge is held.
void add_pressure_stiffness(elements::ElementType type, const Eigen::Ref<const Eigen::Matrix3Xd>& x,
                            double pressure, Eigen::Ref<Eigen::MatrixXd> K);

/// A part of a distributed mesh's boundary: the faces whose nodes are all selected, each on the
/// rank of its element. All calls are local.
class Surface {
 public:
  /// @param is_selected [n_local] ghosts included
  Surface(const mesh::DistributedMesh& mesh, const std::vector<bool>& is_selected);

  std::int64_t n_faces() const;  ///< of this rank

  /// What each node carries of the area: sum int N_a |dA| on this rank's faces, as rows of a vector
  /// times I: [3 x n_local], m^2, all three components alike, so that ghosts can be added to
  /// owners.
  Eigen::Matrix3Xd nodal_areas() const;
  /// sum int N_a n dA of the undeformed mesh. [3 x n_local], m^2
  Eigen::Matrix3Xd nodal_area_vectors() const;
  /// Adds the force of a pressure on the deformed faces. @param x, f [3 x n_local]
  void add_follower_pressure(const Eigen::Ref<const Eigen::Matrix3Xd>& x, double pressure,
                             Eigen::Ref<Eigen::Matrix3Xd> f) const;
  /// Visits (local nodes of a face, its load stiffness).
  using Visit = std::function<void(const std::vector<std::int32_t>&, const Eigen::MatrixXd&)>;
  void for_load_stiffness(const Eigen::Ref<const Eigen::Matrix3Xd>& x, double pressure,
                          const Visit& visit) const;

 private:
  template <class Work>
  void for_faces(const Eigen::Ref<const Eigen::Matrix3Xd>& x, const Work& work) const;

  const mesh::DistributedMesh& mesh_;
  struct Block {
    elements::ElementType type;
    std::vector<std::int32_t> nodes;  ///< n_nodes(type) per face
  };
  std::vector<Block> blocks_;
};

}  // namespace solidyn::fem
