#include "solidyn/forces/measured_columns.h"

#include <algorithm>
#include <cmath>

namespace solidyn::forces {

MeasuredColumns::Measures MeasuredColumns::only(std::unique_ptr<Measure> measure) {
  Measures measures;
  measures.push_back(std::move(measure));
  return measures;
}

std::vector<bodies::BodyIndex> MeasuredColumns::all_bodies(const bodies::FrameLink& link,
                                                           const Measures& measures,
                                                           const SystemLayout& layout) {
  std::vector<bodies::BodyIndex> all = link.bodies();
  for (const auto& measure : measures)
    for (const bodies::FrameIndex frame : measure->frames()) {
      const bodies::BodyIndex body = layout.bodies_of_frames[frame];
      if (body != bodies::kGround && std::find(all.begin(), all.end(), body) == all.end())
        all.push_back(body);
    }
  return all;
}

MeasuredColumns::MeasuredColumns(Measures measures, const std::vector<bodies::BodyIndex>& bodies,
                                 const SystemLayout& layout)
    : measures_(std::move(measures)) {
  const auto columns_of = [&](bodies::FrameIndex frame) -> Columns {
    int offset = 0;
    for (const bodies::BodyIndex body : bodies) {
      if (body == layout.bodies_of_frames[frame]) return {offset, layout.n_velocities[body]};
      offset += layout.n_velocities[body];
    }
    return {0, 0};
  };
  for (const auto& measure : measures_) {
    columns_.emplace_back();
    for (const bodies::FrameIndex frame : measure->frames())
      columns_.back().push_back(columns_of(frame));
  }
}

std::optional<double> MeasuredColumns::beyond_jump(int i, const bodies::Kinematics& k) const {
  constexpr double kNear = 5.0 / 180.0;  // of half the jump
  const double half = 0.5 * measures_[i]->jump(), value = measures_[i]->value(k);
  if (half == 0.0 || std::abs(value) < (1.0 - kNear) * half) return {};
  return value - std::copysign(2.0 * half, value);
}

// Column: what the force changes by per unit of the measure; rows: its gradient.
void MeasuredColumns::add_tangent(const bodies::Kinematics& k, int i, const Eigen::VectorXd& column,
                                  const bodies::TangentCoefficients& c,
                                  Eigen::Ref<Eigen::MatrixXd> J_rate,
                                  Eigen::Ref<Eigen::MatrixXd> J_q) const {
  const Measure& measure = *measures_[i];
  for (std::size_t f = 0; f < measure.frames().size(); ++f) {
    const Columns at = columns_[i][f];
    if (at.size == 0) continue;
    const bodies::FrameIndex frame = measure.frames()[f];
    const bodies::Frame& definition = k.frame_definitions[frame];
    const Measure::Gradient g = measure.gradient(k, static_cast<int>(f));
    const auto& J = k.frames[frame].J;
    J_q.middleCols(at.offset, at.size) -=
        c.stiffness * column *
        (g.by_position * J +
         g.by_twist * bodies::frame_rate_stiffness(definition, k.bodies[definition.body]));
    J_rate.middleCols(at.offset, at.size) -= c.damping * column * (g.by_twist * J);
  }
}

}  // namespace solidyn::forces
