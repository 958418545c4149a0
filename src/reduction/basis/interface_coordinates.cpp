#include "solidyn/reduction/interface_coordinates.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <algorithm>

#include "reduction/basis/projection.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/math/constants.h"
#include "solidyn/math/dense.h"
#include "solidyn/math/rotation.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::skew;

// Interface motions that the shapes give only with coordinates this many times larger are none.
constexpr double kDependent = 1e-9;

// Displacements of a point in the six rigid motions: translations, then rotations about the origin.
Eigen::Matrix<double, 3, 6> rigid_rows(const Vector3d& x) {
  Eigen::Matrix<double, 3, 6> rows;
  rows << Matrix3d::Identity(), -skew(x);
  return rows;
}

// The six rigid motions and the elastic modes as one basis.
struct ExtendedBasis {
  Index first = 0;  // elastic mode of the body: behind rigid ones, which it may keep
  Index n = 0;      // all columns
  InertiaInvariants inertia;
  MatrixXd M, K, D;
};

MatrixXd with_rigid(const MatrixXd& elastic, Index first, Index n) {
  MatrixXd all = MatrixXd::Zero(n, n);
  all.bottomRightCorner(n - 6, n - 6) = elastic.block(first, first, n - 6, n - 6);
  return all;
}

// Fields A_i x + c_i: of rigid motions.
struct AffineField {
  Matrix3d A = Matrix3d::Zero();
  Vector3d c = Vector3d::Zero();
};

std::vector<AffineField> rigid_fields() {
  std::vector<AffineField> fields(6);
  for (int i = 0; i < 3; ++i) {
    fields[i].c = Vector3d::Unit(i);
    fields[3 + i].A = skew(Vector3d::Unit(i));
  }
  return fields;
}

// What does not depend on the modes. Their second order is not carried over: bodies in series have
// their own way to stiffen.
InertiaInvariants of_undeformed(const InertiaInvariants& body) {
  InertiaInvariants out;
  out.mass = body.mass;
  out.first_moment = body.first_moment;
  out.N00 = body.N00;
  return out;
}

InertiaInvariants extend_invariants(const InertiaInvariants& body, Index first, Index n) {
  const std::vector<AffineField> rigid = rigid_fields();
  const Index n_body = body.S.cols();
  const Vector3d& s = body.first_moment;
  InertiaInvariants out = of_undeformed(body);
  out.S.resize(3, n);
  out.N0.assign(n, Matrix3d::Zero());
  out.N.assign(n * n, Matrix3d::Zero());
  for (Index i = 0; i < 6; ++i) {
    const AffineField& f = rigid[i];
    out.S.col(i) = f.A * s + body.mass * f.c;
    out.N0[i] = body.N00 * f.A.transpose() + s * f.c.transpose();
    for (Index j = 0; j < 6; ++j) {
      const AffineField& g = rigid[j];
      out.N[i * n + j] = f.A * body.N00 * g.A.transpose() + f.A * s * g.c.transpose() +
                         f.c * (g.A * s).transpose() + body.mass * f.c * g.c.transpose();
    }
  }
  for (Index j = 6; j < n; ++j) {
    const Index k = first + j - 6;
    out.S.col(j) = body.S.col(k);
    out.N0[j] = body.N0[k];
    for (Index i = 0; i < 6; ++i) {
      out.N[i * n + j] = rigid[i].A * body.N0[k] + rigid[i].c * body.S.col(k).transpose();
      out.N[j * n + i] = out.N[i * n + j].transpose();
    }
    for (Index i = 6; i < n; ++i) out.N[i * n + j] = body.N[(first + i - 6) * n_body + k];
  }
  return out;
}

