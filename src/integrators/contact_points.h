#pragma once
#include <string>
#include <vector>

#include "solidyn/forces/set_valued.h"
#include "solidyn/solvers/friction/friction_contact.h"
#include "solidyn/system/system.h"

namespace solidyn::integrators {

class SaddlePointSolve;

/// All points of a system's set-valued forces, and what is kept of them in a state. Local.
class ContactPoints {
 public:
  explicit ContactPoints(const system::System& system);
  int size() const { return static_cast<int>(points_.size()); }
  bool is_empty() const { return points_.empty(); }

  forces::SetValuedPoint read(const system::State& s, int i) const;
  void write(system::State& s, int i, const forces::SetValuedPoint& point) const;
  bool is_closed(const system::State& s, int i) const;
  std::vector<int> closed(const system::State& s) const;
  /// Whether it is closed and may carry a normal force: friction alone, and a clutch that overruns,
  /// do not.
  bool holds(const system::State& s, int i) const;

  /// Of the system's kinematics().
  const forces::SetValuedLaw& law(int i) const { return points_[i].law->law(); }
  bool exists(int i) const;
  bool moves(int i) const { return points_[i].law->moves(); }
  double gap(int i) const;
  Eigen::Matrix3d axes(int i) const;
  Eigen::Vector3d velocity(int i) const;
  Eigen::Vector3d acceleration(int i) const;
  /// [n_v x 3 n], of these points.
  Eigen::MatrixXd directions(const std::vector<int>& of) const;
  forces::ForceIndex force(int i) const { return points_[i].force; }
  int number(int i) const { return points_[i].number; }  ///< among those of its force, from 0
  int island(int i) const { return points_[i].island; }
  /// That of the contact in the model, with the point's number where it has several.
  std::string name(int i) const;
  std::string contact_name(int i) const;  ///< without a number
  std::string path(int i) const;          ///< in the model file: "contacts." and the name
  bool is_angle(int i) const { return points_[i].law->is_angle(); }

 private:
  struct Point {
    forces::ForceIndex force;
    const forces::SetValued* law;
    int number;  // of the force's points
    int memory;  // where it is in State::memory
    int island;
  };
  const system::System& system_;
  std::vector<Point> points_;
};

/// What unit forces at some points do by a factorised saddle-point matrix: X = [S G^T; G 0]^-1
/// [scale W; 0], and the velocities W^T X that they give these points.
struct ContactCompliance {
  std::vector<int> points;
  Eigen::MatrixXd W;  ///< [n_v x 3 n]
  Eigen::MatrixXd X;  ///< [n_unknowns x 3 n]
  Eigen::MatrixXd A;  ///< [3 n x 3 n]
};
ContactCompliance contact_compliance(const ContactPoints& contacts, const std::vector<int>& of,
                                     SaddlePointSolve& solve, double scale, int n_unknowns);

/// Of ContactError::relative, in the problems of steps and impacts.
constexpr double kContactTolerance = 1e-14;
/// Below which a solution is good enough where round-off ends it above that.
constexpr double kContactAccepted = 1e-8;

/// Of n points, three values each.
struct ContactSolution {
  Eigen::VectorXd r, u;
  std::vector<solvers::friction::ContactState> states;
  double error = 0.0;   ///< m/s (or m/s^2): by how much the laws are missed
  std::string failure;  ///< empty where it has been solved
};
/// Finds r with u = A r + q and the contact laws. A point slips where it has a velocity across the
/// normal; a force on the surface of its cone alone may be one of many that redundant points share.
/// @param start  a first guess of r
/// @param sticks  of each point, whether its coefficient is that of sticking; of those that slip
/// with that it becomes that of sliding, and the problem is solved again
/// @param slip_speeds  at which the coefficients of sliding are taken, m/s
/// @param without_friction  of points whose friction A and q contain already, and of clutches that
/// overrun; null: of none
ContactSolution solve_contacts(const ContactPoints& contacts, const ContactCompliance& compliance,
                               const Eigen::MatrixXd& A, const Eigen::VectorXd& q,
                               const Eigen::VectorXd& start, std::vector<bool> sticks,
                               const Eigen::VectorXd& slip_speeds,
                               const std::vector<bool>* without_friction = nullptr);

/// What closed contacts hold still: their normal directions, and across them where they stick. It
/// makes of a solution x by a factorised saddle-point matrix one that gives these directions the
/// velocities (or accelerations) that are asked for.
class HeldContacts {
 public:
  /// @param scale of the matrix's rows   @pre System::update(s)
  HeldContacts(const ContactPoints& contacts, const system::State& s, SaddlePointSolve& solve,
               double scale, int n_unknowns);
  /// x += X mu with W^T x = W^T wanted. @param wanted [n_v]
  void hold(const Eigen::VectorXd& wanted, Eigen::VectorXd& x) const;

 private:
  Eigen::MatrixXd W_, X_, inverse_;
};

}  // namespace solidyn::integrators
