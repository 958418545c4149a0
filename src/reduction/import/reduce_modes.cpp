#include "solidyn/reduction/reduce_modes.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "reduction/basis/general_invariants.h"
#include "reduction/basis/projection.h"
#include "reduction/basis/rigid_motion.h"
#include "reduction/eigen/ghosts.h"
#include "reduction/import/modal_rows.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/math/constants.h"
#include "solidyn/math/dense.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void refuse_what_modes_cannot(const ReductionOptions& options) {
  const auto refuse = [](const char* what) {
    throw base::InputError(fmt::format("{} cannot be computed from imported modes", what),
                           "import more modes, or the body's stiffness and mass matrices");
  };
  if (options.fixed_interface > 0 || options.fixed_interface_up_to > 0.0)
    refuse("fixed-interface modes");
  if (options.constraint_modes != ConstraintModesAt::none) refuse("constraint modes");
  if (!options.static_loads.empty()) refuse("static correction for loads");
  if (options.geometric_stiffening != GeometricStiffening::none) refuse("geometric stiffening");
  if (options.check != Check::none) refuse("a check against the mesh");
  if (options.static_correction != StaticCorrection::none && !options.interfaces.empty())
    base::log_warning(
        "reduction: static correction at the interfaces cannot be computed from imported modes; the body is too stiff under loads there\n  import more modes, or the body's stiffness and mass matrices");
}

// The same densities; elastic constants may be unknown.
fem::Sections of_unit_stiffness(const fem::Sections& sections) {
  std::vector<fem::Section> weighed = sections.all();
  for (fem::Section& section : weighed)
    section.material = fem::IsotropicElastic{1.0, 0.0, section.material.density()};
  return sections.is_one() ? fem::Sections(weighed.front()) : fem::Sections(std::move(weighed));
}

// Mass of the body: M on the nodes' translations, lumped masses, and by which it is known.
void weigh(const mesh::DistributedMesh& mesh, const fem::Sections& sections,
           const fem::AttachedMasses& masses, FreeBody& body) {
  if (mesh.n_global_elements == 0)
    throw base::InputError(
        "the mass of the imported modes is to come from elements, but there are none",
        "give a mesh, nodal masses or a mass matrix");
  body.matrices = fem::assemble(mesh, of_unit_stiffness(sections), masses.at_nodes);
  body.M = fem::make_mass_operator(body.matrices, body.mass_kind);
}

void weigh(const mesh::DistributedMesh& mesh, const NodalMasses& masses, const fem::AttachedMasses&,
           FreeBody& body) {
  body.mass_kind = fem::MassKind::lumped;
  fem::ElasticBody& matrices = body.matrices;
  matrices.comm = mesh.comm;
  matrices.first_owned = mesh.first_owned;
  matrices.row_start.assign(mesh.n_owned + 1, 0);
  matrices.lumped_mass = distribute(mesh, masses);
  body.M = fem::make_mass_operator(matrices, fem::MassKind::lumped);
}

void weigh(const mesh::DistributedMesh& mesh, const imported::MatrixModel& model,
           const fem::AttachedMasses&, FreeBody& body) {
  const std::vector<std::int64_t> tags = gather_node_tags(mesh);
  PlacedMatrices placed;
  base::run_together(mesh.comm, [&] {
    if (base::rank(mesh.comm) != 0) return;
    placed = place(model, tags);
    if (placed.extras.empty()) return;
    throw base::InputError(
        fmt::format("{}: its mass matrix has {} rows besides the translations of the mesh nodes",
                    model.source, placed.extras.size()),
        "the mass matrix of imported modes must contain translations only");
  });
  body.imported.emplace();
  body.imported->rows = distribute(mesh, placed);
  body.imported->rotations.resize(1);
  body.M = std::move(body.imported->rows.M);
}

