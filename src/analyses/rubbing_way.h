#pragma once
#include <vector>

#include "equilibrium.h"

namespace solidyn::analyses {

/// How far bodies have gone in a load step since friction began to carry something of them. Others
/// may fall as far as they do.
class RubbingWay {
 public:
  /// @param system, equilibrium  must outlive this
  RubbingWay(const system::System& system, const Equilibrium& equilibrium);
  /// @param rubs  [n_v] see integrators::StaticContacts::rubbing()   @param travel  in the step
  void note(const std::vector<bool>& rubs, const Move& travel);
  Move way(const Move& travel) const;

 private:
  const system::System& system_;
  const Equilibrium& equilibrium_;
  std::vector<bool> has_begun_;  // of each velocity
  Move start_;                   // of those
};

}  // namespace solidyn::analyses
