#include "formats/nastran/bulk/grids.h"

#include <fmt/format.h>

#include <algorithm>

namespace solidyn::formats {

namespace {
constexpr std::uint8_t kCp = 1, kCd = 2, kPs = 4;
}

std::string components_of(std::uint8_t bits) {
  std::string components;
  for (int i = 0; i < 6; ++i)
    if (bits >> i & 1) components.push_back(static_cast<char>('1' + i));
  return components;
}

std::uint8_t bits_of(const std::string& components) {
  std::uint8_t bits = 0;
  for (const char c : components) bits = static_cast<std::uint8_t>(bits | 1 << (c - '1'));
  return bits;
}

bool NastranGrids::add(const NastranCard& card) {
  if (card.key() == card_key("GRID"))
    add_grid(card);
  else if (card.key() == card_key("GRDSET"))
    set_defaults(card);
  else if (NastranFrames::is_frame(card.key()))
    frames_.add(card);
  else
    return false;
  return true;
}

void NastranGrids::add_grid(const NastranCard& card) {
  const std::int32_t tag = card.label(1);
  const Eigen::Vector3d x(card.real(3, 0.0), card.real(4, 0.0), card.real(5, 0.0));
  Extra extra;
  extra.grid = static_cast<std::int32_t>(tags_.size());
  const bool has_cp = !card.is_blank(2), has_cd = !card.is_blank(6), has_ps = !card.is_blank(7);
  if (has_cp && card.integer(2) != 0) extra.cp = card.label(2);
  if (has_cd && card.integer(6) > 0) extra.cd = card.label(6);  // -1: a fluid's point
  if (has_ps) extra.ps = bits_of(card.components(7));
  if (extra.grid >= x_.cols())  // realloc moves pages of large matrices instead of copying them
    x_.conservativeResize(3, extra.grid + extra.grid / 2 + 64);
  x_.col(extra.grid) = x;
  tags_.push_back(tag);
  serials_.push_back(card.serial());
  given_.push_back(static_cast<std::uint8_t>(has_cp * kCp | has_cd * kCd | has_ps * kPs));
  if (extra.cp || extra.cd || extra.ps) extras_.push_back(extra);
}

void NastranGrids::set_defaults(const NastranCard& card) {
  if (card.integer(2, 0) != 0) defaults_.cp = card.label(2);
  if (card.integer(6, 0) > 0) defaults_.cd = card.label(6);
  defaults_.ps = bits_of(card.components(7));
  has_defaults_ = true;
}

/// @pre extras_ has an entry for every grid, in order
void NastranGrids::apply_defaults() {
  for (Extra& extra : extras_) {
    const std::uint8_t given = given_[extra.grid];
    if (!(given & kCp)) extra.cp = defaults_.cp;
    if (!(given & kCd)) extra.cd = defaults_.cd;
    if (!(given & kPs)) extra.ps = defaults_.ps;
  }
}

NastranGrids::Extra* NastranGrids::find_extra(std::int32_t grid) {
  const auto found =
      std::lower_bound(extras_.begin(), extras_.end(), grid,
                       [](const Extra& extra, std::int32_t g) { return extra.grid < g; });
  return found == extras_.end() || found->grid != grid ? nullptr : &*found;
}

bool NastranGrids::agree(std::int32_t a, std::int32_t b) {
  const Extra *first = find_extra(a), *second = find_extra(b);
  const Extra none;
  const Extra &ea = first ? *first : none, &eb = second ? *second : none;
  return x_.col(a) == x_.col(b) && ea.cp == eb.cp && ea.cd == eb.cd && ea.ps == eb.ps;
}

void NastranGrids::drop_repeated(Complaints& complaints, imported::ImportReport& report) {
  const std::vector<std::int32_t> repeated = index_.repeated();
  if (repeated.empty()) return;
  for (const std::int32_t grid : repeated) {
    const std::int32_t first = index_.find(tags_[grid]);
    if (!agree(first, grid))
      complaints.add({place(grid),
                      fmt::format("GRID {} is defined twice with different data (first in line {})",
                                  tags_[grid], place(first).line),
                      "use unique grid numbers"});
  }
  report.warnings.push_back(
      {place(repeated.front()),
       fmt::format("{} grids are defined twice, identically", repeated.size()), ""});
  std::vector<bool> is_dropped(tags_.size(), false);
  for (const std::int32_t grid : repeated) is_dropped[grid] = true;
  std::vector<std::int32_t> now(tags_.size(), -1);
  std::int32_t n = 0;
  for (std::size_t i = 0; i < tags_.size(); ++i) {
    if (is_dropped[i]) continue;
    now[i] = n;
    tags_[n] = tags_[i];
    serials_[n] = serials_[i];
    x_.col(n++) = x_.col(static_cast<Eigen::Index>(i)).eval();
  }
  tags_.resize(n);
  serials_.resize(n);
  std::size_t n_extras = 0;
  for (const Extra& extra : extras_)
    if (now[extra.grid] >= 0) {
      extras_[n_extras] = extra;
      extras_[n_extras++].grid = now[extra.grid];
    }
  extras_.resize(n_extras);
  index_ = LabelIndex(tags_);
}

Eigen::Vector3d NastranGrids::position_of(std::int64_t tag) {
  const std::int32_t grid = index_.find(tag);
  if (grid < 0)
    throw base::InputError(
        fmt::format("a coordinate system uses GRID {}, which is not defined in the deck", tag),
        "add the grid");
  Extra* extra = find_extra(grid);
  if (!extra || extra->is_basic || extra->cp == 0) return x_.col(grid);
  return frames_.to_basic(
      extra->cp, x_.col(grid), [&](std::int64_t other) { return position_of(other); }, place(grid));
}

void NastranGrids::make_basic(Extra& extra) {
  if (extra.cp == 0 || extra.is_basic) return;
  const Eigen::Vector3d x = frames_.to_basic(
      extra.cp, x_.col(extra.grid), [this](std::int64_t tag) { return position_of(tag); },
      place(extra.grid));
  x_.col(extra.grid) = x;
  extra.is_basic = true;
}

Eigen::Matrix3d NastranGrids::axes(std::int32_t frame, const Eigen::Vector3d& x,
                                   const base::SourceLocation& used) {
  return frames_.axes_at(
      frame, x, [this](std::int64_t tag) { return position_of(tag); }, used);
}

void NastranGrids::finish(const LineNumbers& lines, Complaints& complaints,
                          imported::ImportReport& report) {
  lines_ = &lines;
  const auto n = static_cast<std::int32_t>(tags_.size());
  x_.conservativeResize(3, n);
  if (has_defaults_) {
    std::vector<Extra> all(n);
    for (std::int32_t i = 0; i < n; ++i) all[i].grid = i;
    for (const Extra& extra : extras_) all[extra.grid] = extra;
    extras_ = std::move(all);
    apply_defaults();
  }
  given_ = {};
  index_ = LabelIndex(tags_);
  drop_repeated(complaints, report);
  for (Extra& extra : extras_) {
    try {
      make_basic(extra);
    } catch (const base::InputError& error) {
      complaints.add(error);
    }
  }
}

}  // namespace solidyn::formats
