#include "solidyn/beams/section.h"

#include <algorithm>
#include <cmath>

#include "solidyn/math/constants.h"

namespace solidyn::beams {
namespace {

// Timoshenko & Goodier: a b^3 (1/3 - 64/pi^5 b/a sum_odd tanh(k pi a/(2 b))/k^5), a >= b.
double rectangle_torsion(double a, double b) {
  if (a < b) std::swap(a, b);
  double sum = 0.0;
  for (int k = 1; k < 40; k += 2) sum += std::tanh(0.5 * k * math::kPi * a / b) / std::pow(k, 5);
  return a * b * b * b * (1.0 / 3.0 - 64.0 / std::pow(math::kPi, 5) * b / a * sum);
}

}  // namespace

Section make_rectangle(double y, double z, double nu) {
  Section s;
  s.area = y * z;
  s.I_y = y * z * z * z / 12.0;
  s.I_z = z * y * y * y / 12.0;
  s.torsion_constant = rectangle_torsion(y, z);
  s.shear_y = s.shear_z = 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu);
  s.outer_y = 0.5 * y;
  s.outer_z = 0.5 * z;
  return s;
}

Section make_circle(double r, double nu) {
  Section s;
  s.area = math::kPi * r * r;
  s.I_y = s.I_z = 0.25 * math::kPi * std::pow(r, 4);
  s.torsion_constant = 2.0 * s.I_y;
  s.shear_y = s.shear_z = 6.0 * (1.0 + nu) / (7.0 + 6.0 * nu);
  s.outer_y = s.outer_z = r;
  s.is_round = true;
  return s;
}

Section make_tube(double outer, double wall, double nu) {
  const double inner = outer - wall, m = inner / outer, q = 1.0 + m * m;
  Section s;
  s.area = math::kPi * (outer * outer - inner * inner);
  s.I_y = s.I_z = 0.25 * math::kPi * (std::pow(outer, 4) - std::pow(inner, 4));
  s.torsion_constant = 2.0 * s.I_y;
  s.shear_y = s.shear_z =
      6.0 * (1.0 + nu) * q * q / ((7.0 + 6.0 * nu) * q * q + (20.0 + 12.0 * nu) * m * m);
  s.outer_y = s.outer_z = outer;
  s.is_round = true;
  return s;
}

Section make_i_section(double width, double height, double flange, double web) {
  const double clear = height - 2.0 * flange;
  Section s;
  s.area = 2.0 * width * flange + clear * web;
  s.I_y = (width * std::pow(height, 3) - (width - web) * std::pow(clear, 3)) / 12.0;
  s.I_z = (2.0 * flange * std::pow(width, 3) + clear * std::pow(web, 3)) / 12.0;
  s.torsion_constant = 2.0 * rectangle_torsion(width, flange) + rectangle_torsion(clear, web);
  s.shear_y = 5.0 / 6.0 * 2.0 * width * flange / s.area;
  s.shear_z = web * height / s.area;
  s.outer_y = 0.5 * width;
  s.outer_z = 0.5 * height;
  return s;
}

double bending_stress(const Section& s, double M_y, double M_z) {
  const double by_y = std::abs(M_y) * s.outer_z / s.I_y, by_z = std::abs(M_z) * s.outer_y / s.I_z;
  return s.is_round ? std::hypot(by_y, by_z) : by_y + by_z;
}

}  // namespace solidyn::beams
