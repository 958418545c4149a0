#include "reduction/import/imported_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "reduction/basis/rigid_motion.h"
#include "reduction/eigen/scatter.h"
#include "solidyn/base/gather.h"
#include "solidyn/base/mpi.h"
#include "solidyn/math/dense.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::Vector3d;

// Who owns which row, on rank 0.
struct Deal {
  std::vector<std::int32_t> owner;            // [n_rows] of the placed matrices
  std::vector<std::int64_t> number;           // [n_rows] global, where ranks come one by one
  std::vector<std::vector<std::int64_t>> of;  // [n_ranks] rows in the order of the rank
};

Deal deal_rows(MPI_Comm comm, const PlacedMatrices& matrices,
               const std::vector<std::int64_t>& first_owned) {
  const int n_ranks = base::size(comm);
  Deal deal;
  deal.of.resize(n_ranks);
  if (base::rank(comm) != 0) return deal;
  deal.owner.assign(matrices.n_rows(), 0);
  deal.number.resize(matrices.n_rows());
  const auto owner_of = [&](std::int64_t node) {
    return static_cast<std::int32_t>(
        std::upper_bound(first_owned.begin(), first_owned.end(), node) - first_owned.begin() - 1);
  };
  for (std::int64_t row = 0; row < matrices.n_rows(); ++row) {
    const std::int64_t extra = row - 3 * matrices.n_nodes;
    const std::int64_t node = extra < 0 ? row / 3 : matrices.extras[extra].node;
    if (node >= 0) deal.owner[row] = owner_of(node);
    deal.of[deal.owner[row]].push_back(row);
  }
  std::int64_t next = 0;
  for (const std::vector<std::int64_t>& rows : deal.of)
    for (const std::int64_t row : rows) deal.number[row] = next++;
  return deal;
}

// Rows of a matrix as each rank needs them.
struct SentRows {
  std::vector<std::vector<std::int64_t>> lengths, columns;
  std::vector<std::vector<double>> values;
  explicit SentRows(std::size_t n_ranks) : lengths(n_ranks), columns(n_ranks), values(n_ranks) {}
};

SentRows cut(const Deal& deal, const Eigen::SparseMatrix<double>& A) {
  SentRows sent(deal.of.size());
  std::vector<std::pair<std::int64_t, double>> entries;
  for (std::size_t r = 0; r < deal.of.size(); ++r)
    for (const std::int64_t row : deal.of[r]) {
      entries.clear();
      for (Eigen::SparseMatrix<double>::InnerIterator it(A, static_cast<Index>(row)); it; ++it)
        entries.emplace_back(deal.number[it.row()], it.value());  // symmetric: columns are rows
      std::sort(entries.begin(), entries.end());
      sent.lengths[r].push_back(static_cast<std::int64_t>(entries.size()));
      for (const auto& [column, value] : entries) {
        sent.columns[r].push_back(column);
        sent.values[r].push_back(value);
      }
    }
  return sent;
}

base::Mat distribute_matrix(MPI_Comm comm, const Deal& deal, const Eigen::SparseMatrix<double>& A,
                            Index n_rows) {
  const SentRows sent = cut(deal, A);
  const auto lengths = scatter_from_first(comm, sent.lengths, MPI_INT64_T);
  const auto sent_columns = scatter_from_first(comm, sent.columns, MPI_INT64_T);
  const std::vector<double> values = scatter_from_first(comm, sent.values, MPI_DOUBLE);
  std::vector<PetscInt> starts = {0};
  starts.reserve(lengths.size() + 1);
  for (const std::int64_t n : lengths) starts.push_back(starts.back() + static_cast<PetscInt>(n));
  const std::vector<PetscInt> columns(sent_columns.begin(), sent_columns.end());
  base::Mat out;
  SOLIDYN_PETSC(MatCreate(comm, out.out()));
  SOLIDYN_PETSC(MatSetSizes(out, static_cast<PetscInt>(n_rows), static_cast<PetscInt>(n_rows),
                            PETSC_DETERMINE, PETSC_DETERMINE));
  SOLIDYN_PETSC(MatSetType(out, MATAIJ));
  SOLIDYN_PETSC(MatSeqAIJSetPreallocationCSR(out, starts.data(), columns.data(), values.data()));
  SOLIDYN_PETSC(MatMPIAIJSetPreallocationCSR(out, starts.data(), columns.data(), values.data()));
  SOLIDYN_PETSC(MatSetOption(out, MAT_SYMMETRIC, PETSC_TRUE));
  return out;
}

// Eight numbers per extra row.
std::vector<double> pack(const ExtraRow& row) {
  return {static_cast<double>(row.node),
          static_cast<double>(row.component),
          row.x[0],
          row.x[1],
          row.x[2],
          row.direction[0],
          row.direction[1],
          row.direction[2]};
}

