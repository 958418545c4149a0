#pragma once
// In place of your matrices: mass and stiffness of a free beam along x, six rows per node. Bending
// by Hermite's cubics, stretch and torsion by straight lines.
#include <solidyn/imported/matrices.h>

#include <array>
#include <vector>

struct Beam {
  int elements = 10;
  double length = 1.0;                                       // m
  double mass_per_length = 1.57, polar_per_length = 6.5e-5;  // kg/m, kg m
  double bending_xz = 350.0, bending_xy = 1400.0;            // EI of each plane, N m^2
  double stretch = 4.2e7, torsion = 370.0;                   // EA, N; GJ, N m^2
};

inline solidyn::imported::MatrixModel matrices_of(const Beam& beam) {
  const double l = beam.length / beam.elements, m = beam.mass_per_length * l;
  Eigen::Matrix4d K_bend, M_bend;
  K_bend << 12, 6 * l, -12, 6 * l, 6 * l, 4 * l * l, -6 * l, 2 * l * l, -12, -6 * l, 12, -6 * l,
      6 * l, 2 * l * l, -6 * l, 4 * l * l;
  M_bend << 156, 22 * l, 54, -13 * l, 22 * l, 4 * l * l, 13 * l, -3 * l * l, 54, 13 * l, 156,
      -22 * l, -13 * l, -3 * l * l, -22 * l, 4 * l * l;
  Eigen::Matrix2d spring, bar;
  spring << 1, -1, -1, 1;
  bar << 2, 1, 1, 2;
  const Eigen::Matrix4d slope =
      Eigen::Vector4d(1, -1, 1, -1).asDiagonal();  // that of z is -theta_y
  const int n = 6 * (beam.elements + 1);
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n), M = K;
  for (int a = 0; a < n - 6; a += 6) {
    const std::array<int, 4> y = {a + 1, a + 5, a + 7, a + 11}, z = {a + 2, a + 4, a + 8, a + 10};
    const std::array<int, 2> x = {a, a + 6}, about_x = {a + 3, a + 9};
    K(y, y) += beam.bending_xy / (l * l * l) * K_bend;
    K(z, z) += beam.bending_xz / (l * l * l) * (slope * K_bend * slope);
    K(x, x) += beam.stretch / l * spring;
    K(about_x, about_x) += beam.torsion / l * spring;
    M(y, y) += m / 420 * M_bend;
    M(z, z) += m / 420 * (slope * M_bend * slope);
    M(x, x) += m / 6 * bar;
    M(about_x, about_x) += beam.polar_per_length * l / 6 * bar;
  }
  solidyn::imported::MatrixModel model;
  for (int row = 0; row < n; ++row) model.dofs.push_back({row / 6 + 1, row % 6 + 1});
  model.stiffness = solidyn::imported::to_matrix(K.sparseView(), "stiffness");
  model.mass = solidyn::imported::to_matrix(M.sparseView(), "mass");
  return model;
}
