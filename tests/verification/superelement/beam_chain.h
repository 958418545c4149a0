#pragma once
#include "mechanisms.h"
#include "solidyn/bodies/superelement.h"

namespace solidyn::testing_support {

/// A slender beam: Euler and Bernoulli's, with rotary inertia.
struct BeamSection {
  double EA = 0.0, GJ = 0.0, EI = 0.0;  ///< N, N m^2, N m^2
  double mass = 0.0;                    ///< per length, kg/m
  double gyration = 0.0;                ///< sqrt(I/A), m
};

/// A beam element along x from 0 to `length` as a reduced body: six cantilever shapes (cubic), and
/// interfaces "left" and "right". Exact stiffness; mass by quadrature over points of the section.
reduction::ReducedBody make_beam_segment(const BeamSection& section, double length);

/// Superelements in series, segments of one straight beam, sharing nodes.
struct BeamChain {
  enum class Root { free, on_ground };
  /// Where a segment's floating frame is: in the mean axis, or in the section halfway.
  enum class FloatingFrame { mean_axis, midpoint };
  /// @param start, end of the beam, at rest
  BeamChain(system::System& system, const BeamSection& section, int n, const Eigen::Vector3d& start,
            const Eigen::Vector3d& end, Root root = Root::free,
            FloatingFrame floating_frame = FloatingFrame::mean_axis);

  std::vector<bodies::BodyIndex> nodes;       ///< [n + 1] bodies; -1 for a root on the ground
  std::vector<system::InitialMotion> motion;  ///< [n + 1]
  std::vector<bodies::FrameIndex> frames;     ///< [n + 1]
};

}  // namespace solidyn::testing_support
