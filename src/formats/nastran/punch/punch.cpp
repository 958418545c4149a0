#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "formats/nastran/lines/deck.h"
#include "formats/nastran/lines/lines.h"
#include "formats/nastran/lines/order.h"
#include "formats/shared/file_bytes.h"
#include "formats/shared/import_bytes.h"
#include "formats/shared/label_index.h"
#include "solidyn/formats/nastran/bulk_and_punch.h"
#include "solidyn/math/constants.h"

namespace solidyn::formats {

namespace {

constexpr std::size_t kDataColumns = 72, kColumns = 80;  // line numbers stand in the last eight

enum class Values { real, real_imaginary, magnitude_phase };

/// What the $ lines say of the block that follows.
struct Header {
  bool is_eigenvector = false, is_other = false, is_by_point = false;
  Values values = Values::real;
  imported::ImportedMode mode;
  bool has_mode = false;
};

class PunchReader {
 public:
  PunchReader(std::string_view bytes, const std::string& file)
      : bytes_(bytes), rest_(bytes), file_(file) {}

  imported::ModalData read() {
    while (next_line()) {
      if (line_[0] == '$')
        read_header();
      else if (header_.is_eigenvector)
        read_row();
      else if (header_.has_mode && !header_.is_other)
        fail("results of a mode without its header line ($EIGENVECTOR)",
             "the file is damaged: punch it again");
    }
    close_mode();
    if (modes_.modes.empty()) refuse_without_modes();
    warn_of_open_end(ImportBytes(bytes_, file_), modes_.report);
    return finish();
  }

 private:
  [[noreturn]] void fail(std::string what, std::string remedy) const {
    throw base::InputError(std::move(what), std::move(remedy), {file_, number_, 0});
  }

  /// To line_: the next that is not empty, without its number.
  bool next_line() {
    while (!rest_.empty()) {
      const std::string_view whole = take_raw_line(rest_);
      ++number_;
      if (whole.find_first_not_of(" \r", kColumns) != whole.npos)
        fail(fmt::format("the line has {} columns; lines of a punch file have {}", whole.size(),
                         kColumns),
             "the file is damaged: punch it again");
      line_ = whole.substr(0, kDataColumns);
      while (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
      if (!trimmed(line_).empty()) return true;
    }
    return false;
  }

  bool begins(std::string_view word) const { return line_.substr(0, word.size()) == word; }

  std::string_view behind_equals(std::string_view text) const {
    const std::size_t equals = text.find('=');
    return equals == text.npos ? std::string_view() : trimmed(text.substr(equals + 1));
  }

  void read_header() {
    if (begins("$TITLE")) {
      close_mode();
      header_ = {};
    } else if (begins("$EIGENVECTOR")) {
      header_.is_eigenvector = true;
    } else if (begins("$EIGENVALUE")) {
      read_eigenvalue();
    } else if (begins("$SUBCASE ID")) {
      header_.mode.subcase = static_cast<int>(integer(behind_equals(line_)));
    } else if (begins("$REAL-IMAGINARY")) {
      header_.values = Values::real_imaginary;
    } else if (begins("$MAGNITUDE-PHASE")) {
      header_.values = Values::magnitude_phase;
    } else if (begins("$POINT ID")) {
      header_.is_by_point = true;
    } else if (!begins("$SUBTITLE") && !begins("$LABEL") && !begins("$REAL") &&
               line_.find('=') == line_.npos) {
      header_.is_other = true;
      if (others_.size() < 10) others_.insert(std::string(trimmed(line_)));
    }
  }

  std::int64_t integer(std::string_view text) const {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_good =
        error == std::errc() && end == text.data() + text.size() && std::abs(value) <= INT32_MAX;
    if (!is_good)
      fail(fmt::format("`{}` is not an integer", text.substr(0, 40)), "punch the file again");
    return value;
  }

  double real(std::string_view text) const {
    text = trimmed(text);
    double value = 0.0;
    if (parse_real(text, value) != RealText::good || !std::isfinite(value))
      fail(fmt::format("`{}` is not a number", text.substr(0, 40)), "punch the file again");
    return value;
  }

  /// $EIGENVALUE =  1.0E+00  MODE =  1, or $EIGENVALUE = (  re,  im) MODE =  1.
  void read_eigenvalue() {
    std::string_view text = behind_equals(line_);
    const std::size_t mode = text.find("MODE");
    if (mode == text.npos) fail("$EIGENVALUE without MODE", "punch the file again");
    header_.mode.number = static_cast<int>(integer(behind_equals(text.substr(mode))));
    text = trimmed(text.substr(0, mode));
    if (!text.empty() && text.front() == '(' && text.back() == ')') {
      const std::size_t comma = text.find(',');
      if (comma == text.npos) fail("a complex $EIGENVALUE without a comma", "punch the file again");
      header_.mode.eigenvalue = real(text.substr(1, comma - 1));
      header_.mode.eigenvalue_imaginary = real(text.substr(comma + 1, text.size() - comma - 2));
    } else {
      header_.mode.eigenvalue = real(text);
    }
    header_.has_mode = true;
  }

  /// Numbers end where their columns do: where the line ends before, it was cut off.
  std::array<double, 3> values() const {
    constexpr std::size_t kFirst = 18, kWidth = 18;
    std::array<double, 3> result{};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t first = std::min(kFirst + kWidth * i, line_.size());
      const std::string_view field = line_.substr(first, kWidth);
      if (!trimmed(field).empty()) result[i] = real(field);
      if (trimmed(field).empty() || field.size() < kWidth)
        fail(fmt::format("the line ends within number {} of 3", i + 1),
             "the file is damaged or truncated: punch it again");
    }
    return result;
  }

