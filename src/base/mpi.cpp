#include "solidyn/base/mpi.h"

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <new>
#include <system_error>
#include <thread>

#include "solidyn/base/log.h"
#include "solidyn/base/resource_error.h"

namespace solidyn::base {
namespace {

// A diagnostic's fields travel as text, each behind its length: a message may quote any byte of a
// user's file.
void append_field(std::string& text, const std::string& field) {
  text += std::to_string(field.size()) + ":" + field;
}

std::string take_field(const std::string& text, std::size_t& at) {
  const std::size_t colon = text.find(':', at);
  const std::size_t length = std::stoul(text.substr(at, colon - at));
  at = colon + 1 + length;
  return text.substr(colon + 1, length);
}

std::string pack(const InputError& error) {
  std::string text;
  for (const Diagnostic& d : error.diagnostics())
    for (const std::string& field : {d.where.file, std::to_string(d.where.line),
                                     std::to_string(d.where.column), d.what, d.remedy})
      append_field(text, field);
  return text;
}

InputError unpack(const std::string& text) {
  std::vector<Diagnostic> diagnostics;
  for (std::size_t at = 0; at < text.size();) {
    Diagnostic d;
    d.where.file = take_field(text, at);
    d.where.line = std::stoi(take_field(text, at));
    d.where.column = std::stoi(take_field(text, at));
    d.what = take_field(text, at);
    d.remedy = take_field(text, at);
    diagnostics.push_back(std::move(d));
  }
  return InputError(std::move(diagnostics));
}

std::string out_of_memory(int rank, int n_ranks) {
  return n_ranks == 1 ? "out of memory" : "out of memory on rank " + std::to_string(rank);
}

// The rank leaves and takes the others with it, since they wait in another collective call.
[[noreturn]] void abandon(MPI_Comm comm, const std::exception_ptr& error) {
  int status = 1, own = 0;
  std::string text = "unknown error";
  try {
    std::rethrow_exception(error);
  } catch (const InputError& e) {
    text = e.what();
    status = 2;
  } catch (const std::exception& e) {
    text = e.what();
  } catch (...) {
  }
  MPI_Comm_rank(comm, &own);
  if (own == 0) log_message(LogLevel::error, text);  // into the run's file too
  if (own != 0 || !terminal_shows_info())            // of one of several runs, into that alone
    std::cerr << "rank " << own << ": error: " << text << std::endl;
  MPI_Abort(comm, status);
  std::abort();
}

// The lowest rank with an error, or the number of ranks. Whoever has one waits for the others for
// so long only: it may have failed amidst collective calls of a library, which then never return
// to them (HDF5 without memory on one rank).
// @param while_waiting what a rank without an error does instead of waiting busily; empty: nothing
int find_thrower(MPI_Comm comm, const std::exception_ptr& error,
                 const std::function<void()>& while_waiting = {}) {
  using std::chrono::steady_clock;
  constexpr std::chrono::seconds kPatience{30};
  const int own = error ? rank(comm) : size(comm);
  int thrower = own;
  MPI_Request request;
  MPI_Iallreduce(&own, &thrower, 1, MPI_INT, MPI_MIN, comm, &request);
  if (!error && !while_waiting) {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return thrower;
  }
  const auto end = steady_clock::now() + kPatience;
  for (int done = 0; !error || steady_clock::now() < end;
       std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done) return thrower;
    if (while_waiting) while_waiting();
  }
  abandon(comm, error);
}

// After `thrower` was found: all throw its error, if there is one.
void throw_error_of(int thrower, MPI_Comm comm, const std::exception_ptr& error) {
  const int n_ranks = size(comm);
  if (thrower == n_ranks) return;
  std::string text;
  if (thrower == rank(comm)) {
    try {
      std::rethrow_exception(error);
    } catch (const InputError& e) {
      text = "I" + pack(e);
    } catch (const ResourceError& e) {
      text = std::string("R") + e.what();
    } catch (const std::bad_alloc&) {
      text = "R" + out_of_memory(thrower, n_ranks);
    } catch (const std::exception& e) {
      text = std::string("C") + e.what();
    } catch (...) {
      text = "Cunknown error";
    }
  }
  broadcast(comm, text, thrower);
  if (text.empty()) throw ResourceError("a rank failed without an error message");
  if (text[0] == 'I') throw unpack(text.substr(1));
  if (text[0] == 'R') throw ResourceError(text.substr(1));
  throw ComputationError(text.substr(1));
}

template <class T>
void broadcast_bytes(MPI_Comm comm, T& container, int root) {
  std::int64_t n = static_cast<std::int64_t>(container.size());
  MPI_Bcast(&n, 1, MPI_INT64_T, root, comm);
  container.resize(n);
  constexpr std::int64_t kChunk = std::int64_t{1} << 30;
  char* bytes = reinterpret_cast<char*>(container.data());
  const std::int64_t total = n * static_cast<std::int64_t>(sizeof(typename T::value_type));
  for (std::int64_t at = 0; at < total; at += kChunk)
    MPI_Bcast(bytes + at, static_cast<int>(std::min(kChunk, total - at)), MPI_BYTE, root, comm);
}

}  // namespace

