#include "solidyn/analyses/orientation_sensor.h"

namespace solidyn::analyses {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;

std::vector<Sensor::Column> columns_of(const std::string& name, const std::vector<int>& components,
                                       const char* const suffixes[], const char* unit) {
  std::vector<Sensor::Column> columns;
  for (int c : components)
    columns.push_back({components.size() == 1 ? name : name + suffixes[c], unit});
  return columns;
}

Matrix3d relative_rotation(const SensorContext& c, bodies::FrameIndex frame,
                           bodies::FrameIndex relative_to) {
  const auto& frames = c.system.kinematics().frames;
  if (relative_to == kWorld) return frames[frame].R;
  return frames[relative_to].R.transpose() * frames[frame].R;
}

}  // namespace

Sensor angles_sensor(const std::string& name, const math::AngleSequence& sequence,
                     bodies::FrameIndex frame, bodies::FrameIndex relative_to,
                     const std::vector<int>& angles) {
  const char* const suffixes[] = {".angle_1", ".angle_2", ".angle_3"};
  Sensor s;
  s.reads_reactions = false;
  s.columns = columns_of(name, angles, suffixes, "rad");
  s.read = [=](const SensorContext& c, double* values) {
    const Eigen::Vector3d all =
        math::angles_of_rotation(sequence, relative_rotation(c, frame, relative_to));
    for (int i : angles) *values++ = all[i];
  };
  return s;
}

Quaterniond AttitudeGuide::at(const SensorContext& c) const {
  if (body == bodies::kGround) return q_BF;
  const auto q = c.state.q.segment<4>(c.system.layout().configuration_offset(body) + 3);
  return Quaterniond(q[0], q[1], q[2], q[3]) * q_BF;
}

Sensor quaternion_sensor(const std::string& name, bodies::FrameIndex frame,
                         const AttitudeGuide& guide, bodies::FrameIndex relative_to,
                         const AttitudeGuide& guide_of_reference,
                         const std::vector<int>& components) {
  const char* const suffixes[] = {".w", ".x", ".y", ".z"};
  Sensor s;
  s.reads_reactions = false;
  s.columns = columns_of(name, components, suffixes, "1");
  s.read = [=](const SensorContext& c, double* values) {
    const Quaterniond near = guide_of_reference.at(c).conjugate() * guide.at(c);
    const Quaterniond q = math::nearest_quaternion(relative_rotation(c, frame, relative_to), near);
    const double all[] = {q.w(), q.x(), q.y(), q.z()};
    for (int i : components) *values++ = all[i];
  };
  return s;
}

}  // namespace solidyn::analyses
