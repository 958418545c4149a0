#pragma once
#include "recursive/force_tangents.h"
#include "recursive/link_fields.h"

namespace solidyn::recursive {

using RowsOfFields = Eigen::Matrix<double, Eigen::Dynamic, 18>;

/// How the forces of each body vary, [force; torque] about the point of LinkFields, by the fields
/// that it moves with; and of its modes. A force between two bodies varies with a link that carries
/// both as one of that link itself does: the fields of both are its own, and so are their forces.
class BodyTangents {
 public:
  struct OfModes {
    Matrix6X by_q, by_u, by_du;            ///< forces of the body by its modes
    RowsOfFields rows;                     ///< modal forces by fields
    Eigen::MatrixXd own_q, own_u, own_du;  ///< modal forces by modes
  };
  /// What a force on a body `row` varies by when a body `column` moves, another one. Of what `meet`
  /// and all before it move, bodies() and modes() have it.
  struct Coupling {
    int row = 0, column = 0;       ///< links
    int meet = -1;                 ///< the last one that carries both, or is one; -1: the ground
    RowsOfFields by_fields;        ///< [6 + modes of row]
    Eigen::MatrixXd own_q, own_u;  ///< [6 + modes of row x modes of column]
    bool has_inertia = false;      ///< whether it varies with accelerations
  };

  explicit BodyTangents(StepEquations& equations);

  /// Of inertia, gravity, modes, forces on bodies and closures. @pre StepEquations::evaluate(),
  /// LinkFields::evaluate() of the same
  void evaluate(const LinkFields& fields, const Eigen::VectorXd& du, const system::State& state);

  const std::vector<Rows18>& bodies() const { return M_; }
  const std::vector<OfModes>& modes() const { return modes_; }
  const std::vector<Coupling>& couplings() const { return couplings_; }

 private:
  void set_rigid(const LinkFields& fields, const Link& k, Rows18& M) const;
  void add_modal(const LinkFields& fields, const Link& k, const Eigen::VectorXd& du);
  void add(const LinkFields& fields, const ForceTangent& tangent);
  struct Block;
  Block block_of(const LinkFields& fields, const Link& row, const Link& column,
                 const Eigen::MatrixXd* by_a, const Eigen::MatrixXd& by_v,
                 const Eigen::MatrixXd& by_q, const Eigen::VectorXd* r, LinearAxes axes) const;
  void add_own(const Link& k, const Block& block);
  void add_between(const Link& row, const Link& column, const Block& block);

  StepEquations& equations_;
  Tree& tree_;
  std::vector<Rows18> M_;
  std::vector<OfModes> modes_;
  std::vector<Coupling> couplings_;
};

}  // namespace solidyn::recursive
