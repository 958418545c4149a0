#include "tetgen.h"

#include <fmt/format.h>
#include <solidyn/base/error.h>

#include <Eigen/Dense>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unordered_map>
#include <utility>

using namespace solidyn;

namespace {

constexpr std::size_t kMostComplaints = 20;

// A file as lines of numbers, without comments and empty lines.
class NumberLines {
 public:
  NumberLines(std::string path, std::vector<base::Diagnostic>& complaints)
      : path_(std::move(path)), file_(path_), complaints_(complaints) {
    if (!file_) throw base::InputError("the file cannot be read", "is it there?", {path_, 0, 0});
  }

  // The next line's numbers, of which there must be `n_least`; false at the end and after
  // complaints.
  bool next(std::size_t n_least, const char* what, std::vector<double>& numbers) {
    numbers.clear();
    std::string text;
    while (numbers.empty() && std::getline(file_, text)) {
      ++line_;
      text.resize(std::min(text.size(), text.find('#')));
      std::istringstream words(text);
      for (std::string word; words >> word;) numbers.push_back(number(word));
    }
    if (numbers.size() < n_least)
      complain(fmt::format("here should be {}, which is {} numbers", what, n_least));
    return complaints_.empty();
  }
  void complain(const std::string& what) {
    if (complaints_.size() < kMostComplaints)
      complaints_.push_back({{path_, line_, 0}, what, "write the mesh anew by TetGen"});
  }

 private:
  double number(const std::string& word) {
    std::size_t used = 0;
    double value = std::nan("");
    try {
      value = std::stod(word, &used);
    } catch (const std::exception&) {
    }
    if (used != word.size() || !std::isfinite(value))
      complain(fmt::format("`{}` is no number", word));
    return value;
  }

  std::string path_;
  std::ifstream file_;
  std::vector<base::Diagnostic>& complaints_;
  int line_ = 0;
};

class TetgenReader {
 public:
  explicit TetgenReader(const std::string& path) : path_(path) {}

  mesh::Mesh read() {
    read_nodes(std::filesystem::path(path_).replace_extension(".node").string());
    if (complaints_.empty()) read_tetrahedra();
    if (!complaints_.empty()) throw base::InputError(complaints_);
    return std::move(mesh_);
  }

 private:
  // Header: number of nodes, 3, number of attributes, whether there are markers.
  void read_nodes(const std::string& path) {
    NumberLines lines(path, complaints_);
    std::vector<double> header, row;
    if (!lines.next(4, "the header of the nodes", header)) return;
    if (header[1] != 3)
      return lines.complain(fmt::format("the nodes have {} coordinates, not 3", header[1]));
    const auto n = static_cast<Eigen::Index>(header[0]);
    const auto marker = static_cast<std::size_t>(4 + header[2]);
    const bool has_markers = header[3] != 0;
    mesh_.x.resize(3, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      if (!lines.next(marker + (has_markers ? 1 : 0), "a node", row)) return;
      mesh_.x.col(i) << row[1], row[2], row[3];
      mesh_.node_tags.push_back(std::llround(row[0]));
      if (!index_of_.emplace(mesh_.node_tags.back(), static_cast<std::int32_t>(i)).second)
        lines.complain(fmt::format("node {} is there twice", row[0]));
      if (has_markers && row[marker] != 0)
        mesh_.sets[fmt::format("marker_{}", row[marker])].nodes.push_back(
            static_cast<std::int32_t>(i));
    }
  }

  // Header: number of tetrahedra, of nodes of each, of attributes.
  void read_tetrahedra() {
    NumberLines lines(path_, complaints_);
    std::vector<double> header, row;
    if (!lines.next(3, "the header of the tetrahedra", header)) return;
    if (header[1] != 4)
      return lines.complain(
          fmt::format("the tetrahedra have {} nodes, and those of 4 are read", header[1]));
    mesh::ElementBlock block;
    block.type = elements::ElementType::tet4;
    for (std::int64_t e = 0; e < std::llround(header[0]); ++e) {
      if (!lines.next(5, "a tetrahedron", row)) return;
      block.tags.push_back(std::llround(row[0]));
      add_nodes(row, lines, block.connectivity);
    }
    mesh_.blocks = {std::move(block)};
  }

  void add_nodes(const std::vector<double>& row, NumberLines& lines,
                 std::vector<std::int32_t>& connectivity) {
    std::int32_t nodes[4] = {};
    for (int i = 0; i < 4; ++i) {
      const auto found = index_of_.find(std::llround(row[i + 1]));
      if (found == index_of_.end())
        return lines.complain(fmt::format("there is no node {}", row[i + 1]));
      nodes[i] = found->second;
    }
    Eigen::Matrix3d edges;
    for (int i = 0; i < 3; ++i) edges.col(i) = mesh_.x.col(nodes[i + 1]) - mesh_.x.col(nodes[0]);
    if (edges.determinant() < 0) std::swap(nodes[2], nodes[3]);
    connectivity.insert(connectivity.end(), nodes, nodes + 4);
  }

  std::string path_;
  mesh::Mesh mesh_;
  std::unordered_map<std::int64_t, std::int32_t> index_of_;
  std::vector<base::Diagnostic> complaints_;
};

}  // namespace

imported::SolidModel read_tetgen(const std::string& path) {
  imported::SolidModel model;
  model.source = path;
  model.format = "TetGen mesh";
  model.mesh = TetgenReader(path).read();
  return model;
}
