#include "solidyn/analyses/linear_io.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contact_force_changes.h"
#include "row_space.h"
#include "solidyn/base/error.h"
#include "solidyn/bodies/beam_body.h"
#include "solidyn/forces/force.h"
#include "solidyn/forces/set_valued.h"

namespace solidyn::analyses {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using system::Linearisation;
using system::State;
using system::System;

// Displacements, relative to the mechanism, and changes of rates and forces of central differences.
constexpr double kIncrement = 1e-5;
// Of poses: stiff beams and springs curve the forces of soft directions far more than those of
// stiff ones.
constexpr double kPoseIncrement = 1e-7;
constexpr double kContradictsTerms = 1e-6;  // of a row's terms

void append_column(MatrixXd& matrix, const VectorXd& column) {
  matrix.conservativeResize(column.size(), matrix.cols() + 1);
  matrix.rightCols<1>() = column;
}

class SensorDifferences {
 public:
  SensorDifferences(System& system, const State& state, const std::vector<const Sensor*>& sensors,
                    const std::vector<Sensor::Column>& columns)
      : system_(system),
        state_(state),
        moved_(state.clone()),
        sensors_(sensors),
        is_angle_(columns.size()),
        plus_(static_cast<Index>(columns.size())),
        minus_(plus_) {
    std::transform(columns.begin(), columns.end(), is_angle_.begin(),
                   [](const Sensor::Column& column) { return column.unit == "rad"; });
  }

  // Column j: the derivative by entry j of what `change` changes by `steps`.
  template <class Change>
  MatrixXd derivative(const VectorXd& steps, Change&& change) {
    MatrixXd result(plus_.size(), steps.size());
    for (Index j = 0; j < steps.size(); ++j) {
      read(change, steps[j] * VectorXd::Unit(steps.size(), j), plus_);
      read(change, -steps[j] * VectorXd::Unit(steps.size(), j), minus_);
      for (Index i = 0; i < plus_.size(); ++i) {
        const double difference = plus_[i] - minus_[i];
        result(i, j) =
            (is_angle_[i] ? std::remainder(difference, 2.0 * M_PI) : difference) / (2.0 * steps[j]);
      }
    }
    system_.update(state_);
    return result;
  }

