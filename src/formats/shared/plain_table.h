#pragma once
#include "formats/shared/import_bytes.h"

namespace solidyn::formats {

/// A table of numbers as text: a line per row, columns between commas, semicolons, blanks or tabs;
/// `#` begins a comment. The first line may name the columns. Private to the readers.
class PlainTable {
 public:
  /// @param columns  their names, "node, mass"
  PlainTable(std::string_view bytes, const std::string& name, std::string columns);
  PlainTable(const PlainTable&) = delete;  // the cursor looks into text_
  PlainTable& operator=(const PlainTable&) = delete;

  /// To the next row; false at the end.
  bool next_row();
  const char* row() const { return row_; }  ///< its place, for complaints
  std::int64_t integer() { return cursor_.integer(); }
  double real() { return cursor_.real(); }
  /// Refuses what else stands in the row.
  void end_row();
  ImportBytes& file() { return file_; }
  /// Refuses a table without rows.
  void require_rows(const char* what);

 private:
  bool is_header() const;

  std::string text_;  // without comments, blanks for semicolons
  ImportBytes file_;
  LineCursor cursor_;
  std::string columns_;
  const char* row_ = nullptr;
  std::int64_t n_rows_ = 0;
};

}  // namespace solidyn::formats
