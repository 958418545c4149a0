// What imported modes may be, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "imported_bar.h"
#include "selections.h"
#include "solidyn/base/error.h"
#include "solidyn/imported/units.h"
#include "solidyn/math/rotation.h"
#include "solidyn/reduction/reduce_modes.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using test::kImportedSteel;
using testing::HasSubstr;

mesh::DistributedMesh make_bar() {
  return mesh::distribute(PETSC_COMM_SELF, test::make_imported_bar());
}

imported::ModalData make_modes(int n = 12) {
  static const imported::ModalData modes =
      test::make_imported_modes(test::make_imported_matrices(), 12);
  imported::ModalData out = modes;
  out.modes.resize(n);
  out.translations.conservativeResize(Eigen::NoChange, n);
  return out;
}

ReductionOptions all_modes() {
  ReductionOptions options;
  options.free_free = 0;
  return options;
}

ReducedBody reduce(const imported::ModalData& modes, ModalFit* fit = nullptr) {
  return reduce_modes(make_bar(), modes, kImportedSteel, all_modes(), fit);
}

// Modes as a program writes them that normalises to the largest displacement.
TEST(ReduceModes, MayHaveAnyNormalisation) {
  const ReducedBody expected = reduce(make_modes());
  imported::ModalData modes = make_modes();
  for (Index j = 0; j < modes.translations.cols(); ++j) {
    const double factor = 0.3 + 0.1 * static_cast<double>(j);
    modes.translations.col(j) *= factor;
    modes.modes[j].generalized_mass = factor * factor;
  }
  ModalFit fit;
  const ReducedBody body = reduce(modes, &fit);
  EXPECT_LT((body.K - expected.K).norm(), 1e-8 * expected.K.norm());
  EXPECT_LT((body.amplitude - expected.amplitude).norm(), 1e-8 * expected.amplitude.norm());
  EXPECT_LT(fit.normalisation, 1e-8);
}

// Without generalised masses nobody knows what the largest displacement of 1 means for the mass.
TEST(ReduceModes, OfUnitMaximumWithoutGeneralisedMassesAreNotDoubted) {
  imported::ModalData modes = make_modes();
  for (Index j = 0; j < modes.translations.cols(); ++j) {
    modes.translations.col(j) /= modes.translations.col(j).cwiseAbs().maxCoeff();
    modes.modes[j].generalized_mass = 0.0;
  }
  ModalFit fit;
  reduce(modes, &fit);
  EXPECT_GT(fit.normalisation, 0.1);  // taken for unit masses
  modes.is_scaled_to_maximum = true;
  const ReducedBody body = reduce(modes, &fit);
  EXPECT_EQ(fit.normalisation, 0.0);
  const ReducedBody expected = reduce(make_modes());
  EXPECT_LT((body.K - expected.K).norm(), 1e-8 * expected.K.norm());
}

TEST(ReduceModes, MayHaveNoRigidModesAndKeepExactOnes) {
  imported::ModalData modes = make_modes();
  modes.modes.erase(modes.modes.begin(), modes.modes.begin() + 6);
  modes.translations = modes.translations.rightCols(6).eval();
  ReductionOptions options = all_modes();
  options.keep_rigid_modes = true;
  ModalFit fit;
  const ReducedBody body = reduce_modes(make_bar(), modes, kImportedSteel, options, &fit);
  EXPECT_EQ(fit.n_rigid, 0);
  ASSERT_EQ(body.n_modes(), 12);
  EXPECT_EQ(body.modes[5].kind, Mode::Kind::rigid);
  EXPECT_GT(body.modes[6].frequency, 100.0);
}

// The same shapes with rigid motions of each mixed in, as modes found with another mass have them.
TEST(ReduceModes, MoveToTheMeanAxis) {
  const ReducedBody expected = reduce(make_modes());
  imported::ModalData modes = make_modes();
  for (Index j = 6; j < 12; ++j) modes.translations.col(j) += 0.05 * modes.translations.col(j - 6);
  ModalFit fit;
  const ReducedBody body = reduce(modes, &fit);
  EXPECT_NEAR(fit.rigid_part, 0.05 * 0.05, 1e-4);
  EXPECT_LT(body.inertia.S.cwiseAbs().maxCoeff(), 1e-9);
  for (const Eigen::Matrix3d& N : body.inertia.N0) EXPECT_LT(math::cross_of(N).norm(), 1e-9);
  // Their energy is that of omega^2 and of the mass they were found with.
  const Eigen::VectorXd ratio = body.K.diagonal().cwiseQuotient(expected.K.diagonal());
  EXPECT_LT((ratio.array() - 1.0 - 0.05 * 0.05).abs().maxCoeff(), 1e-5);
}

