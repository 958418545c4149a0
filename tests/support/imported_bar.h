#pragma once
#include <petscsys.h>

#include <random>

#include "serial_matrices.h"
#include "solidyn/imported/matrices.h"
#include "solidyn/imported/modal_data.h"
#include "solidyn/mesh/distributed_mesh.h"
#include "solidyn/mesh/generators.h"

/// A bar as another program would hand it over: its matrices and modes by node numbers.
namespace solidyn::test {

inline const fem::IsotropicElastic kImportedSteel{2.1e11, 0.3, 7850.0};

/// Irregular, so that no two frequencies are equal, away from the origin, with numbers of its own.
inline mesh::Mesh make_imported_bar() {
  mesh::BoxOptions box;
  box.type = elements::ElementType::tet10;
  box.size = {0.2, 0.03, 0.02};
  box.origin = {0.5, -0.2, 0.1};
  box.nx = 6;
  box.ny = 2;
  box.nz = 1;
  box.perturbation = 0.15;
  mesh::Mesh mesh = mesh::make_box(box);
  for (std::size_t i = 0; i < mesh.node_tags.size(); ++i)
    mesh.node_tags[i] = 1000 + 7 * static_cast<std::int64_t>(i);
  return mesh;
}

inline imported::Matrix to_imported(const Eigen::SparseMatrix<double>& A, const std::string& name) {
  imported::Matrix out;
  out.name = name;
  out.n_rows = A.rows();
  out.n_columns = A.cols();
  for (Eigen::Index j = 0; j < A.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator it(A, j); it; ++it) {
      out.rows.push_back(it.row());
      out.columns.push_back(it.col());
      out.values.push_back(it.value());
    }
  return out;
}

/// K and M of the bar, rows in a random order, on this rank alone.
inline imported::MatrixModel make_imported_matrices(
    fem::MassKind kind = fem::MassKind::consistent) {
  const mesh::DistributedMesh mesh = mesh::distribute(PETSC_COMM_SELF, make_imported_bar());
  const fem::ElasticBody body = fem::assemble(mesh, kImportedSteel);
  Eigen::VectorXi order(3 * mesh.n_owned);
  for (int i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), std::mt19937(1));
  const Eigen::PermutationMatrix<Eigen::Dynamic> P(order);  // row i goes to order[i]
  imported::MatrixModel model;
  model.source = "bar.mtx";
  model.dofs.resize(order.size());
  for (int i = 0; i < order.size(); ++i) model.dofs[order[i]] = {mesh.node_tags[i / 3], i % 3 + 1};
  const auto shuffled = [&P](const Eigen::SparseMatrix<double>& A) {
    return Eigen::SparseMatrix<double>(P * A * P.transpose());
  };
  model.stiffness = to_imported(shuffled(make_sparse_stiffness(body)), "K");
  model.mass = to_imported(shuffled(make_sparse_mass(body, kind)), "M");
  return model;
}

/// The pencil of a model by dense matrices: all of it, ascending.
struct DenseModes {
  Eigen::VectorXd eigenvalues;
  Eigen::MatrixXd vectors;  ///< M-orthonormal, rows as model.dofs
};

inline DenseModes solve_dense(const imported::MatrixModel& model) {
  const Eigen::MatrixXd K = imported::assemble(model.stiffness), M = imported::assemble(model.mass);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(K, M);
  return {modes.eigenvalues(), modes.eigenvectors()};
}

/// The n lowest modes of a model of translations as a results file would hold them: rigid ones
/// mixed among themselves, nodes in an order of their own.
inline imported::ModalData make_imported_modes(const imported::MatrixModel& model, int n) {
  const DenseModes dense = solve_dense(model);
  imported::ModalData out;
  out.source = "bar.op2";
  std::map<std::int64_t, int> row;
  for (const imported::Dof& dof : model.dofs)
    if (row.emplace(dof.node, static_cast<int>(row.size())).second)
      out.node_tags.push_back(dof.node);
  out.x.resize(3, 0);
  out.translations.resize(3 * static_cast<Eigen::Index>(row.size()), n);
  for (std::size_t d = 0; d < model.dofs.size(); ++d)
    out.translations.row(3 * row[model.dofs[d].node] + model.dofs[d].component - 1) =
        dense.vectors.row(static_cast<Eigen::Index>(d)).head(n);
  for (int i = 0; i < n; ++i)
    out.modes.push_back({i + 1, i < 6 ? 1e-3 * i : dense.eigenvalues[i], 0.0, 1.0, 1});
  return out;
}

}  // namespace solidyn::test
