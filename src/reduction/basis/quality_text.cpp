#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solidyn/reduction/quality.h"
#include "solidyn/reduction/reduced_body.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;

constexpr const char* kLoads[] = {"force along x",  "force along y",  "force along z",
                                  "torque about x", "torque about y", "torque about z"};

// Frequencies that agree so well count as exact: rounding of K on slender bodies.
constexpr double kExact = 1e-6;

std::string format_step(const ReducedBody& body) {
  const double step = recommended_step(body), resolved = 1.0 / (20.0 * step);
  double highest = 0.0;
  int n_above = 0;
  for (const Mode& mode : body.modes) {
    highest = std::max(highest, mode.frequency);
    n_above += mode.frequency > 1.0000001 * resolved;
  }
  std::string text = fmt::format(
      "step: {:.3g} s resolves the eigenmodes, up to {:.4g} Hz, with 20 steps per period\n", step,
      resolved);
  if (n_above > 0)
    text += fmt::format(
        "      {} modes above, up to {:.4g} Hz, contain static correction; generalized-alpha damps their oscillations, `damping: {{modal_ratio: 0.3, modal_ratio_from: {:.3g}}}` damps them in the model\n",
        n_above, highest, 1.1 * resolved);
  return text;
}

// Of K in modal coordinates, where M is the identity: what a time step's matrix inherits.
std::string format_condition(const ReducedBody& body, const QualityCheck* check) {
  double lowest = 0.0, highest = 0.0;
  for (const Mode& mode : body.modes) {
    if (mode.frequency <= 0.0) continue;
    if (lowest == 0.0 || mode.frequency < lowest) lowest = mode.frequency;
    highest = std::max(highest, mode.frequency);
  }
  if (lowest == 0.0) return "";
  std::string text =
      fmt::format("condition number: of the reduced stiffness {:.2g} (of the mass 1)",
                  (highest / lowest) * (highest / lowest));
  if (check)
    text +=
        fmt::format(", of the vectors before orthonormalisation {:.2g}", check->vector_condition);
  return text + "\n";
}

// Modes that the mesh has itself satisfy K x = omega^2 M x; the others are Ritz vectors.
std::string format_residuals(const ReducedBody& body, const QualityCheck& check) {
  double largest = 0.0;
  for (int i = 0; i < body.n_modes(); ++i)
    if (body.modes[i].kind == Mode::Kind::free_free)
      largest = std::max(largest, check.residuals[i]);
  return largest > 0.0
             ? fmt::format("largest residual of a free-free mode on the mesh {:.1e}\n", largest)
             : "";
}

std::string format_fixed_base(const ReducedBody& body) {
  constexpr Index kShown = 6;
  const FixedBaseModes modes = compute_fixed_base_modes(body, 0);
  const auto percent = [&](double mass, int d) { return 100.0 * mass / modes.total[d]; };
  std::string text = fmt::format(
      "modes with `{}` fixed, and their effective modal mass for base excitation\n"
      "{:>4} {:>12} {:>8} {:>8} {:>8}\n",
      body.interfaces[0].name, "mode", "Hz", "x %", "y %", "z %");
  for (Index i = 0; i < std::min<Index>(kShown, modes.frequencies.size()); ++i)
    text +=
        fmt::format("{:>4} {:>12.4f} {:>8.2f} {:>8.2f} {:>8.2f}\n", i + 1, modes.frequencies[i],
                    percent(modes.effective_mass(0, i), 0), percent(modes.effective_mass(1, i), 1),
                    percent(modes.effective_mass(2, i), 2));
  const auto sums = modes.effective_mass.rowwise().sum().eval();
  return text + fmt::format("{:>4} {:>12} {:>8.2f} {:>8.2f} {:>8.2f}\n", "all", "",
                            percent(sums[0], 0), percent(sums[1], 1), percent(sums[2], 2));
}

std::vector<double> elastic_frequencies(const ReducedBody& body) {
  std::vector<double> frequencies;
  for (const Mode& mode : body.modes)
    if (mode.kind != Mode::Kind::rigid) frequencies.push_back(mode.frequency);
  std::sort(frequencies.begin(), frequencies.end());
  return frequencies;
}

std::string format_frequencies(const ReducedBody& body, const QualityCheck& check) {
  const std::vector<double> reduced = elastic_frequencies(body);
  std::string text = "elastic frequencies compared with the mesh, Hz\n";
  Index n_exact = 0;
  const Index n = check.full_frequencies.size();
  const auto error = [&](Index i) { return reduced[i] / check.full_frequencies[i] - 1.0; };
  while (n_exact < n && std::abs(error(n_exact)) < kExact) ++n_exact;
  text += fmt::format("  modes 1 to {} agree with the mesh\n", n_exact);
  for (Index i = n_exact; i < n; ++i)
    text += fmt::format("  mode {:>3} {:>12.4f} instead of {:>12.4f}, {:+.3g} %\n", i + 1,
                        reduced[i], check.full_frequencies[i], 100.0 * error(i));
  return text;
}

std::string format_statics(const ReducedBody& body, const QualityCheck& check) {
  if (check.static_errors.size() == 0) return "";
  std::string text = "static deflection under unit loads, relative error at the loaded interface\n";
  for (std::size_t i = 0; i < body.interfaces.size(); ++i) {
    Index worst = 0;
    const double error =
        check.static_errors.segment<6>(6 * static_cast<Index>(i)).cwiseAbs().maxCoeff(&worst);
    text += fmt::format("  {:<16} {:>9.2e} ({})\n", body.interfaces[i].name, error, kLoads[worst]);
  }
  Index worst = 0;
  if (check.static_errors.maxCoeff(&worst) > 0.01)
    text += fmt::format(
        "  the body is {:.0f} % too stiff under a {} at `{}`: add `static_correction: at_interfaces`\n",
        100.0 * check.static_errors[worst], kLoads[worst % 6], body.interfaces[worst / 6].name);
  return text;
}

}  // namespace

std::string format_quality(const ReducedBody& body, const QualityCheck* check) {
  std::string text = format_step(body) + format_condition(body, check);
  if (!body.interfaces.empty()) text += format_fixed_base(body);
  for (const ReducedInterface& interface : body.interfaces) {
    text += mesh::describe(interface.report) + "\n";
    for (const std::string& doubt : mesh::find_doubts(interface.report))
      text += "  doubtful: " + doubt + "\n";
  }
  if (!check) return text;
  text += format_frequencies(body, *check) + format_residuals(body, *check) +
          format_statics(body, *check);
  return text + fmt::format("relative error of the mass {:.1e}, of the inertia {:.1e}\n",
                            check->mass_error, check->inertia_error);
}

}  // namespace solidyn::reduction
