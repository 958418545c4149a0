#pragma once
#include <cstdint>
#include <vector>

#include "fem/assembly/element_groups.h"
#include "fem/assembly/ghost_exchange.h"
#include "solidyn/fem/elastic_body.h"

namespace solidyn::fem {

/// Where PETSc keeps a node block: SBAIJ and BAIJ as nine numbers by columns, of the upper triangle
/// or of all; AIJ as three pieces of three rows.
enum class BlockFormat { upper, full, rows };

/// The places of all element blocks in the arrays of one matrix format, found once. A place is a
/// region (2 bits: this rank's columns, other ranks' columns, rows of ghosts to be sent), for
/// `upper` whether the block is stored transposed (1 bit), and an index in blocks (`rows`: in
/// threes of numbers).
class TangentPlan {
 public:
  /// Collective. All arguments must outlive this object. Throws ComputationError (on all ranks) if
  /// a rank has more blocks than a place can number.
  TangentPlan(const mesh::DistributedMesh& mesh, const ElasticBody& body,
              const std::vector<ElementGroup>& groups, BlockFormat format);

  /// Opens the arrays of A (made with the body's pattern) and sets them to mass M.
  void begin(Mat A, double mass, MassKind kind);

  /// Asks for the memory that add() of this batch will change, so that it comes while its blocks
  /// are computed.
  void prefetch(std::size_t group, std::size_t batch) const;

  /// Adds the blocks (a, b), b >= a, of a batch's elements.
  void add(std::size_t group, std::size_t batch, const Tensor* blocks);

  /// Collective. Exchanges the ghosts' rows, closes the arrays.
  void finish(Mat A);

  std::size_t bytes() const;

 private:
  using Place = std::uint32_t;
  struct Message {
    int rank = 0;
    std::int64_t first_sent = 0, n_sent = 0;  ///< blocks of the send region
    std::vector<Place> places;                ///< of the blocks that come
    std::vector<std::int32_t> strides;        ///< `rows` only
    std::vector<double> buffer;
  };

  void number_rows();
  void number_ghost_rows(const std::vector<ElementGroup>& groups);
  void plan_messages();
  void plan_places(const ElementGroup& group);
  void check_size() const;
  Place find(std::int32_t row, std::int64_t column) const;
  Place find_owned(std::int32_t row, std::int64_t column) const;
  bool is_stored(std::int64_t row, std::int64_t column) const {
    return format_ != BlockFormat::upper || row <= column;
  }
  std::int32_t stride(std::int32_t row, Place place) const;
  double* address(Place place) const;
  void add_mass(double mass, MassKind kind);
  void add_received(const Message& message);
  void insert_others(Mat A) const;
  void open(Mat A);
  void close(Mat A);
  template <class Add>
  void for_blocks(std::size_t batch, const ElementGroup& group, const Tensor* blocks,
                  const Add& add);

  const mesh::DistributedMesh& mesh_;
  const ElasticBody& body_;
  const std::vector<ElementGroup>& groups_;
  BlockFormat format_;
  std::vector<std::int64_t> start_[2];  ///< [n_owned + 1] first block of a row in the region
  std::vector<std::int64_t> ghost_start_, ghost_columns_;  ///< rows of ghosts, sorted
  std::vector<std::vector<Place>> places_;  ///< of each group [batch][block][(a,b), (b,a)][lane]
  std::vector<std::int32_t> strides_;       ///< `rows`: [3 regions][n_local]
  std::vector<Message> messages_;
  std::vector<double> sent_;    ///< values of the send region
  std::vector<double> others_;  ///< the region of MPISBAIJ that PETSc hides
  double* regions_[3] = {};     ///< the arrays, while open
  std::vector<MPI_Request> requests_;
};

}  // namespace solidyn::fem
