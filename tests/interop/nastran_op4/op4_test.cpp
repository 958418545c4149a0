// OP4 files that Nastran and other programs wrote: every fact that is known of them.
#include "solidyn/formats/nastran/op4/op4.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "samples.h"

namespace solidyn {
namespace {

using imported::Matrix;
using nlohmann::json;

const std::vector<std::string> kSamples = {"cd",
                                           "double_bigmat_ascii",
                                           "double_bigmat_be",
                                           "double_bigmat_le",
                                           "double_dense_ascii",
                                           "double_dense_ascii_i64",
                                           "double_dense_be",
                                           "double_dense_le",
                                           "double_nonbigmat_ascii",
                                           "double_nonbigmat_be",
                                           "double_nonbigmat_le",
                                           "mat_b_dn",
                                           "mat_b_s1",
                                           "mat_b_s2",
                                           "mat_t_dn",
                                           "mat_t_s1",
                                           "mat_t_s2",
                                           "nas_large_dim_nonbigmat_binary",
                                           "rd",
                                           "single_bigmat_ascii",
                                           "single_bigmat_le_i64",
                                           "single_dense_le",
                                           "single_nonbigmat_le",
                                           "testplate_kgg",
                                           "testplate_kgg_ascii",
                                           "x100000"};

std::string path_of(const std::string& name) { return "nastran/op4/" + name + ".op4"; }

std::vector<Matrix> read(const std::string& name) {
  return formats::read_op4(testing_support::sample(path_of(name)));
}

const Matrix& find(const std::vector<Matrix>& matrices, const std::string& name) {
  for (const Matrix& matrix : matrices)
    if (matrix.name == name) return matrix;
  throw std::runtime_error("there is no matrix " + name);
}

std::complex<double> sum(const Matrix& matrix) {
  std::complex<double> result = 0.0;
  for (double value : matrix.values) result += value;
  for (double value : matrix.imaginary) result += std::complex<double>(0.0, value);
  return result;
}

double frobenius(const Matrix& matrix) {
  double squares = 0.0;
  for (double value : matrix.values) squares += value * value;
  for (double value : matrix.imaginary) squares += value * value;
  return std::sqrt(squares);
}

/// Facts are printed with ten digits; terms in single precision have seven.
void expect_close(double value, double fact, double scale) {
  EXPECT_NEAR(value, fact, 2e-7 * std::max(std::abs(fact), scale));
}

void expect_sum(const Matrix& matrix, const json& fact) {
  const double scale = frobenius(matrix);
  expect_close(sum(matrix).real(), fact.is_array() ? fact[0].get<double>() : fact.get<double>(),
               scale);
  expect_close(sum(matrix).imag(), fact.is_array() ? fact[1].get<double>() : 0.0, scale);
}

void expect_facts(const Matrix& matrix, const json& facts) {
  for (const auto& [key, fact] : facts.items()) {
    SCOPED_TRACE(matrix.name + " " + key);
    const auto n_terms = static_cast<std::int64_t>(matrix.values.size());
    if (key == "shape") {
      EXPECT_EQ(matrix.n_rows, fact[0].get<std::int64_t>());
      EXPECT_EQ(matrix.n_columns, fact[1].get<std::int64_t>());
    } else if (key == "nrow") {
      EXPECT_EQ(matrix.n_rows, fact.get<std::int64_t>());
    } else if (key == "ncol") {
      EXPECT_EQ(matrix.n_columns, fact.get<std::int64_t>());
    } else if (key == "nnz" || key == "values") {
      EXPECT_EQ(n_terms, fact.get<std::int64_t>());
    } else if (key == "sum") {
      expect_sum(matrix, fact);
    } else if (key == "sum_imag") {
      expect_close(sum(matrix).imag(), fact.get<double>(), frobenius(matrix));
    } else if (key == "fro") {
      expect_close(frobenius(matrix), fact.get<double>(), 0.0);
    } else if (key == "value") {
      ASSERT_EQ(n_terms, 1);
      expect_sum(matrix, fact);
    } else if (key == "form") {
      EXPECT_EQ(matrix.form, fact.get<int>());
    } else if (key == "type") {
      EXPECT_EQ(matrix.type, fact.get<int>());
    } else if (key == "row_1based") {
      ASSERT_EQ(n_terms, 1);
      EXPECT_EQ(matrix.rows[0] + 1, fact.get<std::int64_t>());
    } else {
      ADD_FAILURE() << "no test knows the fact " << key;
    }
  }
}

class Op4Sample : public testing::TestWithParam<std::string> {};

TEST_P(Op4Sample, HoldsWhatIsKnownOfIt) {
  SOLIDYN_REQUIRE_SAMPLE(path_of(GetParam()));
  const auto matrices = read(GetParam());
  const json facts = testing_support::facts_of(path_of(GetParam()));
  EXPECT_GE(matrices.size(), facts.size());
  for (const auto& [name, matrix_facts] : facts.items())
    expect_facts(find(matrices, name), matrix_facts);
}

TEST_P(Op4Sample, HasItsTermsInItsRangeAndNoneTwice) {
  SOLIDYN_REQUIRE_SAMPLE(path_of(GetParam()));
  for (const Matrix& matrix : read(GetParam())) {
    ASSERT_EQ(matrix.rows.size(), matrix.values.size());
    ASSERT_EQ(matrix.columns.size(), matrix.values.size());
    ASSERT_EQ(matrix.imaginary.size(), matrix.type > 2 ? matrix.values.size() : 0);
    for (std::size_t e = 0; e < matrix.values.size(); ++e) {
      ASSERT_LT(matrix.rows[e], matrix.n_rows);
      ASSERT_LT(matrix.columns[e], matrix.n_columns);
      if (e == 0) continue;
      ASSERT_LT(std::make_pair(matrix.columns[e - 1], matrix.rows[e - 1]),
                std::make_pair(matrix.columns[e], matrix.rows[e]));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Op4Sample, testing::ValuesIn(kSamples),
                         [](const auto& info) { return info.param; });

/// The largest difference of two matrices that should hold the same terms, relative to the largest.
double difference(const Matrix& a, const Matrix& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.columns, b.columns);
  if (a.values.size() != b.values.size()) return INFINITY;
  double largest = 0.0, difference = 0.0;
  for (std::size_t e = 0; e < a.values.size(); ++e) {
    largest = std::max(largest, std::abs(a.values[e]));
    difference = std::max(difference, std::abs(a.values[e] - b.values[e]));
  }
  for (std::size_t e = 0; e < a.imaginary.size(); ++e) {
    largest = std::max(largest, std::abs(a.imaginary[e]));
    difference = std::max(difference, std::abs(a.imaginary[e] - b.imaginary[e]));
  }
  return largest > 0.0 ? difference / largest : 0.0;
}

// One set of three matrices was written in thirteen ways: the terms agree to the digits written.
TEST(Op4, AllWaysToWriteAMatrixGiveTheSameTerms) {
  SOLIDYN_REQUIRE_SAMPLE(path_of("double_dense_le"));
  const auto reference = read("double_dense_le");
  for (const std::string& name : kSamples) {
    const bool is_single = name.rfind("single_", 0) == 0;
    if (!is_single && name.rfind("double_", 0) != 0) continue;
    SCOPED_TRACE(name);
    const auto matrices = read(name);
    ASSERT_EQ(matrices.size(), 3);
    for (const char* matrix : {"RMAT", "CMAT", "RCMAT"}) {
      const Matrix& found = find(matrices, is_single ? std::string(matrix) + "S" : matrix);
      EXPECT_LE(difference(found, find(reference, matrix)), std::max(found.precision, 1e-14));
    }
  }
}

TEST(Op4, BinaryAndTextOfAPlatesStiffnessAreTheSameSymmetricMatrix) {
  SOLIDYN_REQUIRE_SAMPLE(path_of("testplate_kgg"));
  const Matrix binary = read("testplate_kgg").at(0), text = read("testplate_kgg_ascii").at(0);
  EXPECT_LE(difference(binary, text), 1e-8);  // 1P,5E16.9
  const Eigen::SparseMatrix<double> K = imported::assemble(binary);
  EXPECT_LE((K - Eigen::SparseMatrix<double>(K.transpose())).norm(), 1e-6 * K.norm());
}

TEST(Op4, LargeMatrixAndItsTransposeAgree) {
  SOLIDYN_REQUIRE_SAMPLE(path_of("nas_large_dim_nonbigmat_binary"));
  const auto matrices = read("nas_large_dim_nonbigmat_binary");
  const Matrix &D = find(matrices, "MATD"), &DT = find(matrices, "MATDT");
  using Term = std::tuple<std::int64_t, std::int64_t, double>;
  std::vector<Term> terms, transposed;
  for (std::size_t e = 0; e < D.values.size(); ++e) {
    terms.emplace_back(D.rows[e], D.columns[e], D.values[e]);
    transposed.emplace_back(DT.columns.at(e), DT.rows.at(e), DT.values.at(e));
  }
  std::sort(terms.begin(), terms.end());
  std::sort(transposed.begin(), transposed.end());
  EXPECT_EQ(terms, transposed);
}

}  // namespace
}  // namespace solidyn