VectorXd diagonal_masses(const mesh::DistributedMesh& mesh, Mat M, double mass) {
  base::Vec diagonal;
  SOLIDYN_PETSC(MatCreateVecs(M, nullptr, diagonal.out()));
  SOLIDYN_PETSC(MatGetDiagonal(M, diagonal));
  const PetscScalar* values = nullptr;
  SOLIDYN_PETSC(VecGetArrayRead(diagonal, &values));
  VectorXd masses(mesh.n_owned);
  for (Index k = 0; k < mesh.n_owned; ++k)
    masses[k] = (values[3 * k] + values[3 * k + 1] + values[3 * k + 2]) / 3.0;
  SOLIDYN_PETSC(VecRestoreArrayRead(diagonal, &values));
  return masses * (mass / base::sum(mesh.comm, masses.sum()));
}

// What the nodes weigh without the masses on frames. @return the centre of mass
Eigen::Vector3d check_weight(FreeBody& body) {
  const mesh::DistributedMesh& mesh = body.mesh;
  const MultiVector R = make_rigid_motions(mesh.x.leftCols(mesh.n_owned), Eigen::Vector3d::Zero());
  const RigidInertia rigid = find_rigid_inertia(mesh.comm, R, multiply(body.M, R));
  if (!(rigid.mass > 0.0))
    throw base::InputError(fmt::format("the mass of the imported modes is {:g} kg", rigid.mass),
                           "give the density of the material, nodal masses or a mass matrix");
  if (body.matrices.lumped_mass.size() == 0)
    body.matrices.lumped_mass = diagonal_masses(mesh, body.M, rigid.mass);
  return rigid.centre();
}

// Rigid motions of the given mass, as of every free body.
void add_rigid_motions(const Eigen::Vector3d& centre, FreeBody& body) {
  const mesh::DistributedMesh& mesh = body.mesh;
  Pencil& pencil = body.pencil;
  pencil.comm = mesh.comm;
  pencil.rigid = make_rigid_motions(mesh.x.leftCols(mesh.n_owned), centre);
  pencil.frame_masses = make_mass_root(mesh, body.frame_masses);
  SOLIDYN_PETSC(PetscObjectReference(reinterpret_cast<PetscObject>(body.M.get())));
  *pencil.M.out() = body.M.get();
  orthonormalise_rigid(pencil);
  if (!pencil.rigid.allFinite())
    throw base::InputError("the nodal masses of the imported modes are collinear",
                           "give at least three masses that span a plane");
}

FreeBody make_weighed_body(const mesh::DistributedMesh& mesh, const MassSource& mass,
                           const ReductionOptions& options) {
  FreeBody body{mesh, fem::Section{}, options.mass, {}, {}, {}, {}};
  std::visit([&](const auto& source) { weigh(mesh, source, options.masses, body); }, mass);
  const Eigen::Vector3d centre = check_weight(body);
  for (const mesh::InterfaceDefinition& definition : options.interfaces)
    body.interfaces.push_back(mesh::resolve_interface(mesh, definition, body.matrices.lumped_mass));
  body.frame_masses = find_frame_mass_rows(mesh, options.masses.on_frames, body.interfaces,
                                           body.matrices.lumped_mass);
  add_rigid_motions(centre, body);
  if (body.imported) body.imported->rotations.assign(body.interfaces.size(), {});
  return body;
}

// Elastic modes of the file, in ascending order of their frequencies.
struct FoundModes {
  MultiVector vectors;
  VectorXd eigenvalues, masses;  ///< masses: phi^T M phi as it is
};

FoundModes select(const FoundModes& all, const std::vector<Index>& columns) {
  return {all.vectors(Eigen::all, columns), all.eigenvalues(columns), all.masses(columns)};
}

[[noreturn]] void refuse_soft_mode(std::int64_t number, double frequency, double rigid_part) {
  throw base::InputError(
      fmt::format(
          "imported mode {} has {:.3g} Hz, but only {:.4g} of it is rigid-body motion; zero-frequency modes of a free body must be rigid-body modes",
          number, frequency, rigid_part),
      "is the body disconnected, or do mesh and modes not belong together?");
}

