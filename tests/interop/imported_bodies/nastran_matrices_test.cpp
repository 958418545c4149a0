// `import: {stiffness: ..}` of Nastran's files: DMIG matrices of a punch file, KGG and MGG of an
// .op2.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "imported_bar.h"
#include "nastran_op2_body.h"
#include "scratch_folder.h"
#include "solidyn/base/error.h"
#include "solidyn/formats/imported_files.h"
#include "solidyn/formats/nastran/bulk_and_punch.h"
#include "solidyn/model/load.h"
#include "solidyn/model/reduce_body.h"

namespace solidyn {
namespace {

using imported::MatrixModel;
using testing::HasSubstr;
using testing_support::op2_of;

// The lower triangle, column by column, as DMIGPCH writes it.
std::string punched(const std::string& name, const MatrixModel& model,
                    const imported::Matrix& matrix) {
  std::string text = fmt::format("DMIG    {:<8}       0       6       2       0\n", name);
  const Eigen::SparseMatrix<double> A = imported::assemble(matrix);
  for (Eigen::Index j = 0; j < A.outerSize(); ++j) {
    text += fmt::format("DMIG*   {:<16}{:>16}{:>16}\n", name, model.dofs[j].node,
                        model.dofs[j].component);
    for (Eigen::SparseMatrix<double>::InnerIterator it(A, j); it; ++it) {
      if (it.row() < j) continue;
      std::string value = fmt::format("{:.9E}", it.value());
      value.replace(value.find('E'), 1, "D");
      text += fmt::format("*       {:>16}{:>16}{:>16}\n", model.dofs[it.row()].node,
                          model.dofs[it.row()].component, value);
    }
  }
  return text;
}

template <class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "accepted";
}

class NastranMatrices : public testing::Test {
 protected:
  void SetUp() override {
    imported::SolidModel bar;
    bar.mesh = test::make_imported_bar();
    formats::write_nastran_bulk(folder_ / "bar.bdf", bar);
  }
  void write(const std::string& file, const std::string& bytes) const {
    std::ofstream(folder_ / file, std::ios::binary) << bytes;
  }
  model::ModelDescription model(const std::string& import) const {
    return model::parse_model(
        "solidyn: 1\nbodies:\n  bar: {type: modal, import: {" + import +
            ", mesh: bar.bdf}, modes: {free_free: 5}}\nanalyses:\n  - dynamics: {duration: 0.1, step: 1e-3}\n",
        "model.yaml", folder_.path());
  }
  void expect_the_bar(const std::string& import, double accepted) const {
    const model::ModelDescription description = model(import);
    const auto body =
        model::reduce_body(PETSC_COMM_SELF, description, *description.bodies[0], "").body;
    const Eigen::VectorXd expected = test::solve_dense(matrices_).eigenvalues;
    ASSERT_EQ(body->n_modes(), 5);
    for (int i = 0; i < 5; ++i)
      EXPECT_NEAR(body->K(i, i), expected[6 + i], accepted * expected[6 + i]) << i;
  }
  MatrixModel matrices_ = test::make_imported_matrices();
  test::ScratchFolder folder_{PETSC_COMM_SELF};
};

TEST_F(NastranMatrices, OfAPunchFileAreTheBody) {
  write("bar.pch", punched("KAAX", matrices_, matrices_.stiffness) +
                       punched("MAAX", matrices_, matrices_.mass));
  expect_the_bar("stiffness: bar.pch, mass: bar.pch", 1e-5);  // ten digits
}

TEST_F(NastranMatrices, OfAnOp2AreTheBody) {
  write("bar.op2", op2_of(matrices_));
  expect_the_bar("stiffness: bar.op2", 1e-7);
}

TEST_F(NastranMatrices, MassBesideAFileThatHoldsBothIsRefused) {
  for (const std::string ending : {".op2", ".pch"}) {
    write("bar" + ending, "");  // neither is read
    write("other" + ending, "");
    const model::ModelDescription description =
        model(fmt::format("stiffness: bar{0}, mass: other{0}", ending));
    const std::string message = message_of(
        [&] { model::reduce_body(PETSC_COMM_SELF, description, *description.bodies[0], ""); });
    EXPECT_THAT(message, HasSubstr("contains stiffness and mass"));
    EXPECT_THAT(message, HasSubstr("other" + ending + " would not be read"));
  }
}

TEST_F(NastranMatrices, MassBesideModesComesOutOfAFileThatHoldsBoth) {
  const std::string mass = punched("MAAX", matrices_, matrices_.mass);
  write("both.pch", punched("KAAX", matrices_, matrices_.stiffness) + mass);
  write("both.op2", op2_of(matrices_));
  write("mass.pch", mass);
  for (const char* file : {"both.pch", "both.op2"}) {
    const MatrixModel read = formats::read_matrix_files({"", folder_ / file, ""}, {});
    EXPECT_TRUE(read.stiffness.values.empty()) << file;
    EXPECT_FALSE(read.mass.values.empty()) << file;
  }
  EXPECT_THAT(message_of([&] {
                formats::read_matrix_files({"", folder_ / "mass.pch", ""}, {});
              }),
              HasSubstr("the file contains no matrix KAAX, but MAAX"));
}

}  // namespace
}  // namespace solidyn
