// The main() of every test executable: PETSc, SLEPc and MPI are up while the tests run, and a
// failure on any rank fails the executable on all.
#include <gtest/gtest.h>
#include <slepc.h>

#include "solidyn/base/blas_kernels.h"
#include "solidyn/base/mpi.h"

#ifdef SOLIDYN_SANITIZED
// MPI unloads its plugins before the leak check, which could then not tell whose memory it looks at
// (leaks.supp names libraries). So nothing is unloaded.
extern "C" int dlclose(void*) { return 0; }
#endif

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  solidyn::base::use_blas_kernels_of_this_processor();
  solidyn::base::expect_single_process_without_launcher();
  if (SlepcInitialize(&argc, &argv, nullptr, nullptr)) return 1;
  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  SlepcFinalize();
  return failed;
}
