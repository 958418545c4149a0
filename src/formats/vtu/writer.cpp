#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "formats/vtu/types.h"
#include "solidyn/base/atomic_file.h"
#include "solidyn/base/base64.h"
#include "solidyn/base/error.h"
#include "solidyn/formats/vtu/vtu.h"

namespace solidyn::formats {
namespace {

using base::base64;
using mesh::ElementBlock;
using mesh::Mesh;

std::string header(const std::vector<std::uint64_t>& numbers) {
  std::string bytes(8 * numbers.size(), '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

std::string escaped(const std::string& name) {
  std::string text;
  for (char c : name) {
    const bool is_special = c == '"' || c == '<' || c == '>' || c == '&' || (c >= 0 && c < ' ');
    text += is_special ? fmt::format("&#{};", static_cast<int>(c)) : std::string(1, c);
  }
  return text;
}

class Writer {
 public:
  Writer(const Mesh& mesh, VtuEncoding encoding, double scale)
      : mesh_(mesh), encoding_(encoding), scale_(scale) {}

  std::string write() {
    std::int64_t n_cells = 0;
    for (const ElementBlock& block : mesh_.blocks) n_cells += block.size();
    text_ = fmt::format(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\"{}>\n<UnstructuredGrid>\n"
        "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n",
        encoding_ == VtuEncoding::compressed ? " compressor=\"vtkZLibDataCompressor\"" : "",
        mesh_.n_nodes(), n_cells);
    write_points();
    write_cells();
    write_point_data();
    write_cell_data();
    text_ += "</Piece>\n</UnstructuredGrid>\n";
    if (encoding_ == VtuEncoding::raw)
      text_ += "<AppendedData encoding=\"raw\">\n_" + appended_ + "\n</AppendedData>\n";
    return text_ + "</VTKFile>\n";
  }

 private:
  template <class T>
  void write_array(const std::string& attributes, const char* type, const std::vector<T>& values) {
    const char* format = encoding_ == VtuEncoding::ascii ? "ascii"
                         : encoding_ == VtuEncoding::raw ? "appended"
                                                         : "binary";
    text_ += fmt::format("<DataArray type=\"{}\" {} format=\"{}\"", type, attributes, format);
    std::string bytes(sizeof(T) * values.size(), '\0');
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    if (encoding_ == VtuEncoding::raw) {
      text_ += fmt::format(" offset=\"{}\"/>\n", appended_.size());
      appended_ += header({bytes.size()}) + bytes;
      return;
    }
    text_ += ">\n";
    if (encoding_ == VtuEncoding::ascii) {
      for (std::size_t i = 0; i < values.size(); ++i)
        fmt::format_to(std::back_inserter(text_), "{}{}", +values[i], i % 12 == 11 ? '\n' : ' ');
    } else if (encoding_ == VtuEncoding::base64) {
      text_ += base64(header({bytes.size()}) + bytes);
    } else {
      text_ += compressed(bytes);
    }
    text_ += "\n</DataArray>\n";
  }

  static std::string compressed(const std::string& bytes) {
    constexpr std::size_t kBlock = 1U << 18U;
    const std::size_t n = (bytes.size() + kBlock - 1) / kBlock;
    std::vector<std::uint64_t> sizes = {n, kBlock, bytes.size() % kBlock};
    std::string blocks;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t size = std::min(kBlock, bytes.size() - i * kBlock);
      uLongf packed_size = compressBound(size);
      std::string packed(packed_size, '\0');
      compress(reinterpret_cast<Bytef*>(packed.data()), &packed_size,
               reinterpret_cast<const Bytef*>(bytes.data() + i * kBlock), size);
      blocks.append(packed, 0, packed_size);
      sizes.push_back(packed_size);
    }
    return base64(header(sizes)) + base64(blocks);
  }

  static std::string named(const std::string& name) {
    return fmt::format("Name=\"{}\"", escaped(name));
  }

  void write_points() {
    std::vector<double> x(static_cast<std::size_t>(mesh_.x.size()));
    for (Eigen::Index i = 0; i < mesh_.x.size(); ++i)
      x[static_cast<std::size_t>(i)] = mesh_.x.data()[i] / scale_;
    text_ += "<Points>\n";
    write_array(named("Points") + " NumberOfComponents=\"3\"", "Float64", x);
    text_ += "</Points>\n";
  }

  void write_cells() {
    std::vector<std::int64_t> connectivity, offsets;
    std::vector<std::uint8_t> types;
    for (const ElementBlock& block : mesh_.blocks) add_cells(block, connectivity, offsets, types);
    text_ += "<Cells>\n";
    write_array(named("connectivity"), "Int64", connectivity);
    write_array(named("offsets"), "Int64", offsets);
    write_array(named("types"), "UInt8", types);
    text_ += "</Cells>\n";
  }

  /// VTK sees a wedge's bottom from outside: only so its volumes are positive.
  static void turn_wedges(elements::ElementType type, std::vector<int>& place_of) {
    std::vector<std::pair<int, int>> swaps = {{0, 3}, {1, 4}, {2, 5}};
    if (type == elements::ElementType::wedge15)  // our middle nodes of bottom and top
      swaps.insert(swaps.end(), {{6, 12}, {7, 13}, {9, 14}});
    else if (type != elements::ElementType::wedge6)
      return;
    for (int& place : place_of)
      for (const auto& [bottom, top] : swaps)
        if (place == bottom || place == top) {
          place = place == bottom ? top : bottom;
          break;
        }
  }

  static void add_cells(const ElementBlock& block, std::vector<std::int64_t>& connectivity,
                        std::vector<std::int64_t>& offsets, std::vector<std::uint8_t>& types) {
    const VtuType& type = vtu_type(block.type);
    const int n = type.n_nodes;
    std::vector<int> place_of(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) place_of[type.order[i]] = i;
    turn_wedges(block.type, place_of);
    connectivity.reserve(connectivity.size() + block.connectivity.size());
    offsets.reserve(offsets.size() + block.tags.size());
    for (std::int64_t e = 0; e < block.size(); ++e) {
      for (int i : place_of) connectivity.push_back(block.connectivity[e * n + i]);
      offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
    }
    types.insert(types.end(), block.tags.size(), static_cast<std::uint8_t>(type.number));
  }

  /// 1 for the cells whose nodes all lie in the set; nothing where they do not make it up.
  std::vector<std::uint8_t> marks_of_cells(const mesh::NodeSet& set) const {
    std::vector<char> is_in(static_cast<std::size_t>(mesh_.n_nodes()), 0);
    for (std::int32_t node : set.nodes) is_in[node] = 1;
    std::size_t n_covered = 0;
    std::vector<std::uint8_t> marks;
    for (const ElementBlock& block : mesh_.blocks) {
      const int n = elements::n_nodes(block.type);
      for (std::int64_t e = 0; e < block.size(); ++e) {
        const auto first = block.connectivity.begin() + e * n;
        const bool is_whole = elements::dimension(block.type) == 3 &&
                              std::all_of(first, first + n, [&](auto node) { return is_in[node]; });
        marks.push_back(is_whole ? 1 : 0);
        for (auto node = first; is_whole && node != first + n; ++node) {
          n_covered += is_in[*node] == 1;
          is_in[*node] = 2;
        }
      }
    }
    if (n_covered != set.nodes.size()) marks.clear();
    return marks;
  }

  bool is_of_cells(const std::string& name) const { return of_cells_.count(name) > 0; }

  void write_point_data() {
    for (const auto& [name, set] : mesh_.sets) {
      if (set.dimension != 3 || set.nodes.empty()) continue;
      std::vector<std::uint8_t> marks = marks_of_cells(set);
      if (!marks.empty()) of_cells_[name] = std::move(marks);
    }
    text_ += "<PointData GlobalIds=\"GlobalNodeIds\">\n";
    write_array(named("GlobalNodeIds"), "Int64", mesh_.node_tags);
    for (const auto& [name, set] : mesh_.sets) {
      if (is_of_cells(name)) continue;
      std::vector<std::uint8_t> marks(static_cast<std::size_t>(mesh_.n_nodes()), 0);
      for (std::int32_t node : set.nodes) marks[node] = 1;
      write_array(named(name) + fmt::format(" SolidynDimension=\"{}\"", set.dimension), "UInt8",
                  marks);
    }
    text_ += "</PointData>\n";
  }

  void write_cell_data() {
    std::vector<std::int64_t> tags;
    for (const ElementBlock& block : mesh_.blocks)
      tags.insert(tags.end(), block.tags.begin(), block.tags.end());
    text_ += "<CellData GlobalIds=\"GlobalElementIds\">\n";
    write_array(named("GlobalElementIds"), "Int64", tags);
    for (const auto& [name, marks] : of_cells_) write_array(named(name), "UInt8", marks);
    text_ += "</CellData>\n";
  }

  const Mesh& mesh_;
  const VtuEncoding encoding_;
  const double scale_;
  std::string text_, appended_;
  std::map<std::string, std::vector<std::uint8_t>> of_cells_;
};

}  // namespace

void write_vtu(const std::string& path, const Mesh& mesh, VtuEncoding encoding, double scale) {
  base::write_atomically(path, Writer(mesh, encoding, scale).write());
}

}  // namespace solidyn::formats
