#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/abaqus/deck/complaints.h"
#include "formats/shared/file_bytes.h"

/// The lines of an Abaqus input file and of those that it includes. Private to the reader.
namespace solidyn::formats {

/// A line of one of the files.
struct AbaqusPlace {
  std::int32_t file = 0;  ///< in AbaqusSource's list
  std::int32_t line = 0;
};

/// "*NODE, NSET=all": the name in capitals without blanks ("SOLIDSECTION"), as the file's programs
/// compare it.
struct AbaqusKeyword {
  std::string name;
  std::vector<std::pair<std::string, std::string>> parameters;  ///< capitals; value as written
  AbaqusPlace place;

  const std::string* find(std::string_view parameter) const;
  bool has(std::string_view parameter) const { return find(parameter) != nullptr; }
};

/// Capitals; names are the same when these are.
std::string abaqus_fold(std::string_view name);

/// Splits a data line at commas, blanks around the items removed. Quotes protect commas and are
/// removed. A comma at the end makes no further item.
void split_abaqus_line(std::string_view line, std::vector<std::string_view>& items);

/// Gives the bytes of an included file, or nothing with the reason in its second argument.
using AbaqusInclude = std::function<std::optional<FileBytes>(const std::string&, std::string&)>;

class AbaqusSource {
 public:
  /// `bytes` must outlive it.
  AbaqusSource(std::string_view bytes, std::string file, AbaqusInclude include,
               AbaqusComplaints& complaints);

  /// The next keyword; data lines before it are ignored. INCLUDE is followed, not returned.
  bool next_keyword(AbaqusKeyword& keyword);
  /// The next data line of the current keyword; false when it has no more.
  bool next_data(std::string_view& line);
  /// The place of the line that came last.
  AbaqusPlace place() const { return place_; }
  base::SourceLocation location(AbaqusPlace place) const {
    return {files_[place.file], place.line, 0};
  }
  /// At most how many data lines follow, for reservations.
  std::size_t n_data_lines() const;
  /// The data of a keyword's INPUT parameter come next.
  void insert(const std::string& file, AbaqusPlace at);
  /// Of all files so far.
  std::size_t n_bytes() const { return n_bytes_; }

 private:
  struct Text {
    std::optional<FileBytes> owner;
    std::string name;
    const char* at = nullptr;
    const char* end = nullptr;
    std::int32_t file = 0, line = 0;
  };
  bool next_line(std::string_view& line);
  bool find_keyword_line(std::string_view& line, bool passes_over_data);
  void read_keyword(std::string_view line, AbaqusKeyword& keyword);

  AbaqusInclude include_;
  AbaqusComplaints& complaints_;
  std::vector<std::string> files_;
  std::vector<Text> texts_;  // the innermost last
  AbaqusPlace place_;
  std::optional<AbaqusKeyword> waiting_;  // met while looking for data
  std::size_t n_bytes_ = 0;
  int n_included_ = 0;
};

}  // namespace solidyn::formats
