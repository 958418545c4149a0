#pragma once
#include <string>

namespace solidyn::base {

/// Billions of floating-point operations per second of BLAS's dgemm on 512 x 512 matrices, in this
/// process's CPU time. Local; 5 ms with an optimised BLAS, a tenth of a second with the reference
/// one.
double measure_blas_gflops();

/// The message for a user whose dgemm runs at `gflops` and who factorises `n_unknowns`; empty when
/// nothing is wrong, or when the matrix is so small that it does not matter.
std::string warning_about_blas(double gflops, long n_unknowns);

/// Warns once per run when dgemm is as slow as the reference BLAS, under which a large
/// factorisation takes seven times longer, and names the package to install. Costs nothing below
/// `n_unknowns` = 50,000, where it does not matter. Local.
void warn_if_blas_is_slow(long n_unknowns);

/// OpenBLAS takes a buffer of up to 128 MiB in its first larger product, and where the system
/// refuses it waits for ever. Makes it take the buffer now. Local.
/// @throws ResourceError when there is no room for it
void reserve_blas_memory();

}  // namespace solidyn::base
