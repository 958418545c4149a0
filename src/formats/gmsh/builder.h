#pragma once
#include <array>
#include <set>
#include <unordered_map>

#include "formats/gmsh/source.h"
#include "formats/gmsh/types.h"
#include "solidyn/imported/line_elements.h"

namespace solidyn::formats {

/// A physical group: dimension and tag.
using GmshGroup = std::pair<int, std::int64_t>;

/// Collects what an MSH file says into a mesh; complains about what contradicts itself. Private to
/// the Gmsh reader.
class GmshBuilder {
 public:
  GmshBuilder(const GmshFile& file, double scale) : file_(file), scale_(scale) {}

  void name_group(const GmshGroup& group, std::string name) { names_[group] = std::move(name); }
  void reserve_nodes(std::int64_t n);
  void add_node(std::int64_t tag, const Eigen::Vector3d& x, const char* at);
  /// Call once all nodes are there.
  void index_nodes();
  void add_element(const GmshType& type, std::int64_t tag, const std::vector<std::int64_t>& nodes,
                   const std::vector<GmshGroup>& groups, const char* at);
  /// The lines as beams. Call before finish(), which takes the nodes away.
  imported::LineElements lines() const;
  mesh::Mesh finish();

 private:
  void refuse_unknown_shape(const GmshType& type, std::int64_t tag, const char* at) const;
  struct Numbered {
    std::int64_t tag;
    const char* at;
  };
  /// Nodes of a group: a mark per node for solids, which are many, else a list with repetitions.
  struct Members {
    std::vector<bool> marks;
    std::vector<std::int32_t> list;
  };

  std::int32_t find_node(std::int64_t tag) const;
  bool repeats_last(const GmshType& type) const;
  mesh::ElementBlock& block(elements::ElementType type);
  void keep_line(const GmshType& type, std::int64_t tag, const std::vector<GmshGroup>& groups);
  void join(const GmshGroup& group);
  void check_unique(std::vector<Numbered> numbered, const char* kind) const;
  std::string set_name(const GmshGroup& group) const;
  void make_sets();
  void take_off_inner_nodes(const GmshType& type);
  void drop_inner_nodes();

  const GmshFile& file_;
  const double scale_;
  mesh::Mesh mesh_;
  std::vector<Eigen::Vector3d> x_;
  std::vector<const char*> node_places_;
  std::vector<std::int32_t> dense_index_;  // by tag, where tags are close together
  std::unordered_map<std::int64_t, std::int32_t> sparse_index_;  // else
  std::vector<Numbered> element_numbers_;
  std::vector<std::int32_t> nodes_, last_nodes_;
  const GmshType* last_type_ = nullptr;
  /// A line of an element's name, nodes and groups.
  struct Line {
    std::int64_t tag;
    std::array<std::int32_t, 3> nodes;  // the middle last, or -1
    std::vector<GmshGroup> groups;
  };
  std::vector<Line> each_line_once() const;
  std::vector<Line> lines_;
  std::map<GmshGroup, std::string> names_;
  std::map<GmshGroup, Members> members_;
  std::map<std::string, std::int64_t> n_left_out_, n_lines_left_out_;  // by type name
  std::vector<bool> is_inner_;                     // nodes inside faces and solids
  std::map<std::string, std::int64_t> n_reduced_;  // elements that had them, by type name
};

}  // namespace solidyn::formats