 private:
  template <class Change>
  void read(Change& change, const VectorXd& by, VectorXd& values) {
    moved_.copy_from(state_);
    change(moved_, by);
    system_.update(moved_);
    system_.update_accelerations();
    double* at = values.data();
    for (const Sensor* sensor : sensors_) {
      sensor->read({system_, moved_}, at);
      at += sensor->columns.size();
    }
  }
  System& system_;
  const State& state_;
  State moved_;
  const std::vector<const Sensor*>& sensors_;
  std::vector<bool> is_angle_;
  VectorXd plus_, minus_;
};

// Rows that were left out because they follow from others must not move with the drive.
void refuse_contradiction(System& system, const State& state, const Linearisation& l,
                          const LinearInputs::Motion& motion) {
  if (static_cast<int>(l.rows.size()) == system.layout().n_constraints() &&
      l.dependent_contacts.empty())
    return;
  VectorXd r, phi;
  system.update(state);
  system.compute_residual(state, r, phi);
  const VectorXd x =
      RowSpace(MatrixXd(l.G), l.weights).solve(VectorXd::Unit(l.G.rows(), motion.row));
  const auto contradicts = [&x](const auto& row) {
    return std::abs(row.dot(x)) > kContradictsTerms * row.cwiseAbs().dot(x.cwiseAbs());
  };
  for (std::size_t i = 0; i < l.dependent_contacts.size(); ++i)
    if (contradicts(MatrixXd(l.dependent_G).row(static_cast<Index>(i))))
      throw base::ComputationError(fmt::format(
          "drive `{}` cannot be an input: the closed contact `{}` holds the same motion\n  remove one of the two",
          motion.name, system.force(l.dependent_contacts[i].force).as_set_valued()->label()));
  // Against what the row would see of a motion of this size: its own terms may all be round-off.
  const Linearisation::Matrix G = system.sparse_G();
  const VectorXd moving = l.T * x, inverse = l.bodies.weights.cwiseInverse();
  const double size = moving.cwiseProduct(l.bodies.weights).lpNorm<Eigen::Infinity>();
  for (int row = 0; row < system.layout().n_constraints(); ++row) {
    if (std::find(l.rows.begin(), l.rows.end(), row) != l.rows.end()) continue;
    const VectorXd by = G.row(row).transpose();
    const double largest = by.cwiseProduct(inverse).lpNorm<Eigen::Infinity>() * size;
    if (std::abs(by.dot(moving)) <= kContradictsTerms * largest) continue;
    throw base::ComputationError(fmt::format(
        "drive `{}` cannot be an input: {} constrains the same motion\n  remove one of the two",
        motion.name, system.layout().multiplier_name(row)));
  }
}

// Changes of what sensors see of multipliers of hinges, which no equation of x has: with
// G_h^T lambda_h = f - M a - D v - K x - G^T mu of the bodies, and G_h W = (sensors by lambda_h)^T.
void add_hinge_forces(const System& system, const Linearisation& l, const LinearInputs& inputs,
                      const MatrixXd& by_lambda, LinearOutputs& outputs) {
  if (by_lambda.isZero(0.0)) return;
  const auto rows_of_G =
      [G = Linearisation::Matrix(system.sparse_G())](const std::vector<int>& rows) {
        return MatrixXd(MatrixXd(G)(rows, Eigen::all));
      };
  const RowSpace hinges(rows_of_G(l.hinge_rows), l.bodies.weights);
  const MatrixXd W = hinges.solve(by_lambda.transpose()).transpose();
  const MatrixXd WM = W * l.bodies.M, WD = W * l.bodies.D, WK = W * l.bodies.K;
  outputs.by_x -= WM * l.A0 + WD * l.V + WK * l.T;
  outputs.by_dx -= WM * l.A1 + WD * l.T;
  outputs.by_ddx -= WM * l.T;
  // Behind those of G are laws of forces with coordinates, which act on no hinge.
  outputs.by_mu.leftCols(static_cast<Index>(l.rows.size())) -= W * rows_of_G(l.rows).transpose();
  if (inputs.on_bodies.cols() > 0) outputs.by_force += W * inputs.on_bodies;
}

}  // namespace

void add_load_input(const System& system, const Linearisation& l, const std::string& name,
                    forces::ForceIndex force, int component, LinearInputs& inputs) {
  const forces::Force& load = system.force(force);
  const VectorXd of_carrier = load.unit_load(system.kinematics(), component);
  VectorXd f = VectorXd::Zero(system.layout().n_velocities());
  f.segment(system.layout().velocity_offset(load.bodies().front()), of_carrier.size()) = of_carrier;
  append_column(inputs.on_bodies, f);
  append_column(inputs.forces, l.T.transpose() * f);
  inputs.force_names.push_back(name);
}

void add_line_load_input(const System& system, const Linearisation& l, const std::string& name,
                         const bodies::BeamBody& beam, const std::string& load, int component,
                         LinearInputs& inputs) {
  const VectorXd on_nodes = beam.unit_load(load, component);
  VectorXd f = VectorXd::Zero(system.layout().n_velocities());
  for (std::size_t k = 0; k < beam.nodes().size(); ++k)
    f.segment<6>(system.layout().velocity_offset(beam.nodes()[k])) +=
        on_nodes.segment<6>(static_cast<Index>(6 * k));
  append_column(inputs.on_bodies, f);
  append_column(inputs.forces, l.T.transpose() * f);
  inputs.force_names.push_back(name);
  inputs.line_loads.push_back({inputs.forces.cols() - 1, &beam, load, component});
}

std::vector<std::string> LinearInputs::names() const {
  std::vector<std::string> all = force_names;
  for (const Motion& motion : motions) all.push_back(motion.name);
  return all;
}

