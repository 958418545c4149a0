#pragma once
#include <Eigen/Dense>
#include <vector>

#include "solidyn/railway/elliptic_contact.h"

namespace solidyn::railway {

/// The share of the overlap down to which bodies that are moved into each other without deformation
/// have about the patch of elastic ones (Piotrowski and Kik, Vehicle System Dynamics 46, 2008).
constexpr double kInterpenetration = 0.55;

/// Overlap of wheel and rail across a patch: place along the common tangent and overlap along the
/// normal, m, in the order of the place; what is not positive ends it.
using OverlapSection = std::vector<Eigen::Vector2d>;

/// The zone in which the bodies, moved into each other by kInterpenetration of the largest overlap
/// d, overlap: half as long as sqrt((o - (1 - kInterpenetration) d)/A) where the overlap is o. It
/// is stretched along and across so that the zone of a parabola becomes Hertz' ellipse.
struct InterpenetrationZone {
  double a = 0.0, b = 0.0;  ///< of the ellipse of the same area and ratio of second moments, m
  double B = 0.0;           ///< of the parabola whose zone has that ratio of moments, 1/m
  double along = 1.0, across = 1.0;  ///< by how much it is stretched
};
/// @param A  curvature along rolling as in ContactGeometry, 1/m
/// @param narrowest  variance across that is the least resolved, m^2
InterpenetrationZone interpenetration_zone(const OverlapSection& section, double A,
                                           double narrowest, const ElasticMaterial& material);

/// The normal force of the pressure p ~ sqrt(l^2 - x^2), l the zone's half length at a place
/// across: half spaces under it are as deep below the largest overlap as they overlap there.
///   N = pi E d/(2 (1 - nu^2)) * (integral of sqrt(l^2 - x^2)) / (integral of that over the
///   distance)
/// Of a parabola it is Hertz' force. Proved by RailOverlap.ParabolicGapHasHertzForceAndEllipse.
double interpenetration_force(const OverlapSection& section, double A,
                              const InterpenetrationZone& zone, const ElasticMaterial& material);

}  // namespace solidyn::railway
