// Profiles by formulas, in mm unless said otherwise. z is up, so that a wheel's is minus its radius
// beyond r0, and a rail's minus its depth below the crown.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "solidyn/base/error.h"
#include "solidyn/railway/profile.h"

namespace solidyn::railway {
namespace {

using Eigen::Vector2d;
using Numbers = std::vector<double>;

constexpr double kLower = 1.0, kUpper = -1.0;  // half of a circle, as the turn of arc_over()

Section polynomial(double from, double to, const Numbers& depth) {
  Numbers up(depth.size());
  std::transform(depth.begin(), depth.end(), up.begin(), [](double c) { return -c; });
  return {from, to, Polynomial{up}};
}

// UIC 510-2 and EN 13715, flange thickness 32.5 mm: sections H (back of the flange) to A (chamfer).
// They meet to 1.2e-4 mm and to 4e-5 in slope, as printed.
std::vector<Section> s1002(const Numbers&) {
  const Numbers tread = {0.0,
                         -3.358537058e-02,
                         1.565681624e-03,
                         -2.810427944e-05,
                         5.844240864e-08,
                         -1.562379023e-08,
                         5.309217349e-15,
                         -5.957839843e-12,
                         2.646656573e-13};
  const Numbers root = {-4.320221063e+03, -1.038384026e+03, -1.065501873e+02, -6.051367875e+00,
                        -2.054332446e-01, -4.169739389e-03, -4.687195829e-05, -2.252755540e-07};
  return {arc_over(-70.0, -62.764705882, {-49.5, -9.519259302}, 20.5, kLower),
          arc_over(-62.764705882, -49.662510381, {-55.0, -16.0}, 12.0, kLower),
          arc_over(-49.662510381, -39.764473993, {-58.558326413, -8.834924130}, 20.0, kLower),
          polynomial(-39.764473993, -38.426669071, {-93.576667419, -2.747477419}),
          arc_over(-38.426669071, -35.0, {-26.210665, -16.446}, 13.0, kUpper),
          polynomial(-35.0, -26.0, root),
          polynomial(-26.0, 32.15796, tread),
          polynomial(32.15796, 60.0, {1.364323640, -0.066666667})};
}

// A head of arcs R300, R80 and R13 that touch each other, then a flank 1:20 from the half width of
// 36 mm on. The end y_1 of R300 is the one free number. Centres of R80 and R13 are 67 mm apart; R13
// ends where its slope is the flank's.
std::vector<Section> uic60_head(double y_1) {
  const double t_1 = std::asin(y_1 / 300.0), t_3 = std::atan(20.0), half_width = 36.0;
  const Vector2d c_1(0.0, -300.0), c_2(y_1 - 80.0 * std::sin(t_1), -300.0 + 220.0 * std::cos(t_1));
  const double t_2 = std::asin((half_width - 13.0 * std::sin(t_3) - c_2.x()) / 67.0);
  const Vector2d c_3 = c_2 + 67.0 * Vector2d(std::sin(t_2), std::cos(t_2));
  const double y_2 = c_2.x() + 80.0 * std::sin(t_2), z_3 = c_3.y() + 13.0 * std::cos(t_3);
  const auto mirrored = [](Vector2d c) { return Vector2d(-c.x(), c.y()); };
  const double flank = 1.1;  // of 22 mm height
  return {polynomial(-half_width - flank, -half_width, {-z_3 - 20.0 * half_width, -20.0}),
          arc_over(-half_width, -y_2, mirrored(c_3), 13.0, kUpper),
          arc_over(-y_2, -y_1, mirrored(c_2), 80.0, kUpper),
          arc_over(-y_1, y_1, c_1, 300.0, kUpper),
          arc_over(y_1, y_2, c_2, 80.0, kUpper),
          arc_over(y_2, half_width, c_3, 13.0, kUpper),
          polynomial(half_width, half_width + flank, {-z_3 - 20.0 * half_width, 20.0})};
}

// Metres from here.
std::vector<Section> cone(const Numbers& slope) {
  return {{-0.06, 0.06, Polynomial{{0.0, slope[0]}}}};
}

// A tread of radius R that is hollow, of slope -dr/dy at the tape circle.
std::vector<Section> hollow(const Numbers& numbers) {
  const double R = numbers[0], angle = std::atan(numbers[1]), half = std::min(0.06, 0.9 * R);
  const Vector2d centre(R * std::sin(angle), -R * std::cos(angle));
  return {arc_over(centre.x() - half, centre.x() + half, centre, R, kUpper)};
}

std::vector<Section> circle(const Numbers& radius) {
  const double half = std::min(0.04, 0.999 * radius[0]);
  return {arc_over(-half, half, {0.0, -radius[0]}, radius[0], kUpper)};
}

Numbers numbers_of(const std::string& text) {
  Numbers numbers;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) {
    std::size_t end = 0;
    double value = NAN;
    try {
      value = std::stod(word, &end);
    } catch (const std::exception&) {
    }
    numbers.push_back(end == word.size() ? value : NAN);
  }
  return numbers;
}

const BuiltInProfile* find(ProfileKind kind, const std::string& name) {
  for (const BuiltInProfile& profile : built_in_profiles())
    if (profile.kind == kind && profile.name == name) return &profile;
  return nullptr;
}

std::string name_of(const std::string& text) { return text.substr(0, text.find(':')); }

std::string how_to_write(const BuiltInProfile& profile) {
  std::string text = profile.name;
  for (std::size_t i = 0; i < profile.parameters.size(); ++i)
    text += (i == 0 ? ":" : ",") + std::string(profile.parameters[i]);
  return text;
}

}  // namespace

