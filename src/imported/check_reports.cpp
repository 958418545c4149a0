#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solidyn/imported/checks.h"

namespace solidyn::imported {
namespace {

// What parts of machines have, with a margin.
constexpr double kSlowestWave = 1e3, kFastestWave = 12e3;  // m/s
constexpr double kLightest = 1e-6, kHeaviest = 1e7;        // kg
constexpr double kLowest = 1e-3, kHighest = 1e7;           // Hz
// Consistent masses agree to the digits of the modes; this allows for another quadrature.
constexpr double kOrthogonal = 1e-3;

constexpr const char* kUnits =
    "check the units: a file in mm, N and MPa has the unit system tonne-mm-s";

void warn(CheckReport& report, const std::string& source, std::string what, std::string remedy) {
  report.warnings.push_back({{source, 0, 0}, std::move(what), std::move(remedy)});
}

void judge_mass(CheckReport& report, const MatrixChecks& checks) {
  const Eigen::Vector3d& mass = checks.translational_mass;
  const double spread = mass.maxCoeff() - mass.minCoeff();
  if (spread > std::max(1e-6, 100.0 * checks.precision) * mass.cwiseAbs().maxCoeff())
    warn(
        report, checks.source_of_mass,
        fmt::format("the mass differs between directions: {:.9g}, {:.9g}, {:.9g} kg along x, y, z",
                    mass[0], mass[1], mass[2]),
        "write the matrices of the free body: without supports, and with its internal constraints");
  if (checks.mass_asymmetry > std::max(1e-9, 10.0 * checks.precision))
    warn(report, checks.source_of_mass,
         fmt::format("the mass matrix is not symmetric: {:.2g} of its largest term",
                     checks.mass_asymmetry),
         "was only one triangle written?");
  if (checks.n_negative_mass > 0)
    warn(report, checks.source_of_mass,
         fmt::format("the mass matrix has {} negative eigenvalues", checks.n_negative_mass),
         "write it with all digits, and unscaled");
}

void judge_terms(CheckReport& report, const std::string& source, const char* matrix,
                 const MatrixChecks::Oddities& odd) {
  const auto place = [](const Dof(&dofs)[2]) {
    return fmt::format("{}.{}, {}.{} (node.component)", dofs[0].node, dofs[0].component,
                       dofs[1].node, dofs[1].component);
  };
  constexpr const char* kDamaged = "is the file damaged or truncated?";
  if (odd.impossible)
    warn(
        report, source,
        fmt::format(
            "the {} matrix cannot belong to a body: its term {} is {:.6g}, but its diagonal allows at most {:.6g}",
            matrix, place(odd.of_impossible), odd.impossible->value, odd.impossible->limit),
        kDamaged);
  if (odd.far)
    warn(report, source,
         fmt::format(
             "the {} matrix has the value {:.6g} at its term {}, and no other term above {:.6g}",
             matrix, odd.far->value, place(odd.of_far), odd.far->limit),
         kDamaged);
}

void judge_pairing(CheckReport& report, const MatrixChecks& checks) {
  // Springs and connectors have no mass, and programs leave terms out that come to zero: 11 % of
  // the pairs of a mesh of CalculiX.
  constexpr double kFew = 0.25;
  const Pairing& pairing = checks.pairing;
  const double n_alone =
      static_cast<double>(std::max(pairing.n_only_in_stiffness, pairing.n_only_in_mass));
  if (pairing.n_massless > 0)
    warn(report, checks.source_of_mass,
         fmt::format("{} translations have stiffness and no mass", pairing.n_massless),
         "do the matrices belong together, and is the mass file complete?");
  if (pairing.n_soft > 0)
    warn(report, checks.source,
         fmt::format("{} translations have mass and no stiffness", pairing.n_soft),
         "do the matrices belong together, and is the stiffness file complete?");
  if (n_alone > kFew * static_cast<double>(pairing.n_pairs))
    warn(
        report, checks.source_of_mass,
        fmt::format(
            "stiffness and mass couple different nodes: of {} pairs, {} only in the stiffness and {} only in the mass",
            pairing.n_pairs, pairing.n_only_in_stiffness, pairing.n_only_in_mass),
        "are both complete, and from the same mesh?");
}

void judge_stiffness(CheckReport& report, const MatrixChecks& checks) {
  const double tolerance = std::max(1e-8, 100.0 * checks.precision);
  if (checks.rigid_residual > tolerance)
    warn(
        report, checks.source,
        fmt::format(
            "the stiffness resists rigid-body motion: max |K r| is {:.2g} of max |K|, more than {:.0g}",
            checks.rigid_residual, tolerance),
        "remove supports and springs to ground from the analysis; check the order of the degrees of freedom and the units of the mesh; note that CalculiX 2.20 writes substructures without condensing them");
  else if (checks.n_zero_stiffness > 6)
    warn(report, checks.source,
         fmt::format("the stiffness has {} zero eigenvalues; a free body has 6",
                     checks.n_zero_stiffness),
         "the body consists of several parts, or has nodes without stiffness");
  if (checks.stiffness_asymmetry > std::max(1e-9, 10.0 * checks.precision))
    warn(report, checks.source,
         fmt::format("the stiffness matrix is not symmetric: {:.2g} of its largest term",
                     checks.stiffness_asymmetry),
         "was only one triangle written? It must not contain contact, friction or follower loads");
}

void judge_orthogonality(CheckReport& report, const ModalChecks& checks) {
  if (!checks.has_mass) return;
  report.numbers.push_back({"orthogonality of the modes", checks.orthogonality, ""});
  report.numbers.push_back(
      {"modal masses relative to those in the file", checks.mass_disagreement, ""});
  const double tolerance = std::max(kOrthogonal, 100.0 * checks.precision);
  if (checks.orthogonality > tolerance)
    warn(
        report, checks.source,
        fmt::format(
            "the modes are not orthogonal with respect to the mass: {:.2g} of the modal masses",
            checks.orthogonality),
        "do modes and mass belong to the same mesh? With lumped masses and modes from a consistent mass matrix, differences of a few per cent are normal");
  if (checks.mass_disagreement > tolerance)
    warn(report, checks.source,
         fmt::format("the modal masses differ from those in the file by {:.2g}",
                     checks.mass_disagreement),
         "is the density that of the modal analysis, and are modes and mass in the same units?");
}

}  // namespace

std::string format(const CheckReport& report) {
  std::string text;
  for (const CheckReport::Number& number : report.numbers)
    text += fmt::format("  {:<34} {:.6g}{}{}\n", number.name, number.value,
                        number.unit.empty() ? "" : " ", number.unit);
  return text;
}

CheckReport report(const MatrixChecks& checks) {
  CheckReport report;
  report.numbers = {{"degrees of freedom", static_cast<double>(checks.n_dofs), ""},
                    {"generalised coordinates", static_cast<double>(checks.n_generalised), ""},
                    {"mass", checks.translational_mass.mean(), "kg"},
                    {"asymmetry of the mass matrix", checks.mass_asymmetry, ""}};
  if (checks.has_stiffness) {
    report.numbers.push_back({"residual of rigid-body motion", checks.rigid_residual, ""});
    report.numbers.push_back({"asymmetry of the stiffness matrix", checks.stiffness_asymmetry, ""});
  }
  if (checks.n_zero_stiffness >= 0) {
    report.numbers.push_back({"zeros of the stiffness", 1.0 * checks.n_zero_stiffness, ""});
    report.numbers.push_back({"zeros of the mass", 1.0 * checks.n_zero_mass, ""});
  }
  if (checks.n_unplaced > 0)
    report.numbers.push_back(
        {"degrees of freedom without coordinates", static_cast<double>(checks.n_unplaced), ""});
  judge_terms(report, checks.source, "stiffness", checks.odd_stiffness);
  judge_terms(report, checks.source_of_mass, "mass", checks.odd_mass);
  if (checks.n_unplaced + checks.n_generalised == checks.n_dofs) {
    warn(report, checks.source,
         "no node of the matrices has coordinates: mass and motions are unknown",
         "give the mesh from which the matrices were computed");
    return report;
  }
  judge_mass(report, checks);
  if (checks.has_stiffness) {
    judge_pairing(report, checks);
    judge_stiffness(report, checks);
  }
  add_plausibility(report, checks.source, checks.translational_mass.mean(), 0.0);
  return report;
}

CheckReport report(const ModalChecks& checks) {
  CheckReport report;
  report.numbers = {{"modes", static_cast<double>(checks.frequencies.size()), ""},
                    {"rigid-body modes among them", 1.0 * checks.n_rigid, ""},
                    {"nodes", static_cast<double>(checks.n_nodes), ""}};
  if (checks.is_complex) {
    warn(report, checks.source, "the modes are complex", "compute real modes, without damping");
    return report;
  }
  if (!checks.missing_numbers.empty())
    warn(report, checks.source,
         fmt::format("{} modes between the first and the last are missing (first: {})",
                     checks.missing_numbers.size(), checks.missing_numbers.front()),
         "is the file damaged, or were modes omitted on purpose?");
  std::vector<double> frequencies = checks.frequencies;
  std::sort(frequencies.begin(), frequencies.end());
  const auto n_rigid = static_cast<std::size_t>(checks.n_rigid);
  const double first = n_rigid < frequencies.size() ? frequencies[n_rigid] : 0.0;
  if (first > 0.0) report.numbers.push_back({"first elastic frequency", first, "Hz"});
  if (checks.largest_rotation > 0.0)
    report.numbers.push_back({"largest rotation in a mode", checks.largest_rotation, "rad"});
  judge_orthogonality(report, checks);
  add_plausibility(report, checks.source, 0.0, first);
  return report;
}

CheckReport report(const SolidChecks& checks) {
  CheckReport report;
  report.numbers = {{"volume", checks.volume, "m^3"},
                    {"mass", checks.mass, "kg"},
                    {"length along x", checks.high[0] - checks.low[0], "m"},
                    {"length along y", checks.high[1] - checks.low[1], "m"},
                    {"length along z", checks.high[2] - checks.low[2], "m"}};
  for (const SolidChecks::Wave& wave : checks.waves)
    add_wave_plausibility(report, checks.source, wave.material, wave.speed);
  add_plausibility(report, checks.source, checks.mass, 0.0);
  return report;
}

void compare_with_mesh(CheckReport& report, const MatrixChecks& matrices, const SolidChecks& mesh) {
  constexpr double kSame = 0.01;  // curved edges and reduced quadrature make tenths of a per cent
  constexpr const char* kSameBody =
      "are matrices and mesh of one body, complete, and in the same units? Is the density in the mesh that of the analysis?";
  if (!(mesh.volume > 0.0) || !(mesh.mass > 0.0) || mesh.n_without_density > 0 ||
      matrices.n_unplaced > 0)
    return;
  const double mass = matrices.translational_mass.mean(), size = (mesh.high - mesh.low).norm();
  report.numbers.push_back({"mass from density and volume", mesh.mass, "kg"});
  const bool is_light = mass<(1.0 - kSame) * mesh.mass, is_heavy = mass>(1.0 + kSame) * mesh.mass &&
                        !mesh.has_other_elements;
  if (is_light || is_heavy)
    warn(report, matrices.source_of_mass,
         fmt::format(
             "the mass matrix gives {:.6g} kg, density and volume of the mesh {} give {:.6g} kg",
             mass, mesh.source, mesh.mass),
         kSameBody);
  else if (!mesh.has_other_elements && (matrices.centre - mesh.centre).norm() > kSame * size)
    warn(
        report, matrices.source_of_mass,
        fmt::format(
            "the centre of mass is at ({:.4g}, {:.4g}, {:.4g}) m from the mass matrix, at ({:.4g}, {:.4g}, {:.4g}) m from the mesh {}",
            matrices.centre[0], matrices.centre[1], matrices.centre[2], mesh.centre[0],
            mesh.centre[1], mesh.centre[2], mesh.source),
        kSameBody);
}

void add_wave_plausibility(CheckReport& report, const std::string& source,
                           const std::string& material, double speed) {
  if (speed != 0.0 && !(speed >= kSlowestWave && speed <= kFastestWave))
    warn(
        report, source,
        fmt::format(
            "the wave speed in a bar of material {} is {:.3g} m/s; 1000 to 12000 m/s are usual for solids",
            material, speed),
        kUnits);
}

void add_plausibility(CheckReport& report, const std::string& source, double mass,
                      double frequency) {
  if (mass != 0.0 && !(mass >= kLightest && mass <= kHeaviest))
    warn(report, source, fmt::format("a body of {:.3g} kg", mass), kUnits);
  if (frequency != 0.0 && !(frequency >= kLowest && frequency <= kHighest))
    warn(report, source, fmt::format("a first elastic mode at {:.3g} Hz", frequency), kUnits);
}

}  // namespace solidyn::imported
