#pragma once
#include "model/joints/joint_entry.h"

/// Equations between coordinates of joints.
namespace solidyn::model {

/// factor * coordinate of a joint.
struct CouplingTerm {
  std::string joint;
  JointFreedom coordinate = JointFreedom::rotation;  ///< or translation
  double factor = 1.0;                               ///< per rad or per m
  std::optional<math::TimeFunction> law = {};  ///< by rad or m, instead of factor * coordinate
};

/// "angle" or "translation".
const char* word_of_coordinate(JointFreedom freedom);

/// The sum of the terms is `constant`.
class CouplingEntry : public JointEntry {
 public:
  std::vector<CouplingTerm> terms;
  double constant = 0.0;

  std::string acts_on() const override;
  int n_multipliers() const override { return 1; }
  void build(const Builder& builder) const override;

 protected:
  /// Adds a term of the joint that `key` names, or complains: there is none, or it has no such
  /// coordinate.
  void add_term(const TableView& view, const char* key, const CouplingTerm& term,
                const Names& names);
};

/// A complaint about a factor that couples nothing.
void refuse_zero(const TableView& view, const char* key);

}  // namespace solidyn::model
