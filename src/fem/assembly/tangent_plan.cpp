#include "fem/assembly/tangent_plan.h"

#include <fmt/format.h>
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <exception>
#include <numeric>

#include "solidyn/base/mpi.h"

namespace solidyn::fem {
namespace {

constexpr int kRegionShift = 30;
constexpr std::uint32_t kTransposed = 1u << 29;
constexpr std::uint32_t kIndexMask = kTransposed - 1;
enum Region : std::uint32_t { kOwnColumns = 0, kOtherColumns = 1, kSent = 2 };

std::uint32_t make_place(Region region, std::int64_t index) {
  return region << kRegionShift | static_cast<std::uint32_t>(index);
}
Region region_of(std::uint32_t place) { return static_cast<Region>(place >> kRegionShift); }

// One lane of a batch of blocks: entries (0,0) to (2,1) by rows, and (2,2) apart, which is where it
// stays in a transposed block.
typedef double Eight __attribute__((vector_size(64)));

struct Lanes {
  Eight first[8];  // of kLanes
  const double* last;
};

#if defined(__AVX512F__)
Lanes split(const Tensor& K) {
  __m512d row[8], t[8], s[8];
  for (int i = 0; i < 8; ++i) row[i] = reinterpret_cast<const __m512d&>(K.m[i / 3][i % 3]);
  for (int i = 0; i < 8; i += 2) {
    t[i] = _mm512_unpacklo_pd(row[i], row[i + 1]);
    t[i + 1] = _mm512_unpackhi_pd(row[i], row[i + 1]);
  }
  for (int i = 0; i < 2; ++i)
    for (int h = 0; h < 2; ++h) {
      s[4 * h + i] = _mm512_shuffle_f64x2(t[4 * h + i], t[4 * h + 2 + i], 0x88);
      s[4 * h + 2 + i] = _mm512_shuffle_f64x2(t[4 * h + i], t[4 * h + 2 + i], 0xdd);
    }
  Lanes lanes;
  for (int i = 0; i < 4; ++i) {  // s[i]: lanes {0, 4}, {1, 5}, {2, 6}, {3, 7}
    lanes.first[i] = reinterpret_cast<Eight>(_mm512_shuffle_f64x2(s[i], s[4 + i], 0x88));
    lanes.first[4 + i] = reinterpret_cast<Eight>(_mm512_shuffle_f64x2(s[i], s[4 + i], 0xdd));
  }
  lanes.last = reinterpret_cast<const double*>(&K.m[2][2]);
  return lanes;
}
#else
Lanes split(const Tensor& K) {
  Lanes lanes;
  for (int lane = 0; lane < kLanes; ++lane)
    for (int i = 0; i < 8; ++i) lanes.first[lane][i] = K.m[i / 3][i % 3][lane];
  lanes.last = reinterpret_cast<const double*>(&K.m[2][2]);
  return lanes;
}
#endif

// No vector is returned by value: without AVX-512 the ABI for that depends on the compiler.
void transpose(const Eight& rows, Eight& columns) {
  columns = Eight{rows[0], rows[3], rows[6], rows[1], rows[4], rows[7], rows[2], rows[5]};
}

void add_nine(const Eight& first, double last, double* to) {
  Eight sum;
  __builtin_memcpy(&sum, to, sizeof sum);
  sum += first;
  __builtin_memcpy(to, &sum, sizeof sum);
  to[8] += last;
}

// Block by rows into three pieces of AIJ rows.
#if defined(__AVX512F__)
void add_rows(const Eight& by_rows, double last, std::int32_t stride, double* to) {
  constexpr __mmask8 kThree = 7;
  const __m512d first = reinterpret_cast<const __m512d&>(by_rows);
  const __m512i i1 = _mm512_set_epi64(0, 0, 0, 0, 0, 5, 4, 3);
  const __m512i i2 = _mm512_set_epi64(0, 0, 0, 0, 0, 8, 7, 6);  // 8: of the second operand
  const __m512d rows[3] = {first, _mm512_permutexvar_pd(i1, first),
                           _mm512_permutex2var_pd(first, i2, _mm512_set1_pd(last))};
  for (const __m512d& row : rows) {
    _mm512_mask_storeu_pd(to, kThree, _mm512_add_pd(_mm512_maskz_loadu_pd(kThree, to), row));
    to += stride;
  }
}
#else
void add_rows(const Eight& by_rows, double last, std::int32_t stride, double* to) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      to[r * std::ptrdiff_t{stride} + c] += 3 * r + c < 8 ? by_rows[3 * r + c] : last;
}
#endif

bool has_type(Mat A, const char* type) {
  PetscBool is = PETSC_FALSE;
  SOLIDYN_PETSC(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(A), type, &is));
  return is == PETSC_TRUE;
}