std::vector<ExtraRow> distribute_extras(MPI_Comm comm, const Deal& deal,
                                        const PlacedMatrices& matrices) {
  constexpr std::size_t kPacked = 8;
  std::vector<std::vector<double>> sent(deal.of.size());
  for (std::size_t r = 0; r < deal.of.size(); ++r)
    for (const std::int64_t row : deal.of[r]) {
      if (row < 3 * matrices.n_nodes) continue;
      const std::vector<double> packed = pack(matrices.extras[row - 3 * matrices.n_nodes]);
      sent[r].insert(sent[r].end(), packed.begin(), packed.end());
    }
  const std::vector<double> mine = scatter_from_first(comm, sent, MPI_DOUBLE);
  std::vector<ExtraRow> out;
  out.reserve(mine.size() / kPacked);
  for (std::size_t i = 0; i < mine.size(); i += kPacked)
    out.push_back({static_cast<std::int64_t>(mine[i]), static_cast<int>(mine[i + 1]),
                   Vector3d(mine[i + 2], mine[i + 3], mine[i + 4]),
                   Vector3d(mine[i + 5], mine[i + 6], mine[i + 7])});
  return out;
}

bool is_generalised(const ExtraRow& row) { return row.component == 0; }

// The generalised coordinates' share of rigid motions: K_gg r_g = -K_gb r_b. There are none of them
// on other ranks than the first.
void settle_generalised(const mesh::DistributedMesh& mesh, const ImportedRows& rows, Mat K,
                        MultiVector& R) {
  constexpr double kAtRest = 1e-7;  // forces on them, of the largest stiffness
  std::vector<PetscInt> settled;
  const Index first = 3 * rows.x.cols();
  for (std::size_t i = 0; i < rows.others.size(); ++i)
    if (is_generalised(rows.others[i]))
      settled.push_back(static_cast<PetscInt>(rows.first + first + static_cast<Index>(i)));
  const auto n = static_cast<Index>(settled.size());
  MultiVector forces(n, R.cols());
  const MultiVector K_R = multiply(K, R);
  for (Index i = 0; i < n; ++i) forces.row(i) = K_R.row(settled[i] - rows.first);
  PetscReal stiffness = 0.0;
  SOLIDYN_PETSC(MatNorm(K, NORM_INFINITY, &stiffness));
  const auto size_of = [&mesh](const MultiVector& A) {
    return base::max(mesh.comm, A.size() ? A.cwiseAbs().maxCoeff() : 0.0);
  };
  const double unbalanced = size_of(forces), motion = size_of(R);
  if (unbalanced <= kAtRest * stiffness * motion) return;
  Eigen::MatrixXd K_gg(n, n);
  if (n > 0) {
    SOLIDYN_PETSC(MatGetValues(K, static_cast<PetscInt>(n), settled.data(),
                               static_cast<PetscInt>(n), settled.data(), K_gg.data()));
    const MultiVector r = -math::solve_symmetric(K_gg, forces);
    for (Index i = 0; i < n; ++i) R.row(settled[i] - rows.first) = r.row(i);
  }
}

}  // namespace

std::vector<std::int64_t> gather_node_tags(const mesh::DistributedMesh& mesh) {
  return base::gather_on_first(
      mesh.comm,
      std::vector<std::int64_t>(mesh.node_tags.begin(), mesh.node_tags.begin() + mesh.n_owned),
      MPI_INT64_T);
}

ImportedRows distribute(const mesh::DistributedMesh& mesh, const PlacedMatrices& matrices) {
  const std::vector<std::int64_t> first_owned =
      base::gather_on_first(mesh.comm, std::vector<std::int64_t>{mesh.first_owned}, MPI_INT64_T);
  const Deal deal = deal_rows(mesh.comm, matrices, first_owned);
  ImportedRows rows;
  std::vector<ExtraRow> extras = distribute_extras(mesh.comm, deal, matrices);
  const auto loose_end = std::find_if(extras.begin(), extras.end(), [](const ExtraRow& row) {
    return row.component < 1 || row.component > 3;
  });
  const Index n_loose = (loose_end - extras.begin()) / 3;
  rows.x.resize(3, mesh.n_owned + n_loose);
  rows.x.leftCols(mesh.n_owned) = mesh.x.leftCols(mesh.n_owned);
  for (Index i = 0; i < n_loose; ++i) rows.x.col(mesh.n_owned + i) = extras[3 * i].x;
  rows.others.assign(loose_end, extras.end());
  const std::int64_t n = rows.n_rows();
  MPI_Exscan(&n, &rows.first, 1, MPI_INT64_T, MPI_SUM, mesh.comm);
  if (base::rank(mesh.comm) == 0) rows.first = 0;
  rows.K = distribute_matrix(mesh.comm, deal, matrices.K, rows.n_rows());
  rows.M = distribute_matrix(mesh.comm, deal, matrices.M, rows.n_rows());
  return rows;
}

MultiVector rigid_motions(const mesh::DistributedMesh& mesh, const ImportedRows& rows, Mat K,
                          const Vector3d& centre) {
  MultiVector R = MultiVector::Zero(rows.n_rows(), 6);
  const Index n = 3 * rows.x.cols();
  R.topRows(n) = make_rigid_motions(rows.x, centre);
  for (std::size_t i = 0; i < rows.others.size(); ++i)
    R.block<1, 3>(n + static_cast<Index>(i), 3) = rows.others[i].direction.transpose();
  settle_generalised(mesh, rows, K, R);
  return R;
}

}  // namespace solidyn::reduction
