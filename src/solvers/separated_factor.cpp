#include "separated_factor.h"

#include <algorithm>
#include <new>
#include <numeric>

#include "separator.h"
#include "solidyn/base/mpi.h"

extern "C" {
void dpotrf_(const char*, const int*, double*, const int*, int*);
void dlauum_(const char*, const int*, double*, const int*, int*);
void dtrsv_(const char*, const char*, const char*, const int*, const double*, const int*, double*,
            const int*);
void dtrsm_(const char*, const char*, const char*, const char*, const int*, const int*,
            const double*, const double*, const int*, double*, const int*);
}

namespace solidyn::solvers {
namespace {

using Eigen::Index;
using Eigen::Map;
using Eigen::MatrixXd;

// Rows of the separator beyond which MUMPS' fronts are as fast, and a dense matrix on all ranks is
// dear: measured in doc/solvers.md, "Factors on several ranks", as are the numbers below.
constexpr int kMostSeparator = 1600;
// What the rank with most may read for a solution over what each would read of equal shares.
constexpr double kMostExcess = 1.35;
// Numbers whose reading takes less time than messages do.
constexpr double kFew = 250e3;

template <class T>
std::vector<T> gather_on_all(MPI_Comm comm, const std::vector<T>& mine, MPI_Datatype type) {
  const int n = static_cast<int>(mine.size());
  std::vector<int> counts(base::size(comm)), starts(base::size(comm) + 1, 0);
  MPI_Allgather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  std::partial_sum(counts.begin(), counts.end(), starts.begin() + 1);
  std::vector<T> all(starts.back());
  MPI_Allgatherv(mine.data(), n, type, all.data(), counts.data(), starts.data(), type, comm);
  return all;
}

// @param to  what each rank is sent      @return what all have sent to this one, by ranks
template <class T>
std::vector<T> exchange(MPI_Comm comm, const std::vector<std::vector<T>>& to, MPI_Datatype type) {
  const int n_ranks = base::size(comm);
  std::vector<int> sent(n_ranks), received(n_ranks), from(n_ranks + 1, 0), at(n_ranks + 1, 0);
  std::vector<T> all;
  for (int r = 0; r < n_ranks; ++r) {
    sent[r] = static_cast<int>(to[r].size());
    all.insert(all.end(), to[r].begin(), to[r].end());
  }
  MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm);
  std::partial_sum(sent.begin(), sent.end(), from.begin() + 1);
  std::partial_sum(received.begin(), received.end(), at.begin() + 1);
  std::vector<T> got(at.back());
  MPI_Alltoallv(all.data(), sent.data(), from.data(), type, got.data(), received.data(), at.data(),
                type, comm);
  return got;
}

// The lower triangle of L L^T, in a third of the operations of a product that knows no zeros: with
// rows and columns the other way round L is an upper triangle, of which LAPACK has that product.
MatrixXd product_of(const MatrixXd& L) {
  MatrixXd reversed = L.reverse();
  const int n = static_cast<int>(L.rows());
  int failed = 0;
  if (n > 0) dlauum_("U", &n, reversed.data(), &n, &failed);
  return reversed.reverse();
}

}  // namespace

// Of one rank's entries (upper triangle, counted from 0) those that others need too.
struct SeparatedFactor::Between {
  std::vector<int> rows;       // i, j of entries within the separator, of all ranks
  std::vector<double> values;  // of these
  std::vector<int>
      foreign_rows;  // i, j where i is in the separator and j an inner row of this rank
  std::vector<double> foreign_values;

  Between(const SeparatedFactor& of, const Entries<double>& entries) {
    const int n_ranks = base::size(of.comm_), rank = base::rank(of.comm_);
    std::vector<std::vector<int>> to(n_ranks);
    std::vector<std::vector<double>> values_to(n_ranks);
    base::run_together(of.comm_, [&] {
      for (std::size_t k = 0; k < entries.row.size(); ++k) {
        const int i = entries.row[k] - 1, j = entries.column[k] - 1;
        if (of.in_separator_[i / of.block_] < 0) continue;
        if (of.in_separator_[j / of.block_] >= 0) {
          rows.insert(rows.end(), {i, j});
          values.push_back(entries.value[k]);
        } else if (const int r = of.owner(j); r != rank) {
          to[r].insert(to[r].end(), {i, j});
          values_to[r].push_back(entries.value[k]);
        }
      }
    });
    rows = gather_on_all(of.comm_, rows, MPI_INT);
    values = gather_on_all(of.comm_, values, MPI_DOUBLE);
    foreign_rows = exchange(of.comm_, to, MPI_INT);
    foreign_values = exchange(of.comm_, values_to, MPI_DOUBLE);
  }

