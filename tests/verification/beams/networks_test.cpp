// Networks of beams from Nastran bulk data: nodes where several meet, offsets, rigid elements and
// masses, against closed solutions and against mechanisms of beams by points.
#include <gtest/gtest.h>

#include "network_equilibrium.h"

namespace solidyn {
namespace {

using Eigen::Vector3d;
using testing_support::Equilibrium;
using testing_support::kSlender;

constexpr double kEI1 = 4e5, kGJ = 3.2e5;  // N m^2
constexpr double kLinear = 1e-6;           // relative: deflections of 1e-4 m are not quite linear

// Portal of two clamped columns and a beam, height 2 m, width 3 m, with a force H along the beam:
// sway H h^3 (2 + 3 k)/(12 E I (1 + 6 k)), k = h/L, when nothing stretches (Kleinlogel).
TEST(NetworkOfBeams, PortalSwaysAsFramesDo) {
  const Equilibrium portal(R"(
gravity: [0, 0, 0]
bodies:
  frame: {type: beam, mesh: net.bdf, elements: 2}
joints:
  left: {type: fixed, between: [ground, frame.left]}
  right: {type: fixed, between: [ground, frame.right]}
loads:
  push: {type: force, at: frame.corner, force: ["4*t", 0, 0]}
sensors:
  sway: {type: position, of: frame.corner}
)",
                           std::string(R"(GRID,1,,0.,0.,0.
GRID,2,,0.,2.,0.
GRID,3,,3.,2.,0.
GRID,4,,3.,0.,0.
CBAR,1,1,1,2,1.,0.,0.
CBAR,2,1,2,3,0.,1.,0.
CBAR,3,1,3,4,1.,0.,0.
SET1,1,1
SET1,2,2
SET1,4,4
$NAME SET 1 left
$NAME SET 2 corner
$NAME SET 4 right
)") + kSlender);
  const double H = 4.0, h = 2.0, k = h / 3.0;
  const double sway = H * h * h * h * (2.0 + 3.0 * k) / (12.0 * kEI1 * (1.0 + 6.0 * k));
  EXPECT_NEAR(portal.seen(0)[0] / sway, 1.0, 1e-5);  // stretch of A = 1 m^2 gives 1e-6 of it
}

// Four beams of 1.5 m, clamped far off, meet in a node: a force across their plane finds
// 4 x 12 E I/L^3, a torque 2 (4 E I/L + G J/L).
TEST(NetworkOfBeams, FourBeamsInANodeShareForceAndTorque) {
  const std::string bulk = std::string(R"(GRID,1,,0.,0.,0.
GRID,2,,1.5,0.,0.
GRID,3,,0.,1.5,0.
GRID,4,,-1.5,0.,0.
GRID,5,,0.,-1.5,0.
CBAR,1,1,1,2,0.,0.,1.
CBAR,2,1,1,3,0.,0.,1.
CBAR,3,1,1,4,0.,0.,1.
CBAR,4,1,5,1,0.,0.,1.
)") + kSlender;
  const Equilibrium cross(R"(
gravity: [0, 0, 0]
bodies:
  cross:
    type: beam
    mesh: net.bdf
    places: {middle: {node: 1}, e: {node: 2}, n: {at: [0, 1.5, 0]}, w: {node: 4}, s: {node: 5}}
joints:
  e: {type: fixed, between: [ground, cross.e]}
  n: {type: fixed, between: [ground, cross.n]}
  w: {type: fixed, between: [ground, cross.w]}
  s: {type: fixed, between: [ground, cross.s]}
loads:
  push: {type: force, at: cross.middle, force: [0, 0, "10*t"]}
  twist: {type: force, at: cross.middle, torque: ["20*t", 0, 0]}
sensors:
  place: {type: position, of: cross.middle}
  angle: {type: orientation, of: cross.middle}
)",
                          bulk);
  EXPECT_NEAR(cross.seen(0)[2] / (10.0 * 3.375 / (48.0 * kEI1)), 1.0, kLinear);
  EXPECT_NEAR(cross.seen(1)[0] / (20.0 * 1.5 / (8.0 * kEI1 + 2.0 * kGJ)), 1.0, kLinear);
}

const char* const kElbow = R"(
loads:
  push: {type: force, at: TIP, force: ["300*t", "200*t", "-500*t"]}
sensors:
  tip: {type: position, of: TIP}
  angle: {type: orientation, of: TIP}
)";

std::string elbow_with_tip(const std::string& text, const std::string& tip) {
  std::string all = text + kElbow;
  for (std::size_t at = 0; (at = all.find("TIP", at)) != std::string::npos;)
    all.replace(at, 3, tip);
  return all;
}

