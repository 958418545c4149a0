#include "solidyn/reduction/stress_modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "solidyn/base/mpi.h"
#include "solidyn/fem/stress_recovery.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

template <class T>
std::vector<T> gather_all(MPI_Comm comm, const std::vector<T>& mine, MPI_Datatype type) {
  std::vector<int> counts(base::size(comm)), starts(base::size(comm) + 1, 0);
  const int n = static_cast<int>(mine.size());
  MPI_Allgather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  std::partial_sum(counts.begin(), counts.end(), starts.begin() + 1);
  std::vector<T> all(starts.back());
  MPI_Allgatherv(mine.data(), n, type, all.data(), counts.data(), starts.data(), type, comm);
  return all;
}

// Collective. What all ranks have of a place, by the nodes' numbers in the file.
StressPlace gather_place(const mesh::DistributedMesh& mesh, const std::string& name,
                         const std::vector<std::int32_t>& nodes, const MatrixXd& S) {
  const Index n_modes = S.cols(), stride = 3 + 6 * n_modes;
  std::vector<std::int64_t> my_tags;
  std::vector<double> my_numbers;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    my_tags.push_back(mesh.node_tags[nodes[k]]);
    const Eigen::Vector3d x = mesh.x.col(nodes[k]);
    my_numbers.insert(my_numbers.end(), x.data(), x.data() + 3);
    const MatrixXd rows = S.middleRows<6>(6 * static_cast<Index>(k));
    my_numbers.insert(my_numbers.end(), rows.data(), rows.data() + rows.size());
  }
  const auto tags = gather_all(mesh.comm, my_tags, MPI_INT64_T);
  const auto numbers = gather_all(mesh.comm, my_numbers, MPI_DOUBLE);
  std::vector<std::size_t> order(tags.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return tags[a] < tags[b]; });

  const Index n = static_cast<Index>(tags.size());
  StressPlace place{name, {}, Eigen::Matrix3Xd(3, n), MatrixXd(6 * n, n_modes)};
  for (Index k = 0; k < n; ++k) {
    const double* from = numbers.data() + stride * static_cast<Index>(order[k]);
    place.node_tags.push_back(tags[order[k]]);
    place.x_B.col(k) = Eigen::Map<const Eigen::Vector3d>(from);
    place.S.middleRows<6>(6 * k) = Eigen::Map<const MatrixXd>(from + 3, 6, n_modes);
  }
  return place;
}

// Rows of S, which has six per node of `all` (ascending), at some of these nodes.
MatrixXd rows_at_nodes(const MatrixXd& S, const std::vector<std::int32_t>& all,
                       const std::vector<std::int32_t>& some) {
  MatrixXd rows(6 * some.size(), S.cols());
  for (std::size_t k = 0; k < some.size(); ++k) {
    const auto found = std::lower_bound(all.begin(), all.end(), some[k]) - all.begin();
    rows.middleRows<6>(6 * static_cast<Index>(k)) = S.middleRows<6>(6 * found);
  }
  return rows;
}

}  // namespace

StressModes compute_stress_modes(const mesh::DistributedMesh& mesh, const fem::Sections& sections,
                                 const MatrixXd& X, const StressOptions& options) {
  std::vector<std::vector<std::int32_t>> of_places;
  StressModes modes;
  modes.is_in_pictures = options.pictures == StressInPictures::on_surface;
  if (modes.is_in_pictures) modes.nodes = fem::find_surface_nodes(mesh);
  std::vector<std::int32_t> all = modes.nodes;
  for (const StressPlaceDefinition& place : options.places) {
    of_places.push_back(
        mesh::select_nodes(mesh, fmt::format("stress place `{}`", place.name), place.nodes));
    all.insert(all.end(), of_places.back().begin(), of_places.back().end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  const bool is_wanted = !options.places.empty() || modes.is_in_pictures;
  const MatrixXd S =
      is_wanted ? fem::StressRecovery(mesh, sections, all).compute(X) : MatrixXd(0, X.cols());
  for (std::size_t i = 0; i < of_places.size(); ++i)
    modes.places.push_back(gather_place(mesh, options.places[i].name, of_places[i],
                                        rows_at_nodes(S, all, of_places[i])));
  modes.S = rows_at_nodes(S, all, modes.nodes);
  return modes;
}

}  // namespace solidyn::reduction
