#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>

#include "moving_box.h"
#include "scratch_folder.h"
#include "solidyn/results/fields.h"
#include "text_file.h"

// What we write, read by programs that are not ours.
namespace solidyn::results {
namespace {

int run_python(const std::string& arguments, const std::string& log) {
  const int status = std::system(("/usr/bin/python3 " + arguments + " > " + log + " 2>&1").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

constexpr int kNotInstalled = 77, kNoPython = 127;

class FieldsInPython : public testing::TestWithParam<elements::ElementType> {};
INSTANTIATE_TEST_SUITE_P(Types, FieldsInPython,
                         testing::Values(elements::ElementType::tet4, elements::ElementType::tet10,
                                         elements::ElementType::hex8, elements::ElementType::hex20,
                                         elements::ElementType::wedge6,
                                         elements::ElementType::wedge15,
                                         elements::ElementType::pyramid5,
                                         elements::ElementType::pyramid13),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST_P(FieldsInPython, ShowTheBodiesInVtksNodeOrder) {
  const test::ScratchFolder folder;
  const mesh::DistributedMesh mesh = test::distributed_box(MPI_COMM_SELF, GetParam());
  {
    FieldWriter writer(
        MPI_COMM_SELF, folder / "fields.xdmf", folder / "fields.h5",
        {make_field_part("solids", mesh, MeshPicture::solids, test::box_quantities()),
         make_field_part("skin & bones", mesh, MeshPicture::surface, test::box_quantities()),
         make_axes_part(MPI_COMM_SELF, "axes")},
        3);
    for (const double t : {0.0, 0.5, 1.0})
      writer.write(t,
                   {test::box_values(mesh, t), test::box_values(mesh, t),
                    make_axes_values(MPI_COMM_SELF, Eigen::Matrix3d::Identity(), {t, 0, 0}, 0.5)});
  }
  const std::string log = folder / "log.txt";
  const int status =
      run_python(std::string(SOLIDYN_SOURCE_DIR) + "/tests/interop/results/check_fields.py " +
                     (folder / "fields.xdmf"),
                 log);
  if (status == kNotInstalled || status == kNoPython) GTEST_SKIP() << "no python3 with h5py here";
  EXPECT_EQ(status, 0) << test::read_text(log);
}

class Plot : public testing::Test {
 protected:
  int plot(const std::string& arguments) {
    return run_python(std::string(SOLIDYN_SOURCE_DIR) + "/scripts/plot " + arguments, log_);
  }
  void SetUp() override {
    test::write_text(folder_ / "history.csv",
                     "# units: s,rad,1\ntime,crank_angle,deflection\n"
                     "0,0,0\n0.1,15,0.01\n0.2,30,-0.02\n0.3,45,0.0");  // killed in the last row
    test::write_text(folder_ / "reference.csv", "crank_angle,deflection\n0,0\n30,-0.0201\n");
    if (plot(folder_.path() + " -o " + (folder_ / "all.png")) == 3)
      GTEST_SKIP() << test::read_text(log_);
  }
  void expect_png(const std::string& path) {
    const std::string bytes = test::read_text(path);
    EXPECT_EQ(bytes.substr(0, 8), "\x89PNG\r\n\x1a\n") << test::read_text(log_);
    EXPECT_GT(bytes.size(), 5000U) << "an empty picture?";
  }
  test::ScratchFolder folder_;
  std::string log_ = folder_ / "log.txt";
};

TEST_F(Plot, DrawsAllColumnsOrTheWantedOnesOverAnotherColumnWithAReference) {
  expect_png(folder_ / "all.png");
  EXPECT_EQ(plot(folder_.path() + " " + (folder_ / "history.csv") + " -c deflection --x angle" +
                 " --reference " + (folder_ / "reference.csv") + " -o " + (folder_ / "one.png")),
            0);
  expect_png(folder_ / "one.png");
}

TEST_F(Plot, UnknownColumnIsNamedWithTheKnownOnes) {
  EXPECT_EQ(plot(folder_.path() + " -c speed"), 2);
  const std::string message = test::read_text(log_);
  EXPECT_NE(message.find("speed"), std::string::npos) << message;
  EXPECT_NE(message.find("crank_angle"), std::string::npos) << message;
  EXPECT_EQ(message.find("Traceback"), std::string::npos) << message;
}

TEST_F(Plot, MissingFolderIsNamed) {
  EXPECT_EQ(plot(folder_ / "nowhere"), 2);
  const std::string message = test::read_text(log_);
  EXPECT_NE(message.find("nowhere"), std::string::npos) << message;
  EXPECT_EQ(message.find("Traceback"), std::string::npos) << message;
}

}  // namespace
}  // namespace solidyn::results
