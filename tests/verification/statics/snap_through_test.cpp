// Paths of equilibria with limit loads.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "mechanisms.h"
#include "selections.h"
#include "solidyn/analyses/statics.h"
#include "solidyn/base/error.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/bodies/solid_body.h"
#include "solidyn/joints/joint.h"
#include "solidyn/joints/tied_axes.h"
#include "solidyn/mesh/generators.h"

namespace solidyn::analyses {
namespace {

using Eigen::Vector3d;
using fem::SolidFormulation;
using math::TimeFunction;
using test::in_set;

bodies::Frame frame_on(bodies::BodyIndex body, const Eigen::Quaterniond& q) {
  bodies::Frame frame;
  frame.body = body;
  frame.R_BF = q.toRotationMatrix();
  return frame;
}

// Half of von Mises' shallow truss: a bar of length 1 on a hinge, whose other end, h above the
// hinge, slides up and down and is pressed down by t times `load`. Without Poisson's ratio the bar
// is strained uniformly, and the load that keeps its end at height y is known.
class VonMisesTruss : public testing::TestWithParam<SolidFormulation> {
 protected:
  static constexpr double kHeight = 0.1, kStiffness = 2e6 * 0.1 * 0.1;  // EA
  static constexpr double kLoad = 12.0;  // half more than its limit load of about 7.7 N

  VonMisesTruss() {
    const double run = std::sqrt(1.0 - kHeight * kHeight);
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(-std::atan2(kHeight, run), Vector3d::UnitY()));
    mesh::BoxOptions box;
    box.type = elements::ElementType::hex8;
    box.nx = 3;
    box.size = {1.0, 0.1, 0.1};
    box.origin = {0.0, -0.05, -0.05};
    bodies::SolidBodyOptions options;
    options.formulation = GetParam();
    options.is_anchored = true;
    for (const char* end : {"x_min", "x_max"}) {
      mesh::InterfaceDefinition definition;
      definition.name = end;
      definition.attach = mesh::Attachment::rbe2;
      definition.nodes = in_set(end);
      options.interfaces.push_back(definition);
    }
    auto bar =
        bodies::SolidBody::make("bar", mesh::distribute(PETSC_COMM_SELF, mesh::make_box(box)),
                                fem::IsotropicElastic{2e6, 0.0, 1000.0}, options);
    const bodies::SolidBody& body = *bar;
    system::InitialMotion motion;
    motion.q_WB = turn;
    const auto solid = system_.add_body(std::move(bar), motion);
    for (const bodies::SolidInterface& i : body.interfaces()) {
      motion.p_WB = turn * i.region.p_ref;
      ends_.push_back(system_.add_body(bodies::make_virtual_body(i.name), motion));
      system_.add_constraint(std::make_unique<joints::RigidRegion>(i.name, solid, ends_.back(),
                                                                   body.n_elastic(), i.region));
    }
    const Eigen::Quaterniond to_y(Eigen::AngleAxisd(-0.5 * M_PI, Vector3d::UnitX()));  // z to y
    const auto ground = system_.add_frame(frame_on(bodies::kGround, to_y));
    const auto root = system_.add_frame(frame_on(ends_[0], to_y));
    const joints::JointRows hinge = joints::joint_rows(joints::JointType::revolute);
    system_.add_constraint(std::make_unique<joints::Joint>("hinge", system_.link(ground, root),
                                                           hinge.primitives, hinge.names));
    bodies::Frame wall;
    wall.x_B = {run, 0.0, 0.0};
    const auto guide = system_.add_frame(wall);
    const auto tip = system_.add_frame(frame_on(ends_[1], Eigen::Quaterniond::Identity()));
    system_.add_constraint(std::make_unique<joints::Joint>(
        "guide", system_.link(guide, tip),
        std::vector<joints::Primitive>{bodies::PointAlongWorldAxis(0)},
        std::vector<std::string>{"x"}));
    testing_support::add_load(system_, "press", tip,
                              {TimeFunction::constant(0.0), TimeFunction::constant(0.0),
                               TimeFunction::expression("-12*t")},
                              {});
    system_.finalize();
  }

