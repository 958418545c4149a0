#pragma once
#include "formats/nastran/bulk/frames.h"
#include "formats/shared/complaints.h"
#include "formats/shared/label_index.h"
#include "solidyn/imported/solid_model.h"

namespace solidyn::formats {

/// GRID, GRDSET and coordinate systems of a deck: where its grids are, in basic axes, and what
/// axes their components have. Entries come in any order; finish() puts them together. Private to
/// the Nastran readers.
class NastranGrids {
 public:
  /// Takes GRID, GRDSET and CORDxx; false for any other entry.
  bool add(const NastranCard& card);
  /// Indexes the grids and turns coordinates into basic ones. Repeated grids: a warning when they
  /// agree, else a complaint.
  void finish(const LineNumbers& lines, Complaints& complaints, imported::ImportReport& report);

  /// After finish():
  std::int64_t size() const { return static_cast<std::int64_t>(tags_.size()); }
  const std::vector<std::int64_t>& tags() const { return tags_; }
  std::int32_t find(std::int64_t tag) const { return index_.find(tag); }  ///< or -1
  Eigen::Vector3d x(std::int32_t grid) const { return x_.col(grid); }
  /// Calls f(grid, axes) for every grid whose CD is not the basic system.
  template <class F>
  void for_each_axes(const F& f, Complaints& complaints) {
    for (const Extra& extra : extras_) {
      if (extra.cd == 0) continue;
      try {
        f(extra.grid, axes(extra.cd, x_.col(extra.grid), place(extra.grid)));
      } catch (const base::InputError& error) {
        complaints.add(error);
      }
    }
  }
  /// Calls f(grid, components) for every grid with permanent constraints (PS).
  template <class F>
  void for_each_support(const F& f) const {
    for (const Extra& extra : extras_)
      if (extra.ps) f(extra.grid, extra.ps);
  }
  /// Axes of a system at a basic position. Throws InputError.
  Eigen::Matrix3d axes(std::int32_t frame, const Eigen::Vector3d& x,
                       const base::SourceLocation& used);
  base::SourceLocation place(std::int32_t grid) const { return lines_->where(serials_[grid]); }

  /// Gives the coordinates away, which then are no longer here.
  Eigen::Matrix3Xd take_x() { return std::move(x_); }
  std::vector<std::int64_t> take_tags() { return std::move(tags_); }

  materials::Axes material_axes(std::int32_t frame, const base::SourceLocation& used) {
    return frames_.material_axes(
        frame, [this](std::int64_t tag) { return position_of(tag); }, used);
  }

 private:
  /// What few grids have.
  struct Extra {
    std::int32_t grid = 0, cp = 0, cd = 0;
    std::uint8_t ps = 0;    // a bit per component
    bool is_basic = false;  // x is turned into basic coordinates
  };
  void add_grid(const NastranCard& card);
  void set_defaults(const NastranCard& card);
  void apply_defaults();
  void drop_repeated(Complaints& complaints, imported::ImportReport& report);
  Extra* find_extra(std::int32_t grid);
  bool agree(std::int32_t a, std::int32_t b);
  void make_basic(Extra& extra);
  Eigen::Vector3d position_of(std::int64_t tag);

  NastranFrames frames_;
  std::vector<std::int64_t> tags_;
  Eigen::Matrix3Xd x_;
  std::vector<LineNumber> serials_;
  std::vector<std::uint8_t> given_;  // which of CP, CD, PS are: GRDSET fills the blank ones
  std::vector<Extra> extras_;        // by grid
  Extra defaults_;                   // of GRDSET
  bool has_defaults_ = false;
  LabelIndex index_;
  const LineNumbers* lines_ = nullptr;
};

/// "135" of bits 0, 2 and 4.
std::string components_of(std::uint8_t bits);
std::uint8_t bits_of(const std::string& components);

}  // namespace solidyn::formats
