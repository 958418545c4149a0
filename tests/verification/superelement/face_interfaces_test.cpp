// Beams with one quadratic element across, held and loaded by the sets of their end faces: what
// rbe3 spreads over a face is the traction of beam theory.
#include <gtest/gtest.h>
#include <petsc.h>

#include "selections.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/reduction/interface_coordinates.h"
#include "solidyn/reduction/reduce.h"

namespace solidyn::reduction {
namespace {

using Eigen::MatrixXd;
using elements::ElementType;

constexpr double kDepth = 0.02, kBreadth = 0.03;
const fem::IsotropicElastic kSteel{210e9, 0.3, 7800.0};

struct Beam {
  const char* name;
  ElementType type;
  int axis;  // 0: the ends are quad8 (of tetrahedra tri6), 2: those of wedges are tri6
};

class FaceInterfaces : public testing::TestWithParam<Beam> {
 protected:
  // [6 x 6] motion of the one end from forces on it, with the other held; the axes along the beam,
  // along the depth and across.
  static MatrixXd flexibility(double length, int n_along) {
    const Beam& beam = GetParam();
    const int x = beam.axis, y = (x + 1) % 3, z = (x + 2) % 3;
    mesh::BoxOptions box;
    box.type = beam.type;
    int* n[3] = {&box.nx, &box.ny, &box.nz};
    *n[x] = n_along;
    box.size[x] = length, box.size[y] = kDepth, box.size[z] = kBreadth;
    const std::string axis(1, "xyz"[x]);
    ReductionOptions options;
    options.interfaces = {test::at_set(axis + "_min"), test::at_set(axis + "_max")};
    options.free_free = 0;
    options.static_correction = StaticCorrection::at_interfaces;
    const ReducedBody body =
        reduce(mesh::distribute(PETSC_COMM_SELF, mesh::make_box(box)), kSteel, options);
    const MatrixXd K = to_interface_coordinates(body, 0).body.K;
    const MatrixXd F = K.bottomRightCorner<6, 6>().inverse();
    const int order[6] = {x, y, z, 3 + x, 3 + y, 3 + z};
    MatrixXd turned(6, 6);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) turned(i, j) = F(order[i], order[j]);
    return turned;
  }
  static double E() { return kSteel.youngs_modulus; }
  static double area() { return kDepth * kBreadth; }
  static double second_moment() { return kBreadth * std::pow(kDepth, 3) / 12.0; }  // along depth
};
INSTANTIATE_TEST_SUITE_P(Solids, FaceInterfaces,
                         testing::Values(Beam{"hex20", ElementType::hex20, 0},
                                         Beam{"tet10", ElementType::tet10, 0},
                                         Beam{"wedge15_quad8", ElementType::wedge15, 0},
                                         Beam{"wedge15_tri6", ElementType::wedge15, 2}),
                         [](const auto& info) { return std::string(info.param.name); });

// Tension and pure bending are polynomials of second order at most, which the elements hold: beam
// theory is exact for them, however short the beam is.
TEST_P(FaceInterfaces, GiveTensionAndPureBendingExactly) {
  const double length = 2.0 * kDepth;
  const MatrixXd F = flexibility(length, 2);
  EXPECT_NEAR(F(0, 0) * E() * area() / length, 1.0, 1e-8);
  EXPECT_NEAR(F(5, 5) * E() * second_moment() / length, 1.0, 1e-8);
  EXPECT_NEAR(F(1, 5) * E() * second_moment() * 2.0 / (length * length), 1.0, 1e-8);
}

TEST_P(FaceInterfaces, GiveTheTipForceOfBeamTheory) {
  const double length = 12.0 * kDepth, nu = kSteel.poissons_ratio;
  const double shear = 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu) * kSteel.shear_modulus() * area();
  const double expected = std::pow(length, 3) / (3.0 * E() * second_moment()) + length / shear;
  EXPECT_NEAR(flexibility(length, 12)(1, 1) / expected, 1.0, 0.005);
}

}  // namespace
}  // namespace solidyn::reduction
