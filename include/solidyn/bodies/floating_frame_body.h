#pragma once
#include <memory>
#include <vector>

#include "solidyn/bodies/nodal_body.h"
#include "solidyn/fem/elastic_body.h"
#include "solidyn/reduction/reduce.h"

namespace solidyn::bodies {

struct FloatingFrameOptions {
  std::vector<fem::NodeMass> node_masses;  ///< beside those of the elements
  fem::MassKind mass = fem::MassKind::lumped;
  double rayleigh_alpha = 0.0;  ///< 1/s;  D = alpha M + beta K on the elastic velocity
  double rayleigh_beta = 0.0;   ///< s
  std::vector<mesh::InterfaceDefinition> interfaces;
  std::vector<reduction::PointDefinition> points;
  std::vector<reduction::LoadDefinition> loads;  ///< on nodes and faces, that the mechanism has
};

/// A floating-frame body whose 3n nodal displacements are all unknowns, distributed over ranks
/// (P-SOLID (13)-(18) with the signs of doc/theory/floating_frame.md). Body axes are the mesh axes.
/// With b = x + u, a_B = R^T (dv - g), A = skew(dw) + skew(w)^2, on every node
///   y = M (a_B + A b + 2 w x du + ddu)
///   r_v = R sum y,   r_w = sum b x y,   r_f = y + K u + (alpha M + beta K) du
///
/// To the rest of the system it has few elastic coordinates, its ports s = P^T u:
///   0..2  sum m u                kg m      3..5  sum m (x - c) x u   kg m^2, c the mass centre
/// then what interfaces, tracked points and loads read of u, as far as it is independent.
/// Interfaces, points and loads are rows on these ports, as those of a modal body are on its modes.
/// Six conditions must fix the frame in the body: joints::LinearCondition with mean_axis_rows().
///
/// In statics K alone is the matrix of the interior, held by the moment ports (FreeStiffness).
/// The tangent couples rigid and elastic motion at the undeformed shape and without gyroscopic
/// terms: exact residual, modified Newton. Proved by tests/unit/floating_frame,
/// tests/mpi/floating_frame and tests/verification/floating_frame.
class FloatingFrameBody final : public NodalBody {
 public:
  /// Collective. Assembles K and M, finds interfaces, points and independent ports.
  /// @throws base::InputError for rbe2 interfaces, and what mesh and fem reject
  static std::unique_ptr<FloatingFrameBody> make(std::string name, mesh::DistributedMesh mesh,
                                                 const fem::Sections& sections,
                                                 const FloatingFrameOptions& options);
  ~FloatingFrameBody() override;

  NodalState make_state() const override;
  void set_coefficients(const TangentCoefficients& coefficients) override;

  /// Collective. @pre state.nodal is set; set_coefficients if not for {1, 0, 0}
  void add_residual(const BodyState& state, const Eigen::Vector3d& gravity,
                    Eigen::Ref<Eigen::VectorXd> r) override;
  /// Local. @pre c are the coefficients of set_coefficients; add_residual was called for the state
  void add_tangent(const BodyState& state, const Eigen::Vector3d& gravity,
                   const TangentCoefficients& c, Eigen::Ref<Eigen::MatrixXd> J_rate,
                   Eigen::Ref<Eigen::MatrixXd> J_q) override;
  void recover(const Eigen::Ref<const Eigen::VectorXd>& ds, ::Vec increment) override;
  void follow(const Eigen::Ref<const Eigen::VectorXd>& ds, ::Vec increment) override;
  double interior_increment() const override;
  Eigen::VectorXd ports_of(::Vec x) const override;

  Energy energy(const BodyState& state, const Eigen::Vector3d& gravity) const override;
  Momentum momentum(const BodyState& state) const override;
  double dissipation(const BodyState& state) const override;
  double mass() const override;
  double radius_of_gyration() const override;
  Eigen::VectorXd elastic_amplitude() const override;
  int linear_iterations() const override;
  std::int64_t n_unknowns() const override;  ///< 6 + 3n

  /// Psi_t and Psi_r on the ports; x_nodes and Psi_nodes for virtual_body only.
  const std::vector<reduction::ReducedInterface>& interfaces() const;
  const std::vector<reduction::TrackedPoint>& points() const;
  const std::vector<reduction::LoadRows>& loads() const override;
  /// sum m u / mass and sum m (x - c) x u / (mass size^2): mean displacement (m) and rotation
  /// (rad). [6 x n_elastic]
  Eigen::MatrixXd mean_axis_rows() const;
  static std::vector<std::string> mean_axis_row_names();

  const mesh::DistributedMesh& mesh() const override;
  const fem::MassProperties& mass_properties() const;  ///< of the mass matrix in use
  /// Collective. A nodal vector on this rank's nodes, ghosts included. [3 x n_local]
  Eigen::Matrix3Xd on_local_nodes(::Vec x) const;

  /// Wall-clock seconds so far.
  struct Timings {
    double setup = 0.0, factor = 0.0, solve = 0.0, residual = 0.0;
    int n_factors = 0;
  };
  const Timings& timings() const;

 private:
  struct Data;
  FloatingFrameBody(std::string name, std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
};

}  // namespace solidyn::bodies