// Takes the rigid modes out. @param modes rigid motions still in them
FoundModes find_elastic(const Pencil& pencil, const ModalRows& modes, ModalFit& fit) {
  constexpr double kRigid = 1e-4;        // of a rigid mode that is none
  constexpr double kNoStiffness = 1e-8;  // of the highest eigenvalue
  FoundModes all{modes.vectors, modes.eigenvalues, {}};
  const MultiVector M_X = pencil.multiply_mass(modes.vectors);
  all.masses = VectorXd(modes.vectors.cwiseProduct(M_X).colwise().sum().transpose());
  base::sum_in_place(pencil.comm, all.masses.data(), static_cast<int>(all.masses.size()));
  const MatrixXd rigid = inner_products(pencil.comm, pencil.rigid, M_X);
  std::vector<Index> elastic;
  double highest = modes.eigenvalues.maxCoeff();
  for (Index j = 0; j < all.masses.size(); ++j) {
    if (!(all.masses[j] > 0.0))
      throw base::InputError(fmt::format("imported mode {} has zero modal mass", modes.numbers[j]),
                             "do modes, mesh and masses belong together?");
    const double part = rigid.col(j).squaredNorm() / all.masses[j];
    if (1.0 - part < kRigid) {
      ++fit.n_rigid;
      continue;
    }
    if (!(modes.eigenvalues[j] > kNoStiffness * highest))
      refuse_soft_mode(modes.numbers[j], std::sqrt(std::abs(modes.eigenvalues[j])) / math::kTwoPi,
                       part);
    fit.rigid_part = std::max(fit.rigid_part, part);
    const double given = modes.masses[j] > 0.0 ? modes.masses[j] : 1.0;
    if (modes.masses[j] > 0.0 || !modes.is_scaled_to_maximum)
      fit.normalisation = std::max(fit.normalisation, std::abs(all.masses[j] / given - 1.0));
    elastic.push_back(j);
  }
  std::stable_sort(elastic.begin(), elastic.end(),
                   [&](Index a, Index b) { return modes.eigenvalues[a] < modes.eigenvalues[b]; });
  return select(all, elastic);
}

// As many as were asked for.
FoundModes take_lowest(const FoundModes& all, const ReductionOptions& options, ModalFit& fit) {
  const Index n = all.eigenvalues.size();
  Index taken = n;
  if (options.free_free_up_to > 0.0) {
    const double limit = std::pow(math::kTwoPi * options.free_free_up_to, 2);
    taken = (all.eigenvalues.array() <= limit).count();
    if (taken == n)
      base::log_warning(
          "reduction: all {} imported elastic modes are below {:g} Hz; the body may have more modes in this range",
          n, options.free_free_up_to);
  } else if (options.free_free > 0) {
    taken = options.free_free;
  }
  if (taken > n)
    throw base::InputError(
        fmt::format(
            "{} elastic modes are requested, but the file contains {} (besides {} rigid-body modes)",
            taken, n, fit.n_rigid),
        fmt::format("write more modes to the file, or request  free_free: {}", n));
  fit.n_unused = static_cast<int>(n - taken);
  std::vector<Index> columns(taken);
  std::iota(columns.begin(), columns.end(), 0);
  return select(all, columns);
}

double largest_coupling(const Pencil& pencil, const FoundModes& modes) {
  const VectorXd scale = modes.masses.cwiseSqrt().cwiseInverse();
  MatrixXd G = scale.asDiagonal() *
               inner_products(pencil.comm, modes.vectors, pencil.multiply_mass(modes.vectors)) *
               scale.asDiagonal();
  G.diagonal().setZero();
  return G.size() ? G.cwiseAbs().maxCoeff() : 0.0;
}

// Columns that the earlier ones do not span, by the M-norm.
std::vector<Index> find_spanning_columns(const MatrixXd& G) {
  constexpr double kDependent = 1e-8;
  std::vector<Index> kept;
  for (Index j = 0; j < G.cols(); ++j) {
    double rest = G(j, j);
    if (!kept.empty()) {
      const VectorXd g = G(kept, j);
      rest -= g.dot(math::solve_symmetric(G(kept, kept), g));
    }
    if (rest > kDependent * G(j, j)) kept.push_back(j);
  }
  return kept;
}

