#pragma once
#include <optional>
#include <string>

#include "solidyn/railway/profile.h"

namespace solidyn::railway {

/// Which way a file's y points.
enum class Outwards {
  found,  ///< found from a wheel's flange, from a symmetric head, or from what the format says
  by_positive_y,  ///< y grows to the field side
  by_negative_y   ///< y grows to the flange, or the gauge side
};

/// How the numbers of a file become a profile, in this order: scaled, shifted, turned, mirrored.
struct ProfileFileOptions {
  /// Metres per unit; none: what a .prw or .prr says, and mm in tables.
  std::optional<double> metres;
  Eigen::Vector2d shift = Eigen::Vector2d::Zero();  ///< m, in the file's directions of y and z
  double rotation = 0.0;                            ///< rad, from the file's y to its z
  Outwards outwards = Outwards::found;
  bool z_is_up = false;    ///< of tables: else z points down, as in .prw and .prr
  double smoothing = 0.0;  ///< m, see fit_spline()
};

struct ProfileFromFile {
  Profile profile;
  int n_points = 0;
  double largest_deviation = 0.0;  ///< of the spline from the points, m
  bool is_mirrored = false;        ///< y of the file points to the flange or the gauge side
};

/// Reads a Simpack profile (.prw, .prr) or a table of two columns y, z, separated by blanks, tabs,
/// commas or semicolons; lines that begin with #, ! or % are comments, and a first line of words is
/// a heading.
/// @throws base::InputError for a file that cannot be read, a word that is no number, fewer than 10
/// points, points that run backwards or cross themselves, a width that no profile has (wrong unit),
/// a flange that is not where `outwards` says or not to be found, a tape circle that the points do
/// not reach or that is not at the radius r0
ProfileFromFile read_profile(ProfileKind kind, const std::string& file,
                             const ProfileFileOptions& options = ProfileFileOptions());

/// One that is built in, or a file.
Profile load_profile(ProfileKind kind, const std::string& text,
                     const ProfileFileOptions& options = ProfileFileOptions());

}  // namespace solidyn::railway
