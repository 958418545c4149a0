#include "results/row_numbering.h"

#include <algorithm>
#include <numeric>

#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"

namespace solidyn::results {
namespace {

using Integers = std::vector<std::int64_t>;

std::vector<int> starts_of(const std::vector<int>& counts) {
  std::vector<int> starts(counts.size() + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), starts.begin() + 1);
  return starts;
}

std::vector<int> counts_received(MPI_Comm comm, const std::vector<int>& n_sent) {
  std::vector<int> n_received(n_sent.size());
  MPI_Alltoall(n_sent.data(), 1, MPI_INT, n_received.data(), 1, MPI_INT, comm);
  return n_received;
}

void all_to_all(MPI_Comm comm, MPI_Datatype type, const void* sent, const std::vector<int>& n_sent,
                void* received, const std::vector<int>& n_received) {
  const std::vector<int> from = starts_of(n_sent), to = starts_of(n_received);
  MPI_Alltoallv(sent, n_sent.data(), from.data(), type, received, n_received.data(), to.data(),
                type, comm);
}

// Items in the order of the ranks that they go to, and how many go to each.
struct Sorting {
  std::vector<std::int32_t> items;
  std::vector<int> n_per_rank;
};

template <class RankOf>
Sorting sort_by_rank(std::size_t n_items, int n_ranks, const RankOf& rank_of) {
  Sorting sorting;
  sorting.n_per_rank.assign(n_ranks, 0);
  for (std::size_t i = 0; i < n_items; ++i)
    if (rank_of(i) >= 0) ++sorting.n_per_rank[rank_of(i)];
  std::vector<int> next = starts_of(sorting.n_per_rank);
  sorting.items.resize(next.back());
  for (std::size_t i = 0; i < n_items; ++i)
    if (rank_of(i) >= 0) sorting.items[next[rank_of(i)]++] = static_cast<std::int32_t>(i);
  return sorting;
}

Integers pick(const Integers& values, const std::vector<std::int32_t>& items) {
  Integers picked(items.size());
  std::transform(items.begin(), items.end(), picked.begin(), [&](auto i) { return values[i]; });
  return picked;
}

Integers send(MPI_Comm comm, const Integers& values, const std::vector<int>& n_sent,
              const std::vector<int>& n_received) {
  Integers received(std::accumulate(n_received.begin(), n_received.end(), std::size_t{0}));
  all_to_all(comm, MPI_INT64_T, values.data(), n_sent, received.data(), n_received);
  return received;
}

// One message item is a whole column, so that counts stay small.
class ColumnType {
 public:
  explicit ColumnType(int n_components) {
    MPI_Type_contiguous(n_components, MPI_DOUBLE, &type_);
    MPI_Type_commit(&type_);
  }
  ColumnType(const ColumnType&) = delete;
  ColumnType& operator=(const ColumnType&) = delete;
  ~ColumnType() { MPI_Type_free(&type_); }
  operator MPI_Datatype() const { return type_; }  // NOLINT(google-explicit-constructor)

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace

RowNumbering::RowNumbering(MPI_Comm comm, const Integers& tags) : comm_(comm) {
  // The smallest and the largest in one reduction.
  std::int64_t limits[2] = {INT64_MIN, INT64_MIN};
  for (const std::int64_t tag : tags) {
    limits[0] = std::max(limits[0], -tag);
    limits[1] = std::max(limits[1], tag);
  }
  MPI_Allreduce(MPI_IN_PLACE, limits, 2, MPI_INT64_T, MPI_MAX, comm_);
  if (limits[1] == INT64_MIN) return;  // no tags at all
  lowest_ = -limits[0];
  highest_ = limits[1];
  const int n_ranks = base::size(comm_);
  tags_per_rank_ = (highest_ - lowest_) / n_ranks + 1;

  const Sorting sorting =
      sort_by_rank(tags.size(), n_ranks, [&](std::size_t i) { return keeper_of(tags[i]); });
  kept_ = send(comm_, pick(tags, sorting.items), sorting.n_per_rank,
               counts_received(comm_, sorting.n_per_rank));
  std::sort(kept_.begin(), kept_.end());
  kept_.erase(std::unique(kept_.begin(), kept_.end()), kept_.end());
  const auto n_kept = static_cast<std::int64_t>(kept_.size());
  MPI_Exscan(&n_kept, &first_row_, 1, MPI_INT64_T, MPI_SUM, comm_);
  if (base::rank(comm_) == 0) first_row_ = 0;
  n_rows_ = base::sum(comm_, n_kept);
}

int RowNumbering::keeper_of(std::int64_t tag) const {
  if (tag < lowest_ || tag > highest_) return -1;
  return static_cast<int>((tag - lowest_) / tags_per_rank_);
}

std::int64_t RowNumbering::row_of(std::int64_t tag) const {
  const auto found = std::lower_bound(kept_.begin(), kept_.end(), tag);
  return found != kept_.end() && *found == tag ? first_row_ + (found - kept_.begin()) : -1;
}

Integers RowNumbering::rows_of(const Integers& tags) const {
  const Sorting sorting = sort_by_rank(tags.size(), base::size(comm_),
                                       [&](std::size_t i) { return keeper_of(tags[i]); });
  const std::vector<int> n_asked = counts_received(comm_, sorting.n_per_rank);
  Integers answers = send(comm_, pick(tags, sorting.items), sorting.n_per_rank, n_asked);
  for (std::int64_t& value : answers) value = row_of(value);
  const Integers received = send(comm_, answers, n_asked, sorting.n_per_rank);
  Integers rows(tags.size(), -1);
  for (std::size_t i = 0; i < received.size(); ++i) rows[sorting.items[i]] = received[i];
  return rows;
}

RowExchange::RowExchange(MPI_Comm comm, const Integers& rows, std::int64_t n_rows) : comm_(comm) {
  const std::int64_t n_ranks = base::size(comm), me = base::rank(comm);
  const auto block_start = [&](std::int64_t r) { return n_rows * r / n_ranks; };
  first_ = block_start(me);
  n_ = block_start(me + 1) - first_;
  const auto keeper = [&](std::size_t i) -> int {
    if (rows[i] < 0) return -1;
    std::int64_t r = std::min(rows[i] * n_ranks / n_rows, n_ranks - 1);
    while (r > 0 && block_start(r) > rows[i]) --r;
    while (block_start(r + 1) <= rows[i]) ++r;
    return static_cast<int>(r);
  };
  Sorting sorting = sort_by_rank(rows.size(), static_cast<int>(n_ranks), keeper);
  sent_ = std::move(sorting.items);
  n_sent_ = std::move(sorting.n_per_rank);
  n_received_ = counts_received(comm_, n_sent_);
  const Integers received = send(comm_, pick(rows, sent_), n_sent_, n_received_);
  landing_.resize(received.size());
  std::transform(received.begin(), received.end(), landing_.begin(),
                 [&](std::int64_t row) { return static_cast<std::int32_t>(row - first_); });
}

bool RowExchange::covers_all_rows() const {
  std::vector<char> is_covered(n_, 0);
  for (const std::int32_t row : landing_) is_covered[row] = 1;
  const bool once = static_cast<std::int64_t>(landing_.size()) == n_ &&
                    std::count(is_covered.begin(), is_covered.end(), 1) == n_;
  return base::sum(comm_, std::int64_t{once ? 0 : 1}) == 0;
}

std::vector<double> RowExchange::to_block(const double* columns, int n_components) const {
  return to_block(n_components, [&](std::int32_t i, double* column) {
    std::copy_n(columns + std::ptrdiff_t{i} * n_components, n_components, column);
  });
}

std::vector<double> RowExchange::to_block(int n_components, const Fill& fill) const {
  std::vector<double> packed(sent_.size() * n_components);
  for (std::size_t i = 0; i < sent_.size(); ++i) fill(sent_[i], packed.data() + i * n_components);
  std::vector<double> received(landing_.size() * n_components);
  all_to_all(comm_, ColumnType(n_components), packed.data(), n_sent_, received.data(), n_received_);
  std::vector<double> block(n_ * n_components);
  for (std::size_t i = 0; i < landing_.size(); ++i)
    std::copy_n(received.data() + i * n_components, n_components,
                block.data() + std::ptrdiff_t{landing_[i]} * n_components);
  return block;
}

void RowExchange::from_block(const std::vector<double>& block, int n_components,
                             double* columns) const {
  SOLIDYN_ASSERT(static_cast<std::int64_t>(block.size()) == n_ * n_components);
  std::vector<double> packed(landing_.size() * n_components);
  for (std::size_t i = 0; i < landing_.size(); ++i)
    std::copy_n(block.data() + std::ptrdiff_t{landing_[i]} * n_components, n_components,
                packed.data() + i * n_components);
  std::vector<double> received(sent_.size() * n_components);
  all_to_all(comm_, ColumnType(n_components), packed.data(), n_received_, received.data(), n_sent_);
  for (std::size_t i = 0; i < sent_.size(); ++i)
    std::copy_n(received.data() + i * n_components, n_components,
                columns + std::ptrdiff_t{sent_[i]} * n_components);
}

}  // namespace solidyn::results
