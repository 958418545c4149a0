// One rank reads; a damaged file must stop all ranks with the same message.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <petsc.h>

#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/formats/gmsh/gmsh.h"
#include "solidyn/mesh/check.h"
#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::mesh {
namespace {

/// How a program reads: rank 0 alone, and all hear of its errors.
DistributedMesh read_together(MPI_Comm comm, const std::string& bytes) {
  Mesh whole;
  base::run_together(comm, [&] {
    if (base::rank(comm) != 0) return;
    whole = formats::parse_gmsh(bytes, "body.msh");
    check(whole, "body.msh");
  });
  return distribute(comm, std::move(whole));
}

const std::string kHead = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n";
const std::string kTail =
    "3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n";

TEST(BrokenMesh, StopsEveryRankWithTheSameMessage) {
  for (const auto& [bytes, message] :
       {std::pair<std::string, const char*>{kHead, "section $Nodes is not closed"},
        {kHead + "3 0 one 0\n" + kTail.substr(8), "body.msh:8: error: found `one`"},
        {kHead + "3 0 -1 0\n" + kTail.substr(8), "1 of 1 solid elements are inverted"}}) {
    try {
      read_together(PETSC_COMM_WORLD, bytes);
      FAIL() << message;
    } catch (const base::InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(message));
    }
  }
}

TEST(BrokenMesh, TheSameFileUndamagedIsDistributed) {
  EXPECT_EQ(read_together(PETSC_COMM_WORLD, kHead + kTail).n_global_elements, 1);
}

}  // namespace
}  // namespace solidyn::mesh
