#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "samples.h"
#include "solidyn/formats/nastran/bulk_and_punch.h"

namespace solidyn {
namespace {

using testing::HasSubstr;
using testing_support::bytes_of;

/// Both readers of punch files; InputError passes only.
void expect_results_or_input_errors(const std::string& bytes, const std::string& what) {
  for (const bool are_modes : {true, false}) {
    try {
      if (are_modes)
        formats::parse_nastran_punch(bytes, "damaged.pch");
      else
        formats::parse_nastran_dmig(bytes, "damaged.pch");
    } catch (const base::InputError& error) {
      EXPECT_EQ(error.diagnostics().front().where.file, "damaged.pch") << what;
    }
  }
}

class DamagedPunch : public testing::TestWithParam<const char*> {};

TEST_P(DamagedPunch, CutAnywhereGivesAResultOrAnError) {
  const std::string bytes = bytes_of(GetParam());
  for (std::size_t n = 0; n < bytes.size(); n += 97)
    expect_results_or_input_errors(bytes.substr(0, n), "cut at " + std::to_string(n));
}

TEST_P(DamagedPunch, OtherBytesGiveAResultOrAnError) {
  const std::string bytes = bytes_of(GetParam());
  for (std::size_t i = 0; i < bytes.size(); i += 1 + bytes.size() / 400) {
    std::string damaged = bytes;
    const char others[] = {'\0', '\n', '$', '-', '9', 'S', ' ', '\xff'};
    damaged[i] = others[i % sizeof others];
    std::swap(damaged[i * 7 % bytes.size()], damaged[i * 13 % bytes.size()]);
    expect_results_or_input_errors(damaged, "byte " + std::to_string(i));
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, DamagedPunch,
                         testing::Values("nastran/modal/fsi.pch", "nastran/modal/one_grid_real.pch",
                                         "nastran/modal/cbush_displacements.pch",
                                         "nastran/dmig/test_case.pch"));

template <class Read>
std::string message_of(const Read& read, const std::string& text) {
  try {
    read(text, "a.pch");
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string header(int mode) {
  return "$TITLE   =\n$EIGENVECTOR\n$REAL OUTPUT\n$SUBCASE ID = 1\n$EIGENVALUE =  1.0000000E+00  MODE = " +
         std::to_string(mode) + "\n";
}

std::string point(int tag) {
  const std::string number = std::to_string(tag);
  return std::string(10 - number.size(), ' ') + number +
         "       G      1.000000E+00     -2.000000E+00      3.000000E+00\n"
         "-CONT-                 -4.000000E+00      5.000000E+00      6.000000E+00\n";
}

TEST(PunchErrors, NameLineAndRemedy) {
  const std::string good = header(1) + point(1) + point(2) + header(2) + point(2) + point(1);
  EXPECT_EQ(message_of(formats::parse_nastran_punch, good), "no error");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "no eigenvectors"},
      {header(1) + point(1) + point(1), "node 1 appears twice in mode 1"},
      {header(1) + point(1) + point(2) + header(2) + point(1),
       "mode 2 has 1 nodes and 0 other points, the first mode 2 and 0"},
      {header(1) + point(1) + header(2) + point(3), "a.pch:14: error: mode 2 has node 3"},
      {header(1) + point(1) + header(2) + point(1) + point(1), "node 1 appears twice in mode 2"},
      {header(1) + point(1).substr(0, 60), "the line ends within number 3 of 3"},
      {header(1) + point(1).substr(0, 73), "node 1 has 1 lines instead of 2"},
      {header(1) + point(1).substr(0, 73 + 45), "the line ends within number 2 of 3"},
      {header(1) + point(1).substr(0, 73 + 54), "the line ends within number 3 of 3"},
      {header(1) + point(1).insert(50, std::string(33, '7')), "the line has 105 columns"},
      {header(1) + point(1) + point(1).substr(73), "node 1 has more than 2 lines"},
      {header(1) + point(1) + header(1) + point(1), "mode 1 of subcase 1 is defined twice"},
      {"$TITLE\n$EIGENVECTOR\n" + point(1), "without $EIGENVALUE"},
      {header(1) + point(1) + "$TITLE\n$EIGENVALUE =  1.0  MODE = 2\n" + point(1),
       "without its header line ($EIGENVECTOR)"},
      {"$TITLE\n$EIGENVECTOR\n$POINT ID = 4\n" + point(1), "SORT2"},
      {header(1) + "         1       G      1.000000E+400\n", "is not a number"},
      {header(1) + "         1       G      NaN\n", "`NaN` is not a number"},
      {header(1) + "         x       G      1.000000E+00\n", "`x` is not an integer"},
  };
  for (const auto& [text, message] : cases)
    EXPECT_THAT(message_of(formats::parse_nastran_punch, text), HasSubstr(message));
}

TEST(PunchErrors, LastLineWithoutEndIsWarnedOf) {
  const std::string good = header(1) + point(1);
  EXPECT_TRUE(formats::parse_nastran_punch(good, "a.pch").report.warnings.empty());
  const auto cut = formats::parse_nastran_punch(good.substr(0, good.size() - 1), "a.pch");
  ASSERT_EQ(cut.report.warnings.size(), 1u);
  EXPECT_THAT(cut.report.warnings[0].what,
              HasSubstr("the last line does not end with a line break"));
}

TEST(PunchErrors, ColumnsThatTouchAreSeparate) {
  std::string text = header(1) + point(1);
  const std::string touching = "  1.0000000000E+00-2.00000000000E+00  3.0000000000E+00";
  text.replace(text.find("      1.000000E+00"), 54, touching);
  const imported::ModalData modes = formats::parse_nastran_punch(text, "a.pch");
  EXPECT_EQ(modes.translations.col(0), Eigen::Vector3d(1.0, -2.0, 3.0));
}

TEST(DmigErrors, NameLineAndRemedy) {
  const std::string head = "DMIG,K,0,6,2,0\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"DMIG,K,1,1,,1,1,1.\n", "matrix K has no header"},
      {head + head, "matrix K has two headers"},
      {"DMIG,K,0,3,2,0\n", "the form IFO"},
      {"DMIG,K,0,6,7,0\n", "the type TIN"},
      {head + "DMIG,K,1,1,,1,2,1.\nDMIG,K,1,2,,1,1,1.\n",
       "a.pch:3: error: matrix K contains the term 1.1, 1.2 twice"},
      {head + "DMIG,K,1,9,,1,2,1.\n", "a component, 0 to 6"},
      {"DMIG,V,0,9,2,0,,,3\nDMIG,V,4,0,,1,2,1.\n", "a column up to 3"},
      {head + "DMIG,K,1,1,,1,1,x\n", "`x`"},
  };
  for (const auto& [text, message] : cases)
    EXPECT_THAT(message_of(formats::parse_nastran_dmig, text), HasSubstr(message));
}

}  // namespace
}  // namespace solidyn
