#include "results/xdmf.h"

#include <fmt/format.h>

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

std::string group_of(const XdmfPart& part) { return "/parts/" + part.link; }

std::string cells_path(const XdmfPart& part, elements::ElementType shape) {
  return group_of(part) + "/cells/" + elements::name(shape);
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
  const elements::ElementTraits& shape = elements::traits(cells.shape);
  const std::string name = part.cells.size() == 1 ? part.name : part.name + " " + shape.name;
  std::string text = fmt::format(
      "        <Grid Name=\"{}\" GridType=\"Uniform\">\n"
      "          <Topology TopologyType=\"{}\" NumberOfElements=\"{}\" NodesPerElement=\"{}\">{}</Topology>\n"
      "          <Geometry GeometryType=\"XYZ\">{}</Geometry>\n",
      escaped(name), shape.xdmf, cells.n, shape.n_nodes,
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
