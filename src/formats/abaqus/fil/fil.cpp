#include "solidyn/formats/abaqus/fil/fil.h"

#include <fmt/format.h>

#include <algorithm>

#include "formats/abaqus/deck/elements.h"
#include "formats/abaqus/matrices/fil_matrices.h"
#include "formats/shared/file_bytes.h"
#include "formats/shared/result_modes.h"

namespace solidyn::formats {
namespace {

constexpr const char* kWriteFilAgain = "the file is damaged: write it again";

/// Keys of the records.
enum Key {
  kDisplacement = 101,
  kElement = 1900,
  kNode = 1901,
  kActive = 1902,
  kOutput = 1911,
  kHeader = 1921,
  kHeading = 1922,
  kNodeSet = 1931,
  kNodeSetMore = 1932,
  kElementSet = 1933,
  kElementSetMore = 1934,
  kName = 1940,
  kMode = 1980,
  kElementMore = 1990,
  kIncrement = 2000,
  kIncrementEnd = 2001
};

/// An element, which the file names before its nodes have places.
struct Element {
  std::int64_t tag = 0;
  std::int32_t type = 0;  // index
  std::int32_t n_nodes = 0;
  const char* at = nullptr;
};

struct NamedSet {
  std::string name;
  bool holds_elements = false;
  std::vector<std::int64_t> tags;
  const char* at = nullptr;
};

class FilReader {
 public:
  FilReader(std::string_view bytes, const std::string& name)
      : file_(bytes, name), records_(file_), mesh_(file_), modes_(file_, mesh_), matrices_(file_) {
    for (std::size_t i = 0; i < 6; ++i) positions_[i] = i + 1;
  }

  AbaqusResults read() {
    FilRecord record;
    while (records_.next(record)) read_record(record);
    close_mode();
    if (!has_header_) file_.fail(nullptr, "the file has no header (record 1921)", kWriteFilAgain);
    add_elements();
    add_sets();
    AbaqusResults results;
    results.release = release_;
    place_matrices(results);
    results.modes = modes_.finish();
    warn_of_steps(results.modes);
    warn_of_missing_end(results.modes);
    results.model = mesh_.finish();
    results.modes.precision = 1e-15;
    results.model.format = results.modes.format = "Abaqus results";
    return results;
  }

 private:
  void need(const FilRecord& record, std::size_t n) {
    if (record.size() < n)
      file_.fail(record.at,
                 fmt::format("a record {} has {} words, fewer than {}", record.key,
                             record.size() + 2, n + 2),
                 kWriteFilAgain);
  }

  void read_record(const FilRecord& record) {
    if (FilMatrices::knows(record.key)) return matrices_.add(record, mesh_.report());
    switch (record.key) {
      case kHeader:
        has_header_ = true;
        return void(release_ = shown_text(record.text(0)));
      case kNode:
        return read_node(record);
      case kElement:
      case kElementMore:
        return read_element(record);
      case kNodeSet:
      case kElementSet:
      case kNodeSetMore:
      case kElementSetMore:
        return read_set(record);
      case kName:
        need(record, 1);
        names_[record.integer(0)] = shown_text(record.text(1, record.size()));
        return;
      case kActive:
        return read_active(record);
      case kIncrement:
        need(record, 6);
        close_mode();
        is_in_increment_ = true;
        return void(step_ = static_cast<int>(record.integer(5)));
      case kIncrementEnd:
        is_in_increment_ = false;
        return close_mode();
      case kMode:
        return begin_mode(record);
      case kOutput:
        need(record, 1);
        return void(is_nodal_ = record.integer(0) == 1);
      case kDisplacement:
        if (is_in_mode_ && is_nodal_) return read_displacement(record);
        break;
      case kHeading:
        return;
      default:
        break;
    }
    ++n_skipped_[record.key];
    if (n_skipped_.size() > 1000)
      file_.fail(record.at, "the file contains more than a thousand record types", kWriteFilAgain);
  }

