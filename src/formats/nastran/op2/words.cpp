#include "formats/nastran/op2/words.h"

namespace solidyn::formats {
namespace {

FortranRecords records_of(const Op2File& file, std::size_t offset) {
  FortranRecords records(file.bytes(), file.name(), "OP2", file.is_swapped());
  records.seek(offset);
  return records;
}

bool begins_with(const std::string& text, std::string_view start) {
  return text.compare(0, start.size(), start) == 0;
}

}  // namespace

std::vector<std::string_view> op2_pieces(const Op2File& file, const Op2Record& record) {
  FortranRecords records = records_of(file, record.offset);
  std::vector<std::string_view> pieces;
  for (std::size_t n_bytes = 0; n_bytes < record.n_bytes; n_bytes += pieces.back().size()) {
    records.next();  // the key, which counts words
    pieces.push_back(records.next());
  }
  return pieces;
}

Op2Words::Op2Words(const Op2File& file, const Op2Record& record)
    : word_bytes_(static_cast<std::size_t>(file.word_bytes())), is_swapped_(file.is_swapped()) {
  const auto pieces = op2_pieces(file, record);
  if (pieces.size() == 1) {
    data_ = pieces.front();
    return;
  }
  joined_.reserve(record.n_bytes);
  for (std::string_view piece : pieces) joined_ += piece;
  data_ = joined_;
}

void fail_op2(const Op2File& file, std::size_t offset, const std::string& what) {
  records_of(file, 0).fail(offset, what);
}

void warn_of_open_end(const Op2File& file, imported::ImportReport& report) {
  if (file.is_closed()) return;
  report.warnings.push_back({{file.name(), 0, 0},
                             "the key that ends the file is missing",
                             "is it truncated after a block? Transfer it again"});
}

bool is_op2_family(const Op2Block& block, std::string_view family) {
  return !block.is_matrix() &&
         (begins_with(block.name, family) || begins_with(block.header_name, family));
}

}  // namespace solidyn::formats
