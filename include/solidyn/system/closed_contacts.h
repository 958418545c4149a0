#pragma once
#include <string>
#include <vector>

#include "solidyn/system/system.h"

namespace solidyn::system {

struct Linearisation;

/// Whether forces have set-valued laws: contacts, stops, clutches.
bool has_set_valued_contacts(const System& system);

/// A direction in which a closed set-valued contact, or such a law of a joint, holds the bodies:
/// one of SetValued::directions().
struct ContactRow {
  ForceIndex force;
  int point = 0;
  int direction = 0;
};

/// What set-valued contacts are to small motions about a state: those that stick hold all their
/// directions, those without friction, stops that are reached and clutches that hold their normal.
struct ClosedContacts {
  std::vector<ContactRow> rows;
  /// Names, with the point's number where there are several.
  std::vector<std::string> sticking, holding, open;
  std::vector<std::string> unloaded;  ///< of those that hold: closed without a force
  std::vector<std::string> slipping;  ///< dry friction that slides, which has no linear form
};
/// @pre System::update() of the state. Local.
ClosedContacts find_closed_contacts(const System& system);
/// "floor, point 1 sticks, ...": a line each for what sticks, holds and is open.
std::string describe(const ClosedContacts& contacts);

/// Adds what is held as position-level rows behind those of constraints, those that follow from
/// others left out, with B = G^T: their multipliers are forces with the sign reversed. Their
/// turning with the bodies is in K as that of any force. @pre System::update(state)
/// @throws base::ComputationError where contacts are closed and the state is not at rest, or where
/// one slides with friction. Local.
void hold_closed_contacts(const System& system, const State& state, Linearisation& linear);

}  // namespace solidyn::system
