#include "solidyn/elements/element_type.h"

#include <gtest/gtest.h>

#include <set>

#include "solidyn/elements/topology.h"
#include "solidyn/elements/visit_element.h"

namespace solidyn::elements {
namespace {

TEST(ElementTraits, StandInTheOrderOfTheEnumeration) {
  for (const ElementTraits& e : kElements) EXPECT_EQ(traits(e.type).name, e.name);
}

TEST(ElementTraits, GiveEachShapeNumbersAndNamesOfItsOwn) {
  std::set<std::string> names, xdmf, abaqus;
  std::set<int> gmsh, vtk;
  int n_abaqus = 0;
  for (const ElementTraits& e : kElements) {
    names.insert(e.name);
    xdmf.insert(e.xdmf);
    gmsh.insert(e.gmsh);
    vtk.insert(e.vtk);
    if (*e.abaqus) {
      abaqus.insert(e.abaqus);
      ++n_abaqus;
    }
  }
  EXPECT_EQ(names.size(), kElements.size());
  EXPECT_EQ(xdmf.size(), kElements.size());
  EXPECT_EQ(gmsh.size(), kElements.size());
  EXPECT_EQ(vtk.size(), kElements.size());
  EXPECT_EQ(static_cast<int>(abaqus.size()), n_abaqus);
}

// The classes of shape functions, faces and edges agree with the table.
TEST(ElementTraits, CountWhatShapesHave) {
  for (const ElementTraits& e : kElements) {
    EXPECT_EQ(std::string(e.name).substr(std::string(e.name).find_first_of("0123456789")),
              std::to_string(e.n_nodes));
    if (e.dimension < 3) continue;
    visit_element(e.type, [&](auto element) {
      EXPECT_EQ(decltype(element)::n_nodes, e.n_nodes);
      EXPECT_EQ(decltype(element)::type, e.type);
    });
    const int n_middles = e.n_nodes - n_corners(e.type);
    EXPECT_TRUE(n_middles == 0 || n_middles == static_cast<int>(edges(e.type).size())) << e.name;
    // Euler: corners - edges + faces = 2
    EXPECT_EQ(n_corners(e.type) - static_cast<int>(edges(e.type).size()) +
                  static_cast<int>(faces(e.type).size()),
              2)
        << e.name;
    EXPECT_NE(std::string(e.nastran), "");
  }
}

}  // namespace
}  // namespace solidyn::elements
