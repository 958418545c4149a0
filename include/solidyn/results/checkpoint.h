#pragma once
#include <mpi.h>

#include <Eigen/Dense>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace solidyn::results {

/// Columns of numbers that the ranks share, one per node, each on the rank that owns the node.
/// `tags` are the nodes' numbers in the original mesh file, distinct over all ranks: they identify
/// the columns, so that another number of ranks can read them.
struct DistributedArray {
  std::vector<std::int64_t> tags;  ///< [n_owned]
  Eigen::MatrixXd values;          ///< [n_components x n_owned], the same n_components on all ranks
};

/// The state from which a run continues. Everything but `distributed` is the same on all ranks.
struct Checkpoint {
  std::string model_hash;  ///< identifies the model that wrote it
  double time = 0.0;       ///< s
  std::int64_t step = 0;
  std::map<std::string, double> scalars;
  std::map<std::string, std::vector<double>> arrays;
  std::map<std::string, std::string> texts;
  std::map<std::string, DistributedArray> distributed;
};

/// Collective. Writes `path` so that a crash at any moment leaves the old or the new file, whole
/// and on the disk (base::replace_by_temporary). Replicated values are taken from rank 0. Every
/// rank has the same names in `distributed`. Throws ComputationError on all ranks when writing
/// fails. Proved by tests/unit/results/checkpoint_test.cpp, tests/mpi/results and
/// tests/robustness/results.
void write_checkpoint(MPI_Comm comm, const std::string& path, const Checkpoint& checkpoint);

/// Collective. Everything but the distributed arrays, of which only the names come back; these are
/// read one by one by read_distributed(). Throws InputError on all ranks when the file is missing,
/// truncated, damaged (each array carries a checksum), of a newer format, or of a model with
/// another hash. An empty `model_hash` accepts any model: the caller reports what differs.
Checkpoint read_checkpoint(MPI_Comm comm, const std::string& path, const std::string& model_hash);

/// Collective. The values of the nodes with these tags, which must be the tags that were written,
/// over all ranks; how they are spread over the ranks is free. Throws InputError as above.
/// @param tags [n_owned]   @return [n_components x n_owned]
Eigen::MatrixXd read_distributed(MPI_Comm comm, const std::string& path, const std::string& name,
                                 const std::vector<std::int64_t>& tags);

}  // namespace solidyn::results
