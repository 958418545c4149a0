#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "formats/nastran/bulk/solids.h"
#include "formats/nastran/lines/entry.h"
#include "formats/shared/materials.h"
#include "formats/shared/node_cover.h"
#include "solidyn/base/atomic_file.h"
#include "solidyn/base/log.h"
#include "solidyn/formats/nastran/bulk_and_punch.h"

namespace solidyn::formats {

using elements::ElementType;
using imported::Integration;
using Fields = NastranEntry::Fields;

namespace {

constexpr std::int64_t kLargestSmall = 99999999;  // a number that eight columns hold

/// The number in "PSOLID 3", or 0.
std::int32_t number_in(const std::string& name, const std::string& card) {
  std::int32_t number = 0;
  if (name.substr(0, card.size() + 1) != card + " ") return 0;
  const char *first = name.data() + card.size() + 1, *last = name.data() + name.size();
  const auto [end, error] = std::from_chars(first, last, number);
  return error == std::errc() && end == last && number > 0 ? number : 0;
}

/// Numbers of entries of one kind: those that names ask for, else the next free ones.
class Numbers {
 public:
  explicit Numbers(std::string card, std::int64_t first = 1)
      : card_(std::move(card)), next_(first) {}

  std::int64_t take(const std::string& name) {
    const std::int32_t wanted = number_in(name, card_);
    if (wanted && taken_.insert(wanted).second) return wanted;
    while (!taken_.insert(next_).second) ++next_;
    return next_;
  }

 private:
  std::string card_;
  std::int64_t next_;
  std::set<std::int64_t> taken_;
};

class BulkWriter {
 public:
  explicit BulkWriter(const imported::SolidModel& model) : model_(model) {}

  std::string write() {
    text_ +=
        "$ written by Solidyn; $NAME comments give the names of the entries that follow\nBEGIN BULK\n";
    write_systems();
    write_grids();
    number_regions();
    write_elements();
    write_properties();
    write_sets();
    write_attachments();
    text_ += "ENDDATA\n";
    return std::move(text_);
  }

 private:
  void name(const std::string& card, std::int64_t number, const std::string& name) {
    if (name != fmt::format("{} {}", card, number))
      text_ += fmt::format("$NAME {} {} {}\n", card, number, name);
  }

  /// A CORD2R per different axes of nodes.
  void write_systems() {
    std::map<std::array<double, 9>, std::int64_t> numbers;
    for (const auto& [tag, R] : model_.node_axes) {
      std::array<double, 9> key{};
      Eigen::Map<Eigen::Matrix3d>(key.data()) = R;
      const auto [at, is_new] = numbers.emplace(key, static_cast<std::int64_t>(numbers.size()) + 1);
      system_of_node_[tag] = at->second;
      if (!is_new) continue;
      NastranEntry entry(text_, "CORD2R", Fields::large);
      entry.add(at->second).blank();
      for (int i = 0; i < 3; ++i) entry.add_real(0.0);
      for (const int axis : {2, 0})
        for (int i = 0; i < 3; ++i) entry.add_real(R(i, axis));
    }
  }

  void write_grid(std::int64_t tag, const Eigen::Vector3d& x) {
    NastranEntry entry(text_, "GRID", Fields::large);
    entry.add(tag).blank();
    for (int i = 0; i < 3; ++i) entry.add_real(x[i]);
    if (system_of_node_.empty()) return;
    const auto system = system_of_node_.find(tag);
    if (system != system_of_node_.end()) entry.add(system->second);
  }

  void write_grids() {
    text_.reserve(96 * static_cast<std::size_t>(model_.mesh.n_nodes()));
    for (Eigen::Index i = 0; i < model_.mesh.n_nodes(); ++i)
      write_grid(model_.mesh.node_tags[i], model_.mesh.x.col(i));
    for (const imported::LooseNode& node : model_.loose_nodes) write_grid(node.tag, node.x);
  }

  /// PSOLID's IN and ISOP; shapes with one way of integration take any.
  struct Scheme {
    bool is_any = true;
    std::string integration, full;
  };
  static Scheme scheme_of(const imported::Region& region) {
    const bool is_hex = region.element_name.substr(0, 4) == "C3D8" ||
                        region.element_name.substr(0, 4) == "C3D2" ||
                        region.element_name.substr(0, 5) == "CHEXA";
    if (!is_hex) return {};
    if (region.integration == Integration::standard) return {false, "3", "FULL"};
    return {false, "", ""};
  }

  struct Property {
    std::string name;
    int material;
    Scheme scheme;
    std::int64_t number;
  };

