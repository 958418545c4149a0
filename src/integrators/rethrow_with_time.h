#pragma once
#include <fmt/format.h>

#include <cstring>
#include <exception>

#include "solidyn/base/error.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/integrators/impact_search.h"

namespace solidyn::integrators {

/// The same kind of error, whose message says when, as it may do already.
[[noreturn]] inline void rethrow_with_time(const std::exception_ptr& error, double t) {
  const auto at_time = [t](const std::exception& e) {
    const bool says_when = std::strncmp(e.what(), "t = ", 4) == 0;
    return says_when ? std::string(e.what()) : fmt::format("t = {:.6g} s: {}", t, e.what());
  };
  try {
    std::rethrow_exception(error);
  } catch (const base::ResourceError& e) {
    throw base::ResourceError(at_time(e));
  } catch (const ImpactWithinStep&) {
    throw;  // no failure
  } catch (const base::ComputationError& e) {
    throw base::ComputationError(at_time(e));
  }
}

}  // namespace solidyn::integrators
