#pragma once
#include "formats/abaqus/deck/deck.h"
#include "formats/abaqus/deck/labels.h"

/// Which nodes and elements the placed parts have. Private to the reader.
namespace solidyn::formats::abaqus {

/// An instance with its part, or the assembly: where labels and names are looked up.
struct Placed {
  std::vector<const Scope*> scopes;  ///< the part's, the instance's own
  std::string name;                  ///< empty for the assembly
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  AbaqusLabels nodes, elements;              ///< by label, to positions from ..
  std::int32_t first_node = 0, n_nodes = 0;  ///< .. these
  std::int32_t first_element = 0, n_elements = 0;
};

/// An *ELEMENT block of a placed part.
struct PlacedBlock {
  const Elements* block = nullptr;
  std::int32_t placed = 0;
  std::int32_t first_element = 0;  ///< among all elements
  std::int64_t first_in_mesh = 0;  ///< of solids: position in the mesh's block
};

/// Nodes and elements of all placed parts, numbered through in the order of the file: instances,
/// then the assembly.
class Placement {
 public:
  Placement(const Deck& deck, const AbaqusSource& source, AbaqusComplaints& complaints);

  const std::vector<Placed>& placed() const { return placed_; }
  const Placed& root() const { return placed_.back(); }
  std::vector<PlacedBlock>& blocks() { return blocks_; }
  const std::vector<PlacedBlock>& blocks() const { return blocks_; }
  std::int32_t n_nodes() const { return static_cast<std::int32_t>(node_tags_.size()); }
  std::int64_t n_elements() const { return n_elements_; }
  const std::vector<std::int64_t>& node_tags() const { return node_tags_; }
  const std::vector<std::int64_t>& element_tags() const { return element_tags_; }
  Eigen::Vector3d x(std::int32_t node) const {
    return Eigen::Map<const Eigen::Vector3d>(coordinates_.data() + 3 * std::size_t(node));
  }
  const PlacedBlock& block_of(std::int32_t element) const;
  /// Of one of an element's nodes, in the order of the file; -1 where the file does not give it.
  std::int32_t node_of(const PlacedBlock& block, std::int64_t element, int node) const {
    const Placed& placed = placed_[block.placed];
    const std::int32_t at =
        placed.nodes.find(block.block->nodes[element * block.block->type.n_nodes + node]);
    return at < 0 ? -1 : placed.first_node + at;
  }
  /// An instance by its name, or the assembly by its own or as `ASSEMBLY`; null when there is none.
  const Placed* find_instance(const std::string& name) const;
  /// What the parts' tags were shifted by, for the report.
  const std::vector<std::string>& shifts() const { return shifts_; }

 private:
  void place(Placed placed);
  void place_nodes(Placed& placed);
  void place_elements(Placed& placed);
  void require_once(const AbaqusLabels& index, const std::vector<Label>& labels, const char* what,
                    const Placed& placed, const std::function<bool(std::int32_t)>& is_same);
  void require_size(const Deck& deck, std::size_t n_bytes) const;
  void make_tags();

  AbaqusComplaints& complaints_;
  const std::string file_;
  std::string assembly_;  // folded
  std::vector<Placed> placed_;
  std::vector<PlacedBlock> blocks_;
  std::map<std::string, std::size_t> instances_;
  std::vector<double> coordinates_;
  std::vector<std::int64_t> node_tags_, element_tags_;
  std::int64_t n_elements_ = 0;
  std::vector<std::string> shifts_;
};

/// Which space of labels, and where in the file, for messages and look-ups.
struct Context {
  const Placed* placed = nullptr;
  AbaqusPlace place;
};

/// Looks sets and surfaces up: sorted positions of nodes and elements in the Placement, each once.
class SetFinder {
 public:
  SetFinder(const Placement& placement, const AbaqusSource& source, AbaqusComplaints& complaints)
      : placement_(placement), source_(source), complaints_(complaints) {}

  enum class Kind { node, element };
  using Members = std::vector<std::int32_t>;
  /// A set, or a label; with `instance.` before it from the assembly. Complains, and is empty, if
  /// there is none.
  const Members& find(Kind kind, const std::string& item, const Context& context);
  /// The nodes of elements.
  Members nodes_of(const Members& elements) const;
  /// A surface, and whose it is; complains, and is nullptr, if there is none.
  const SurfaceDefinition* find_surface(const std::string& name, Context& context) const;
  /// The nodes of a surface's faces.
  Members surface_nodes(const SurfaceDefinition& surface, const Context& context);
  base::SourceLocation location(const Context& context) const {
    return source_.location(context.place);
  }
  void complain(const Context& context, std::string what, std::string remedy) const {
    complaints_.add(source_.location(context.place), std::move(what), std::move(remedy));
  }

 private:
  struct Found {
    const SetDefinition* definitions[2] = {nullptr, nullptr};
    const Placed* placed = nullptr;
  };
  struct Entry {
    Members members;
    bool is_open = false;  // being resolved
  };
  bool find_label(Kind kind, const std::string& item, const Placed& placed, Members& members) const;
  Found find_set(Kind kind, const std::string& item, const Placed& placed) const;
  void resolve(Kind kind, const Found& set, Members& members);
  void add_piece(Kind kind, const SetPiece& piece, const Placed& placed, Members& members);
  void add_labels(Kind kind, const SetPiece& piece, const Placed& placed, Members& members);
  bool add_face(std::int32_t element, const SurfaceItem& item, const Context& context,
                Members& nodes);
  void count(std::int64_t n_members);

  const Placement& placement_;
  const AbaqusSource& source_;
  AbaqusComplaints& complaints_;
  std::map<std::pair<const Placed*, std::string>, Entry> entries_[2];
  std::map<std::pair<const Placed*, std::string>, Members> labels_;
  Members single_;
  std::int64_t n_members_ = 0;
  int depth_ = 0;
};

}  // namespace solidyn::formats::abaqus
