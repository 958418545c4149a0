#include "solidyn/imported/odd_terms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "solidyn/imported/checks.h"

namespace solidyn::imported {
namespace {

using testing::HasSubstr;

Eigen::SparseMatrix<double> chain_of_springs(double scale = 1.0) {
  Eigen::MatrixXd k(3, 3);
  k << 1, -1, 0, -1, 3, -2, 0, -2, 2;
  return (scale * k).sparseView();
}

TEST(OddTerms, DiagonalBoundsWhatIsBesideIt) {
  EXPECT_FALSE(find_impossible_term(chain_of_springs(), 1e-15));  // one of equality among them
  EXPECT_FALSE(find_impossible_term(chain_of_springs(1e9), 1e-15));
  Eigen::SparseMatrix<double> k = chain_of_springs();
  k.coeffRef(1, 1) = 0.0;  // a column of the file was lost
  const auto found = find_impossible_term(k, 1e-15);
  ASSERT_TRUE(found);
  EXPECT_EQ(std::abs(found->value), 2.0);
  EXPECT_EQ(found->limit, 0.0);
}

TEST(OddTerms, FewDigitsAreNoFault) {
  Eigen::SparseMatrix<double> k = chain_of_springs();
  k.coeffRef(0, 1) = k.coeffRef(1, 0) = -1.7321;  // sqrt(3) with five digits
  EXPECT_FALSE(find_impossible_term(k, 1e-5));
  EXPECT_TRUE(find_impossible_term(k, 1e-9));
}

TEST(OddTerms, TermFarAboveAllOthersIsFound) {
  EXPECT_FALSE(find_far_term(chain_of_springs()));
  Eigen::SparseMatrix<double> k = chain_of_springs();
  k.coeffRef(0, 1) = k.coeffRef(1, 0) = 1e40;
  const auto found = find_far_term(k);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->value, 1e40);
  EXPECT_EQ(found->limit, 3.0);
  EXPECT_FALSE(find_far_term(Eigen::SparseMatrix<double>(3, 3)));
}

Matrix named(const Eigen::SparseMatrix<double>& a) {
  Matrix matrix;
  matrix.n_rows = matrix.n_columns = a.rows();
  for (Eigen::Index column = 0; column < a.outerSize(); ++column)
    for (Eigen::SparseMatrix<double>::InnerIterator term(a, column); term; ++term) {
      matrix.rows.push_back(term.row());
      matrix.columns.push_back(column);
      matrix.values.push_back(term.value());
    }
  return matrix;
}

TEST(OddTerms, AreWarnedOfWithoutPlacesOfTheNodes) {
  MatrixModel model;
  model.source = "k.pch";
  for (const int node : {11, 12, 13}) model.dofs.push_back({node, 3});
  model.stiffness = model.mass = named(chain_of_springs());
  EXPECT_EQ(report(measure(model)).warnings.size(), 1u);  // that no node has a place
  Eigen::SparseMatrix<double> k = chain_of_springs();
  k.coeffRef(1, 1) = 0.0;
  model.stiffness = named(k);
  const std::vector<base::Diagnostic> warnings = report(measure(model)).warnings;
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_THAT(warnings[0].what, HasSubstr("the stiffness matrix cannot belong to a body"));
  EXPECT_THAT(warnings[0].what, HasSubstr("13.3"));
}

}  // namespace
}  // namespace solidyn::imported