  // Those within the separator, of its lower triangle.
  template <class Visit>
  void visit(const SeparatedFactor& of, const Visit& visit) const {
    const auto place = [&](int row) {
      return of.block_ * of.in_separator_[row / of.block_] + row % of.block_;
    };
    for (std::size_t k = 0; k < values.size(); ++k) {
      const int i = place(rows[2 * k]), j = place(rows[2 * k + 1]);
      visit(std::max(i, j), std::min(i, j), values[k]);
    }
  }
};

SeparatedFactor::SeparatedFactor(MPI_Comm comm, Precision precision)
    : comm_(comm), precision_(precision) {}

int SeparatedFactor::owner(int row) const {
  return static_cast<int>(std::upper_bound(starts_.begin(), starts_.end(), row) - starts_.begin()) -
         1;
}

void SeparatedFactor::find_separator_of(::Mat A, const Entries<double>& entries) {
  PetscInt n = 0, block = 1;
  const PetscInt* ranges = nullptr;
  SOLIDYN_PETSC(MatGetSize(A, &n, nullptr));
  SOLIDYN_PETSC(MatGetBlockSize(A, &block));
  SOLIDYN_PETSC(MatGetOwnershipRanges(A, &ranges));
  block_ = block;
  starts_.assign(ranges, ranges + base::size(comm_) + 1);
  std::vector<int> pairs, cut;
  base::run_together(comm_, [&] {
    pairs = pairs_of_blocks(entries, block);
    const int end = starts_[base::rank(comm_) + 1] / block;
    for (std::size_t k = 0; k < pairs.size(); k += 2)
      if (pairs[k + 1] >= end) cut.insert(cut.end(), {pairs[k], pairs[k + 1]});
  });
  cut = gather_on_all(comm_, cut, MPI_INT);
  base::run_together(comm_, [&] {
    choose_separator(cut, n / block);
    number_inner_blocks(pairs, cut);
  });
}

void SeparatedFactor::choose_separator(const std::vector<int>& cut, int n_blocks) {
  std::vector<int> owners(n_blocks);
  for (int r = 0; r < base::size(comm_); ++r)
    std::fill(owners.begin() + starts_[r] / block_, owners.begin() + starts_[r + 1] / block_, r);
  std::vector<CutEdge> edges;
  edges.reserve(cut.size() / 2);
  for (std::size_t k = 0; k < cut.size(); k += 2) edges.emplace_back(cut[k], cut[k + 1]);
  separator_ = find_separator(edges, owners);
  in_separator_.assign(n_blocks, -1);
  for (std::size_t k = 0; k < separator_.size(); ++k)
    in_separator_[separator_[k]] = static_cast<int>(k);
}

// And behind them what they reach of the separator.
void SeparatedFactor::number_inner_blocks(const std::vector<int>& pairs,
                                          const std::vector<int>& cut) {
  const int rank = base::rank(comm_);
  const int first = starts_[rank] / block_, end = starts_[rank + 1] / block_;
  inner_.assign(end - first, -1);
  int n_blocks = 0;
  for (int i = first; i < end; ++i)
    if (in_separator_[i] < 0) inner_[i - first] = n_blocks++;
  std::vector<char> is_reached(separator_.size(), 0);
  const auto is_inner = [&](int i) { return i >= first && i < end && in_separator_[i] < 0; };
  for (const std::vector<int>* of : {&pairs, &cut})
    for (std::size_t k = 0; k < of->size(); k += 2) {
      const int i = (*of)[k], j = (*of)[k + 1];
      if (is_inner(i) == is_inner(j)) continue;
      is_reached[in_separator_[is_inner(i) ? j : i]] = 1;
    }
  n_inner_ = n_blocks * block_;
  border_.clear();
  in_border_.assign(separator_.size(), -1);
  for (std::size_t k = 0; k < is_reached.size(); ++k)
    if (is_reached[k]) {
      in_border_[k] = static_cast<int>(border_.size());
      border_.push_back(static_cast<int>(k));
    }
}

int SeparatedFactor::place_in_own(int row) const {
  const int block = row / block_, in = row % block_, first = starts_[base::rank(comm_)] / block_;
  const int k = in_separator_[block];
  return k < 0 ? block_ * inner_[block - first] + in : n_inner_ + block_ * in_border_[k] + in;
}

