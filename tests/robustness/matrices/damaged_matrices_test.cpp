// Damaged files of matrices: a result or one InputError, never a crash, a hang or a huge
// allocation.
#include <gtest/gtest.h>

#include <fstream>

#include "damage.h"
#include "samples.h"
#include "solidyn/formats/abaqus/matrices/matrices.h"
#include "solidyn/formats/calculix/matrices.h"
#include "solidyn/formats/tables/matrix_market.h"

namespace solidyn::formats {
namespace {

using testing_support::expect_answers_to_damage;

std::string sample_bytes(const std::string& name) {
  std::ifstream file(testing_support::sample(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(DamagedMatrices, Substructures) {
  for (const char* name : {"generated/abaqus_like/superelement_constructed.mtx",
                           "generated/blocks/block_c3d8_sub_ccx220.mtx"})
    expect_answers_to_damage(sample_bytes(name), [](const std::string& bytes) {
      parse_abaqus_substructure(bytes, "damaged.mtx");
    });
}

TEST(DamagedMatrices, CalculixMatricesAndLists) {
  expect_answers_to_damage(
      sample_bytes("generated/blocks/block_c3d8_mat.sti"),
      [](const std::string& bytes) { parse_calculix_matrix(bytes, "damaged.sti", 54); });
  expect_answers_to_damage(
      sample_bytes("generated/blocks/block_c3d8_mat.dof"),
      [](const std::string& bytes) { parse_calculix_dofs(bytes, "damaged.dof"); });
}

TEST(DamagedMatrices, LabelledMatrices) {
  std::string good;
  for (int i = 1; i < 40; ++i)
    for (int j = 1; j <= i; ++j)
      good += std::to_string(i) + ",1, " + std::to_string(j) + ",3,  1.25000000e+03\n";
  expect_answers_to_damage(
      good,
      [&](const std::string& bytes) {
        parse_abaqus_matrices(bytes, "damaged.mtx", good, "good.mtx");
      },
      500);
}

TEST(DamagedMatrices, MatrixMarket) {
  std::string sparse = "%%MatrixMarket matrix coordinate real symmetric\n%\n40 40 820\n";
  std::string dense = "%%MatrixMarket matrix array real general\n30 30\n";
  for (int i = 1; i <= 40; ++i)
    for (int j = 1; j <= i; ++j)
      sparse += std::to_string(i) + " " + std::to_string(j) + " 1.5e-03\n";
  for (int i = 0; i < 900; ++i) dense += "2.25\n";
  for (const std::string& good : {sparse, dense})
    expect_answers_to_damage(
        good, [](const std::string& bytes) { parse_matrix_market(bytes, "damaged.mtx"); });
}

}  // namespace
}  // namespace solidyn::formats
