#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace solidyn::model {

/// Columns of numbers in a text file. A line that begins with `# units:` says what each is in, as
/// those of history.csv do; the first line may name them.
struct PointFile {
  std::vector<std::string> names, units;  ///< empty where the file says none
  std::vector<std::vector<double>> columns;
};

/// Columns are apart by commas, semicolons, blanks or tabs. Empty lines and those that begin with #
/// are ignored. @throws base::InputError naming the first line that is something else
PointFile read_point_file(const std::filesystem::path& file);

}  // namespace solidyn::model
