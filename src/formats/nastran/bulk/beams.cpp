#include "formats/nastran/bulk/beams.h"

#include <fmt/format.h>

#include <algorithm>

namespace solidyn::formats {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using imported::LineElement;
using imported::LineElements;

// Columns in basic axes, of the components that a grid's displacements have (CD).
Matrix3d axes_of(const imported::SolidModel& model, std::int64_t grid) {
  const auto found = model.node_axes.find(grid);
  return found == model.node_axes.end() ? Matrix3d(Matrix3d::Identity()) : found->second;
}

Vector3d vector_at(const NastranCard& card, int i) {
  return {card.real(i, 0.0), card.real(i + 1, 0.0), card.real(i + 2, 0.0)};
}

}  // namespace

void NastranBeams::note(const NastranCard& card) {
  const bool is_default = card.is("BAROR") || card.is("BEAMOR");
  try {
    if (card.is("CBAR") || card.is("CBEAM"))
      add_element(card);
    else if (is_default)
      defaults_[card.is("BAROR") ? "CBAR" : "CBEAM"] = {card.label(2, 0), read_orientation(card),
                                                        read_axes(card)};
    else if (NastranBeamProperties::is_property(card.key()))
      properties_.add(card);
  } catch (const base::InputError& error) {
    errors_.insert(errors_.end(), error.diagnostics().begin(), error.diagnostics().end());
  }
}

// A grid has no decimal point, and nothing behind it.
NastranBeams::Orientation NastranBeams::read_orientation(const NastranCard& card) {
  Orientation o;
  o.is_given = !card.is_blank(5) || !card.is_blank(6) || !card.is_blank(7);
  if (card.is_integer(5) && card.is_blank(6) && card.is_blank(7))
    o.grid = card.label(5);
  else if (o.is_given)
    o.vector = vector_at(card, 5);
  return o;
}

std::string NastranBeams::read_axes(const NastranCard& card) {
  if (card.is_blank(8)) return {};
  if (!card.is_word(8) || card.word(8).size() != 3)
    card.fail(8, "the axes of orientation and offsets (OFFT), such as GGG", "write GGG or BGG");
  std::string axes = card.word(8);
  if ((axes[0] != 'G' && axes[0] != 'B') || axes.substr(1) != "GG")
    card.fail(fmt::format("offsets in element axes ({}) are not supported", axes),
              "give them in the axes of the grids: GGG or BGG");
  return axes;
}

void NastranBeams::refuse_pins(const NastranCard& card) {
  for (const int i : {9, 10})
    if (!card.is_blank(i) && card.word(i) != "0")
      card.fail(fmt::format("pin flags ({} {}) are not supported: beam ends are rigidly connected",
                            i == 9 ? "PA" : "PB", card.word(i)),
                "divide the lines into two bodies at this point, and connect them by a joint");
  if (!card.is("CBEAM")) return;
  for (const int i : {17, 18})
    if (!card.is_blank(i) && card.integer(i) != 0)
      card.fail("warping of the section (SA, SB) is not supported", "remove them");
}

void NastranBeams::add_element(const NastranCard& card) {
  Element element;
  element.card = card.name();
  element.values.tag = card.label(1);
  element.values.name = fmt::format("{} {}", card.name(), card.label(1));
  element.values.where = card.where();
  element.pid = card.label(2, 0);
  element.values.nodes = {card.label(3), card.label(4)};
  if (element.values.nodes[0] == element.values.nodes[1])
    card.fail(fmt::format("both ends are grid {}", card.label(3)),
              "a beam must connect two different grids");
  element.orientation = read_orientation(card);
  element.axes = read_axes(card);
  element.values.offsets = {vector_at(card, 11), vector_at(card, 14)};
  refuse_pins(card);
  elements_.push_back(std::move(element));
}

void NastranBeams::complete(Element& element) const {
  const auto found = defaults_.find(element.card);
  if (found != defaults_.end()) {
    const Defaults& d = found->second;
    if (element.pid == 0) element.pid = d.pid;
    if (!element.orientation.is_given) element.orientation = d.orientation;
    if (element.axes.empty()) element.axes = d.axes;
  }
  // Without a property it is that with the element's number.
  if (element.pid == 0) element.pid = static_cast<std::int32_t>(element.values.tag);
}

