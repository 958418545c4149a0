#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <petsc.h>

#include "scratch_folder.h"
#include "solidyn/base/log.h"
#include "solidyn/formats/gmsh/gmsh.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/model/build.h"
#include "solidyn/model/load.h"
#include "text_file.h"

namespace solidyn::model {
namespace {

using elements::ElementType;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

// A bar of n x across x across elements, and bodies of it.
class BarModel {
 public:
  BarModel(ElementType type, int n_across) {
    mesh::BoxOptions box;
    box.type = type;
    box.nx = 6;
    box.ny = box.nz = n_across;
    box.size = {0.3, 0.03, 0.02};
    formats::write_gmsh(folder_ / "bar.msh", mesh::make_box(box));
  }

  // What building it warns of that speaks of elements. @param bodies "name: {keys}" in addition to
  // mesh and material
  std::vector<std::string> warnings(const std::vector<std::string>& bodies,
                                    const std::string& rest = "") const {
    std::string text =
        "solidyn: 1\nmaterials:\n  steel: {youngs_modulus: 2.1e11, poissons_ratio: 0.3, density: 7850}\nbodies:\n";
    for (std::size_t i = 0; i < bodies.size(); ++i)
      text += fmt::format("  bar{}: {{{}, mesh: bar.msh, material: steel}}\n", i + 1, bodies[i]);
    test::write_text(folder_ / "model.yaml",
                     text + rest + "analyses:\n  - dynamics: {duration: 0.1, step: 0.01}\n");
    base::clear_logged_warnings();
    build(PETSC_COMM_SELF, load_model(PETSC_COMM_SELF, folder_ / "model.yaml", {}), {});
    std::vector<std::string> found;
    for (const std::string& warning : base::logged_warnings())
      if (warning.find("elements") != std::string::npos) found.push_back(warning);
    return found;
  }

 private:
  test::ScratchFolder folder_{PETSC_COMM_SELF};
};

constexpr const char* kStiff = "much too stiff in bending";

TEST(DoubtfulElementsOfABody, FewTetrahedraWithoutMiddleNodesAreTold) {
  const BarModel bar(ElementType::tet4, 2);
  for (const char* type : {"modal, modes: {free_free: 2}", "floating_frame", "corotational"})
    EXPECT_THAT(bar.warnings({std::string("type: ") + type}),
                Contains(AllOf(HasSubstr("body bar1: "), HasSubstr(kStiff), HasSubstr("(tet4)"),
                               HasSubstr("Mesh.ElementOrder = 2"))))
        << type;
  EXPECT_THAT(bar.warnings({"type: rigid"}), Not(Contains(HasSubstr(kStiff))));
}

TEST(DoubtfulElementsOfABody, HexahedraAreToldUnlessTheyHaveModes) {
  const BarModel bar(ElementType::hex8, 2);
  EXPECT_THAT(bar.warnings({"type: corotational"}), SizeIs(0));
  EXPECT_THAT(bar.warnings({"type: corotational, hex8: standard"}),
              Contains(AllOf(HasSubstr(kStiff), HasSubstr("write  hex8: incompatible_modes"))));
  // Large strains know the trilinear element only.
  EXPECT_THAT(bar.warnings({"type: inertial"}),
              Contains(AllOf(HasSubstr(kStiff), HasSubstr("type: corotational  with"))));
}

TEST(DoubtfulElementsOfABody, BodiesOfOneMeshAreToldTogether) {
  const BarModel bar(ElementType::tet4, 1);
  const std::string keys = "type: floating_frame";
  const auto found = bar.warnings({keys, keys, keys});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0], HasSubstr("bodies bar1 and 2 more of its mesh"));
}

TEST(DoubtfulElementsOfABody, RowOfReducedHexahedraIsToldHeldAtAnEndOrNot) {
  const BarModel bar(ElementType::hex20, 1);
  const std::vector<std::string> reduced = {"type: corotational, hex20: reduced"};
  for (const char* held :
       {"", "supports:\n  root: {body: bar1, nodes: {in_set: x_min}, fix: [x, y, z]}\n"})
    EXPECT_THAT(bar.warnings(reduced, held),
                Contains(AllOf(HasSubstr("body bar1: hex20 elements"), HasSubstr("row of 6"),
                               HasSubstr("7 zero-energy modes"))))
        << held;
  EXPECT_THAT(bar.warnings({"type: corotational"}), SizeIs(0));
}

}  // namespace
}  // namespace solidyn::model