// The sequential matrices of this rank's and of other ranks' columns; `other` is null on one rank,
// and where PETSc does not give it away.
struct Parts {
  Mat own = nullptr, other = nullptr;
};

Parts parts_of(Mat A) {
  Parts parts{A, nullptr};
  if (has_type(A, MATMPIBAIJ))
    SOLIDYN_PETSC(MatMPIBAIJGetSeqBAIJ(A, &parts.own, &parts.other, nullptr));
  if (has_type(A, MATMPIAIJ))
    SOLIDYN_PETSC(MatMPIAIJGetSeqAIJ(A, &parts.own, &parts.other, nullptr));
  if (has_type(A, MATMPISBAIJ)) SOLIDYN_PETSC(MatGetDiagonalBlock(A, &parts.own));
  return parts;
}

std::vector<std::pair<std::int32_t, std::int32_t>> pairs_of(const ElementGroup& group) {
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  for (int a = 0; a < group.n_nodes(); ++a)
    for (int b = a; b < group.n_nodes(); ++b) pairs.emplace_back(a, b);
  return pairs;
}

}  // namespace

TangentPlan::TangentPlan(const mesh::DistributedMesh& mesh, const ElasticBody& body,
                         const std::vector<ElementGroup>& groups, BlockFormat format)
    : mesh_(mesh), body_(body), groups_(groups), format_(format) {
  number_rows();
  number_ghost_rows(groups);
  base::run_together(mesh.comm, [&] { check_size(); });
  plan_messages();
  for (const ElementGroup& group : groups) plan_places(group);
}

void TangentPlan::check_size() const {
  const std::int64_t factor = format_ == BlockFormat::rows ? 3 : 1;
  const std::int64_t most =
      factor * std::max({start_[0].back(), start_[1].back(), ghost_start_.back()});
  if (most > static_cast<std::int64_t>(kIndexMask))
    throw base::ComputationError(fmt::format(
        "the tangent of a body has {} node blocks on one rank, the maximum is {}; use more ranks",
        most / factor, kIndexMask / factor));
}

void TangentPlan::number_rows() {
  const std::int64_t end = mesh_.first_owned + mesh_.n_owned;
  for (auto& start : start_) start.assign(1, 0);
  if (format_ == BlockFormat::rows) strides_.assign(3 * std::size_t(mesh_.n_local()), 3);
  for (std::int32_t i = 0; i < mesh_.n_owned; ++i) {
    std::int64_t n[2] = {0, 0};
    for (std::int64_t k = body_.row_start[i]; k < body_.row_start[i + 1]; ++k) {
      const std::int64_t column = body_.columns[k];
      if (!is_stored(mesh_.first_owned + i, column)) continue;
      ++n[column >= mesh_.first_owned && column < end ? kOwnColumns : kOtherColumns];
    }
    for (int region = 0; region < 2; ++region) {
      start_[region].push_back(start_[region].back() + n[region]);
      if (format_ == BlockFormat::rows)
        strides_[region * std::size_t(mesh_.n_local()) + i] =
            static_cast<std::int32_t>(3 * n[region]);
    }
  }
}

void TangentPlan::number_ghost_rows(const std::vector<ElementGroup>& groups) {
  std::vector<std::pair<std::int32_t, std::int64_t>> entries;
  for (const ElementGroup& group : groups)
    for (std::size_t batch = 0; batch < group.n_batches(); ++batch)
      for (int lane = 0; lane < group.n_valid(batch); ++lane)
        for (int a = 0; a < group.n_nodes(); ++a) {
          const std::int32_t row = group.batch_nodes(batch)[a * kLanes + lane];
          if (row < mesh_.n_owned) continue;
          for (int b = 0; b < group.n_nodes(); ++b) {
            const std::int64_t column = mesh_.global[group.batch_nodes(batch)[b * kLanes + lane]];
            if (is_stored(mesh_.global[row], column)) entries.emplace_back(row, column);
          }
        }
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  ghost_start_.assign(mesh_.n_local() - mesh_.n_owned + 1, 0);
  for (const auto& [row, column] : entries) {
    ++ghost_start_[row - mesh_.n_owned + 1];
    ghost_columns_.push_back(column);
  }
  std::partial_sum(ghost_start_.begin(), ghost_start_.end(), ghost_start_.begin());
  sent_.resize(9 * ghost_columns_.size());
}

