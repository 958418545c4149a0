#include "recursive/branch_numbers.h"

#include <numeric>

#include "solidyn/base/mpi.h"

namespace solidyn::recursive {

BranchNumbers::BranchNumbers(const BranchExchange& exchange, const std::vector<int>& counts)
    : comm_(exchange.comm()), begins_(counts.size()) {
  const std::vector<BranchShares::Branch>& branches = exchange.shares().branches;
  counts_.assign(base::size(comm_), 0);
  starts_ = counts_;
  for (std::size_t b = 0; b < counts.size(); ++b) counts_[branches[b].rank] += counts[b];
  std::partial_sum(counts_.begin(), counts_.end() - 1, starts_.begin() + 1);
  std::vector<int> next = starts_;
  for (std::size_t b = 0; b < counts.size(); ++b) {
    begins_[b] = next[branches[b].rank];
    next[branches[b].rank] += counts[b];
  }
  all_.resize(next.back());
}

void BranchNumbers::gather() {
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all_.data(), counts_.data(), starts_.data(),
                 MPI_DOUBLE, comm_);
}

}  // namespace solidyn::recursive