// Ritz's method in the span of the modes with the rigid motions taken out: that costs no energy.
Basis make_basis(const FreeBody& body, FoundModes modes, const ReductionOptions& options,
                 ModalFit& fit) {
  const Pencil& pencil = body.pencil;
  pencil.remove_rigid_motion(modes.vectors);
  const auto gram = [&pencil](const MultiVector& X) {
    const MatrixXd G = inner_products(pencil.comm, X, pencil.multiply_mass(X));
    return MatrixXd(0.5 * (G + G.transpose()));
  };
  const std::vector<Index> kept = find_spanning_columns(gram(modes.vectors));
  fit.n_dropped = static_cast<int>(modes.eigenvalues.size() - static_cast<Index>(kept.size()));
  modes = select(modes, kept);
  Basis basis;
  if (options.keep_rigid_modes) basis.append(pencil.rigid, VectorXd::Zero(6), Mode::Kind::rigid);
  if (kept.empty()) return basis;
  const VectorXd energies = modes.eigenvalues.cwiseProduct(modes.masses);
  const auto ritz = math::generalized_spectrum(energies.asDiagonal(), gram(modes.vectors));
  MultiVector X = modes.vectors * ritz.vectors;
  pencil.remove_rigid_motion(X);
  fit.frequency_change =
      (ritz.values.cwiseQuotient(modes.eigenvalues).cwiseSqrt().array() - 1.0).abs().maxCoeff();
  basis.append(X, ritz.values, Mode::Kind::free_free);
  return basis;
}

void report(const ModalFit& fit, Index n_modes) {
  constexpr double kDoubtful = 1e-2;
  constexpr double kOtherMass = 0.1;  // coarse integration makes several per cent in high modes
  base::log_info(
      "reduction: {} imported elastic modes, {} rigid-body modes replaced by exact ones, {} not used, {} removed as linearly dependent; relative to the given mass the error of their modal masses is {:.1e}, of their orthogonality {:.1e}, their rigid-body content {:.1e}, the change of frequencies {:.1e}",
      n_modes, fit.n_rigid, fit.n_unused, fit.n_dropped, fit.normalisation, fit.orthogonality,
      fit.rigid_part, fit.frequency_change);
  if (fit.rigid_part > kDoubtful)
    base::log_warning(
        "reduction: the imported modes contain rigid-body motion ({:.1e} of their mass): they belong to a supported body, or to another mass distribution; the free body has other frequencies",
        fit.rigid_part);
  else if (fit.orthogonality > kOtherMass || fit.normalisation > kOtherMass)
    base::log_warning(
        "reduction: the imported modes do not fit the given mass (error of modal masses {:.1e}, of orthogonality {:.1e})\n  usual causes are units, density, and lumped against consistent masses",
        fit.normalisation, fit.orthogonality);
}

}  // namespace

ReducedBody reduce_modes(mesh::DistributedMesh mesh, const imported::ModalData& modes,
                         const MassSource& mass, const ReductionOptions& options, ModalFit* fit) {
  refuse_what_modes_cannot(options);
  ModalFit found;
  FreeBody body = make_weighed_body(mesh, mass, options);
  FoundModes elastic =
      take_lowest(find_elastic(body.pencil, distribute(mesh, modes), found), options, found);
  found.orthogonality = largest_coupling(body.pencil, elastic);
  const Basis basis = make_basis(body, std::move(elastic), options, found);
  report(found, static_cast<Index>(basis.modes.size()) - (options.keep_rigid_modes ? 6 : 0));
  ReducedBody reduced = project(body, basis, basis.vectors, options);
  reduced.X = with_ghosts(mesh, basis.vectors);
  if (const auto* sections = std::get_if<fem::Sections>(&mass))
    reduced.stress = compute_stress_modes(mesh, *sections, reduced.X, options.stress);
  else if (!options.stress.places.empty() || options.stress.pictures != StressInPictures::none)
    throw base::InputError("stress needs the elements and the material of the body",
                           "remove it, or give the body a mesh with a material");
  reduced.mesh = std::move(mesh);
  if (fit) *fit = found;
  return reduced;
}

}  // namespace solidyn::reduction
