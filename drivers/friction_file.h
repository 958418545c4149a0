#pragma once
#include <Eigen/Sparse>
#include <string>

#include "solidyn/integrators/contact_solver.h"

namespace solidyn::drivers {

/// W as a sparse matrix, for a file.
Eigen::SparseMatrix<double> sparse_of(const solvers::friction::ContactBlocks& W);

/// For simulation::RunOptions::write_contacts: in FCLIB's format. Local.
void write_contacts(const std::string& path, const integrators::UnsolvedContacts& contacts);

}  // namespace solidyn::drivers
