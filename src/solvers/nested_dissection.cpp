#include "nested_dissection.h"

#include <metis.h>

#include <type_traits>

#include "solidyn/base/error.h"

namespace solidyn::solvers {

static_assert(std::is_same_v<idx_t, int>, "METIS with 32-bit indices");

NestedDissection dissect(std::vector<int>& start, std::vector<int>& neighbours) {
  idx_t n = static_cast<idx_t>(start.size()) - 1;
  NestedDissection found{std::vector<int>(n), std::vector<int>(n)};
  if (n == 0) return found;
  const int code = METIS_NodeND(&n, start.data(), neighbours.data(), nullptr, nullptr,
                                found.order.data(), found.position.data());
  if (code != METIS_OK)
    throw base::ComputationError("METIS_NodeND returned " + std::to_string(code));
  return found;
}

}  // namespace solidyn::solvers
