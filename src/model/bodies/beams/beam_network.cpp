#include "model/bodies/beams/beam_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/bodies/beams/beam_network_maker.h"
#include "model/bodies/beams/build_beam_elements.h"
#include "model/bodies/import/imported_body.h"
#include "solidyn/base/disjoint_sets.h"
#include "solidyn/imported/checks.h"

namespace solidyn::model {
namespace {

using Eigen::Vector3d;

NodePositions positions_of(const imported::SolidModel& file) {
  NodePositions nodes;
  for (std::size_t i = 0; i < file.mesh.node_tags.size(); ++i)
    nodes.emplace(file.mesh.node_tags[i], file.mesh.x.col(static_cast<Eigen::Index>(i)));
  for (const imported::LooseNode& node : file.loose_nodes) nodes.emplace(node.tag, node.x);
  return nodes;
}

}  // namespace

BeamNetworkMaker::BeamNetworkMaker(const imported::SolidModel& file, const ModelDescription& model,
                                   const BeamOfMesh& body)
    : file_(file), model_(model), body_(body), positions_(positions_of(file)) {}

BeamNetwork BeamNetworkMaker::make() {
  refuse_file();
  lines_ = make_beam_lines(file_, model_, body_, positions_, complaints_);
  throw_if_any();
  find_size();
  for (const BeamLineElement& line : lines_) add_line(line);
  add_rigid_elements();
  refuse_parts();
  add_places();
  add_masses();
  add_sections();
  throw_if_any();
  doubt_units();
  tell_of_the_rest();
  return std::move(network_);
}

bool BeamNetworkMaker::is_read(const std::string& card) const {
  const auto& cards = file_.lines.cards;
  return std::find(cards.begin(), cards.end(), card) != cards.end();
}

void BeamNetworkMaker::refuse_file() {
  for (const base::Diagnostic& diagnostic : file_.lines.errors) complaints_.add(diagnostic);
  for (const auto& [card, where] : file_.report.unsupported)
    if (!is_read(card))
      error(
          fmt::format(
              "{} changes stiffness or mass and is not a beam: the body {} would differ from that in the file",
              card, body_.name),
          "remove it from the file", where);
  if (file_.lines.elements.empty() && file_.lines.errors.empty())
    error(fmt::format("{} contains no lines for beams", file_.source),
          "beams are read from lines of Gmsh, CBAR and CBEAM of Nastran, B31 and B33 of Abaqus");
}

void BeamNetworkMaker::find_size() {
  Eigen::AlignedBox3d box;
  for (const BeamLineElement& line : lines_)
    for (const std::int64_t tag : line.line->nodes) box.extend(positions_.at(tag));
  size_ = box.sizes().maxCoeff();
}

// The node that stands `arm` beside a node of the file; those beside each other are tied.
int BeamNetworkMaker::node_at(std::int64_t tag, const Vector3d& arm) {
  std::vector<int>& here = nodes_of_[tag];
  const Vector3d x = positions_.at(tag) + arm;
  for (const int node : here)
    if ((network_.nodes[node] - x).norm() <= 1e-9 * size_) return node;
  const std::string name = here.empty() ? fmt::format("node {}", tag)
                                        : fmt::format("end {} beside node {}", here.size(), tag);
  const int made = add_node(x, name);
  if (!here.empty()) network_.ties.push_back({name, made, here[0]});
  here.push_back(made);
  return made;
}

int BeamNetworkMaker::add_node(const Vector3d& x, std::string name) {
  network_.nodes.push_back(x);
  network_.names.push_back(std::move(name));
  return static_cast<int>(network_.nodes.size()) - 1;
}

void BeamNetworkMaker::add_line(const BeamLineElement& line) {
  const GivenStrains& given = line.group < 0 ? body_.given : body_.groups[line.group].given;
  bodies::BeamElementData data = beam_element_data(body_, given, line.properties);
  data.R_p = data.R_q = line.R_BS;
  const int n = body_.n_elements;
  data.length = line.length / n;
  const int start = node_at(line.line->nodes[0], line.arms[0]),
            end = node_at(line.line->nodes[1], line.arms[1]);
  const Vector3d x = network_.nodes[start], step = (network_.nodes[end] - x) / n;
  data.p = start;
  for (int e = 0; e < n; ++e) {
    data.q = e + 1 == n ? end
                        : add_node(x + (e + 1) * step,
                                   fmt::format("node {} in {}", e + 1, line.line->name));
    network_.elements.push_back(data);
    network_.groups.push_back(line.group);
    data.p = data.q;
  }
}

bool BeamNetworkMaker::touches(const imported::RigidElement& element) const {
  return is_node(element.reference) ||
         std::any_of(element.nodes.begin(), element.nodes.end(),
                     [&](std::int64_t node) { return is_node(node); });
}

void BeamNetworkMaker::add_rigid_elements() {
  std::vector<const imported::RigidElement*> left;
  for (const imported::RigidElement& element : file_.rigid_elements)
    if (!element.nodes.empty()) left.push_back(&element);
  // One may hang on another that comes behind it.
  for (std::size_t before = 0; before != left.size();) {
    before = left.size();
    std::vector<const imported::RigidElement*> loose;
    for (const imported::RigidElement* element : left)
      touches(*element) ? take_rigid_element(*element) : loose.push_back(element);
    left = std::move(loose);
  }
  for (const imported::RigidElement* element : left)
    warn(fmt::format("{} is not connected to any line and is ignored", element->name), "",
         element->where);
}

void BeamNetworkMaker::take_rigid_element(const imported::RigidElement& element) {
  if (element.kind != imported::RigidElement::Kind::rbe2 || element.components != "123456")
    error(fmt::format("{} couples nodes of beams, but not rigidly in all directions", element.name),
          "only rigid elements of six components are supported for beams: remove it from the file",
          element.where);
  else
    add_rigid_element(element);
}

void BeamNetworkMaker::add_rigid_element(const imported::RigidElement& element) {
  for (const std::int64_t tag : element.nodes)
    if (positions_.count(tag) == 0 || positions_.count(element.reference) == 0)
      return error(fmt::format("{} has a node that is not defined in the file", element.name),
                   "add it to the file", element.where);
  const int reference = node_at(element.reference, Vector3d::Zero());
  for (const std::int64_t tag : element.nodes) {
    if (tag == element.reference) continue;
    if (!held_.insert(tag).second) {
      error(fmt::format(
                "{} constrains node {}, which is already constrained by another rigid element",
                element.name, tag),
            "remove one of them", element.where);
      continue;
    }
    const int node = is_node(tag) ? first_node(tag) : node_at(tag, Vector3d::Zero());
    network_.ties.push_back({fmt::format("{}, node {}", element.name, tag), node, reference});
  }
  add_place(name_in_model(element.name), element.reference, {});
}

void BeamNetworkMaker::refuse_parts() {
  base::DisjointSets<> connected(network_.nodes.size());
  for (const bodies::BeamElementData& e : network_.elements) connected.join(e.p, e.q);
  for (const BeamNetwork::Tie& tie : network_.ties) connected.join(tie.node, tie.to);
  struct Part {
    std::string first, last;
    int n_lines = 0;
  };
  std::vector<Part> parts;  // in the order of the file
  std::map<int, std::size_t> of_root;
  for (const BeamLineElement& line : lines_) {
    const auto [at, is_new] =
        of_root.emplace(connected.root(first_node(line.line->nodes[0])), parts.size());
    if (is_new) parts.push_back({line.line->name, "", 0});
    Part& part = parts[at->second];
    if (part.last != line.line->name) ++part.n_lines;  // halves have one name
    part.last = line.line->name;
  }
  if (parts.size() < 2) return;
  constexpr std::size_t kMost = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, parts.size()); ++i)
    text += fmt::format("{}{} {} with {}", i ? "; " : "", parts[i].n_lines,
                        parts[i].n_lines == 1 ? "line" : "lines", parts[i].first);
  error(
      fmt::format("the lines form {} disconnected parts: {}{}", parts.size(), text,
                  parts.size() > kMost ? "; .." : ""),
      "merge their nodes, connect them by rigid elements, or use a file and a body for each part");
}

