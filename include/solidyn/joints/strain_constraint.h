#pragma once
#include <memory>

#include "solidyn/beams/strain_relation.h"
#include "solidyn/joints/constraint.h"
#include "solidyn/math/time_function.h"

namespace solidyn::joints {

/// What a StrainConstraint takes for the strains of its element: eps = fixed + free y +
/// by_laws laws(t).
struct StrainUse {
  /// Carrier of the free strains y, a bodies::StrainBody; kGround when none is free.
  BodyIndex body = bodies::kGround;
  Eigen::MatrixXd free;                  ///< [n_strains x n free]
  Eigen::VectorXd fixed;                 ///< [n_strains]
  std::vector<math::TimeFunction> laws;  ///< of time
  Eigen::MatrixXd by_laws;               ///< [n_strains x laws]
};

/// An end of an element: a body with six velocities, and the section's axes in the body's.
struct StrainEnd {
  BodyIndex body = bodies::kGround;
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
};

/// C(pose, eps) = 0 of an element as constraints of the system, P-STRAIN (2), (19)-(23): between
/// the bodies at its ends and its free strains. Multipliers are the forces of the element.
/// Proved by ConstraintContract.*, BeamContract.* and BeamOnBothPaths.*.
class StrainConstraint final : public Constraint {
 public:
  StrainConstraint(std::string name, const StrainEnd& p, const StrainEnd& q, StrainUse strains,
                   std::unique_ptr<beams::StrainRelation> relation);

  void evaluate(const bodies::Kinematics& kinematics, double t,
                ConstraintValues& values) const override;
  void evaluate_rates(const bodies::Kinematics& kinematics, double t,
                      ConstraintValues& values) const override;
  void add_stiffness(const bodies::Kinematics& kinematics, double t,
                     const Eigen::Ref<const Eigen::VectorXd>& lambda, double weight,
                     Eigen::Ref<Eigen::MatrixXd> K) const override;
  bool is_rheonomic() const override { return !strains_.laws.empty(); }
  const StrainConstraint* as_strains() const override { return this; }
  std::string row_name(int row) const override;

  /// Generalised forces of the element on its sections, p and q, as of beams::SectionPair.
  beams::Vector12 section_forces(const bodies::Kinematics& kinematics, double t,
                                 const Eigen::Ref<const Eigen::VectorXd>& lambda) const;

 private:
  struct Ends {
    Ends(const beams::SectionMotion& p, const beams::SectionMotion& q) : p(p), q(q), pair(p, q) {}
    beams::SectionMotion p, q;
    beams::SectionPair pair;
  };
  Ends read(const bodies::Kinematics& kinematics, double t) const;
  beams::Matrix12 section_map() const;

  StrainEnd p_, q_;
  StrainUse strains_;
  std::unique_ptr<beams::StrainRelation> relation_;  // at the state of read()
};

}  // namespace solidyn::joints
