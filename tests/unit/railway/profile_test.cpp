#include "solidyn/railway/profile.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/railway/smoothing_spline.h"

namespace solidyn::railway {
namespace {

const std::vector<std::pair<ProfileKind, std::string>> kAll = {
    {ProfileKind::wheel, "s1002"},
    {ProfileKind::wheel, "cone:0.05"},
    {ProfileKind::wheel, "circle:0.5,0.04"},
    {ProfileKind::rail, "uic60_mbench"},
    {ProfileKind::rail, "60e1"},
    {ProfileKind::rail, "circle:0.3"}};

TEST(Profile, DerivativesAreThoseOfDifferences) {
  for (const auto& [kind, name] : kAll) {
    const Profile profile = make_built_in_profile(kind, name).moved(0.03, {0.7, -0.01});
    for (std::size_t s = 0; s < profile.n_sections(); ++s) {
      const double range = profile.to(s) - profile.from(s), t = profile.from(s) + 0.4 * range,
                   h = 1e-4 * range;
      const CurvePoint before = profile.at(s, t - h), here = profile.at(s, t),
                       after = profile.at(s, t + h);
      EXPECT_NEAR(((after.p - before.p) / (2.0 * h) - here.d).norm(), 0.0, 1e-6 * here.d.norm())
          << name << " " << s;
      EXPECT_NEAR(((after.d - before.d) / (2.0 * h) - here.dd).norm(), 0.0,
                  1e-5 * (here.dd.norm() + 1e-3))
          << name << s;
    }
  }
}

// S1002 as printed has steps of up to 1.2e-4 mm; rail heads are tangent.
TEST(Profile, SectionsMeet) {
  for (const auto& [kind, name] : kAll) {
    const Profile profile = make_built_in_profile(kind, name);
    for (std::size_t s = 1; s < profile.n_sections(); ++s) {
      const CurvePoint end = profile.at(s - 1, profile.to(s - 1)),
                       start = profile.at(s, profile.from(s));
      EXPECT_NEAR((end.p - start.p).norm(), 0.0, name == "s1002" ? 1.3e-7 : 1e-12)
          << name << " " << s;
      EXPECT_NEAR((end.d.normalized() - start.d.normalized()).norm(), 0.0,
                  name == "s1002" ? 5e-5 : 1e-9)
          << name << s;
    }
  }
}

// y_1, end of R80, depth of the flank's start, in mm.
TEST(Profile, RailHeadsOfArcsEndWhereTheyAreDrawn) {
  const Profile rail = make_built_in_profile(ProfileKind::rail, "60e1");
  EXPECT_NEAR(rail.at(3, rail.to(3)).p.x(), 10.228e-3, 1e-12);
  EXPECT_NEAR(rail.at(4, rail.to(4)).p.x(), 26.026726e-3, 1e-9);
  EXPECT_NEAR(rail.at(5, rail.to(5)).p.x(), 36.0e-3, 1e-12);
  EXPECT_NEAR(rail.at(5, rail.to(5)).p.y(), -14.300003e-3, 1e-9);
}

TEST(Profile, CurvatureIsThatOfTheArc) {
  const Profile rail =
      make_built_in_profile(ProfileKind::rail, "circle:0.3").moved(0.2, {1.0, 2.0});
  EXPECT_NEAR(rail.at(0, 0.02).curvature(), -1.0 / 0.3, 1e-12);
  const Profile wheel = make_built_in_profile(ProfileKind::wheel, "s1002");
  EXPECT_NEAR(wheel.at(1, 0.5 * (wheel.from(1) + wheel.to(1))).curvature(), 1.0 / 0.012, 1e-9);
}

std::string message_of(ProfileKind kind, const std::string& text) {
  try {
    make_built_in_profile(kind, text);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Profile, UnknownNamesAndParametersAreRefused) {
  const auto expect = [](ProfileKind kind, const char* text, const char* part) {
    EXPECT_NE(message_of(kind, text).find(part), std::string::npos) << message_of(kind, text);
  };
  expect(ProfileKind::wheel, "s1003", "unknown wheel profile `s1003`");
  expect(ProfileKind::rail, "s1002", "take one of 60e1, uic60_mbench, circle:RADIUS");
  expect(ProfileKind::wheel, "cone", "write cone:SLOPE");
  expect(ProfileKind::wheel, "cone:0.05x", "write cone:SLOPE");
  expect(ProfileKind::wheel, "s1002:3", "too many numbers");
  expect(ProfileKind::rail, "circle:-0.3", "the radius of the profile `circle:-0.3` is -0.3 m");
  expect(ProfileKind::wheel, "cone:20", "the slope of the profile `cone:20` is 20");
}

Eigen::Matrix2Xd on_circle(int n, double radius, double noise) {
  Eigen::Matrix2Xd points(2, n);
  for (int i = 0; i < n; ++i) {
    const double angle = 1.0 * i / (n - 1), r = radius + noise * std::sin(77.0 * i * i);
    points.col(i) << r * std::sin(angle), r * std::cos(angle);
  }
  return points;
}

TEST(SmoothingSpline, InterpolatesWithoutSmoothing) {
  const Eigen::Matrix2Xd points = on_circle(41, 0.3, 1e-5);
  const SplineFit fit = fit_spline(points, 0.0);
  EXPECT_LT(fit.largest_deviation, 1e-16);
  for (std::size_t i = 0; i < fit.sections.size(); ++i) {
    const Section& s = fit.sections[i];
    EXPECT_NEAR((s.at(s.from).p - points.col(static_cast<Eigen::Index>(i))).norm(), 0.0, 1e-15);
    EXPECT_NEAR((s.at(s.to).p - points.col(static_cast<Eigen::Index>(i) + 1)).norm(), 0.0, 1e-15);
    if (i == 0) continue;
    const Section& before = fit.sections[i - 1];
    EXPECT_NEAR((s.at(s.from).d - before.at(before.to).d).norm(), 0.0, 1e-11);
    EXPECT_NEAR((s.at(s.from).dd - before.at(before.to).dd).norm(), 0.0,
                1e-8 * s.at(s.from).dd.norm());
  }
}

// Away from the ends, whose curvature is that of a natural spline.
TEST(SmoothingSpline, CurvatureConvergesQuadratically) {
  double error[2];
  for (int k = 0; k < 2; ++k) {
    const int n = 40 << k;
    const SplineFit fit = fit_spline(on_circle(n + 1, 0.3, 0.0), 0.0);
    const Section& middle = fit.sections[static_cast<std::size_t>(n / 2)];
    error[k] = std::abs(middle.at(middle.from).curvature() + 1.0 / 0.3);
  }
  EXPECT_NEAR(error[0] / error[1], 4.0, 0.4);
}

TEST(SmoothingSpline, KeepsTheDeviationThatWasAskedFor) {
  const Eigen::Matrix2Xd noisy = on_circle(201, 0.3, 2e-5);
  const SplineFit smooth = fit_spline(noisy, 1.3e-5), rough = fit_spline(noisy, 0.0);
  EXPECT_NEAR(smooth.rms_deviation, 1.3e-5, 1e-9);
  const auto curvature_error = [](const SplineFit& fit) {
    double largest = 0.0;
    for (std::size_t i = 40; i < 160; ++i)
      largest = std::max(
          largest, std::abs(fit.sections[i].at(fit.sections[i].from).curvature() + 1.0 / 0.3));
    return largest;
  };
  EXPECT_LT(curvature_error(smooth), 0.02 * curvature_error(rough));
}

}  // namespace
}  // namespace solidyn::railway
