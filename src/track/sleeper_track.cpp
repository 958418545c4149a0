#include "solidyn/track/sleeper_track.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solidyn/base/error.h"

namespace solidyn::track {
namespace {

using Eigen::Matrix4d;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kFewestBays = 4;
constexpr int kOfRailNode = 2, kOfSleeper = 3;
constexpr int kNodesOfSection = SleeperTrack::kRails * kBendings;

Matrix4d beam_stiffness(double EI, double L) {
  Matrix4d K;
  K << 12, 6 * L, -12, 6 * L,               //
      6 * L, 4 * L * L, -6 * L, 2 * L * L,  //
      -12, -6 * L, 12, -6 * L,              //
      6 * L, 2 * L * L, -6 * L, 4 * L * L;
  return EI / (L * L * L) * K;
}

Matrix4d beam_mass(double mass_per_length, double L) {
  Matrix4d M;
  M << 156, 22 * L, 54, -13 * L,                //
      22 * L, 4 * L * L, 13 * L, -3 * L * L,    //
      54, 13 * L, 156, -22 * L,                 //
      -13 * L, -3 * L * L, -22 * L, 4 * L * L;  //
  return mass_per_length * L / 420.0 * M;
}

// Of a spring with damper along a row of coordinates.
SleeperTrack::Matrices spring(const VectorXd& row, double stiffness, double damping) {
  const MatrixXd square = row * row.transpose();
  return {MatrixXd::Zero(row.size(), row.size()), damping * square, stiffness * square};
}

}  // namespace

SleeperTrack::SleeperTrack(const SleeperTrackOptions& options) : options_(options) {
  constexpr double kRoundoff = 1e-6;  // of a bay
  const double bays = (options.to - options.from) / options.spacing;
  n_bays_ = static_cast<int>(std::lround(bays));
  if (!(bays >= kFewestBays - kRoundoff))
    throw base::InputError(
        fmt::format("rails that bend from {:g} to {:g} m have {:.3g} bays of {:g} m", options.from,
                    options.to, std::max(bays, 0.0), options.spacing),
        fmt::format("give {} or more: they are clamped at both ends", kFewestBays));
  if (std::abs(bays - n_bays_) > kRoundoff * bays)
    throw base::InputError(
        fmt::format("from {:g} to {:g} m there are {:.6g} spacings of {:g} m between sleepers",
                    options.from, options.to, bays, options.spacing),
        fmt::format("give a whole number of them: end at {:.9g} m, for example",
                    options.from + n_bays_ * options.spacing));
  length_ = (options.to - options.from) / n_rail_elements();
  add_rails();
  add_sleepers();
}

int SleeperTrack::add_matrices(Matrices matrices) {
  matrices_.push_back(std::move(matrices));
  return static_cast<int>(matrices_.size()) - 1;
}

// Elements at the ends keep the coordinates of the node that is not clamped.
void SleeperTrack::add_rails() {
  const int n = n_rail_elements();
  node_sizes_.assign((n - 1) * kNodesOfSection, kOfRailNode);
  for (const Bending b : {kVerticalBending, kLateralBending}) {
    const Matrix4d K = beam_stiffness(options_.bending_stiffness[b], length_),
                   M = beam_mass(options_.mass_per_length, length_);
    const auto part = [&](int first, int size) {
      return add_matrices({M.block(first, first, size, size), MatrixXd::Zero(size, size),
                           K.block(first, first, size, size)});
    };
    const int whole = part(0, 2 * kOfRailNode), begins = part(kOfRailNode, kOfRailNode),
              ends = part(0, kOfRailNode);
    for (const Rail rail : {kLeft, kRight})
      for (int e = 0; e < n; ++e) {
        Element element{e == 0 ? begins : (e == n - 1 ? ends : whole), {}};
        for (const int section : {e, e + 1})
          if (const int node = rail_node(section, rail, b); node >= 0)
            element.nodes.push_back(node);
        elements_.push_back(std::move(element));
      }
  }
}

// A pad is between the rail's w and the seat of its sleeper, which is beside the middle.
void SleeperTrack::add_sleepers() {
  const double arm = 0.5 * options_.rail_distance;
  const double turning = options_.sleeper_length * options_.sleeper_length / 12.0;
  std::array<std::array<int, kBendings>, kRails> pads{};
  for (const Rail rail : {kLeft, kRight})
    for (const Bending b : {kVerticalBending, kLateralBending}) {
      VectorXd row = VectorXd::Zero(kOfRailNode + kOfSleeper);
      row[0] = 1.0;
      row[kOfRailNode + b] = -1.0;
      if (b == kVerticalBending) row[kOfRailNode + 2] = rail == kLeft ? -arm : arm;
      pads[rail][b] = add_matrices(spring(row, options_.pad_stiffness[b], options_.pad_damping[b]));
    }
  const auto diagonal = [turning](double z, double y) {
    return MatrixXd(Eigen::Vector3d(z, y, turning * z).asDiagonal());
  };
  const int on_ballast =
      add_matrices({diagonal(options_.sleeper_mass, options_.sleeper_mass),
                    diagonal(options_.ballast_damping[0], options_.ballast_damping[1]),
                    diagonal(options_.ballast_stiffness[0], options_.ballast_stiffness[1])});
  for (int k = 0; k < n_sleepers(); ++k) {
    const int sleeper = static_cast<int>(node_sizes_.size());
    node_sizes_.push_back(kOfSleeper);
    elements_.push_back({on_ballast, {sleeper}});
    for (const Rail rail : {kLeft, kRight})
      for (const Bending b : {kVerticalBending, kLateralBending})
        elements_.push_back(
            {pads[rail][b], {rail_node((k + 1) * options_.elements_per_bay, rail, b), sleeper}});
  }
}

int SleeperTrack::element_at(double s) const {
  if (!(s > options_.from && s < options_.to)) return -1;
  return std::min(static_cast<int>((s - options_.from) / length_), n_rail_elements() - 1);
}

int SleeperTrack::rail_node(int section, Rail rail, Bending bending) const {
  if (section <= 0 || section >= n_rail_elements()) return -1;
  return (section - 1) * kNodesOfSection + rail * kBendings + bending;
}

int SleeperTrack::sleeper_node(int sleeper) const {
  return (n_rail_elements() - 1) * kNodesOfSection + sleeper;
}

SleeperTrack::Shape SleeperTrack::shape(int element, double s) const {
  const double L = length_, x = (s - options_.from) / L - element;
  Shape shape;
  shape.N << 1 - x * x * (3 - 2 * x), L * x * (1 - x) * (1 - x), x * x * (3 - 2 * x),
      -L * x * x * (1 - x);
  shape.N_s << -6 * x * (1 - x) / L, (1 - x) * (1 - 3 * x), 6 * x * (1 - x) / L, x * (3 * x - 2);
  shape.N_ss << (12 * x - 6) / (L * L), (6 * x - 4) / L, (6 - 12 * x) / (L * L), (6 * x - 2) / L;
  return shape;
}

}  // namespace solidyn::track
