#pragma once

namespace solidyn::railway {

/// Kalker's coefficients of linear creep theory.
struct KalkerCoefficients {
  double c11 = 0.0, c22 = 0.0, c23 = 0.0, c33 = 0.0;
};

/// Of a patch of half axes in the ratio a/b, a along rolling: Kalker's table from 1/10 to 10
/// (linear in the ratio of the smaller to the larger axis, and through 0, 1/4 and 1/2 in Poisson's
/// ratio by the parabola of 1/c); beyond, his asymptotes, multiplied so that they meet the table at
/// its ends and are exact in the limit. Kalker, Three-Dimensional Elastic Bodies in Rolling Contact
/// (1990), table E3. Proved by Kalker.*
/// @throws base::InputError unless a/b > 0 and 0 <= nu <= 1/2
KalkerCoefficients kalker_coefficients(double a_over_b, double poissons_ratio);

/// Whether the table reaches there.
bool is_in_kalker_table(double a_over_b);

}  // namespace solidyn::railway
