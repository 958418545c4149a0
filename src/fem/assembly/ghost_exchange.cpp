#include "fem/assembly/ghost_exchange.h"

#include <algorithm>
#include <numeric>

#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"

namespace solidyn::fem {

std::vector<std::int64_t> gather_first_owned(const mesh::DistributedMesh& mesh) {
  std::vector<std::int64_t> first(base::size(mesh.comm));
  MPI_Allgather(&mesh.first_owned, 1, MPI_INT64_T, first.data(), 1, MPI_INT64_T, mesh.comm);
  return first;
}

int find_owner(const std::vector<std::int64_t>& first_owned, std::int64_t global) {
  return static_cast<int>(std::upper_bound(first_owned.begin(), first_owned.end(), global) -
                          first_owned.begin()) -
         1;
}

Received exchange_indices(MPI_Comm comm, const std::vector<std::vector<std::int64_t>>& send) {
  const int n_ranks = base::size(comm);
  std::vector<int> n_send(n_ranks), n_receive(n_ranks), at_send(n_ranks + 1, 0);
  Received received;
  received.start.assign(n_ranks + 1, 0);
  for (int r = 0; r < n_ranks; ++r) n_send[r] = static_cast<int>(send[r].size());
  MPI_Alltoall(n_send.data(), 1, MPI_INT, n_receive.data(), 1, MPI_INT, comm);
  std::partial_sum(n_send.begin(), n_send.end(), at_send.begin() + 1);
  std::partial_sum(n_receive.begin(), n_receive.end(), received.start.begin() + 1);
  std::vector<std::int64_t> flat;
  for (const auto& part : send) flat.insert(flat.end(), part.begin(), part.end());
  received.values.resize(received.start.back());
  MPI_Alltoallv(flat.data(), n_send.data(), at_send.data(), MPI_INT64_T, received.values.data(),
                n_receive.data(), received.start.data(), MPI_INT64_T, comm);
  return received;
}

GhostExchange::GhostExchange(const mesh::DistributedMesh& mesh)
    : comm_(mesh.comm), n_local_(mesh.n_local()) {
  const std::vector<std::int64_t> first = gather_first_owned(mesh);
  std::vector<std::vector<std::int64_t>> wanted(first.size());
  for (std::int32_t i = mesh.n_owned; i < n_local_; ++i)
    wanted[find_owner(first, mesh.global[i])].push_back(mesh.global[i]);
  const Received asked = exchange_indices(comm_, wanted);
  std::int32_t ghost = mesh.n_owned;
  for (std::size_t r = 0; r < first.size(); ++r) {
    Neighbour neighbour;
    neighbour.rank = static_cast<int>(r);
    neighbour.first_ghost = ghost;
    neighbour.n_ghosts = static_cast<std::int32_t>(wanted[r].size());
    ghost += neighbour.n_ghosts;
    for (int k = asked.start[r]; k < asked.start[r + 1]; ++k)
      neighbour.mirrors.push_back(static_cast<std::int32_t>(asked.values[k] - mesh.first_owned));
    neighbour.buffer.resize(3, neighbour.mirrors.size());
    if (neighbour.n_ghosts || !neighbour.mirrors.empty())
      neighbours_.push_back(std::move(neighbour));
  }
}

void GhostExchange::update(Eigen::Ref<Eigen::Matrix3Xd> x) const {
  SOLIDYN_ASSERT(x.cols() == n_local_ && requests_.empty());
  for (const Neighbour& other : neighbours_)
    if (other.n_ghosts)
      MPI_Irecv(x.data() + 3 * std::ptrdiff_t{other.first_ghost}, 3 * other.n_ghosts, MPI_DOUBLE,
                other.rank, 0, comm_, &requests_.emplace_back());
  for (const Neighbour& other : neighbours_) {
    if (other.mirrors.empty()) continue;
    for (std::size_t k = 0; k < other.mirrors.size(); ++k)
      other.buffer.col(k) = x.col(other.mirrors[k]);
    MPI_Isend(other.buffer.data(), static_cast<int>(other.buffer.size()), MPI_DOUBLE, other.rank, 0,
              comm_, &requests_.emplace_back());
  }
  wait();
}

void GhostExchange::begin_add_to_owners(Eigen::Ref<Eigen::Matrix3Xd> f) const {
  SOLIDYN_ASSERT(f.cols() == n_local_ && requests_.empty());
  for (const Neighbour& other : neighbours_)
    if (!other.mirrors.empty())
      MPI_Irecv(other.buffer.data(), static_cast<int>(other.buffer.size()), MPI_DOUBLE, other.rank,
                0, comm_, &requests_.emplace_back());
  for (const Neighbour& other : neighbours_)
    if (other.n_ghosts)
      MPI_Isend(f.data() + 3 * std::ptrdiff_t{other.first_ghost}, 3 * other.n_ghosts, MPI_DOUBLE,
                other.rank, 0, comm_, &requests_.emplace_back());
}

void GhostExchange::end_add_to_owners(Eigen::Ref<Eigen::Matrix3Xd> f) const {
  wait();
  for (const Neighbour& other : neighbours_) {
    for (std::size_t k = 0; k < other.mirrors.size(); ++k)
      f.col(other.mirrors[k]) += other.buffer.col(k);
    f.middleCols(other.first_ghost, other.n_ghosts).setZero();
  }
}

void GhostExchange::add_to_owners(Eigen::Ref<Eigen::Matrix3Xd> f) const {
  begin_add_to_owners(f);
  end_add_to_owners(f);
}

void GhostExchange::wait() const {
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  requests_.clear();
}

std::size_t GhostExchange::bytes() const {
  std::size_t sum = 0;
  for (const Neighbour& other : neighbours_)
    sum += other.mirrors.size() * (sizeof(std::int32_t) + 24);
  return sum;
}

}  // namespace solidyn::fem
