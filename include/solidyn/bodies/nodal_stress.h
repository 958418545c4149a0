#pragma once
#include <mpi.h>

#include <functional>
#include <vector>

#include "solidyn/bodies/body.h"
#include "solidyn/fem/stress_recovery.h"

namespace solidyn::bodies {

class FloatingFrameBody;
class SolidBody;

/// Collective. Stress at some nodes of a body in one of its states: [6 x n_nodes] (xx, yy, zz, xy,
/// yz, zx), Pa, in the body's axes (BodyState::R_WB turns them into the world's, which they are for
/// absolute coordinates).
using NodalStress = std::function<Eigen::Matrix<double, 6, Eigen::Dynamic>(const BodyState&)>;

/// sigma = S w. @param S [6 n_nodes x n_modes]
NodalStress modal_stress(Eigen::MatrixXd S);

/// Of small displacements from the body's frame, by fem::StressRecovery. Collective.
/// @param body must outlive the result @param nodes owned nodes of this rank
NodalStress floating_frame_stress(const FloatingFrameBody& body, const fem::Sections& sections,
                                  std::vector<std::int32_t> nodes);

/// Cauchy stress of the body's material law. @param body must outlive the result
NodalStress solid_stress(const SolidBody& body, std::vector<std::int32_t> nodes);

/// Collective. The column with the largest von Mises stress on all ranks; of several the one on the
/// lowest rank. Zero when no rank has a column.
fem::Stress find_largest_stress(MPI_Comm comm,
                                const Eigen::Matrix<double, 6, Eigen::Dynamic>& sigma);

}  // namespace solidyn::bodies
