// Which nodes of a superelement are interfaces when the model names none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <petscsys.h>

#include <algorithm>

#include "samples.h"
#include "solidyn/base/error.h"
#include "solidyn/model/load.h"
#include "solidyn/model/reduce_body.h"

namespace solidyn {
namespace {

using testing::HasSubstr;
using testing_support::sample;

std::shared_ptr<const reduction::ReducedBody> reduce(const std::string& import,
                                                     const std::string& modes = "free_free: 4") {
  const model::ModelDescription model = model::parse_model(
      "solidyn: 1\nbodies:\n  body: {type: modal, import: {" + import + "}, modes: {" + modes +
          "}}\nanalyses:\n  - dynamics: {duration: 0.1, step: 1e-3}\n",
      "model.yaml", ".");
  return model::reduce_body(PETSC_COMM_SELF, model, *model.bodies[0], "").body;
}

TEST(SuperelementNodes, WithRotationsAreInterfaces) {
  const std::string base = sample("nastran/superelement/inboard.op4");
  const std::string stem = base.substr(0, base.size() - 4);
  const auto body =
      reduce("superelement: " + base + ", dofs: " + stem + ".pch, nodes: " + stem + ".asm");
  ASSERT_EQ(body->interfaces.size(), 4u);
  EXPECT_THAT(body->interfaces[0].name, HasSubstr("node_"));
}

TEST(SuperelementNodes, AreHeldByFixedInterfaceModes) {
  const std::string base = sample("nastran/superelement/inboard.op4");
  const std::string stem = base.substr(0, base.size() - 4);
  const auto body =
      reduce("superelement: " + base + ", dofs: " + stem + ".pch, nodes: " + stem + ".asm",
             "free_free: 0, fixed_interface: 1, constraint_modes: at_interfaces");
  ASSERT_EQ(body->interfaces.size(), 4u);
  const auto n_fixed = std::count_if(
      body->modes.begin(), body->modes.end(),
      [](const reduction::Mode& m) { return m.kind == reduction::Mode::Kind::fixed_interface; });
  EXPECT_EQ(n_fixed, 1);
}

TEST(SuperelementNodes, WithoutRotationsAreNoneAndSaySo) {
  try {
    reduce("superelement: " + sample("generated/abaqus_like/superelement_constructed.mtx") +
           ", mesh: " + sample("generated/blocks/block_c3d8.inp") + ", units: tonne-mm-s");
    FAIL();
  } catch (const base::InputError& error) {
    ASSERT_EQ(error.diagnostics().size(), 1u);
    EXPECT_THAT(error.what(), HasSubstr("its nodes have no rotations"));
    EXPECT_THAT(error.what(), HasSubstr("define interfaces of several nodes"));
  }
}

}  // namespace
}  // namespace solidyn
