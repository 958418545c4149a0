#include "solidyn/model/unreduced_meshes.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/formats/solid_model.h"

namespace solidyn::model {
namespace {

constexpr std::int64_t kWorthARank = 20000;  // unknowns; doc/scaling.md has what was measured
constexpr std::int64_t kUncounted = std::numeric_limits<std::int64_t>::max();

bool is_unreduced(const BodyDescription& body) {
  return body.type == BodyType::floating_frame || body.type == BodyType::corotational ||
         body.type == BodyType::inertial;
}

// Reading twice what takes long would cost more than the ranks' waiting. No format stores a node of
// a solid mesh, with its share of the elements, in more bytes than this on average.
std::int64_t count_unknowns(const std::string& path, std::int64_t at_most) {
  constexpr std::int64_t kMostBytesOfUnknown = 200;
  try {
    const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(path));
    if (bytes > at_most * kMostBytesOfUnknown) return kUncounted;
    return 3 * formats::read_solid_model(path).mesh.n_nodes();
  } catch (const std::exception&) {
    return kUncounted;  // build() reads it again and says what is wrong
  }
}

}  // namespace

int ranks_worth_starting(MPI_Comm comm, const ModelDescription& model) {
  const int n_ranks = base::size(comm);
  if (n_ranks == 1 || std::none_of(model.bodies.begin(), model.bodies.end(), is_unreduced))
    return n_ranks;
  int worth = n_ranks;
  if (base::rank(comm) == 0) {
    std::int64_t most = 0;
    for (const BodyDescription& body : model.bodies)
      if (is_unreduced(body) && most < kWorthARank * n_ranks)
        most = std::max(most, count_unknowns(body.flexible.mesh.string(), kWorthARank * n_ranks));
    worth = static_cast<int>(std::clamp<std::int64_t>(most / kWorthARank, 1, n_ranks));
  }
  MPI_Bcast(&worth, 1, MPI_INT, 0, comm);
  return worth;
}

}  // namespace solidyn::model
