#pragma once
#include <string>

#include "solidyn/analyses/dynamics.h"
#include "solidyn/results/checkpoint.h"
#include "solidyn/results/summary.h"

namespace solidyn::integrators {
class StaticContacts;
}

namespace solidyn::simulation {

/// Into a checkpoint what a run has counted of set-valued contacts.
void save_contact_totals(const analyses::ContactTotals& totals, results::Checkpoint& checkpoint);
/// @param[in,out] totals  with the names of what is set-valued in `events`
/// @param path  of the checkpoint  @throws base::InputError where it has none of it
void restore_contact_totals(const results::Checkpoint& checkpoint, const std::string& path,
                            analyses::ContactTotals& totals);

/// The block `nonsmooth` of summary.json.
/// @param method  that the model asks for
results::RunSummary::Nonsmooth describe(const analyses::Monitor& monitor,
                                        solvers::friction::Method method);
/// Of totals alone.
results::RunSummary::Nonsmooth describe(const analyses::ContactTotals& totals,
                                        solvers::friction::Method method);
/// The same of statics, in which nothing is hit.
results::RunSummary::Nonsmooth describe(integrators::StaticContacts& contacts);

}  // namespace solidyn::simulation
