#pragma once
#include "reduction/basis/basis.h"
#include "solidyn/reduction/reduced_body.h"

namespace solidyn::reduction {

/// Collective. Gives a reduced body the displacement field of second order of its modes,
///   u = X q + 1/2 sum_ij Y_ij q_i q_j,
/// with Y_ij the static response of the free body to the strain 1/2 (H_i^T H_j + H_j^T H_i), H =
/// grad X, that linear elasticity leaves out. Y itself is never computed: what a mechanism sees of
/// it is linear, so that its static correction modes to unit loads suffice (reciprocity),
///   L . Y_ij = -int sigma^L : sym(H_i^T H_j) dV
/// and the loads are those at interfaces and points, on nodes and faces, and six that measure
/// sum m x Y^T. Fills inertia.C and the Y of interfaces, points and loads.
/// doc/theory/geometric_stiffening.md.
/// @param free_body with rigid regions its rows are needed: what holds a region is a force on its
///   nodes
/// @param loads those of body.loads
/// @param body its X has ghosts; its modes are elastic
/// Proved by SecondOrderField.* (tests/unit/reduction).
void add_second_order(const FreeBody& free_body, FreeBodySolver& solver, const Basis& basis,
                      const std::vector<LoadDefinition>& loads, ReducedBody& body);

/// Local. Whether interfaces of the body are rigid regions (RBE2).
bool has_rigid_regions(const FreeBody& body);

/// Local. @throws base::InputError when these options leave no second order: with rigid modes in
/// the basis, or with interfaces on virtual bodies
void check_second_order(const ReductionOptions& options);

}  // namespace solidyn::reduction
