#pragma once
#include <mpi.h>

#include <exception>
#include <functional>
#include <string>
#include <vector>

namespace solidyn::base {

/// Before MPI_Init. A process that no launcher started will be alone: tells Open MPI to start no
/// daemon beside it and to look for no network, which take three quarters of the time that a small
/// model needs. What the environment says of either stays.
void expect_single_process_without_launcher();

int rank(MPI_Comm comm);
int size(MPI_Comm comm);

/// Collective. If any rank passes an exception, every rank throws: an InputError where the lowest
/// such rank has one (with its diagnostics), else a ComputationError with that rank's message. So
/// that no rank leaves alone before a collective call and hangs the others.
void throw_on_all_ranks_if_any(MPI_Comm comm, const std::exception_ptr& error);

/// Collective. Runs `work` on every rank and then throw_on_all_ranks_if_any. `work` must not call
/// MPI after a point where it may throw on some ranks only.
void run_together(MPI_Comm comm, const std::function<void()>& work);

/// Collective. The first `n_working` ranks carry out `work` with a communicator of their own, of
/// the same order. The others sleep meanwhile, and call `while_asleep` every millisecond: MPI's own
/// waiting would keep their processors busy. An error of a working rank leaves on all ranks, as
/// throw_on_all_ranks_if_any does it.
/// @pre 1 <= n_working <= size(comm)   Proved by tests/mpi/base.
void run_on_first_ranks(
    MPI_Comm comm, int n_working, const std::function<void(MPI_Comm)>& work,
    const std::function<void()>& while_asleep = [] {});

/// Collective. Copies root's bytes to all.
void broadcast(MPI_Comm comm, std::string& text, int root = 0);
void broadcast(MPI_Comm comm, std::vector<double>& values, int root = 0);
void broadcast(MPI_Comm comm, std::vector<std::int64_t>& values, int root = 0);

double sum(MPI_Comm comm, double value);
std::int64_t sum(MPI_Comm comm, std::int64_t value);
double max(MPI_Comm comm, double value);

/// Collective. Sums over ranks, with bitwise the same result on all of them (reduce, then
/// broadcast).
void sum_in_place(MPI_Comm comm, double* values, int n);

}  // namespace solidyn::base
