#include "solidyn/formats/calculix/frd.h"

#include <fmt/format.h>

#include "formats/calculix/frd_numbers.h"
#include "formats/shared/file_bytes.h"
#include "formats/shared/result_modes.h"
#include "solidyn/math/constants.h"

namespace solidyn::formats {
namespace {

using elements::ElementType;

constexpr const char* kWriteResultsAgain =
    "the file is damaged or truncated: write it again (CalculiX: *NODE FILE or *NODE OUTPUT)";

/// What the headers in front of a block of results say.
struct ModeHeader {
  imported::ImportedMode mode;
  bool has_eigenvalue = false, has_mass = false;
};

struct SolidType {
  ElementType type;
  const int* order;  // Abaqus' node i is the file's node order[i]; null: the same
};

/// The four edges that go up come before those of the top.
const SolidType* find_solid(std::int64_t number) {
  static constexpr int kHex20[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,
                                   10, 11, 16, 17, 18, 19, 12, 13, 14, 15};
  static constexpr int kWedge15[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14, 9, 10, 11};
  static constexpr SolidType kTypes[] = {
      {ElementType::hex8, nullptr},     {ElementType::wedge6, nullptr},
      {ElementType::tet4, nullptr},     {ElementType::hex20, kHex20},
      {ElementType::wedge15, kWedge15}, {ElementType::tet10, nullptr}};
  return number >= 1 && number <= 6 ? &kTypes[number - 1] : nullptr;
}

/// Shells, beams and springs: name and number of nodes.
struct OtherType {
  const char* name;
  int n_nodes;
};
const OtherType* find_other(std::int64_t number) {
  static constexpr OtherType kTypes[] = {{"tri3", 3},  {"tri6", 6},  {"quad4", 4},
                                         {"quad8", 8}, {"line2", 2}, {"line3", 3}};
  return number >= 7 && number <= 12 ? &kTypes[number - 7] : nullptr;
}

class FrdReader {
 public:
  FrdReader(std::string_view bytes, const std::string& name)
      : file_(bytes, name), lines_(file_), mesh_(file_), modes_(file_, mesh_) {}

  CalculixResults read() {
    refuse_empty(file_, "a CalculiX results file (.frd)");
    if (file_.bytes().substr(0, 6) != "    1C" && file_.bytes().substr(0, 6) != "    1U" &&
        file_.bytes().substr(0, 6) != "    2C")
      file_.fail(nullptr, "the file does not start like a CalculiX results file",
                 "a .frd file starts with `    1C`");
    bool has_end = false;
    while (!has_end && lines_.next()) has_end = read_line();
    if (!has_nodes_) file_.fail(nullptr, "the file contains no nodes (2C)", kWriteResultsAgain);
    CalculixResults results;
    results.model = mesh_.finish();
    results.modes = modes_.finish();
    results.model.format = results.modes.format = "CalculiX results";
    results.modes.precision = precision_;
    tell_of_missing_headers(results.model.report);
    if (!has_end)
      results.model.report.warnings.push_back(
          file_.diagnose(nullptr, "the end marker 9999 is missing", "is the file truncated?"));
    return results;
  }

 private:
  bool is_key(const char* key) const { return lines_.line().substr(0, 6) == key; }

  // True at the end mark.
  bool read_line() {
    const std::string_view line = lines_.line();
    if (is_key("    1U")) {
      read_user_header(line);
    } else if (is_key("    1P")) {
      read_header(line);
    } else if (is_key("    2C")) {
      read_nodes();
    } else if (is_key("    3C")) {
      read_elements();
    } else if (is_key("  100C")) {
      read_results();
    } else if (line.substr(0, 5) == " 9999") {
      return true;
    } else if (!is_key("    1C") && line.find_first_not_of(" \t") != std::string_view::npos) {
      file_.fail(line.data(),
                 fmt::format("found `{}` instead of the start of a block", shown_text(line)),
                 kWriteResultsAgain);
    }
    return false;
  }

  // `    1UMAT    1STEEL`
  void read_user_header(std::string_view line) {
    if (line.substr(0, 9) == "    1UPGM" && line.find("CalculiX") != line.npos)
      is_of_calculix_ = true;
    if (line.substr(0, 9) != "    1UMAT") return;
    std::string_view name = frd_field(line, 14, 64);
    const std::int64_t number = lines_.integer(9, 5, "the number of a material", 0);
    while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
    if (number >= 1 && number <= 1000000) material_names_[number] = shown_text(name);
  }

