#include "formats/nastran/bulk/attachments.h"

#include <fmt/format.h>

#include <algorithm>

namespace solidyn::formats {

using imported::RigidElement;

namespace {

constexpr std::size_t kNamedMissing = 10;  // named in a message

void check_grids(const RigidElement& element, const base::SourceLocation& where,
                 const NastranGrids& grids, Complaints& complaints) {
  std::vector<std::int64_t> missing;
  if (grids.find(element.reference) < 0) missing.push_back(element.reference);
  for (const std::int64_t tag : element.nodes)
    if (grids.find(tag) < 0 && missing.size() < kNamedMissing) missing.push_back(tag);
  if (!missing.empty())
    complaints.add({where,
                    fmt::format("{} uses grids that are not defined in the deck: {}", element.name,
                                fmt::join(missing, ", ")),
                    "add the GRID entries"});
}

/// Adds a node of an RBE3; components are kept node by node only where they differ.
void add_node(RigidElement& element, std::int64_t node, double weight,
              const std::string& components) {
  if (element.nodes.empty()) element.node_components = components;
  const bool are_alike = element.components_of_nodes.empty();
  if (are_alike && element.node_components != components) {
    element.components_of_nodes.assign(element.nodes.size(), element.node_components);
    element.node_components.clear();
  }
  if (!element.components_of_nodes.empty()) element.components_of_nodes.push_back(components);
  element.nodes.push_back(node);
  element.weights.push_back(weight);
}

}  // namespace

bool NastranAttachments::add(const NastranCard& card) {
  switch (card.key()) {
    case card_key("CONM2"):
      add_conm2(card);
      return true;
    case card_key("RBE2"):
      add_rbe2(card);
      return true;
    case card_key("RBE3"):
      add_rbe3(card);
      return true;
    case card_key("SPC"):
      add_spc(card);
      return true;
    case card_key("SPC1"):
      add_spc1(card);
      return true;
    case card_key("SPCADD"):
      for (int i = 2; i <= card.n_fields(); ++i)
        if (!card.is_blank(i)) sums_[card.label(1)].push_back(card.label(i));
      return true;
    case card_key("SPOINT"):
      scalar_points_.add(card, 1);
      ++n_scalar_entries_;
      return true;
    default:
      return false;
  }
}

void NastranAttachments::add_conm2(const NastranCard& card) {
  Mass mass;
  mass.values.name = fmt::format("CONM2 {}", card.label(1));
  mass.values.node = card.label(2);
  mass.frame = card.integer(3, 0);
  if (mass.frame < -1 || mass.frame >= INT32_MAX) card.fail(3, "a coordinate system, 0 or -1");
  mass.values.mass = card.real(4, 0.0);
  for (int i = 0; i < 3; ++i) mass.values.offset[i] = card.real(5 + i, 0.0);
  const double i11 = card.real(9, 0.0), i21 = card.real(10, 0.0), i22 = card.real(11, 0.0),
               i31 = card.real(12, 0.0), i32 = card.real(13, 0.0), i33 = card.real(14, 0.0);
  mass.values.inertia << i11, -i21, -i31, -i21, i22, -i32, -i31, -i32, i33;
  mass.where = card.where();
  masses_.push_back(std::move(mass));
}

void NastranAttachments::add_rbe2(const NastranCard& card) {
  Rigid rigid;
  rigid.where = card.where();
  RigidElement& element = rigid.values;
  element.name = fmt::format("RBE2 {}", card.label(1));
  element.reference = card.label(2);
  element.components = card.components(3);
  for (int i = 4; i <= card.n_fields(); ++i) {
    if (card.is_blank(i)) continue;
    const bool is_expansion = i > 4 && !card.is_integer(i);  // ALPHA and TREF close the entry
    if (is_expansion) {
      card.real(i);
      break;
    }
    element.nodes.push_back(card.label(i));
  }
  if (element.nodes.empty()) card.fail("the entry has no dependent grid", "add GM1");
  rigid_.push_back(std::move(rigid));
}

void NastranAttachments::add_rbe3(const NastranCard& card) {
  Rigid rigid;
  rigid.where = card.where();
  RigidElement& element = rigid.values;
  element.kind = RigidElement::Kind::rbe3;
  element.name = fmt::format("RBE3 {}", card.label(1));
  element.reference = card.label(3);
  element.components = card.components(4);
  double weight = 0.0;
  std::string components;
  for (int i = 5; i <= card.n_fields(); ++i) {
    if (card.is_blank(i)) continue;
    if (card.is_word(i)) {
      const std::string word = card.word(i);
      if (word == "UM" || word == "ALPHA" || word == "TREF") break;  // what follows is no grid
      card.fail(i, "a weight, a grid, UM or ALPHA");
    }
    if (card.is_integer(i)) {
      if (components.empty()) card.fail(i, "a weight (with a decimal point)");
      add_node(element, card.label(i), weight, components);
      continue;
    }
    weight = card.real(i++);
    components = card.components(i);
    if (components.empty()) card.fail(i, "components after a weight");
  }
  if (element.nodes.empty()) card.fail("the entry has no grid", "add weight, components, grids");
  rigid_.push_back(std::move(rigid));
}

void NastranAttachments::add_spc(const NastranCard& card) {
  for (const int i : {2, 5}) {
    if (card.is_blank(i)) continue;
    Support support;
    support.set = card.label(1);
    support.components = bits_of(card.components(i + 1));
    support.ids.add(card.label(i));
    support.where = card.where();
    supports_.push_back(std::move(support));
  }
}

void NastranAttachments::add_spc1(const NastranCard& card) {
  Support support;
  support.set = card.label(1);
  support.components = bits_of(card.components(2));
  support.ids.add(card, 3);
  support.where = card.where();
  supports_.push_back(std::move(support));
}

void NastranAttachments::finish_mass(const Mass& mass, NastranGrids& grids,
                                     imported::SolidModel& model) {
  const std::int32_t grid = grids.find(mass.values.node);
  if (grid < 0)
    throw base::InputError(fmt::format("{} uses grid {}, which is not defined in the deck",
                                       mass.values.name, mass.values.node),
                           "add the GRID entry", mass.where);
  imported::PointMass values = mass.values;
  const Eigen::Vector3d x = grids.x(grid);
  if (mass.frame < 0) {
    values.offset -= x;
  } else if (mass.frame > 0) {
    const Eigen::Matrix3d R = grids.axes(static_cast<std::int32_t>(mass.frame), x, mass.where);
    values.offset = R * values.offset;
    values.inertia = R * values.inertia * R.transpose();
  }
  values.where = mass.where;
  model.masses.push_back(std::move(values));
}

/// The sets that SPCADD entries put together; an SPCADD cannot name another.
std::set<std::int32_t> NastranAttachments::expand(const std::set<std::int32_t>& selected) const {
  std::set<std::int32_t> all = selected;
  for (const std::int32_t id : selected) {
    const auto sum = sums_.find(id);
    if (sum != sums_.end()) all.insert(sum->second.begin(), sum->second.end());
  }
  return all;
}

/// A listed grid must be there, whether its set is selected or not.
void NastranAttachments::check_supports(const std::vector<std::int64_t>& tags,
                                        Complaints& complaints) const {
  std::vector<std::int64_t> missing;
  const Support* first = nullptr;
  for (const Support& support : supports_) {
    const std::vector<std::int64_t> more = support.ids.missing(tags);
    missing.insert(missing.end(), more.begin(), more.end());
    if (!first && !more.empty()) first = &support;
  }
  if (!first) return;
  std::sort(missing.begin(), missing.end());
  const std::vector<std::int64_t> scalar = scalar_points_.among(missing);
  std::vector<std::int64_t> unknown;
  std::set_difference(missing.begin(), missing.end(), scalar.begin(), scalar.end(),
                      std::back_inserter(unknown));
  if (unknown.empty()) return;
  const bool is_more = unknown.size() > kNamedMissing;
  if (is_more) unknown.resize(kNamedMissing);
  complaints.add({first->where,
                  fmt::format("constraints use grids that are not defined in the deck: {}{}",
                              fmt::join(unknown, ", "), is_more ? ", .." : ""),
                  "add the GRID entries, or remove these from the list"});
}

void NastranAttachments::finish_supports(NastranGrids& grids, const std::vector<std::int64_t>& tags,
                                         const std::set<std::int32_t>& selected,
                                         imported::SolidModel& model,
                                         Complaints& complaints) const {
  check_supports(tags, complaints);
  const std::set<std::int32_t> sets = expand(selected);
  std::vector<std::uint8_t> fixed(grids.size(), 0);
  grids.for_each_support([&](std::int32_t grid, std::uint8_t bits) { fixed[grid] |= bits; });
  std::map<std::uint8_t, NastranIds> by_components;
  for (const Support& support : supports_) {
    if (support.components == 0) continue;
    if (selected.empty() || sets.count(support.set))
      by_components[support.components].add(support.ids);
  }
  for (const auto& [components, ids] : by_components)
    for (const std::int64_t tag : ids.among(tags)) {
      const std::int32_t grid = grids.find(tag);
      if (grid >= 0) fixed[grid] = static_cast<std::uint8_t>(fixed[grid] | components);
    }
  for (std::int32_t grid = 0; grid < grids.size(); ++grid)
    if (fixed[grid]) model.supports.push_back({grids.tags()[grid], components_of(fixed[grid])});
}

void NastranAttachments::finish(NastranGrids& grids, const std::vector<std::int64_t>& tags,
                                const std::set<std::int32_t>& selected, imported::SolidModel& model,
                                Complaints& complaints) {
  for (const Mass& mass : masses_) {
    try {
      finish_mass(mass, grids, model);
    } catch (const base::InputError& error) {
      complaints.add(error);
    }
  }
  for (Rigid& rigid : rigid_) {
    check_grids(rigid.values, rigid.where, grids, complaints);
    rigid.values.where = rigid.where;
    model.rigid_elements.push_back(std::move(rigid.values));
  }
  finish_supports(grids, tags, selected, model, complaints);
}

}  // namespace solidyn::formats
