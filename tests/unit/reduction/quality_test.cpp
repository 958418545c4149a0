#include "solidyn/reduction/quality.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "selections.h"
#include "serial_matrices.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/reduction/reduce.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::HasSubstr;

const fem::IsotropicElastic kSteel{2.1e11, 0.3, 7850.0};

mesh::DistributedMesh make_bar() {
  mesh::BoxOptions box;
  box.type = elements::ElementType::hex20;
  box.size = {0.3, 0.02, 0.01};
  box.origin = {0.2, 0.1, -0.1};
  box.nx = 10, box.ny = 2, box.nz = 1;
  return mesh::distribute(PETSC_COMM_SELF, mesh::make_box(box));
}

struct Reduced {
  ReducedBody body;
  QualityCheck check;
};

Reduced reduce_bar(int free_free, StaticCorrection correction, bool keep_rigid = false,
                   mesh::Attachment attach = mesh::Attachment::rbe3) {
  ReductionOptions options;
  options.free_free = free_free;
  options.static_correction = correction;
  options.keep_rigid_modes = keep_rigid;
  options.interfaces = {test::at_set("x_min", attach), test::at_set("x_max", attach)};
  options.check = Check::against_mesh;
  ReductionTimings timings;
  Reduced out{reduce(make_bar(), kSteel, options, &timings), {}};
  out.check = timings.check.value();
  return out;
}

