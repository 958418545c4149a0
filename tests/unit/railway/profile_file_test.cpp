// Profiles from files: what is read, and what is refused with which message.
#include "solidyn/railway/profile_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

#include "solidyn/base/error.h"
#include "solidyn/railway/wheelset_geometry.h"

namespace solidyn::railway {
namespace {

namespace fs = std::filesystem;
const std::string kProfiles = std::string(SOLIDYN_SOURCE_DIR) + "/tests/data/railway/profiles/";

class ProfileFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("profile_file_test_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  // z down over y, both in mm times the factor.
  std::string table(double from, double to, int n, const std::function<double(double)>& z,
                    double factor = 1.0) const {
    std::string text = "# y z\n";
    for (int i = 0; i < n; ++i) {
      const double y = from + (to - from) * i / (n - 1);
      text += std::to_string(factor * y) + " " + std::to_string(factor * z(y)) + "\n";
    }
    return write("table.txt", text);
  }
  static void expect_refused(ProfileKind kind, const std::string& file, const std::string& part,
                             const ProfileFileOptions& options = ProfileFileOptions()) {
    try {
      read_profile(kind, file, options);
      FAIL() << "not refused: " << part;
    } catch (const base::InputError& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }

  fs::path folder_;
};

double flanged(double y) { return y < -30.0 ? 25.0 + 0.02 * std::abs(y + 45.0) : -0.05 * y; }
double head(double y) { return y * y / 600.0; }

// Its points have eight digits; the sections from the fillet to the chamfer are functions of y.
TEST_F(ProfileFile, SimpackFileIsTheFormula) {
  const ProfileFromFile file = read_profile(ProfileKind::wheel, kProfiles + "MBench_S1002_v3.prw");
  EXPECT_EQ(file.n_points, 399);
  EXPECT_LT(file.largest_deviation, 1e-15);
  const Profile formula = make_built_in_profile(ProfileKind::wheel, "s1002");
  int n_compared = 0;
  for (std::size_t s = 0; s < file.profile.n_sections(); ++s) {
    const Eigen::Vector2d p = file.profile.at(s, file.profile.from(s)).p;
    for (std::size_t k = 5; k < formula.n_sections(); ++k) {
      if (1e3 * p.x() < formula.from(k) || 1e3 * p.x() > formula.to(k)) continue;
      EXPECT_NEAR(formula.at(k, 1e3 * p.x()).p.y(), p.y(), 2e-9);
      ++n_compared;
    }
  }
  EXPECT_GT(n_compared, 200);
}

TEST_F(ProfileFile, TablesWithTheFlangeOnEitherSideAreTheSameProfile) {
  const std::string left = table(-60.0, 60.0, 121, flanged);
  const ProfileFromFile a = read_profile(ProfileKind::wheel, left);
  const std::string right = table(-60.0, 60.0, 121, [](double y) { return flanged(-y); });
  const ProfileFromFile b = read_profile(ProfileKind::wheel, right);
  EXPECT_FALSE(a.is_mirrored);
  EXPECT_TRUE(b.is_mirrored);
  for (std::size_t s = 0; s < a.profile.n_sections(); ++s)
    EXPECT_NEAR(
        (a.profile.at(s, a.profile.from(s)).p - b.profile.at(s, b.profile.from(s)).p).norm(), 0.0,
        1e-12);
}

TEST_F(ProfileFile, IsScaledShiftedAndTurned) {
  ProfileFileOptions options;
  options.metres = 0.0254;
  options.shift = {0.001, -0.002};
  options.rotation = 0.1;
  options.z_is_up = true;
  const std::string file = table(
      -30.0, 30.0, 61, [](double y) { return -head(y); }, 1.0 / 25.4);
  options.outwards = Outwards::by_positive_y;
  const Profile profile = read_profile(ProfileKind::rail, file, options).profile;
  const double y = -0.03 + 0.001, z = 0.0015 - 0.002;  // z down
  const Eigen::Vector2d p = profile.at(0, profile.from(0)).p;
  EXPECT_NEAR(p.x(), std::cos(0.1) * y - std::sin(0.1) * z, 1e-8);
  EXPECT_NEAR(-p.y(), std::sin(0.1) * y + std::cos(0.1) * z, 1e-8);
}

TEST_F(ProfileFile, WrongPointsAreRefused) {
  const std::string few = table(-60.0, 60.0, 9, flanged);
  expect_refused(ProfileKind::wheel, few, "has 9 points, and a profile needs 10 or more");
  std::string text;
  for (int i = 0; i < 20; ++i) text += std::to_string(i == 12 ? 2.0 : 3.0 * i - 28.0) + ", 0.0\n";
  expect_refused(
      ProfileKind::rail, write("back.csv", text),
      "back.csv:13: error: the profile runs backwards: y steps from 5.0000 to 2.0000 mm");
  text.clear();
  for (int i = 0; i < 40; ++i)
    text += std::to_string(i < 20   ? i
                           : i < 30 ? 19.9 - 0.9 * (i - 20)
                                    : i - 16) +
            " " +
            std::to_string(i < 20   ? 0.0
                           : i < 30 ? i - 20
                                    : 10.0 - 2.0 * (i - 29)) +
            "\n";
  expect_refused(ProfileKind::rail, write("loop.txt", text), "the profile has a loop");
  expect_refused(
      ProfileKind::rail,
      write("same.txt", "-20 0\n-10 0\n-10 0\n-5 0\n0 0\n1 0\n2 0\n5 0\n7 0\n20 0\n30 0\n"),
      "same.txt:3: error: this point of the profile is the same as the one before");
  expect_refused(ProfileKind::rail, write("word.txt", "1 2\n3 x\n"),
                 "word.txt:2: error: `x` is not a finite number");
  expect_refused(ProfileKind::rail, write("one.txt", "1 2\n3\n"),
                 "one.txt:2: error: 1 numbers in this line");
  expect_refused(ProfileKind::rail, (folder_ / "none.txt").string(), "cannot read the file");
}

TEST_F(ProfileFile, UnitsAreCheckedByTheWidth) {
  ProfileFileOptions metres;
  metres.metres = 1.0;
  expect_refused(
      ProfileKind::wheel, table(-60.0, 60.0, 121, flanged),
      "the wheel profile is 120 m wide, and profiles are between 0.02 and 0.3 m; these are millimetres that were read as metres",
      metres);
  expect_refused(ProfileKind::wheel, table(-60.0, 60.0, 121, flanged, 1e-3),
                 "these are metres that were read as millimetres");
}

TEST_F(ProfileFile, TheSideOfTheFlangeIsNeverGuessed) {
  ProfileFileOptions outwards;
  outwards.outwards = Outwards::by_positive_y;
  expect_refused(ProfileKind::wheel, table(-60.0, 60.0, 121, [](double y) { return -0.05 * y; }),
                 "no flange is found");
  expect_refused(ProfileKind::wheel, table(-60.0, 60.0, 121, [](double y) { return flanged(-y); }),
                 "the flange is on the side of positive y, which is said to be the field side",
                 outwards);
  EXPECT_NO_THROW(read_profile(
      ProfileKind::wheel, table(-60.0, 60.0, 121, [](double y) { return -0.05 * y; }), outwards));
  expect_refused(ProfileKind::rail, table(-35.0, 35.0, 71, [](double y) { return head(y - 3.0); }),
                 "the rail head is not symmetric, and a table does not tell its gauge side");
  EXPECT_NO_THROW(read_profile(ProfileKind::rail, table(-35.0, 35.0, 71, head)));
}

TEST_F(ProfileFile, TheTapeCircleIsTheOrigin) {
  expect_refused(ProfileKind::wheel,
                 table(-60.0, 60.0, 121, [](double y) { return flanged(y) + 460.0; }),
                 "at y = 0, the tape circle, the wheel profile is at z = 460 mm");
  expect_refused(ProfileKind::wheel, table(-70.0, -10.0, 121, flanged),
                 "does not reach y = 0, its tape circle");
}

TEST_F(ProfileFile, SimpackFilesOfAnotherKindOrSmoothingAreRefused) {
  expect_refused(ProfileKind::rail, kProfiles + "MBench_S1002_v3.prw",
                 "MBench_S1002_v3.prw:12: error: the file says that it is a wheel profile");
  expect_refused(ProfileKind::rail, write("empty.prr", "header.begin\n type = 0\nheader.end\n"),
                 "has no points between");
  std::ifstream stream(kProfiles + "MBench_UIC60_v3.prr");
  std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  const std::string zero = "approx.smooth  = +0.0";
  text.replace(text.find(zero), zero.size(), "approx.smooth  = +0.5");
  expect_refused(ProfileKind::rail, write("smooth.prr", text),
                 "smooth.prr:19: error: approx.smooth asks for a smoothing of Simpack's own");
  ProfileFileOptions up;
  up.z_is_up = true;
  expect_refused(ProfileKind::wheel, kProfiles + "MBench_S1002_v3.prw",
                 "z of Simpack's profiles points down", up);
  ProfileFileOptions own;
  own.smoothing = 1e-7;
  EXPECT_NO_THROW(read_profile(ProfileKind::rail, write("smooth.prr", text), own));
}

TEST_F(ProfileFile, NamesThatLookLikeFilesAreFiles) {
  EXPECT_THROW(load_profile(ProfileKind::wheel, "none.prw"), base::InputError);
  EXPECT_EQ(load_profile(ProfileKind::wheel, "cone:0.05").name(), "cone:0.05");
  EXPECT_EQ(load_profile(ProfileKind::rail, kProfiles + "MBench_UIC60_v3.prr").kind(),
            ProfileKind::rail);
}

void expect_no_track(const WheelsetDimensions& wheelset, const RailPlacement& track,
                     const std::string& rail, const std::string& part) {
  try {
    make_wheelset_on_track(make_built_in_profile(ProfileKind::wheel, "s1002"), wheelset,
                           make_built_in_profile(ProfileKind::rail, rail), track);
    FAIL() << part;
  } catch (const base::InputError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(WheelsetDimensions, ThatLeaveNoClearanceAreRefused) {
  RailPlacement metre_gauge;
  metre_gauge.gauge = 1.0;
  expect_no_track(WheelsetDimensions(), metre_gauge, "60e1",
                  "the flanges have no room between the rails");
  RailPlacement broad;
  broad.gauge = 1.668;
  expect_no_track(WheelsetDimensions(), broad, "60e1", "never meet at a gauge of 1668 mm");
  RailPlacement tight;
  tight.gauge = 1.41;
  expect_no_track(WheelsetDimensions(), tight, "60e1", "there is no clearance");
  RailPlacement in_mm;
  in_mm.gauge = 1435.0;
  WheelsetDimensions wheel_in_mm;
  wheel_in_mm.radius = 460.0;
  expect_no_track(wheel_in_mm, RailPlacement(), "60e1", "the wheel radius is 460 m");
  expect_no_track(WheelsetDimensions(), RailPlacement(), "circle:0.3",
                  "ends 3.77 mm below its top on the gauge side");
}

}  // namespace
}  // namespace solidyn::railway
