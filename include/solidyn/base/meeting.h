#pragma once
#include <mpi.h>

#include <chrono>

namespace solidyn::base {

/// Where ranks find out, after an error that may be one rank's alone, whether the others have come
/// too. Those that wait in another collective call never will, and nothing collective is possible
/// any more. Made and destroyed collectively.
class Meeting {
 public:
  explicit Meeting(MPI_Comm comm);
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;
  ~Meeting();

  /// True when all ranks call this within `patience` of each other. After false the only way out is
  /// abort().
  bool all_arrive(std::chrono::seconds patience = std::chrono::seconds(5)) const;
  [[noreturn]] void abort(int status) const;

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace solidyn::base
