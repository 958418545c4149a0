#pragma once
#include "solidyn/model/build.h"
#include "solidyn/results/fields.h"

namespace solidyn::simulation {

/// Pictures to make room for: no step makes two, however short `interval` is.
std::int64_t planned_pictures(double duration, double step, double interval);

/// What ParaView sees of a system: the surfaces of flexible bodies, axes for rigid ones.
class Pictures {
 public:
  Pictures(MPI_Comm comm, const model::BuiltModel& built);
  const std::vector<results::FieldPart>& parts() const { return parts_; }
  /// Collective. The bodies at the state that System::update() was called with last.
  std::vector<results::FieldValues> values() const;

 private:
  MPI_Comm comm_;
  const model::BuiltModel& built_;
  double axes_length_;
  std::vector<results::FieldPart> parts_;
};

}  // namespace solidyn::simulation
