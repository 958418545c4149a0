#pragma once
#include "formats/shared/import_bytes.h"
#include "formats/shared/label_index.h"
#include "solidyn/imported/modal_data.h"
#include "solidyn/imported/solid_model.h"

namespace solidyn::formats {

/// Nodes and elements as files of results list them become a SolidModel. Complains about what
/// contradicts itself. Private to the readers of results.
class ResultMesh {
 public:
  explicit ResultMesh(ImportBytes& file) : file_(file) {}

  void reserve_nodes(std::int64_t n);
  void add_node(std::int64_t tag, const Eigen::Vector3d& x, const char* at);
  /// The position of a node, or -1. Nodes cannot be added after the first question.
  std::int32_t find_node(std::int64_t tag);
  const Eigen::Vector3d& x(std::int32_t node) const { return x_[node]; }
  std::int64_t n_nodes() const { return static_cast<std::int64_t>(tags_.size()); }

  /// The number of a region; made at its first call. `material`: -1 or an index to materials().
  int region(const std::string& name, const std::string& element_name, int material,
             imported::Integration integration);
  std::vector<imported::Material>& materials() { return model_.materials; }
  imported::ImportReport& report() { return model_.report; }

  /// @param nodes  n_nodes(type) tags in the order of Abaqus
  void add_solid(elements::ElementType type, int region, std::int64_t tag,
                 const std::int64_t* nodes, const char* at);
  void add_other_element(const std::string& name) { ++model_.other_elements[name]; }
  void add_node_set(const std::string& name, const std::vector<std::int64_t>& tags, const char* at);
  void add_element_set(const std::string& name, const std::vector<std::int64_t>& tags);

  /// What was collected. Nodes of no solid become loose ones.
  imported::SolidModel finish();

 private:
  struct Set {
    int dimension = 0;
    std::vector<std::int32_t> nodes;  // positions, with repetitions
  };
  void index_nodes();
  void refuse_repeated_elements();
  void report_missing_nodes();
  std::vector<std::int32_t> number_mesh_nodes() const;
  void place_nodes(const std::vector<std::int32_t>& index);
  void gather_element_sets();
  void make_sets(const std::vector<std::int32_t>& index);
  mesh::ElementBlock& block(elements::ElementType type);

  ImportBytes& file_;
  imported::SolidModel model_;
  std::vector<Eigen::Vector3d> x_;
  std::vector<std::int64_t> tags_;
  std::vector<const char*> places_;
  bool is_indexed_ = false;
  LabelIndex index_;
  std::vector<std::pair<std::int64_t, std::int64_t>> missing_;  // element, node
  const char* missing_at_ = nullptr;
  std::int64_t n_missing_ = 0;
  std::map<std::string, Set> sets_;
  std::map<std::string, std::vector<std::int64_t>> element_sets_;
};

}  // namespace solidyn::formats
