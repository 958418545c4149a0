#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <pugixml.hpp>
#include <set>
#include <stdexcept>

#include "formats/shared/file_bytes.h"
#include "formats/shared/inner_nodes.h"
#include "formats/vtu/data.h"
#include "formats/vtu/types.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/formats/vtu/vtu.h"

namespace solidyn::formats {
namespace {

using elements::ElementType;
using mesh::ElementBlock;
using Integers = std::vector<std::int64_t>;

constexpr std::size_t kMostValues = 100;

class VtuReader {
 public:
  VtuReader(std::string_view bytes, std::string file, double scale)
      : file_(std::move(file)), scale_(scale) {
    load(bytes);
  }

  mesh::Mesh read() {
    const pugi::xml_node grid = document_.child("VTKFile").child("UnstructuredGrid");
    const pugi::xml_node piece = grid.child("Piece");
    if (!piece) fail("there is no <Piece>", "is this an unstructured grid of VTK (.vtu)?");
    if (piece.next_sibling("Piece"))
      fail("the mesh is in several pieces", "merge them into one piece with shared nodes");
    read_points(piece);
    read_cells(piece);
    read_tags(piece);
    read_sets(piece.child("PointData"), true);
    read_sets(piece.child("CellData"), false);
    drop_inner_nodes();
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void fail(std::string what, std::string remedy) const {
    throw base::InputError(std::move(what), std::move(remedy), {file_, 0, 0});
  }
  [[noreturn]] void fail_at(const pugi::xml_node& array, const std::string& what) const {
    const std::string name = array.attribute("Name").as_string(array.parent().name());
    fail(fmt::format("data array `{}`: {} (byte {})", name.substr(0, 80), what,
                     array.offset_debug()),
         "the file is damaged or truncated: export it again");
  }

  /// Raw appended data are no XML: they are cut off before the rest is parsed.
  void load(std::string_view bytes) {
    const std::size_t appended = bytes.find("<AppendedData");
    std::string text(bytes.substr(0, appended));
    if (appended != std::string_view::npos) {
      const std::size_t tag_end = std::min(bytes.find('>', appended), bytes.size());
      const std::size_t mark = bytes.find('_', tag_end);
      is_appended_raw_ =
          bytes.substr(appended, tag_end - appended).find("raw") != std::string_view::npos;
      if (mark == std::string_view::npos)
        fail("<AppendedData> does not start with `_`", "export the file again");
      appended_ = bytes.substr(mark + 1);
      if (!is_appended_raw_) appended_ = appended_.substr(0, appended_.find('<'));
      text += "</VTKFile>";
    }
    const pugi::xml_parse_result result = document_.load_buffer(text.data(), text.size());
    if (!result)
      fail(fmt::format("the XML cannot be parsed: {} (byte {})", result.description(),
                       result.offset),
           "is this an unstructured grid of VTK (.vtu), and complete?");
    read_coding();
    coding_.n_bytes_left = most_unpacked_bytes(bytes.size());
  }

  void read_coding() {
    const pugi::xml_node root = document_.child("VTKFile");
    const std::string type = root.attribute("type").as_string();
    if (type != "UnstructuredGrid")
      fail(fmt::format("this is a VTK file of type `{}`", type.substr(0, 40)),
           "save the mesh as an unstructured grid (.vtu)");
    const std::string header = root.attribute("header_type").as_string("UInt32");
    const std::string compressor = root.attribute("compressor").as_string();
    if (header != "UInt32" && header != "UInt64")
      fail(fmt::format("the header type `{}` is unknown", header.substr(0, 40)),
           "export the file again");
    if (!compressor.empty() && compressor != "vtkZLibDataCompressor")
      fail(fmt::format("the data are compressed with `{}`", compressor.substr(0, 40)),
           "save the file without compression, or with zlib");
    coding_.header_bytes = header == "UInt64" ? 8 : 4;
    coding_.is_compressed = !compressor.empty();
    coding_.is_swapped = std::string(root.attribute("byte_order").as_string()) == "BigEndian";
  }

  template <class T>
  std::vector<T> numbers(const pugi::xml_node& array) {
    const std::string format = array.attribute("format").as_string("ascii");
    const std::string type = array.attribute("type").as_string();
    try {
      if (format == "ascii") return parse_vtu_numbers<T>(array.text().get());
      if (format == "binary")
        return convert_vtu_numbers<T>(decode_vtu_base64(array.text().get(), coding_), type,
                                      coding_.is_swapped);
      if (format != "appended") fail_at(array, "its format is unknown");
      const std::uint64_t offset = array.attribute("offset").as_ullong();
      if (offset >= appended_.size()) fail_at(array, "its offset is beyond the end of the data");
      const std::string_view from = appended_.substr(static_cast<std::size_t>(offset));
      return convert_vtu_numbers<T>(
          is_appended_raw_ ? decode_vtu_raw(from, coding_) : decode_vtu_base64(from, coding_), type,
          coding_.is_swapped);
    } catch (const std::runtime_error& error) {
      if (dynamic_cast<const base::InputError*>(&error)) throw;
      fail_at(array, error.what());
    }
  }

  void read_points(const pugi::xml_node& piece) {
    const pugi::xml_node array = piece.child("Points").child("DataArray");
    if (!array) fail("there are no <Points>", "export the file again");
    if (array.attribute("NumberOfComponents").as_int() != 3)
      fail_at(array, "points need three components");
    const std::vector<double> x = numbers<double>(array);
    const std::uint64_t n = piece.attribute("NumberOfPoints").as_ullong();
    if (x.size() % 3 != 0 || x.size() / 3 != n)
      fail_at(array, fmt::format("{} points are declared, but there are {} numbers", n, x.size()));
    if (n >= static_cast<std::uint64_t>(INT32_MAX))
      fail("the mesh has too many points", "split it");
    mesh_.x =
        scale_ * Eigen::Map<const Eigen::Matrix3Xd>(x.data(), 3, static_cast<Eigen::Index>(n));
    if (!mesh_.x.allFinite()) fail_at(array, "coordinates must be finite numbers");
  }

  pugi::xml_node cell_array(const pugi::xml_node& piece, const char* name) const {
    const pugi::xml_node array =
        piece.child("Cells").find_child_by_attribute("DataArray", "Name", name);
    if (!array) fail(fmt::format("<Cells> has no array `{}`", name), "export the file again");
    return array;
  }

  void read_cells(const pugi::xml_node& piece) {
    const pugi::xml_node connectivity_array = cell_array(piece, "connectivity");
    const pugi::xml_node offsets_array = cell_array(piece, "offsets");
    const Integers types = numbers<std::int64_t>(cell_array(piece, "types"));
    const Integers offsets = numbers<std::int64_t>(offsets_array);
    const Integers connectivity = numbers<std::int64_t>(connectivity_array);
    if (types.size() != offsets.size() ||
        types.size() != piece.attribute("NumberOfCells").as_ullong())
      fail_at(offsets_array,
              fmt::format("{} offsets for {} types of cells", offsets.size(), types.size()));
    cells_.reserve(types.size());
    std::int64_t first = 0;
    for (std::size_t c = 0; c < types.size(); ++c) {
      if (offsets[c] < first || offsets[c] > static_cast<std::int64_t>(connectivity.size()))
        fail_at(offsets_array,
                fmt::format("the offset {} of cell {} is out of order", offsets[c], c));
      add_cell(types[c], connectivity.data() + first, offsets[c] - first, connectivity_array);
      first = offsets[c];
    }
  }

  void add_cell(std::int64_t number, const std::int64_t* nodes, std::int64_t n,
                const pugi::xml_node& array) {
    const std::size_t cell = cells_.size();
    const VtuType* type = find_vtu_type(number);
    const bool is_point = number == kVtuVertex || number == kVtuPolyVertex;
    if (!type && !is_point)
      fail(fmt::format("cell {} has the VTK type {}, which is not supported", cell, number),
           "use tetrahedra, hexahedra, wedges and pyramids of first or second order");
    if (type && n != type->n_nodes)
      fail_at(array, fmt::format("cell {} of type {} has {} nodes", cell, number, n));
    for (std::int64_t i = 0; i < n; ++i)
      if (nodes[i] < 0 || nodes[i] >= mesh_.n_nodes())
        fail_at(array, fmt::format("cell {} uses point {} of {}", cell, nodes[i], mesh_.n_nodes()));
    if (is_point) {
      cells_.push_back({-1, static_cast<std::int64_t>(points_.size()), n});
      points_.insert(points_.end(), nodes, nodes + n);
      return;
    }
    ElementBlock& elements = block(type->type);
    cells_.push_back({static_cast<int>(type->type), elements.size(), 0});
    const std::size_t before = elements.connectivity.size();
    for (int i : type->order) elements.connectivity.push_back(static_cast<std::int32_t>(nodes[i]));
    elements.tags.push_back(0);
    note_inner_nodes(*type, nodes);
    if (type->type == ElementType::wedge6 || type->type == ElementType::wedge15)
      turn_wedge(elements, before);
  }

  /// 0-1-2 must be counter-clockwise seen from 3-4-5.
  void turn_wedge(ElementBlock& elements, std::size_t before) {
    std::int32_t* nodes = elements.connectivity.data() + before;
    const auto x = [&](int i) { return Eigen::Vector3d(mesh_.x.col(nodes[i])); };
    if ((x(1) - x(0)).cross(x(2) - x(0)).dot(x(3) + x(4) + x(5) - x(0) - x(1) - x(2)) >= 0.0)
      return;
    for (int i = 0; i < 3; ++i) std::swap(nodes[i], nodes[i + 3]);
    if (elements.type == ElementType::wedge15)  // nodes between bottom and top stay
      for (const auto& [bottom, top] : {std::pair{6, 12}, {7, 13}, {9, 14}})
        std::swap(nodes[bottom], nodes[top]);
  }

  void note_inner_nodes(const VtuType& type, const std::int64_t* nodes) {
    const int n = elements::n_nodes(type.type);
    if (type.n_nodes == n) return;
    is_inner_.resize(static_cast<std::size_t>(mesh_.n_nodes()), false);
    for (int i = n; i < type.n_nodes; ++i) is_inner_[static_cast<std::size_t>(nodes[i])] = true;
  }

  ElementBlock& block(ElementType type) {
    for (ElementBlock& elements : mesh_.blocks)
      if (elements.type == type) return elements;
    mesh_.blocks.push_back({type, {}, {}});
    return mesh_.blocks.back();
  }

  ElementBlock& block_of(std::size_t cell) {
    return block(static_cast<ElementType>(cells_[cell].type));
  }

  /// Attributes of PointData and CellData say which array plays which part.
  void warn_of_unknown_roles(const pugi::xml_node& data) {
    static const std::set<std::string> known = {
        "Scalars",         "Vectors",     "Normals",
        "Tensors",         "TCoords",     "Tangents",
        "GlobalIds",       "PedigreeIds", "HigherOrderDegrees",
        "RationalWeights", "ProcessIds",  "EdgeFlag"};
    for (const pugi::xml_attribute& attribute : data.attributes())
      if (known.count(attribute.name()) == 0)
        base::log_warning("{}: `{}` of <{}> is unknown", file_, attribute.name(), data.name());
  }

  /// The array of tags that `GlobalIds` names, if they are positive and differ; else 1, 2, ...
  Integers tags_of(const pugi::xml_node& data, std::size_t n) {
    warn_of_unknown_roles(data);
    const char* name = data.attribute("GlobalIds").as_string();
    const pugi::xml_node array = data.find_child_by_attribute("DataArray", "Name", name);
    Integers tags;
    if (array) tags = numbers<std::int64_t>(array);
    Integers sorted = tags;
    std::sort(sorted.begin(), sorted.end());
    const bool is_good = array && tags.size() == n && (n == 0 || sorted.front() > 0) &&
                         std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    if (!array && *name != '\0')
      base::log_warning("{}: the array `{}`, which numbers nodes or elements, is missing", file_,
                        name);
    if (array && !is_good)
      base::log_warning("{}: `{}` is not a unique numbering and was ignored", file_, name);
    if (array) used_arrays_.insert(name);
    if (is_good) return tags;
    tags.resize(n);
    for (std::size_t i = 0; i < n; ++i) tags[i] = static_cast<std::int64_t>(i) + 1;
    return tags;
  }

  void read_tags(const pugi::xml_node& piece) {
    mesh_.node_tags = tags_of(piece.child("PointData"), static_cast<std::size_t>(mesh_.n_nodes()));
    const Integers tags = tags_of(piece.child("CellData"), cells_.size());
    for (std::size_t c = 0; c < cells_.size(); ++c)
      if (cells_[c].type >= 0)
        block_of(c).tags[static_cast<std::size_t>(cells_[c].element)] = tags[c];
  }

  static bool is_integer(const pugi::xml_node& array) {
    return std::string(array.attribute("type").as_string()).find("Int") != std::string::npos;
  }

  void read_sets(const pugi::xml_node& data, bool is_of_points) {
    for (const pugi::xml_node& array : data.children("DataArray")) {
      const std::string name = array.attribute("Name").as_string();
      const int n_components = array.attribute("NumberOfComponents").as_int(1);
      if (!is_integer(array) || n_components > 1 || name.empty() || used_arrays_.count(name))
        continue;
      const Integers values = numbers<std::int64_t>(array);
      const std::size_t n =
          is_of_points ? static_cast<std::size_t>(mesh_.n_nodes()) : cells_.size();
      if (values.size() != n)
        fail_at(array, fmt::format("it has {} values for {}", values.size(), n));
      add_sets(name, array.attribute("SolidynDimension").as_int(0), values, is_of_points);
    }
  }

  void add_sets(const std::string& name, int dimension, const Integers& values, bool is_of_points) {
    std::set<std::int64_t> distinct;
    for (std::int64_t value : values) {
      if (value == 0 || !distinct.insert(value).second) continue;
      if (distinct.size() > kMostValues)
        return base::log_info("{}: array `{}` has too many values for sets", file_, name);
    }
    const bool is_mark = distinct.empty() || (distinct.size() == 1 && *distinct.begin() == 1);
    if (distinct.empty()) mesh_.sets[name].dimension = dimension;
    for (std::int64_t value : distinct) {
      mesh::NodeSet set = is_of_points ? points_with(values, value) : cells_with(values, value);
      if (is_of_points) set.dimension = std::clamp(dimension, 0, 3);
      mesh_.sets[is_mark ? name : fmt::format("{}_{}", name, value)] = std::move(set);
    }
  }

  static mesh::NodeSet points_with(const Integers& values, std::int64_t value) {
    mesh::NodeSet set;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] == value) set.nodes.push_back(static_cast<std::int32_t>(i));
    return set;
  }