void TangentPlan::plan_messages() {
  const std::vector<std::int64_t> first = gather_first_owned(mesh_);
  std::vector<std::vector<std::int64_t>> pairs(first.size());
  for (std::int32_t row = mesh_.n_owned; row < mesh_.n_local(); ++row) {
    std::vector<std::int64_t>& to = pairs[find_owner(first, mesh_.global[row])];
    const std::int32_t ghost = row - mesh_.n_owned;
    for (std::int64_t k = ghost_start_[ghost]; k < ghost_start_[ghost + 1]; ++k) {
      to.push_back(mesh_.global[row]);
      to.push_back(ghost_columns_[k]);
    }
  }
  const Received received = exchange_indices(mesh_.comm, pairs);
  std::int64_t sent = 0;
  for (std::size_t r = 0; r < first.size(); ++r) {
    Message message;
    message.rank = static_cast<int>(r);
    message.first_sent = sent;
    message.n_sent = static_cast<std::int64_t>(pairs[r].size() / 2);
    sent += message.n_sent;
    for (int k = received.start[r]; k < received.start[r + 1]; k += 2) {
      const std::int32_t row = static_cast<std::int32_t>(received.values[k] - mesh_.first_owned);
      message.places.push_back(find_owned(row, received.values[k + 1]));
      if (format_ == BlockFormat::rows)
        message.strides.push_back(stride(row, message.places.back()));
    }
    message.buffer.resize(9 * message.places.size());
    if (message.n_sent || !message.places.empty()) messages_.push_back(std::move(message));
  }
  requests_.resize(2 * messages_.size());
}

TangentPlan::Place TangentPlan::find_owned(std::int32_t row, std::int64_t column) const {
  const auto columns = body_.columns.begin();
  const auto begin = columns + body_.row_start[row], end = columns + body_.row_start[row + 1];
  const std::int64_t first_own = mesh_.first_owned, end_own = mesh_.first_owned + mesh_.n_owned;
  const auto at = std::lower_bound(begin, end, column);
  SOLIDYN_ASSERT(at != end && *at == column);
  const auto own = std::lower_bound(begin, end, first_own),
             other = std::lower_bound(own, end, end_own);
  const bool is_upper = format_ == BlockFormat::upper;
  const Region region = at >= own && at < other ? kOwnColumns : kOtherColumns;
  std::int64_t index = start_[region][row];
  if (region == kOwnColumns)
    index += at - (is_upper ? std::lower_bound(own, other, first_own + row) : own);
  else if (is_upper)
    index += at - other;
  else
    index += at < own ? at - begin : (at - other) + (own - begin);
  if (format_ == BlockFormat::rows)  // the row's first piece of three
    index += 2 * start_[region][row];
  return make_place(region, index);
}

TangentPlan::Place TangentPlan::find(std::int32_t row, std::int64_t column) const {
  if (row < mesh_.n_owned) return find_owned(row, column);
  const std::int32_t ghost = row - mesh_.n_owned;
  const auto begin = ghost_columns_.begin() + ghost_start_[ghost];
  const auto end = ghost_columns_.begin() + ghost_start_[ghost + 1];
  const std::int64_t index = std::lower_bound(begin, end, column) - ghost_columns_.begin();
  return make_place(kSent, format_ == BlockFormat::rows ? 3 * index : index);
}

std::int32_t TangentPlan::stride(std::int32_t row, Place place) const {
  return strides_[region_of(place) * std::size_t(mesh_.n_local()) + row];
}

double* TangentPlan::address(Place place) const {
  const std::size_t size = format_ == BlockFormat::rows ? 3 : 9;
  return regions_[region_of(place)] + size * (place & kIndexMask);
}

void TangentPlan::plan_places(const ElementGroup& group) {
  std::vector<Place>& places = places_.emplace_back();
  const auto pairs = pairs_of(group);
  const bool is_upper = format_ == BlockFormat::upper;
  places.reserve(group.n_batches() * pairs.size() * (is_upper ? 1 : 2) * kLanes);
  for (std::size_t batch = 0; batch < group.n_batches(); ++batch)
    for (const auto& [a, b] : pairs)
      for (int side = 0; side < (is_upper ? 1 : 2); ++side)
        for (int lane = 0; lane < kLanes; ++lane) {
          std::int32_t row = group.batch_nodes(batch)[a * kLanes + lane];
          std::int32_t column = group.batch_nodes(batch)[b * kLanes + lane];
          const bool is_turned = is_upper && mesh_.global[row] > mesh_.global[column];
          if (is_turned || side == 1) std::swap(row, column);
          places.push_back(find(row, mesh_.global[column]) | (is_turned ? kTransposed : 0u));
        }
}