ExtendedBasis extend(const ReducedBody& body) {
  ExtendedBasis basis;
  basis.first = std::count_if(body.modes.begin(), body.modes.end(),
                              [](const Mode& m) { return m.kind == Mode::Kind::rigid; });
  basis.n = 6 + body.n_modes() - basis.first;
  const Index n = basis.n;
  basis.inertia = extend_invariants(body.inertia, basis.first, n);
  basis.M = with_rigid(body.M, basis.first, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < 6; ++j)
      basis.M(i, j) = basis.M(j, i) = basis.inertia.N[i * n + j].trace();
  basis.K = with_rigid(body.K, basis.first, n);
  basis.D = with_rigid(body.D, basis.first, n);
  return basis;
}

// Motions of a place in all columns of the basis: displacements, and rotations.
MatrixXd extend_displacements(const Vector3d& x, const Matrix3Xd& Psi, const ExtendedBasis& basis) {
  MatrixXd rows(3, basis.n);
  rows << rigid_rows(x), Psi.middleCols(basis.first, basis.n - 6);
  return rows;
}

MatrixXd extend_rotations(const Matrix3Xd& Psi, const ExtendedBasis& basis) {
  MatrixXd rows(3, basis.n);
  rows << Matrix3d::Zero(), Matrix3d::Identity(), Psi.middleCols(basis.first, basis.n - 6);
  return rows;
}

MatrixXd interface_rows(const ReducedBody& body, const ExtendedBasis& basis) {
  MatrixXd rows(6 * body.interfaces.size(), basis.n);
  for (std::size_t k = 0; k < body.interfaces.size(); ++k) {
    const ReducedInterface& i = body.interfaces[k];
    rows.middleRows<3>(6 * k) = extend_displacements(i.x_B, i.Psi_t, basis);
    rows.middleRows<3>(6 * k + 3) = extend_rotations(i.Psi_r, basis);
  }
  return rows;
}

// A length of the body: rotations times it are like displacements.
double length_of(const ReducedBody& body) {
  Vector3d centre = Vector3d::Zero();
  const double n = static_cast<double>(body.interfaces.size());
  for (const ReducedInterface& i : body.interfaces) centre += i.x_B / n;
  double length = 0.0;
  for (const ReducedInterface& i : body.interfaces)
    length = std::max(length, (i.x_B - centre).norm());
  const Vector3d c = body.inertia.first_moment / body.inertia.mass;
  const Matrix3d about_centre = body.inertia.N00 / body.inertia.mass - c * c.transpose();
  return std::max(length, std::sqrt(std::max(0.0, about_centre.trace())));
}

// Factors that turn coordinates, and rows of interface motions, into lengths.
struct Scales {
  VectorXd columns, rows;
};

Scales scales_of(const ReducedBody& body, const ExtendedBasis& basis) {
  const double length = length_of(body);
  Scales s{VectorXd::Ones(basis.n), VectorXd::Ones(6 * body.interfaces.size())};
  s.columns.segment<3>(3).setConstant(1.0 / length);
  for (Index i = 6; i < basis.n; ++i) {
    const double amplitude = body.amplitude[basis.first + i - 6];
    if (amplitude > 0.0) s.columns[i] = 1.0 / amplitude;
  }
  for (std::size_t k = 0; k < body.interfaces.size(); ++k)
    s.rows.segment<3>(6 * k + 3).setConstant(length);
  return s;
}

// The first interface whose six motions do not add six to the rank.
void refuse_dependent_interfaces(const ReducedBody& body, const MatrixXd& scaled) {
  for (std::size_t k = 0; k < body.interfaces.size(); ++k) {
    const auto rows = static_cast<Index>(6 * (k + 1));
    const auto svd = math::singular_values(scaled.topRows(rows), 0, kDependent);
    if (svd.rank == rows) continue;
    throw base::InputError(
        fmt::format(
            "interface `{}` cannot move independently: with these modes {} of its six motions depend on the other interfaces",
            body.interfaces[k].name, rows - svd.rank),
        "keep the static correction of every interface (`static_correction: at_interfaces`), or use interfaces without common nodes");
  }
}

