#pragma once
#include <optional>

#include "formats/abaqus/fil/records.h"
#include "formats/shared/matrix_terms.h"

namespace solidyn::formats {

/// Collects the records 1001 to 1043 of a superelement. Private to the reader of .fil files.
class FilMatrices {
 public:
  explicit FilMatrices(ImportBytes& file) : file_(file) {}

  static bool knows(std::int64_t key) { return key >= 1001 && key <= 1043; }
  void add(const FilRecord& record, imported::ImportReport& report);
  /// Nothing when the file holds no superelement.
  std::optional<imported::MatrixModel> finish();

 private:
  void read_header(const FilRecord& record);
  void read_components(const FilRecord& record, bool is_change);
  void add_labels(const FilRecord& record, std::size_t first);
  void add_values(const FilRecord& record, std::vector<double>& values);
  imported::Matrix make_matrix(const char* name, const std::vector<double>& values,
                               bool is_symmetric, std::int64_t order);
  [[noreturn]] void fail(const char* at, std::string what);

  /// A matrix as it comes: by columns, a symmetric one down to the diagonal.
  struct Columns {
    std::vector<double> values;
    bool is_symmetric = true;
  };
  Columns& columns_of(std::int64_t key, const FilRecord& record);

  ImportBytes& file_;
  bool has_header_ = false;
  const char* at_ = nullptr;
  std::int64_t n_nodes_ = 0;
  std::vector<std::int64_t> labels_;
  std::vector<ComponentChange> components_;
  Columns stiffness_, mass_;
};

}  // namespace solidyn::formats
