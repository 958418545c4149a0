#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <string>
#include <vector>

namespace solidyn::bodies {

struct NodalState;  // distributed displacements of a full-mesh body; see nodal_state.h
class NodalBody;
class ElementBody;
class Superelement;

/// A body's share of the system state, as views. Velocity unknowns are [v_WB (3, in W, m/s);
/// w_WB_B (3, in B, rad/s); dq_e (n_elastic)], a their time derivatives, q_e the elastic
/// coordinates. A body on absolute coordinates has no frame of its own: its axes are the world's,
/// and only dq_e is there.
struct BodyState {
  Eigen::Vector3d p_WB = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R_WB = Eigen::Matrix3d::Identity();
  Eigen::Map<const Eigen::VectorXd> q_e{nullptr, 0};
  Eigen::Map<const Eigen::VectorXd> v{nullptr, 0};
  Eigen::Map<const Eigen::VectorXd> a{nullptr, 0};
  const NodalState* nodal = nullptr;  ///< full-mesh bodies only
  double t = 0.0;                     ///< s; loads and supports of the body depend on it

  Eigen::Vector3d v_WB() const { return v.head<3>(); }
  Eigen::Vector3d w_WB_B() const { return v.segment<3>(3); }
  auto dq_e() const { return v.tail(q_e.size()); }
  int n_rigid() const { return static_cast<int>(v.size() - q_e.size()); }
};

/// Where a body starts: pose and velocity (of its origin in W; angular in B), elastic coordinates
/// and their rates (empty: zero).
struct InitialMotion {
  Eigen::Vector3d p_WB = Eigen::Vector3d::Zero();
  Eigen::Quaterniond q_WB = Eigen::Quaterniond::Identity();
  Eigen::Vector3d v_WB = Eigen::Vector3d::Zero();
  Eigen::Vector3d w_WB_B = Eigen::Vector3d::Zero();
  Eigen::VectorXd q_e = Eigen::VectorXd(), dq_e = Eigen::VectorXd();
};

struct Energy {
  double kinetic = 0.0;    ///< J
  double strain = 0.0;     ///< J
  double potential = 0.0;  ///< J, of gravity, zero at the world origin
  Energy& operator+=(const Energy& other) {
    kinetic += other.kinetic;
    strain += other.strain;
    potential += other.potential;
    return *this;
  }
};

struct Momentum {
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();   ///< kg m/s, in W
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();  ///< kg m^2/s, about the world origin, in W
};

/// Coefficients of the iteration matrix  mass * dr/da + damping * dr/dv + stiffness * dr/dq.
struct TangentCoefficients {
  double mass = 0.0, damping = 0.0, stiffness = 0.0;
  /// Of an equilibrium, in which time is the load parameter and nothing has a velocity.
  bool is_static() const { return damping == 0.0 && stiffness != 0.0; }
  bool operator==(const TangentCoefficients& o) const {
    return mass == o.mass && damping == o.damping && stiffness == o.stiffness;
  }
};

/// sqrt of the largest eigenvalue of `inertia` (about the mass centre) over `mass`; 0 without mass.
double radius_of_gyration(double mass, const Eigen::Matrix3d& inertia);

/// A block of unknowns with a residual and a tangent. Knows nothing of joints or of time stepping.
/// One virtual call per body, never per element.
class Body {
 public:
  enum class Axes { own, world };  ///< a moving frame with six velocities, or none
  Body(std::string name, int n_elastic, Axes axes = Axes::own)
      : name_(std::move(name)), n_elastic_(n_elastic), has_frame_(axes == Axes::own) {}
  virtual ~Body() = default;
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;

  const std::string& name() const { return name_; }
  int n_elastic() const { return n_elastic_; }
  int n_rigid() const { return has_frame_ ? 6 : 0; }
  int n_velocities() const { return n_rigid() + n_elastic_; }
  int n_configuration() const { return (has_frame_ ? 7 : 0) + n_elastic_; }
  /// Velocity unknowns including those condensed inside the body.
  virtual std::int64_t n_unknowns() const { return n_velocities(); }

  /// Collective. For the residuals and tangents that follow.
  virtual void set_coefficients(const TangentCoefficients&) {}

  /// Adds the left-hand side of the body's equation of motion without constraint forces:
  /// r += M(q) a + h(q, v) + K q_e + D dq_e - gravity force.
  /// @param gravity [3] m/s^2, in W    @param[in,out] r [n_velocities] rows: N in W, N m in B,
  /// modal force
  virtual void add_residual(const BodyState& state, const Eigen::Vector3d& gravity,
                            Eigen::Ref<Eigen::VectorXd> r) = 0;

  /// Adds M = dr/da, D = dr/dv and K = dr/dq (q-increments: dp in W, right rotation increment in B,
  /// dq_e), each [n_velocities x n_velocities], weighted: J_rate += mass*M + damping*D, J_q +=
  /// stiffness*K. They stay apart because the integrator multiplies J_q by the tangent of its
  /// exponential map.
  virtual void add_tangent(const BodyState& state, const Eigen::Vector3d& gravity,
                           const TangentCoefficients& c, Eigen::Ref<Eigen::MatrixXd> J_rate,
                           Eigen::Ref<Eigen::MatrixXd> J_q) = 0;

  virtual Energy energy(const BodyState& state, const Eigen::Vector3d& gravity) const = 0;
  virtual Momentum momentum(const BodyState& state) const = 0;
  virtual double mass() const = 0;
  /// Largest radius of gyration of the undeformed body about its mass centre: how large it is. m; 0
  /// for a point mass and for a body without mass.
  virtual double radius_of_gyration() const { return 0.0; }
  /// Power that the body's own damping takes out of the motion, W, >= 0.
  virtual double dissipation(const BodyState& state) const = 0;
  /// Power of the body's own loads and moving supports, W.
  virtual double load_power(const BodyState&) const { return 0.0; }

  /// What more a body of such a kind has; null for the others.
  virtual NodalBody* as_nodal() { return nullptr; }
  virtual ElementBody* as_elements() { return nullptr; }
  virtual Superelement* as_superelement() { return nullptr; }

  /// Whether its motion follows from that of other bodies: nothing can be joined to points of it or
  /// act on them.
  virtual bool is_carried() const { return false; }

  /// Whether the model says where it is at the start; a massless frame follows what it is tied to.
  virtual bool is_placed() const { return n_rigid() == 0 || mass() > 0.0; }
  /// Whether its elastic coordinates are strains that only forces determine.
  virtual bool has_free_strains() const { return false; }
  /// What makes the body doubtful at the present state, for a warning; empty when nothing does.
  virtual std::string warning() const { return {}; }

  /// A length per unit of each elastic coordinate (largest nodal displacement), for error norms.
  /// [n_elastic], m
  virtual Eigen::VectorXd elastic_amplitude() const = 0;

 private:
  std::string name_;
  int n_elastic_;
  bool has_frame_;
};

}  // namespace solidyn::bodies
