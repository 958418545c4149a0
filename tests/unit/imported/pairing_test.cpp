#include "solidyn/imported/pairing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "solidyn/base/error.h"
#include "solidyn/mesh/generators.h"

namespace solidyn::imported {
namespace {

using testing::HasSubstr;

/// A box of tetrahedra whose stiffness and mass couple the nodes of each element.
struct Box {
  SolidModel mesh;
  MatrixModel model;

  Box() {
    mesh::BoxOptions options;
    options.type = elements::ElementType::tet4;
    options.nx = 2;
    mesh.mesh = mesh::make_box(options);
    model.source = "a.sti";
    model.mass_source = "a.mas";
    for (const std::int64_t tag : mesh.mesh.node_tags)
      for (int component : {1, 2, 3}) model.dofs.push_back({tag, component});
    model.stiffness = couple(4.0, -1.0);
    model.mass = couple(2.0, 1.0);
  }

  Matrix couple(double own, double other) const {
    const auto n = static_cast<Eigen::Index>(model.dofs.size());
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(n, n);
    for (const mesh::ElementBlock& block : mesh.mesh.blocks) {
      if (elements::dimension(block.type) != 3) continue;
      for (std::int64_t e = 0; e < block.size(); ++e)
        for (int i = 0; i < 4; ++i)
          for (int j = 0; j < 4; ++j)
            for (int c = 0; c < 3; ++c)
              dense(3 * block.connectivity[4 * e + i] + c, 3 * block.connectivity[4 * e + j] + c) +=
                  i == j ? own : other;
    }
    Matrix matrix;
    matrix.n_rows = matrix.n_columns = n;
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j) {
        if (dense(i, j) == 0.0) continue;
        matrix.rows.push_back(i);
        matrix.columns.push_back(j);
        matrix.values.push_back(dense(i, j));
      }
    return matrix;
  }

  Pairing pairing() const {
    return measure_pairing(model.dofs, assemble(model.stiffness), assemble(model.mass));
  }
};

/// As a file that was cut off: the terms of the last rows are gone.
void cut_rows(Matrix& matrix, std::int64_t from) {
  for (std::size_t e = matrix.values.size(); e-- > 0;) {
    if (matrix.rows[e] < from && matrix.columns[e] < from) continue;
    for (auto* indices : {&matrix.rows, &matrix.columns})
      indices->erase(indices->begin() + static_cast<std::ptrdiff_t>(e));
    matrix.values.erase(matrix.values.begin() + static_cast<std::ptrdiff_t>(e));
  }
}

std::string refusal_of(const Box& box) {
  try {
    refuse_missing_rows(box.model, box.mesh);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Pairing, OfOneMeshIsComplete) {
  const Box box;
  const Pairing pairing = box.pairing();
  EXPECT_EQ(pairing.n_massless, 0);
  EXPECT_EQ(pairing.n_soft, 0);
  EXPECT_GT(pairing.n_pairs, 10);
  EXPECT_EQ(pairing.n_only_in_stiffness, 0);
  EXPECT_EQ(pairing.n_only_in_mass, 0);
  EXPECT_EQ(refusal_of(box), "accepted");
}

TEST(Pairing, RowsThatOneMatrixLacksAreRefusedWithItsFile) {
  Box box;
  const auto n = static_cast<std::int64_t>(box.model.dofs.size());
  cut_rows(box.model.mass, n - 7);
  EXPECT_EQ(box.pairing().n_massless, 7);
  EXPECT_THAT(refusal_of(box), HasSubstr("a.mas: error: the mass matrix has no terms for 7 of"));
  box = Box();
  cut_rows(box.model.stiffness, n - 3);
  EXPECT_EQ(box.pairing().n_soft, 3);
  EXPECT_THAT(refusal_of(box),
              HasSubstr("a.sti: error: the stiffness matrix has no terms for 3 of"));
}

TEST(Pairing, ElementsWithoutDensityNeedNoMass) {
  Box box;
  cut_rows(box.model.mass, 0);
  for (mesh::ElementBlock& block : box.mesh.mesh.blocks)
    block.regions.assign(static_cast<std::size_t>(block.size()), 0);
  box.mesh.regions = {{"fluid", "C3D4", 0}, {"solid", "C3D4", 1}};
  box.mesh.materials = {{"fluid", 1.0, 0.3, 0.0, {}}, {"solid", 1.0, 0.3, 7850.0, {}}};
  EXPECT_EQ(refusal_of(box), "accepted");
  box.mesh.materials[1].density = 0.0;  // the file gives no densities at all
  EXPECT_THAT(refusal_of(box), HasSubstr("the mass matrix has no terms"));
}

TEST(Pairing, LumpedMassCouplesNothingAndFits) {
  Box box;
  box.model.mass = box.couple(2.0, 0.0);
  EXPECT_EQ(box.pairing().n_only_in_stiffness, 0);
  EXPECT_EQ(refusal_of(box), "accepted");
}

TEST(Pairing, OfTwoMeshesCoupleOtherNodes) {
  Box box, other;
  std::reverse(other.model.dofs.begin(), other.model.dofs.end());
  for (mesh::ElementBlock& block : other.mesh.mesh.blocks)
    for (std::int32_t& node : block.connectivity)
      node = (5 * node + 3) % static_cast<std::int32_t>(other.mesh.mesh.n_nodes());
  box.model.mass = other.couple(2.0, 1.0);
  const Pairing pairing = box.pairing();
  EXPECT_GT(pairing.n_only_in_mass + pairing.n_only_in_stiffness, 0);
}

}  // namespace
}  // namespace solidyn::imported
