#pragma once

namespace solidyn::base {

/// From now on OpenMP regions of the libraries that we call run on the calling thread: ranks are
/// our way of using cores. CHOLMOD uses four threads in each of thousands of small loops,
/// whatever OMP_NUM_THREADS is; that made factorisations two to three times slower. Does nothing
/// when the user has set OMP_MAX_ACTIVE_LEVELS or OMP_THREAD_LIMIT, or when no OpenMP library is
/// loaded. Local, idempotent.
void use_one_thread_per_rank();

}  // namespace solidyn::base
