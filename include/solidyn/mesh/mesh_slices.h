#pragma once
#include <mpi.h>

#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::mesh {

/// The elements of one type that a rank holds. Node indices count over the whole mesh.
struct ElementSlice {
  ElementType type = ElementType::tet10;
  std::vector<std::int64_t> connectivity;
  std::vector<std::int64_t> tags;
  std::vector<std::int32_t> regions = {};  ///< as those of an ElementBlock
  std::int64_t size() const { return static_cast<std::int64_t>(tags.size()); }
};

/// The part of a named set that a rank holds: any nodes of the whole mesh, each on one rank.
struct SetSlice {
  int dimension = 0;
  std::vector<std::int64_t> nodes;
};

/// A mesh cut into consecutive slices before neighbours are known: no rank holds it as a whole.
struct MeshSlices {
  std::int64_t n_nodes = 0;             ///< of the whole mesh
  Eigen::Matrix3Xd x;                   ///< [3 x k] m, the nodes [slice_begin(r), slice_begin(r+1))
  std::vector<std::int64_t> node_tags;  ///< [k]
  /// One per type, the same types in the same order on all ranks; the whole block is the slices of
  /// all ranks one after the other.
  std::vector<ElementSlice> blocks;
  std::map<std::string, SetSlice> sets;  ///< every rank has every name
};

/// Where the slice of rank `part` begins if n things are dealt evenly: floor(n part / n_parts).
std::int64_t slice_begin(std::int64_t n, int part, int n_parts);
/// The rank whose slice holds thing i of n.
int slice_of(std::int64_t i, std::int64_t n, int n_parts);

/// A whole mesh as the one slice of a single rank.
MeshSlices make_slices(const Mesh& whole);

enum class Partitioner {
  best,   ///< the curve, unless PETSc's option -mesh_partitioner graph asks for the graph
  graph,  ///< the dual graph (neighbours share a face) through PETSc: PT-SCOTCH, or ParMETIS; where
          ///< PETSc has neither the curve. PT-SCOTCH's parts may differ from run to run
  curve   ///< the elements' centroids along a Hilbert curve: needs no graph, cuts up to three times
          ///< as much of bodies that are no boxes
};

/// Collective. Partitions and redistributes, without any rank holding the whole mesh: the same
/// content and numbering rules as distribute(comm, Mesh), and on one rank the same result.
/// Elements weigh as many as they have nodes. A node between parts belongs to one of them, chosen
/// by a hash of its index. Blocks of faces and lines are left out. Deterministic for a given number
/// of ranks, but for the graph.
///
/// Throws InputError on all ranks when a node has no solid element, faces are shared by more than
/// two solids (if two of them are not met on one rank and the third on another: check() of the
/// whole mesh finds all) or by linear and quadratic ones, or no solid is there.
/// @param file  the name that messages carry
DistributedMesh distribute(MPI_Comm comm, MeshSlices slices, const std::string& file,
                           Partitioner partitioner = Partitioner::best);

/// The same for parts that are known: for each element of this rank's blocks, one after the other,
/// the rank it goes to.
DistributedMesh distribute(MPI_Comm comm, MeshSlices slices, const std::string& file,
                           const std::vector<std::int32_t>& element_part);

}  // namespace solidyn::mesh