  void open_mode() {
    if (header_.is_by_point)
      fail("the eigenvectors are sorted by points (SORT2)",
           "punch them sorted by modes: DISPLACEMENT(SORT1,PUNCH) = ALL");
    if (!header_.has_mode) fail("an eigenvector without $EIGENVALUE", "punch the file again");
    const bool is_complex = header_.values != Values::real;
    if (!modes_.modes.empty() && is_complex != modes_.is_complex)
      fail("real and complex eigenvectors in one file", "punch them to two files");
    modes_.is_complex = is_complex;
    if (!numbers_.emplace(header_.mode.subcase, header_.mode.number).second)
      fail(fmt::format("mode {} of subcase {} is defined twice", header_.mode.number,
                       header_.mode.subcase),
           "punch the modes once: were files concatenated, or a request repeated?");
    modes_.modes.push_back(header_.mode);
    n_rows_of_mode_ = n_others_of_mode_ = 0;
    is_open_ = true;
  }

  void close_mode() {
    if (!is_open_) return;
    is_open_ = false;
    if (modes_.modes.size() == 1) {
      index_ = LabelIndex(modes_.node_tags);
      if (!index_.repeated().empty())
        fail(fmt::format("node {} appears twice in mode {}",
                         modes_.node_tags[index_.repeated().front()], modes_.modes[0].number),
             "punch the file again");
      n_values_ = values_of_modes_.size();
      n_others_ = n_others_of_mode_;
    } else if (n_rows_of_mode_ != modes_.node_tags.size() || n_others_of_mode_ != n_others_) {
      fail(fmt::format("mode {} has {} nodes and {} other points, the first mode {} and {}",
                       modes_.modes.back().number, n_rows_of_mode_, n_others_of_mode_,
                       modes_.node_tags.size(), n_others_),
           "request the same nodes for all modes");
    }
  }

  /// Where the numbers of a node of the mode go: its 6 or 12 values.
  double* room_for(std::int64_t tag) {
    const std::size_t n_per_node = modes_.is_complex ? 12 : 6;
    const bool is_first_mode = modes_.modes.size() == 1;
    if (is_first_mode) {
      modes_.node_tags.push_back(tag);
      values_of_modes_.resize(values_of_modes_.size() + n_per_node);
      return values_of_modes_.data() + values_of_modes_.size() - n_per_node;
    }
    const std::size_t start = n_values_ * (modes_.modes.size() - 1);
    if (n_rows_of_mode_ == 0) {
      values_of_modes_.resize(start + n_values_);
      is_filled_.assign(modes_.node_tags.size(), false);
    }
    const std::int32_t node = index_.find(tag);
    if (node < 0 || is_filled_[node])
      fail(node < 0
               ? fmt::format("mode {} has node {}, which the first mode does not have",
                             modes_.modes.back().number, tag)
               : fmt::format("node {} appears twice in mode {}", tag, modes_.modes.back().number),
           "request the same nodes for all modes");
    is_filled_[node] = true;
    ++n_rows_of_mode_;
    return values_of_modes_.data() + start + n_per_node * node;
  }

  /// A point's line and its continuations.
  void read_row() {
    if (line_.size() < 18) fail("the line is too short for a point", "punch the file again");
    if (!is_open_) open_mode();
    const std::int64_t tag = integer(trimmed(line_.substr(0, 10)));
    const char type = line_[17];
    std::array<double, 12> row{};
    std::size_t n = 0;
    const std::size_t n_lines = header_.values == Values::real ? 2 : 4;
    if (type != 'G') return pass_over(type, n_lines);
    bool is_more = true;
    for (; is_more && n < n_lines; is_more = take_continuation()) {
      const std::array<double, 3> part = values();
      std::copy(part.begin(), part.end(), row.begin() + 3 * static_cast<std::ptrdiff_t>(n++));
    }
    if (is_more)
      fail(fmt::format("node {} has more than {} lines", tag, n_lines),
           "the file is damaged: punch it again");
    if (tag < 1) fail(fmt::format("node number {} is not positive", tag), "punch the file again");
    if (n != n_lines)
      fail(fmt::format("node {} has {} lines instead of {}", tag, n, n_lines),
           "the file is damaged or truncated: punch it again");
    if (header_.values == Values::magnitude_phase) make_real_imaginary(row);
    std::copy_n(row.begin(), modes_.is_complex ? 12 : 6, room_for(tag));
  }

