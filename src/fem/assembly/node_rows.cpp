#include "fem/assembly/node_rows.h"

#include <numeric>

#include "solidyn/base/mpi.h"

namespace solidyn::fem {
namespace {

// Elements at each local node: `elements` holds (block, element) pairs, node i's from start[i] on.
struct NodeElements {
  std::vector<std::int64_t> start;
  std::vector<std::pair<std::int32_t, std::int64_t>> elements;
};

NodeElements find_elements_of_nodes(const mesh::DistributedMesh& mesh) {
  NodeElements out;
  out.start.assign(mesh.n_local() + 1, 0);
  for (const mesh::ElementBlock& block : mesh.solids)
    for (const std::int32_t node : block.connectivity) ++out.start[node + 1];
  std::partial_sum(out.start.begin(), out.start.end(), out.start.begin());
  out.elements.resize(out.start.back());
  std::vector<std::int64_t> next(out.start.begin(), out.start.end() - 1);
  for (std::size_t b = 0; b < mesh.solids.size(); ++b) {
    const int n = elements::n_nodes(mesh.solids[b].type);
    for (std::size_t k = 0; k < mesh.solids[b].connectivity.size(); ++k)
      out.elements[next[mesh.solids[b].connectivity[k]]++] = {static_cast<std::int32_t>(b), k / n};
  }
  return out;
}

std::vector<std::int64_t> all_first_owned(const mesh::DistributedMesh& mesh) {
  std::vector<std::int64_t> first(base::size(mesh.comm));
  MPI_Allgather(&mesh.first_owned, 1, MPI_INT64_T, first.data(), 1, MPI_INT64_T, mesh.comm);
  return first;
}

template <class T>
std::vector<T> exchange_with_all(MPI_Comm comm, const std::vector<std::vector<T>>& send,
                                 MPI_Datatype type) {
  const int n_ranks = base::size(comm);
  std::vector<int> n_send(n_ranks), n_receive(n_ranks), at_send(n_ranks + 1, 0),
      at_receive(n_ranks + 1, 0);
  for (int r = 0; r < n_ranks; ++r) n_send[r] = static_cast<int>(send[r].size());
  MPI_Alltoall(n_send.data(), 1, MPI_INT, n_receive.data(), 1, MPI_INT, comm);
  std::partial_sum(n_send.begin(), n_send.end(), at_send.begin() + 1);
  std::partial_sum(n_receive.begin(), n_receive.end(), at_receive.begin() + 1);
  std::vector<T> flat, received(at_receive.back());
  flat.reserve(at_send.back());
  for (const std::vector<T>& part : send) flat.insert(flat.end(), part.begin(), part.end());
  MPI_Alltoallv(flat.data(), n_send.data(), at_send.data(), type, received.data(), n_receive.data(),
                at_receive.data(), type, comm);
  return received;
}

// One contribution to an owned row: where its columns and values are.
struct Piece {
  std::int32_t row;
  const std::int64_t* columns;
  std::int64_t n;
  const double* stiffness;  // null without
  const double* mass;
  double lumped;
};

void add_piece(const Piece& piece, ElasticBody& body) {
  const auto begin = body.columns.begin() + body.row_start[piece.row];
  const auto end = body.columns.begin() + body.row_start[piece.row + 1];
  for (std::int64_t j = 0; j < piece.n; ++j) {
    const std::int64_t k = std::lower_bound(begin, end, piece.columns[j]) - body.columns.begin();
    body.mass[k] += piece.mass[j];
    if (piece.stiffness)
      for (int c = 0; c < 9; ++c) body.stiffness[9 * k + c] += piece.stiffness[9 * j + c];
  }
  body.lumped_mass[piece.row] += piece.lumped;
}

// Merges the pieces, which are sorted by row.
void merge_pieces(const std::vector<Piece>& pieces, std::int32_t n_rows, ElasticBody& body) {
  body.row_start.assign(1, 0);
  std::vector<std::int64_t> columns;
  auto piece = pieces.begin();
  for (std::int32_t row = 0; row < n_rows; ++row) {
    columns.clear();
    for (; piece != pieces.end() && piece->row == row; ++piece)
      columns.insert(columns.end(), piece->columns, piece->columns + piece->n);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    body.columns.insert(body.columns.end(), columns.begin(), columns.end());
    body.row_start.push_back(static_cast<std::int64_t>(body.columns.size()));
  }
  body.mass.assign(body.columns.size(), 0.0);
  if (!pieces.empty() && pieces.front().stiffness)
    body.stiffness.assign(9 * body.columns.size(), 0.0);
  body.lumped_mass = Eigen::VectorXd::Zero(n_rows);
  for (const Piece& p : pieces) add_piece(p, body);
}

}  // namespace

NodeRows::NodeRows(const mesh::DistributedMesh& mesh, RowContent content)
    : mesh_(mesh), content_(content) {
  const NodeElements at = find_elements_of_nodes(mesh);
  const std::int32_t n = mesh.n_local();
  std::vector<std::int32_t> seen_by(n, -1);
  row_start_.reserve(n + 1);
  row_start_.push_back(0);
  for (std::int32_t node = 0; node < n; ++node) {
    for (std::int64_t k = at.start[node]; k < at.start[node + 1]; ++k) {
      const auto [b, e] = at.elements[k];
      const mesh::ElementBlock& block = mesh.solids[b];
      const int n_nodes = elements::n_nodes(block.type);
      for (int a = 0; a < n_nodes; ++a) {
        const std::int32_t other = block.connectivity[e * n_nodes + a];
        if (seen_by[other] == node) continue;
        seen_by[other] = node;
        columns_.push_back(mesh.global[other]);
      }
    }
    std::sort(columns_.begin() + row_start_.back(), columns_.end());
    row_start_.push_back(static_cast<std::int64_t>(columns_.size()));
  }
  if (has_stiffness()) stiffness_.assign(9 * columns_.size(), 0.0);
  mass_.assign(columns_.size(), 0.0);
  lumped_.assign(n, 0.0);
}

ElasticBody NodeRows::exchange() {
  ElasticBody body;
  body.comm = mesh_.comm;
  body.first_owned = mesh_.first_owned;
  const std::int32_t n_owned = mesh_.n_owned;
  if (base::size(mesh_.comm) == 1) {
    body.row_start = std::move(row_start_);
    body.columns = std::move(columns_);
    body.stiffness = std::move(stiffness_);
    body.mass = std::move(mass_);
    body.lumped_mass = Eigen::Map<const Eigen::VectorXd>(lumped_.data(), n_owned);
    return body;
  }

  const std::vector<std::int64_t> first = all_first_owned(mesh_);
  std::vector<std::vector<std::int64_t>> indices(first.size());
  std::vector<std::vector<double>> values(first.size());
  for (std::int32_t row = n_owned; row < mesh_.n_local(); ++row) {
    const std::int64_t global = mesh_.global[row];
    const auto owner = std::upper_bound(first.begin(), first.end(), global) - first.begin() - 1;
    const std::int64_t begin = row_start_[row], end = row_start_[row + 1];
    indices[owner].push_back(global);
    indices[owner].push_back(end - begin);
    indices[owner].insert(indices[owner].end(), columns_.begin() + begin, columns_.begin() + end);
    std::vector<double>& v = values[owner];
    v.push_back(lumped_[row]);
    v.insert(v.end(), mass_.begin() + begin, mass_.begin() + end);
    if (has_stiffness())
      v.insert(v.end(), stiffness_.begin() + 9 * begin, stiffness_.begin() + 9 * end);
  }
  const auto received_indices = exchange_with_all(mesh_.comm, indices, MPI_INT64_T);
  const auto received_values = exchange_with_all(mesh_.comm, values, MPI_DOUBLE);

  std::vector<Piece> pieces;
  for (std::int32_t row = 0; row < n_owned; ++row) {
    const std::int64_t begin = row_start_[row];
    pieces.push_back({row, &columns_[begin], row_start_[row + 1] - begin,
                      has_stiffness() ? &stiffness_[9 * begin] : nullptr, &mass_[begin],
                      lumped_[row]});
  }
  const double* v = received_values.data();
  for (std::size_t at = 0; at < received_indices.size();) {
    const std::int64_t n = received_indices[at + 1];
    pieces.push_back({static_cast<std::int32_t>(received_indices[at] - mesh_.first_owned),
                      &received_indices[at + 2], n, has_stiffness() ? v + 1 + n : nullptr, v + 1,
                      v[0]});
    at += 2 + n;
    v += 1 + (has_stiffness() ? 10 : 1) * n;
  }
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const Piece& a, const Piece& b) { return a.row < b.row; });
  merge_pieces(pieces, n_owned, body);
  return body;
}

}  // namespace solidyn::fem
