#pragma once
#include <complex>
#include <functional>
#include <optional>
#include <vector>

#include "solidyn/analyses/minimal_coordinates.h"

namespace solidyn::analyses {

/// One natural motion x(t) = Re(shape e^(s t)) of a linearised system.
struct Mode {
  enum class Kind {
    rigid,        ///< s = 0: nothing brings it back, and once it moves it continues
    neutral,      ///< s = 0: stays where it is put; a damper or a rolling body stops it
    oscillation,  ///< s and its conjugate
    aperiodic     ///< s real: decays, or grows
  };
  Kind kind = Kind::oscillation;
  std::complex<double> s;  ///< 1/s; imag >= 0
  Eigen::VectorXcd shape;  ///< [n_x] in the increments x of the linearisation
  /// Relative error of s by how far the mode misses its equation; of s = 0 relative to the lowest
  /// of the others. 0 where it is exact.
  double residual = 0.0;

  double frequency() const { return s.imag() / (2.0 * M_PI); }             ///< damped, Hz
  double natural_frequency() const { return std::abs(s) / (2.0 * M_PI); }  ///< Hz
  /// Of critical damping; negative: grows.
  double damping_ratio() const { return s == 0.0 ? 0.0 : -s.real() / std::abs(s); }
};

/// How well find_modes() has found the eigenvalues of a linearised system.
struct ModeSearch {
  /// Of the n_y + n_u eigenvalues, zeros counted as often as they are; negative: too many.
  int n_missing = 0;
  double missed_by = 0.0;  ///< the largest Mode::residual of those that are not zero
  struct Poor {
    int n_missing = 0;
    double missed_by = 0.0;
    /// 1/s: the fastest of those that were then taken for zeros, by their number alone; 0 where
    /// none is faster than round-off of the highest rate makes a zero.
    double taken_for_zero = 0.0;
  };
  /// What it was where zeros were taken off first, if the modes were found otherwise.
  std::optional<Poor> without_zeros;
};

/// The rigid and neutral modes and the `count` others of lowest |s|, in this order. Eigenvalues
/// that are zero are taken off first, by the null spaces of the matrices within their round-off;
/// the others are found by inversion about a shift near the lowest of them, so that these are as
/// accurate as the matrices are, however stiff the rest is. Where eigenvalues are missing then, or
/// miss the equations by more than 1e-4, they are looked for about a ladder of shifts with the
/// zeros among them, and taken from there if that is better. Shapes have modal mass 1 (shape^H M
/// shape), and are real for natural vibrations. Proved by tests/verification/linearisation.
std::vector<Mode> find_modes(const system::Linearisation& linear, const MinimalCoordinates& m,
                             int count, ModeSearch* search = nullptr);

/// The same for systems at rest with thousands of unknowns, without minimal coordinates: SLEPc's
/// TOAR on (s^2 [M 0; 0 0] + s [D 0; 0 0] + [K B; G 0]) [x; mu] = 0 with the inverse about a real
/// shift by MUMPS; options with the prefix -mechanism_. The infinite eigenvalues of constraints
/// become zeros of the inverse and do not show. Residuals are those of these equations. What it
/// finds several times is told from multiple eigenvalues by the shapes.
/// @pre the linearisation is at rest
/// @throws base::ComputationError where it converges to fewer modes
std::vector<Mode> find_sparse_modes(const system::Linearisation& linear, int count);

/// The part of a mode's kinetic energy that each body has; 0 to 1. [n_bodies] Superelements have it
/// in the bodies that carry their interfaces.
Eigen::VectorXd energy_shares(const system::System& system, const system::Linearisation& linear,
                              const Mode& mode);

/// system::linearise() or recursive::linearise() of a system, in the axes that were chosen.
using Linearise = std::function<system::Linearisation(const system::State&)>;

/// How much the coefficients of the linearised equations change in the modes' own motions while the
/// motion that they are about continues by its own size: 0 in steady motion. Modes of coefficients
/// that change, or begin to, hold for one instant only; infinity where the constraints do.
/// @param linearise  what `linear` comes from
double unsteadiness(system::System& system, const system::State& state, const Linearise& linearise,
                    const system::Linearisation& linear, const MinimalCoordinates& m,
                    const std::vector<Mode>& modes);

}  // namespace solidyn::analyses
