#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "solidyn/forces/force.h"
#include "solidyn/forces/measure.h"

namespace solidyn::forces {

/// Where the velocities of a system are, for a force that sees frames of any bodies.
struct SystemLayout {
  base::IndexedVector<bodies::FrameIndex, bodies::BodyIndex> bodies_of_frames;
  base::IndexedVector<bodies::BodyIndex, int> n_velocities;
};

/// Measures that a force depends on, and the columns of the bodies that they see. Proved by
/// ExpressionForceOn.* and ActuatedForceOn.*.
class MeasuredColumns {
 public:
  using Measures = std::vector<std::unique_ptr<Measure>>;
  static Measures only(std::unique_ptr<Measure> measure);
  /// @param bodies of the force: all_bodies()
  MeasuredColumns(Measures measures, const std::vector<bodies::BodyIndex>& bodies,
                  const SystemLayout& layout);

  /// Those of the link first, so that its columns are the first ones.
  static std::vector<bodies::BodyIndex> all_bodies(const bodies::FrameLink& link,
                                                   const Measures& measures,
                                                   const SystemLayout& layout);

  int size() const { return static_cast<int>(measures_.size()); }
  double value(int measure, const bodies::Kinematics& k) const {
    return measures_[measure]->value(k);
  }
  /// What a measure is in this state, seen from beyond its jump, where that is near; else empty. A
  /// force that differs there from what it is here would jump.
  std::optional<double> beyond_jump(int measure, const bodies::Kinematics& k) const;
  /// Of a generalised force Q that changes by `column` per unit of the measure: J_rate -= c.damping
  /// dQ/dv, J_q -= c.stiffness dQ/dq.
  void add_tangent(const bodies::Kinematics& k, int measure, const Eigen::VectorXd& column,
                   const bodies::TangentCoefficients& c, Eigen::Ref<Eigen::MatrixXd> J_rate,
                   Eigen::Ref<Eigen::MatrixXd> J_q) const;

 private:
  struct Columns {
    int offset, size;
  };
  Measures measures_;
  std::vector<std::vector<Columns>> columns_;  // of each measure's frames; size 0: the ground
};

}  // namespace solidyn::forces
