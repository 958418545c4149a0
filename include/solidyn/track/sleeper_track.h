#pragma once
#include <Eigen/Dense>
#include <array>
#include <vector>

namespace solidyn::track {

/// In which way a rail bends: up and down, or across the track.
enum Bending { kVerticalBending, kLateralBending, kBendings };

/// Two rails on sleepers over a part of the track. Pairs are vertical, then lateral.
struct SleeperTrackOptions {
  double from = 0.0, to = 0.0;  ///< the part, by s, m: a whole number of spacings
  double spacing = 0.6;         ///< of the sleepers, m
  int elements_per_bay = 4;
  double rail_distance = 1.5;  ///< of the middles of both rails, m
  /// EI of one rail, N m^2; of 60E1.
  std::array<double, kBendings> bending_stiffness = {6.38e6, 1.076e6};
  double mass_per_length = 60.21;                            ///< of one rail, kg/m
  std::array<double, kBendings> pad_stiffness = {0.0, 0.0};  ///< of one rail on one sleeper, N/m
  std::array<double, kBendings> pad_damping = {0.0, 0.0};    ///< N s/m
  double sleeper_mass = 0.0;                                 ///< kg
  double sleeper_length = 2.6;                               ///< m: of a uniform bar
  std::array<double, kBendings> ballast_stiffness = {0.0, 0.0};  ///< under one sleeper, N/m
  std::array<double, kBendings> ballast_damping = {0.0, 0.0};    ///< N s/m
};

/// Rails as Euler-Bernoulli beams that bend vertically and laterally by little, on rigid sleepers
/// that move vertically, laterally and in roll; pads and ballast are springs with dampers. Rails
/// beyond the part are rigid, so that both ends are clamped. Displacements are in the track's axes,
/// from the equilibrium of the track under its own weight. doc/theory/wheel_rail.md.
///
/// Nodes of a rail have [w, dw/ds], one node for each way of bending; a sleeper has [z, y, roll].
/// Beams are cubic Hermite elements with consistent mass. Proved by SleeperTrack.*.
class SleeperTrack {
 public:
  enum Rail { kLeft, kRight, kRails };

  /// @throws base::InputError where the part is no whole number of bays, or has fewer than four
  explicit SleeperTrack(const SleeperTrackOptions& options);

  /// Of equal elements, on the coordinates of their nodes one after the other.
  struct Matrices {
    Eigen::MatrixXd M, D, K;
  };
  struct Element {
    int matrices = 0;  ///< which of matrices()
    std::vector<int> nodes;
  };
  const std::vector<Matrices>& matrices() const { return matrices_; }
  const std::vector<Element>& elements() const { return elements_; }
  /// Numbers of coordinates of the nodes: 2 of a rail's, 3 of a sleeper.
  const std::vector<int>& node_sizes() const { return node_sizes_; }

  double from() const { return options_.from; }
  double to() const { return options_.to; }
  double element_length() const { return length_; }
  int n_sleepers() const { return n_bays_ - 1; }
  /// Elements of each rail, from section e to section e + 1.
  int n_rail_elements() const { return n_bays_ * options_.elements_per_bay; }
  /// The element of both rails at s; -1 outside of the part.
  int element_at(double s) const;
  /// The node of a rail at section 0 ... n_rail_elements(); -1 where it is clamped.
  int rail_node(int section, Rail rail, Bending bending) const;
  /// @param sleeper  0 ... n_sleepers() - 1, at from + (sleeper + 1) spacing
  int sleeper_node(int sleeper) const;

  /// w = N . [w, w_s at section e; w, w_s at section e + 1], with the derivatives of N by s.
  struct Shape {
    Eigen::Vector4d N, N_s, N_ss;
  };
  Shape shape(int element, double s) const;

 private:
  int add_matrices(Matrices matrices);
  void add_rails();
  void add_sleepers();

  SleeperTrackOptions options_;
  int n_bays_ = 0;
  double length_ = 0.0;  // of an element
  std::vector<int> node_sizes_;
  std::vector<Matrices> matrices_;
  std::vector<Element> elements_;
};

}  // namespace solidyn::track