  /// Such a point has one number, in its first line, and blanks or zeros behind it.
  void pass_over(char type, std::size_t n_lines) {
    ++modes_.report.skipped[fmt::format("points of type {}", type)];
    ++n_others_of_mode_;
    std::size_t n = 1;
    while (take_continuation()) ++n;
    if (n != n_lines && rest_.empty())
      fail(fmt::format("a point has {} lines instead of {}", n, n_lines),
           "the file is damaged or truncated: punch it again");
  }

  bool take_continuation() {
    if (rest_.substr(0, 6) != "-CONT-") return false;
    return next_line();
  }

  static void make_real_imaginary(std::array<double, 12>& row) {
    for (std::size_t i = 0; i < 6; ++i) {
      const double magnitude = row[i], phase = math::kRadiansPerDegree * row[i + 6];
      row[i] = magnitude * std::cos(phase);
      row[i + 6] = magnitude * std::sin(phase);
    }
  }

  [[noreturn]] void refuse_without_modes() const {
    std::string found;
    for (const std::string& other : others_) found += (found.empty() ? "" : ", ") + other;
    throw base::InputError(
        "the file contains no eigenvectors ($EIGENVECTOR)" +
            (found.empty() ? std::string() : "; it contains " + found),
        "punch the modes: DISPLACEMENT(PUNCH) = ALL in the case control of SOL 103", {file_, 0, 0});
  }

  imported::ModalData finish() {
    using Rows = Eigen::Map<const Eigen::MatrixXd>;
    const auto n_modes = static_cast<Eigen::Index>(modes_.modes.size());
    const auto n_nodes = static_cast<Eigen::Index>(modes_.node_tags.size());
    if (n_nodes == 0)
      fail("the eigenvectors contain no grid points", "request displacements of grids");
    const Eigen::Index n_per_node = modes_.is_complex ? 12 : 6;
    const auto part = [&](Eigen::Index first) {
      Eigen::MatrixXd result(3 * n_nodes, n_modes);
      for (Eigen::Index mode = 0; mode < n_modes; ++mode) {
        const Rows rows(values_of_modes_.data() + mode * n_nodes * n_per_node, n_per_node, n_nodes);
        for (Eigen::Index node = 0; node < n_nodes; ++node)
          result.block<3, 1>(3 * node, mode) = rows.block<3, 1>(first, node);
      }
      return result;
    };
    modes_.source = file_;
    modes_.format = "Nastran punch";
    modes_.x.resize(3, 0);
    modes_.translations = part(0);
    modes_.rotations = part(3);
    if (modes_.is_complex) {
      modes_.imaginary_translations = part(6);
      modes_.imaginary_rotations = part(9);
    }
    return std::move(modes_);
  }

  std::string_view bytes_, rest_, line_;
  std::string file_;
  int number_ = 0;
  Header header_;
  bool is_open_ = false;
  std::set<std::string> others_;           // kinds of other results
  std::set<std::pair<int, int>> numbers_;  // subcase and mode
  imported::ModalData modes_;
  LabelIndex index_;
  std::vector<bool> is_filled_;
  std::size_t n_rows_of_mode_ = 0, n_values_ = 0;    // n_values_: of one mode
  std::size_t n_others_of_mode_ = 0, n_others_ = 0;  // points that are no grids
  std::vector<double> values_of_modes_;
};

}  // namespace

imported::ModalData parse_nastran_punch(std::string_view bytes, const std::string& file) {
  if (bytes.substr(0, 4096).find('\0') != bytes.npos)
    throw base::InputError("the file is binary, not a punch file",
                           "punch files are text; binary results are in .op2 files", {file, 0, 0});
  return PunchReader(bytes, file).read();
}

bool is_results_punch(const std::string& path) {
  const FileBytes file(path);
  for (std::string_view rest = file.bytes(); !rest.empty();) {
    const std::string_view line = take_raw_line(rest);
    if (line.substr(0, 11) == "$SUBCASE ID" || line.substr(0, 12) == "$EIGENVECTOR") return true;
  }
  return false;
}

imported::ModalData read_nastran_punch(const std::string& path) {
  const FileBytes file(path);
  return parse_nastran_punch(file.bytes(), path);
}

}  // namespace solidyn::formats