template <class Add>
void TangentPlan::for_blocks(std::size_t batch, const ElementGroup& group, const Tensor* blocks,
                             const Add& add) {
  const int n = group.n_nodes(), n_lanes = group.n_valid(batch);
  for (int a = 0; a < n; ++a)
    for (int b = a; b < n; ++b) {
      const Lanes lanes = split(*blocks++);
      add(a, b, lanes, n_lanes);
    }
}

void TangentPlan::prefetch(std::size_t g, std::size_t batch) const {
  const int n = groups_[g].n_nodes(), n_sides = format_ == BlockFormat::upper ? 1 : 2;
  const int n_places = n * (n + 1) / 2 * n_sides * kLanes;
  const Place* place = &places_[g][batch * n_places];
  for (int k = 0; k < n_places; ++k) {
    const double* block = address(place[k]);
    __builtin_prefetch(block, 1);
    if (format_ != BlockFormat::rows) __builtin_prefetch(block + 8, 1);
  }
}

void TangentPlan::add(std::size_t g, std::size_t batch, const Tensor* blocks) {
  const ElementGroup& group = groups_[g];
  const int n = group.n_nodes(), n_sides = format_ == BlockFormat::upper ? 1 : 2;
  const Place* place = &places_[g][batch * (n * (n + 1) / 2) * n_sides * kLanes];
  switch (format_) {
    case BlockFormat::upper:
      for_blocks(batch, group, blocks, [&](int, int, const Lanes& lanes, int n_lanes) {
        for (int lane = 0; lane < n_lanes; ++lane) {
          // By columns, so that it is the transposed block whose numbers come by rows.
          Eight both[2] = {lanes.first[lane], lanes.first[lane]};
          transpose(lanes.first[lane], both[0]);
          add_nine(both[(place[lane] & kTransposed) != 0], lanes.last[lane], address(place[lane]));
        }
        place += kLanes;
      });
      return;
    case BlockFormat::full:
      for_blocks(batch, group, blocks, [&](int a, int b, const Lanes& lanes, int n_lanes) {
        for (int lane = 0; lane < n_lanes; ++lane) {
          Eight columns;
          transpose(lanes.first[lane], columns);
          add_nine(columns, lanes.last[lane], address(place[lane]));
          if (a != b) add_nine(lanes.first[lane], lanes.last[lane], address(place[kLanes + lane]));
        }
        place += 2 * kLanes;
      });
      return;
    case BlockFormat::rows:
      for_blocks(batch, group, blocks, [&](int a, int b, const Lanes& lanes, int n_lanes) {
        const std::int32_t* nodes = group.batch_nodes(batch);
        for (int lane = 0; lane < n_lanes; ++lane) {
          const Place ab = place[lane], ba = place[kLanes + lane];
          add_rows(lanes.first[lane], lanes.last[lane], stride(nodes[a * kLanes + lane], ab),
                   address(ab));
          if (a == b) continue;
          Eight columns;
          transpose(lanes.first[lane], columns);
          add_rows(columns, lanes.last[lane], stride(nodes[b * kLanes + lane], ba), address(ba));
        }
        place += 2 * kLanes;
      });
      return;
  }
}

void TangentPlan::open(Mat A) {
  const Parts parts = parts_of(A);
  const auto get = format_ == BlockFormat::upper  ? MatSeqSBAIJGetArray
                   : format_ == BlockFormat::full ? MatSeqBAIJGetArray
                                                  : MatSeqAIJGetArray;
  SOLIDYN_PETSC(get(parts.own, &regions_[kOwnColumns]));
  if (parts.other) {
    SOLIDYN_PETSC(get(parts.other, &regions_[kOtherColumns]));
  } else {
    others_.resize(9 * start_[kOtherColumns].back());
    regions_[kOtherColumns] = others_.data();
  }
  regions_[kSent] = sent_.data();
  for (int region = 0; region < 2; ++region)
    std::fill_n(regions_[region], 9 * start_[region].back(), 0.0);
  std::fill(sent_.begin(), sent_.end(), 0.0);
}

