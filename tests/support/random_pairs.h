#pragma once
#include "random_bodies.h"
#include "solidyn/forces/pair_force.h"

/// Two moving frames without carriers, for tests of what a law says of them.
namespace solidyn::testing_support {

struct MovingFrames {
  bodies::FrameMotion A, B;
  double turns = 0.0;  ///< whole turns of the tracked angle
  bodies::FramePair pair() const;
};

/// @param angle largest rotation of B relative to A about a random axis, rad
MovingFrames random_frames(std::mt19937& generator, double angle);
/// p += dp, R := R exp(dtheta) of both frames.
MovingFrames moved(const MovingFrames& frames, const bodies::Vector12& variation);
MovingFrames with_twist(const MovingFrames& frames, const bodies::Vector12& twist);

/// Central differences of a law's wrench.
bodies::Matrix12 wrench_by_position(const forces::PairForce& law, const MovingFrames& frames);
bodies::Matrix12 wrench_by_twist(const forces::PairForce& law, const MovingFrames& frames);
/// Of its energy.
bodies::Vector12 energy_gradient(const forces::PairForce& law, const MovingFrames& frames);
/// Resulting force, and moment about the world's origin, of a wrench. Both in W.
Eigen::Matrix<double, 6, 1> resultant(const MovingFrames& frames, const bodies::Vector12& wrench);

}  // namespace solidyn::testing_support
