#pragma once
#include "reduction/eigen/multivector.h"
#include "reduction/import/placed_matrices.h"
#include "solidyn/base/petsc.h"
#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::reduction {

/// One rank's rows of imported matrices: the translations of its owned nodes, then its extra rows.
/// Loose nodes and generalised coordinates live on rank 0.
struct ImportedRows {
  std::int64_t first = 0;        ///< global number of this rank's first row
  Eigen::Matrix3Xd x;            ///< [3 x k] owned nodes, then loose ones: rows 0 ... 3k - 1, m
  std::vector<ExtraRow> others;  ///< the rows after them: rotations, generalised coordinates
  base::Mat K, M;                ///< the body's pencil takes them over
  Eigen::Index n_rows() const { return 3 * x.cols() + static_cast<Eigen::Index>(others.size()); }
};

/// Collective. Sends each rank the rows of its nodes. @param matrices read on rank 0 only
ImportedRows distribute(const mesh::DistributedMesh& mesh, const PlacedMatrices& matrices);

/// Collective. Numbers in the file of all nodes by their index, on rank 0; empty elsewhere.
std::vector<std::int64_t> gather_node_tags(const mesh::DistributedMesh& mesh);

/// Collective. [n_rows x 6] unit translations, then unit rotations about axes through `centre`.
/// Generalised coordinates follow such that K times them is zero in their rows: by themselves in
/// Craig and Bampton's basis, where they stay at rest.
MultiVector rigid_motions(const mesh::DistributedMesh& mesh, const ImportedRows& rows, Mat K,
                          const Eigen::Vector3d& centre);

}  // namespace solidyn::reduction
