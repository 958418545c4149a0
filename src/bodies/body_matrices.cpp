#include "body_matrices.h"

#include <fmt/format.h>

#include "reduction/eigen/route.h"

namespace solidyn::bodies {

BodyMatrices::BodyMatrices(const std::string& name, const fem::ElasticBody& body,
                           fem::MassKind kind, const Eigen::Matrix3Xd& x)
    : x_(x),
      solver_(body.comm, name,
              [&](double enough) { return reduction::predict_factor_bytes(body, enough); }),
      K_(fem::make_stiffness(body, solver_.matrix_type())),
      mass_(body, kind, solver_.matrix_type()) {
  SOLIDYN_PETSC(MatDuplicate(K_, MAT_COPY_VALUES, A_.out()));
  solver_.refuse_corners();
}

void BodyMatrices::multiply_K(::Vec x, ::Vec y) const { SOLIDYN_PETSC(MatMult(K_, x, y)); }

void BodyMatrices::factor(double shift) {
  SOLIDYN_PETSC(MatCopy(K_, A_, SAME_NONZERO_PATTERN));
  mass_.add_to(shift, A_);
  solver_.set_matrix(A_, fmt::format("K + {:.3g} M", shift), x_, mass_.stiffness_ratio(A_, shift));
}

}  // namespace solidyn::bodies