  void read_header(std::string_view line) {
    const std::string_view key = frd_field(line, 6, 6);
    if (key.substr(0, 4) == "STEP") {
      header_ = {};
      header_.mode.subcase = static_cast<int>(lines_.integer(48, 12, "a step", 0));
    } else if (key.substr(0, 2) == "GM") {
      header_.mode.generalized_mass = lines_.real(12, 28, "a generalised mass");
      header_.has_mass = true;
    } else if (key.substr(0, 2) == "GK") {
      header_.mode.eigenvalue = lines_.real(12, 28, "an eigenvalue");
      header_.has_eigenvalue = true;
    } else if (key.substr(0, 4) == "MODE") {
      header_.mode.number = static_cast<int>(lines_.integer(12, 28, "a mode", 0));
    }
  }

  FrdFormat read_format(std::size_t column, std::size_t width = 1) {
    const std::int64_t number = lines_.integer(column, width, "the format of a block", 0);
    if (number < 0 || number > 3)
      file_.fail(lines_.line().data(), fmt::format("unknown block format {}", number),
                 "expected 0 or 1 (text), 2 or 3 (binary)");
    if (is_binary(static_cast<FrdFormat>(number))) file_.become_binary();
    return static_cast<FrdFormat>(number);
  }

  // The number of entries; refused when the rest of the file is too short for it.
  std::int64_t read_count(std::size_t least_bytes, const char* what) {
    constexpr std::int64_t kUnknown = -1;
    const std::int64_t n = lines_.integer(24, 12, "a count", kUnknown);
    const auto room = static_cast<std::int64_t>(lines_.n_left() / least_bytes);
    if (n > room)
      file_.fail(
          lines_.line().data(),
          fmt::format("{} {} are declared, but the file has room for at most {}", n, what, room),
          kWriteResultsAgain);
    return n;
  }

  void check_count(std::int64_t n, std::int64_t announced, const char* what, const char* at) {
    if (announced >= 0 && n != announced)
      file_.fail(at,
                 fmt::format("{} {} are declared, but the block contains {}", announced, what, n),
                 kWriteResultsAgain);
  }

  static std::size_t label_width(FrdFormat format) {
    return format == FrdFormat::short_text ? 5 : 10;
  }

  void read_nodes() {
    const char* at = lines_.line().data();
    if (has_nodes_) file_.fail(at, "the nodes are defined twice (2C)", kWriteResultsAgain);
    has_nodes_ = true;
    const FrdFormat format = read_format(73);
    const std::int64_t announced = read_count(16, "nodes");
    mesh_.reserve_nodes(std::max<std::int64_t>(announced, 0));
    double x[3];
    if (is_binary(format)) {
      if (announced < 0) file_.fail(at, "the number of nodes is missing", kWriteResultsAgain);
      for (std::int64_t i = 0; i < announced; ++i) {
        const char* here = lines_.here();
        const std::int64_t tag = lines_.binary_integer();
        lines_.binary_reals(format, x, 3);
        mesh_.add_node(tag, Eigen::Vector3d(x[0], x[1], x[2]), here);
      }
      return;
    }
    std::int64_t n = 0;
    for (; next_entry(" -1"); ++n) {
      const std::int64_t tag = lines_.label(label_width(format));
      lines_.reals(3 + label_width(format), x, 3);
      mesh_.add_node(tag, Eigen::Vector3d(x[0], x[1], x[2]), lines_.line().data());
    }
    check_count(n, announced, "nodes", at);
  }

  // Moves to the next line of a block of text; false after its last. A missing end mark is mended
  // when the next block begins, or the file ends: the counts tell whether something is missing.
  bool next_entry(const char* key) {
    if (!lines_.next()) return false;
    if (lines_.line().substr(0, 3) == key) return true;
    if (lines_.line().substr(0, 3) == " -3") return false;
    const std::string_view line = lines_.line();
    if (line.substr(0, 4) != "    " && line.substr(0, 5) != " 9999" && line.substr(0, 5) != "  100")
      file_.fail(line.data(), fmt::format("found `{}` instead of a line {}", shown_text(line), key),
                 kWriteResultsAgain);
    if (!has_warned_)
      mesh_.report().warnings.push_back(
          file_.diagnose(line.data(), "the preceding block has no end marker (-3)", ""));
    has_warned_ = true;
    lines_.step_back();
    return false;
  }

  void read_elements() {
    const char* at = lines_.line().data();
    const FrdFormat format = read_format(73);
    const std::int64_t announced = read_count(24, "elements");
    if (is_binary(format)) {
      if (announced < 0) file_.fail(at, "the number of elements is missing", kWriteResultsAgain);
      for (std::int64_t i = 0; i < announced; ++i) read_binary_element();
      return;
    }
    std::int64_t n = 0;
    const std::size_t width = label_width(format);
    for (; next_entry(" -1"); ++n) {
      const char* here = lines_.line().data();
      const std::int64_t tag = lines_.label(width);
      const std::int64_t type = lines_.integer(3 + width, 5, "an element type");
      const std::int64_t material = lines_.integer(13 + width, 5, "a material", 0);
      read_text_nodes(n_nodes_of(type, here), width, tag);
      add_element(type, tag, material, here);
    }
    check_count(n, announced, "elements", at);
  }