  /// A PSOLID per name, material and scheme. Regions of other shapes join that of their name.
  void number_regions() {
    Numbers numbers("PSOLID");
    pid_of_region_.assign(model_.regions.size(), 1);
    std::vector<std::size_t> order;
    for (const bool is_any : {false, true})
      for (std::size_t i = 0; i < model_.regions.size(); ++i)
        if (scheme_of(model_.regions[i]).is_any == is_any) order.push_back(i);
    for (const std::size_t i : order) {
      const imported::Region& region = model_.regions[i];
      const Scheme scheme = scheme_of(region);
      const auto same =
          std::find_if(properties_.begin(), properties_.end(), [&](const Property& other) {
            return other.name == region.name && other.material == region.material &&
                   (scheme.is_any || other.scheme.full == scheme.full);
          });
      const bool is_new = same == properties_.end();
      const std::int64_t number = is_new ? numbers.take(region.name) : same->number;
      if (is_new) properties_.push_back({region.name, region.material, scheme, number});
      pid_of_region_[i] = number;
    }
  }

  std::int64_t pid(const mesh::ElementBlock& block, std::int64_t element) const {
    const std::size_t region = block.regions.empty() ? 0 : block.regions[element];
    return region < pid_of_region_.size() ? pid_of_region_[region] : 1;
  }

  void write_elements() {
    std::int64_t n_others = 0;
    for (const mesh::ElementBlock& block : model_.mesh.blocks) {
      if (elements::dimension(block.type) != 3)
        n_others += block.size();
      else
        write_block(block);
    }
    if (n_others)
      base::log_warning("{}: {} faces and lines are not written to the Nastran bulk data",
                        model_.source, n_others);
  }

  void write_block(const mesh::ElementBlock& block) {
    const int n = elements::n_nodes(block.type);
    const std::vector<int>& order = nastran_order(block.type);
    std::vector<int> ours(order.size());  // the inverse
    for (std::size_t i = 0; i < order.size(); ++i) ours[order[i]] = static_cast<int>(i);
    const Fields fields = has_large_numbers() ? Fields::large : Fields::small;
    for (std::int64_t e = 0; e < block.size(); ++e) {
      NastranEntry entry(text_, NastranSolids::card_name(block.type), fields);
      entry.add(block.tags[e]).add(pid(block, e));
      for (const int i : ours) entry.add(model_.mesh.node_tags[block.connectivity[e * n + i]]);
      last_element_ = std::max(last_element_, block.tags[e]);
    }
  }

  bool has_large_numbers() {
    if (largest_ < 0) {
      for (const std::int64_t tag : model_.mesh.node_tags) largest_ = std::max(largest_, tag);
      for (const mesh::ElementBlock& block : model_.mesh.blocks)
        for (const std::int64_t tag : block.tags) largest_ = std::max(largest_, tag);
    }
    return largest_ > kLargestSmall;
  }

  /// A file of results names materials, but has no values of theirs: MAT1 cannot say that.
  bool has_constants(int material) const {
    return material >= 0 && model_.materials[material].youngs_modulus > 0.0;
  }

  void write_properties() {
    const bool has_materials =
        std::any_of(properties_.begin(), properties_.end(),
                    [this](const Property& p) { return has_constants(p.material); });
    Numbers numbers("MAT1");
    std::vector<std::int64_t> mids;
    for (std::size_t i = 0; i < model_.materials.size(); ++i) {
      const imported::Material& material = model_.materials[i];
      mids.push_back(numbers.take(material.name));
      refuse_directions(material, model_.source);
      if (!has_constants(static_cast<int>(i))) continue;
      name("MAT1", mids.back(), material.name);
      NastranEntry entry(text_, "MAT1", Fields::large);
      entry.add(mids.back())
          .add_real(material.youngs_modulus)
          .blank()
          .add_real(material.poissons_ratio)
          .add_real(material.density);
      if (!material.expansion.isZero(0.0)) entry.add_real(material.expansion[0]);
    }
    for (const Property& property : properties_) {
      name("PSOLID", property.number, property.name);
      if (!has_materials) continue;  // reads back as a mesh without properties
      if (!has_constants(property.material))
        throw base::InputError(fmt::format("`{}` has no material, but others do", property.name),
                               "every Nastran property needs a material: assign one",
                               {model_.source, 0, 0});
      NastranEntry(text_, "PSOLID", Fields::small)
          .add(property.number)
          .add(mids[property.material])
          .blank()
          .add(property.scheme.integration)
          .blank()
          .add(property.scheme.full);
    }
  }

  /// Elements that make the set up; none when they do not.
  std::vector<std::int64_t> elements_of(const mesh::NodeSet& set) {
    if (!solids_) {
      solids_.emplace(model_.mesh.n_nodes());
      for (const mesh::ElementBlock& block : model_.mesh.blocks) {
        if (elements::dimension(block.type) != 3) continue;
        solids_->add(block);
        solid_tags_.insert(solid_tags_.end(), block.tags.begin(), block.tags.end());
      }
    }
    std::vector<std::int64_t> elements = solids_->making_up(set);
    for (std::int64_t& element : elements) element = solid_tags_[static_cast<std::size_t>(element)];
    return elements;
  }