void add_drive_input(System& system, const State& state, const Linearisation& l,
                     const std::string& name, bodies::ConstraintIndex constraint, int row,
                     LinearInputs& inputs) {
  const int multiplier = system.layout().constraint_offset(constraint) + row;
  const auto found = std::find(l.rows.begin(), l.rows.end(), multiplier);
  if (found == l.rows.end())
    throw base::ComputationError(fmt::format(
        "drive `{}` cannot be an input: joints and other drives already determine the same motion\n  remove the other drive, or use that one under `inputs`",
        name));
  const LinearInputs::Motion motion{name, found - l.rows.begin()};
  refuse_contradiction(system, state, l, motion);
  inputs.motions.push_back(motion);
}

LinearOutputs linearise_sensors(System& system, const State& state, const Linearisation& l,
                                const std::vector<const Sensor*>& sensors,
                                const LinearInputs& inputs) {
  LinearOutputs outputs;
  for (const Sensor* sensor : sensors)
    outputs.columns.insert(outputs.columns.end(), sensor->columns.begin(), sensor->columns.end());
  SensorDifferences differences(system, state, sensors, outputs.columns);
  const ContactForceChanges contacts(system, state, l);
  const VectorXd steps = kIncrement * l.bodies.weights.cwiseInverse();
  const double rate = std::max(1.0, l.rate);
  const MatrixXd by_q = differences.derivative(kPoseIncrement * l.bodies.weights.cwiseInverse(),
                                               [&](State& s, const VectorXd& by) {
                                                 system.advance(state.q, by, s.q);
                                                 contacts.turn(s);
                                               });
  const MatrixXd by_v =
      differences.derivative(rate * steps, [](State& s, const VectorXd& by) { s.v += by; });
  const MatrixXd by_a =
      differences.derivative(rate * rate * steps, [](State& s, const VectorXd& by) { s.a += by; });
  const double force =
      std::max(1.0, state.lambda.size() ? state.lambda.cwiseAbs().maxCoeff() : 1.0);
  outputs.by_mu = differences.derivative(
      VectorXd::Constant(l.G.rows(), kIncrement * force), [&](State& s, const VectorXd& by) {
        for (std::size_t i = 0; i < l.rows.size(); ++i)
          s.lambda[l.rows[i]] += by[static_cast<Index>(i)];
        contacts.add(by.tail(static_cast<Index>(l.contacts.size())), s);
      });
  const MatrixXd by_hinges = differences.derivative(
      VectorXd::Constant(static_cast<Index>(l.hinge_rows.size()), kIncrement * force),
      [&](State& s, const VectorXd& by) {
        for (std::size_t i = 0; i < l.hinge_rows.size(); ++i)
          s.lambda[l.hinge_rows[i]] += by[static_cast<Index>(i)];
      });
  outputs.by_force = MatrixXd::Zero(static_cast<Index>(outputs.columns.size()),
                                    static_cast<Index>(inputs.force_names.size()));
  for (const LinearInputs::LineLoad& input : inputs.line_loads) {
    const bodies::BeamBody& beam = *input.beam;
    outputs.by_force.col(input.column) = differences.derivative(
        VectorXd::Ones(1),
        [&](State&, const VectorXd& by) { beam.vary_load(input.load, input.component, by[0]); });
    beam.vary_load(input.load, input.component, 0.0);
  }
  system.update(state);
  outputs.by_x = by_q * l.T + by_v * l.V + by_a * l.A0;
  outputs.by_dx = by_v * l.T + by_a * l.A1;
  outputs.by_ddx = by_a * l.T;
  if (!l.hinge_rows.empty()) {
    VectorXd r, phi;
    system.compute_residual(state, r, phi);  // what sparse_G() is of
    add_hinge_forces(system, l, inputs, by_hinges, outputs);
  }
  return outputs;
}

}  // namespace solidyn::analyses
