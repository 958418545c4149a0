#pragma once
#include <Eigen/Dense>
#include <string>
#include <vector>

#include "solidyn/bodies/frame_pair.h"

namespace solidyn::forces {

/// What a set-valued law says of impacts and friction at its points (doc/theory/nonsmooth.md).
struct SetValuedLaw {
  enum class Kind {
    contact,   ///< of two surfaces: a gap, and friction from what presses
    stop,      ///< a coordinate that ends somewhere: a gap, and no friction
    clutch,    ///< a rate that is not negative: no gap, closed for ever
    friction,  ///< of a given size: no gap, no normal direction, closed for ever
    moment     ///< rolling or drilling friction of a contact, see below: closed where that is
  };
  /// What restitution is a ratio of: velocities (Newton), or impulses of the expansion and of the
  /// compression (Poisson). All points that may be hit together have the same.
  enum class ImpactLaw { newton, poisson };
  Kind kind = Kind::contact;
  ImpactLaw impact_law = ImpactLaw::newton;
  double pressing_force = 0.0;          ///< N; of `friction`, whose coefficients are parts of it
  double restitution = 0.0;             ///< 0..1
  double tangential_restitution = 0.0;  ///< 0..1; of velocities (Newton's law alone)
  double static_coefficient = 0.0, dynamic_coefficient = 0.0;  ///< mu_s >= mu_d >= 0
  /// v_S, m/s: mu = mu_d + (mu_s - mu_d) exp(-(v/v_S)^2) where it slips; 0: mu_d at once
  double stribeck_speed = 0.0;
  double slow_speed = 1e-3;  ///< m/s: slower impacts have no restitution
  /// m, of `contact`: |moment about the tangents| <= rolling r_N, |that about the normal| <=
  /// drilling r_N, each a point of its own, of the kind `moment`. Such a point has the moment over
  /// `arm` as its force, N, and the rate of turning times it as its velocity, m/s.
  double rolling = 0.0, drilling = 0.0;
  double arm = 0.0;  ///< m, > 0 where there are any: scales them
  int n_moments() const { return (rolling > 0.0 ? 1 : 0) + (drilling > 0.0 ? 1 : 0); }
  bool has_friction() const { return static_coefficient > 0.0; }
  bool has_gap() const { return kind == Kind::contact || kind == Kind::stop; }
  /// Whether SetValuedPoint::sticks says something: a clutch sticks where it is locked.
  bool can_stick() const { return has_friction() || kind == Kind::clutch; }
  /// Of a slip speed, m/s; of 0 that of sliding at once.
  double sliding_coefficient(double speed) const;
};

/// What is kept of a point from one accepted state to the next; a part of system::State::memory.
struct SetValuedPoint {
  enum class Phase { open, closed };
  Phase phase = Phase::open;
  bool sticks = false;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();    ///< N, on B, W
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();  ///< N s, on B, W, of the last step
  /// Falls by 1 in each step and rises by 3 with an impact: large where impacts follow each other
  /// faster than every third step.
  double crowding = 0.0;
  static constexpr int kSize = 9;
  void write(Eigen::Ref<Eigen::VectorXd> memory) const;
  static SetValuedPoint read(const Eigen::Ref<const Eigen::VectorXd>& memory) {
    return read(memory.data());
  }
  /// @param memory  kSize numbers, as those of the next, which read a part: it is asked for each
  /// point many times in a step
  static SetValuedPoint read(const double* memory) {
    SetValuedPoint point;
    point.phase = is_closed(memory) ? Phase::closed : Phase::open;
    point.sticks = memory[kStuck] == 1.0;
    point.force = Eigen::Map<const Eigen::Vector3d>(memory + kForce);
    point.impulse = Eigen::Map<const Eigen::Vector3d>(memory + kImpulse);
    point.crowding = memory[kCrowding];
    return point;
  }
  static bool is_closed(const double* memory) { return memory[kPhase] == 1.0; }
  static bool has_force(const double* memory) {
    return memory[kForce] != 0.0 || memory[kForce + 1] != 0.0 || memory[kForce + 2] != 0.0;
  }

 private:
  static constexpr int kPhase = 0, kStuck = 1, kForce = 2, kImpulse = 5, kCrowding = 8;
};

/// A force at points whose value no formula gives: it follows, with the motion, from laws such as
/// gap >= 0, force >= 0, gap force = 0 and Coulomb's cone. Integrators that know such laws
/// determine it, and keep it in the state; to everything else it is a force that is given.
/// Relative velocities u of a point are those of B against A, [normal, first, second tangent].
class SetValued {
 public:
  virtual ~SetValued() = default;
  virtual int n_points() const = 0;
  virtual const SetValuedLaw& law() const = 0;
  /// Of a point: another one where the point is a moment.
  virtual const SetValuedLaw& law_of(int) const { return law(); }
  /// Of a moment, the point before it whose normal force bounds it; of others -1.
  virtual int contact_of(int) const { return -1; }
  /// Of the state that was recalled last.
  virtual SetValuedPoint kept(int point) const = 0;
  /// What the model calls it, of the contacts or of the joints: "floor", "elbow.limits.upper".
  virtual std::string label() const = 0;
  /// Of one of its points, with its number where it has several: "floor, point 2".
  virtual std::string name_of(int point) const;
  /// Of the points of its pair of surfaces, from 0.
  virtual int number(int point) const { return point; }
  /// The two bodies, where there are several pairs of them: "ball3 ball7"; else empty.
  virtual std::string between(int) const { return {}; }
  /// Whether its gap is an angle, and its normal force a torque.
  virtual bool is_angle() const { return false; }

  /// Of a force with parts: its points come and go with the state that is recalled; whenever they
  /// have become others this is another number.
  virtual int version() const { return 0; }
  /// Where what is kept of a point is, in what the force remembers.
  virtual int memory_offset(int point) const { return point * SetValuedPoint::kSize; }
  /// What a point acts on, where that is less than all bodies of the force; else null.
  virtual const std::vector<bodies::BodyIndex>* bodies_of(int) const { return nullptr; }

  /// Of several points of a pair, whether this one is there now.
  virtual bool exists(const bodies::Kinematics&, int) const { return true; }
  /// Whether a surface moves by itself, so that its friction may do work on the bodies.
  virtual bool moves() const { return false; }
  virtual double gap(const bodies::Kinematics& k, int point) const = 0;  ///< m
  /// Columns [normal, first, second tangent] in W, right-handed and orthonormal.
  virtual Eigen::Matrix3d axes(const bodies::Kinematics& k, int point) const = 0;
  virtual Eigen::Vector3d velocity(const bodies::Kinematics& k, int point) const = 0;  ///< u, m/s
  /// du/dt, m/s^2. @pre System::update_accelerations()
  virtual Eigen::Vector3d acceleration(const bodies::Kinematics& k, int point) const = 0;
  /// W with u = W^T v + what does not depend on v. @param[out] W [columns of the force, or of
  /// bodies_of(point), x 3]
  virtual void directions(const bodies::Kinematics& k, int point,
                          Eigen::Ref<Eigen::MatrixXd> W) const = 0;

  /// The first of axes(): sooner found.
  virtual Eigen::Vector3d normal(const bodies::Kinematics& k, int point) const {
    return axes(k, point).col(0);
  }
  /// Whether any point may have a force in the state that was recalled last.
  virtual bool has_forces() const { return true; }
};

}  // namespace solidyn::forces