void expect_single_process_without_launcher() {
  // Of Open MPI's own mpirun, of PMIx and of PMI (srun, MPICH's launchers).
  for (const char* of_launcher : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"})
    if (std::getenv(of_launcher)) return;
  constexpr int keep = 0;
  setenv("OMPI_MCA_ess_singleton_isolated", "1", keep);
  setenv("OMPI_MCA_pml", "ob1", keep);
  setenv("OMPI_MCA_btl", "self", keep);
  // All such processes of a user would share one folder, which the first to end removes under the
  // others.
  std::error_code error;
  const auto folder = std::filesystem::temp_directory_path(error);
  if (!error)
    setenv("OMPI_MCA_orte_top_session_dir",
           (folder / ("ompi.solidyn." + std::to_string(getpid()))).c_str(), keep);
}

int rank(MPI_Comm comm) {
  int r = 0;
  MPI_Comm_rank(comm, &r);
  return r;
}

int size(MPI_Comm comm) {
  int n = 1;
  MPI_Comm_size(comm, &n);
  return n;
}

void throw_on_all_ranks_if_any(MPI_Comm comm, const std::exception_ptr& error) {
  throw_error_of(find_thrower(comm, error), comm, error);
}

void run_together(MPI_Comm comm, const std::function<void()>& work) {
  std::exception_ptr error;
  try {
    work();
  } catch (...) {
    error = std::current_exception();
  }
  throw_on_all_ranks_if_any(comm, error);
}

void run_on_first_ranks(MPI_Comm comm, int n_working, const std::function<void(MPI_Comm)>& work,
                        const std::function<void()>& while_asleep) {
  const bool works = rank(comm) < n_working;
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_split(comm, works ? 0 : MPI_UNDEFINED, rank(comm), &own);
  std::exception_ptr error;
  try {
    if (works) work(own);
  } catch (...) {
    error = std::current_exception();
  }
  const int thrower = works ? find_thrower(comm, error) : find_thrower(comm, error, while_asleep);
  if (works) MPI_Comm_free(&own);
  throw_error_of(thrower, comm, error);
}

void broadcast(MPI_Comm comm, std::string& text, int root) { broadcast_bytes(comm, text, root); }
void broadcast(MPI_Comm comm, std::vector<double>& values, int root) {
  broadcast_bytes(comm, values, root);
}
void broadcast(MPI_Comm comm, std::vector<std::int64_t>& values, int root) {
  broadcast_bytes(comm, values, root);
}

double sum(MPI_Comm comm, double value) {
  sum_in_place(comm, &value, 1);
  return value;
}

std::int64_t sum(MPI_Comm comm, std::int64_t value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_SUM, comm);
  return value;
}

double max(MPI_Comm comm, double value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, comm);
  return value;
}

void sum_in_place(MPI_Comm comm, double* values, int n) {
  if (size(comm) == 1) return;
  std::vector<double> total(n);
  MPI_Reduce(values, total.data(), n, MPI_DOUBLE, MPI_SUM, 0, comm);
  MPI_Bcast(total.data(), n, MPI_DOUBLE, 0, comm);
  std::copy(total.begin(), total.end(), values);
}

}  // namespace solidyn::base
