#pragma once
#include <set>

#include "formats/nastran/bulk/grids.h"
#include "formats/nastran/lines/sets.h"

namespace solidyn::formats {

/// Point masses, rigid elements and constraints of a deck: CONM2, RBE2, RBE3, SPC, SPC1, SPCADD,
/// SPOINT. Private to the Nastran readers.
class NastranAttachments {
 public:
  /// False for any other entry.
  bool add(const NastranCard& card);
  /// Fills masses, rigid elements and supports. Constraint sets that case control selects count;
  /// all, if it selects none. Complains of grids that are missing.
  /// @param tags  of all grids, rising
  void finish(NastranGrids& grids, const std::vector<std::int64_t>& tags,
              const std::set<std::int32_t>& selected, imported::SolidModel& model,
              Complaints& complaints);
  bool has_supports() const { return !supports_.empty(); }
  std::int64_t n_scalar_entries() const { return n_scalar_entries_; }

 private:
  struct Mass {
    imported::PointMass values;
    std::int64_t frame = 0;
    base::SourceLocation where;
  };
  struct Rigid {
    imported::RigidElement values;
    base::SourceLocation where;
  };
  struct Support {
    std::int32_t set = 0;
    std::uint8_t components = 0;
    NastranIds ids;
    base::SourceLocation where;
  };
  void add_conm2(const NastranCard& card);
  void add_rbe2(const NastranCard& card);
  void add_rbe3(const NastranCard& card);
  void add_spc(const NastranCard& card);
  void add_spc1(const NastranCard& card);
  void finish_mass(const Mass& mass, NastranGrids& grids, imported::SolidModel& model);
  void check_supports(const std::vector<std::int64_t>& tags, Complaints& complaints) const;
  void finish_supports(NastranGrids& grids, const std::vector<std::int64_t>& tags,
                       const std::set<std::int32_t>& selected, imported::SolidModel& model,
                       Complaints& complaints) const;
  std::set<std::int32_t> expand(const std::set<std::int32_t>& selected) const;

  std::vector<Mass> masses_;
  std::vector<Rigid> rigid_;
  std::vector<Support> supports_;
  std::map<std::int32_t, std::vector<std::int32_t>> sums_;  // SPCADD
  NastranIds scalar_points_;
  std::int64_t n_scalar_entries_ = 0;
};

}  // namespace solidyn::formats
