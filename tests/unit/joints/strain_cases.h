#pragma once
#include <string>

#include "random_bodies.h"
#include "solidyn/joints/strain_constraint.h"
#include "solidyn/system/system.h"

namespace solidyn::joints {

// Elements with strains as unknowns, fixed or prescribed: what P-STRAIN makes of one relation.

/// Between two new nodes; `free` says which strains are unknowns, carried by `strains` (-1: none).
inline void add_strains(system::System& s, std::mt19937& g, const Eigen::MatrixXd& free,
                        bodies::BodyIndex strains, const std::string& law,
                        std::unique_ptr<beams::StrainRelation> relation) {
  const int n = relation->n_strains();
  StrainEnd ends[2];
  for (StrainEnd& end : ends) {
    end.body = s.add_body(bodies::make_virtual_body("node"), {});
    end.R = testing_support::random_rotation(g).toRotationMatrix();
  }
  StrainUse use;
  use.body = strains;
  use.free = free;
  use.fixed = testing_support::random_vector(g, n, 0.2);
  if (!law.empty()) use.laws.assign(n, math::TimeFunction::expression(law));
  use.by_laws = Eigen::MatrixXd::Identity(n, n);
  s.add_constraint(std::make_unique<StrainConstraint>("element", ends[0], ends[1], std::move(use),
                                                      std::move(relation)));
}

inline beams::BeamCurve curve_of(double length) {
  return {length, 0.03, 0.02, beams::TurnRule::lobatto};
}

/// A rod between two ball joints that changes its length.
inline void add_bar(system::System& s, std::mt19937& g) {
  add_strains(s, g, {}, bodies::kGround, "0.3*sin(2*t)", std::make_unique<beams::BarRelation>(1.3));
}

inline void add_rigid_link(system::System& s, std::mt19937& g) {
  add_strains(s, g, {}, bodies::kGround, "", std::make_unique<beams::BeamRelation>(curve_of(0.8)));
}

/// Of length zero, with mean torsion as its one free strain.
inline void add_hinge(system::System& s, std::mt19937& g, bodies::BodyIndex strains) {
  Eigen::MatrixXd torsion = Eigen::MatrixXd::Zero(7, 1);
  torsion(1, 0) = torsion(4, 0) = 1.0;
  add_strains(s, g, torsion, strains, "", std::make_unique<beams::BeamRelation>(curve_of(0.0)));
}

/// Three strains are free; all of them are driven besides.
inline void add_driven_beam(system::System& s, std::mt19937& g, bodies::BodyIndex strains) {
  const Eigen::MatrixXd free = Eigen::MatrixXd::Identity(7, 7).middleCols(1, 3);
  add_strains(s, g, free, strains, "0.1*t + 0.2*sin(3*t)",
              std::make_unique<beams::BeamRelation>(curve_of(0.9)));
}

}  // namespace solidyn::joints