int NastranBeams::find_material(const NastranBeamProperties::Property& property,
                                const NastranProperties& materials, LineElements& lines) {
  const imported::Material material =
      materials.beam_material(property.material, property.values.name, property.values.where);
  for (std::size_t m = 0; m < lines.materials.size(); ++m)
    if (lines.materials[m].name == material.name) return static_cast<int>(m);
  lines.materials.push_back(material);
  return static_cast<int>(lines.materials.size()) - 1;
}

int NastranBeams::find_property(const Element& element, const NastranProperties& materials,
                                LineElements& lines) {
  const auto [at, is_new] = found_.emplace(element.pid, -1);
  if (!is_new) return at->second;
  const NastranBeamProperties::Property* property = properties_.find(element.pid);
  if (!property && !properties_.is_wrong(element.pid))
    throw base::InputError(fmt::format("{} uses property {}, which is not defined in the deck",
                                       element.values.name, element.pid),
                           "add its PBAR, PBARL, PBEAM or PBEAML entry", element.values.where);
  if (!property) return -1;
  at->second = static_cast<int>(lines.properties.size());
  lines.properties.push_back(property->values);
  lines.properties.back().material = find_material(*property, materials, lines);
  return at->second;
}

void NastranBeams::finish_element(Element& element, const NastranGrids& grids,
                                  const NastranProperties& materials, imported::SolidModel& model) {
  complete(element);
  LineElement& e = element.values;
  const Orientation& o = element.orientation;
  for (const std::int64_t grid : {e.nodes[0], e.nodes[1], std::int64_t(o.grid)})
    if (grid != 0 && grids.find(grid) < 0)
      throw base::InputError(
          fmt::format("{} uses grid {}, which is not defined in the deck", e.name, grid),
          "add the GRID entry", e.where);
  for (int end = 0; end < 2; ++end) e.offsets[end] = axes_of(model, e.nodes[end]) * e.offsets[end];
  const bool is_basic = !element.axes.empty() && element.axes[0] == 'B';
  if (o.grid != 0)
    e.towards_y = grids.x(grids.find(o.grid)) - grids.x(grids.find(e.nodes[0]));
  else
    e.towards_y = is_basic ? o.vector : Vector3d(axes_of(model, e.nodes[0]) * o.vector);
  e.property = find_property(element, materials, model.lines);
  if (e.property >= 0)
    model.lines.groups[model.lines.properties[e.property].name].push_back(
        model.lines.elements.size());
  model.lines.elements.push_back(e);
}

// Each alone: they have one series of numbers.
void NastranBeams::refuse_twice(const Element& element, std::set<std::int64_t>& known) {
  if (!known.insert(element.values.tag).second)
    throw base::InputError(fmt::format("{}: another beam has the same number", element.values.name),
                           "remove one of them, or renumber it", element.values.where);
}

void NastranBeams::tell_of_default_axes(imported::SolidModel& model) const {
  const auto has_none = [](const Element& element) { return !element.orientation.is_given; };
  const auto n = std::count_if(elements_.begin(), elements_.end(), has_none);
  const auto first = std::find_if(elements_.begin(), elements_.end(), has_none);
  if (n > 0)
    model.report.warnings.push_back(
        {first->values.where,
         fmt::format(
             "{} {} no orientation vector (first: {}): the default for beams by points is used", n,
             n == 1 ? "beam has" : "beams have", first->values.name),
         "give it in the file, or as `y_axis` of the body or a group"});
}

void NastranBeams::finish(const NastranGrids& grids, const NastranProperties& materials,
                          imported::SolidModel& model) {
  std::set<std::int64_t> known;
  for (Element& element : elements_) {
    try {
      refuse_twice(element, known);
      finish_element(element, grids, materials, model);
    } catch (const base::InputError& error) {
      errors_.insert(errors_.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  tell_of_default_axes(model);
  model.lines.cards = {"CBAR", "CBEAM", "PBAR", "PBARL", "PBEAM", "PBEAML", "BAROR", "BEAMOR"};
  model.lines.errors = std::move(errors_);
}

}  // namespace solidyn::formats