  mesh::NodeSet cells_with(const Integers& values, std::int64_t value) {
    mesh::NodeSet set;
    for (std::size_t c = 0; c < values.size(); ++c) {
      if (values[c] != value) continue;
      if (cells_[c].type < 0) {
        const auto first = points_.begin() + cells_[c].element;
        set.nodes.insert(set.nodes.end(), first, first + cells_[c].n);
        continue;
      }
      const ElementBlock& elements = block_of(c);
      const int n = elements::n_nodes(elements.type);
      const auto first = elements.connectivity.begin() + cells_[c].element * n;
      set.nodes.insert(set.nodes.end(), first, first + n);
      set.dimension = std::max(set.dimension, elements::dimension(elements.type));
    }
    std::sort(set.nodes.begin(), set.nodes.end());
    set.nodes.erase(std::unique(set.nodes.begin(), set.nodes.end()), set.nodes.end());
    return set;
  }

  /// Nodes inside faces and solids leave the mesh.
  void drop_inner_nodes() {
    if (is_inner_.empty()) return;
    const std::int64_t n_dropped = formats::drop_inner_nodes(std::move(is_inner_), mesh_);
    base::log_warning("{}: {} face and volume nodes were removed", file_, n_dropped);
  }

  struct Cell {
    int type = -1;             // of elements::ElementType; -1: points
    std::int64_t element = 0;  // in its block; of points in points_
    std::int64_t n = 0;        // of points
  };

  const std::string file_;
  const double scale_;
  pugi::xml_document document_;
  std::string_view appended_;
  bool is_appended_raw_ = false;
  VtuCoding coding_;
  mesh::Mesh mesh_;
  std::vector<Cell> cells_;
  std::vector<std::int32_t> points_;
  std::vector<bool> is_inner_;
  std::set<std::string> used_arrays_;
};

}  // namespace

mesh::Mesh parse_vtu(std::string_view bytes, const std::string& file, double scale) {
  if (bytes.empty())
    throw base::InputError("the file is empty", "is this an unstructured grid of VTK (.vtu)?",
                           {file, 0, 0});
  return VtuReader(bytes, file, scale).read();
}

mesh::Mesh read_vtu(const std::string& path, double scale) {
  const FileBytes bytes(path);
  return parse_vtu(bytes.bytes(), path, scale);
}

}  // namespace solidyn::formats