TEST(ReduceModes, LeavesOutModesThatOthersSpan) {
  imported::ModalData modes = make_modes();
  modes.translations.conservativeResize(Eigen::NoChange, 13);
  modes.translations.col(12) = 2.0 * modes.translations.col(8);
  modes.modes.push_back(modes.modes[8]);
  ModalFit fit;
  EXPECT_EQ(reduce(modes, &fit).n_modes(), 6);
  EXPECT_EQ(fit.n_dropped, 1);
}

TEST(ReduceModes, TurnsComponentsAlongAxesOfNodes) {
  const ReducedBody expected = reduce(make_modes());
  imported::ModalData modes = make_modes();
  const Eigen::Matrix3d A = math::exp_rotation({0.4, -1.0, 0.2});
  const Index i = 17;
  modes.node_axes[modes.node_tags[i]] = A;
  modes.translations.middleRows<3>(3 * i) =
      (A.transpose() * modes.translations.middleRows<3>(3 * i)).eval();
  const ReducedBody body = reduce(modes);
  EXPECT_LT((body.K - expected.K).norm(), 1e-9 * expected.K.norm());
  modes.has_basic_axes = true;                    // then the file says they are turned already
  EXPECT_THROW(reduce(modes), base::InputError);  // its rigid modes tear that node off
}

// In tonne, mm and s, as its file has it.
TEST(ReduceModes, ComeInTheUnitsOfTheirFile) {
  const ReducedBody expected = reduce(make_modes());
  const imported::Units units = imported::units_by_name("tonne-mm-s");
  imported::ModalData modes = make_modes();
  modes.translations *= std::sqrt(1e3);  // 1 / sqrt(t)
  imported::convert_to_si(modes, units);
  ModalFit fit;
  EXPECT_LT((reduce(modes, &fit).K - expected.K).norm(), 1e-9 * expected.K.norm());
  EXPECT_LT(fit.normalisation, 1e-8);
}

void expect_refused(const imported::ModalData& modes, const char* text,
                    const ReductionOptions& options = all_modes(),
                    const MassSource& mass = kImportedSteel) {
  try {
    reduce_modes(make_bar(), modes, mass, options);
    FAIL() << "it was accepted; expected: " << text;
  } catch (const base::InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr(text));
  }
}

TEST(ReduceModes, RefuseWhatDoesNotBelongTogether) {
  imported::ModalData modes = make_modes();
  modes.node_tags[3] = 5;
  modes.node_tags[4] = 6;
  expect_refused(modes, "no values at 2 of");
  modes = make_modes();
  modes.is_complex = true;
  expect_refused(modes, "complex");
  modes = make_modes();
  modes.modes[9].eigenvalue = 0.0;
  expect_refused(modes, "imported mode 10 has");
  modes = make_modes();
  modes.translations.col(8).setZero();
  expect_refused(modes, "imported mode 9 has zero modal mass");
  modes = make_modes();
  modes.translations(7, 7) = std::nan("");
  expect_refused(modes, "not finite");
  modes = make_modes();
  modes.modes.clear();
  modes.translations.resize(modes.translations.rows(), 0);
  expect_refused(modes, "contains no modes");
}

TEST(ReduceModes, RefuseNodesThatLieElsewhere) {
  imported::ModalData modes = make_modes();
  const mesh::DistributedMesh mesh = make_bar();
  modes.x.resize(3, static_cast<Index>(modes.node_tags.size()));
  for (std::size_t i = 0; i < modes.node_tags.size(); ++i)
    for (std::int32_t k = 0; k < mesh.n_owned; ++k)
      if (mesh.node_tags[k] == modes.node_tags[i]) modes.x.col(i) = mesh.x.col(k);
  EXPECT_EQ(reduce(modes).n_modes(), 6);
  modes.x *= 1e3;
  expect_refused(modes, "differ from the mesh");
}

TEST(ReduceModes, RefuseWhatModesCannotGive) {
  ReductionOptions options = all_modes();
  options.free_free = 7;
  expect_refused(make_modes(), "7 elastic modes are requested, but the file contains 6", options);
  options = all_modes();
  options.fixed_interface = 2;
  expect_refused(make_modes(), "fixed-interface modes cannot be computed", options);
  expect_refused(make_modes(), "mass of the imported modes is 0 kg", all_modes(), NodalMasses{});
  options = all_modes();
  options.stress.pictures = StressInPictures::on_surface;
  NodalMasses masses;
  for (const std::int64_t tag : make_bar().node_tags) masses[tag] = 0.01;
  expect_refused(make_modes(), "stress needs the elements", options, masses);
  masses[99998] = masses[99999] = 0.01;
  expect_refused(make_modes(), "2 of the nodes with given masses are not in the body (first: 99998",
                 all_modes(), masses);
}

}  // namespace
}  // namespace solidyn::reduction
