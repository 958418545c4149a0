#pragma once
#include <string>
#include <vector>

#include "solidyn/analyses/modes.h"
#include "solidyn/analyses/sensors.h"

/// What tables and files say of modes and frequency responses (doc/linearisation.md).
namespace solidyn::simulation {

struct ModeRow {
  int number = 0;  ///< from 1
  int branch = 0;  ///< the same for a mode at several speeds; from 1
  analyses::Mode::Kind kind = analyses::Mode::Kind::oscillation;
  std::complex<double> s;
  double frequency = 0.0, natural_frequency = 0.0, damping_ratio = 0.0;  ///< Hz, Hz, 1
  std::string body;   ///< with the largest part of the kinetic energy
  double part = 0.0;  ///< 0 to 1
};

std::vector<ModeRow> mode_rows(const system::System& system, const system::Linearisation& linear,
                               const std::vector<analyses::Mode>& modes);

/// For a terminal.
std::string mode_table(const std::vector<ModeRow>& rows);

std::string mode_header();
std::string mode_lines(double time, double speed, const std::vector<ModeRow>& rows);

std::string response_header();
std::string response_lines(double time, double frequency, const std::vector<std::string>& inputs,
                           const std::vector<analyses::Sensor::Column>& outputs,
                           const Eigen::MatrixXcd& response);

/// Gives modes at one speed the branches of those at the speed before whose shapes are most alike.
class ModeTracker {
 public:
  void name_branches(const system::Linearisation& linear, const std::vector<analyses::Mode>& modes,
                     std::vector<ModeRow>& rows);

 private:
  std::vector<Eigen::VectorXcd> shapes_;
  std::vector<int> branches_;
  int n_branches_ = 0;
};

}  // namespace solidyn::simulation
