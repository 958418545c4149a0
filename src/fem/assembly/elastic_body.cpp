#include "solidyn/fem/elastic_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "fem/assembly/attached_masses.h"
#include "fem/assembly/element_elasticity.h"
#include "fem/assembly/node_rows.h"
#include "fem/kernels/mass_moments.h"
#include "solidyn/base/mpi.h"
#include "solidyn/elements/visit_element.h"
#include "solidyn/fem/solid_element.h"

namespace solidyn::fem {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

MassProperties reduce_moments(MPI_Comm comm, const MassMoments& local) {
  double sums[13];
  sums[0] = local.mass;
  Eigen::Map<Vector3d>(sums + 1) = local.first;
  Eigen::Map<Matrix3d>(sums + 4) = local.second;
  base::sum_in_place(comm, sums, 13);
  MassProperties p;
  p.mass = sums[0];
  p.center_of_mass = Eigen::Map<Vector3d>(sums + 1) / p.mass;
  const Matrix3d second =
      Eigen::Map<Matrix3d>(sums + 4) - p.mass * p.center_of_mass * p.center_of_mass.transpose();
  p.inertia = second.trace() * Matrix3d::Identity() - second;
  return p;
}

template <class Element>
double stiffness_of(const ElementNodes<Element>& x, const Section& section,
                    const Elasticity& elasticity, ElementStiffness<Element>& K) {
  if constexpr (Element::type == elements::ElementType::hex8)
    return compute_hex8_stiffness(x, elasticity, section.hex8, K);
  else if constexpr (Element::type == elements::ElementType::hex20)
    return compute_hex20_stiffness(x, elasticity, section.hex20, K);
  else
    return compute_stiffness<Element>(x, elasticity, K);
}

template <class Element>
void add_elements(const mesh::DistributedMesh& mesh, const mesh::ElementBlock& block,
                  const Section& section, std::int64_t first, std::int64_t last, NodeRows& rows,
                  MassMoments& moments) {
  constexpr int n = Element::n_nodes;
  ElementNodes<Element> x;
  ElementStiffness<Element> K;
  ElementMass<Element> m;
  const double density = section.material.density();
  ElementElasticity elasticity(section.material);
  for (std::int64_t e = first; e < last; ++e) {
    const std::int32_t* nodes = &block.connectivity[e * n];
    for (int a = 0; a < n; ++a) x.col(a) = mesh.x.col(nodes[a]);
    const double det =
        rows.has_stiffness() ? stiffness_of<Element>(x, section, elasticity.at(x), K) : 1.0;
    if (!(det > 0.0))
      throw base::InputError(
          fmt::format(
              "{} element {} is inverted or degenerate: its Jacobian determinant is {:.3g} m^3",
              elements::name(block.type), block.tags[e], det),
          "repair the mesh there; mid-side nodes of curved elements must stay near the middle of their edges");
    compute_mass<Element>(x, density, m);
    rows.add_element<n>(nodes, K, m, make_lumped_mass<Element>(m));
    moments.add(x, m);
  }
}

void add_block(const mesh::DistributedMesh& mesh, const mesh::ElementBlock& block,
               const Sections& sections, NodeRows& rows, MassMoments& moments) {
  elements::visit_element(block.type, [&](auto element) {
    for_sections(
        sections, block, [&](const Section& section, std::int64_t first, std::int64_t last) {
          add_elements<decltype(element)>(mesh, block, section, first, last, rows, moments);
        });
  });
}

PetscInt to_petsc(std::int64_t n) {
  PetscInt out = 0;
  SOLIDYN_PETSC(PetscIntCast(n, &out));
  return out;
}

// Entries of row i at or right of the diagonal start here (SBAIJ stores these only).
std::int64_t upper_start(const ElasticBody& body, std::int32_t i) {
  const auto begin = body.columns.begin();
  return std::lower_bound(begin + body.row_start[i], begin + body.row_start[i + 1],
                          body.first_owned + i) -
         begin;
}

base::Mat make_empty(const ElasticBody& body, int block, MatType type) {
  base::Mat A;
  const PetscInt n = to_petsc(std::int64_t{block} * body.n_owned());
  SOLIDYN_PETSC(MatCreate(body.comm, A.out()));
  SOLIDYN_PETSC(MatSetSizes(A, n, n, PETSC_DETERMINE, PETSC_DETERMINE));
  SOLIDYN_PETSC(MatSetBlockSize(A, block));
  SOLIDYN_PETSC(MatSetType(A, type));
  return A;
}

// Exact preallocation for node blocks of size `block`, with the pattern of the body's rows.
void preallocate(const ElasticBody& body, int block, bool is_diagonal, Mat A) {
  const std::int32_t n = body.n_owned();
  std::vector<PetscInt> diagonal(n, 0), off(n, 0), diagonal_upper(n, 0), off_upper(n, 0);
  for (std::int32_t i = 0; i < n; ++i) {
    if (is_diagonal) {
      diagonal[i] = diagonal_upper[i] = 1;
      continue;
    }
    const std::int64_t upper = upper_start(body, i);
    for (std::int64_t k = body.row_start[i]; k < body.row_start[i + 1]; ++k) {
      const std::int64_t j = body.columns[k] - body.first_owned;
      const bool is_local = j >= 0 && j < n;
      ++(is_local ? diagonal : off)[i];
      if (k >= upper) ++(is_local ? diagonal_upper : off_upper)[i];
    }
  }
  SOLIDYN_PETSC(MatXAIJSetPreallocation(A, block, diagonal.data(), off.data(),
                                        diagonal_upper.data(), off_upper.data()));
  SOLIDYN_PETSC(MatSetOption(A, MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE));
}

void finish(Mat A, bool is_definite) {
  SOLIDYN_PETSC(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  SOLIDYN_PETSC(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  SOLIDYN_PETSC(MatSetOption(A, MAT_SYMMETRIC, PETSC_TRUE));
  SOLIDYN_PETSC(MatSetOption(A, MAT_SYMMETRY_ETERNAL, PETSC_TRUE));
  PetscBool refuses = PETSC_FALSE;  // PETSc 3.18 does not know this option for it
  SOLIDYN_PETSC(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(A), MATMPISBAIJ, &refuses));
  if (is_definite && !refuses) SOLIDYN_PETSC(MatSetOption(A, MAT_SPD, PETSC_TRUE));
}

// A = scale_K K + scale_M M, one node row per insertion.
base::Mat make_combination(const ElasticBody& body, MatType type, double scale_K, double scale_M,
                           MassKind kind) {
  const bool has_pattern_of_m = scale_K != 0.0 || kind == MassKind::consistent;
  base::Mat A = make_empty(body, 3, type);
  preallocate(body, 3, !has_pattern_of_m, A);
  PetscBool is_upper = PETSC_FALSE;
  SOLIDYN_PETSC(PetscObjectTypeCompareAny(reinterpret_cast<PetscObject>(A.get()), &is_upper,
                                          MATSEQSBAIJ, MATMPISBAIJ, MATSBAIJ, ""));
  std::vector<PetscInt> columns;
  std::vector<double> values;
  for (std::int32_t i = 0; i < body.n_owned(); ++i) {
    const std::int64_t begin = is_upper ? upper_start(body, i) : body.row_start[i];
    const std::int64_t end = body.row_start[i + 1];
    const std::int64_t row = body.first_owned + i;
    columns.clear();
    for (std::int64_t k = begin; k < end; ++k)
      if (has_pattern_of_m || body.columns[k] == row) columns.push_back(to_petsc(body.columns[k]));
    const std::int64_t stride = 3 * columns.size();  // the row's three lines, one after the other
    values.resize(3 * stride);
    std::int64_t at = 0;
    for (std::int64_t k = begin; k < end; ++k) {
      const bool is_diagonal = body.columns[k] == row;
      if (!has_pattern_of_m && !is_diagonal) continue;
      const double lumped = is_diagonal ? body.lumped_mass[i] : 0.0;
      const double m = scale_M * (kind == MassKind::lumped ? lumped : body.mass[k]);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          values[r * stride + 3 * at + c] =
              (scale_K == 0.0 ? 0.0 : scale_K * body.stiffness[9 * k + 3 * r + c]) +
              (r == c ? m : 0.0);
      ++at;
    }
    const PetscInt petsc_row = to_petsc(row);
    SOLIDYN_PETSC(MatSetValuesBlocked(A, 1, &petsc_row, to_petsc(columns.size()), columns.data(),
                                      values.data(), INSERT_VALUES));
  }
  finish(A, scale_M > 0.0);
  return A;
}

ElasticBody assemble_rows(const mesh::DistributedMesh& mesh, const Sections& sections,
                          const std::vector<NodeMass>& masses, RowContent content) {
  base::run_together(mesh.comm, [&] { check(sections, mesh.solids); });
  NodeRows rows(mesh, content);
  MassMoments moments;
  base::run_together(mesh.comm, [&] {
    for (const mesh::ElementBlock& block : mesh.solids)
      add_block(mesh, block, sections, rows, moments);
  });
  add_node_masses(mesh, masses, rows, moments);
  ElasticBody body = rows.exchange();
  body.properties = reduce_moments(mesh.comm, moments);
  return body;
}

}  // namespace

ElasticBody assemble(const mesh::DistributedMesh& mesh, const Sections& sections,
                     const std::vector<NodeMass>& masses) {
  return assemble_rows(mesh, sections, masses, RowContent::stiffness_and_masses);
}

ElasticBody assemble_masses(const mesh::DistributedMesh& mesh, const Sections& sections,
                            const std::vector<NodeMass>& masses) {
  return assemble_rows(mesh, sections, masses, RowContent::masses);
}

base::Mat make_stiffness(const ElasticBody& body, MatType type, double shift, MassKind kind) {
  return make_combination(body, type, 1.0, shift, kind);
}

base::Mat make_mass(const ElasticBody& body, MassKind kind, MatType type) {
  return make_combination(body, type, 0.0, 1.0, kind);
}

base::Mat make_zero_matrix(const ElasticBody& body, MatType type) {
  return make_combination(body, type, 0.0, 0.0, MassKind::consistent);
}

base::Mat make_scalar_mass(const ElasticBody& body, MassKind kind) {
  base::Mat m = make_empty(body, 1, MATAIJ);
  const bool is_lumped = kind == MassKind::lumped;
  preallocate(body, 1, is_lumped, m);
  std::vector<PetscInt> columns;
  for (std::int32_t i = 0; i < body.n_owned(); ++i) {
    const PetscInt row = to_petsc(body.first_owned + i);
    const std::int64_t begin = body.row_start[i], end = body.row_start[i + 1];
    columns.clear();
    for (std::int64_t k = begin; k < end; ++k) columns.push_back(to_petsc(body.columns[k]));
    if (is_lumped)
      SOLIDYN_PETSC(MatSetValues(m, 1, &row, 1, &row, &body.lumped_mass[i], INSERT_VALUES));
    else
      SOLIDYN_PETSC(MatSetValues(m, 1, &row, to_petsc(end - begin), columns.data(),
                                 &body.mass[begin], INSERT_VALUES));
  }
  finish(m, true);
  return m;
}

base::Mat make_mass_operator(const ElasticBody& body, MassKind kind) {
  const base::Mat m = make_scalar_mass(body, kind);
  base::Mat M;
  SOLIDYN_PETSC(MatCreateMAIJ(m, 3, M.out()));
  SOLIDYN_PETSC(MatSetOption(M, MAT_SYMMETRIC, PETSC_TRUE));
  return M;
}

}  // namespace solidyn::fem
