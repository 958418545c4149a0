#pragma once
#include "integrators/contact_points.h"
#include "solidyn/integrators/static_contacts.h"

namespace solidyn::integrators {

/// The stiffness that corrections of statics have against every motion where contacts alone may
/// hold a body: that of the forces at the mechanism's length, times a factor that grows where it is
/// not enough and falls while bodies move freely (doc/theory/static_contacts.md). Local.
class StaticProximalTerm {
 public:
  /// @param system, equations, points  must outlive this
  StaticProximalTerm(system::System& system, StaticEquations& equations,
                     const ContactPoints& points)
      : system_(system), equations_(equations), points_(points) {}

  /// Of a load step. @post StaticEquations::evaluate(s)
  void begin(const system::State& s);
  double force() const { return force_; }  ///< N, the largest that there is
  double stiffness() const;                ///< N/m
  /// The same; 0 where the tangent is stiffer than that.
  double needed_stiffness() const { return is_needed_ ? stiffness() : 0.0; }

  void begin_correction();
  /// @return false where it is too large
  bool harden();
  void soften();
  bool is_hard() const;  ///< as only surfaces of small radii ask for
  /// Of the tangent without it, along the correction x with these changes of forces.
  bool is_downhill(const Eigen::SparseMatrix<double>& W, const Eigen::VectorXd& change,
                   double stiffness, const Eigen::VectorXd& rhs, const Eigen::VectorXd& x) const;

 private:
  Eigen::VectorXd diagonal(double stiffness) const;
  double forces_size(const system::State& s);
  bool is_stiff(const system::State& s);

  system::System& system_;
  StaticEquations& equations_;
  const ContactPoints& points_;
  double force_ = 0.0, factor_ = 1.0;
  bool is_needed_ = true;
};

}  // namespace solidyn::integrators
