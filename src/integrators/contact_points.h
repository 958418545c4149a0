#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "integrators/clusters.h"
#include "integrators/contact_compliance.h"
#include "solidyn/forces/set_valued.h"
#include "solidyn/integrators/contact_event.h"
#include "solidyn/integrators/contact_solver.h"
#include "solidyn/system/system.h"

namespace solidyn::integrators {

/// All points of a system's set-valued forces, and what is kept of them in a state. Those of groups
/// of bodies come and go from step to step. Local.
class ContactPoints {
 public:
  /// Without the points of groups, which a state knows.
  /// @param solver  null: one by itself
  explicit ContactPoints(const system::System& system,
                         std::shared_ptr<ContactSolver> solver = nullptr);
  ContactSolver& solver() const { return *solver_; }
  /// Those of groups in `s`, at the start of a step: until its end they are the same.
  /// @pre System::update(s)   @return whether points have become others
  bool follow(const system::State& s);
  /// Those at the positions of `s`, to which no step has led: which points groups have is what an
  /// accepted state remembers. @post System::update(s)
  void find(system::System& system, system::State& s);
  /// Whether bodies of groups have met that were too far apart to have points.
  /// @pre System::update() of a state at t
  bool misses_pairs(double t) const;
  /// Whether there are groups.
  bool may_vary() const { return may_vary_; }
  /// Another number whenever points have become others.
  int version() const { return version_; }
  int size() const { return static_cast<int>(points_.size()); }
  /// Whether there are none, and never will be.
  bool is_empty() const { return laws_.empty(); }
  double largest_restitution() const;  ///< of all laws

  forces::SetValuedPoint read(const system::State& s, int i) const {
    return forces::SetValuedPoint::read(s.memory.data() + points_[i].memory);
  }
  /// Moments of the point are open or closed with it; what they do else is as it was, and nothing
  /// where it is open and has no force.
  void write(system::State& s, int i, const forces::SetValuedPoint& point) const;
  bool is_closed(const system::State& s, int i) const {
    return forces::SetValuedPoint::is_closed(s.memory.data() + points_[i].memory);
  }
  bool has_force(const system::State& s, int i) const {
    return forces::SetValuedPoint::has_force(s.memory.data() + points_[i].memory);
  }
  std::vector<int> closed(const system::State& s) const;
  /// Whether it is closed and may carry a normal force: friction alone, and a clutch that overruns,
  /// do not.
  bool holds(const system::State& s, int i) const;

  /// Of a moment the point before it whose normal force bounds it, of others -1.
  int contact_of(int i) const { return points_[i].contact; }
  bool is_moment(int i) const { return points_[i].contact >= 0; }
  /// Moments of a point; -1: none.
  const std::array<int, 2>& moments_of(int i) const { return points_[i].moments; }

  /// Of the system's kinematics().
  const forces::SetValuedLaw& law(int i) const { return points_[i].law->law_of(points_[i].number); }
  bool exists(int i) const;
  bool moves(int i) const { return points_[i].law->moves(); }
  double gap(int i) const;
  Eigen::Matrix3d axes(int i) const;
  Eigen::Vector3d normal(int i) const;
  Eigen::Vector3d velocity(int i) const;
  Eigen::Vector3d acceleration(int i) const;
  /// Against which it can stick, m/s: across the normal; of a clutch that which it lets pass, which
  /// may be negative by round-off.
  double sliding_speed(int i) const;
  /// [n_v x 3 n], of these points.
  Eigen::SparseMatrix<double> directions(const std::vector<int>& of) const;
  /// The same, of few.
  Eigen::MatrixXd dense_directions(const std::vector<int>& of) const;
  const Clusters& clusters() const { return clusters_; }  ///< empty where there are no laws
  int island(int i) const { return points_[i].island; }
  /// Whether it is between the ground and a body.
  bool is_on_ground(int i) const { return points_[i].is_on_ground; }
  /// That of the contact in the model, with the point's number where it has several.
  std::string name(int i) const;
  std::string path(int i) const;  ///< in the model file: "contacts." and the name
  ContactEvent event(double t, int i, ContactEvent::Kind kind, double speed_before = 0.0,
                     double speed_after = 0.0, double impulse = 0.0) const;
  /// @throws base::InputError where bodies overlap that are not closed, or joints are beyond a
  /// stop, with all of them   @pre System::update(s)
  void refuse_overlaps(const system::State& s) const;
  bool is_angle(int i) const { return points_[i].law->is_angle(); }

 private:
  struct Point {
    forces::ForceIndex force;
    const forces::SetValued* law;
    int number;  // of the force's points
    int memory;  // where it is in State::memory
    int island;
    int columns;  // of columns_
    int contact;  // see contact_of()
    std::array<int, 2> moments;
    bool is_on_ground;
  };
  struct Law {
    forces::ForceIndex force;
    const forces::SetValued* law;
    int version, memory;  // that its points are of
  };
  void add_points(const Law& law);
  const system::System& system_;
  std::shared_ptr<ContactSolver> solver_;
  std::vector<Law> laws_;
  std::vector<Point> points_;
  // Velocities that points act on, distinct but in no order, and which of them come first.
  struct Columns {
    std::vector<int> velocities, ascending;
  };
  std::vector<Columns> columns_;
  bool may_vary_ = false;
  int version_ = 0;
  Clusters clusters_;
};

}  // namespace solidyn::integrators
