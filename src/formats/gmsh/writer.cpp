#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>

#include "formats/gmsh/types.h"
#include "formats/shared/node_cover.h"
#include "solidyn/base/error.h"
#include "solidyn/formats/gmsh/gmsh.h"
#include "solidyn/mesh/boundary.h"

namespace solidyn::formats {
namespace {

using mesh::ElementBlock;
using mesh::Mesh;

/// Elements of one Gmsh type that belong to the same physical groups: an entity of MSH 4, one run
/// of MSH 2.
struct Entity {
  int dimension = 0;
  std::vector<int> groups;  // physical tags
  struct Run {
    int type = 0, n_nodes = 0;
    std::vector<std::int64_t> tags;
    std::vector<std::int32_t> nodes;
  };
  std::vector<Run> runs;
};

struct Group {
  int tag = 0;
  std::string name;
  const mesh::NodeSet* set = nullptr;
};

/// Sorts a mesh's elements by the sets they lie in.
class Sorter {
 public:
  explicit Sorter(const Mesh& mesh) : mesh_(mesh) {
    for (const auto& [name, set] : mesh.sets)
      groups_.push_back({static_cast<int>(groups_.size()) + 1, name, &set});
    for (const ElementBlock& block : mesh.blocks)
      for (std::int64_t tag : block.tags) last_tag_ = std::max(last_tag_, tag);
  }

  std::vector<Entity> sort() {
    add_points();
    for (int dimension = 1; dimension <= 3; ++dimension) {
      const std::vector<ElementBlock> made =
          dimension == 2 ? outer_faces() : std::vector<ElementBlock>{};
      for (const ElementBlock& block : made) add_block(block, true);
      for (const ElementBlock& block : mesh_.blocks)
        if (elements::dimension(block.type) == dimension) add_block(block, false);
    }
    return std::move(entities_);
  }
  const std::vector<Group>& groups() const { return groups_; }

 private:
  bool has_sets(int dimension) const {
    return std::any_of(groups_.begin(), groups_.end(), [dimension](const Group& group) {
      return group.set->dimension == dimension;
    });
  }

  /// For sets of faces in a mesh without faces: the solids' outer faces, as yet unnumbered.
  std::vector<ElementBlock> outer_faces() const {
    const bool has_faces =
        std::any_of(mesh_.blocks.begin(), mesh_.blocks.end(),
                    [](const ElementBlock& block) { return elements::dimension(block.type) == 2; });
    if (has_faces || !has_sets(2)) return {};
    return mesh::make_face_blocks(mesh_, mesh::find_boundary_faces(mesh_));
  }

  Entity::Run& run(int dimension, const std::vector<int>& groups, int type, int n_nodes) {
    const auto [known, is_new] =
        entity_of_.emplace(std::make_pair(dimension, groups), entities_.size());
    if (is_new) entities_.push_back({dimension, groups, {}});
    Entity& entity = entities_[known->second];
    for (Entity::Run& run : entity.runs)
      if (run.type == type) return run;
    entity.runs.push_back({type, n_nodes, {}, {}});
    return entity.runs.back();
  }

  void add_points() {
    std::map<std::int32_t, std::vector<int>> groups_of;
    for (const Group& group : groups_)
      if (group.set->dimension == 0)
        for (std::int32_t node : group.set->nodes) groups_of[node].push_back(group.tag);
    for (const auto& [node, groups] : groups_of) {
      Entity::Run& points = run(0, groups, kGmshPoint, 1);
      points.tags.push_back(++last_tag_);
      points.nodes.push_back(node);
    }
  }

  /// `only_in_sets`: made elements that no set asks for are not written.
  void add_block(const ElementBlock& block, bool only_in_sets) {
    const int dimension = elements::dimension(block.type), n = elements::n_nodes(block.type);
    std::vector<std::vector<int>> groups_of(block.size());
    NodeCover cover(mesh_.n_nodes());
    if (has_sets(dimension)) cover.add(block);
    for (const Group& group : groups_)
      if (group.set->dimension == dimension)
        for (const std::int64_t e : cover.inside(*group.set)) groups_of[e].push_back(group.tag);
    for (std::int64_t e = 0; e < block.size(); ++e) {
      if (only_in_sets && groups_of[e].empty()) continue;
      Entity::Run& elements = run(dimension, groups_of[e], elements::traits(block.type).gmsh, n);
      elements.tags.push_back(only_in_sets ? ++last_tag_ : block.tags[e]);
      const auto first = block.connectivity.begin() + e * n;
      elements.nodes.insert(elements.nodes.end(), first, first + n);
    }
  }

