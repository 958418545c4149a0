#pragma once
#include <Eigen/Dense>
#include <complex>
#include <optional>
#include <vector>

namespace solidyn::analyses {

/// How much people feel vibration of a frequency.
enum class VibrationWeight {
  Wk,  ///< ISO 2631-1: vertical
  Wd,  ///< ISO 2631-1: horizontal
  Wb   ///< EN 12299, annex C: vertical, in railway vehicles. ISO 2631-4 has other quality factors
};

/// The complex response of the weight at a frequency f, Hz: band limits of second order at 0.4 and
/// 100 Hz, the transition from acceleration to velocity, and the step, by the parameters of ISO
/// 2631-1 (1997), table A.1, and of EN 12299. Proved by Ride.WeightsAreThoseOfTheStandard.
std::complex<double> vibration_weight(VibrationWeight weight, double frequency);

/// Root mean squares of the weighted acceleration in successive blocks of a length; a rest is left
/// out. @param rate Hz   @param block s   @returns at least one, if the signal has one block
std::vector<double> weighted_rms(const Eigen::Ref<const Eigen::VectorXd>& acceleration, double rate,
                                 VibrationWeight weight, double block);

/// Accelerations on the floor, m/s^2; those that are missing are empty.
struct FloorAccelerations {
  Eigen::VectorXd longitudinal, lateral, vertical;
};

/// EN 12299, mean comfort by the standard method: N_MV = 6 sqrt(a_x^2 + a_y^2 + a_z^2) with the
/// 95th percentiles of the weighted root mean squares (Wd, Wd, Wb) over 5 s. The standard takes 60
/// of them, that is 300 s.
struct MeanComfort {
  double index = 0.0;
  int n_blocks = 0;
  bool is_whole() const { return n_blocks >= 60; }
};
/// @returns nothing for a signal of less than 5 s
std::optional<MeanComfort> mean_comfort(const FloorAccelerations& accelerations, double rate);

enum class RideDirection { horizontal, vertical };

/// Sperling's weight of comfort at a frequency, Hz.
double sperling_weight(RideDirection direction, double frequency);

/// Sperling's ride index of comfort: W_z = (sum of w_i^10)^(1/10) over the lines of the spectrum,
/// w_i = (a_i^2 B_i^2)^(1/6.67), a_i the amplitude in cm/s^2, from 0.5 to 40 Hz. The lines are
/// those of the whole signal without its mean, in successive blocks of 5 s, of which the mean
/// square is taken.
/// @returns nothing for a signal of less than 5 s
std::optional<double> sperling_index(const Eigen::Ref<const Eigen::VectorXd>& acceleration,
                                     double rate, RideDirection direction);

}  // namespace solidyn::analyses
