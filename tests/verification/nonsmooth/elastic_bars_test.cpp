// Elastic bars with all nodes of their mesh, and modal ones, under set-valued laws (page D08):
// against a wall, dropped on their end, struck by a ball, and on a hinge with a stop.
#include <numeric>

#include "nonsmooth_runs.h"
#include "scratch_folder.h"
#include "solidyn/formats/gmsh/gmsh.h"
#include "solidyn/mesh/generators.h"

namespace solidyn::testing_support {
namespace {

using mesh::ElementType;

struct Bar {
  ElementType type = ElementType::hex8;
  int n = 100;
  double length = 0.3, side = 0.006 * std::sqrt(M_PI) / 2.0;
};

// D08 (a): steel, 6 mm round as a square of the same area, 1 m/s.
constexpr double kDuration = 1.190210065e-4, kForce = 1121.746559;

std::string mesh_of(const Bar& bar, const test::ScratchFolder& folder) {
  mesh::BoxOptions box;
  box.type = bar.type;
  box.nx = bar.n;
  box.size = {bar.length, bar.side, bar.side};
  box.origin = {0.0, -0.5 * bar.side, -0.5 * bar.side};
  const std::string path = folder.path() + "/bar.msh";
  formats::write_gmsh(path, mesh::make_box(box));
  return path;
}

ModelRun bar_run(const Bar& bar, const std::string& model, const Overrides& overrides) {
  const test::ScratchFolder folder(MPI_COMM_SELF);
  return nonsmooth_run(model, overrides + Overrides{"bodies.bar.mesh=" + mesh_of(bar, folder)});
}

struct Contact {
  double begin, end;
  double mean, scatter;  // of the force in the middle 80 % of what it ought to take
};

// Of the wall, which is reached at `begin`.
Contact contact_of(const ModelRun& run, double begin) {
  const auto& t = run.history.at("time");
  const auto& force = run.history.at("wall.normal_force");
  Contact contact{begin, begin, 0.0, 0.0};
  std::vector<double> plateau;
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (force[i] > 1e-6 * kForce) contact.end = t[i];
    const double part = (t[i] - begin) / kDuration;
    if (part > 0.1 && part < 0.9) plateau.push_back(force[i] / kForce);
  }
  const auto n = static_cast<double>(plateau.size());
  contact.mean = std::accumulate(plateau.begin(), plateau.end(), 0.0) / n;
  for (const double f : plateau) contact.scatter += (f - contact.mean) * (f - contact.mean) / n;
  contact.scatter = std::sqrt(contact.scatter);
  return contact;
}

double largest_energy(const ModelRun& run) {
  const auto& energy = run.history.at("energy");
  return *std::max_element(energy.begin(), energy.end()) / energy.front();
}

double rebound(const ModelRun& run) {
  return -last(run, "momentum") / run.history.at("momentum").front();
}

void expect_the_wave(const ModelRun& run, double gap, double scatter = 0.01) {
  const Contact contact = contact_of(run, gap);
  EXPECT_NEAR((contact.end - contact.begin) / kDuration, 1.0, 0.02);
  EXPECT_NEAR(contact.mean, 1.0, 5e-3);
  EXPECT_LT(contact.scatter, scatter);
  EXPECT_NEAR(rebound(run), 1.0, 0.03);
  EXPECT_LE(largest_energy(run), 1.0 + 1e-9);
  for (const double g : run.history.at("wall.gap")) EXPECT_GE(g, -1e-14);
}

const Overrides kGeneralizedAlpha = {"analyses.dynamics.integrator=generalized_alpha",
                                     "analyses.dynamics.rho_infinity=0.8"},
                kBathe = {"analyses.dynamics.integrator=bathe"};

TEST(BarAgainstAWall, ReturnsAsItsWavesSay) {
  for (const std::string type : {"floating_frame", "corotational", "inertial"})
    for (const Overrides& scheme : {kGeneralizedAlpha, kBathe}) {
      SCOPED_TRACE(type + ", " + scheme.front());
      expect_the_wave(bar_run({}, "elastic_bar", scheme + Overrides{"bodies.bar.type=" + type}),
                      1e-6);
    }
}

// Nodes of quadratic faces share a pressure unevenly (corners of tet10 have none of it, those of
// hex20 would have to pull), and rattle: the mean motion of the face touches.
TEST(BarAgainstAWall, ReturnsByTheMeanMotionOfQuadraticFaces) {
  const Overrides face = {"bodies.bar.interfaces={end: {nodes: {in_set: x_min}}}",
                          "contacts.wall.between=[ground, bar.end]",
                          "contacts.wall.second={shape: point}"};
  // The face rings about its mean motion.
  for (const auto& [type, scatter] :
       {std::pair{ElementType::tet10, 0.03}, std::pair{ElementType::hex20, 0.2}}) {
    SCOPED_TRACE(static_cast<int>(type));
    expect_the_wave(bar_run({type, 50}, "elastic_bar", kBathe + face), 1e-6, scatter);
  }
}

// What no step resolves rings about the plateau, and is gone after a step where `rho_infinity` is
// 0, in steps in which a wave runs through half an element. Of tet10 faces the middles of edges
// touch, which alone have a share of an even pressure.
TEST(BarAgainstAWall, HardlyRingsWithQuadraticFacesWhereWhatIsNotResolvedIsDamped) {
  for (const auto& [type, scatter] :
       {std::pair{ElementType::tet10, 1e-3}, std::pair{ElementType::hex20, 7e-3}}) {
    SCOPED_TRACE(static_cast<int>(type));
    const ModelRun run = bar_run(
        {type, 50}, "elastic_bar",
        {"analyses.dynamics.integrator=generalized_alpha", "analyses.dynamics.rho_infinity=0"});
    const Contact contact = contact_of(run, 1e-6);
    EXPECT_NEAR((contact.end - contact.begin) / kDuration, 1.0, 0.02);
    EXPECT_NEAR(contact.mean, 1.0, 5e-3);
    EXPECT_LT(contact.scatter, scatter);
    EXPECT_NEAR(rebound(run), 1.0, 0.04);
    EXPECT_LE(largest_energy(run), 1.0 + 1e-9);
  }
}

TEST(BarAgainstAWall, ReturnsAsAModalBody) {
  expect_the_wave(
      bar_run({ElementType::hex8, 50}, "elastic_bar",
              kBathe + Overrides{"bodies.bar.type=modal", "bodies.bar.modes.free_free=400"}),
      1e-6, 0.08);
}

// Deep into the wall, wherever in the step the bar meets it: moving the nodes back onto the wall
// strains them, with up to twice the energy that their impulse takes.
TEST(BarAgainstAWall, GainsNoEnergyFromClosingTheGap) {
  for (const std::string type : {"floating_frame", "corotational"})
    for (const double part : {0.05, 0.2, 0.5, 0.95}) {
      SCOPED_TRACE(type + " " + std::to_string(part));
      const double gap = part * 5.951e-7;
      const ModelRun run = bar_run(
          {}, "elastic_bar",
          kGeneralizedAlpha + Overrides{"bodies.bar.type=" + type,
                                        "parameters.gap=" + std::to_string(1e9 * gap) + "e-9"});
      expect_the_wave(run, gap);
    }
}

TEST(BarAgainstAWall, ErrorsHalveWithElementsAndStep) {
  double errors[2];
  for (const int k : {0, 1}) {
    const int n = 50 << k;
    const ModelRun run =
        bar_run({ElementType::hex8, n}, "elastic_bar",
                kBathe + Overrides{"analyses.dynamics.step=" +
                                   std::to_string(0.01 * kDuration / 2.0 * 1e9 * 100 / n) + "e-9"});
    errors[k] = 1.0 - rebound(run);
  }
  EXPECT_GT(errors[1], 0.0);
  EXPECT_LT(errors[1], 0.6 * errors[0]);
}

// D08 (b): force 300 + 300 (t - 1) N, then 500 - 300 (t - 11/3) N, then the first again. Everything
// by a hundredth, so that the bar is no column that buckles.
TEST(DroppedBar, IsInContactThreeTimes) {
  const double third = 1.0 / 3.0;
  for (const std::string type : {"floating_frame", "corotational"}) {
    SCOPED_TRACE(type);
    const ModelRun run =
        bar_run({ElementType::hex8, 100, 10.0, 1.0}, "elastic_bar",
                kBathe + Overrides{"bodies.bar.type=" + type, "materials.steel.youngs_modulus=900",
                                   "materials.steel.density=1", "parameters.gap=0.05",
                                   "bodies.bar.velocity.linear=[0, 0, 0]", "gravity=[-0.1, 0, 0]",
                                   "analyses.dynamics.duration=7.2",
                                   "analyses.dynamics.step=1.6666667e-3"});
    const auto& t = run.history.at("time");
    const auto& force = run.history.at("wall.normal_force");
    for (const double begin : {1.0, 11.0 * third, 19.0 * third}) {
      SCOPED_TRACE(begin);
      double first = 0.0, end = 0.0, impulse = 0.0;
      for (std::size_t i = 1; i < t.size(); ++i) {
        if (t[i] < begin - 0.2 || t[i] > begin + 1.2 || force[i] <= 0.0) continue;
        if (first == 0.0) first = t[i];
        end = t[i];
        impulse += 0.5 * (force[i] + force[i - 1]) * (t[i] - t[i - 1]);
      }
      EXPECT_NEAR(first, begin, 0.02 * begin);
      EXPECT_NEAR(end - first, 2.0 * third, 0.02);
      EXPECT_NEAR(impulse, 2.66666667, 0.02 * 2.66666667);
    }
    const std::vector<double> rises = sampled(run.history, "wall.normal_force", {1.1, 1.3, 1.5});
    const double expected[] = {3.3, 3.9, 4.5};
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(rises[k], expected[k], 0.01 * expected[k]);
    EXPECT_LE(largest_energy(run), 1.0 + 1e-9);
  }
}

// Nothing outside acts. Surfaces that met within a step part from where it ends, so that angular
// momentum is kept to the order of the step.
TEST(StruckBar, KeepsMomentaAndGainsNoEnergy) {
  for (const std::string type : {"floating_frame", "corotational"}) {
    SCOPED_TRACE(type);
    const ModelRun run =
        bar_run({ElementType::hex8, 10, 1.0, 0.1}, "struck_bar", {"bodies.bar.type=" + type});
    EXPECT_GT(largest(run, "impulse"), 1.0);
    EXPECT_LT(momentum_change(run, "momentum"), 1e-5);
    EXPECT_LT(momentum_change(run, "spin"), 1e-3);
    const auto& energy = run.history.at("energy");
    for (std::size_t i = 1; i < energy.size(); ++i)
      EXPECT_LE(energy[i], energy[i - 1] + 1e-5 * energy[0]) << i;
  }
}

// Impulses of the stop, of the hinge and of the joint with the rigid head act on the ports.
TEST(HingedBar, StaysWithinTheStopOfItsHinge) {
  for (const std::string type : {"floating_frame", "corotational"}) {
    SCOPED_TRACE(type);
    const ModelRun run =
        bar_run({ElementType::hex8, 10, 1.0, 0.1}, "hinged_bar", {"bodies.bar.type=" + type});
    const auto& angle = run.history.at("hinge");
    EXPECT_LT(*std::min_element(angle.begin(), angle.end()), -0.5 + 1e-12);
    EXPECT_GT(*std::min_element(angle.begin(), angle.end()), -0.5 - 1e-12);
    EXPECT_EQ(largest(run, "stop"), 2.0);
    EXPECT_LT(largest(run, "apart"), 1e-12);
    const auto& energy = run.history.at("energy");
    EXPECT_LT(*std::max_element(energy.begin(), energy.end()),
              energy[0] + 1e-3 * std::abs(energy.back() - energy[0]));
  }
}

}  // namespace
}  // namespace solidyn::testing_support
