#pragma once
#include "solidyn/fem/material.h"

namespace solidyn::fem {

/// The elasticity of one element after the other: made once where they do not differ.
class ElementElasticity {
 public:
  explicit ElementElasticity(const Material& material)
      : material_(material), elasticity_(material, Eigen::Vector3d::Zero()) {}

  /// @param x [3 x n] the element's nodes; their mean is where material axes are taken
  template <class Nodes>
  const Elasticity& at(const Nodes& x) {
    if (!material_.is_uniform())
      elasticity_ = Elasticity(material_, Eigen::Vector3d(x.rowwise().mean()));
    return elasticity_;
  }

 private:
  const Material& material_;
  Elasticity elasticity_;
};

}  // namespace solidyn::fem