void TangentPlan::close(Mat A) {
  const Parts parts = parts_of(A);
  const auto restore = format_ == BlockFormat::upper  ? MatSeqSBAIJRestoreArray
                       : format_ == BlockFormat::full ? MatSeqBAIJRestoreArray
                                                      : MatSeqAIJRestoreArray;
  SOLIDYN_PETSC(restore(parts.own, &regions_[kOwnColumns]));
  if (parts.other)
    SOLIDYN_PETSC(restore(parts.other, &regions_[kOtherColumns]));
  else
    insert_others(A);
  // So that solvers see that the numbers have changed; moves nothing.
  SOLIDYN_PETSC(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  SOLIDYN_PETSC(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  std::fill_n(regions_, 3, nullptr);
}

void TangentPlan::begin(Mat A, double mass, MassKind kind) {
  open(A);
  if (mass != 0.0) add_mass(mass, kind);
}

void TangentPlan::add_mass(double mass, MassKind kind) {
  for (std::int32_t i = 0; i < mesh_.n_owned; ++i) {
    const std::int64_t row = mesh_.first_owned + i;
    for (std::int64_t k = body_.row_start[i]; k < body_.row_start[i + 1]; ++k) {
      const std::int64_t column = body_.columns[k];
      if (!is_stored(row, column) || (kind == MassKind::lumped && column != row)) continue;
      const double m = mass * (kind == MassKind::lumped ? body_.lumped_mass[i] : body_.mass[k]);
      const Place place = find_owned(i, column);
      // From (c, c) to (c + 1, c + 1).
      const std::ptrdiff_t step = format_ == BlockFormat::rows ? stride(i, place) + 1 : 4;
      double* to = address(place);
      for (int c = 0; c < 3; ++c) to[c * step] += m;
    }
  }
}

void TangentPlan::add_received(const Message& message) {
  const double* values = message.buffer.data();
  for (std::size_t k = 0; k < message.places.size(); ++k, values += 9) {
    double* to = address(message.places[k]);
    if (format_ == BlockFormat::rows) {
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          to[r * std::ptrdiff_t{message.strides[k]} + c] += values[3 * r + c];
    } else {
      for (int c = 0; c < 9; ++c) to[c] += values[c];
    }
  }
}

void TangentPlan::finish(Mat A) {
  MPI_Request* request = requests_.data();
  for (Message& message : messages_)
    MPI_Irecv(message.buffer.data(), static_cast<int>(message.buffer.size()), MPI_DOUBLE,
              message.rank, 0, mesh_.comm, request++);
  for (const Message& message : messages_)
    MPI_Isend(sent_.data() + 9 * message.first_sent, static_cast<int>(9 * message.n_sent),
              MPI_DOUBLE, message.rank, 0, mesh_.comm, request++);
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  for (const Message& message : messages_) add_received(message);
  close(A);
}

void TangentPlan::insert_others(Mat A) const {
  const std::int64_t end_own = mesh_.first_owned + mesh_.n_owned;
  std::vector<PetscInt> columns;
  std::vector<double> values;
  const double* block = others_.data();
  for (std::int32_t i = 0; i < mesh_.n_owned; ++i) {
    const std::size_t n = start_[kOtherColumns][i + 1] - start_[kOtherColumns][i];
    if (n == 0) continue;
    const PetscInt row = static_cast<PetscInt>(mesh_.first_owned + i);
    columns.clear();
    for (std::int64_t k = body_.row_start[i]; k < body_.row_start[i + 1]; ++k)
      if (body_.columns[k] >= end_own) columns.push_back(static_cast<PetscInt>(body_.columns[k]));
    values.resize(9 * n);
    for (std::size_t k = 0; k < n; ++k, block += 9)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) values[3 * (r * n + k) + c] = block[3 * c + r];
    SOLIDYN_PETSC(MatSetValuesBlocked(A, 1, &row, static_cast<PetscInt>(n), columns.data(),
                                      values.data(), INSERT_VALUES));
  }
}

std::size_t TangentPlan::bytes() const {
  std::size_t sum =
      9 * sizeof(double) * ghost_columns_.size() + sizeof(std::int64_t) * ghost_columns_.size();
  for (const auto& places : places_) sum += places.size() * sizeof(Place);
  for (const auto& start : start_) sum += start.size() * sizeof(std::int64_t);
  sum += others_.size() * sizeof(double);
  for (const Message& message : messages_)
    sum += message.places.size() * sizeof(Place) + message.buffer.size() * sizeof(double);
  return sum + strides_.size() * sizeof(std::int32_t);
}

}  // namespace solidyn::fem