  void write_sets() {
    Numbers numbers("SET");
    for (const auto& [set_name, set] : model_.mesh.sets) {
      const bool is_of_property =
          std::any_of(properties_.begin(), properties_.end(),
                      [&, &known = set_name](const Property& p) { return p.name == known; });
      if (is_of_property || set.nodes.empty()) continue;  // the reader makes those of properties
      const std::int64_t number = numbers.take(set_name);
      std::vector<std::int64_t> tags;
      if (set.dimension == 3) tags = elements_of(set);
      const bool has_elements = !tags.empty();
      if (!has_elements)
        for (const std::int32_t node : set.nodes) tags.push_back(model_.mesh.node_tags[node]);
      if (set.dimension == 1 ||
          set.dimension == 2)  // the dimension of a set is known only from this
        text_ += fmt::format("$NAME {} {} {}\n", set.dimension == 1 ? "EDGESET" : "FACESET", number,
                             set_name);
      else
        name("SET", number, set_name);
      NastranEntry entry(text_, "SET3", has_large_numbers() ? Fields::large : Fields::small);
      entry.add(number).add(has_elements ? "ELEM" : "GRID");
      std::sort(tags.begin(), tags.end());
      const bool is_run = tags.size() > 2 &&
                          tags.back() - tags.front() + 1 == static_cast<std::int64_t>(tags.size());
      if (is_run)
        entry.add(tags.front()).add("THRU").add(tags.back());
      else
        for (const std::int64_t tag : tags) entry.add(tag);
    }
  }

  void write_attachments() {
    std::int64_t next = last_element_ + 1;
    Numbers masses("CONM2", next);
    for (const imported::PointMass& mass : model_.masses) {
      const std::int64_t number = masses.take(mass.name);
      next = std::max(next, number + 1);
      write_mass(mass, number);
    }
    for (const imported::RigidElement& element : model_.rigid_elements) {
      const bool is_rbe2 = element.kind == imported::RigidElement::Kind::rbe2;
      const char* card = is_rbe2 ? "RBE2" : "RBE3";
      std::int64_t number = number_in(element.name, card);
      if (number == 0) number = next++;
      name(card, number, element.name);
      is_rbe2 ? write_rbe2(element, number) : write_rbe3(element, number);
    }
    std::map<std::string, std::vector<std::int64_t>> supports;
    for (const imported::Support& support : model_.supports)
      supports[support.components].push_back(support.node);
    for (const auto& [components, nodes] : supports) {
      NastranEntry entry(text_, "SPC1", Fields::large);
      entry.add(std::int64_t{1}).add(components);
      for (const std::int64_t node : nodes) entry.add(node);
    }
  }

  void write_mass(const imported::PointMass& mass, std::int64_t number) {
    name("CONM2", number, mass.name);
    NastranEntry entry(text_, "CONM2", Fields::large);
    entry.add(number).add(mass.node).blank().add_real(mass.mass);
    for (int i = 0; i < 3; ++i) entry.add_real(mass.offset[i]);
    entry.blank();
    for (int i = 0; i < 3; ++i)  // products with minus signs, as the mass matrix has them
      for (int j = 0; j <= i; ++j)
        entry.add_real(i == j ? mass.inertia(i, j) : -mass.inertia(i, j));
  }

  void write_rbe2(const imported::RigidElement& element, std::int64_t number) {
    NastranEntry entry(text_, "RBE2", Fields::large);
    entry.add(number).add(element.reference).add(element.components);
    for (const std::int64_t node : element.nodes) entry.add(node);
  }

  void write_rbe3(const imported::RigidElement& element, std::int64_t number) {
    NastranEntry entry(text_, "RBE3", Fields::large);
    entry.add(number).blank().add(element.reference).add(element.components);
    double last = 0.0;
    const std::string* last_components = nullptr;
    for (std::size_t i = 0; i < element.nodes.size(); ++i) {
      const double weight = i < element.weights.size() ? element.weights[i] : 1.0;
      const std::string& components = i < element.components_of_nodes.size()
                                          ? element.components_of_nodes[i]
                                          : element.node_components;
      const bool is_new = i == 0 || weight != last || components != *last_components;
      last = weight;
      last_components = &components;
      if (is_new) entry.add_real(weight).add(components);
      entry.add(element.nodes[i]);
    }
  }

  const imported::SolidModel& model_;
  std::string text_;
  std::map<std::int64_t, std::int64_t> system_of_node_;
  std::vector<Property> properties_;
  std::vector<std::int64_t> pid_of_region_;
  std::int64_t largest_ = -1, last_element_ = 0;
  std::optional<NodeCover> solids_;
  std::vector<std::int64_t> solid_tags_;
};

}  // namespace

std::string format_nastran_bulk(const imported::SolidModel& model) {
  return BulkWriter(model).write();
}

void write_nastran_bulk(const std::string& path, const imported::SolidModel& model) {
  base::write_atomically(path, format_nastran_bulk(model));
}

}  // namespace solidyn::formats
