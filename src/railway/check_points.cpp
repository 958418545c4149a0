#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "profile_points.h"
#include "solidyn/base/error.h"

namespace solidyn::railway {
namespace {

using base::InputError;
using Eigen::Vector2d;

constexpr std::size_t kFewestPoints = 10;
constexpr double kNarrowest = 0.02, kWidest = 0.3;  // m

double cross(const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

/// Whether c and d are on different sides of the line from a to b, by more than the roundoff of
/// points on a straight.
bool are_apart(const Vector2d& a, const Vector2d& b, const Vector2d& c, const Vector2d& d) {
  constexpr double kRoundoff = 1e-10;  // m
  const Vector2d along = (b - a).normalized();
  const double of_c = cross(along, c - a), of_d = cross(along, d - a);
  return of_c * of_d < 0.0 && std::min(std::abs(of_c), std::abs(of_d)) > kRoundoff;
}

bool do_cross(const Vector2d& a, const Vector2d& b, const Vector2d& c, const Vector2d& d) {
  return are_apart(a, b, c, d) && are_apart(c, d, a, b);
}

void check_size(ProfileKind kind, const std::string& file, const ProfilePoints& read) {
  const auto [low, high] =
      std::minmax_element(read.points.begin(), read.points.end(),
                          [](const Vector2d& a, const Vector2d& b) { return a.x() < b.x(); });
  const double width = high->x() - low->x();
  if (width >= kNarrowest && width <= kWidest) return;
  std::string hint;
  if (width > 1.0) hint = "; these are millimetres that were read as metres";
  if (width < 1e-3) hint = "; these are metres that were read as millimetres";
  throw InputError(
      fmt::format("{}: the {} profile is {:.4g} m wide, and profiles are between {:g} and {:g} m{}",
                  file, kind == ProfileKind::wheel ? "wheel" : "rail", width, kNarrowest, kWidest,
                  hint),
      "state the unit of length of the file");
}

void refuse_equal_points(const std::string& file, const ProfilePoints& read) {
  for (std::size_t i = 1; i < read.points.size(); ++i)
    if ((read.points[i] - read.points[i - 1]).norm() < 1e-9)
      throw InputError("this point of the profile is the same as the one before",
                       "remove one of the two", {file, read.lines[i], 0});
}

// The back of a flange may lean over; a step back that is longer than it is high does not belong to
// a profile.
void refuse_steps_back(const std::string& file, const ProfilePoints& read) {
  const double direction = read.points.back().x() > read.points.front().x() ? 1.0 : -1.0;
  for (std::size_t i = 1; i < read.points.size(); ++i) {
    const Vector2d step = read.points[i] - read.points[i - 1];
    if (direction * step.x() < -std::abs(step.y()) && direction * step.x() < -1e-6)
      throw InputError(fmt::format("the profile runs backwards: y steps from {:.4f} to {:.4f} mm",
                                   1e3 * read.points[i - 1].x(), 1e3 * read.points[i].x()),
                       "list the points in their order along the profile",
                       {file, read.lines[i], 0});
  }
}

void refuse_loops(const std::string& file, const ProfilePoints& read) {
  const auto& p = read.points;
  for (std::size_t i = 0; i + 1 < p.size(); ++i)
    for (std::size_t k = i + 2; k + 1 < p.size(); ++k)
      if (do_cross(p[i], p[i + 1], p[k], p[k + 1]))
        throw InputError(
            fmt::format("the profile has a loop: here it crosses itself, at the points of line {}",
                        read.lines[i]),
            "list the points in their order along the profile", {file, read.lines[k], 0});
}

}  // namespace

void check_points(ProfileKind kind, const std::string& file, const ProfilePoints& read) {
  if (read.points.size() < kFewestPoints)
    throw InputError(fmt::format("{} has {} points, and a profile needs {} or more", file,
                                 read.points.size(), kFewestPoints),
                     "use more points, at best one every 0.5 mm");
  check_size(kind, file, read);
  refuse_equal_points(file, read);
  refuse_steps_back(file, read);
  refuse_loops(file, read);
}

}  // namespace solidyn::railway
