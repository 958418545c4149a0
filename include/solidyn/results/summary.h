#pragma once
#include <mpi.h>

#include <Eigen/Core>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace solidyn::results {

/// `status` in summary.json. A run writes `running` first: a folder that still has it
/// after its process has gone holds a run that was killed, to be continued from checkpoint.h5.
/// `doubtful` is a run that came to its end with results that it has reasons to distrust.
enum class RunStatus { running, done, doubtful, failed };

/// Where a failed run stopped.
struct RunFailure {
  double time = 0.0;  ///< s
  std::int64_t step = 0;
  std::string message;
};

/// How the equilibria of statics were found.
struct EquilibriaFound {
  std::int64_t relaxed = 0;           ///< by dynamic relaxation; the others by Newton's method
  std::int64_t relaxation_steps = 0;  ///< of all of them
  std::int64_t unstable = 0;
  std::optional<double> first_unstable;  ///< load parameter
};

/// The content of summary.json, key by key (doc/results.md explains each). A number that is not
/// known stays NaN and is written as null.
struct RunSummary {
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  RunStatus status = RunStatus::running;
  std::string title;
  std::string integrator;
  std::string formulation;  ///< of dynamics and statics: `absolute` or `recursive`; else empty
  std::string formulation_reason;  ///< why, in a short sentence
  int ranks = 1;
  std::int64_t dofs = 0;         ///< velocity unknowns, constraints not subtracted
  std::int64_t constraints = 0;  ///< scalar constraint equations that are enforced
  std::int64_t steps = 0;        ///< accepted steps
  std::int64_t newton_iterations = 0;
  std::int64_t linear_iterations = 0;
  double time = 0.0;  ///< simulated time reached, s
  struct {
    double total = 0.0, setup = 0.0, assembly = 0.0, solve = 0.0, output = 0.0;
  } seconds;                                 ///< wall-clock time on rank 0
  double peak_rss_mb = 0.0;                  ///< of the largest process, see measure_memory()
  double peak_rss_mb_total = 0.0;            ///< of all processes together
  std::vector<double> peak_rss_mb_of_ranks;  ///< of each
  struct {
    double position = kUnknown, velocity = kUnknown, acceleration = kUnknown;
  } max_constraint_violation;
  struct {
    double kinetic = kUnknown, strain = kUnknown, potential = kUnknown, work = kUnknown,
           relative_drift = kUnknown, exchanged = kUnknown, imbalance = kUnknown;
  } energy;
  std::optional<EquilibriaFound> equilibria;  ///< of statics
  /// What statics took, where a motion began from its equilibrium; the other numbers are the
  /// motion's.
  struct Before {
    std::int64_t steps = 0, newton_iterations = 0;
    double work = kUnknown;  ///< J
  };
  std::optional<Before> statics;
  /// What set-valued contacts have shown, where there are any.
  struct Nonsmooth {
    std::int64_t impacts = 0;  ///< contact points that were hit
    int most_closed = 0;       ///< points closed at once
    double penetration = 0.0;  ///< m, deepest at the end of a step
    double overrun = 0.0;      ///< rad, the same of joints that turn
    double energy_lost = 0.0, friction_loss = 0.0, integrator_loss = 0.0;  ///< J
    std::optional<double> work_of_loads;                                   ///< J, of dynamics
    double largest_gain = 0.0;  ///< J, by impacts and closed gaps in a step
    struct {
      std::string method;  ///< that was asked for
      std::int64_t problems = 0;
      std::vector<std::pair<std::string, std::int64_t>> found_by;  ///< and how often
      double mean_iterations = 0.0;
      std::int64_t most_iterations = 0, fallbacks = 0;
      double residual = 0.0, relative_residual = 0.0;  ///< m/s; of velocities without forces
    } solver;
  };
  std::optional<Nonsmooth> nonsmooth;
  /// What inverse dynamics has found that a drive needs, over the rows of drives.csv.
  struct Drive {
    std::string name;
    std::string effort;  ///< `force`, `torque`; empty: the drive prescribes a whole place
    double largest = 0.0, largest_at = 0.0;            ///< N or N m, with its sign; s
    double rms = 0.0;                                  ///< of it
    double largest_power = 0.0, smallest_power = 0.0;  ///< W, given to and taken from the mechanism
    double work = 0.0;                                 ///< J
  };
  std::vector<Drive> drives;
  /// The inertia at a place. Of numbers that are infinite, where nothing moves, null is written.
  struct PlaceInertia {
    using Matrix6 = Eigen::Matrix<double, 6, 6>;
    std::string place;
    double time = 0.0;                      ///< s
    std::string axes;                       ///< `world` or `place`
    Eigen::Vector3d position;               ///< m, W
    Matrix6 mobility;                       ///< [acceleration; angular one] by [force; torque]
    int n_motions = 0;                      ///< of six
    std::optional<Matrix6> inertia;         ///< the inverse of the mobility
    Eigen::Vector3d masses, moments;        ///< kg, kg m^2, along the axes
    Eigen::Vector3d principal_masses;       ///< kg, the smallest first
    Eigen::Vector3d principal_moments;      ///< kg m^2
    Eigen::Matrix3d directions_of_masses;   ///< columns, along the axes
    Eigen::Matrix3d directions_of_moments;  ///< columns
    /// Of forces at other places of the analysis, by name.
    std::vector<std::pair<std::string, Matrix6>> mobility_by;
  };
  std::vector<PlaceInertia> reflected_inertia;
  std::vector<std::string> warnings;
  std::vector<std::string> doubts;  ///< why the status is doubtful, or would be but for a failure
  std::optional<RunFailure> failure;
  std::string stopped_by;  ///< condition that ended the run before its duration; empty: none

  /// Collective. Fills the peak_rss values: what each process has had resident at most since its
  /// start, in 10^6 bytes.
  void measure_memory(MPI_Comm comm);
};

/// The text of summary.json: the keys above, `version` and, after a failure, `failure`.
std::string to_json(const RunSummary& summary);

/// Local. Turns `running` into `failed` in a summary.json, where nothing more can be written: it
/// takes no room. Does nothing if the file has another status.
void mark_failed(const std::string& path);

/// Collective. Rank 0 writes `path` in one piece (base::write_atomically); throws on all ranks.
void write_summary(MPI_Comm comm, const std::string& path, const RunSummary& summary);

}  // namespace solidyn::results
