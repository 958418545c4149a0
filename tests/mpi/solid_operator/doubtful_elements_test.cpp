#include "solidyn/fem/doubtful_elements.h"

#include <gtest/gtest.h>

#include "solidyn/base/mpi.h"
#include "solidyn/mesh/generators.h"

namespace solidyn::fem {
namespace {

using elements::ElementType;

const IsotropicElastic kSteel{2.1e11, 0.3, 7850.0};

DoubtfulElements of_box(ElementType type, int nx, int ny, int nz, const Section& section) {
  mesh::BoxOptions box;
  box.type = type;
  box.nx = nx, box.ny = ny, box.nz = nz;
  box.size = {1.0 * nx, 1.0 * ny, 1.0 * nz};
  return find_doubtful_elements(
      mesh::distribute(MPI_COMM_WORLD,
                       base::rank(MPI_COMM_WORLD) == 0 ? mesh::make_box(box) : mesh::Mesh{}),
      section);
}

const Section kStandard{kSteel, Hex8Formulation::standard, Hex20Integration::full};

TEST(DoubtfulElements, ShareOfLockingElementsAtTheSurfaceIsCounted) {
  EXPECT_DOUBLE_EQ(of_box(ElementType::hex8, 8, 2, 2, kStandard).locking_share(), 1.0);
  // Without the inner 6 x 2 x 2 and 6 x 4 x 4 cells.
  EXPECT_NEAR(of_box(ElementType::hex8, 8, 4, 4, kStandard).locking_share(), 1.0 - 24.0 / 128.0,
              1e-12);
  EXPECT_NEAR(of_box(ElementType::hex8, 8, 6, 6, kStandard).locking_share(), 1.0 - 96.0 / 288.0,
              1e-12);
  // Kuhn's tetrahedra of inner cells have no node on the surface.
  EXPECT_NEAR(of_box(ElementType::tet4, 8, 6, 6, kStandard).locking.at(ElementType::tet4),
              1.0 - 96.0 / 288.0, 1e-12);
  EXPECT_GT(of_box(ElementType::wedge6, 6, 2, 2, kStandard).locking_share(), kDoubtfulShare);
}

TEST(DoubtfulElements, ElementsThatBendCountNothing) {
  const Section modes{kSteel, Hex8Formulation::incompatible_modes, Hex20Integration::full};
  EXPECT_TRUE(of_box(ElementType::hex8, 4, 1, 1, modes).locking.empty());
  for (const ElementType type : {ElementType::tet10, ElementType::hex20, ElementType::wedge15})
    EXPECT_TRUE(of_box(type, 4, 1, 1, kStandard).locking.empty()) << elements::name(type);
}

// As Hex20Reduced.RowOfSingleElementsKeepsOneMoreThanItHasElements and
// Hex20Reduced.TwoElementsAcrossExcludeThem say of the stiffness.
TEST(DoubtfulElements, RowsOfReducedHex20AreFound) {
  const Section reduced{kSteel, Hex8Formulation::standard, Hex20Integration::reduced};
  const auto is_row = [&](int nx, int ny, const Section& section) {
    return of_box(ElementType::hex20, nx, ny, 1, section).is_row_of_reduced_hex20;
  };
  EXPECT_TRUE(is_row(1, 1, reduced));
  EXPECT_TRUE(is_row(4, 1, reduced));
  EXPECT_FALSE(is_row(4, 1, kStandard));
  EXPECT_FALSE(is_row(2, 2, reduced));
  EXPECT_FALSE(is_row(6, 2, reduced));
}

}  // namespace
}  // namespace solidyn::fem
