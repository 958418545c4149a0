#pragma once
#include <filesystem>
#include <vector>

namespace solidyn::model {

struct Points {
  std::vector<double> times, values;
};

/// The points of a text file with two numbers in each line, apart by a comma, a semicolon or
/// blanks. Empty lines, lines that begin with # and a first line of names are passed over.
/// @throws base::InputError that names file and line where there are not two numbers
Points read_points(const std::filesystem::path& file);

}  // namespace solidyn::model