  // The load at height y, N.
  double load(double y) const {
    const double l = std::sqrt(1.0 - kHeight * kHeight + y * y);
    if (GetParam() == SolidFormulation::corotational) return kStiffness * (1.0 - l) * y / l;
    return 0.5 * kStiffness * (1.0 - l * l) * y;  // Green's strain
  }
  double height(const system::State& s) const {
    return s.q[system_.layout().configuration_offset(ends_[1]) + 2];
  }

  system::System system_;
  std::vector<bodies::BodyIndex> ends_;
};

INSTANTIATE_TEST_SUITE_P(All, VonMisesTruss,
                         testing::Values(SolidFormulation::corotational,
                                         SolidFormulation::st_venant_kirchhoff));

TEST_P(VonMisesTruss, ArcLengthFollowsTheExactPathThroughBothLimitLoads) {
  StaticsOptions o;
  o.load_steps = 5;
  o.arc_length = true;
  Statics statics(system_, o);
  statics.start();
  double highest = 0.0, lowest = 0.0;
  while (!statics.is_done()) {
    statics.advance();
    const double t = statics.state().t;
    ASSERT_NEAR(kLoad * t, load(height(statics.state())), 1e-7 * kLoad) << "t = " << t;
    if (height(statics.state()) > 0.0) highest = std::max(highest, t);
    lowest = std::min(lowest, t);
    // Corrections end by falling as e, C e^2, whatever the determinant's sign.
    const std::vector<double>& e = statics.statistics().corrections;
    const double last = e[e.size() - 1], before = e[e.size() - 2];
    EXPECT_LT(last, 500.0 * before * before + 1e-12) << testing::PrintToString(e);
  }
  const double limit = load(kHeight / std::sqrt(3.0)) / kLoad;
  EXPECT_NEAR(highest, limit, 0.05 * limit);
  EXPECT_NEAR(lowest, -limit, 0.05 * limit);
  EXPECT_LT(height(statics.state()), -kHeight);  // it hangs
}

TEST_P(VonMisesTruss, LoadStepsStopOrSnapAtTheLimitLoad) {
  StaticsOptions o;
  o.smallest_step = 1e-3;
  Statics statics(system_, o);
  statics.start();
  try {
    while (!statics.is_done()) statics.advance();
    EXPECT_LT(height(statics.state()), -kHeight);  // Newton found the equilibrium beyond
  } catch (const base::ComputationError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("control: arc_length"));
    EXPECT_NEAR(kLoad * statics.state().t, load(kHeight / std::sqrt(3.0)), 0.1);
    EXPECT_NEAR(kLoad * statics.state().t, load(height(statics.state())), 1e-6);
  }
}

// A shallow arch with both ends clamped, pressed down in the middle (Williams' toggle frame, 1964):
// load over deflection w, by arc-length.
struct Point {
  double load, deflection;
};
// Inches and pounds, as published.
constexpr double kRun = 12.943, kRise = 0.386, kWidth = 0.753, kDepth = 0.243, kModulus = 1.03e7;

std::vector<Point> toggle_path(int n_elements, int load_steps) {
  // Half a frame: symmetric about its middle.
  mesh::BoxOptions box;
  box.type = elements::ElementType::hex20;
  box.nx = n_elements;
  box.size = {kRun, kWidth, kDepth};
  mesh::Mesh mesh = mesh::make_box(box);
  for (Eigen::Index k = 0; k < mesh.x.cols(); ++k) mesh.x(2, k) += kRise * mesh.x(0, k) / kRun;
  bodies::SolidBodyOptions options;
  options.supports = {{"clamp", in_set("x_min"), {true, true, true}, {}},
                      {"middle", in_set("x_max"), {true, false, false}, {}}};
  bodies::SolidLoad press;
  press.name = "press";
  press.where = in_set("x_max");
  press.kind = bodies::SolidLoad::Kind::traction;
  constexpr double kHalfLoad = 25.0;
  press.vector[0] = press.vector[1] = TimeFunction::constant(0.0);
  press.vector[2] = TimeFunction::expression(fmt::format("{}*t", -kHalfLoad / kWidth / kDepth));
  options.loads = {press};
  auto solid = bodies::SolidBody::make("toggle", mesh::distribute(PETSC_COMM_SELF, std::move(mesh)),
                                       fem::IsotropicElastic{kModulus, 0.0, 1.0}, options);
  const bodies::SolidBody& body = *solid;
  system::System system;
  system.add_body(std::move(solid), {});
  system.finalize();
  StaticsOptions o;
  o.load_steps = load_steps;
  o.arc_length = true;
  Statics statics(system, o);
  statics.start();
  std::vector<Point> path;
  while (!statics.is_done()) {
    statics.advance();
    const PetscScalar* u = nullptr;
    SOLIDYN_PETSC(VecGetArrayRead(statics.state().nodal[0].u, &u));
    path.push_back(
        {2.0 * kHalfLoad * statics.state().t, -u[3 * body.mesh().sets.at("x_max").nodes[0] + 2]});
    SOLIDYN_PETSC(VecRestoreArrayRead(statics.state().nodal[0].u, &u));
  }
  return path;
}