  void read_node(const FilRecord& record) {
    need(record, 2);
    Eigen::Vector3d x = Eigen::Vector3d::Zero();
    const std::size_t n = std::min<std::size_t>(record.size() - 1, 3);
    for (std::size_t i = 0; i < n; ++i) x[static_cast<Eigen::Index>(i)] = record.real(i + 1);
    mesh_.add_node(record.integer(0), x, record.at);
  }

  void read_element(const FilRecord& record) {
    std::size_t first = 0;
    if (record.key == kElement) {
      need(record, 2);
      first = 2;
      elements_.push_back({record.integer(0), type_index(record.text(1)), 0, record.at});
    } else if (elements_.empty()) {
      file_.fail(record.at, "an element continuation without a preceding element", kWriteFilAgain);
    }
    for (std::size_t i = first; i < record.size(); ++i) element_nodes_.push_back(record.integer(i));
    elements_.back().n_nodes += static_cast<std::int32_t>(record.size() - first);
  }

  std::int32_t type_index(const std::string& name) {
    const auto found = type_numbers_.find(name);
    if (found != type_numbers_.end()) return found->second;
    if (types_.size() > 10000)
      file_.fail(nullptr, "the file contains more than 10000 element types", kWriteFilAgain);
    types_.push_back(parse_abaqus_type(shown_text(name)));
    return type_numbers_[name] = static_cast<std::int32_t>(types_.size()) - 1;
  }

  void read_set(const FilRecord& record) {
    const bool holds_elements = record.key == kElementSet || record.key == kElementSetMore;
    const bool is_new = record.key == kNodeSet || record.key == kElementSet;
    if (is_new) {
      need(record, 1);
      sets_.push_back({record.text(0), holds_elements, {}, record.at});
    } else if (sets_.empty() || sets_.back().holds_elements != holds_elements) {
      file_.fail(record.at, "a set continuation without a preceding set", kWriteFilAgain);
    }
    for (std::size_t i = is_new ? 1 : 0; i < record.size(); ++i)
      sets_.back().tags.push_back(record.integer(i));
  }

  // Where components 1 to 6 stand among the values of a node; 0: nowhere.
  void read_active(const FilRecord& record) {
    for (std::size_t i = 0; i < 6; ++i) {
      constexpr std::int64_t kMostComponents = 40;
      const std::int64_t position = i < record.size() ? record.integer(i) : 0;
      if (position < 0 || position > kMostComponents)
        file_.fail(record.at,
                   fmt::format("component {} is at position {} (record 1902)", i + 1, position),
                   kWriteFilAgain);
      positions_[i] = position > 0 ? static_cast<std::size_t>(position) : 0;
    }
  }

  void begin_mode(const FilRecord& record) {
    need(record, 3);
    close_mode();
    imported::ImportedMode mode;
    mode.number = static_cast<int>(record.integer(0));
    mode.eigenvalue = record.real(1);
    mode.generalized_mass = record.real(2);
    mode.subcase = step_;
    if (!(mode.eigenvalue - mode.eigenvalue == 0.0) ||
        !(mode.generalized_mass - mode.generalized_mass == 0.0))
      file_.complain(record.at,
                     fmt::format("mode {} has the eigenvalue {} and the generalised mass {}",
                                 mode.number, mode.eigenvalue, mode.generalized_mass),
                     "both must be finite numbers");
    modes_.begin_mode(mode, record.at);
    is_in_mode_ = is_nodal_ = true;
  }

  void close_mode() {
    if (is_in_mode_) modes_.end_mode();
    is_in_mode_ = false;
  }

  void read_displacement(const FilRecord& record) {
    need(record, 2);
    const std::size_t n = record.size() - 1;
    double values[6] = {};
    bool has_rotations = false;
    for (std::size_t i = 0; i < 6; ++i) {
      if (positions_[i] > n && i < 3)
        file_.fail(record.at,
                   fmt::format("a displacement has {} values, but component {} is at position {}",
                               n, i + 1, positions_[i]),
                   kWriteFilAgain);
      if (positions_[i] == 0 || positions_[i] > n) continue;
      values[i] = record.real(positions_[i]);
      has_rotations |= i >= 3;
    }
    modes_.add(record.integer(0), values, has_rotations, record.at);
  }

