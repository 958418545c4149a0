#pragma once
#include "solidyn/materials/material.h"

namespace solidyn::test {

/// Three stiffnesses, none alike, in axes that are those of nothing else.
inline materials::OrthotropicElastic orthotropic() {
  return {{1500.0, 600.0, 900.0}, {0.35, 0.2, 0.25}, {250.0, 400.0, 320.0}, 2.0};
}

inline Eigen::Matrix3d odd_axes() {
  return Eigen::AngleAxisd(0.7, Eigen::Vector3d(1.0, 2.0, -0.5).normalized()).toRotationMatrix();
}

inline materials::Material orthotropic_in_odd_axes() {
  materials::Material material = orthotropic();
  material.axes.R = odd_axes();
  return material;
}

inline materials::Material orthotropic_around_an_axis() {
  materials::Material material = orthotropic_in_odd_axes();
  material.axes.kind = materials::Axes::Kind::cylindrical;
  material.axes.origin = {0.1, 0.2, -0.4};
  material.axes.turn = Eigen::AngleAxisd(0.4, Eigen::Vector3d::UnitX()).toRotationMatrix();
  return material;
}

}  // namespace solidyn::test
