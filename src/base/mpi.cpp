#include "solidyn/base/mpi.h"

#include <cstdint>
#include <sstream>

#include "solidyn/base/error.h"

namespace solidyn::base {
namespace {

// A diagnostic's fields travel as text, separated by bytes that no message contains.
constexpr char kField = '\x1f';
constexpr char kRecord = '\x1e';

std::string pack(const InputError& error) {
  std::string text;
  for (const Diagnostic& d : error.diagnostics()) {
    text += d.where.file + kField + std::to_string(d.where.line) + kField +
            std::to_string(d.where.column) + kField + d.what + kField + d.remedy + kRecord;
  }
  return text;
}

InputError unpack(const std::string& text) {
  std::vector<Diagnostic> diagnostics;
  std::istringstream records(text);
  for (std::string record; std::getline(records, record, kRecord);) {
    std::istringstream fields(record);
    Diagnostic d;
    std::string line, column;
    std::getline(fields, d.where.file, kField);
    std::getline(fields, line, kField);
    std::getline(fields, column, kField);
    std::getline(fields, d.what, kField);
    std::getline(fields, d.remedy, kField);
    d.where.line = std::stoi(line);
    d.where.column = std::stoi(column);
    diagnostics.push_back(std::move(d));
  }
  return InputError(std::move(diagnostics));
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

void throw_on_all_ranks_if_any(MPI_Comm comm, std::exception_ptr error) {
  const int n_ranks = size(comm);
  int thrower = error ? rank(comm) : n_ranks;
  MPI_Allreduce(MPI_IN_PLACE, &thrower, 1, MPI_INT, MPI_MIN, comm);
  if (thrower == n_ranks) return;
  std::string text;
  if (thrower == rank(comm)) {
    try {
      std::rethrow_exception(error);
    } catch (const InputError& e) {
      text = "I" + pack(e);
    } catch (const std::exception& e) {
      text = std::string("C") + e.what();
    } catch (...) {
      text = "Cunknown error";
    }
  }
  broadcast(comm, text, thrower);
  if (text[0] == 'I') throw unpack(text.substr(1));
  throw ComputationError(text.substr(1));
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