  int n_nodes_of(std::int64_t type, const char* at) {
    if (const SolidType* solid = find_solid(type)) return elements::n_nodes(solid->type);
    if (const OtherType* other = find_other(type)) return other->n_nodes;
    file_.fail(at, fmt::format("unknown element type {}", type), "expected 1 to 12");
  }

  void read_text_nodes(int n, std::size_t width, std::int64_t element) {
    nodes_.clear();
    while (static_cast<int>(nodes_.size()) < n) {
      if (!lines_.next() || lines_.line().substr(0, 3) != " -2")
        file_.fail(lines_.line().data(),
                   fmt::format("element {} requires {} nodes, but {} are given", element, n,
                               nodes_.size()),
                   kWriteResultsAgain);
      for (std::size_t at = 3; at < lines_.line().size() && static_cast<int>(nodes_.size()) < n;
           at += width)
        nodes_.push_back(lines_.integer(at, width, "a node"));
    }
  }

  void read_binary_element() {
    const char* at = lines_.here();
    const std::int64_t tag = lines_.binary_integer(), type = lines_.binary_integer();
    lines_.binary_integer();  // group
    const std::int64_t material = lines_.binary_integer();
    const int n = n_nodes_of(type, at);
    nodes_.clear();
    for (int i = 0; i < n; ++i) nodes_.push_back(lines_.binary_integer());
    add_element(type, tag, material, at);
  }

  void add_element(std::int64_t type, std::int64_t tag, std::int64_t material, const char* at) {
    const SolidType* solid = find_solid(type);
    if (!solid) {
      mesh_.add_other_element(find_other(type)->name);
      return;
    }
    if (tag < 1) {
      file_.complain(at, fmt::format("element number {} is not positive", tag), kWriteResultsAgain);
      return;
    }
    std::int64_t ordered[20];
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      ordered[i] = nodes_[solid->order ? static_cast<std::size_t>(solid->order[i]) : i];
    mesh_.add_solid(solid->type, region_of(material), tag, ordered, at);
  }

  int region_of(std::int64_t material) {
    const auto known = regions_.find(material);
    if (known != regions_.end()) return known->second;
    const auto named = material_names_.find(material);
    if (regions_.size() >= 10000)
      file_.fail(nullptr, "there are more than 10000 materials", kWriteResultsAgain);
    int index = -1;  // a material that the file does not even name
    std::string name = "material";
    if (named != material_names_.end()) {
      name = named->second;
      index = static_cast<int>(mesh_.materials().size());
      mesh_.materials().push_back({name, 0.0, 0.0, 0.0, {file_.name(), 0, 0}});
    }
    return regions_[material] = mesh_.region(fmt::format("{} {}", name, material), "", index,
                                             imported::Integration::standard);
  }

  /// A block of results at nodes: what its header and its description say.
  struct Block {
    const char* at = nullptr;
    FrdFormat format = FrdFormat::long_text;
    double value = 0.0;
    std::int64_t n_points = -1, mode = 0;
    bool is_modal = false;
    std::string name;
    int n_stored = 0;
  };

  void read_results() {
    Block block;
    block.at = lines_.line().data();
    block.value = lines_.real(12, 12, "a frequency");
    block.n_points = read_count(8, "points");
    block.mode = lines_.integer(58, 5, "a mode", 0);
    block.is_modal = frd_field(lines_.line(), 63, 10).substr(0, 5) == "MODAL";
    block.format = read_format(73, 2);
    read_description(block);
    if (block.is_modal && block.name == "DISP" && block.n_stored >= 3) {
      read_mode(block);
    } else {
      ++mesh_.report().skipped[block.name.empty() ? "results" : block.name];
      skip_block(block);
    }
  }

  // ` -4  DISP        4    1`, then a line ` -5` per component; computed ones are not stored.
  void read_description(Block& block) {
    if (!lines_.next() || lines_.line().substr(0, 3) != " -4")
      file_.fail(block.at, "the description (-4) of a block of results is missing",
                 kWriteResultsAgain);
    std::string_view name = frd_field(lines_.line(), 5, 8);
    while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
    block.name = shown_text(name);
    const std::int64_t n = lines_.integer(13, 5, "a number of components");
    for (std::int64_t i = 0; i < n; ++i) {
      if (!lines_.next() || lines_.line().substr(0, 3) != " -5")
        file_.fail(lines_.line().data(),
                   fmt::format("{} has {} components, but {} are described", block.name, n, i),
                   kWriteResultsAgain);
      block.n_stored += lines_.integer(33, 5, "an existence flag", 0) != 1;
    }
  }

