// The grammar of matrix files, by texts that can be read here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "solidyn/base/error.h"
#include "solidyn/formats/abaqus/matrices/matrices.h"
#include "solidyn/formats/calculix/matrices.h"
#include "solidyn/formats/tables/matrix_market.h"

namespace solidyn::formats {
namespace {

using imported::Dof;
using imported::Matrix;
using imported::MatrixModel;
using testing::HasSubstr;

Eigen::MatrixXd dense(const Matrix& matrix) { return Eigen::MatrixXd(imported::assemble(matrix)); }

template <class Read>
std::string complaint(const Read& read) {
  try {
    read();
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "accepted";
}

const Eigen::Matrix2d kTwo = (Eigen::Matrix2d() << 4.0, -1.5, -1.5, 3.0).finished();

TEST(MatrixMarket, FilesOfScipyAndOthersAreRead) {
  for (
      const char* text :
      {// scipy.io.mmwrite of a sparse matrix, symmetric and general, old and new
       "%%MatrixMarket matrix coordinate real symmetric\n%\n2 2 3\n1 1 4.0000000000000000e+00\n"
       "2 1 -1.5000000000000000e+00\n2 2 3.0000000000000000e+00\n",
       "%%MatrixMarket matrix coordinate real general\n%\n2 2 4\n1 1 4e0\n1 2 -1.5\n2 1 -1.5\n2 2 3\n",
       // of a dense one, by columns
       "%%MatrixMarket matrix array real general\n%\n2 2\n4\n-1.5\n-1.5\n3\n",
       "%%MatrixMarket matrix array real symmetric\n2 2\n4 -1.5 3\n",
       // capitals, comments, blank lines, CR LF, terms of Fortran
       "%%MatrixMarket MATRIX Coordinate Real Symmetric\r\n% by hand\r\n\r\n2 2 3\r\n1 1 4.0D+00\r\n\r\n2 1 -1.5\r\n2 2 +3.0-000\r\n"})
    EXPECT_EQ(dense(parse_matrix_market(text, "k.mtx")), kTwo) << text;
}

TEST(MatrixMarket, WhatCannotBeKOrMIsRefused) {
  const auto told = [](const std::string& text) {
    return complaint([&] { parse_matrix_market(text, "k.mtx"); });
  };
  EXPECT_THAT(told("%%MatrixMarket matrix coordinate complex symmetric\n1 1 1\n1 1 1 0\n"),
              HasSubstr("k.mtx:1: error: matrices of the kind `coordinate complex symmetric`"));
  EXPECT_THAT(told("%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n"),
              HasSubstr("not supported"));
  EXPECT_THAT(told("1 1 1\n"), HasSubstr("not a Matrix Market header"));
  EXPECT_THAT(told("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1.0\n"),
              HasSubstr("k.mtx:3: error: a symmetric matrix has a term above its diagonal"));
  EXPECT_THAT(told("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1.0\n"),
              HasSubstr("2 terms are declared, but the file contains 1"));
  EXPECT_THAT(told("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 1.0\n2 2 1\n"),
              HasSubstr("more terms than it declares"));
  EXPECT_THAT(told("%%MatrixMarket matrix coordinate real general\n2 2 900000000\n1 2 1.0\n"),
              HasSubstr("does not fit into the file"));
  EXPECT_THAT(told("%%MatrixMarket matrix array real general\n2000000 2000000\n1\n"),
              HasSubstr("does not fit into the file"));
  EXPECT_THAT(told("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1.0\n"),
              HasSubstr("a 2 x 2 matrix has a term at (3, 1)"));
  EXPECT_THAT(told("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 1.0 1 1.0\n"),
              HasSubstr("k.mtx:3: error: "));
  for (const char* value : {"nan", "inf", "1e400", "1.0x", "*****", ""})
    EXPECT_THAT(told(std::string("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 ") +
                     value + "\n"),
                HasSubstr("k.mtx:3: error: "))
        << value;
}

TEST(MatrixMarket, PairWithAMapOfItsRows) {
  const NamedBytes k{
      "%%MatrixMarket matrix coordinate real symmetric\n4 4 4\n1 1 1\n2 2 2\n3 3 3\n4 4 4\n",
      "k.mtx"},
      m{"%%MatrixMarket matrix coordinate real symmetric\n4 4 1\n1 1 1\n", "m.mtx"},
      map{"# node component\n12 1\n12, 5\n 7 3\n\n-1 0\n", "k.map"};
  const MatrixModel model = parse_matrix_market_pair(k, m, map);
  ASSERT_EQ(model.dofs.size(), 4u);
  EXPECT_EQ(model.dofs[1].node, 12);
  EXPECT_EQ(model.dofs[1].component, 5);
  EXPECT_EQ(model.dofs[3].component, 0);
  const NamedBytes short_map{"12 1\n12 2\n", "short.map"};
  EXPECT_THAT(complaint([&] { parse_matrix_market_pair(k, m, short_map); }),
              HasSubstr("the list contains 2 degrees of freedom, but the matrices have 4 rows"));
  EXPECT_THAT(complaint([&] {
                parse_matrix_market_pair(k, m, std::vector<std::int64_t>{1, 2});
              }),
              HasSubstr("4 rows, but 2 nodes have 6"));
}

TEST(DofMap, MistakesAreToldTogether) {
  EXPECT_THAT(complaint([] { parse_dof_map("1 1\n1 7\n2 -1\n", "k.map"); }),
              testing::AllOf(HasSubstr("k.map:2: error: node 1 has no component 7"),
                             HasSubstr("k.map:3: error: node 2 has no component -1")));
  EXPECT_THAT(complaint([] { parse_dof_map("1 1\n2 1\n1 1\n", "k.map"); }),
              HasSubstr("component 1 of node 1 has two rows"));
  EXPECT_THAT(complaint([] { parse_dof_map("1 1 5\n", "k.map"); }), HasSubstr("k.map:1: error: "));
}

TEST(CalculixDofs, AreTextsAndNotNumbers) {
  const std::vector<Dof> dofs = parse_calculix_dofs("101.1\r\n1200.3\n  7.6 \n", "job.dof");
  ASSERT_EQ(dofs.size(), 3u);
  EXPECT_EQ(dofs[1].node, 1200);
  EXPECT_EQ(dofs[1].component, 3);
  EXPECT_EQ(dofs[2].component, 6);
  EXPECT_THAT(
      complaint([] { parse_calculix_dofs("1.1\n1.10\n", "job.dof"); }),
      HasSubstr("job.dof:2: error: component 10 of node 1 is not a displacement or rotation"));
  for (const char* text : {"1.1\n1\n", "1.1\n.1\n", "1.1\n1.\n", "1.1\n1.1x\n", "1.1\n-4.1\n"})
    EXPECT_THAT(complaint([&] { parse_calculix_dofs(text, "job.dof"); }),
                HasSubstr("job.dof:2: error: "))
        << text;
}

TEST(CalculixMatrices, EitherTriangleIsFoundAndOneAndAHalfRefused) {
  EXPECT_EQ(dense(parse_calculix_matrix("1 1 4\n1 2 -1.5\n2 2 3\n", "k.sti", 2)), kTwo);
  EXPECT_EQ(dense(parse_calculix_matrix("1 1 4\n2 1 -1.5\n2 2 3\n", "k.sti", 2)), kTwo);
  EXPECT_EQ(dense(parse_calculix_matrix("1 1 4\n2 1 -1.5\n1 2 -1.5\n2 2 3\n", "k.sti", 2)), kTwo);
  EXPECT_THAT(complaint([] { parse_calculix_matrix("1 2 1\n2 1 1\n1 3 1\n", "k.sti", 3); }),
              HasSubstr("2 terms of the matrix have a counterpart"));
  EXPECT_THAT(complaint([] { parse_calculix_matrix("1 1 1\n1 3 1\n", "k.sti", 2); }),
              HasSubstr("k.sti:2: error: the matrix has a term at (1, 3), but 2"));
}

TEST(AbaqusMatrixInput, RowsAreNumberedByNodeAndComponent) {
  // One triangle in Abaqus' own order of rows, which is not that of the labels; an internal node.
  const char* k =
      "** Stiffness\n7,1, 7,1, 4.0\n7,1, 3,2, -1.5\n3,2, 3,2, 3.0\n-2,1, -2,1, 9.0\n"
      "-2,1, 7,1, 0.5\n";
  const char* m = "7,1, 7,1, 1.0\n3,2, 3,2, 2.0\n";
  EXPECT_EQ(kind_of_abaqus_matrix(k, "K"), AbaqusMatrixFile::matrix_input);
  const MatrixModel model = parse_abaqus_matrices(k, "job_STIF1.mtx", m, "job_MASS1.mtx");
  ASSERT_EQ(model.dofs.size(), 3u);
  EXPECT_EQ(model.dofs[0].node, -2);
  EXPECT_EQ(model.dofs[0].component, 0);
  EXPECT_EQ(model.dofs[1].node, 3);
  EXPECT_EQ(model.dofs[1].component, 2);
  Eigen::Matrix3d expected;
  expected << 9, 0, 0.5, 0, 3, -1.5, 0.5, -1.5, 4;
  EXPECT_EQ(dense(model.stiffness), expected);
  EXPECT_EQ(dense(model.mass), Eigen::Vector3d(0, 2, 1).asDiagonal().toDenseMatrix());
}

TEST(AbaqusMatrixInput, MistakesAreTold) {
  EXPECT_THAT(complaint([] {
                parse_abaqus_matrices("1,1, 1,1, 2\n1,2, 1,2, 2\n1,1, 1,1, 2\n", "k",
                                      "1,1, 1,1, 2\n", "m");
              }),
              HasSubstr("k: error: the term at row 1 and column 1 of the matrix is defined twice"));
  EXPECT_THAT(complaint([] { parse_abaqus_matrices("1,1, 1,1, 2\n", "k", "1 1 3\n", "m"); }),
              HasSubstr("of another kind"));
  EXPECT_THAT(complaint([] { parse_abaqus_matrices("1,8, 1,8, 2\n", "k", "1,8, 1,8, 2\n", "m"); }),
              HasSubstr("component 8 of node 1 is not a displacement or rotation"));
  EXPECT_THAT(complaint([] { parse_abaqus_matrices("-1 1 3\n", "k", "1 1 3\n", "m"); }),
              HasSubstr("FORMAT=MATRIX INPUT"));
  EXPECT_THAT(complaint([] { kind_of_abaqus_matrix("1 2\n", "k"); }), HasSubstr("supported are"));
}

TEST(AbaqusSubstructure, NodesWithRotationsAndGeneralisedCoordinates) {
  // Node 5 has 1 and 6, node 8 has 2, node -1 a generalised coordinate; numbers of a row run on.
  const char* text =
      "** SUBSTRUCTURE\n*User element, nodes = 3, linear\n** ELEMENT NODES\n**   5,  8, -1\n** \n"
      " 1, 6\n 2, 2\n 3, 1\n*MATRIX, TYPE=STIFFNESS\n1.0,\n2.0, 3.0\n4.0,\n 5.0, 6.0\n7.0, 8.0, 9.0, 1.0D+01,\n*MATRIX,TYPE=MASS\n1.0\n0.0, 1.0\n0.0, 0.0, 1.0\n0.0, 0.0, 0.0, 1.0\n"
      "** SUBSTRUCTURE LOAD CASE\n*DLOAD, OP=NEW\n1.0, 2.0\n";
  EXPECT_EQ(kind_of_abaqus_matrix(text, "s.mtx"), AbaqusMatrixFile::substructure);
  const MatrixModel model = parse_abaqus_substructure(text, "s.mtx");
  ASSERT_EQ(model.dofs.size(), 4u);
  EXPECT_EQ(model.dofs[1].node, 5);
  EXPECT_EQ(model.dofs[1].component, 6);
  EXPECT_EQ(model.dofs[2].node, 8);
  EXPECT_EQ(model.dofs[2].component, 2);
  EXPECT_EQ(model.dofs[3].node, -1);
  EXPECT_EQ(model.dofs[3].component, 0);
  Eigen::Matrix4d expected;
  expected << 1, 2, 4, 7, 2, 3, 5, 8, 4, 5, 6, 9, 7, 8, 9, 10;
  EXPECT_EQ(dense(model.stiffness), expected);
  EXPECT_EQ(dense(model.mass), Eigen::Matrix4d::Identity());
  EXPECT_EQ(model.report.skipped.at("*DLOAD"), 1);
}

TEST(AbaqusSubstructure, MistakesAreTold) {
  const auto told = [](const std::string& text) {
    return complaint([&] { parse_abaqus_substructure(text, "s.mtx"); });
  };
  const std::string head = "*USER ELEMENT,NODES=2,LINEAR\n** ELEMENT NODES\n**1,2\n1\n";
  EXPECT_THAT(told(head), HasSubstr("there is no *MATRIX, TYPE=STIFFNESS"));
  EXPECT_THAT(told(head + "*MATRIX,TYPE=STIFFNESS\n1\n2\n"),
              HasSubstr("the matrix STIFFNESS ends before term (2, 2) of 2 rows"));
  EXPECT_THAT(told(head + "*MATRIX,TYPE=STIFFNESS\n1\n2,3\n4\n"), HasSubstr("more than 2 rows"));
  EXPECT_THAT(told(head + "*MATRIX,TYPE=STIFFNESS\n1\n2,3,4\n"), HasSubstr("s.mtx:7: error: "));
  EXPECT_THAT(told(head + "*MATRIX,TYPE=STIFFNESS\n1\n2,3\n" + head),
              HasSubstr("more than one element"));
  EXPECT_THAT(told("*USER ELEMENT,NODES=900000000,LINEAR\n** ELEMENT NODES\n**1,2\n1\n"),
              HasSubstr("has 900000000 nodes, but the comments name 2"));
  EXPECT_THAT(told("*USER ELEMENT,NODES=2\n** ELEMENT NODES\n**1,1\n1\n"),
              HasSubstr("component 1 of node 1 has two rows"));
  EXPECT_THAT(told("*MATRIX,TYPE=MASS\n1\n"), HasSubstr("precedes the components"));
  EXPECT_THAT(told(""), HasSubstr("empty"));
  EXPECT_THAT(told("version https://git-lfs.github.com/spec/v1\n"), HasSubstr("git lfs pull"));
}

}  // namespace
}  // namespace solidyn::formats