const std::vector<BuiltInProfile>& built_in_profiles() {
  static const std::vector<BuiltInProfile> profiles = {
      {"s1002", ProfileKind::wheel, {}, "wheel S1002 of EN 13715", s1002, 1e-3},
      {"cone", ProfileKind::wheel, {"SLOPE"}, "a cone whose radius falls outwards", cone, 1.0},
      {"circle",
       ProfileKind::wheel,
       {"RADIUS", "SLOPE"},
       "a hollow tread of a radius in m, and the slope at the tape circle",
       hollow,
       1.0},
      {"60e1",
       ProfileKind::rail,
       {},
       "rail head 60E1 of EN 13674-1",
       [](const Numbers&) { return uic60_head(10.228); },
       1e-3},
      {"uic60_mbench",
       ProfileKind::rail,
       {},
       "rail head UIC60 of the Manchester contact benchmark",
       [](const Numbers&) { return uic60_head(10.5); },
       1e-3},
      {"circle", ProfileKind::rail, {"RADIUS"}, "a convex head of a radius in m", circle, 1.0}};
  return profiles;
}

bool is_built_in_profile(ProfileKind kind, const std::string& text) {
  return find(kind, name_of(text)) != nullptr;
}

Profile make_built_in_profile(ProfileKind kind, const std::string& text) {
  const bool is_wheel = kind == ProfileKind::wheel;
  const BuiltInProfile* found = find(kind, name_of(text));
  if (!found) {
    std::string names;
    for (const BuiltInProfile& profile : built_in_profiles())
      if (profile.kind == kind) names += (names.empty() ? "" : ", ") + how_to_write(profile);
    throw base::InputError(
        fmt::format("unknown {} profile `{}`", is_wheel ? "wheel" : "rail", text),
        fmt::format("take one of {}, or a file .{}, .csv or .txt", names,
                    is_wheel ? "prw" : "prr"));
  }
  const std::size_t colon = text.find(':');
  const Numbers numbers =
      colon == std::string::npos ? Numbers() : numbers_of(text.substr(colon + 1));
  const bool are_numbers =
      std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
  if (numbers.size() != found->parameters.size() || !are_numbers)
    throw base::InputError(
        fmt::format("the profile `{}` is incomplete or has too many numbers", text),
        "write " + how_to_write(*found));
  if (found->parameters.empty())
    return Profile(kind, text, found->sections(numbers), found->metres);
  const bool begins_with_radius = std::string(found->parameters[0]) == "RADIUS";
  if (begins_with_radius && !(numbers[0] >= 0.005))
    throw base::InputError(
        fmt::format("the radius of the profile `{}` is {:g} m", text, numbers[0]),
        "give a radius in metres, 0.005 or more, for example  circle:0.3");
  if (std::abs(numbers.back()) >= 1.0 && !(begins_with_radius && numbers.size() == 1))
    throw base::InputError(
        fmt::format("the slope of the profile `{}` is {:g}", text, numbers.back()),
        "give the tangent of the cone's angle, between -1 and 1, for example 0.05");
  return Profile(kind, text, found->sections(numbers), found->metres);
}

}  // namespace solidyn::railway
