#pragma once
#include <Eigen/Dense>
#include <string>
#include <vector>

namespace solidyn::reduction {

struct ReducedBody;

/// What a reduced body misses of its mesh. Needs the mesh's factor: made by reduce() on request.
struct QualityCheck {
  /// The lowest elastic frequencies of the mesh, Hz, as many as are compared.
  Eigen::VectorXd full_frequencies;
  /// |K x - omega^2 M x| / |omega^2 M x| of every mode, on the mesh; 0 for rigid modes.
  Eigen::VectorXd residuals;
  /// Condition number (2-norm) of the vectors that the basis was made of, each of unit strain
  /// energy, before they were made orthonormal; those that others span are left out. 1: only
  /// eigenmodes. Above about 1e4 some are nearly linearly dependent.
  double vector_condition = 1.0;
  /// 1 - c / c_full per interface and direction (forces, then torques about x, y, z): by how much
  /// the reduced body is too stiff where a unit load acts, the rest of it free. Never negative but
  /// for rounding, since modes only stiffen.
  Eigen::VectorXd static_errors;
  double mass_error = 0.0;     ///< |m - m_full| / m_full
  double inertia_error = 0.0;  ///< |J - J_full| / |J_full|, about the centre of mass
};

/// Natural modes with one interface held, by the reduced body alone, and what of the body's mass
/// moves with a shaking base in them: effective_mass(d, i) = (phi_i^T M r_d)^2, r_d the unit rigid
/// motions of the interface's frame. Their sum over all modes of the mesh is the mass or moment of
/// inertia itself.
struct FixedBaseModes {
  Eigen::VectorXd frequencies;                              ///< Hz, ascending
  Eigen::Matrix<double, 6, Eigen::Dynamic> effective_mass;  ///< kg, kg m^2 about the frame
  Eigen::Matrix<double, 6, 1> total;                        ///< mass (three times), inertia
};
FixedBaseModes compute_fixed_base_modes(const ReducedBody& body, std::size_t interface);

/// A step for the integrator: 20 per period of the highest requested eigenmode (free-free
/// or fixed-interface; without one, the lowest mode there is), s.
double recommended_step(const ReducedBody& body);

/// What a user reads below the table of modes: the range of frequencies and the step, modes with
/// the first interface held, the interfaces' nodes, and, with a check, what is missed.
/// @param check may be null
std::string format_quality(const ReducedBody& body, const QualityCheck* check);

}  // namespace solidyn::reduction