// Shallow beam-column theory: under the thrust H = k^2 EI half the frame deflects in
// phi = a (1 - cos kx) + b (kx - sin kx), phi'(0) = phi'(L) = 0, phi(L) = 1; what its ends come
// nearer, w h/L - w^2/2 int phi'^2, is the shortening H L/EA. Its limit load, over all H.
double limit_load_of_beam() {
  constexpr double kEA = kModulus * kWidth * kDepth, kEI = kEA * kDepth * kDepth / 12.0;
  double limit = 0.0;
  for (int i = 1; i < 2000; ++i) {
    const double k = 2.0 * M_PI / kRun * i / 2000.0, H = k * k * kEI;
    const double c = std::cos(k * kRun), s = std::sin(k * kRun);
    const double determinant = (1.0 - c) * (1.0 - c) - s * (k * kRun - s);
    const double a = (1.0 - c) / determinant, b = -s / determinant;
    double integral = 0.0;
    constexpr int kPoints = 400;
    for (int j = 0; j < kPoints; ++j) {
      const double x = kRun * (j + 0.5) / kPoints;
      const double slope = a * k * std::sin(k * x) + b * k * (1.0 - std::cos(k * x));
      integral += slope * slope * kRun / kPoints;
    }
    const double slope = kRise / kRun,
                 discriminant = slope * slope - 2.0 * integral * H * kRun / kEA;
    if (discriminant < 0.0) continue;
    const double w = (slope - std::sqrt(discriminant)) / integral;
    const double third = k * k * k * (b * c - a * s);
    limit = std::max(limit, 2.0 * (H * slope - kEI * third * w));
  }
  return limit;
}

// The first maximum (sign 1), or the first minimum after it (sign -1), of the load along a path, by
// the parabola through the three points around it.
double extremum(const std::vector<Point>& path, double sign) {
  for (std::size_t i = 1; i + 1 < path.size(); ++i) {
    const double low = path[i - 1].load, mid = path[i].load, high = path[i + 1].load;
    if (sign * mid < sign * low || sign * mid < sign * high) continue;
    const double x0 = path[i - 1].deflection, x1 = path[i].deflection, x2 = path[i + 1].deflection;
    const double d01 = (mid - low) / (x1 - x0), d12 = (high - mid) / (x2 - x1);
    const double curvature = (d12 - d01) / (x2 - x0);
    const double x = 0.5 * (x0 + x1) - 0.5 * d01 / curvature;
    return low + d01 * (x - x0) + curvature * (x - x0) * (x - x1);
  }
  ADD_FAILURE() << "the load has no extremum";
  return 0.0;
}

TEST(ToggleFrame, LimitLoadIsThatOfBeamTheoryAndOfAFinerMesh) {
  const std::vector<Point> coarse = toggle_path(12, 16), fine = toggle_path(24, 16);
  const double limit = limit_load_of_beam();
  EXPECT_NEAR(limit, 34.0, 0.5);  // lb, as Williams' figure shows
  EXPECT_NEAR(extremum(fine, 1.0), limit, 0.01 * limit);
  EXPECT_NEAR(extremum(coarse, 1.0), extremum(fine, 1.0), 0.01 * limit);
  EXPECT_NEAR(extremum(coarse, -1.0), extremum(fine, -1.0), 0.01 * limit);
}

}  // namespace
}  // namespace solidyn::analyses
