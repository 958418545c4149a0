#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "solidyn/bodies/nodal_body.h"
#include "solidyn/bodies/region.h"
#include "solidyn/bodies/support.h"
#include "solidyn/fem/solid_operator.h"
#include "solidyn/fem/temperature.h"
#include "solidyn/math/time_function.h"
#include "solidyn/mesh/interface.h"
#include "solidyn/reduction/load_rows.h"
#include "solidyn/reduction/reduce.h"

namespace solidyn::bodies {

/// Forces on nodes or outer faces of a solid body, functions of time.
struct SolidLoad : reduction::LoadDefinition {
  enum class Follows { reference, deformed };  ///< whose area and normal a pressure takes
  Follows follows = Follows::reference;
  std::array<math::TimeFunction, 3> vector;  ///< nodal_force: N; traction: Pa; in world axes
  math::TimeFunction pressure;               ///< Pa
};

struct SolidBodyOptions {
  fem::SolidFormulation formulation = fem::SolidFormulation::corotational;
  fem::Hex8Formulation hex8 = fem::Hex8Formulation::standard;  ///< see fem::SolidOptions
  fem::Hex20Integration hex20 = fem::Hex20Integration::full;   ///< of every formulation
  /// Of each region of a body with several sections (fem::SolidOptions::regions); else empty.
  std::vector<fem::SolidRegion> regions;
  std::vector<fem::NodeMass> node_masses;  ///< beside those of the elements
  fem::MassKind mass = fem::MassKind::lumped;
  double rayleigh_alpha = 0.0;  ///< 1/s, on the absolute velocity
  fem::Viscosity viscosity;
  fem::TemperatureChange temperature;  ///< since the stress-free state; materials expand by it
  std::vector<mesh::InterfaceDefinition> interfaces;
  std::vector<reduction::PointDefinition> points;
  std::vector<SolidLoad> loads;
  std::vector<Support> supports;
  /// For statics, where no mass helps a stiffness that supports leave singular: then three nodes
  /// become ports, and A holds them by springs that the condensed tangent takes back exactly.
  bool is_anchored = false;
};

/// An interface of a solid body: what a virtual body needs to follow it.
struct SolidInterface {
  std::string name;
  mesh::Attachment attach = mesh::Attachment::rbe3;
  Eigen::Vector3d x_B = Eigen::Vector3d::Zero();  ///< its frame's origin in mesh axes, m
  RegionVectors region;
  mesh::InterfaceReport report;
};

/// A body on absolute nodal coordinates, x_k + u_k the position of node k in the world:
///   M ddu + alpha M du + f(x + u, du) - M g - loads(x + u, t) = forces of ports
/// with the internal force of fem::SolidOperator (total Lagrangian or corotational), all 3n
/// displacements kept and distributed over ranks. To the rest of the system it has its ports only,
/// triples of world components (a (x) I3): of each interface its position and first moments (rbe2:
/// position and directions of an affine region), and the tracked points.
///
/// A = mass M + damping D + stiffness K is the tangent at some reference positions. It is
/// factorised once and turns with the body's mean rotation Q, A -> Q A Q^T, which the ports' shape
/// makes exact for every rigid motion: Y -> Q Y Q^T, G^-1 -> Q G^-1 Q^T (SOLVERS.md, "the factor
/// can move with the body"). renew_tangent() takes the present positions as reference; done in
/// every iteration it is Newton's method with the consistent tangent (of follower pressures the
/// symmetric part). A body with supports does not turn its tangent, since they hold directions in
/// the world; their rows of A are those of the identity. Proved by
/// tests/unit/solid_body, tests/mpi/solid_body and tests/verification/solid_body.
class SolidBody final : public NodalBody {
 public:
  /// Collective. @throws base::InputError for what mesh, fem and interfaces reject
  static std::unique_ptr<SolidBody> make(std::string name, mesh::DistributedMesh mesh,
                                         const fem::Sections& sections,
                                         const SolidBodyOptions& options);
  ~SolidBody() override;

  const mesh::DistributedMesh& mesh() const override;
  NodalState make_state() const override;
  void set_coefficients(const TangentCoefficients& coefficients) override;
  bool turn_tangent(const BodyState& state) override;
  bool renew_tangent(const BodyState& state) override;

  /// Collective. @pre state.nodal is set. @throws base::ComputationError for an inverted element
  void add_residual(const BodyState& state, const Eigen::Vector3d& gravity,
                    Eigen::Ref<Eigen::VectorXd> r) override;
  /// Local. @pre c are the coefficients of set_coefficients
  void add_tangent(const BodyState& state, const Eigen::Vector3d& gravity,
                   const TangentCoefficients& c, Eigen::Ref<Eigen::MatrixXd> J_rate,
                   Eigen::Ref<Eigen::MatrixXd> J_q) override;
  void recover(const Eigen::Ref<const Eigen::VectorXd>& ds, ::Vec increment) override;
  void follow(const Eigen::Ref<const Eigen::VectorXd>& ds, ::Vec increment) override;
  double interior_increment() const override;
  Eigen::VectorXd ports_of(::Vec x) const override;

  void start(const InitialMotion& motion, NodalState& state) const override;
  Eigen::MatrixXd rigid_port_velocities(const NodalState& state) const override;
  void move_rigidly(const Eigen::Matrix<double, 6, 1>& motion, NodalState& state) const override;
  void add_rigid_velocity(const Eigen::Matrix<double, 6, 1>& twist,
                          NodalState& state) const override;
  /// Nodes of rbe2 regions move affinely.
  void make_admissible(::Vec x) const override;

  Energy energy(const BodyState& state, const Eigen::Vector3d& gravity) const override;
  Momentum momentum(const BodyState& state) const override;
  double dissipation(const BodyState& state) const override;
  double load_power(const BodyState& state) const override;
  double mass() const override;
  double radius_of_gyration() const override;
  Eigen::VectorXd elastic_amplitude() const override;
  int linear_iterations() const override;
  std::optional<int> n_hidden_negatives() const override;
  void solve_exactly(bool yes) override;
  double nodal_forces() const override;
  std::int64_t n_unknowns() const override;  ///< 3n

  const std::vector<SolidInterface>& interfaces() const;
  const std::vector<reduction::TrackedPoint>& points() const;
  const fem::MassProperties& mass_properties() const;  ///< of the mass matrix in use, mesh axes
  const fem::SolidOperator& forces() const;
  std::vector<std::string> support_names() const;
  /// Collective. Forces of each support on the body at the last residual, in W. [3 x n_supports], N
  Eigen::Matrix3Xd support_forces() const;

  /// Wall-clock seconds so far.
  struct Timings {
    double setup = 0.0, assembly = 0.0, factor = 0.0, condensation = 0.0, solve = 0.0,
           residual = 0.0;
    int n_factors = 0;
  };
  const Timings& timings() const;

 private:
  struct Data;
  SolidBody(std::string name, std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
};

}  // namespace solidyn::bodies