// Lower triangle; a chain of entries, zeros maybe, keeps the border's columns last.
SeparatedFactor::Sparse SeparatedFactor::own_matrix(const Entries<double>& entries,
                                                    const Between& between) const {
  const int n = n_inner_ > 0 ? n_inner_ + block_ * static_cast<int>(border_.size()) : 0;
  Sparse matrix(n, n);
  if (n == 0) return matrix;
  std::vector<Eigen::Triplet<double>> found;
  found.reserve(entries.value.size());
  const auto add = [&](int i, int j, double value) {
    const int a = place_in_own(i), b = place_in_own(j);
    found.emplace_back(std::max(a, b), std::min(a, b), value);
  };
  const auto is_separator = [&](int i) { return in_separator_[i / block_] >= 0; };
  const auto is_border = [&](int i) { return in_border_[in_separator_[i / block_]] >= 0; };
  for (std::size_t k = 0; k < entries.value.size(); ++k) {
    const int i = entries.row[k] - 1, j = entries.column[k] - 1;
    const bool is_other = is_separator(i) && (is_separator(j) || owner(j) != base::rank(comm_));
    if (!is_other) add(i, j, entries.value[k]);
  }
  for (std::size_t k = 0; k < between.foreign_values.size(); ++k)
    add(between.foreign_rows[2 * k], between.foreign_rows[2 * k + 1], between.foreign_values[k]);
  for (std::size_t k = 0; k < between.values.size(); ++k) {
    const int i = between.rows[2 * k], j = between.rows[2 * k + 1];
    if (is_border(i) && is_border(j)) add(i, j, between.values[k]);
  }
  for (int i = n_inner_; i + 1 < n; ++i) found.emplace_back(i + 1, i, 0.0);
  matrix.setFromTriplets(found.begin(), found.end());
  return matrix;
}

// What any rank has found: that a part of A is not positive definite says that A is not.
template <class Work>
SeparatedFactor::Outcome SeparatedFactor::together(const Work& work) const {
  constexpr Outcome kGrowing[] = {Outcome::done, Outcome::out_of_memory,
                                  Outcome::not_positive_definite};
  Outcome mine = Outcome::done;
  base::run_together(comm_, [&] {
    try {
      mine = work();
    } catch (const std::bad_alloc&) {
      mine = Outcome::out_of_memory;
    }
  });
  int of_all = static_cast<int>(std::find(kGrowing, kGrowing + 2, mine) - kGrowing);
  MPI_Allreduce(MPI_IN_PLACE, &of_all, 1, MPI_INT, MPI_MAX, comm_);
  return kGrowing[of_all];
}

std::optional<SeparatedFactor::Outcome> SeparatedFactor::factorise(::Mat A) {
  Entries<double> entries;
  base::run_together(comm_, [&] { entries = upper_triangle<double>(A, 1.0); });
  const std::size_t pattern = hash_of_pattern(A, entries);
  const bool is_same = base::sum(comm_, std::int64_t{pattern != pattern_ || !is_analysed_}) == 0;
  if (is_same && !suits_) return std::nullopt;
  if (!is_same) {
    pattern_ = pattern;
    find_separator_of(A, entries);
    is_analysed_ = true;
    suits_ = n_separator() <= kMostSeparator;
  }
  if (!suits_) return std::nullopt;
  const Between between(*this, entries);
  Outcome outcome = together([&] {
    const Sparse own = own_matrix(entries, between);
    entries = Entries<double>();
    return factorise_own(own);
  });
  if (outcome == Outcome::done && !is_same) suits_ = gains();
  if (outcome == Outcome::done && suits_) outcome = factorise_separator(between);
  if (outcome == Outcome::not_positive_definite) {
    own_.reset();
    is_analysed_ = is_same;  // else whether it gains is not known yet
    return outcome;
  }
  if (outcome == Outcome::done && suits_) return outcome;
  suits_ = false;  // nor where there is no memory: fronts may need less
  own_.reset();
  S_.resize(0, 0);
  return std::nullopt;
}

SeparatedFactor::Outcome SeparatedFactor::factorise_own(const Sparse& matrix) {
  if (matrix.rows() == 0) {
    own_.reset();
    return Outcome::done;
  }
  if (!own_) own_ = std::make_unique<SupernodalFactor>(precision_);
  const SymmetricColumns columns{static_cast<int>(matrix.rows()), matrix.outerIndexPtr(),
                                 matrix.innerIndexPtr(), matrix.valuePtr(), block_};
  switch (own_->factorise(columns, static_cast<int>(matrix.rows()) - n_inner_)) {
    case SupernodalFactor::Outcome::done:
      return Outcome::done;
    case SupernodalFactor::Outcome::out_of_memory:
      return Outcome::out_of_memory;
    default:
      return Outcome::not_positive_definite;
  }
}

// By the numbers that a solution reads. MUMPS shares them equally, and takes 1.3 to 1.6 times as
// long for each while fronts are small.
bool SeparatedFactor::gains() const {
  const double size = precision_ == Precision::single ? sizeof(float) : sizeof(double);
  const double own = own_bytes() / size, n = n_separator(), S = 0.5 * n * n;
  const double most = base::max(comm_, own) + S;
  const double share = base::sum(comm_, own) / base::size(comm_);
  return most <= kFew || most <= kMostExcess * share;
}