  const Mesh& mesh_;
  std::vector<Group> groups_;
  std::vector<Entity> entities_;
  std::map<std::pair<int, std::vector<int>>, std::size_t> entity_of_;  // by dimension and groups
  std::int64_t last_tag_ = 0;
};

/// Where numbers go: text separated by blanks and line ends, or bytes.
class Sink {
 public:
  explicit Sink(bool is_binary) : is_binary_(is_binary) {}
  bool is_binary() const { return is_binary_; }
  void text(const std::string& line) { bytes_ += line + '\n'; }
  void integer(std::int64_t value) { put(static_cast<std::int32_t>(value)); }
  void size(std::int64_t value) { put(value); }
  void real(double value) { put(value); }
  /// Ends a line of text; nothing in binary.
  void end_line() {
    if (!is_binary_) bytes_ += '\n';
  }
  /// `$End...` begins on a line of its own.
  void end_section(const char* name) {
    if (is_binary_) bytes_ += '\n';
    text(name);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  template <class T>
  void put(T value) {
    if (is_binary_) {
      char raw[sizeof(T)];
      std::memcpy(raw, &value, sizeof(T));
      bytes_.append(raw, sizeof(T));
      return;
    }
    if (!bytes_.empty() && bytes_.back() != '\n') bytes_ += ' ';
    fmt::format_to(std::back_inserter(bytes_), "{}", value);
  }

  const bool is_binary_;
  std::string bytes_;
};

/// Sums a property of the runs of all entities.
template <class Count>
std::int64_t count_over_runs(const std::vector<Entity>& entities, const Count& count) {
  std::int64_t sum = 0;
  for (const Entity& entity : entities)
    for (const Entity::Run& run : entity.runs) sum += count(entity, run);
  return sum;
}

class Writer {
 public:
  Writer(const Mesh& mesh, bool is_binary, double scale)
      : mesh_(mesh), scale_(scale), sink_(is_binary) {
    Sorter sorter(mesh);
    entities_ = sorter.sort();
    groups_ = sorter.groups();
  }

  const std::string& write(GmshVersion version) {
    const bool is_v4 = version == GmshVersion::v4_1;
    write_format(is_v4);
    write_names();
    if (is_v4) {
      write_entities_4();
      write_nodes_4();
      write_elements_4();
    } else {
      write_nodes_2();
      write_elements_2();
    }
    return sink_.bytes();
  }

 private:
  void write_format(bool is_v4) {
    sink_.text("$MeshFormat");
    sink_.text(fmt::format("{} {} 8", is_v4 ? "4.1" : "2.2", sink_.is_binary() ? 1 : 0));
    if (sink_.is_binary()) {
      sink_.integer(1);
      sink_.end_section("$EndMeshFormat");
    } else {
      sink_.text("$EndMeshFormat");
    }
  }

  void write_names() {
    if (groups_.empty()) return;
    sink_.text("$PhysicalNames");
    sink_.text(fmt::format("{}", groups_.size()));
    for (const Group& group : groups_)
      sink_.text(fmt::format("{} {} \"{}\"", group.set->dimension, group.tag, group.name));
    sink_.text("$EndPhysicalNames");
  }

  void write_point(const Eigen::Vector3d& x) {
    for (int i = 0; i < 3; ++i) sink_.real(x[i] / scale_);
  }

  /// An entity's number is its place among all entities, which makes it unique in its dimension
  /// too.
  void write_entities_4() {
    sink_.text("$Entities");
    for (int dimension = 0; dimension < 4; ++dimension)
      sink_.size(std::count_if(entities_.begin(), entities_.end(),
                               [dimension](const Entity& e) { return e.dimension == dimension; }));
    sink_.end_line();
    for (std::size_t i = 0; i < entities_.size(); ++i) {  // sorted by dimension
      const Entity& entity = entities_[i];
      sink_.integer(static_cast<std::int64_t>(i) + 1);
      if (entity.dimension == 0) {
        write_point(mesh_.x.col(entity.runs.front().nodes.front()));
      } else {
        write_point(mesh_.x.rowwise().minCoeff());
        write_point(mesh_.x.rowwise().maxCoeff());
      }
      sink_.size(static_cast<std::int64_t>(entity.groups.size()));
      for (int group : entity.groups) sink_.integer(group);
      if (entity.dimension > 0) sink_.size(0);  // bounding entities are not known
      sink_.end_line();
    }
    sink_.end_section("$EndEntities");
  }

  void write_nodes_4() {
    sink_.text("$Nodes");
    const auto [low, high] = std::minmax_element(mesh_.node_tags.begin(), mesh_.node_tags.end());
    const bool has_nodes = mesh_.n_nodes() > 0;
    for (std::int64_t n :
         {std::int64_t{has_nodes}, mesh_.n_nodes(), has_nodes ? *low : 0, has_nodes ? *high : 0})
      sink_.size(n);
    sink_.end_line();
    if (has_nodes) {  // all in the last entity, which has the highest dimension
      sink_.integer(entities_.empty() ? 0 : entities_.back().dimension);
      sink_.integer(static_cast<std::int64_t>(entities_.size()));
      sink_.integer(0);
      sink_.size(mesh_.n_nodes());
      sink_.end_line();
    }
    for (std::int64_t tag : mesh_.node_tags) {
      sink_.size(tag);
      sink_.end_line();
    }
    for (std::int64_t i = 0; i < mesh_.n_nodes(); ++i) {
      write_point(mesh_.x.col(i));
      sink_.end_line();
    }
    sink_.end_section("$EndNodes");
  }