// A file in tonne, mm and s that is read as SI has steel in which waves are a thousand times too
// fast, while its mass may pass for one in kg.
void BeamNetworkMaker::doubt_units() {
  std::set<std::string> told;
  imported::CheckReport report;
  for (const BeamLineElement& line : lines_) {
    const std::string& name = line.material.name;
    if (!line.has_material_of_file || !told.insert(name).second) continue;
    const materials::IsotropicElastic& m = *line.material.solid.isotropic();  // as lines have it
    imported::add_wave_plausibility(report, file_.source, name,
                                    std::sqrt(m.youngs_modulus / m.density));
  }
  for (const base::Diagnostic& doubt : report.warnings)
    warn(fmt::format("bodies.{}: {}", body_.name, doubt.what), doubt.remedy);
}

void BeamNetworkMaker::tell_of_the_rest() {
  std::int64_t n_solids = 0;
  for (const mesh::ElementBlock& block : file_.mesh.blocks)
    if (elements::dimension(block.type) > 1) n_solids += block.size();
  if (n_solids > 0)
    warn(fmt::format("{} solids and faces are not part of the beam {}", n_solids, body_.name),
         "define another body with the same mesh for them");
  if (!file_.supports.empty())
    warn(
        fmt::format("{} supports in the file are ignored: the body is free", file_.supports.size()),
        "constrain it by joints");
  network_.warnings.insert(network_.warnings.begin(), file_.report.warnings.begin(),
                           file_.report.warnings.end());
  std::string left;
  for (const auto& [name, n] : file_.other_elements)
    if (!is_read(name)) left += fmt::format("{}{} {}", left.empty() ? "" : ", ", n, name);
  for (const auto& [card, n] : file_.report.skipped)
    if (!is_read(card) && card.find("without nodes of solids") == card.npos)
      left += fmt::format("{}{} {}", left.empty() ? "" : ", ", n, card);
  network_.summary =
      fmt::format("{}, {}: {} lines, {} rigid ties, {} places, {} masses{}{}", file_.source,
                  file_.format, lines_.size(), network_.ties.size(), network_.places.size(),
                  network_.masses.size(), left.empty() ? "" : "; ignored: ", left);
}

BeamNetwork make_beam_network(const imported::SolidModel& file, const ModelDescription& model,
                              const BeamOfMesh& body) {
  return BeamNetworkMaker(file, model, body).make();
}

}  // namespace solidyn::model
