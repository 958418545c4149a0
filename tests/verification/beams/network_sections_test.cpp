// Sections and given strains of lines of a network, told by numbers and by groups of the file.
#include <gtest/gtest.h>

#include "network_equilibrium.h"

namespace solidyn {
namespace {

using Eigen::Vector3d;
using testing_support::Equilibrium;
using testing_support::kSlender;

// Three beams clamped far off share a force in the node where they meet: what lies beyond a section
// pulls down where the line begins in the node, and pushes up where it ends there.
TEST(NetworkOfBeams, LinesInANodeAreToldApartByNumberAndByGroup) {
  const std::string bulk = std::string(R"(GRID,1,,0.,0.,0.
GRID,2,,1.5,0.,0.
GRID,3,,0.,1.5,0.
GRID,5,,0.,-1.5,0.
CBAR,1,1,1,2,0.,0.,1.
CBAR,2,2,1,3,0.,0.,1.
CBAR,4,1,5,1,0.,0.,1.
PBAR,2,1,1.,2.e-6,3.e-6,4.e-6
)") + kSlender;
  const Equilibrium cross(R"(
gravity: [0, 0, 0]
bodies:
  cross:
    type: beam
    mesh: net.bdf
    elements: 3
    places: {middle: {node: 1}, e: {node: 2}, n: {node: 3}, s: {node: 5}}
joints:
  e: {type: fixed, between: [ground, cross.e]}
  n: {type: fixed, between: [ground, cross.n]}
  s: {type: fixed, between: [ground, cross.s]}
loads:
  push: {type: force, at: cross.middle, force: [0, 0, "0.3*t"]}
sensors:
  by_number: {type: section_force, body: cross, line: 1, point: middle, component: shear_y}
  begins: {type: section_force, body: cross, point: middle, group: PBAR_2, component: shear_y}
  ends: {type: section_force, body: cross, point: middle, side: before, component: shear_y}
  along: {type: section_force, body: cross, line: 4, fraction: 0.5, component: shear_y}
  clamped: {type: section_force, body: cross, point: s, component: bending_z}
  half: {type: section_force, body: cross, line: 4, fraction: 0.5, component: bending_z}
)",
                          bulk);
  const double east = cross.seen(0)[0], north = cross.seen(1)[0], south = cross.seen(2)[0];
  EXPECT_NEAR(south - east - north, 0.3, 1e-8);  // in equilibrium in the node
  EXPECT_NEAR(north, -south, 1e-8);
  EXPECT_LT(east, -0.05);
  EXPECT_NEAR(cross.seen(3)[0], south, 1e-6);  // no load along it
  EXPECT_NEAR(cross.seen(4)[0] - cross.seen(5)[0], 0.75 * south, 1e-6);
}

// Bars in a row between walls, one of which is warmed: N = -alpha dT L_1/(L_1/EA_1 + L_2/EA_2).
TEST(NetworkOfBeams, AGroupHasStrainsOfItsOwn) {
  const std::string bulk = R"(GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
GRID,3,,3.,0.,0.
CBAR,1,1,1,2,0.,0.,1.
CBAR,2,2,2,3,0.,0.,1.
PBARL,1,1,,BAR
,.02,.03
PBARL,2,1,,BAR
,.02,.05
MAT1,1,2.e11,8.e10,,8000.
)";
  const auto forces = [&](const std::string& strains) {
    const Equilibrium row(R"(
gravity: [0, 0, 0]
bodies:
  row:
    type: beam
    mesh: net.bdf
    places: {a: {node: 1}, b: {node: 2}, c: {node: 3}}
)" + strains + R"(
joints:
  left: {type: fixed, between: [ground, row.a]}
  right: {type: fixed, between: [ground, row.c]}
sensors:
  first: {type: section_force, body: row, line: 1, fraction: 0.3, component: axial}
  second: {type: section_force, body: row, line: 2, point: c, component: axial}
  middle: {type: position, of: row.b, component: x}
)",
                          bulk);
    return Vector3d(row.seen(0)[0], row.seen(1)[0], row.seen(2)[0]);
  };
  const double EA_1 = 2e11 * 6e-4, EA_2 = 2e11 * 1e-3, heat = 1e-5 * 10.0;
  const double warmed = -heat / (1.0 / EA_1 + 2.0 / EA_2);
  const double drift = 1.0 + heat + warmed / EA_1;
  EXPECT_LT((forces("    groups: {PBARL_1: {prestrain: {stretch: '1e-5*10*t'}}}") -
             Vector3d(warmed, warmed, drift))
                .norm(),
            1e-4);
  // The body's holds for all others; what the group leaves out is the body's.
  const double other = -2.0 * heat / (1.0 / EA_1 + 2.0 / EA_2);
  EXPECT_LT((forces("    prestrain: {stretch: 1e-4}\n"
                    "    groups: {PBARL_1: {prestrain: {stretch: 0}, prestress: {axial: 0}}}") -
             Vector3d(other, other, 1.0 + other / EA_1))
                .norm(),
            1e-4);
  // Half of the tension as drawn in one of the two pulls the node.
  const double tension = 1000.0 * (1.0 / EA_1) / (1.0 / EA_1 + 2.0 / EA_2);
  EXPECT_LT((forces("    groups: {PBARL_1: {prestress: {axial: 1000}}}") -
             Vector3d(tension, tension, 1.0 + (tension - 1000.0) / EA_1))
                .norm(),
            1e-4);
  // One without stretch hands on what the other has.
  const double rigid = -heat / (1.0 / EA_1);
  EXPECT_LT(
      (forces(
           "    groups: {PBARL_1: {prestrain: {stretch: 1e-4}}, PBARL_2: {fixed_strains: [stretch]}}") -
       Vector3d(rigid, rigid, 1.0))
          .norm(),
      1e-4);
  // The same, of a body without stretch that leaves one group free.
  EXPECT_LT((forces("    fixed_strains: [stretch]\n"
                    "    groups: {PBARL_1: {fixed_strains: [], prestrain: {stretch: 1e-4}}}") -
             Vector3d(rigid, rigid, 1.0))
                .norm(),
            1e-4);
}

}  // namespace
}  // namespace solidyn
