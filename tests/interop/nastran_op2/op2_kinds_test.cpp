// The same model written as OP2 in all kinds that exist: both byte orders, words of 4 and 8 bytes.
// A small writer makes them (tests/support/nastran_op2_writer.h); what is read must not depend on
// the kind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "nastran_op2_writer.h"
#include "solidyn/base/error.h"
#include "solidyn/formats/nastran/op2/op2.h"

namespace solidyn {
namespace {

using formats::Op2File;
using imported::ModalData;
using testing::HasSubstr;
using testing_support::Op2Word;
using testing_support::Op2Words;
using testing_support::Op2Writer;

constexpr int kReal = 2, kComplex = 9;

/// The record before a table of results.
Op2Words ident(int approach, int table_code, int subcase, int mode, double eigenvalue,
               double imaginary, int format, int n_words) {
  Op2Words words = {10 * approach + 1, table_code, 0, subcase, mode,
                    eigenvalue,        imaginary,  0, format,  n_words};
  while (words.size() < 50) words.emplace_back(0);
  while (words.size() < 146) words.emplace_back("TEXT");
  return words;
}

Op2Words row(int id, int type, const std::vector<double>& values) {
  Op2Words words = {10 * id + 1, type};
  for (double value : values) words.emplace_back(value);
  return words;
}

Op2Words joined(const std::vector<Op2Words>& parts) {
  Op2Words words;
  for (const Op2Words& part : parts) words.insert(words.end(), part.begin(), part.end());
  return words;
}

/// Two grids (7 in the cylindrical system 5, 3 in the basic one) and a scalar point between them;
/// internal order is 7, 9, 3.
void write_points(Op2Writer& op2) {
  op2.begin_renamed("BGPDTS", "BGPDT", {101, 3});
  op2.table_record({5, 0.0, 2.0, 4.0, -1, 0.0, 0.0, 0.0, 0, 1.5, 2.5, 3.5});
  op2.end_block();
  op2.begin_renamed("EQEXINS", "EQEXIN", {101, 3});
  op2.table_record({3, 3, 7, 1, 9, 2});
  op2.table_record({3, 81, 7, 11, 9, 72});  // 10 * SIL + type
  op2.end_block();
}

void write_frame(Op2Writer& op2) {
  op2.begin_renamed("GEOM1S", "GEOM1");
  // a cylinder about z whose angle counts from y
  op2.table_record({2001, 20, 9, 5, 2, 2, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0});
  op2.table_record({65535, 65535, 65535});
  op2.end_block();
}

void write_modes(Op2Writer& op2) {
  op2.begin_block("LAMA");
  op2.table_record(ident(kReal, 9, 2, 0, 0.0, 0.0, 1, 7));
  op2.table_record({1, 1, 100.0, 10.0, 1.59, 0.5, 50.0, 2, 2, 400.0, 20.0, 3.18, 0.25, 100.0});
  op2.end_block();
  op2.begin_renamed("OUGV1", "OUG1");
  const std::vector<double> up = {0, 0, 1, 0.1, 0.2, 0.3}, along = {2, 0, 0, 0, 0, 0};
  op2.table_record(ident(6, 1, 1, 1, 0.0, 0.0, 1, 8));  // a static result before the modes
  op2.table_record(row(3, 1, up));
  op2.table_record(ident(kReal, 7, 2, 1, 99.0, 0.0, 1, 8));
  op2.table_record(row(7, 1, up), joined({row(9, 2, along), row(3, 1, along)}));
  op2.table_record(ident(kReal, 7, 2, 2, 399.0, 0.0, 1, 8));
  op2.table_record(joined({row(7, 1, along), row(9, 2, along), row(3, 1, up)}));
  op2.end_block();
}

class Op2Kinds : public testing::TestWithParam<std::tuple<int, bool>> {
 protected:
  Op2Writer writer() const { return Op2Writer(std::get<0>(GetParam()), std::get<1>(GetParam())); }
  double epsilon() const { return std::get<0>(GetParam()) == 8 ? 1e-15 : 1e-7; }
};

TEST_P(Op2Kinds, TellThemselves) {
  Op2Writer op2 = writer();
  op2.label();
  write_points(op2);
  op2.end_file();
  const Op2File file(op2.bytes(), "made.op2");
  EXPECT_EQ(file.word_bytes(), std::get<0>(GetParam()));
  EXPECT_EQ(file.is_swapped(), std::get<1>(GetParam()));
  EXPECT_EQ(file.version(), "XXXXXXXX");
  EXPECT_EQ(file.date(), (std::array<int, 3>{10, 19, 15}));
  ASSERT_EQ(file.blocks().size(), 2);
  EXPECT_EQ(file.blocks()[0].name, "BGPDTS");
  EXPECT_EQ(file.blocks()[0].header_name, "BGPDT");
  EXPECT_EQ(file.blocks()[1].records.size(), 2);
}

TEST_P(Op2Kinds, MayHaveTheLongLabelAndNamesOfLaterVersions) {
  Op2Writer op2 = writer();
  op2.long_label();
  op2.use_long_names();
  write_points(op2), write_modes(op2);
  op2.end_file();
  const Op2File file(op2.bytes(), "made.op2");
  EXPECT_EQ(file.version(), "XXXXXXXX");
  ASSERT_EQ(file.blocks().size(), 4);
  EXPECT_EQ(file.blocks()[0].name, "BGPDTS");
  EXPECT_EQ(file.blocks()[0].header_name, "BGPDT");
  EXPECT_EQ(formats::read_op2_modes(file).modes.size(), 2);
}

TEST_P(Op2Kinds, MissingEndIsWarnedOf) {
  Op2Writer op2 = writer();
  write_frame(op2), write_points(op2), write_modes(op2);
  const Op2File cut(op2.bytes(), "made.op2");
  EXPECT_FALSE(cut.is_closed());
  const auto warnings = formats::read_op2_modes(cut).report.warnings;
  ASSERT_EQ(warnings.size(), 1);
  EXPECT_THAT(warnings[0].what, HasSubstr("the key that ends the file is missing"));
}

TEST_P(Op2Kinds, RealModesHaveTheirComponentsAxesMassesAndPlaces) {
  Op2Writer op2 = writer();
  write_frame(op2), write_points(op2), write_modes(op2), op2.end_file();
  const ModalData modes = formats::read_op2_modes(Op2File(op2.bytes(), "made.op2"));
  EXPECT_EQ(modes.node_tags, (std::vector<std::int64_t>{7, 3}));
  EXPECT_EQ(modes.report.skipped.at("scalar points"), 1);
  ASSERT_EQ(modes.modes.size(), 2);
  EXPECT_EQ(modes.modes[1].number, 2);
  EXPECT_EQ(modes.modes[1].subcase, 2);
  EXPECT_EQ(modes.modes[1].eigenvalue, 400.0);  // LAMA's, not the ident's
  EXPECT_EQ(modes.modes[1].generalized_mass, 0.25);
  Eigen::MatrixXd translations(6, 2), rotations(6, 2);
  translations << 0, 2, 0, 0, 1, 0, 2, 0, 0, 0, 0, 1;
  rotations << 0.1, 0, 0.2, 0, 0.3, 0, 0, 0.1, 0, 0.2, 0, 0.3;
  EXPECT_TRUE(modes.translations.isApprox(translations, epsilon()));
  EXPECT_TRUE(modes.rotations.isApprox(rotations, epsilon()));
  ASSERT_EQ(modes.x.cols(), 2);
  EXPECT_EQ(modes.x.col(0), Eigen::Vector3d(0, 2, 4));
  EXPECT_EQ(modes.x.col(1), Eigen::Vector3d(1.5, 2.5, 3.5));
  // grid 7 lies on y, from which the angle counts: r is y, theta is -x
  Eigen::Matrix3d axes;
  axes << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  ASSERT_EQ(modes.node_axes.size(), 1);
  EXPECT_TRUE(modes.node_axes.at(7).isApprox(axes, 1e-7)) << modes.node_axes.at(7);
  EXPECT_TRUE(modes.report.warnings.empty());
}

TEST_P(Op2Kinds, ComplexModesComeAsPartsOrAsMagnitudeAndPhase) {
  Op2Writer op2 = writer();
  op2.begin_renamed("OPHIG", "OUGV1");
  op2.table_record(ident(kComplex, 1007, 1, 1, -0.5, 20.0, 2, 14));
  op2.table_record(row(4, 1, {1, 2, 3, 0, 0, 0, 4, 5, 6, 0, 0, 0}));
  op2.end_block();
  ModalData modes = formats::read_op2_modes(Op2File(op2.bytes(), "made.op2"));
  EXPECT_TRUE(modes.is_complex);
  EXPECT_EQ(modes.modes[0].eigenvalue, -0.5);
  EXPECT_EQ(modes.modes[0].eigenvalue_imaginary, 20.0);
  EXPECT_EQ(modes.translations.col(0), Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(modes.imaginary_translations.col(0), Eigen::Vector3d(4, 5, 6));
  EXPECT_EQ(modes.rotations.rows(), 0);
  EXPECT_EQ(modes.x.cols(), 0);  // the file has no grids

  Op2Writer polar = writer();
  polar.begin_block("OUGV1");
  polar.table_record(ident(kComplex, 1007, 1, 1, -0.5, 20.0, 3, 14));
  polar.table_record(row(4, 1, {2, 1, 0, 0, 0, 0, 90, 180, 0, 0, 0, 0}));
  polar.end_block();
  modes = formats::read_op2_modes(Op2File(polar.bytes(), "made.op2"));
  EXPECT_TRUE(modes.translations.col(0).isApprox(Eigen::Vector3d(0, -1, 0), 1e-12));
  EXPECT_TRUE(modes.imaginary_translations.col(0).isApprox(Eigen::Vector3d(2, 0, 0), 1e-12));
}

TEST_P(Op2Kinds, BasicBlocksNeedNoAxes) {
  Op2Writer op2 = writer();
  write_frame(op2), write_points(op2);
  op2.begin_block("BOPHIG");
  op2.table_record(ident(kReal, 7, 1, 1, 1.0, 1.0, 1, 8));
  op2.table_record(row(7, 1, {1, 0, 0, 0, 0, 0}));
  op2.end_block();
  const ModalData modes = formats::read_op2_modes(Op2File(op2.bytes(), "made.op2"));
  EXPECT_TRUE(modes.has_basic_axes);
  EXPECT_TRUE(modes.node_axes.empty());
}

TEST_P(Op2Kinds, SubcasesAreNotMixed) {
  Op2Writer op2 = writer();
  op2.begin_block("OUGV1");
  for (const int subcase : {3, 8}) {
    op2.table_record(ident(kReal, 7, subcase, 1, 1.0 * subcase, 1.0, 1, 8));
    op2.table_record(row(7, 1, {1.0 * subcase, 0, 0, 0, 0, 0}));
  }
  op2.end_block();
  op2.end_file();
  const Op2File file(op2.bytes(), "made.op2");
  const ModalData first = formats::read_op2_modes(file), second = formats::read_op2_modes(file, 8);
  ASSERT_EQ(first.modes.size(), 1);
  EXPECT_EQ(first.translations(0, 0), 3.0);
  ASSERT_EQ(first.report.warnings.size(), 1);
  EXPECT_THAT(first.report.warnings[0].what, HasSubstr("subcase 8"));
  EXPECT_EQ(second.translations(0, 0), 8.0);
  EXPECT_THROW(formats::read_op2_modes(file, 5), base::InputError);
}

/// Doubles of matrices in two words, or in one of 8 bytes.
Op2Words terms(const std::vector<double>& values) {
  Op2Words words;
  for (double value : values) words.push_back(Op2Word::real64(value));
  return words;
}

void write_matrix(Op2Writer& op2, const std::string& name, double scale) {
  op2.begin_block(name, {101, 13, 13, 6, 2, 4, 1000});
  for (int column = 1; column <= 13; ++column) {
    if (column == 5)
      op2.column({});
    else if (column == 2)
      op2.column({{2, terms({scale * 0.1})}, {4, terms({scale * 7.0, scale * 8.0})}});
    else
      op2.column({{column, terms({scale * column})}});
  }
  op2.end_block();
}

TEST_P(Op2Kinds, MatricesHaveTheirTermsAndTheirMap) {
  Op2Writer op2 = writer();
  write_frame(op2), write_points(op2);
  write_matrix(op2, "KGG", 1.0), write_matrix(op2, "MGG", 0.5);
  const auto model = formats::read_op2_matrix_model(Op2File(op2.bytes(), "made.op2"));
  ASSERT_EQ(model.dofs.size(), 13);
  EXPECT_EQ(model.dofs[0].node, 7);
  EXPECT_EQ(model.dofs[5].component, 6);
  EXPECT_EQ(model.dofs[6].node, 9);  // the scalar point
  EXPECT_EQ(model.dofs[6].component, 0);
  EXPECT_EQ(model.dofs[7].node, 3);
  const Eigen::SparseMatrix<double> K = imported::assemble(model.stiffness);
  EXPECT_EQ(K.nonZeros(), 14);
  EXPECT_EQ(K.coeff(1, 1), 0.1);
  EXPECT_EQ(K.coeff(4, 1), 8.0);
  EXPECT_EQ(K.coeff(12, 12), 13.0);
  EXPECT_EQ(model.stiffness.form, 6);
  EXPECT_EQ(imported::assemble(model.mass).coeff(12, 12), 6.5);
  EXPECT_EQ(model.nodes.size(), 2);
  EXPECT_EQ(model.nodes.at(3), Eigen::Vector3d(1.5, 2.5, 3.5));
  EXPECT_EQ(model.node_axes.count(7), 1);
}

TEST_P(Op2Kinds, MatricesWithoutAMapAreRefused) {
  Op2Writer op2 = writer();
  write_matrix(op2, "KGG", 1.0);
  const Op2File file(op2.bytes(), "made.op2");
  EXPECT_EQ(formats::read_op2_matrices(file).size(), 1);
  EXPECT_THROW(formats::read_op2_matrix_model(file), base::InputError);
}

/// Coordinate transformations: rows of 14 words, or of 4 with the reals in a record of doubles.
TEST_P(Op2Kinds, AxesComeFromCstmWhereGeom1HasThemNot) {
  for (const bool is_long : {false, true}) {
    Op2Writer op2 = writer();
    write_points(op2);
    op2.begin_renamed("CSTMS", "CSTM");
    const std::vector<double> values = {1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0};  // origin, R by rows
    Op2Words reals, doubles;
    for (double value : values)
      reals.emplace_back(value), doubles.push_back(Op2Word::real64(value));
    if (is_long) {
      op2.table_record({5, 1, 0, 1});
      op2.table_record(doubles);
    } else {
      op2.table_record(joined({{5, 1}, reals}));
    }
    op2.end_block();
    write_modes(op2);
    const ModalData modes = formats::read_op2_modes(Op2File(op2.bytes(), "made.op2"));
    Eigen::Matrix3d axes;
    axes << 0, 0, 1, 1, 0, 0, 0, 1, 0;
    ASSERT_EQ(modes.node_axes.count(7), 1);
    EXPECT_TRUE(modes.node_axes.at(7).isApprox(axes, 1e-7)) << modes.node_axes.at(7);
  }
}

TEST_P(Op2Kinds, UndefinedAxesAreAWarning) {
  Op2Writer op2 = writer();
  write_points(op2), write_modes(op2);
  const ModalData modes = formats::read_op2_modes(Op2File(op2.bytes(), "made.op2"));
  EXPECT_TRUE(modes.node_axes.empty());
  const auto& warnings = modes.report.warnings;
  EXPECT_TRUE(std::any_of(warnings.begin(), warnings.end(), [](const auto& warning) {
    return warning.what.find("output coordinate system 5") != std::string::npos;
  }));
}

TEST_P(Op2Kinds, BgpdtWithDoublesAndGeom1AloneGiveCoordinates) {
  Op2Writer op2 = writer();
  op2.begin_block("BGPDT", {101, 2});
  op2.table_record({0, 1, 7, 61, 0, 0, Op2Word::real64(0.1), Op2Word::real64(2.0),
                    Op2Word::real64(4.0), -1, 7, 9, 11, 0, 0, Op2Word::real64(0.0),
                    Op2Word::real64(0.0), Op2Word::real64(0.0)});
  op2.end_block();
  op2.begin_block("OUGV1");
  op2.table_record(ident(kReal, 7, 1, 1, 1.0, 1.0, 1, 8));
  op2.table_record(row(7, 1, {1, 0, 0, 0, 0, 0}));
  op2.end_block();
  const ModalData modes = formats::read_op2_modes(Op2File(op2.bytes(), "made.op2"));
  ASSERT_EQ(modes.x.cols(), 1);
  EXPECT_EQ(modes.x.col(0), Eigen::Vector3d(0.1, 2, 4));

  Op2Writer geom1 = writer();
  geom1.begin_block("GEOM1");
  geom1.table_record({4501, 45, 1, 7, 5, 2.0, 90.0, 4.0, 0, 0, 0});  // in the cylindrical system
  geom1.table_record({2001, 20, 9, 5, 2, 2, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0});
  geom1.end_block();
  geom1.begin_block("OUGV1");
  geom1.table_record(ident(kReal, 7, 1, 1, 1.0, 1.0, 1, 8));
  geom1.table_record(row(7, 1, {1, 0, 0, 0, 0, 0}));
  geom1.end_block();
  const ModalData other = formats::read_op2_modes(Op2File(geom1.bytes(), "made.op2"));
  ASSERT_EQ(other.x.cols(), 1);
  EXPECT_LT((other.x.col(0) - Eigen::Vector3d(0, 2, 4)).norm(), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(All, Op2Kinds, testing::Combine(testing::Values(4, 8), testing::Bool()),
                         [](const auto& info) {
                           return std::to_string(8 * std::get<0>(info.param)) +
                                  (std::get<1>(info.param) ? "Swapped" : "Native");
                         });

}  // namespace
}  // namespace solidyn
