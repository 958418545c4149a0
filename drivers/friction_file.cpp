#include "friction_file.h"

#include "solidyn/formats/fclib/friction_problem.h"

namespace solidyn::drivers {

Eigen::SparseMatrix<double> sparse_of(const solvers::friction::ContactBlocks& W) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < W.n_contacts(); ++i)
    for (int k = W.start(i); k < W.start(i + 1); ++k)
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r)
          if (W.block(k)(r, c) != 0.0)
            entries.emplace_back(3 * i + r, 3 * W.column(k) + c, W.block(k)(r, c));
  Eigen::SparseMatrix<double> matrix(3 * W.n_contacts(), 3 * W.n_contacts());
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

void write_contacts(const std::string& path, const integrators::UnsolvedContacts& contacts) {
  const solvers::friction::Problem& problem = contacts.problem;
  formats::FclibProblem file;
  file.W = sparse_of(*contacts.W);
  file.q = problem.q;
  file.mu.resize(problem.n_contacts());
  for (int i = 0; i < problem.n_contacts(); ++i) {
    file.mu[i] = problem.laws[i].cone();
    file.description += (i ? ", " : "contacts: ") + problem.name(i);
  }
  file.r = contacts.r;
  file.title = "contacts that Solidyn has not solved";
  formats::write_fclib(path, file);
}

}  // namespace solidyn::drivers
