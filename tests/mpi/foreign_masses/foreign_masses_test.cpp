// A bar with a wheel on the frame of a rigid element swings alike whatever kind of body it is, on
// any number of ranks.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "foreign_bar.h"
#include "model_runs.h"

namespace solidyn {
namespace {

using testing_support::ModelRun;

class ForeignMasses : public testing::Test {
 protected:
  reduction::ReducedBody reduced(const std::string& keys = "") const {
    return files_.reduced(files_.modal(keys));
  }
  // Clamped at x_min under a large weight for one and a half periods.
  ModelRun swing(const std::string& type) const {
    const std::string path = files_.path() + "/" + "swing.yaml";
    if (base::rank(PETSC_COMM_WORLD) == 0)
      std::ofstream(path) << "solidyn: 1\n"
                             "gravity: [0, 0, -1000]\n"
                             "bodies:\n"
                             "  bar:\n"
                             "    " +
                                 type +
                                 "\n"
                                 "    mesh: bar.inp\n"
                                 "    mesh_units: tonne-mm-s\n"
                                 "    mass_matrix: consistent\n"
                                 "    interfaces: {root: {nodes: {in_set: x_min}, attach: rbe3}}\n"
                                 "joints:\n"
                                 "  clamp: {type: fixed, between: [ground, bar.root]}\n"
                                 "analyses:\n"
                                 "  - dynamics: {duration: 1.5e-3, step: 2.0e-5}\n"
                                 "sensors:\n"
                                 "  end: {type: position, of: bar.END, component: z}\n"
                                 "  kinetic: {type: energy, body: bar, kind: kinetic}\n"
                                 "  potential: {type: energy, body: bar, kind: potential}\n";
    MPI_Barrier(PETSC_COMM_WORLD);
    return testing_support::run_model(PETSC_COMM_WORLD,
                                      std::filesystem::relative(path, SOLIDYN_SOURCE_DIR).string());
  }
  test::ForeignBarFiles files_{PETSC_COMM_WORLD};
};

double peak(const std::vector<double>& x) { return testing_support::largest_change(x); }

TEST_F(ForeignMasses, ReducedBodyIsThatOfOneRank) {
  files_.write(test::make_bar_with_wheel());
  const std::string keys = ", damping: {modal_ratio: 0.01}";
  const reduction::ReducedBody all = reduced(keys);
  const model::ModelDescription model = files_.modal(keys);
  const reduction::ReducedBody alone =
      *model::reduce_body(PETSC_COMM_SELF, model, *model.bodies[0], "").body;
  ASSERT_EQ(all.n_modes(), alone.n_modes());
  for (int i = 0; i < all.n_modes(); ++i)
    EXPECT_NEAR(all.modes[i].frequency, alone.modes[i].frequency, 1e-7 * alone.modes[i].frequency);
  EXPECT_NEAR(all.inertia.mass, alone.inertia.mass, 1e-12 * alone.inertia.mass);
  EXPECT_LT((all.inertia.first_moment - alone.inertia.first_moment).norm(), 1e-12);
  EXPECT_LT((all.inertia.N00 - alone.inertia.N00).norm(), 1e-10 * alone.inertia.N00.norm());
  for (int i = 0; i < all.n_modes(); ++i)  // the sign of a mode is free
    EXPECT_LT(
        (all.inertia.N[i * all.n_modes() + i] - alone.inertia.N[i * all.n_modes() + i]).norm(),
        1e-6);
}

TEST_F(ForeignMasses, EveryKindOfBodySwingsAlike) {
  imported::SolidModel bar = test::make_bar_with_wheel();
  for (imported::Region& region : bar.regions) {  // what a corotational body can do as well
    region.integration = imported::Integration::standard;
    region.element_name = "C3D20";
  }
  files_.write(bar);
  const testing_support::History modal =
      swing("type: modal\n    modes: {free_free: 20, static_correction: at_interfaces}").history;
  EXPECT_GT(peak(modal.at("end")), 1e-6);
  for (const char* type : {"type: floating_frame", "type: corotational"}) {
    const testing_support::History other = swing(type).history;
    for (const char* sensor : {"end", "kinetic", "potential"})
      EXPECT_LT(testing_support::largest_difference(modal.at(sensor), other.at(sensor)),
                0.02 * peak(modal.at(sensor)))
          << type << " " << sensor;
  }
}

}  // namespace
}  // namespace solidyn
