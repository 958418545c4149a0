#include "simulation/mode_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace solidyn::simulation {
namespace {

using analyses::Mode;
using Eigen::VectorXcd;

// Shapes less alike than this belong to different branches.
constexpr double kAlike = 0.3;

const char* name(Mode::Kind kind) {
  switch (kind) {
    case Mode::Kind::rigid:
      return "rigid";
    case Mode::Kind::neutral:
      return "neutral";
    case Mode::Kind::oscillation:
      return "oscillation";
    case Mode::Kind::aperiodic:
      return "aperiodic";
  }
  return "";
}

}  // namespace

std::vector<ModeRow> mode_rows(const system::System& system, const system::Linearisation& l,
                               const std::vector<Mode>& modes) {
  std::vector<ModeRow> rows;
  for (const Mode& mode : modes) {
    ModeRow row;
    row.number = row.branch = static_cast<int>(rows.size()) + 1;
    row.kind = mode.kind;
    row.s = mode.s;
    row.frequency = mode.frequency();
    row.natural_frequency = mode.natural_frequency();
    row.damping_ratio = mode.damping_ratio();
    Eigen::Index largest = 0;
    row.part = analyses::energy_shares(system, l, mode).maxCoeff(&largest);
    row.body = system.body(bodies::BodyIndex(largest)).name();
    rows.push_back(row);
  }
  return rows;
}

std::string mode_table(const std::vector<ModeRow>& rows) {
  std::string text =
      "  mode   frequency Hz   damping ratio   eigenvalue 1/s               largest motion\n";
  for (const ModeRow& row : rows) {
    const std::string what =
        row.kind == Mode::Kind::oscillation
            ? fmt::format("{:14.7g} {:15.4g}", row.frequency, row.damping_ratio)
            : fmt::format("{:>14} {:>15}", name(row.kind), "");
    text += fmt::format("  {:4} {}   {:12.6g} {:+12.6g} i   {} ({:.0f} %)\n", row.number, what,
                        row.s.real(), row.s.imag(), row.body, 100.0 * row.part);
  }
  return text;
}

std::string mode_header() {
  return "# units: s,rad/s,1,1,1,Hz,Hz,1,1/s,1/s,1,1\n"
         "time,speed,mode,branch,kind,frequency,natural_frequency,damping_ratio,real,imaginary,moves_most,part_of_energy\n";
}

std::string mode_lines(double time, double speed, const std::vector<ModeRow>& rows) {
  std::string text;
  for (const ModeRow& row : rows)
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{:.6g}\n", time, speed, row.number,
                        row.branch, name(row.kind), row.frequency, row.natural_frequency,
                        row.damping_ratio, row.s.real(), row.s.imag(), row.body, row.part);
  return text;
}

std::string response_header() {
  return "# units: s,Hz,1,1,output per input,output per input,output per input,rad\n"
         "time,frequency,input,output,real,imaginary,amplitude,phase\n";
}

std::string response_lines(double time, double frequency, const std::vector<std::string>& inputs,
                           const std::vector<analyses::Sensor::Column>& outputs,
                           const Eigen::MatrixXcd& response) {
  std::string text;
  for (std::size_t j = 0; j < inputs.size(); ++j)
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const std::complex<double> h =
          response(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      text += fmt::format("{},{},{},{},{},{},{},{}\n", time, frequency, inputs[j], outputs[i].name,
                          h.real(), h.imag(), std::abs(h), std::arg(h));
    }
  return text;
}

void ModeTracker::name_branches(const system::Linearisation& l, const std::vector<Mode>& modes,
                                std::vector<ModeRow>& rows) {
  std::vector<VectorXcd> moments;
  std::vector<std::tuple<double, std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    moments.emplace_back(l.M.cast<std::complex<double>>() * modes[i].shape);
    for (std::size_t k = 0; k < shapes_.size(); ++k)
      pairs.emplace_back(-std::abs(shapes_[k].dot(moments[i])), i, k);
  }
  std::sort(pairs.begin(), pairs.end());
  std::vector<int> branch(modes.size(), 0);
  std::vector<bool> is_taken(shapes_.size(), false);
  for (const auto& [unlike, i, k] : pairs) {
    if (branch[i] != 0 || is_taken[k] || -unlike < kAlike) continue;
    branch[i] = branches_[k];
    is_taken[k] = true;
  }
  shapes_.clear();
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (branch[i] == 0) branch[i] = ++n_branches_;
    rows[i].branch = branch[i];
    shapes_.push_back(modes[i].shape);
  }
  branches_ = branch;
}

}  // namespace solidyn::simulation
