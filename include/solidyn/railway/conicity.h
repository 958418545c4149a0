#pragma once
#include <optional>
#include <vector>

#include "solidyn/railway/wheelset_geometry.h"

namespace solidyn::railway {

/// Difference of the rolling radii, left minus right, over the lateral position, linear between
/// points.
struct RadiusDifference {
  std::vector<double> y;   ///< m, increasing
  std::vector<double> dr;  ///< m
  double at(double position) const;
  /// From the first point to `position`, m^2.
  double integral(double position) const;
};

/// A jump of a contact point as the wheelset moves to the left.
struct ContactJump {
  double y = 0.0;                        ///< m
  double u_before = 0.0, u_after = 0.0;  ///< on the wheel, m
  bool is_left = false;
};

/// Where the contact of either wheel leans most.
struct SteepestContact {
  double y = 0.0;      ///< distance from the centre, m
  double angle = 0.0;  ///< rad
};

struct RadiusDifferenceTable {
  RadiusDifference difference;
  SteepestContact steepest;
  std::vector<ContactJump> jumps;
};

/// From -range to range in steps of at most `step`, and on both sides of each jump of a contact
/// point.
RadiusDifferenceTable tabulate(const WheelsetOnTrack& wheelset, double range, double step = 1e-4);

/// tan(gamma_e) at an amplitude A, half the width of the motion, m; nothing where the table does
/// not reach so far or where the wheelset would not come back. EN 15302: the cone on which a
/// wheelset has the wavelength of the motion between y_min and y_max = y_min + 2 A by Klingel's
/// nonlinear equation  y'' = -dr(y) / (e r_0), in which e r_0 cancels.
std::optional<double> equivalent_conicity(const RadiusDifference& table, double amplitude);
/// By harmonic linearisation: dr and its motion A sin t have the same first harmonic.
std::optional<double> harmonic_conicity(const RadiusDifference& table, double amplitude);
/// Half the slope of the straight line through dr over -A to A by least squares.
std::optional<double> regression_conicity(const RadiusDifference& table, double amplitude);

}  // namespace solidyn::railway
