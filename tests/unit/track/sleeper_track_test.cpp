// Rails on discrete sleepers against closed forms: Zimmermann's beam on an elastic foundation,
// Euler's frequency of the mode that is pinned at sleepers, and the exact dynamic stiffness.
#include "solidyn/track/sleeper_track.h"

#include <gtest/gtest.h>

#include <Eigen/Sparse>
#include <cmath>
#include <complex>

#include "solidyn/base/error.h"

namespace solidyn::track {
namespace {

using Complex = std::complex<double>;
using Eigen::VectorXd;
using SparseComplex = Eigen::SparseMatrix<Complex>;

SleeperTrackOptions ballasted() {
  SleeperTrackOptions o;
  o.from = 10.0;
  o.to = 22.0;
  o.pad_stiffness = {1.5e8, 4e7};
  o.pad_damping = {4e4, 2e4};
  o.sleeper_mass = 290.0;
  o.ballast_stiffness = {9e7, 3e7};
  o.ballast_damping = {9e4, 5e4};
  return o;
}

std::vector<int> offsets_of(const SleeperTrack& track) {
  std::vector<int> offsets = {0};
  for (const int size : track.node_sizes()) offsets.push_back(offsets.back() + size);
  return offsets;
}

// K + i w D - w^2 M.
SparseComplex dynamic_stiffness(const SleeperTrack& track, double w) {
  const std::vector<int> offsets = offsets_of(track);
  std::vector<Eigen::Triplet<Complex>> entries;
  for (const SleeperTrack::Element& element : track.elements()) {
    const SleeperTrack::Matrices& m = track.matrices()[element.matrices];
    std::vector<int> at;
    for (const int node : element.nodes)
      for (int i = offsets[node]; i < offsets[node + 1]; ++i) at.push_back(i);
    for (Eigen::Index i = 0; i < m.K.rows(); ++i)
      for (Eigen::Index j = 0; j < m.K.cols(); ++j)
        entries.emplace_back(at[i], at[j], Complex(m.K(i, j) - w * w * m.M(i, j), w * m.D(i, j)));
  }
  SparseComplex matrix(offsets.back(), offsets.back());
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

// Displacements under forces on both rails at a section, by angular frequency.
Eigen::VectorXcd response(const SleeperTrack& track, int section, Bending bending, double left,
                          double right, double w) {
  const std::vector<int> offsets = offsets_of(track);
  Eigen::VectorXcd force = Eigen::VectorXcd::Zero(offsets.back());
  force[offsets[track.rail_node(section, SleeperTrack::kLeft, bending)]] = left;
  force[offsets[track.rail_node(section, SleeperTrack::kRight, bending)]] = right;
  Eigen::SparseLU<SparseComplex> lu(dynamic_stiffness(track, w));
  EXPECT_EQ(lu.info(), Eigen::Success);
  return lu.solve(force);
}

// Rails on a foundation of k per length: w = P b/(2 k) e^(-b x) (cos b x + sin b x), with
// b^4 = k/(4 EI). Sleepers 0.15 m apart differ by (b spacing)^4/720 or so. Loads on both rails, and
// opposite ones, under which sleepers roll.
TEST(SleeperTrack, DeflectsAsZimmermannsBeamWhereSleepersAreClose) {
  SleeperTrackOptions o = ballasted();
  o.to = 28.0;
  o.spacing = 0.15;
  o.elements_per_bay = 1;
  const double quarter = o.spacing / 0.6, P = 1e5, arm = 0.5 * o.rail_distance;
  for (const Bending b : {kVerticalBending, kLateralBending}) {
    o.pad_stiffness[b] *= quarter;
    o.ballast_stiffness[b] *= quarter;
  }
  const SleeperTrack track(o);
  const std::vector<int> offsets = offsets_of(track);
  const int middle = track.n_rail_elements() / 2;
  struct Case {
    Bending bending;
    double right, ballast;  // of P; compliance under one rail's seat
  };
  const double rolling =
      24.0 * arm * arm /
      (o.ballast_stiffness[kVerticalBending] * o.sleeper_length * o.sleeper_length);
  for (const Case& c : {Case{kVerticalBending, 1.0, 2.0 / o.ballast_stiffness[kVerticalBending]},
                        Case{kVerticalBending, -1.0, rolling},
                        Case{kLateralBending, 1.0, 2.0 / o.ballast_stiffness[kLateralBending]}}) {
    const double k = 1.0 / (1.0 / o.pad_stiffness[c.bending] + c.ballast) / o.spacing;
    const double b = std::pow(k / (4.0 * o.bending_stiffness[c.bending]), 0.25);
    const VectorXd w = response(track, middle, c.bending, P, c.right * P, 0.0).real();
    for (const int away : {0, 3, 8, 16}) {
      const double x = away * track.element_length();
      const double expected =
          P * b / (2.0 * k) * std::exp(-b * x) * (std::cos(b * x) + std::sin(b * x));
      EXPECT_NEAR(w[offsets[track.rail_node(middle + away, SleeperTrack::kLeft, c.bending)]],
                  expected, 1e-3 * P * b / (2.0 * k))
          << c.bending << " " << c.right << " at " << x;
    }
  }
}

// Exact dynamic stiffness of a beam without shear for [w, w'] of its ends (Kolousek): forces are
// derivatives of w = combination of sin, cos, sinh, cosh.
Eigen::Matrix4cd exact_beam(double EI, double m, double L, double w) {
  const double k = std::pow(m * w * w / EI, 0.25), a = k * L;
  const auto row = [&](double x, int n) {  // n-th derivative of the four functions
    const double s = std::sin(x), c = std::cos(x), sh = std::sinh(x), ch = std::cosh(x);
    const double sin_n[4] = {s, c, -s, -c}, cos_n[4] = {c, -s, -c, s};
    Eigen::RowVector4d r(sin_n[n % 4], cos_n[n % 4], n % 2 ? ch : sh, n % 2 ? sh : ch);
    return Eigen::RowVector4d(std::pow(k, n) * r);
  };
  Eigen::Matrix4d ends, forces;
  ends << row(0, 0), row(0, 1), row(a, 0), row(a, 1);
  forces << EI * row(0, 3), -EI * row(0, 2), -EI * row(a, 3), EI * row(a, 2);
  return (forces * ends.inverse()).cast<Complex>();
}

// One rail under equal loads on both: receptance by exact beams between sleepers and mid-bays.
Complex exact_receptance(const SleeperTrackOptions& o, int half_bay, double w) {
  const int n = 2 * static_cast<int>(std::lround((o.to - o.from) / o.spacing));
  const Eigen::Matrix4cd beam =
      exact_beam(o.bending_stiffness[0], o.mass_per_length, 0.5 * o.spacing, w);
  Eigen::MatrixXcd all = Eigen::MatrixXcd::Zero(2 * (n + 1), 2 * (n + 1));
  for (int e = 0; e < n; ++e) all.block<4, 4>(2 * e, 2 * e) += beam;
  const Complex pad(o.pad_stiffness[0], w * o.pad_damping[0]);
  const Complex under(0.5 * (o.ballast_stiffness[0] - w * w * o.sleeper_mass),
                      0.5 * w * o.ballast_damping[0]);
  for (int i = 2; i < n; i += 2) all(2 * i, 2 * i) += pad * under / (pad + under);
  const Eigen::Index inner = 2 * (n - 1);
  Eigen::VectorXcd force = Eigen::VectorXcd::Zero(inner);
  force[2 * (half_bay - 1)] = 1.0;
  return all.block(2, 2, inner, inner).partialPivLu().solve(force)[2 * (half_bay - 1)];
}

// Over a sleeper and in the middle of a bay.
TEST(SleeperTrack, ReceptanceIsThatOfExactBeams) {
  SleeperTrackOptions o = ballasted();
  const SleeperTrack track(o);
  const std::vector<int> offsets = offsets_of(track);
  const int half_bays = 2 * (track.n_sleepers() + 1), per_half = o.elements_per_bay / 2;
  const auto receptance = [&](int half_bay, double f) {
    const int section = half_bay * per_half;
    return response(
        track, section, kVerticalBending, 1.0, 1.0,
        2.0 * M_PI * f)[offsets[track.rail_node(section, SleeperTrack::kLeft, kVerticalBending)]];
  };
  for (const int half_bay : {half_bays / 2, half_bays / 2 + 1})
    for (const double f : {30.0, 120.0, 350.0, 700.0, 1000.0}) {
      const Complex exact = exact_receptance(o, half_bay, 2.0 * M_PI * f);
      EXPECT_LT(std::abs(receptance(half_bay, f) - exact), 2e-3 * std::abs(exact))
          << half_bay << " " << f;
    }
}

// Half a wave in each bay, with sleepers at rest: the frequency is Euler's of a beam on supports.
TEST(SleeperTrack, ResonanceThatIsPinnedAtTheSleepersIsEulers) {
  SleeperTrackOptions o = ballasted();
  const SleeperTrack track(o);
  const double L = track.element_length();
  const SleeperTrack::Matrices& beam =
      track.matrices()[0];  // a whole element that bends vertically
  double stiffness = 0.0, mass = 0.0;
  for (int e = 0; e < o.elements_per_bay; ++e) {
    const auto wave = [&](double x) {
      const double k = M_PI / o.spacing;
      return Eigen::Vector2d(std::sin(k * x), k * std::cos(k * x));
    };
    Eigen::Vector4d ends;
    ends << wave(e * L), wave((e + 1) * L);
    stiffness += ends.dot(beam.K * ends);
    mass += ends.dot(beam.M * ends);
  }
  const double euler =
      M_PI / (2.0 * o.spacing * o.spacing) * std::sqrt(o.bending_stiffness[0] / o.mass_per_length);
  EXPECT_NEAR(euler, 1420.3, 0.1);
  EXPECT_NEAR(std::sqrt(stiffness / mass) / (2.0 * M_PI), euler, 1e-3 * euler);
}

TEST(SleeperTrack, ShapesAreTheBeamsAndJoinSmoothly) {
  const SleeperTrack track(ballasted());
  const auto cubic = [](double s) {
    return std::array<double, 3>{s * s * s - 3 * s, 3 * s * s - 3, 6 * s};
  };
  const double L = track.element_length();
  for (const double s : {10.02, 15.0, 17.333, 21.99}) {
    const int e = track.element_at(s);
    const double a = track.from() + e * L, b = a + L;
    const Eigen::Vector4d ends(cubic(a)[0], cubic(a)[1], cubic(b)[0], cubic(b)[1]);
    const SleeperTrack::Shape N = track.shape(e, s);
    EXPECT_NEAR(N.N.dot(ends), cubic(s)[0], 1e-9);
    EXPECT_NEAR(N.N_s.dot(ends), cubic(s)[1], 1e-8);
    EXPECT_NEAR(N.N_ss.dot(ends), cubic(s)[2], 1e-6);
  }
  EXPECT_EQ(track.element_at(9.99), -1);
  EXPECT_EQ(track.element_at(22.0), -1);
  EXPECT_EQ(track.rail_node(0, SleeperTrack::kLeft, kLateralBending), -1);
}

TEST(SleeperTrack, RefusesPartsOfBays) {
  SleeperTrackOptions o = ballasted();
  o.to = 21.7;
  EXPECT_THROW(SleeperTrack{o}, base::InputError);
  o.to = 11.8;
  EXPECT_THROW(SleeperTrack{o}, base::InputError);
  o.to = 5.0;
  EXPECT_THROW(SleeperTrack{o}, base::InputError);
}

}  // namespace
}  // namespace solidyn::track
