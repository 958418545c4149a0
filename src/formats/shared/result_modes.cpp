#include "formats/shared/result_modes.h"

#include <fmt/format.h>

namespace solidyn::formats {
namespace {

constexpr const char* kOneSet =
    "write all modes at the same nodes, by the same request (Abaqus: *NODE FILE, NSET=...; CalculiX: *NODE FILE)";

}  // namespace

void ResultModes::begin_mode(const imported::ImportedMode& mode, const char* at) {
  if (!numbers_.emplace(mode.subcase, mode.number).second)
    file_.complain(at,
                   fmt::format("mode {} of step {} is defined twice", mode.number, mode.subcase),
                   "write the file again");
  mesh_.find_node(0);  // from here on the mesh has all its nodes
  if (modes_.empty()) position_of_node_.assign(static_cast<std::size_t>(mesh_.n_nodes()), -1);
  modes_.push_back(mode);
  translations_.emplace_back(3 * tags_.size(), 0.0);
  rotations_.emplace_back();
  is_given_.assign(tags_.size(), false);
  n_given_ = next_ = 0;
  mode_at_ = at;
}

void ResultModes::append_node(std::int64_t tag, const char* at) {
  const std::int32_t node = mesh_.find_node(tag);
  if (node < 0) {
    file_.complain(at,
                   fmt::format("a mode contains node {}, which is not defined in the file", tag),
                   "write mesh and modes to one file");
    return;
  }
  position_of_node_[node] = static_cast<std::int32_t>(tags_.size());
  tags_.push_back(tag);
  is_given_.push_back(false);
  translations_.back().resize(3 * tags_.size());
}

// Modes list the same nodes in the same order, as a rule.
std::int32_t ResultModes::position_of(std::int64_t tag, const char* at) {
  const auto next = static_cast<std::size_t>(next_);
  if (next < tags_.size() && tags_[next] == tag) return static_cast<std::int32_t>(next_++);
  const std::int32_t node = mesh_.find_node(tag);
  if (node >= 0 && position_of_node_[node] >= 0) {
    next_ = position_of_node_[node] + 1;
    return position_of_node_[node];
  }
  if (modes_.size() > 1) {
    file_.complain(at,
                   fmt::format("mode {} contains node {}, which the first mode does not",
                               modes_.back().number, tag),
                   kOneSet);
    return -1;
  }
  append_node(tag, at);
  next_ = static_cast<std::int64_t>(tags_.size());
  return node < 0 ? -1 : static_cast<std::int32_t>(tags_.size()) - 1;
}

void ResultModes::add(std::int64_t tag, const double* values, bool has_rotations, const char* at) {
  const std::int32_t position = position_of(tag, at);
  for (int i = 0; i < (has_rotations ? 6 : 3); ++i)
    if (!(values[i] - values[i] == 0.0)) {
      file_.complain(at,
                     fmt::format("mode {} is {} at node {}", modes_.back().number, values[i], tag),
                     "every displacement must be a finite number");
      return;
    }
  if (position < 0) return;
  std::vector<double>& u = translations_.back();
  const std::size_t first = 3 * static_cast<std::size_t>(position);
  if (is_given_[position] && !std::equal(values, values + 3, u.begin() + first))
    file_.complain(at, fmt::format("mode {} has two values at node {}", modes_.back().number, tag),
                   kOneSet);
  n_given_ += !is_given_[position];
  is_given_[position] = true;
  std::copy(values, values + 3, u.begin() + first);
  if (!has_rotations) return;
  has_rotations_ = true;
  rotations_.back().resize(u.size());
  std::copy(values + 3, values + 6, rotations_.back().begin() + first);
}

void ResultModes::end_mode() {
  const auto n = static_cast<std::int64_t>(tags_.size());
  if (!modes_.empty() && n_given_ < n)
    file_.complain(
        mode_at_,
        fmt::format("mode {} has values at only {} of {} nodes", modes_.back().number, n_given_, n),
        kOneSet);
}

imported::ModalData ResultModes::finish() {
  file_.throw_if_any();
  imported::ModalData data;
  data.source = file_.name();
  const auto n = static_cast<Eigen::Index>(tags_.size());
  data.x.resize(3, n);
  for (Eigen::Index i = 0; i < n; ++i) data.x.col(i) = mesh_.x(mesh_.find_node(tags_[i]));
  const auto n_modes = static_cast<Eigen::Index>(modes_.size());
  data.translations.resize(3 * n, n_modes);
  if (has_rotations_) data.rotations.setZero(3 * n, n_modes);
  for (Eigen::Index m = 0; m < n_modes; ++m) {
    std::vector<double>& u = translations_[m];
    data.translations.col(m) = Eigen::Map<const Eigen::VectorXd>(u.data(), 3 * n);
    u = {};
    std::vector<double>& turn = rotations_[m];
    turn.resize(has_rotations_ ? 3 * tags_.size() : 0);
    if (has_rotations_)
      data.rotations.col(m) = Eigen::Map<const Eigen::VectorXd>(turn.data(), 3 * n);
    turn = {};
  }
  data.node_tags = std::move(tags_);
  data.modes = std::move(modes_);
  return data;
}

}  // namespace solidyn::formats