  void write_elements_4() {
    std::int64_t low = INT64_MAX, high = 0;
    const std::int64_t n_runs =
        count_over_runs(entities_, [](const Entity&, const Entity::Run&) { return 1; });
    const std::int64_t n = count_over_runs(entities_, [&](const Entity&, const Entity::Run& run) {
      const auto [first, last] = std::minmax_element(run.tags.begin(), run.tags.end());
      low = std::min(low, *first);
      high = std::max(high, *last);
      return run.tags.size();
    });
    sink_.text("$Elements");
    for (std::int64_t value : {n_runs, n, n > 0 ? low : 0, high}) sink_.size(value);
    sink_.end_line();
    for (std::size_t i = 0; i < entities_.size(); ++i)
      for (const Entity::Run& run : entities_[i].runs)
        write_run_4(entities_[i].dimension, static_cast<std::int64_t>(i) + 1, run);
    sink_.end_section("$EndElements");
  }

  void write_run_4(int dimension, std::int64_t entity, const Entity::Run& run) {
    sink_.integer(dimension);
    sink_.integer(entity);
    sink_.integer(run.type);
    sink_.size(static_cast<std::int64_t>(run.tags.size()));
    sink_.end_line();
    for (std::size_t e = 0; e < run.tags.size(); ++e) {
      sink_.size(run.tags[e]);
      for (int i = 0; i < run.n_nodes; ++i)
        sink_.size(mesh_.node_tags[run.nodes[e * run.n_nodes + i]]);
      sink_.end_line();
    }
  }

  void write_nodes_2() {
    sink_.text("$Nodes");
    sink_.text(fmt::format("{}", mesh_.n_nodes()));
    for (std::int64_t i = 0; i < mesh_.n_nodes(); ++i) {
      sink_.integer(mesh_.node_tags[i]);
      write_point(mesh_.x.col(i));
      sink_.end_line();
    }
    sink_.end_section("$EndNodes");
  }

  /// MSH 2 knows one physical group per element: an element of several is repeated at once, with
  /// new numbers.
  void write_elements_2() {
    std::int64_t next_tag = 0;
    const std::int64_t n =
        count_over_runs(entities_, [&](const Entity& entity, const Entity::Run& run) {
          next_tag = std::max(next_tag, *std::max_element(run.tags.begin(), run.tags.end()));
          return run.tags.size() * std::max<std::size_t>(1, entity.groups.size());
        });
    sink_.text("$Elements");
    sink_.text(fmt::format("{}", n));
    for (std::size_t i = 0; i < entities_.size(); ++i) {
      std::vector<int> groups = entities_[i].groups;
      if (groups.empty()) groups.push_back(0);
      for (const Entity::Run& run : entities_[i].runs)
        for (std::size_t e = 0; e < run.tags.size(); ++e)
          for (std::size_t g = 0; g < groups.size(); ++g)
            write_element_2(run, e, g == 0 ? run.tags[e] : ++next_tag, groups[g],
                            static_cast<std::int64_t>(i) + 1);
    }
    sink_.end_section("$EndElements");
  }

  /// Text: number, type, two tags; binary: a group of one element has its head before the number.
  void write_element_2(const Entity::Run& run, std::size_t element, std::int64_t tag, int group,
                       std::int64_t entity) {
    if (sink_.is_binary()) {
      for (std::int64_t value : {std::int64_t{run.type}, std::int64_t{1}, std::int64_t{2}, tag})
        sink_.integer(value);
    } else {
      for (std::int64_t value : {tag, std::int64_t{run.type}, std::int64_t{2}})
        sink_.integer(value);
    }
    sink_.integer(group);
    sink_.integer(entity);
    for (int i = 0; i < run.n_nodes; ++i)
      sink_.integer(mesh_.node_tags[run.nodes[element * run.n_nodes + i]]);
    sink_.end_line();
  }

  const Mesh& mesh_;
  const double scale_;
  Sink sink_;
  std::vector<Entity> entities_;
  std::vector<Group> groups_;
};

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

void require_32_bit_tags(const Mesh& mesh) {
  const auto is_large = [](std::int64_t tag) { return tag > INT32_MAX / 2; };
  bool any = std::any_of(mesh.node_tags.begin(), mesh.node_tags.end(), is_large);
  for (const ElementBlock& block : mesh.blocks)
    any = any || std::any_of(block.tags.begin(), block.tags.end(), is_large);
  if (any)
    throw base::InputError("the node or element numbers of the mesh are too large for MSH 2.2",
                           "write MSH 4.1");
}

}  // namespace

void write_gmsh(const std::string& path, const Mesh& mesh, GmshVersion version,
                GmshEncoding encoding, double scale) {
  if (version == GmshVersion::v2_2) require_32_bit_tags(mesh);
  Writer writer(mesh, encoding == GmshEncoding::binary, scale);
  const std::string& bytes = writer.write(version);
  const std::unique_ptr<std::FILE, Closer> file(std::fopen(path.c_str(), "wb"));
  if (!file || std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size() ||
      std::fflush(file.get()) != 0)
    throw base::ComputationError(
        fmt::format("cannot write the mesh to `{}`: {}", path, std::strerror(errno)));
}

}  // namespace solidyn::formats