// Columns: the static shape of each interface motion, then fixed-interface modes.
MatrixXd transformation(const ReducedBody& body, const ExtendedBasis& basis, int n_internal,
                        VectorXd& internal_eigenvalues) {
  const Scales scale = scales_of(body, basis);
  const MatrixXd Psi =
      scale.rows.asDiagonal() * interface_rows(body, basis) * scale.columns.asDiagonal();
  const MatrixXd K = scale.columns.asDiagonal() * basis.K * scale.columns.asDiagonal();
  const MatrixXd M = scale.columns.asDiagonal() * basis.M * scale.columns.asDiagonal();
  const Index n_q = Psi.rows();
  if (basis.n < n_q) refuse_dependent_interfaces(body, Psi);
  const auto svd =
      math::singular_values(Psi, Eigen::ComputeFullU | Eigen::ComputeFullV, kDependent);
  if (svd.rank < n_q) refuse_dependent_interfaces(body, Psi);
  const Index n_rest = basis.n - n_q;
  if (n_internal > n_rest)
    throw base::InputError(
        fmt::format(
            "{} internal modes are requested, but the reduction provides only {} besides the {} motions of its interfaces",
            n_internal, n_rest, n_q),
        "request fewer, or reduce the body with more modes");

  MatrixXd shapes =
      svd.V.leftCols(n_q) * svd.values.cwiseInverse().asDiagonal() * svd.U.transpose();
  MatrixXd T(basis.n, n_q + n_internal);
  if (n_rest > 0) {  // motions with all interfaces at rest
    const MatrixXd Z = svd.V.rightCols(n_rest), KZ = K * Z;
    const MatrixXd K_rest = Z.transpose() * KZ;
    shapes -= Z * math::CholeskyFactor(K_rest).solve(KZ.transpose() * shapes);
    const auto modes = math::generalized_spectrum(K_rest, Z.transpose() * M * Z);
    T.rightCols(n_internal) = Z * modes.vectors.leftCols(n_internal);
    internal_eigenvalues = modes.values.head(n_internal);
  }
  T.leftCols(n_q) = shapes * scale.rows.asDiagonal();
  return scale.columns.asDiagonal() * T;
}

MatrixXd congruent(const MatrixXd& A, const MatrixXd& T) {
  const MatrixXd B = T.transpose() * A * T;
  return 0.5 * (B + B.transpose());
}

void transform_places(const ReducedBody& body, const ExtendedBasis& basis, const MatrixXd& T,
                      ReducedBody& out) {
  const Index n = T.cols();
  for (std::size_t k = 0; k < out.interfaces.size(); ++k) {
    ReducedInterface& i = out.interfaces[k];
    i.Y_t.resize(0, 0);
    i.Y_r.resize(0, 0);
    i.Psi_t = Matrix3Xd::Zero(3, n);
    i.Psi_r = Matrix3Xd::Zero(3, n);
    i.Psi_t.middleCols<3>(6 * k).setIdentity();
    i.Psi_r.middleCols<3>(6 * k + 3).setIdentity();
    for (std::size_t j = 0; j < i.Psi_nodes.size(); ++j)
      i.Psi_nodes[j] = extend_displacements(i.x_nodes.col(static_cast<Index>(j)),
                                            body.interfaces[k].Psi_nodes[j], basis) *
                       T;
  }
  for (std::size_t k = 0; k < out.points.size(); ++k) {
    out.points[k].Y.resize(0, 0);
    out.points[k].Psi = extend_displacements(body.points[k].x_B, body.points[k].Psi, basis) * T;
  }
}

// Mode shapes on the mesh, and their largest displacements.
void transform_fields(const ReducedBody& body, const ExtendedBasis& basis, const MatrixXd& T,
                      ReducedBody& out) {
  const Index n = T.cols(), n_nodes = body.X.rows() / 3;
  out.X = body.X.middleCols(basis.first, basis.n - 6) * T.bottomRows(basis.n - 6);
  out.amplitude = VectorXd::Zero(n);
  for (Index k = 0; k < n_nodes; ++k) {
    out.X.middleRows<3>(3 * k) += rigid_rows(body.mesh.x.col(k)) * T.topRows<6>();
    out.amplitude = out.amplitude.cwiseMax(out.X.middleRows<3>(3 * k).colwise().norm().transpose());
  }
  for (double& a : out.amplitude) a = base::max(body.mesh.comm, a);
  include_rotations(body.mesh, out.interfaces, out.amplitude);
}

