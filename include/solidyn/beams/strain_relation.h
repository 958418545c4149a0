#pragma once
#include <memory>

#include "solidyn/beams/beam_curve.h"
#include "solidyn/beams/section_pair.h"

namespace solidyn::beams {

/// Generalized strains defined implicitly, C(pose, eps) = 0, of an element between two sections
/// p and q, P-STRAIN (2). The pose is that of q seen from p, so that rigid motions leave C alone.
/// Derivatives are by [dD; psi] as of SectionPair, and by the strains. Local, no throw.
class StrainRelation {
 public:
  StrainRelation(int n_rows, int n_strains);
  virtual ~StrainRelation() = default;

  int n_rows() const { return static_cast<int>(value_.size()); }
  int n_strains() const { return static_cast<int>(by_strains_.cols()); }

  virtual void evaluate(const SectionPair& pair, const Eigen::VectorXd& strains) = 0;
  const Eigen::VectorXd& value() const { return value_; }            ///< C [n_rows]
  const Eigen::MatrixXd& by_pose() const { return by_pose_; }        ///< [n_rows x 6]
  const Eigen::MatrixXd& by_strains() const { return by_strains_; }  ///< [n_rows x n_strains]
  /// Change of [by_pose, by_strains]^T mu with [dD; psi; strains], mu constant.
  /// [(6 + n_strains) x (6 + n_strains)]
  virtual Eigen::MatrixXd second_derivative(const Eigen::VectorXd& mu) const = 0;

 protected:
  Eigen::VectorXd value_;
  Eigen::MatrixXd by_pose_, by_strains_;
};

/// The six constraints of a beam (58) on its seven strains. Of length zero, with torsion alone
/// free, it is a hinge about x; with no strain free, a rigid link.
class BeamRelation final : public StrainRelation {
 public:
  explicit BeamRelation(BeamCurve curve) : StrainRelation(6, 7), curve_(std::move(curve)) {}
  void evaluate(const SectionPair& pair, const Eigen::VectorXd& strains) override;
  Eigen::MatrixXd second_derivative(const Eigen::VectorXd& mu) const override;

 private:
  BeamCurve curve_;
  Eigen::Vector4d Q_, difference_;  // Q* o end_turn
  Matrix47 difference_rows_;
};

/// A bar, |D| = l (1 + eps): one strain and one constraint. With the strain fixed, a rigid rod
/// between two ball joints; with a prescribed one, an actuator.
class BarRelation final : public StrainRelation {
 public:
  explicit BarRelation(double length) : StrainRelation(1, 1), length_(length) {}
  void evaluate(const SectionPair& pair, const Eigen::VectorXd& strains) override;
  Eigen::MatrixXd second_derivative(const Eigen::VectorXd& mu) const override;

 private:
  double length_, distance_ = 0.0;
  Eigen::Vector3d direction_;
};

}  // namespace solidyn::beams
