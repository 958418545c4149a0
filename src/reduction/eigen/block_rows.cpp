#include "reduction/eigen/block_rows.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "solidyn/base/mpi.h"

namespace solidyn::reduction {
namespace {

// Compilers make one fused multiplication and addition of a statement a * x + y with these.
template <int W>
struct Lanes {
  typedef float Type __attribute__((vector_size(W * sizeof(float))));
};

template <int W>
typename Lanes<W>::Type load(const float* from) {
  typename Lanes<W>::Type lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

template <int W>
void store(const typename Lanes<W>::Type& lanes, float* to) {
  std::memcpy(to, &lanes, sizeof lanes);
}

/// One row of a matrix, copied: PETSc lends one at a time.
struct LentRow {
  std::vector<PetscInt> columns;
  std::vector<PetscScalar> values;
  void read(::Mat A, PetscInt row) {
    PetscInt n = 0;
    const PetscInt* c = nullptr;
    const PetscScalar* v = nullptr;
    SOLIDYN_PETSC(MatGetRow(A, row, &n, &c, &v));
    columns.assign(c, c + n);
    values.assign(v, v + n);
    SOLIDYN_PETSC(MatRestoreRow(A, row, &n, &c, &v));
  }
};

}  // namespace

BlockRows::BlockRows(::Mat A) {
  PetscInt first_row = 0, end_row = 0, first_column = 0, end_column = 0;
  SOLIDYN_PETSC(MatGetOwnershipRange(A, &first_row, &end_row));
  SOLIDYN_PETSC(MatGetOwnershipRangeColumn(A, &first_column, &end_column));
  SOLIDYN_ASSERT((end_row - first_row) % 3 == 0 && (end_column - first_column) % 3 == 0);
  n_columns_ = static_cast<std::int32_t>((end_column - first_column) / 3);
  starts_.assign(1, 0);
  starts_.reserve((end_row - first_row) / 3 + 1);
  MatInfo info;
  SOLIDYN_PETSC(MatGetInfo(A, MAT_LOCAL, &info));
  values_.reserve(static_cast<std::size_t>(info.nz_used));
  std::vector<std::int64_t> global;  // block columns of all entries
  LentRow rows[3];
  std::vector<std::int64_t> blocks;
  for (PetscInt row = first_row; row < end_row; row += 3) {
    blocks.clear();
    for (int i = 0; i < 3; ++i) {
      rows[i].read(A, row + i);
      for (const PetscInt column : rows[i].columns) blocks.push_back(column / 3);
    }
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    const std::size_t at = values_.size();
    values_.resize(at + 9 * blocks.size(), 0.0F);
    for (int i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < rows[i].columns.size(); ++k) {
        const PetscInt column = rows[i].columns[k];
        const auto block = std::lower_bound(blocks.begin(), blocks.end(), column / 3);
        values_[at + 9 * (block - blocks.begin()) + 3 * i + column % 3] =
            static_cast<float>(rows[i].values[k]);
      }
    global.insert(global.end(), blocks.begin(), blocks.end());
    starts_.push_back(static_cast<std::int64_t>(global.size()));
  }
  values_.shrink_to_fit();
  number_ghosts(global, A);
}

void BlockRows::number_ghosts(const std::vector<std::int64_t>& global, ::Mat A) {
  PetscInt first = 0;
  SOLIDYN_PETSC(MatGetOwnershipRangeColumn(A, &first, nullptr));
  first /= 3;
  const auto is_own = [&](std::int64_t block) {
    return block >= first && block < first + n_columns_;
  };
  std::vector<PetscInt> ghosts;
  for (const std::int64_t block : global)
    if (!is_own(block)) ghosts.push_back(static_cast<PetscInt>(block));
  std::sort(ghosts.begin(), ghosts.end());
  ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
  n_ghosts_ = static_cast<std::int32_t>(ghosts.size());
  columns_.reserve(global.size());
  for (const std::int64_t block : global) {
    const auto ghost = std::lower_bound(ghosts.begin(), ghosts.end(), block);
    columns_.push_back(static_cast<std::int32_t>(
        is_own(block) ? block - first : n_columns_ + (ghost - ghosts.begin())));
  }
  const MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(A));
  if (base::size(comm) == 1) return;
  PetscLayout layout = nullptr;
  SOLIDYN_PETSC(PetscLayoutCreateFromSizes(comm, n_columns_, PETSC_DETERMINE, 1, &layout));
  SOLIDYN_PETSC(PetscSFCreate(comm, owners_.out()));
  SOLIDYN_PETSC(
      PetscSFSetGraphLayout(owners_, layout, n_ghosts_, nullptr, PETSC_COPY_VALUES, ghosts.data()));
  SOLIDYN_PETSC(PetscLayoutDestroy(&layout));
  SOLIDYN_PETSC(PetscSFSetUp(owners_));
}

std::size_t BlockRows::bytes() const {
  return starts_.size() * sizeof starts_[0] + columns_.size() * sizeof columns_[0] +
         values_.size() * sizeof values_[0];
}

void BlockRows::fetch_ghosts(int width, float* x) const {
  if (!owners_) return;
  MPI_Datatype block = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(3 * width, MPI_FLOAT, &block);
  MPI_Type_commit(&block);
  float* ghosts = x + std::ptrdiff_t{3} * width * n_columns_;
  SOLIDYN_PETSC(PetscSFBcastBegin(owners_, block, x, ghosts, MPI_REPLACE));
  SOLIDYN_PETSC(PetscSFBcastEnd(owners_, block, x, ghosts, MPI_REPLACE));
  MPI_Type_free(&block);
}

// Nine sums, which do not wait for each other.
template <int W, class Write>
void BlockRows::visit_rows(const float* x, const Write& write) const {
  using Lane = typename Lanes<W>::Type;
  const std::int32_t n = n_rows();
  for (std::int32_t i = 0; i < n; ++i) {
    Lane xx{}, xy{}, xz{}, yx{}, yy{}, yz{}, zx{}, zy{}, zz{};
    for (std::int64_t k = starts_[i]; k < starts_[i + 1]; ++k) {
      const float *a = &values_[9 * k], *v = x + std::ptrdiff_t{3 * W} * columns_[k];
      const Lane v_x = load<W>(v), v_y = load<W>(v + W), v_z = load<W>(v + 2 * W);
      xx += a[0] * v_x;
      xy += a[1] * v_y;
      xz += a[2] * v_z;
      yx += a[3] * v_x;
      yy += a[4] * v_y;
      yz += a[5] * v_z;
      zx += a[6] * v_x;
      zy += a[7] * v_y;
      zz += a[8] * v_z;
    }
    const std::ptrdiff_t at = std::ptrdiff_t{3 * W} * i;
    write(at, Lane(xx + xy + xz));
    write(at + W, Lane(yx + yy + yz));
    write(at + 2 * W, Lane(zx + zy + zz));
  }
}

template <class Write>
void BlockRows::visit_rows(int width, float* x, const Write& write) const {
  fetch_ghosts(width, x);
  switch (width) {
    case 4:
      return visit_rows<4>(x, write);
    case 8:
      return visit_rows<8>(x, write);
    case 16:
      return visit_rows<16>(x, write);
    default:
      SOLIDYN_ASSERT(false);
  }
}

namespace {

template <class Lane>
constexpr int width_of() {
  return static_cast<int>(sizeof(Lane) / sizeof(float));
}

}  // namespace

void BlockRows::multiply(int width, float* x, float* y) const {
  visit_rows(width, x,
             [y](std::ptrdiff_t at, const auto& sum) { std::memcpy(y + at, &sum, sizeof sum); });
}

void BlockRows::add_product(int width, float* x, float* y) const {
  visit_rows(width, x, [y](std::ptrdiff_t at, const auto& sum) {
    constexpr int W = width_of<std::decay_t<decltype(sum)>>();
    store<W>(load<W>(y + at) + sum, y + at);
  });
}

void BlockRows::subtract_product(int width, float* x, const float* b, float* r) const {
  visit_rows(width, x, [b, r](std::ptrdiff_t at, const auto& sum) {
    constexpr int W = width_of<std::decay_t<decltype(sum)>>();
    store<W>(load<W>(b + at) - sum, r + at);
  });
}

}  // namespace solidyn::reduction
