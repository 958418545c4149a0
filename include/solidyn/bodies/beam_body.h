#pragma once
#include <array>
#include <optional>

#include "solidyn/beams/beam_element.h"
#include "solidyn/beams/beam_inertia.h"
#include "solidyn/beams/plane_beam.h"
#include "solidyn/beams/section.h"
#include "solidyn/bodies/element_body.h"
#include "solidyn/bodies/line_load.h"
#include "solidyn/bodies/prestrain.h"

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
  beams::TurnRule rule = beams::TurnRule::magnus;
  ElementStrains strains = ElementStrains::eliminated;
  /// Stretch, twist and curvatures about y and z whose value is given, whatever forces there are.
  std::array<bool, 4> is_driven = {};
  beams::Section section;  ///< for stresses; its numbers are in `rigidity` and the inertia
};

/// A section between the ends of an element, in its own axes.
struct SectionState {
  /// What the part of the beam beyond it exerts on the part before, N and N m about the centroid.
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), moment = Eigen::Vector3d::Zero();
  /// (e, gamma_y, gamma_z), and (twist, curvatures), rad/m: more than as modelled. Those that
  /// forces make are the forces by the section's stiffness.
  Eigen::Vector3d stretch = Eigen::Vector3d::Zero();
  Eigen::Vector3d curvature = Eigen::Vector3d::Zero();
};

/// A beam of elements whose generalized strains are eliminated (beams/beam_element.h), with their
/// inertia (beams/beam_inertia.h). P-STRAIN; doc/theory/beams.md.
/// Where an element's strains cannot be found the residual is not-a-number, and steps are refused.
/// Proved by BeamContract.* and tests/verification/beams.
class BeamBody final : public ElementBody {
 public:
  /// @param nodes their indices in the system  @param undeformed their poses without stress
  /// @throws base::InputError when an element has no strains in its undeformed pose
  BeamBody(std::string name, std::vector<BodyIndex> nodes,
           const std::vector<InitialMotion>& undeformed,
           const std::vector<BeamElementData>& elements);

  /// @pre before the first follow(); its parts name elements of the body
  void add_load(LineLoad load);

  int n_elements() const override { return static_cast<int>(elements_.size()); }
  std::vector<int> element_nodes(int e) const override {
    return {elements_[e].data.p, elements_[e].data.q};
  }
  /// In statics what strains it by itself has no rate.
  void set_coefficients(const TangentCoefficients& c) override { is_static_ = c.is_static(); }
  void follow(const Kinematics& kinematics) override;
  /// On the velocities of nodes(): what one component (0..2 force, 3..5 torque) of a load along the
  /// beam gives per N/m or N m/m, in the state of follow(). [6 nodes]
  /// @pre there is a load of this name
  Eigen::VectorXd unit_load(const std::string& load, int component) const;
  /// Has so much more of a load's component until this is said again: for differences of what
  /// sections carry, in states of the next follow().
  void vary_load(const std::string& load, int component, double by) const;
  void add_residual(const BodyState& state, const Eigen::Vector3d& gravity,
                    Eigen::Ref<Eigen::VectorXd> r) override;
  void add_element_tangent(int e, const Eigen::Vector3d& gravity, const TangentCoefficients& c,
                           Eigen::Ref<Eigen::MatrixXd> J_rate,
                           Eigen::Ref<Eigen::MatrixXd> J_q) const override;
  bool find_plane_tangent(int e, const Eigen::Vector3d& gravity, const TangentCoefficients& c,
                          PlaneTangent& tangent) const override;
  bool is_shaped_by_constraints() const override;
  Energy energy(const BodyState& state, const Eigen::Vector3d& gravity) const override;
  Momentum momentum(const BodyState& state) const override;
  double mass() const override { return mass_; }
  double radius_of_gyration() const override { return radius_of_gyration_; }
  double dissipation(const BodyState& state) const override;
  double load_power(const BodyState& state) const override;

  /// What makes it doubtful in the state of follow(), for a warning: an element that its tension
  /// makes unstable, where strains are eliminated. Empty when nothing does.
  std::string warning() const override;

  /// Strains of each element beyond those as modelled, without stress. @pre before the first
  /// follow()
  void set_prestrain(std::vector<Prestrain> of_elements);
  Prestrain prestrain(int e) const { return prestrain_.empty() ? Prestrain() : prestrain_[e]; }

