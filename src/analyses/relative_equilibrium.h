#pragma once
#include <memory>
#include <vector>

#include "equilibrium.h"

namespace solidyn::analyses {

class RelativeStaticEquations;

/// The same equations in the coordinates of hinges and modes: bodies stay on their hinges, drives
/// along hinges are where their laws are, and each correction solves
///   [ K G^T; G 0 ] [ dn; dlambda ] = -[ r; Phi ],     K = d(J^T (h + G^T lambda))/dn
/// of the closures alone, K of recursive::DynamicsDerivatives. Moves are those of bodies, so that
/// sizes, work and paths are what they are in absolute coordinates. The matrix is dense. Local.
/// Proved by RelativeStatics.*; doc/theory/recursive.md
class RelativeEquilibrium final : public Equilibrium {
 public:
  explicit RelativeEquilibrium(system::System& system);
  ~RelativeEquilibrium() override;

  /// @throws base::InputError for all that relative coordinates cannot have
  void start(const system::State& state, solvers::Preset preset) override;
  void renew(const system::State& state) override;
  void linearise(const system::State& state) override;
  void find_correction(const system::State& state, Move& move) override;
  /// Afterwards multipliers of hinges are those that the forces ask for.
  void apply(const system::State& before, double fraction, const Move& move,
             system::State& state) override;
  /// Corrections are tangents of what hinges let bodies do: the way is that of their poses, with
  /// the whole turns of the corrections; none where these are zero.
  Eigen::VectorXd way(const system::State& before, const system::State& after,
                      const Move& travel) const override;

 private:
  std::unique_ptr<RelativeStaticEquations> equations_;  // of what start() or renew() saw
};

}  // namespace solidyn::analyses
