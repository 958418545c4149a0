// The slider-crank of P-NONSMOOTH, sect. 4, with its elastic rod: beam elements, modes of the same
// beam, and the rigid rod that a stiff one tends to (Figs 20, 21, 30 and 31).
#include "nonsmooth_runs.h"

namespace solidyn::testing_support {
namespace {

const char* const kBeam = "examples/nonsmooth/slider_crank_beam.yaml";
const char* const kRigid = "examples/nonsmooth/slider_crank_clearance.yaml";

ModelRun with_elements(int n, const Overrides& overrides = {}) {
  return run_model(MPI_COMM_SELF, kBeam,
                   Overrides{"bodies.rod.elements=" + std::to_string(n)} + overrides);
}

ModelRun with_modes(int n) {
  return nonsmooth_run("slider_crank_modes", {"bodies.rod.modes.free_free=" + std::to_string(n)});
}

double distance(const ModelRun& a, const ModelRun& b, const std::string& column) {
  const std::vector<double>&x = a.history.at(column), &y = b.history.at(column);
  EXPECT_EQ(x.size(), y.size());
  double most = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, std::abs(x[i] - y[i]));
  return most;
}

// The sequence of impacts is sensitive to all that the rod does: angles of 5 rad agree to
// thousandths.
TEST(ElasticRod, MovesAlikeWithElementsAndWithModes) {
  const ModelRun fine = with_elements(20);
  for (const int n : {2, 5, 10}) {
    const ModelRun run = with_elements(n);
    EXPECT_LT(distance(run, fine, "th1"), 8e-3) << n;
    EXPECT_LT(distance(run, fine, "x"), 4e-4) << n;
    EXPECT_GT(distance(run, fine, "x"), 0.0) << n;
  }
  for (const int n : {5, 52}) {
    const ModelRun run = with_modes(n);
    EXPECT_LT(distance(run, fine, "th1"), 8e-3) << n;
    EXPECT_LT(distance(run, fine, "x"), 4e-4) << n;
  }
}

TEST(ElasticRod, LosesEnergyInImpactsAlone) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun run = with_elements(5, scheme + Overrides{"analyses.dynamics.duration=0.02"});
    const std::vector<double>& energy = run.history.at("energy");
    EXPECT_LT(energy.back(), energy.front()) << scheme[0];
    EXPECT_GT(energy.back(), 0.9 * energy.front()) << scheme[0];
  }
}

// With Young's modulus 1e15 instead of 2e11 Pa. What impacts leave in the rod rings at frequencies
// that no step resolves, and is lost: the motion is not quite that of the rigid rod.
TEST(ElasticRod, TendsToTheRigidOne) {
  const ModelRun rigid = run_model(MPI_COMM_SELF, kRigid, {});
  const Overrides stiff = {
      "bodies.rod.section={type: stiffness, EA: 1.5921e10, GJ: 1.2296e8, EI_y: 1.2296e8, EI_z: "
      "1.2296e8, mass_per_length: 0.124183, mass_moments: [9.591e-4, 1e-7, 9.591e-4]}"};
  const ModelRun run = with_elements(4, stiff);
  EXPECT_LT(distance(run, rigid, "x"), 2e-4);
  EXPECT_LT(distance(run, rigid, "th1"), 2e-3);
}

}  // namespace
}  // namespace solidyn::testing_support
