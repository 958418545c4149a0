#include "simulation/unsolved_contacts.h"

#include <fmt/format.h>

#include <algorithm>

#include "solidyn/base/mpi.h"

namespace solidyn::simulation {
namespace {

using solvers::friction::ContactLaw;

// Coefficients of friction are all that the format knows.
bool fits_format(const solvers::friction::Problem& problem) {
  return std::none_of(problem.laws.begin(), problem.laws.end(),
                      [](const ContactLaw& law) { return law.type == ContactLaw::Type::bounded; });
}

}  // namespace

std::string save_unsolved_contacts(MPI_Comm comm, const integrators::UnsolvedContacts* unsolved,
                                   const RunOptions& options, const std::string& path) {
  if (!unsolved || !options.write_contacts) return {};
  if (!fits_format(unsolved->problem))
    return "its contact problem is not written: FCLIB's format has no friction of a given size";
  try {
    base::run_together(comm, [&] {
      if (base::rank(comm) == 0) options.write_contacts(path, *unsolved);
    });
  } catch (const std::exception& e) {
    return fmt::format("its contact problem could not be written: {}", e.what());
  }
  return fmt::format(
      "the last contact problem of this step that was not solved: {} (see  solidyn bench friction)",
      path);
}

}  // namespace solidyn::simulation
