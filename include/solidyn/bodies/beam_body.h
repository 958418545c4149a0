#pragma once
#include "solidyn/beams/beam_element.h"
#include "solidyn/beams/beam_inertia.h"
#include "solidyn/bodies/element_body.h"
#include "solidyn/bodies/line_load.h"

namespace solidyn::bodies {

/// Where the strains of an element are: inside it, found for every pose, or unknowns of the system
/// (system/beam_strains.h), which then have its elastic forces.
enum class ElementStrains { eliminated, unknown };

/// One element of a beam, as its nodes and its section give it.
struct BeamElementData {
  int p = 0, q = 1;  ///< places of its nodes among the body's
  /// Axes of the section at either node, x along the beam, in the node's axes.
  Eigen::Matrix3d R_p = Eigen::Matrix3d::Identity(), R_q = Eigen::Matrix3d::Identity();
  double length = 0.0;  ///< m, along the undeformed centre line
  beams::Rigidity rigidity;
  double mass_per_length = 0.0;  ///< kg/m
  /// kg m, about the section's x, y, z; zero leaves its own inertia out
  Eigen::Vector3d inertia_per_length = Eigen::Vector3d::Zero();
  double damping = 0.0;  ///< s: stresses of rates are those of strains times it, S_d = damping S
  beams::Torsion torsion = beams::Torsion::linear;
  beams::TurnRule rule = beams::TurnRule::lobatto;
  ElementStrains strains = ElementStrains::eliminated;
};

/// A beam of elements whose generalized strains are eliminated (beams/beam_element.h), with their
/// inertia (beams/beam_inertia.h). P-STRAIN; doc/theory/beams.md.
/// Where an element's strains cannot be found the residual is not-a-number, and steps are refused.
/// Proved by BeamContract.* and tests/verification/beams.
class BeamBody final : public ElementBody {
 public:
  /// @param nodes their indices in the system  @param undeformed their poses without stress
  /// @throws base::InputError when an element has no strains in its undeformed pose
  BeamBody(std::string name, std::vector<int> nodes, const std::vector<InitialMotion>& undeformed,
           const std::vector<BeamElementData>& elements);

  /// @pre before the first follow(); its parts name elements of the body
  void add_load(LineLoad load);

  int n_elements() const override { return static_cast<int>(elements_.size()); }
  std::vector<int> element_nodes(int e) const override {
    return {elements_[e].data.p, elements_[e].data.q};
  }
  void follow(const Kinematics& kinematics) override;
  void add_residual(const BodyState& state, const Eigen::Vector3d& gravity,
                    Eigen::Ref<Eigen::VectorXd> r) override;
  void add_element_tangent(int e, const Eigen::Vector3d& gravity, const TangentCoefficients& c,
                           Eigen::Ref<Eigen::MatrixXd> J_rate,
                           Eigen::Ref<Eigen::MatrixXd> J_q) const override;
  Energy energy(const BodyState& state, const Eigen::Vector3d& gravity) const override;
  Momentum momentum(const BodyState& state) const override;
  double mass() const override { return mass_; }
  double radius_of_gyration() const override { return radius_of_gyration_; }
  double dissipation(const BodyState& state) const override;
  double load_power(const BodyState& state) const override;

  /// Strains and stresses of element `e`, in the state of follow().
  const beams::BeamElement& element(int e) const { return elements_[e].strain; }
  const BeamElementData& data(int e) const { return elements_[e].data; }

 private:
  struct ElementLoad {
    std::size_t of;  // in loads_
    beams::BeamLoad load;
  };
  struct Element {
    BeamElementData data;
    beams::BeamElement strain;
    beams::BeamInertia inertia;
    beams::SectionMotion p, q;
    beams::SectionPair pair;
    bool is_found = true;
    beams::Vector6 gradient;  // of the elastic and the damping stresses, by the pose
    std::vector<ElementLoad> loads;
    bool has_following_load = false;

    bool has_strains() const { return data.strains == ElementStrains::eliminated; }
    beams::Strains strain_rates() { return strain.rows() * pair.rates(p, q); }
    void find_strains();
    void find_gradient();
    beams::Vector12 forces(const Eigen::Vector3d& gravity) const;
    void add_tangent(const Eigen::Vector3d& gravity, const TangentCoefficients& c,
                     beams::Matrix12& rate, beams::Matrix12& K);
    beams::MiddleSection middle() const;
    beams::MiddleSection middle_with_rows();
  };
  beams::Vector12 load_forces(const Element& e) const;
  beams::Matrix12 load_stiffness(Element& e) const;

  mutable std::vector<Element> elements_;  // an element keeps its last linearisation
  std::vector<LineLoad> loads_;
  double mass_ = 0.0, radius_of_gyration_ = 0.0;
};

}  // namespace solidyn::bodies