// Rigid motions make no stress.
void transform_stress(const ExtendedBasis& basis, const MatrixXd& T, StressModes& stress) {
  const auto transform = [&](MatrixXd& S) {
    if (S.size() == 0) return;  // none was asked for
    S = (S.middleCols(basis.first, basis.n - 6) * T.bottomRows(basis.n - 6)).eval();
  };
  transform(stress.S);
  for (StressPlace& place : stress.places) transform(place.S);
}

std::vector<Mode> modes_of(Index n_q, const VectorXd& internal_eigenvalues) {
  std::vector<Mode> modes(n_q, Mode{Mode::Kind::constraint, 0.0});
  for (const double value : internal_eigenvalues)
    modes.push_back({Mode::Kind::fixed_interface, std::sqrt(std::max(0.0, value)) / math::kTwoPi});
  return modes;
}

// (R^T M R)^-1 R^T M u for u = R z + X y: what of a displacement is rigid motion.
Matrix6X mean_axis_rows(const ExtendedBasis& basis, const MatrixXd& T, Index n_q) {
  const MatrixXd M_r = basis.M.topRows<6>();
  return math::solve_symmetric(M_r.leftCols<6>(), MatrixXd(M_r * T.leftCols(n_q)));
}

}  // namespace

InertiaInvariants transform_invariants(const InertiaInvariants& in, const MatrixXd& T) {
  SOLIDYN_ASSERT(in.C.empty());
  const Index n = T.rows(), m = T.cols();
  InertiaInvariants out = of_undeformed(in);
  out.S = in.S * T;
  out.N0.assign(m, Matrix3d::Zero());
  out.N.assign(m * m, Matrix3d::Zero());
  MatrixXd component(n, n);
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      VectorXd N0(n);
      for (Index i = 0; i < n; ++i) {
        N0[i] = in.N0[i](a, b);
        for (Index j = 0; j < n; ++j) component(i, j) = in.N[i * n + j](a, b);
      }
      const VectorXd N0_T = T.transpose() * N0;
      const MatrixXd N_T = T.transpose() * component * T;
      for (Index i = 0; i < m; ++i) {
        out.N0[i](a, b) = N0_T[i];
        for (Index j = 0; j < m; ++j) out.N[i * m + j](a, b) = N_T(i, j);
      }
    }
  }
  return out;
}

InterfaceBody to_interface_coordinates(const ReducedBody& body, int n_internal) {
  if (body.interfaces.size() < 2)
    throw base::InputError(
        fmt::format("a superelement needs at least two interfaces, but the body has {}",
                    body.interfaces.size()),
        "define interfaces, or write  type: modal");
  const ExtendedBasis basis = extend(body);
  VectorXd internal_eigenvalues(0);
  const MatrixXd T = transformation(body, basis, n_internal, internal_eigenvalues);
  InterfaceBody out;
  out.n_interfaces = static_cast<int>(body.interfaces.size());
  out.n_internal = n_internal;
  const Index n_q = 6 * out.n_interfaces;
  out.body = body;
  out.body.inertia = transform_invariants(basis.inertia, T);
  out.body.M = congruent(basis.M, T);
  out.body.K = congruent(basis.K, T);
  out.body.D = congruent(basis.D, T);
  out.body.modes = modes_of(n_q, internal_eigenvalues);
  transform_places(body, basis, T, out.body);
  transform_fields(body, basis, T, out.body);
  transform_stress(basis, T, out.body.stress);
  out.frame_rows = mean_axis_rows(basis, T, n_q);
  return out;
}

}  // namespace solidyn::reduction
