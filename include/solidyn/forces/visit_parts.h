#pragma once
#include "solidyn/forces/force.h"

namespace solidyn::forces {

/// What acts on bodies: the force itself, or where it has_parts() each of those of the state that
/// follow() has seen last. visit(const Force&).
template <class Visit>
void visit_parts(const Force& force, Visit&& visit) {
  if (!force.has_parts()) visit(force);
  for (const Force* part : force.parts()) visit(*part);
}

}  // namespace solidyn::forces
