#include "solidyn/model/unreduced_meshes.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>
#include <variant>

#include "model/bodies/flexible_entry.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/formats/solid_model.h"

namespace solidyn::model {
namespace {

constexpr std::int64_t kWorthARank = 20000;  // unknowns; doc/scaling.md has what was measured
constexpr std::int64_t kUncounted = std::numeric_limits<std::int64_t>::max();

bool is_unreduced(const std::shared_ptr<const BodyEntry>& body) {
  return body->traits().keeps_all_nodes;
}

// Meshes that all ranks reduce, or find the modes of, before anything is solved.
bool is_work_for_all(const ModelDescription& model) {
  const auto is_reduced = [](const auto& body) {
    return body->reduced() && body->reduced_file().empty();
  };
  return std::any_of(model.bodies.begin(), model.bodies.end(), is_reduced) ||
         std::any_of(model.analyses.begin(), model.analyses.end(), [](const auto& analysis) {
           return std::holds_alternative<ModesDescription>(analysis);
         });
}

// Reading twice what takes long would cost more than the ranks' waiting: a file with more bytes
// than this for each unknown that matters has more unknowns, or results beside them.
std::int64_t count_unknowns(const std::string& path, std::int64_t at_most) {
  constexpr std::int64_t kMostBytesOfUnknown = 200;
  const base::LogPause said_by_build;
  try {
    const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(path));
    if (bytes > at_most * kMostBytesOfUnknown) return kUncounted;
    return 3 * formats::read_solid_model(path).mesh.n_nodes();
  } catch (const std::exception&) {
    return kUncounted;  // build() reads it again and says what is wrong
  }
}

std::int64_t count_largest(const ModelDescription& model, std::int64_t at_most) {
  std::set<std::string> paths;
  for (const auto& body : model.bodies)
    if (is_unreduced(body)) paths.insert(body->flexible()->mesh.string());
  std::int64_t most = 0;
  for (const std::string& path : paths)
    if (most < at_most) most = std::max(most, count_unknowns(path, at_most));
  return most;
}

}  // namespace

int ranks_worth_starting(MPI_Comm comm, const ModelDescription& model) {
  const int n_ranks = base::size(comm);
  if (n_ranks == 1 || is_work_for_all(model) ||
      std::none_of(model.bodies.begin(), model.bodies.end(), is_unreduced))
    return n_ranks;
  int worth = n_ranks;
  if (base::rank(comm) == 0) {
    const std::int64_t most = count_largest(model, kWorthARank * n_ranks);
    worth = static_cast<int>(std::clamp<std::int64_t>(most / kWorthARank, 1, n_ranks));
  }
  MPI_Bcast(&worth, 1, MPI_INT, 0, comm);
  return worth;
}

}  // namespace solidyn::model
