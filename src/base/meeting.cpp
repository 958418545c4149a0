#include "solidyn/base/meeting.h"

#include <cstdlib>
#include <thread>

namespace solidyn::base {

Meeting::Meeting(MPI_Comm comm) { MPI_Comm_dup(comm, &comm_); }
Meeting::~Meeting() { MPI_Comm_free(&comm_); }

bool Meeting::all_arrive(std::chrono::seconds patience) const {
  using std::chrono::steady_clock;
  MPI_Request request;
  MPI_Ibarrier(comm_, &request);
  const auto end = steady_clock::now() + patience;
  for (int done = 0; steady_clock::now() < end;
       std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done) return true;
  }
  return false;
}

void Meeting::abort(int status) const {
  MPI_Abort(comm_, status);
  std::abort();
}

}  // namespace solidyn::base
