#pragma once
#include <string>
#include <vector>

#include "solidyn/railway/profile_file.h"

namespace solidyn::railway {

/// Points of a file as it lists them, after what it says is to be done with them.
struct ProfilePoints {
  std::vector<Eigen::Vector2d> points;  ///< y, z down, m
  std::vector<int> lines;               ///< of the file
  bool says_outwards = false;           ///< y points to the field side by the format's convention
};

/// @throws base::InputError
ProfilePoints read_simpack_points(ProfileKind kind, const std::string& file,
                                  const ProfileFileOptions& options);
ProfilePoints read_table_points(const std::string& file, const ProfileFileOptions& options);

/// Numbers of a line; `columns` is what it should have at least. @throws base::InputError
std::vector<double> numbers_of_line(const std::string& file, int line, const std::string& text,
                                    std::size_t columns);
/// All lines without their ends. @throws base::InputError
std::vector<std::string> lines_of(const std::string& file);

/// @throws base::InputError unless they can be a profile: in one direction of y, without loops, of
/// a profile's size
void check_points(ProfileKind kind, const std::string& file, const ProfilePoints& points);

}  // namespace solidyn::railway
