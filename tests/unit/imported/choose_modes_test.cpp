#include "solidyn/imported/choose_modes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace solidyn::imported {
namespace {

using testing::HasSubstr;

// Two nodes; the modes of two subcases, whose first component is their number.
ModalData make_modes() {
  ModalData modes;
  modes.source = "rod.pch";
  modes.node_tags = {1, 2};
  modes.translations = Eigen::MatrixXd::Zero(6, 4);
  modes.rotations = Eigen::MatrixXd::Zero(6, 4);
  const int subcases[] = {3, 3, 7, 7};
  for (int j = 0; j < 4; ++j) {
    modes.modes.push_back({j + 1, 10.0 * j, 0.0, 0.0, subcases[j]});
    modes.translations(0, j) = modes.rotations(0, j) = j + 1;
  }
  return modes;
}

TEST(ChooseModes, TakesTheFirstSubcaseAndNamesTheOthers) {
  ModalData modes = make_modes();
  keep_subcase(modes, 0);
  ASSERT_EQ(modes.modes.size(), 2u);
  EXPECT_EQ(modes.translations.row(0), Eigen::RowVector2d(1.0, 2.0));
  EXPECT_EQ(modes.imaginary_translations.size(), 0);
  ASSERT_EQ(modes.report.warnings.size(), 1u);
  EXPECT_THAT(modes.report.warnings[0].what,
              HasSubstr("step 3 are used; the file also has modes of 7"));
  EXPECT_THAT(modes.report.warnings[0].remedy, HasSubstr("subcase: 7"));
}

TEST(ChooseModes, TakesTheOneThatIsNamedAndSaysNothing) {
  ModalData modes = make_modes();
  keep_subcase(modes, 7);
  ASSERT_EQ(modes.modes.size(), 2u);
  EXPECT_EQ(modes.modes[0].number, 3);
  EXPECT_EQ(modes.translations.row(0), Eigen::RowVector2d(3.0, 4.0));
  EXPECT_EQ(modes.rotations.row(0), Eigen::RowVector2d(3.0, 4.0));
  EXPECT_TRUE(modes.report.warnings.empty());
}

TEST(ChooseModes, NamesWhatThereIsInPlaceOfAnUnknownSubcase) {
  ModalData modes = make_modes();
  try {
    keep_subcase(modes, 5);
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no modes of subcase or step 5"));
    EXPECT_THAT(error.what(), HasSubstr("3, 7"));
  }
}

TEST(ChooseModes, LeavesModesOfOneSubcaseAlone) {
  ModalData modes = make_modes();
  for (ImportedMode& mode : modes.modes) mode.subcase = 2;
  keep_subcase(modes, 0);
  EXPECT_EQ(modes.modes.size(), 4u);
  EXPECT_TRUE(modes.report.warnings.empty());
}

TEST(ChooseModes, KnowsModesOfUnitMaximumWithOrWithoutRotations) {
  ModalData modes = make_modes();
  EXPECT_FALSE(has_unit_maximum(modes));
  for (int j = 0; j < 4; ++j) modes.translations.col(j) *= -1.0 / (j + 1);
  EXPECT_TRUE(has_unit_maximum(modes));  // of the translations
  modes.translations *= 0.5;
  for (int j = 0; j < 4; ++j) modes.rotations.col(j) /= j + 1;
  EXPECT_TRUE(has_unit_maximum(modes));  // of all
  modes.rotations(0, 2) = 0.9;
  EXPECT_FALSE(has_unit_maximum(modes));
}

}  // namespace
}  // namespace solidyn::imported