  void skip_block(const Block& block) {
    if (!is_binary(block.format)) {
      lines_.skip_past_end_mark();
      return;
    }
    if (block.n_points < 0)
      file_.fail(block.at, "the number of points is missing", kWriteResultsAgain);
    const std::size_t bytes = 4 + (block.format == FrdFormat::binary_double ? 8 : 4) *
                                      static_cast<std::size_t>(block.n_stored);
    lines_.skip(static_cast<std::size_t>(block.n_points), bytes);
  }

  void read_mode(const Block& block) {
    imported::ImportedMode mode = header_.mode;
    if (mode.number == 0) mode.number = static_cast<int>(block.mode);
    if (!header_.has_eigenvalue) mode.eigenvalue = std::pow(math::kTwoPi * block.value, 2);
    refuse_other_mode(mode, block);
    if (header_.has_eigenvalue != header_.has_mass)
      mesh_.report().warnings.push_back(file_.diagnose(
          block.at,
          fmt::format("mode {} has no {}", mode.number,
                      header_.has_mass ? "eigenvalue (1PGK)" : "generalised mass (1PGM)"),
          "is a line missing?"));
    if (header_.has_mass) has_headers_ = true;
    if (!header_.has_mass && !header_.has_eigenvalue && bare_mode_ == 0) bare_mode_ = mode.number;
    modes_.begin_mode(mode, block.at);
    if (is_binary(block.format)) {
      read_binary_mode(block);
    } else {
      read_text_mode(block);
    }
    modes_.end_mode();
  }

  // CalculiX names each of its materials, and writes both numbers in front of each mode or of none.
  void tell_of_missing_headers(imported::ImportReport& report) const {
    if (has_headers_ && bare_mode_ != 0)
      report.warnings.push_back(file_.diagnose(
          nullptr,
          fmt::format(
              "mode {} has neither eigenvalue nor generalised mass (1PGK, 1PGM), but other modes do",
              bare_mode_),
          "are lines missing?"));
    for (const auto& [material, region] : regions_)
      if (is_of_calculix_ && material_names_.count(material) == 0)
        report.warnings.push_back(
            file_.diagnose(nullptr, fmt::format("material {} has no name (1UMAT)", material),
                           "is a line missing?"));
  }

  // The frequency stands twice, as the eigenvalue of the mode's header and in that of its block.
  void refuse_other_mode(const imported::ImportedMode& mode, const Block& block) {
    constexpr double kDigits = 1e-4, kRigid = 1.0;  // Hz, of rigid modes of either sign
    const double frequency = std::sqrt(std::max(0.0, mode.eigenvalue)) / math::kTwoPi;
    if (!(std::abs(frequency - block.value) <= kDigits * std::max(frequency, block.value) + kRigid))
      file_.fail(
          block.at,
          fmt::format("mode {} has {:g} Hz from its eigenvalue (1PGK) and {:g} Hz in its block",
                      mode.number, frequency, block.value),
          kWriteResultsAgain);
  }

  void read_text_mode(const Block& block) {
    const std::size_t width = label_width(block.format);
    double u[6];
    const auto n_on_line = static_cast<std::size_t>(std::min(block.n_stored, 6));
    std::int64_t n = 0;
    for (; next_entry(" -1"); ++n) {
      lines_.reals(3 + width, u, n_on_line);
      modes_.add(lines_.label(width), u, false, lines_.line().data());
    }
    check_count(n, block.n_points, "points", block.at);
  }

  void read_binary_mode(const Block& block) {
    if (block.n_points < 0)
      file_.fail(block.at, "the number of points is missing", kWriteResultsAgain);
    precision_ = block.format == FrdFormat::binary_double ? 1e-15 : 6e-8;
    values_.resize(static_cast<std::size_t>(block.n_stored));
    for (std::int64_t i = 0; i < block.n_points; ++i) {
      const char* at = lines_.here();
      const std::int64_t tag = lines_.binary_integer();
      lines_.binary_reals(block.format, values_.data(), values_.size());
      modes_.add(tag, values_.data(), false, at);
    }
  }

  ImportBytes file_;
  FrdLines lines_;
  ResultMesh mesh_;
  ResultModes modes_;
  ModeHeader header_;
  bool has_nodes_ = false, has_warned_ = false;
  bool is_of_calculix_ = false;
  bool has_headers_ = false;  // of some mode; the first without is:
  int bare_mode_ = 0;
  double precision_ = 5e-6;  // six digits
  std::map<std::int64_t, std::string> material_names_;
  std::map<std::int64_t, int> regions_;
  std::vector<std::int64_t> nodes_;
  std::vector<double> values_;
};

}  // namespace

CalculixResults parse_calculix_frd(std::string_view bytes, const std::string& name) {
  return FrdReader(bytes, name).read();
}

CalculixResults read_calculix_frd(const std::string& path) {
  return parse_calculix_frd(FileBytes(path).bytes(), path);
}

}  // namespace solidyn::formats