  /// Strains and stresses of element `e`, in the state of follow().
  const beams::BeamElement& element(int e) const {
    elements_[e].look_in_space();
    return elements_[e].strain;
  }
  const BeamElementData& data(int e) const { return elements_[e].data; }

  /// At a fraction of element `e`'s length, in the state of follow(). Forces at its ends are those
  /// that keep it in motion: of stresses, damping, mass and loads. Between them the force is
  /// linear, and the moment what that makes of it. Not-a-number where strains cannot be found.
  /// @param elastic forces of an element whose strains are unknowns, on its sections; else zero
  SectionState section(int e, double fraction, const Eigen::Vector3d& gravity,
                       const beams::Vector12& elastic = beams::Vector12::Zero()) const;

 private:
  struct ElementLoad {
    std::size_t of;  // in loads_
    beams::BeamLoad load;
  };
  /// An element whose sections move in a plane of the world's axes that is one of their principal
  /// planes, to the last bit: then what would leave the plane is exactly zero, and stays so.
  struct PlaneAxes {
    int axis = 0;                  // of the sections, 1 or 2: along the plane's normal
    int U = 0, V = 0, normal = 0;  // axes of the world; U x V is the sections' axis
    double side = 1.0;             // of it along the normal, 1 or -1
    std::array<int, 2> turn{};     // about the normal: which component of the nodes' turns
    std::array<double, 2> sign{};  // and whether it is against it
    bool has_section(const beams::SectionMotion& section) const;
    bool has(const beams::SectionMotion& p, const beams::SectionMotion& q) const;
    beams::PlaneSection section(const beams::SectionMotion& section) const;
    Eigen::Vector2d in_plane(const Eigen::Vector3d& a) const { return {a[U], a[V]}; }
  };
  struct Plane {
    PlaneAxes axes;
    beams::PlaneBeam beam;
    bool is_known_in_space = false;  // what follow() would have found without the plane
  };
  struct Element {
    BeamElementData data;
    beams::BeamElement strain;
    beams::BeamInertia inertia;
    beams::SectionPair undeformed;
    beams::SectionMotion p, q;
    beams::SectionPair pair;
    bool is_found = true;
    beams::Vector6 gradient;  // of the elastic and the damping stresses, by the pose
    beams::Strains prestrain_rates, damped_rates;  // by time; those that dampers resist
    std::vector<ElementLoad> loads;
    bool has_following_load = false;
    std::optional<Plane> plane;
    bool is_in_plane = false;  // in the state of follow(), as `plane` says

    bool has_strains() const { return data.strains == ElementStrains::eliminated; }
    /// Of those that make stresses.
    beams::Strains strain_rates() { return strain.rows() * pair.rates(p, q) - damped_rates; }
    beams::Strains stresses();  // of strains and their rates
    void find_strains();
    void look_at_strains();  // even where they are unknowns of the system
    void find_gradient();
    bool follow_in_plane();
    std::optional<PlaneAxes> find_plane_axes(int axis) const;
    std::optional<beams::PlaneBeam> make_plane_beam(int axis) const;
    std::optional<Plane> find_plane() const;
    void begin_in_space();
    bool moves_in_plane(const Eigen::Vector3d& gravity) const;
    void add_forces_in_plane(const Eigen::Vector3d& gravity, Eigen::Ref<Eigen::VectorXd> r) const;
    void look_in_space();
    beams::Vector12 forces(const Eigen::Vector3d& gravity) const;
    void add_tangent(const Eigen::Vector3d& gravity, const TangentCoefficients& c,
                     beams::Matrix12& rate, beams::Matrix12& K);
    /// Stretches and curvatures of the section at `x`, whose force and moment are known.
    void strain_section(double x, SectionState& section);
    beams::MiddleSection middle() const;
    beams::MiddleSection middle_with_rows();
  };
  void strain_by_themselves(double t);
  beams::Vector12 load_forces(const Element& e) const;
  beams::Matrix12 load_stiffness(Element& e) const;

  mutable std::vector<Element> elements_;  // an element keeps its last linearisation
  mutable std::vector<LineLoad> loads_;
  std::vector<Prestrain> prestrain_;  // of each element, or none
  bool has_prestrain_ = false, is_static_ = false;
  double mass_ = 0.0, radius_of_gyration_ = 0.0;
};

}  // namespace solidyn::bodies
