#pragma once
#include <string>

namespace solidyn::base {

/// The processor whose kernels OpenBLAS runs, e.g. "Haswell"; empty with another BLAS.
std::string blas_kernels();

/// OpenBLAS that is older than the processor does not know it, and takes kernels of 2004
/// ("Prescott", two numbers at a time): Debian 12's does so on Intel's Xeons of 2023, where
/// factorisations take 2.4 times as long as with those of 2013 ("Haswell", eight at a time), which
/// it is made to take here; those with AVX-512 are no faster there. Does nothing where
/// OPENBLAS_CORETYPE is set, with another BLAS, or where OpenBLAS has found others. To be called
/// before products are on their way in other threads. Local.
void use_blas_kernels_of_this_processor();

}  // namespace solidyn::base
