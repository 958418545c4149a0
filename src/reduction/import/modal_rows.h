#pragma once
#include "reduction/eigen/multivector.h"
#include "solidyn/imported/modal_data.h"
#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::reduction {

/// Imported modes on a mesh.
struct ModalRows {
  MultiVector vectors;                ///< [3 n_owned x m] translations along the mesh's axes
  Eigen::VectorXd eigenvalues;        ///< [m] omega^2, on all ranks
  Eigen::VectorXd masses;             ///< [m] generalised; 0: not in the file
  std::vector<std::int64_t> numbers;  ///< [m] the file's own
  bool is_scaled_to_maximum = false;  ///< as ModalData's, on all ranks
};

/// Collective. Sends each rank the rows of its nodes. @param modes read on rank 0 only
/// @throws base::InputError on all ranks for complex modes, and nodes that have no row or other
///   coordinates than in the mesh (the first ten are named)
ModalRows distribute(const mesh::DistributedMesh& mesh, const imported::ModalData& modes);

/// Collective. One value per owned node. @param of_tag read on rank 0 only; 0 where it has none
Eigen::VectorXd distribute(const mesh::DistributedMesh& mesh,
                           const std::map<std::int64_t, double>& of_tag);

}  // namespace solidyn::reduction
