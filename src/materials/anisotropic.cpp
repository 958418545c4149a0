#include "solidyn/materials/anisotropic.h"

#include "materials/ranges.h"

namespace solidyn::materials {

void check(const AnisotropicElastic& material, const std::string& name) {
  Ranges ranges(name);
  ranges.require_density(material.density);
  const Matrix6d& C = material.moduli;
  const double size = C.cwiseAbs().maxCoeff();
  if (!C.allFinite() || !((C - C.transpose()).cwiseAbs().maxCoeff() <= 1e-9 * size))
    ranges.complain(".stiffness is not symmetric", "give 21 constants, C_ij = C_ji");
  else if (const double smallest =
               Eigen::SelfAdjointEigenSolver<Matrix6d>(C, Eigen::EigenvaluesOnly).eigenvalues()[0];
           !(smallest > 1e-12 * size))
    ranges.complain(
        fmt::format(".stiffness is not positive definite: its smallest eigenvalue is {:.3g} Pa",
                    smallest),
        "the strain energy must be positive for every strain; check the order of the constants");
  ranges.throw_if_any();
}

}  // namespace solidyn::materials
