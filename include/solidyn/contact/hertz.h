#pragma once
#include <Eigen/Dense>

namespace solidyn::contact {

/// E* of two elastic bodies: 1/E* = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2, Pa.
double effective_modulus(double E_1, double nu_1, double E_2, double nu_2);

/// K of Hertz' law F = K d^1.5 for two surfaces with relative principal curvatures (1/m, both
/// positive): a circular patch where they are equal, K = 4/3 E* sqrt(R), else an elliptic one
/// (Johnson, Contact Mechanics, 4.25-4.32). N/m^1.5. Proved by tests/verification/contact.
double hertz_stiffness(double effective_modulus, const Eigen::Vector2d& curvatures);

}  // namespace solidyn::contact
