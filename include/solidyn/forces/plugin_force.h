#pragma once
#include <memory>

#include "solidyn/forces/pair_force.h"

namespace solidyn::forces {

/// A force from a shared library with the interface of solidyn/plugin/force.h. Derivatives that the
/// library does not give are central differences of its results. Proved by PluginForce.*.
class PluginForce final : public PairForce {
 public:
  using Parameters = std::vector<std::pair<std::string, double>>;
  /// @throws base::InputError when the library cannot be loaded, has no solidyn_force_plugin(), is
  /// of another version, or does not take the parameters
  PluginForce(std::string name, const bodies::FrameLink& link, const std::string& library,
              const Parameters& parameters);
  ~PluginForce() override;

  /// Throw base::ComputationError with the library's message.
  bodies::Vector12 wrench(const bodies::FramePair& f, double t) const override;
  void add_derivatives(const bodies::FramePair& f, double t, bodies::Matrix12& by_position,
                       bodies::Matrix12& by_twist) const override;

 private:
  class Object;
  std::unique_ptr<Object> object_;
};

}  // namespace solidyn::forces
