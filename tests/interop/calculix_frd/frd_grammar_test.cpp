// What the layout of .frd files allows, by texts that can be read here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "solidyn/base/error.h"
#include "solidyn/formats/calculix/frd.h"

namespace solidyn::formats {
namespace {

using testing::HasSubstr;

const std::string kEnd = " 9999\n";
const std::string kNodes =
    "    2C                             4                                     1\n"
    " -1        11 0.00000E+00 0.00000E+00 0.00000E+00\n"
    " -1        12 1.00000E+00 0.00000E+00 0.00000E+00\n"
    " -1        13 0.00000E+00 1.00000E+00 0.00000E+00\n"
    " -1        14 0.00000E+00 0.00000E+00 1.00000E+00\n"
    " -3\n";
const std::string kElements =
    "    3C                             2                                     1\n"
    " -1         7    3    0    1\n"
    " -2        11        12        13        14\n"
    " -1         8    7    0    1\n"  // a triangle
    " -2        11        12        13\n"
    " -3\n";

std::string mode(int number, const std::string& first_node, const std::string& more = "") {
  return "    1PSTEP                         1           1           2\n"
         "    1PGM                2.500000E+00\n"
         "    1PGK                4.000000E+04\n"
         "    1PMODE                         " +
         std::to_string(number) +
         "\n"
         "  100CL  101 3.18310E+01           4                     2    1MODAL      1\n"
         " -4  DISP        4    1\n"
         " -5  D1          1    2    1    0\n"
         " -5  D2          1    2    2    0\n"
         " -5  D3          1    2    3    0\n"
         " -5  ALL         1    2    0    0    1ALL\n"
         " -1        11" +
         first_node +
         "\n"
         " -1        12-1.00000E+00-2.00000E+00-3.00000E+00\n"
         " -1        13 0.00000E+00 0.00000E+00 0.00000E+00\n"
         " -1        14 0.00000E+00 0.00000E+00 0.00000E+00\n" +
         more + " -3\n";
}
const std::string kZeros = " 0.00000E+00 0.00000E+00 0.00000E+00";

std::string told(const std::string& bytes) {
  try {
    parse_calculix_frd(bytes, "job.frd");
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Frd, StepModeEigenvalueAndGeneralisedMassComeFromTheHeaders) {
  const CalculixResults results =
      parse_calculix_frd("    1C\n" + kNodes + kElements + mode(3, kZeros) + kEnd, "job.frd");
  ASSERT_EQ(results.modes.modes.size(), 1u);
  EXPECT_EQ(results.modes.modes[0].number, 3);
  EXPECT_EQ(results.modes.modes[0].subcase, 2);
  EXPECT_EQ(results.modes.modes[0].eigenvalue, 4e4);
  EXPECT_EQ(results.modes.modes[0].generalized_mass, 2.5);
  EXPECT_EQ(results.modes.translations(4, 0), -2.0);
  EXPECT_EQ(results.modes.x.col(1), Eigen::Vector3d(1, 0, 0));
  EXPECT_EQ(results.model.other_elements.at("tri3"), 1);
}

TEST(Frd, EigenvalueAndFrequencyAgree) {
  std::string text = "    1C\n" + kNodes + mode(3, kZeros) + kEnd;
  const std::size_t eigenvalue = text.find("    1PGK");
  text.replace(text.find("4.0", eigenvalue), 3, "9.0");
  try {
    parse_calculix_frd(text, "job.frd");
    FAIL() << "it was accepted";
  } catch (const base::InputError& e) {
    EXPECT_THAT(e.what(),
                testing::HasSubstr(
                    "mode 3 has 47.7465 Hz from its eigenvalue (1PGK) and 31.831 Hz in its block"));
  }
}

TEST(Frd, WithoutEigenvalueTheFrequencyCounts) {
  std::string text = "    1C\n" + kNodes + mode(3, kZeros) + kEnd;
  text.erase(text.find("    1PGK"), 37);
  const double eigenvalue = parse_calculix_frd(text, "job.frd").modes.modes[0].eigenvalue;
  EXPECT_NEAR(eigenvalue, 4e4, 1.0);
}

// %12.5E makes 13 columns of a negative number whose exponent has three digits.
TEST(Frd, NumbersThatOverflowTheirColumnsAreRead) {
  for (const auto& [text, expected] : std::vector<std::pair<std::string, Eigen::Vector3d>>{
           {"-1.50000E-101-2.50000E+00-3.50000E-102", {-1.5e-101, -2.5, -3.5e-102}},
           {"-1.50000E-1012.50000E-100 3.50000E+00", {-1.5e-101, 2.5e-100, 3.5}},
           {" 1.50000E+00-2.50000E-100-3.50000E+00", {1.5, -2.5e-100, -3.5}},
           {"1.50000E-100 2.50000E+00 3.50000E+00", {1.5e-100, 2.5, 3.5}}}) {
    std::string file = "    1C\n" + kNodes;
    file += mode(1, text) + kEnd;
    const CalculixResults results = parse_calculix_frd(file, "job.frd");
    EXPECT_EQ(Eigen::Vector3d(results.modes.translations.col(0).head<3>()), expected) << text;
  }
}

TEST(Frd, ShortNodeNumbersAndWindowsLineEnds) {
  std::string text = "    1C\n" + kNodes + kElements + mode(1, kZeros) + kEnd;
  for (const std::string number : {"11", "12", "13", "14"}) {  // I5 instead of I10
    const std::string wide = " -1        " + number, narrow = " -1   " + number;
    for (std::size_t at; (at = text.find(wide)) != std::string::npos;)
      text.replace(at, wide.size(), narrow);
  }
  text.replace(
      text.find(kElements.substr(75)), kElements.size() - 75,
      " -1    7    3    0    1\n -2   11   12   13   14\n -1    8    7    0    1\n -2   11   12   13\n -3\n");
  for (const char* header : {"    2C", "    3C"}) text[text.find(header) + 73] = '0';
  text[text.find("  100CL") + 74] = '0';
  std::string windows;
  for (char c : text) windows += c == '\n' ? "\r\n" : std::string(1, c);
  const CalculixResults results = parse_calculix_frd(windows, "job.frd");
  EXPECT_EQ(results.model.mesh.node_tags, (std::vector<std::int64_t>{11, 12, 13, 14}));
  ASSERT_EQ(results.model.mesh.blocks.size(), 1u);
  EXPECT_EQ(results.model.mesh.blocks[0].size(), 1);
  EXPECT_EQ(results.modes.translations(5, 0), -3.0);
}

TEST(Frd, OtherResultsAreCountedAndPassedOver) {
  const std::string block =
      "  100CL  101 3.18310E+01           1                     2    1MODAL      1\n"
      " -4  STRESS      6    1\n -5  SXX         1    4    1    1\n"
      " -5  SYY         1    4    2    2\n -5  SZZ         1    4    3    3\n"
      " -5  SXY         1    4    1    2\n -5  SYZ         1    4    2    3\n"
      " -5  SZX         1    4    3    1\n"
      " -1        11 1.0E+00 what ever\n -3\n";
  const CalculixResults results =
      parse_calculix_frd("    1C\n" + kNodes + block + block + kEnd, "job.frd");
  EXPECT_EQ(results.model.report.skipped.at("STRESS"), 2);
  EXPECT_TRUE(results.modes.modes.empty());
}

TEST(Frd, MissingEndMarksAreMendedWhenTheCountsMatch) {
  std::string text = "    1C\n" + kNodes + kElements;
  text.erase(text.find(" -3\n"), 4);
  const CalculixResults results = parse_calculix_frd(text, "job.frd");
  EXPECT_EQ(results.model.mesh.n_nodes(), 4);
  ASSERT_EQ(results.model.report.warnings.size(), 2u);
  EXPECT_THAT(results.model.report.warnings[0].what, HasSubstr("no end marker"));
  EXPECT_THAT(results.model.report.warnings[1].what, HasSubstr("9999"));
}

// CalculiX writes both numbers in front of every mode, and names its materials.
TEST(Frd, HeadersThatSomeModesLackAreTold) {
  const auto warnings = [](const std::string& text) {
    return parse_calculix_frd(text, "job.frd").model.report.warnings;
  };
  const std::string first = mode(1, kZeros);
  std::string second = mode(2, kZeros);
  second.erase(second.find("    1PGM"), 74);  // and the eigenvalue
  EXPECT_TRUE(warnings("    1C\n" + kNodes + second + kEnd).empty());
  ASSERT_EQ(warnings("    1C\n" + kNodes + first + second + kEnd).size(), 1u);
  EXPECT_THAT(warnings("    1C\n" + kNodes + first + second + kEnd)[0].what,
              HasSubstr("mode 2 has neither eigenvalue nor generalised mass"));
  const std::string program = "    1C\n    1UPGM               CalculiX\n";
  const std::string material = "    1UMAT    1STEEL\n";
  EXPECT_TRUE(warnings(program + material + kNodes + kElements + kEnd).empty());
  ASSERT_EQ(warnings(program + kNodes + kElements + kEnd).size(), 1u);
  EXPECT_THAT(warnings(program + kNodes + kElements + kEnd)[0].what,
              HasSubstr("material 1 has no name (1UMAT)"));
}

TEST(Frd, MistakesAreToldWithTheirLine) {
  const std::string good = "    1C\n" + kNodes + kElements + mode(1, kZeros);
  const auto with = [&](const std::string& before, const std::string& after) {
    std::string text = good;
    EXPECT_NE(text.find(before), std::string::npos) << before;
    return told(text.replace(text.find(before), before.size(), after));
  };
  EXPECT_EQ(told(good), "accepted");
  EXPECT_THAT(told("hello\n"), HasSubstr("does not start like"));
  EXPECT_THAT(told("    1C\n" + kEnd), HasSubstr("no nodes"));
  EXPECT_THAT(told(good + mode(1, kZeros)), HasSubstr("mode 1 of step 2 is defined twice"));
  EXPECT_THAT(told("    1C\n" + kNodes + kNodes), HasSubstr("the nodes are defined twice"));
  EXPECT_THAT(with("     4           ", "     5           "),
              HasSubstr("job.frd:2: error: 5 nodes are declared, but the block contains 4"));
  EXPECT_THAT(with("     4           ", "999999999        "), HasSubstr("job.frd:2: error: "));
  EXPECT_THAT(with(" -1        12 1.0", " -1        11 1.0"),
              HasSubstr("job.frd:4: error: node 11 is defined twice"));
  EXPECT_THAT(
      with(" -2        11        12        13        14", " -2        11        12   99 14"),
      HasSubstr("job.frd:10: error: "));
  EXPECT_THAT(
      with("        13        14", "        13        15"),
      HasSubstr("elements use 1 nodes that are not defined in the file: node 15 of element 7"));
  EXPECT_THAT(with(" 1.00000E+00 0.00000E+00 0.0", "         NaN 0.00000E+00 0.0"),
              HasSubstr("job.frd:4: error: found `NaN`"));
  EXPECT_THAT(with("-1.00000E+00", "************"), HasSubstr("found `****"));
  EXPECT_THAT(with("-2.00000E+00-3.00000E+00", "-2.00000E+00-3.00"),
              HasSubstr("found `-3.00` instead of a number of twelve columns"));
  EXPECT_THAT(with("4.000000E+04", "          -1"), HasSubstr("instead of an eigenvalue"));
  EXPECT_THAT(with(" -1         7    3", " -1         7   99"),
              HasSubstr("unknown element type 99"));
  EXPECT_THAT(
      with(
          " -1        13 0.00000E+00 0.00000E+00 0.00000E+00\n -1        14 0.00000E+00 0.00000E+00 0.00000E+00\n -3",
          " -1        13 0.00000E+00 0.00000E+00 0.00000E+00\n -3"),
      HasSubstr("4 points are declared, but the block contains 3"));
}

}  // namespace
}  // namespace solidyn::formats
