#pragma once
#include <set>

#include "formats/shared/result_mesh.h"

namespace solidyn::formats {

/// Eigenvectors as files list them, mode by mode and node by node. Every mode must hold the nodes
/// of the first one, in whatever order.
class ResultModes {
 public:
  ResultModes(ImportBytes& file, ResultMesh& mesh) : file_(file), mesh_(mesh) {}

  bool empty() const { return modes_.empty(); }
  void begin_mode(const imported::ImportedMode& mode, const char* at);
  /// @param values  three translations, then three rotations when `has_rotations`
  void add(std::int64_t tag, const double* values, bool has_rotations, const char* at);
  /// Checks that the mode is complete.
  void end_mode();
  imported::ModalData finish();

 private:
  std::int32_t position_of(std::int64_t tag, const char* at);
  void append_node(std::int64_t tag, const char* at);

  ImportBytes& file_;
  ResultMesh& mesh_;
  std::vector<std::int64_t> tags_;
  std::vector<std::int32_t> position_of_node_;  // by node of the mesh; -1
  std::vector<imported::ImportedMode> modes_;
  std::set<std::pair<int, int>> numbers_;                      // step and mode
  std::vector<std::vector<double>> translations_, rotations_;  // one entry per mode
  std::vector<bool> is_given_;
  std::int64_t n_given_ = 0, next_ = 0;
  const char* mode_at_ = nullptr;
  bool has_rotations_ = false;
};

}  // namespace solidyn::formats