// Two beams beside the line of their nodes, each on another side: as two bodies with an offset and
// a fixed joint, which stands at the common point.
TEST(NetworkOfBeams, EndsBesideANodeAreHeldByIt) {
  const Equilibrium lines(elbow_with_tip(R"(
gravity: [0, 0, -9.81]
bodies:
  frame: {type: beam, mesh: net.bdf, places: {root: {node: 1}, tip: {node: 3}}}
joints:
  wall: {type: fixed, between: [ground, frame.root]}
)",
                                         "frame.tip"),
                          R"(GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
GRID,3,,1.,0.,1.
CBAR,1,1,1,2,0.,1.,0.,
,,,0.,.03,.01,0.,.03,.01
CBAR,2,1,2,3,0.,1.,0.,
,,,-.02,0.,0.,-.02,0.,0.
PBARL,1,1,,BAR
,.04,.03
MAT1,1,2.e11,,.25,8000.
)"),
      points(elbow_with_tip(R"(
gravity: [0, 0, -9.81]
bodies:
  first:
    type: beam
    points: {root: [0, 0, 0], end: [1, 0, 0]}
    elements: 1
    section: {type: rectangle, width: 0.03, height: 0.04, offset: [0.03, 0.01]}
    y_axis: [0, 1, 0]
    material: steel
  second:
    type: beam
    points: {start: [1, 0, 0], tip: [1, 0, 1]}
    elements: 1
    section: {type: rectangle, width: 0.03, height: 0.04, offset: [0, 0.02]}
    y_axis: [0, 1, 0]
    material: steel
joints:
  wall: {type: fixed, between: [ground, first.root]}
  corner: {type: fixed, between: [first.end, second.start]}
)",
                            "second.tip"));
  EXPECT_EQ(lines.n_nodes(), 4U);
  EXPECT_GT((points.seen(0) - Vector3d(1, 0, 1)).norm(), 1e-3);
  EXPECT_LT((lines.seen(0) - points.seen(0)).norm(), 1e-10);
  EXPECT_LT((lines.seen(1) - points.seen(1)).norm(), 1e-10);
}

// A rigid element between two bars, and masses on its nodes: as rigid bodies and fixed joints.
TEST(NetworkOfBeams, RigidElementsAndMassesAreThoseOfRigidBodies) {
  const Equilibrium lines(elbow_with_tip(R"(
gravity: [0, 0, -9.81]
bodies:
  frame: {type: beam, mesh: net.bdf, places: {root: {node: 1}, tip: {node: 4}}}
joints:
  wall: {type: fixed, between: [ground, frame.root]}
)",
                                         "frame.tip"),
                          R"(GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
GRID,3,,1.,.2,.1
GRID,4,,1.,1.2,.1
CBAR,1,1,1,2,0.,1.,0.
CBAR,2,1,3,4,0.,0.,1.
RBE2,7,2,123456,3
CONM2,8,2,,3.,.1,0.,.2
,.02,0.,.03,0.,0.,.04
CONM2,9,2,,2.
CONM2,10,4,,1.5
PBARL,1,1,,BAR
,.04,.03
MAT1,1,2.e11,,.25,8000.
)"),
      points(elbow_with_tip(R"(
gravity: [0, 0, -9.81]
bodies:
  first:
    type: beam
    points: {root: [0, 0, 0], end: [1, 0, 0]}
    elements: 1
    section: {type: rectangle, width: 0.03, height: 0.04}
    y_axis: [0, 1, 0]
    material: steel
  second:
    type: beam
    points: {start: [1, 0.2, 0.1], tip: [1, 1.2, 0.1]}
    elements: 1
    section: {type: rectangle, width: 0.03, height: 0.04}
    y_axis: [0, 0, 1]
    material: steel
  block: {type: rigid, mass: 3, inertia: [0.02, 0.03, 0.04], pose: {position: [1.1, 0, 0.2]}}
  lump: {type: rigid, mass: 2, pose: {position: [1, 0, 0]}}
  lamp: {type: rigid, mass: 1.5, pose: {position: [1, 1.2, 0.1]}}
joints:
  wall: {type: fixed, between: [ground, first.root]}
  corner: {type: fixed, between: [first.end, second.start], at: [1, 0, 0]}
  block: {type: fixed, between: [first.end, block]}
  lump: {type: fixed, between: [first.end, lump]}
  lamp: {type: fixed, between: [second.tip, lamp]}
)",
                            "second.tip"));
  EXPECT_GT((points.seen(0) - Vector3d(1, 1.2, 0.1)).norm(), 1e-3);
  EXPECT_LT((lines.seen(0) - points.seen(0)).norm(), 1e-10);
  EXPECT_LT((lines.seen(1) - points.seen(1)).norm(), 1e-10);
}

}  // namespace
}  // namespace solidyn
