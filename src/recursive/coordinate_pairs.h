#pragma once
#include <vector>

#include "recursive/body_tangents.h"
#include "recursive/mass_columns.h"

namespace solidyn::recursive {

/// The sums of DynamicsDerivatives over pairs of coordinates. Local.
class CoordinatePairs {
 public:
  explicit CoordinatePairs(StepEquations& equations);

  /// As DynamicsDerivatives::evaluate()
  void evaluate(const Eigen::VectorXd& q, const Eigen::VectorXd& u, const Eigen::VectorXd& du,
                const system::State& state);

  /// Adds to `out` what a force [force; torque; modal] on a link is along its modes and along
  /// columns outside of link `from`, -1: of all.
  void add_force(int link, int from, int n_modes, const Eigen::VectorXd& force,
                 Eigen::Ref<Eigen::VectorXd> out) const;

  StepEquations& equations;
  Tree& tree;
  LinkFields fields;
  BodyTangents bodies;
  MassColumns mass;
  Eigen::MatrixXd by_q, by_u, by_du;

 private:
  int begin_own(std::size_t i) const { return fields.end(i) - fields.n_own_modes(i); }
  const BodyTangents::OfModes& modes_of(std::size_t i) const {
    return bodies.modes()[tree.links()[i].modes];
  }
  void set_forces(std::size_t i);
  void set_rows(std::size_t i);
  void add_pairs(std::size_t i);
  void sort_couplings();
  template <class Visit>
  void on_the_way(int link, int meet, Visit&& visit) const;
  void add_on_the_way(const BodyTangents::Coupling& c);
  void add_coupling(const BodyTangents::Coupling& c);
  Eigen::MatrixXd folded(const Eigen::MatrixXd& all) const;

  bool is_coupled_ = false;
  std::vector<Rows18> carried_;            // of each link and all that it carries
  std::vector<std::vector<int>> meeting_;  // couplings of two bodies that this link carries last
  Matrix6X forces_q_, forces_u_, forces_du_;
  RowsOfFields rows_;
};

}  // namespace solidyn::recursive
