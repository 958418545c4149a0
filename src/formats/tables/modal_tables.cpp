#include "solidyn/formats/tables/modal_tables.h"

#include <fmt/format.h>

#include <set>

#include "formats/shared/file_bytes.h"
#include "formats/shared/label_index.h"
#include "formats/shared/plain_table.h"
#include "solidyn/math/constants.h"

namespace solidyn::formats {
namespace {

double mass_in(PlainTable& table, std::int64_t node) {
  const double mass = table.real();
  if (!(mass >= 0.0))
    table.file().fail(table.row(), fmt::format("the mass of node {} is {:g}", node, mass),
                      "masses must be positive");
  return mass;
}

enum class NodeColumns { places, places_and_masses };

NodeTable parse_nodes(std::string_view bytes, const std::string& name, NodeColumns columns) {
  const bool has_masses = columns == NodeColumns::places_and_masses;
  PlainTable table(bytes, name, has_masses ? "node, x, y, z, mass" : "node, x, y, z");
  NodeTable nodes;
  while (table.next_row()) {
    const std::int64_t node = table.integer();
    Eigen::Vector3d x;
    for (int c = 0; c < 3; ++c) x[c] = table.real();
    if (has_masses) nodes.masses[node] = mass_in(table, node);
    table.end_row();
    if (node < 1)
      table.file().fail(table.row(), fmt::format("node {} is not positive", node),
                        "number the nodes 1, 2, ...");
    if (!nodes.places.emplace(node, x).second)
      table.file().fail(table.row(), fmt::format("node {} is defined twice", node),
                        "write one line per node");
    nodes.order.push_back(node);
  }
  table.require_rows("nodes");
  warn_of_open_end(table.file(), nodes.report);
  return nodes;
}

/// Row after row to modes: nodes are numbered by the first mode.
class ModeTableReader {
 public:
  ModeTableReader(std::string_view bytes, const std::string& name)
      : table_(bytes, name, "mode, frequency, node, ux, uy, uz") {
    modes_.source = name;
    modes_.format = "plain table";
  }

  imported::ModalData read() {
    while (table_.next_row()) take_row();
    table_.require_rows("modes");
    close_mode();
    const auto n = static_cast<Eigen::Index>(3 * modes_.node_tags.size());
    modes_.translations = Eigen::Map<const Eigen::MatrixXd>(
        values_.data(), n, static_cast<Eigen::Index>(modes_.modes.size()));
    modes_.x.resize(3, 0);
    warn_of_open_end(table_.file(), modes_.report);
    return std::move(modes_);
  }

 private:
  void take_row() {
    const std::int64_t number = table_.integer();
    const double frequency = table_.real();
    const std::int64_t node = table_.integer();
    if (number != current_ || modes_.modes.empty()) open_mode(number, frequency);
    if (frequency != frequency_)
      fail(fmt::format("mode {} has the frequencies {:g} and {:g}", number, frequency_, frequency),
           "give all of its lines the same frequency");
    double* place = place_of(node);
    for (int c = 0; c < 3; ++c) place[c] = table_.real();
    table_.end_row();
  }

  void open_mode(std::int64_t number, double frequency) {
    close_mode();
    if (!numbers_.insert(number).second || number < 0 || number > INT32_MAX)
      fail(fmt::format("the mode number {} is negative, too large, or repeated after another mode",
                       number),
           "write the lines of a mode consecutively");
    if (!(frequency >= 0.0))
      fail(fmt::format("mode {} has the frequency {:g}", number, frequency),
           "rigid-body modes have 0");
    current_ = number;
    frequency_ = frequency;
    imported::ImportedMode mode;
    mode.number = static_cast<int>(number);
    mode.eigenvalue = math::kTwoPi * frequency * math::kTwoPi * frequency;
    modes_.modes.push_back(mode);
    n_rows_ = 0;
    is_filled_.assign(modes_.node_tags.size(), false);
    if (modes_.modes.size() > 1) values_.resize(values_.size() + 3 * modes_.node_tags.size());
  }

