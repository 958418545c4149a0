#pragma once
#include <optional>
#include <string>
#include <vector>

#include "solidyn/forces/runs_on_track.h"
#include "solidyn/system/linearisation.h"
#include "solidyn/system/system.h"

namespace solidyn::analyses {

/// A vehicle that runs at constant speed, as it would forever on the track as it is under it.
struct SteadyRunning {
  system::State state;
  /// What keeps the speed against creep and gradients: a force on each body along its way, N of all
  /// together, in proportion to its mass like that of a slope. 0 where a drive of the model does.
  double traction = 0.0;
  /// N, of these what no force dissipates and no slope takes: a sign of forces that are no
  /// derivatives of their energy where wheels turn, such as bushings with moments.
  double unexplained = 0.0;
  int iterations = 0;
};

/// Newton's method, from an equilibrium at rest, for
///   M a + h + G^T lambda = traction,  Phi = 0
/// with velocities and accelerations those of running with `speed`: of the track's frame where the
/// wheelsets are, straight or along an arc, and in addition of each wheelset's frame a speed about
/// its axle, which the balance of moments about it determines. Wheelsets keep the angle about their
/// axles, and the vehicle its place along the track.
/// @param speed m/s, along the track
/// @throws base::ComputationError where the track changes along the vehicle, a body that is held
/// does not move along, or no steady state is found near `start`.
/// Proved by tests/programs/railway_vehicles.py
SteadyRunning run_steadily(system::System& system, const forces::Wheelsets& wheelsets,
                           const system::State& start, double speed);

/// The axes in which a vehicle that runs as the wheelsets do stands still; none where they are not
/// on the same straight, arc or slope, or do not run. @pre System::update() of the state
std::optional<system::Carriage> find_carriage(const system::System& system,
                                              const forces::Wheelsets& wheelsets);

/// How far a motion is from that of a carriage, in which coefficients of small motions are
/// constant, as the track is the same everywhere and wheelsets are bodies of revolution: velocities
/// and accelerations beside it, relative to the size and rate of the motion, and how far the
/// inertia of a wheelset that turns in it, with what is fixed to it, is from one of revolution. 0
/// in steady running.
/// @pre `l` is of the state, as system::linearise() leaves the system
double departure(const system::System& system, const forces::Wheelsets& wheelsets,
                 const system::Carriage& carriage, const system::State& state,
                 const system::Linearisation& l);

/// The state a little further along the track, if the vehicle stands still in the axes of its
/// carriage and wheelsets turn in them, and what is carried along to there. Loads and drives are
/// those of the present time.
class FurtherAlong {
 public:
  /// @pre System::update() of the state; wheelsets is not empty
  FurtherAlong(const system::System& system, const forces::Wheelsets& wheelsets,
               const system::Carriage& carriage, const system::State& state);

  const system::State& state() const { return state_; }
  double distance() const { return distance_; }  ///< m along the track
  /// Generalised forces that turn with the carriage: forces in W, torques in the axes that bodies
  /// have further along. [n_v x n]
  Eigen::MatrixXd carried(const Eigen::MatrixXd& Q) const;

 private:
  struct Turn {
    int at;
    Eigen::Matrix3d of_forces, of_torques;
  };
  system::State state_;
  double distance_ = 0.0;
  std::vector<Turn> turns_;
};

/// A force that is not carried along with the vehicle.
struct ChangingForce {
  std::string name;
  double force = 0.0, moment = 0.0;  ///< N, N m: the largest change on a body
  double share = 0.0;                ///< of the vehicle's largest force or moment
  double distance = 0.0;             ///< m, on which it changes so
};

/// The forces that change, as the vehicle sees them, while it runs on as it does: such as springs
/// to the ground, and bushings with moments on wheelsets that turn; that with the largest share is
/// the first. Empty where all are constant, as in steady running; shares below 1e-4 are left out.
/// Wheels on irregular rails, or on rails with other friction, further along are left out.
/// @pre System::update() of the state. Leaves the system there. Proved by
/// tests/programs/railway_steady.py
std::vector<ChangingForce> find_changing_forces(system::System& system,
                                                const forces::Wheelsets& wheelsets,
                                                const system::Carriage& carriage,
                                                const system::State& state);

/// "the left wheel of `wheels_1`, ...": all wheels that do not touch their rails; empty otherwise.
/// @pre System::update() of the state
std::string describe_unloaded_wheels(const system::System& system,
                                     const forces::Wheelsets& wheelsets);

}  // namespace solidyn::analyses
