#include "results/xdmf.h"

#include <fmt/format.h>

#include <array>

#include "results/link_name.h"

namespace solidyn::results {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

const char* attribute_type(int n_components) {
  return n_components == 1 ? "Scalar" : n_components == 3 ? "Vector" : "Tensor6";
}

}  // namespace

const XdmfShape& xdmf_shape(CellShape shape) {
  // XDMF has VTK's orders: the middle nodes of a tet10 sit on the edges 01 12 20 03 13 23, Gmsh's
  // on 01 12 20 03 23 13. Of the others VTK counts the edges around the bottom, around the top,
  // then those that rise; Gmsh counts them by their lowest corners.
  static const std::array<XdmfShape, 15> shapes{{
      {"point", "Polyvertex", 1, {0}},
      {"line2", "Polyline", 2, {0, 1}},
      {"line3", "Edge_3", 3, {0, 1, 2}},
      {"tri3", "Triangle", 3, {0, 1, 2}},
      {"tri6", "Triangle_6", 6, {0, 1, 2, 3, 4, 5}},
      {"quad4", "Quadrilateral", 4, {0, 1, 2, 3}},
      {"quad8", "Quadrilateral_8", 8, {0, 1, 2, 3, 4, 5, 6, 7}},
      {"tet4", "Tetrahedron", 4, {0, 1, 2, 3}},
      {"tet10", "Tetrahedron_10", 10, {0, 1, 2, 3, 4, 5, 6, 7, 9, 8}},
      {"hex8", "Hexahedron", 8, {0, 1, 2, 3, 4, 5, 6, 7}},
      {"hex20", "Hexahedron_20", 20, {0,  1, 2,  3,  4,  5,  6,  7,  8,  11,
                                      13, 9, 16, 18, 19, 17, 10, 12, 14, 15}},
      {"wedge6", "Wedge", 6, {0, 1, 2, 3, 4, 5}},
      {"wedge15", "Wedge_15", 15, {0, 1, 2, 3, 4, 5, 6, 9, 7, 12, 14, 13, 8, 10, 11}},
      {"pyramid5", "Pyramid", 5, {0, 1, 2, 3, 4}},
      {"pyramid13", "Pyramid_13", 13, {0, 1, 2, 3, 4, 5, 8, 10, 6, 7, 9, 11, 12}},
  }};
  return shapes[static_cast<int>(shape)];
}

std::string group_of(const XdmfPart& part) { return "/parts/" + part.link; }

std::string cells_path(const XdmfPart& part, CellShape shape) {
  return group_of(part) + "/cells/" + xdmf_shape(shape).name;
}

std::string values_path(const XdmfPart& part, const std::string& quantity, std::int64_t snapshot) {
  return fmt::format("{}/{}/{:06}", group_of(part), link_name(quantity), snapshot);
}

XdmfText::XdmfText(std::string h5_name, std::vector<XdmfPart> parts)
    : h5_name_(std::move(h5_name)), parts_(std::move(parts)) {}

std::string XdmfText::data(const std::string& path, std::int64_t n, int n_components,
                           const char* number_type) const {
  const std::string extents =
      n_components == 1 ? fmt::to_string(n) : fmt::format("{} {}", n, n_components);
  return fmt::format(
      R"(<DataItem Dimensions="{}" NumberType="{}" Precision="8" Format="HDF">{}:{}</DataItem>)",
      extents, number_type, escaped(h5_name_), path);
}

std::string XdmfText::grid(const XdmfPart& part, const XdmfPart::Cells& cells,
                           std::int64_t snapshot) const {
  const XdmfShape& shape = xdmf_shape(cells.shape);
  const std::string name = part.cells.size() == 1 ? part.name : part.name + " " + shape.name;
  std::string text = fmt::format(
      "        <Grid Name=\"{}\" GridType=\"Uniform\">\n"
      "          <Topology TopologyType=\"{}\" NumberOfElements=\"{}\" "
      "NodesPerElement=\"{}\">{}</Topology>\n"
      "          <Geometry GeometryType=\"XYZ\">{}</Geometry>\n",
      escaped(name), shape.topology_type, cells.n, shape.n_nodes,
      data(cells_path(part, cells.shape), cells.n, shape.n_nodes, "Int"),
      data(values_path(part, "positions", snapshot), part.n_nodes, 3, "Float"));
  const std::string attribute =
      "          <Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"Node\">{}</Attribute>\n";
  text += fmt::format(fmt::runtime(attribute), "node", "Scalar",
                      data(group_of(part) + "/nodes", part.n_nodes, 1, "Int"));
  for (const FieldQuantity& quantity : part.quantities) {
    const int n_components = quantity.n_components;
    text += fmt::format(
        fmt::runtime(attribute), escaped(quantity.name), attribute_type(n_components),
        data(values_path(part, quantity.name, snapshot), part.n_nodes, n_components, "Float"));
  }
  return text + "        </Grid>\n";
}

void XdmfText::add_snapshot(std::int64_t snapshot, double time) {
  snapshots_ += fmt::format(
      "      <Grid Name=\"snapshot {}\" GridType=\"Collection\" CollectionType=\"Spatial\">\n"
      "        <Time Value=\"{}\"/>\n",
      snapshot, time);
  for (const XdmfPart& part : parts_)
    for (const XdmfPart::Cells& cells : part.cells) snapshots_ += grid(part, cells, snapshot);
  snapshots_ += "      </Grid>\n";
}

std::string XdmfText::text() const {
  return "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n  <Domain>\n"
         "    <Grid Name=\"solidyn\" GridType=\"Collection\" CollectionType=\"Temporal\">\n" +
         snapshots_ + "    </Grid>\n  </Domain>\n</Xdmf>\n";
}

}  // namespace solidyn::results
