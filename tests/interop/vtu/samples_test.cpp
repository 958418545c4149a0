// Files that VTK 9.1 and meshio 7.0 wrote, of Gmsh's boxes 2 x 1 x 1
// (tests/data/interop/README.md).
#include "samples.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "solidyn/formats/gmsh/gmsh.h"
#include "solidyn/formats/vtu/vtu.h"
#include "solidyn/mesh/check.h"
#include "solidyn/mesh/report.h"

namespace solidyn {
namespace {

using elements::ElementType;
using testing_support::sample;

struct Sample {
  const char* file;
  const char* origin;  ///< Gmsh's file of the same mesh
  ElementType type;
};

class VtuSample : public ::testing::TestWithParam<Sample> {};

/// Coordinates, and node numbers in each element; wedges may begin with their other triangle.
void expect_same_elements(const mesh::Mesh& mesh, const mesh::Mesh& origin, ElementType type) {
  const mesh::ElementBlock* elements = mesh.find_block(type);
  const mesh::ElementBlock* expected = origin.find_block(type);
  ASSERT_TRUE(elements && expected);
  ASSERT_EQ(elements->size(), expected->size());
  EXPECT_LT((mesh.x - origin.x).cwiseAbs().maxCoeff(), 1e-10);
  if (type != ElementType::wedge6 && type != ElementType::wedge15) {
    EXPECT_EQ(elements->connectivity, expected->connectivity);
  }
}

TEST_P(VtuSample, IsTheMeshThatGmshMade) {
  mesh::Mesh mesh = formats::read_vtu(sample(GetParam().file));
  const mesh::Mesh origin = formats::read_gmsh(sample(GetParam().origin));
  ASSERT_EQ(mesh.n_nodes(), origin.n_nodes());
  expect_same_elements(mesh, origin, GetParam().type);
  mesh::check(mesh, GetParam().file);
  EXPECT_NEAR(mesh::make_report(mesh).volume, 2.0, 1e-10);
}

TEST_P(VtuSample, HasItsSets) {
  const mesh::Mesh mesh = formats::read_vtu(sample(GetParam().file));
  const mesh::Mesh origin = formats::read_gmsh(sample(GetParam().origin));
  const bool is_meshio = std::string(GetParam().file).find("meshio") != std::string::npos;
  EXPECT_EQ(mesh.sets.at(is_meshio ? "gmsh:physical_7" : "BODY").nodes,
            origin.sets.at("BODY").nodes);
  EXPECT_EQ(mesh.sets.at(is_meshio ? "gmsh:physical_8" : "BOTTOM").nodes,
            origin.sets.at("BOTTOM").nodes);
}

INSTANTIATE_TEST_SUITE_P(
    Encodings, VtuSample,
    ::testing::Values(
        Sample{"vtu/vtk_tet10_ascii.vtu", "generated/gmsh/tet10_msh41_asc.msh", ElementType::tet10},
        Sample{"vtu/vtk_hex20_appended_zlib.vtu", "generated/gmsh/hex20_msh41_asc.msh",
               ElementType::hex20},
        Sample{"vtu/vtk_wedge6_raw_big_endian.vtu", "generated/gmsh/wedge6_msh41_asc.msh",
               ElementType::wedge6},
        Sample{"vtu/vtk_wedge15_raw_zlib.vtu", "generated/gmsh/wedge15_msh41_asc.msh",
               ElementType::wedge15},
        Sample{"vtu/vtk_hex8_inline_zlib.vtu", "generated/gmsh/hex8_msh41_asc.msh",
               ElementType::hex8},
        Sample{"vtu/vtk_tet4_inline.vtu", "generated/gmsh/tet4_msh41_asc.msh", ElementType::tet4},
        Sample{"vtu/meshio_hex27.vtu", "generated/gmsh/hex27_msh41_asc.msh", ElementType::hex20}));

/// VTK itself, where it is installed (python3-vtk9): the volume of what we write.
TEST(VtkReads, WhatWeWriteWithItsVolume) {
  if (std::system("/usr/bin/python3 -c 'import vtk' 2>/dev/null") != 0)
    GTEST_SKIP() << "needs VTK (python3-vtk9)";
  const std::string path = ::testing::TempDir() + "solidyn_vtk.vtu";
  const std::string command =
      "/usr/bin/python3 -c \"\nimport vtk\nr = vtk.vtkXMLUnstructuredGridReader()\n"
      "r.SetFileName('" +
      path +
      "')\ns = vtk.vtkCellSizeFilter()\n"
      "s.SetInputConnection(r.GetOutputPort())\ns.Update()\n"
      "v = s.GetOutput().GetCellData().GetArray('Volume')\n"
      "assert abs(sum(v.GetValue(i) for i in range(v.GetNumberOfTuples())) - 2) < 1e-9\n\"";
  for (const char* shape : {"tet4", "tet10", "hex8", "hex20", "wedge6", "wedge15"})
    for (int encoding = 0; encoding < 4; ++encoding) {
      formats::write_vtu(
          path,
          formats::read_gmsh(sample(std::string("generated/gmsh/") + shape + "_msh41_asc.msh")),
          static_cast<formats::VtuEncoding>(encoding));
      EXPECT_EQ(std::system(command.c_str()), 0) << shape << ", encoding " << encoding;
    }
  std::remove(path.c_str());
}

}  // namespace
}  // namespace solidyn