  void close_mode() {
    if (modes_.modes.size() == 1) {
      nodes_ = LabelIndex(modes_.node_tags);
      if (!nodes_.repeated().empty())
        fail_twice(modes_.node_tags[static_cast<std::size_t>(nodes_.repeated().front())]);
    } else if (!modes_.modes.empty() && n_rows_ != modes_.node_tags.size()) {
      fail(fmt::format("mode {} has {} nodes, the first mode {}", current_, n_rows_,
                       modes_.node_tags.size()),
           "every mode must have all nodes");
    }
  }

  /// Three numbers of the current mode.
  double* place_of(std::int64_t node) {
    if (node < 1) fail(fmt::format("node {} is not positive", node), "number the nodes 1, 2, ...");
    if (modes_.modes.size() == 1) {
      modes_.node_tags.push_back(node);
      values_.resize(values_.size() + 3);
      return values_.data() + values_.size() - 3;
    }
    const std::int32_t at = nodes_.find(node);
    if (at < 0)
      fail(fmt::format("mode {} has node {}, which the first mode does not have", current_, node),
           "all modes must have the same nodes");
    if (is_filled_[static_cast<std::size_t>(at)]) fail_twice(node);
    is_filled_[static_cast<std::size_t>(at)] = true;
    ++n_rows_;
    const std::size_t mode = 3 * modes_.node_tags.size() * (modes_.modes.size() - 1);
    return values_.data() + mode + 3 * static_cast<std::size_t>(at);
  }

  [[noreturn]] void fail(std::string what, std::string remedy) {
    table_.file().fail(table_.row(), std::move(what), std::move(remedy));
  }
  [[noreturn]] void fail_twice(std::int64_t node) {
    fail(fmt::format("node {} appears twice in mode {}", node, current_),
         "write one line per node");
  }

  PlainTable table_;
  imported::ModalData modes_;
  std::vector<double> values_;  // mode by mode
  LabelIndex nodes_;
  std::set<std::int64_t> numbers_;
  std::vector<bool> is_filled_;
  std::int64_t current_ = 0;
  double frequency_ = 0.0;
  std::size_t n_rows_ = 0;  // of the current mode, behind the first
};

}  // namespace

imported::ModalData parse_mode_table(std::string_view bytes, const std::string& name) {
  return ModeTableReader(bytes, name).read();
}

imported::ModalData read_mode_table(const std::string& path) {
  return parse_mode_table(FileBytes(path).bytes(), path);
}

NodeTable parse_node_table(std::string_view bytes, const std::string& name) {
  return parse_nodes(bytes, name, NodeColumns::places_and_masses);
}

NodeTable read_node_table(const std::string& path) {
  return parse_node_table(FileBytes(path).bytes(), path);
}

NodeTable parse_place_table(std::string_view bytes, const std::string& name) {
  return parse_nodes(bytes, name, NodeColumns::places);
}

NodeTable read_place_table(const std::string& path) {
  return parse_place_table(FileBytes(path).bytes(), path);
}

std::map<std::int64_t, double> parse_nodal_masses(std::string_view bytes, const std::string& name) {
  PlainTable table(bytes, name, "node, mass");
  std::map<std::int64_t, double> masses;
  while (table.next_row()) {
    const std::int64_t node = table.integer();
    const double mass = mass_in(table, node);
    table.end_row();
    if (!masses.emplace(node, mass).second)
      table.file().fail(table.row(), fmt::format("node {} has two masses", node),
                        "write one line per node");
  }
  table.require_rows("masses of nodes");
  return masses;
}

std::map<std::int64_t, double> read_nodal_masses(const std::string& path) {
  return parse_nodal_masses(FileBytes(path).bytes(), path);
}

}  // namespace solidyn::formats
