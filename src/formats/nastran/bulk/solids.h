#pragma once
#include <optional>

#include "formats/nastran/bulk/grids.h"

namespace solidyn::formats {

/// CTETRA, CPENTA, CHEXA and CPYRAM of a deck, in our node order. Private to the Nastran readers.
class NastranSolids {
 public:
  static bool is_solid(std::uint64_t key);
  /// @pre is_solid(card.key()). Throws InputError for an element with some of its mid-side grids.
  void add(const NastranCard& card);

  /// Grids become nodes: numbers of grids turn into columns of grids' coordinates. Complains of
  /// grids that are missing or used twice in an element, and of repeated elements.
  void connect(const NastranGrids& grids, const LineNumbers& lines, Complaints& complaints,
               imported::ImportReport& report);
  /// Left-handed tetrahedra, which Nastran accepts, are turned. @pre connect()
  void turn_tetrahedra(const NastranGrids& grids, const LineNumbers& lines,
                       imported::ImportReport& report);

  /// Elements; `regions` holds the number of the property (PID) of each.
  std::vector<mesh::ElementBlock>& blocks() { return blocks_; }
  /// The line of an element.
  LineNumber serial(std::size_t block, std::int64_t element) const {
    return serials_[block][element];
  }
  /// "CHEXA"
  static const char* card_name(elements::ElementType type);

 private:
  std::size_t block_of(elements::ElementType type);
  void drop_repeated(const LineNumbers& lines, Complaints& complaints,
                     imported::ImportReport& report);
  void drop(std::size_t block, const std::vector<bool>& is_dropped);

  std::vector<mesh::ElementBlock> blocks_;
  std::vector<std::vector<LineNumber>> serials_;  // [block][element]
};

/// nastran[i]: where Nastran's list of an element's grids has our node i.
const std::vector<int>& nastran_order(elements::ElementType solid);

}  // namespace solidyn::formats