TEST(QualityCheck, StaticCorrectionLeavesNoStaticError) {
  const Reduced r = reduce_bar(4, StaticCorrection::at_interfaces);
  ASSERT_EQ(r.check.static_errors.size(), 12);
  EXPECT_LT(r.check.static_errors.cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LT(r.check.mass_error, 1e-12);
  EXPECT_LT(r.check.inertia_error, 1e-11);
}

// With eigenmodes alone the vectors are orthogonal; a static answer that leans on them is not.
TEST(QualityCheck, ConditionTellsHowFarVectorsAreFromOrthogonal) {
  EXPECT_EQ(reduce_bar(6, StaticCorrection::none).check.vector_condition, 1.0);
  const Reduced r = reduce_bar(6, StaticCorrection::at_interfaces);
  EXPECT_GT(r.check.vector_condition, 10.0);
  EXPECT_LT(r.check.vector_condition, 1e5);
  const std::string text = format_quality(r.body, &r.check);
  EXPECT_THAT(text, HasSubstr("condition number: of the reduced stiffness"));
  EXPECT_THAT(text, HasSubstr("largest residual of a free-free mode on the mesh"));
}

// Against the compliance of the whole mesh, by its eigenvectors: sum (phi^T f)^2 / omega^2.
TEST(QualityCheck, StaticErrorIsTheComplianceThatIsMissing) {
  const Reduced r = reduce_bar(6, StaticCorrection::none);
  const mesh::DistributedMesh mesh = make_bar();
  const fem::ElasticBody full = fem::assemble(mesh, kSteel);
  const MatrixXd K = test::make_sparse_stiffness(full);
  const MatrixXd M = test::make_sparse_mass(full, fem::MassKind::consistent);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes(K, M);
  const Index n = K.rows();
  const mesh::Interface tip =
      mesh::resolve_interface(mesh, test::at_set("x_max"), full.lumped_mass);
  MatrixXd f = MatrixXd::Zero(n, 6);
  for (std::size_t k = 0; k < tip.nodes.size(); ++k)
    f.middleRows<3>(3 * tip.nodes[k]) += tip.weights.middleCols<3>(3 * k).transpose();
  const MatrixXd share = (modes.eigenvectors().transpose() * f).cwiseAbs2();
  for (int d = 0; d < 6; ++d) {
    const VectorXd compliance =
        share.col(d).tail(n - 6).cwiseQuotient(modes.eigenvalues().tail(n - 6));
    const double missing = 1.0 - compliance.head(6).sum() / compliance.sum();
    EXPECT_NEAR(r.check.static_errors[6 + d], missing, 1e-6) << d;
  }
  EXPECT_GT(r.check.static_errors.maxCoeff(), 0.1);  // no longitudinal mode among six
}

TEST(QualityCheck, FrequenciesAreComparedWithThoseOfTheMesh) {
  const Reduced r = reduce_bar(5, StaticCorrection::at_interfaces, true);
  EXPECT_EQ(r.check.residuals.size(), r.body.n_modes());
  EXPECT_EQ(r.check.residuals.head<6>().maxCoeff(), 0.0);
  EXPECT_LT(r.check.residuals.segment<5>(6).maxCoeff(), 1e-5);
  EXPECT_GT(r.check.residuals.tail<1>()[0], 0.1);
  const int n = r.body.n_modes() - 6;
  ASSERT_EQ(r.check.full_frequencies.size(), n);
  std::vector<double> reduced;
  for (int i = 6; i < r.body.n_modes(); ++i) reduced.push_back(r.body.modes[i].frequency);
  std::sort(reduced.begin(), reduced.end());
  for (int i = 0; i < n; ++i) {
    EXPECT_GE(reduced[i], (1.0 - 1e-7) * r.check.full_frequencies[i]) << i;  // Rayleigh and Ritz
  }
  for (int i = 0; i < 5; ++i)
    EXPECT_NEAR(reduced[i], r.check.full_frequencies[i], 1e-6 * reduced[i]) << i;
  EXPECT_GT(reduced[n - 1], 1.01 * r.check.full_frequencies[n - 1]);
}

// A cantilever by Euler and Bernoulli: omega = (1.8751 / L)^2 sqrt(E I / (rho A)), and 61.31 % of
// the mass in the first mode of each bending plane (any text on vibration; Blevins 1979).
TEST(FixedBaseModes, FirstModesAreThoseOfACantilever) {
  const Reduced r = reduce_bar(8, StaticCorrection::at_interfaces, false, mesh::Attachment::rbe2);
  const FixedBaseModes modes = compute_fixed_base_modes(r.body, 0);
  const double thin = std::pow(1.8751 / 0.3, 2) *
                      std::sqrt(kSteel.youngs_modulus * 0.01 * 0.01 / 12.0 / kSteel.density) /
                      (2.0 * M_PI);
  EXPECT_NEAR(modes.frequencies[0], thin, 0.02 * thin);  // the face holds contraction back
  EXPECT_NEAR(modes.frequencies[1], 2.0 * thin, 0.02 * thin);
  const double mass = 7850.0 * 0.3 * 0.02 * 0.01;
  EXPECT_NEAR(modes.total[0], mass, 1e-9 * mass);
  EXPECT_NEAR(modes.effective_mass(2, 0), 0.6131 * mass, 0.005 * mass);
  EXPECT_NEAR(modes.effective_mass(1, 1), 0.6131 * mass, 0.005 * mass);
  EXPECT_LT(modes.effective_mass(0, 0), 1e-6 * mass);
  const double about_frame = mass * (0.3 * 0.3 / 3.0 + 0.01 * 0.01 / 12.0);
  EXPECT_NEAR(modes.total[4], about_frame, 1e-6 * about_frame);
  // The modes of a held body share its mass; what is missing is that of modes it does not have.
  for (int d = 0; d < 3; ++d) {
    const double sum = modes.effective_mass.row(d).sum();
    EXPECT_LT(sum, (1.0 + 1e-9) * mass);
    EXPECT_GT(sum, 0.85 * mass);
  }
}

TEST(FixedBaseModes, DoNotDependOnKeptRigidModes) {
  const FixedBaseModes without =
      compute_fixed_base_modes(reduce_bar(3, StaticCorrection::at_interfaces).body, 1);
  const FixedBaseModes with =
      compute_fixed_base_modes(reduce_bar(3, StaticCorrection::at_interfaces, true).body, 1);
  ASSERT_EQ(with.frequencies.size(), without.frequencies.size());
  EXPECT_LT((with.frequencies - without.frequencies).norm(), 1e-6 * without.frequencies.norm());
  EXPECT_LT((with.effective_mass - without.effective_mass).norm(),
            1e-5 * without.effective_mass.norm());
}

TEST(Quality, ReportNamesTheWorstLoadAndTheStep) {
  const Reduced poor = reduce_bar(4, StaticCorrection::none);
  const std::string text = format_quality(poor.body, &poor.check);
  EXPECT_THAT(text, HasSubstr("too stiff under a force along x at `x_m"));
  EXPECT_THAT(text, HasSubstr("static_correction: at_interfaces"));
  EXPECT_THAT(text, HasSubstr("modes 1 to 4 agree with the mesh"));
  EXPECT_THAT(text, HasSubstr("interface x_min: rbe3 of "));
  EXPECT_NEAR(recommended_step(poor.body), 0.05 / poor.body.modes[3].frequency, 1e-12);
  const Reduced good = reduce_bar(4, StaticCorrection::at_interfaces);
  EXPECT_EQ(format_quality(good.body, &good.check).find("too stiff"), std::string::npos);
  EXPECT_THAT(format_quality(good.body, nullptr), HasSubstr("modes above, up to"));
}

}  // namespace
}  // namespace solidyn::reduction