  void add_elements() {
    regions_.assign(types_.size(), -1);
    const std::int64_t* nodes = element_nodes_.data();
    for (const Element& element : elements_) {
      add_element(element, types_[element.type], nodes);
      nodes += element.n_nodes;
    }
    element_nodes_ = {};
    elements_ = {};
  }

  void add_element(const Element& element, const AbaqusType& type, const std::int64_t* nodes) {
    if (!type.shape) {
      mesh_.add_other_element(type.name);
      if (type.kind == AbaqusType::Kind::refused)
        mesh_.report().unsupported.emplace(type.name, base::SourceLocation{file_.name(), 0, 0});
      return;
    }
    if (element.tag < 1 || element.n_nodes != elements::n_nodes(*type.shape)) {
      file_.complain(
          element.at,
          fmt::format("element {} ({}) has {} nodes", element.tag, type.name, element.n_nodes),
          kWriteFilAgain);
      return;
    }
    int& region = regions_[element.type];
    if (region < 0) region = mesh_.region(type.name, type.name, -1, type.integration);
    mesh_.add_solid(*type.shape, region, element.tag, nodes, element.at);
  }

  // Names of more than eight characters are a number on the right, which another record spells.
  std::string name_of(const NamedSet& set) const {
    std::int64_t number = 0;
    const std::string& text = set.name;
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string::npos || first == 0) return shown_text(text);
    const char* end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data() + first, end, number);
    const auto known = names_.find(number);
    return error == std::errc() && last == end && known != names_.end() ? known->second
                                                                        : shown_text(text);
  }

  void add_sets() {
    for (const NamedSet& set : sets_) {
      if (set.holds_elements)
        mesh_.add_element_set(name_of(set), set.tags);
      else
        mesh_.add_node_set(name_of(set), set.tags, set.at);
    }
    for (const auto& [key, n] : n_skipped_)
      mesh_.report().skipped[fmt::format("record {}", key)] = n;
  }

  void place_matrices(AbaqusResults& results) {
    results.matrices = matrices_.finish();
    if (!results.matrices) return;
    for (const imported::Dof& dof : results.matrices->dofs) {
      const std::int32_t node = dof.component > 0 ? mesh_.find_node(dof.node) : -1;
      if (node >= 0) results.matrices->nodes.emplace(dof.node, mesh_.x(node));
    }
  }

  void warn_of_missing_end(imported::ModalData& modes) {
    if (is_in_increment_)
      modes.report.warnings.push_back(
          file_.diagnose(nullptr, "the last increment is not closed (record 2001)",
                         "is the file truncated? Modes may be missing: copy or write it again"));
    if (file_.bytes()[0] == '*') warn_of_open_end(file_, modes.report);
  }

  void warn_of_steps(imported::ModalData& modes) {
    if (!modes.modes.empty() && modes.node_tags.empty())
      modes.report.warnings.push_back(
          file_.diagnose(nullptr, "the file contains eigenvalues, but no mode shapes",
                         "request them in the frequency step: *NODE FILE, then U"));
  }

  ImportBytes file_;
  FilRecords records_;
  ResultMesh mesh_;
  ResultModes modes_;
  FilMatrices matrices_;
  bool has_header_ = false, is_in_increment_ = false, is_in_mode_ = false, is_nodal_ = false;
  int step_ = 0;
  std::string release_;
  std::size_t positions_[6];
  std::vector<Element> elements_;
  std::vector<std::int64_t> element_nodes_;
  std::vector<AbaqusType> types_;
  std::vector<int> regions_;  // by type; -1: not made yet
  std::map<std::string, std::int32_t> type_numbers_;
  std::vector<NamedSet> sets_;
  std::map<std::int64_t, std::string> names_;
  std::map<std::int64_t, std::int64_t> n_skipped_;
};

}  // namespace

AbaqusResults parse_abaqus_fil(std::string_view bytes, const std::string& name) {
  return FilReader(bytes, name).read();
}

AbaqusResults read_abaqus_fil(const std::string& path) {
  return parse_abaqus_fil(FileBytes(path).bytes(), path);
}

}  // namespace solidyn::formats
