#include "solidyn/railway/profile_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "profile_points.h"
#include "solidyn/base/error.h"
#include "solidyn/railway/smoothing_spline.h"

namespace solidyn::railway {
namespace {

using base::InputError;
using Eigen::Vector2d;

constexpr double kFlangeHeight =
    0.015;  // m: what is deeper than this below the tape circle is a flange
constexpr double kAsymmetry =
    1e-4;  // m: heads that differ less from their mirror images are symmetric
constexpr double kRadiusError =
    1e-3;  // m: a tape circle further from r0 than this is not where y = 0 is

double depth_at(const std::vector<Vector2d>& points, double y) {
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Vector2d &a = points[i - 1], &b = points[i];
    if ((a.x() - y) * (b.x() - y) <= 0.0 && a.x() != b.x())
      return a.y() + (y - a.x()) / (b.x() - a.x()) * (b.y() - a.y());
  }
  return NAN;
}

/// Where y has to go to be outwards: 1, -1, or 0 where the points do not tell.
int side_by_flange(const std::vector<Vector2d>& points) {
  double deepest[2] = {-1.0, -1.0};
  for (const Vector2d& p : points) deepest[p.x() > 0.0] = std::max(deepest[p.x() > 0.0], p.y());
  const bool is_left = deepest[0] > kFlangeHeight, is_right = deepest[1] > kFlangeHeight;
  return is_left == is_right ? 0 : is_left ? 1 : -1;
}

bool is_symmetric_head(const std::vector<Vector2d>& points) {
  for (double y = 0.001; y < 0.03; y += 0.001) {
    const double difference = depth_at(points, y) - depth_at(points, -y);
    if (!(std::abs(difference) < kAsymmetry)) return false;
  }
  return true;
}

[[noreturn]] void refuse_side(const std::string& file, const std::string& what) {
  throw InputError(fmt::format("{}: {}", file, what),
                   "say which way y points in the file: outwards (to the field side) or inwards");
}

int outwards_of_wheel(const std::string& file, const ProfilePoints& read, Outwards asked) {
  const int found = side_by_flange(read.points);
  int said = asked == Outwards::by_positive_y ? 1 : asked == Outwards::by_negative_y ? -1 : 0;
  if (said == 0 && read.says_outwards) said = 1;
  if (found == 0 && said == 0)
    refuse_side(file, "no flange is found, as no side alone is 15 mm deeper than the tape circle");
  if (found != 0 && said != 0 && found != said)
    refuse_side(file,
                fmt::format("the flange is on the side of {} y, which is said to be the field side",
                            found > 0 ? "negative" : "positive"));
  return said != 0 ? said : found;
}

int outwards_of_rail(const std::string& file, const ProfilePoints& read, Outwards asked) {
  if (asked == Outwards::by_negative_y) return -1;
  if (asked == Outwards::by_positive_y || read.says_outwards) return 1;
  if (!is_symmetric_head(read.points))
    refuse_side(file, "the rail head is not symmetric, and a table does not tell its gauge side");
  return 1;
}

void check_tape_circle(const std::string& file, const std::vector<Vector2d>& points) {
  const double depth = depth_at(points, 0.0);
  if (std::isnan(depth))
    throw InputError(
        fmt::format("{}: the wheel profile does not reach y = 0, its tape circle", file),
        "shift y, so that the tape circle is at y = 0");
  if (std::abs(depth) > kRadiusError)
    throw InputError(
        fmt::format(
            "{}: at y = 0, the tape circle, the wheel profile is at z = {:.4g} mm and not at 0",
            file, 1e3 * depth),
        "shift y and z, so that the tape circle is the origin");
}

bool is_simpack(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  return extension == ".prw" || extension == ".prr";
}

// A name with a folder, or with an extension of letters, unlike `cone:0.05`.
bool looks_like_a_file(const std::string& text) {
  const std::string extension = std::filesystem::path(text).extension().string();
  const bool has_letter =
      extension.size() > 1 && std::isalpha(static_cast<unsigned char>(extension[1]));
  return has_letter || text.find('/') != std::string::npos;
}

// In their places: scaled and processed by the file already.
void move(std::vector<Vector2d>& points, const ProfileFileOptions& options) {
  const Eigen::Matrix2d R = Eigen::Rotation2Dd(options.rotation).toRotationMatrix();
  for (Vector2d& p : points) p = R * (p + options.shift);
}

}  // namespace

ProfileFromFile read_profile(ProfileKind kind, const std::string& file,
                             const ProfileFileOptions& options) {
  ProfilePoints read = is_simpack(file) ? read_simpack_points(kind, file, options)
                                        : read_table_points(file, options);
  move(read.points, options);
  check_points(kind, file, read);
  if (kind == ProfileKind::wheel) check_tape_circle(file, read.points);
  const int outwards = kind == ProfileKind::wheel ? outwards_of_wheel(file, read, options.outwards)
                                                  : outwards_of_rail(file, read, options.outwards);
  for (Vector2d& p : read.points) p.x() *= outwards;
  if (read.points.back().x() < read.points.front().x())
    std::reverse(read.points.begin(), read.points.end());

  Eigen::Matrix2Xd up(2, static_cast<Eigen::Index>(read.points.size()));
  for (Eigen::Index i = 0; i < up.cols(); ++i) {
    const Vector2d& p = read.points[static_cast<std::size_t>(i)];
    up.col(i) = Vector2d(p.x(), -p.y());
  }
  const SplineFit fit = fit_spline(up, options.smoothing);
  return {Profile(kind, file, fit.sections), static_cast<int>(up.cols()), fit.largest_deviation,
          outwards < 0};
}

Profile load_profile(ProfileKind kind, const std::string& text, const ProfileFileOptions& options) {
  const bool is_file = std::filesystem::exists(text) || looks_like_a_file(text);
  if (is_built_in_profile(kind, text) || !is_file) return make_built_in_profile(kind, text);
  return read_profile(kind, text, options).profile;
}

}  // namespace solidyn::railway