SeparatedFactor::Outcome SeparatedFactor::factorise_separator(const Between& between) {
  const int n = n_separator();
  std::vector<double> terms;  // the lower triangle, packed
  Outcome outcome = together([&] {
    S_.resize(0, 0);
    terms = term_of_own(between);
    return Outcome::done;
  });
  if (outcome != Outcome::done) return outcome;
  base::sum_in_place(comm_, terms.data(), static_cast<int>(terms.size()));
  outcome = together([&] {
    S_.setZero(n, n);
    std::size_t at = 0;
    for (int j = 0; j < n; ++j)
      for (int i = j; i < n; ++i) S_(i, j) = terms[at++];
    terms = std::vector<double>();
    between.visit(*this, [&](int i, int j, double value) { S_(i, j) += value; });
    int failed = 0;
    if (n > 0) dpotrf_("L", &n, S_.data(), &n, &failed);
    return failed == 0 ? Outcome::done : Outcome::not_positive_definite;
  });
  bytes_ = base::sum(comm_, own_bytes() + sizeof(double) * static_cast<double>(S_.size()));
  return outcome;
}

// -A_si A_ii^-1 A_is of this rank, as the factor's last block less the separator's own entries.
std::vector<double> SeparatedFactor::term_of_own(const Between& between) {
  const auto n = static_cast<std::size_t>(n_separator());
  std::vector<double> term(n * (n + 1) / 2, 0.0);
  if (!own_) return term;
  const auto place = [n](std::size_t i, std::size_t j) { return j * n - j * (j + 1) / 2 + i; };
  const MatrixXd product = product_of(own_->last_block());
  for (Index b = 0; b < product.cols(); ++b)
    for (Index a = b; a < product.rows(); ++a)
      term[place(row_of_border(a), row_of_border(b))] += product(a, b);
  between.visit(*this, [&](int i, int j, double value) {
    if (in_border_[i / block_] >= 0 && in_border_[j / block_] >= 0) term[place(i, j)] -= value;
  });
  return term;
}

void SeparatedFactor::solve(const double* B, double* X, int n_columns) {
  const auto n_rows = static_cast<Index>(inner_.size()) * block_;
  const int first = starts_[base::rank(comm_)];
  const Map<const MatrixXd> given(B, n_rows, n_columns);
  Map<MatrixXd> found(X, n_rows, n_columns);
  const auto n_border = n_inner_ > 0 ? static_cast<Index>(border_.size()) * block_ : 0;
  own_columns_.setZero(n_inner_ + n_border, n_columns);
  shared_.setZero(n_separator(), n_columns);
  const auto place_shared = [&](int row) {
    return block_ * in_separator_[(first + row) / block_] + row % block_;
  };
  for (Index k = 0; k < n_columns; ++k)
    for (int i = 0; i < n_rows; ++i)
      if (const int place = inner_[i / block_]; place >= 0)
        own_columns_(block_ * place + i % block_, k) = given(i, k);
      else
        shared_(place_shared(i), k) = given(i, k);
  if (own_) own_->eliminate(own_columns_);
  for (Index k = 0; k < n_columns; ++k)
    for (Index i = 0; i < n_border; ++i)
      shared_(row_of_border(i), k) += own_columns_(n_inner_ + i, k);
  solve_separator(n_columns);
  for (Index k = 0; k < n_columns; ++k)
    for (Index i = 0; i < n_border; ++i)
      own_columns_(n_inner_ + i, k) = shared_(row_of_border(i), k);
  if (own_) own_->back_substitute(own_columns_);
  for (Index k = 0; k < n_columns; ++k)
    for (int i = 0; i < n_rows; ++i) {
      const int place = inner_[i / block_];
      found(i, k) =
          place >= 0 ? own_columns_(block_ * place + i % block_, k) : shared_(place_shared(i), k);
    }
}

void SeparatedFactor::solve_separator(int n_columns) {
  MPI_Allreduce(MPI_IN_PLACE, shared_.data(), static_cast<int>(shared_.size()), MPI_DOUBLE, MPI_SUM,
                comm_);
  const int n = n_separator(), step = 1;
  const double one = 1.0;
  if (n == 0) return;
  for (const char* side : {"N", "T"})
    if (n_columns == 1)
      dtrsv_("L", side, "N", &n, S_.data(), &n, shared_.data(), &step);
    else
      dtrsm_("L", "L", side, "N", &n, &n_columns, &one, S_.data(), &n, shared_.data(), &n);
}

}  // namespace solidyn::solvers
