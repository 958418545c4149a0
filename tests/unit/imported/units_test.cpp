#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "solidyn/base/error.h"
#include "solidyn/imported/matrices.h"
#include "solidyn/imported/modal_data.h"
#include "solidyn/imported/solid_model.h"

namespace solidyn::imported {
namespace {

using ::testing::HasSubstr;

TEST(Units, SteelInAnyConsistentSetIsSteel) {
  struct Case {
    const char* name;
    double E, rho, relative;
  };
  for (const Case& c :
       {Case{"SI", 2.1e11, 7850.0, 1e-14}, Case{"tonne-mm-s", 2.1e5, 7.85e-9, 1e-14},
        Case{"kg-mm-ms", 210.0, 7.85e-6, 1e-14}, Case{"kg-mm-s", 2.1e8, 7.85e-6, 1e-14},
        Case{"lbf-in-s", 3.0458e7, 7.3457e-4, 1e-4}}) {
    SolidModel model;
    model.materials.push_back({"steel", c.E, 0.3, c.rho, {}});
    convert_to_si(model, units_by_name(c.name));
    EXPECT_NEAR(model.materials[0].youngs_modulus / 2.1e11, 1.0, c.relative) << c.name;
    EXPECT_NEAR(model.materials[0].density / 7850.0, 1.0, c.relative) << c.name;
    EXPECT_EQ(model.materials[0].poissons_ratio, 0.3);
  }
}

TEST(Units, UnknownSetIsRefusedWithTheKnownOnes) {
  try {
    units_by_name("furlong-stone-fortnight");
    FAIL() << "accepted";
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("tonne-mm-s"));
  }
}

// A mass of 2 t at the end of a massless arm, with one modal coordinate of unit modal mass: the
// eigenvalues of the pencil do not depend on the units.
TEST(Units, MatricesKeepTheirEigenvalues) {
  MatrixModel model;
  model.dofs = {{1, 1}, {1, 6}, {7, 0}};
  for (Matrix* A : {&model.stiffness, &model.mass}) {
    A->n_rows = A->n_columns = 3;
    A->rows = {0, 0, 1, 0, 2};
    A->columns = {0, 1, 1, 2, 2};
    A->terms = Matrix::Terms::upper_triangle;
  }
  model.stiffness.values = {3e3, -2e5, 4e7, 0.0, 900.0};  // N/mm, N, N mm
  model.mass.values = {2.0, 10.0, 5e3, 0.5, 1.0};         // t, t mm, t mm^2
  const auto eigenvalues = [&] {
    return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(
               Eigen::MatrixXd(assemble(model.stiffness)), Eigen::MatrixXd(assemble(model.mass)))
        .eigenvalues()
        .eval();
  };
  const Eigen::VectorXd before = eigenvalues();
  convert_to_si(model, units_by_name("tonne-mm-s"));
  EXPECT_LT(((eigenvalues() - before).array() / before.array()).abs().maxCoeff(), 1e-12);
  EXPECT_NEAR(model.stiffness.values[0], 3e6, 1e-6);  // N/m
  EXPECT_NEAR(model.mass.values[0], 2000.0, 1e-9);    // kg
  EXPECT_NEAR(model.mass.values[2], 5.0, 1e-12);      // kg m^2
  EXPECT_NEAR(model.mass.values[4], 1.0, 1e-14);      // unit modal mass
}

TEST(Units, MassNormalisedModesStayMassNormalised) {
  ModalData modes;
  modes.x = Eigen::Matrix3Xd::Constant(3, 1, 50.0);
  modes.translations = Eigen::MatrixXd::Constant(3, 1, 1.0 / std::sqrt(3.0 * 2.0));  // of 2 t
  modes.modes.push_back({1, 400.0, 0.0, 1.0, 0});
  convert_to_si(modes, units_by_name("tonne-mm-s"));
  EXPECT_NEAR(2000.0 * modes.translations.squaredNorm(), 1.0, 1e-14);
  EXPECT_NEAR(modes.x(0, 0), 0.05, 1e-15);
  EXPECT_EQ(modes.modes[0].eigenvalue, 400.0);
}

}  // namespace
}  // namespace solidyn::imported
