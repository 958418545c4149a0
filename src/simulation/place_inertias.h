#pragma once
#include "solidyn/model/build.h"
#include "solidyn/results/summary.h"
#include "solidyn/simulation/run.h"

/// The analysis `reflected_inertia`: its numbers, and what is said of them.
namespace solidyn::simulation {

using PlaceInertias = std::vector<results::RunSummary::PlaceInertia>;

/// Collective. Of analysis number `index` at this state, in the unknowns of the model's
/// formulation. Leaves the kinematics there.
PlaceInertias find_place_inertias(const model::ModelDescription& description,
                                  model::BuiltModel& built, std::size_t index,
                                  const model::ReflectedInertiaDescription& analysis,
                                  const system::State& state);
/// For the table of a sweep, of each place and choice of axes the last state: motions, masses and
/// moments of inertia, those of what is held not a number. `arm.hand.mass_x` along axes of the
/// world, `arm.hand.own_mass_x` along those of the place.
std::vector<NamedNumber> numbers_of(const PlaceInertias& places);
/// For a terminal.
std::string inertia_table(const PlaceInertias& places);
/// What would hold the mechanism, and has no part in these numbers: friction of joints, set-valued
/// contacts, stops and clutches that are closed. @pre System::update() of the state
void warn_of_what_is_left_out(const char* name, const system::System& system);

}  // namespace solidyn::simulation
