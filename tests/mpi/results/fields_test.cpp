#include "solidyn/results/fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "moving_box.h"
#include "scratch_folder.h"
#include "solidyn/base/error.h"
#include "solidyn/base/hdf5.h"
#include "solidyn/base/mpi.h"
#include "text_file.h"

// Every expected number is that of the whole mesh, hence the same on any number of ranks.
namespace solidyn::results {
namespace {

using elements::ElementType;
using elements::linear_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Integers = std::vector<std::int64_t>;

const MPI_Comm kComm = MPI_COMM_WORLD;

class Fields : public testing::TestWithParam<ElementType> {
 protected:
  FieldWriter make_writer(std::int64_t n_snapshots, std::optional<double> resume_at = {},
                          MeshPicture picture = MeshPicture::solids) const {
    return FieldWriter(kComm, xdmf_, h5_,
                       {make_field_part("rod", mesh_, picture, test::box_quantities()),
                        make_axes_part(kComm, "crank <1>/a")},
                       n_snapshots, resume_at);
  }
  void write(FieldWriter& writer, double t) const {
    writer.write(t, {test::box_values(mesh_, t),
                     make_axes_values(kComm, Eigen::Matrix3d::Identity(), {t, 0, 0}, 0.5)});
  }
  void expect_snapshot(hid_t file, int k, double t) const {
    const std::string number = "00000" + std::to_string(k);
    const Integers tags = base::read_integers(file, "parts/rod/nodes");
    const Eigen::MatrixXd x = base::read_matrix(file, "parts/rod/positions/" + number);
    const std::vector<double> temperatures =
        base::read_doubles(file, "parts/rod/temperature/" + number);
    ASSERT_EQ(x.cols(), static_cast<Eigen::Index>(tags.size()));
    for (std::size_t i = 0; i < tags.size(); ++i) {
      EXPECT_EQ(x.col(i), test::moved(X_.at(tags[i]), t)) << "node " << tags[i];
      EXPECT_EQ(temperatures[i], test::temperature(tags[i], t)) << "node " << tags[i];
    }
  }
  static std::map<std::int64_t, Eigen::Vector3d> positions_by_tag(const mesh::Mesh& whole) {
    std::map<std::int64_t, Eigen::Vector3d> X;
    for (std::int64_t i = 0; i < whole.n_nodes(); ++i) X[whole.node_tags[i]] = whole.x.col(i);
    return X;
  }

  const mesh::Mesh whole_ = test::moving_box(GetParam());
  const mesh::DistributedMesh mesh_ = test::distributed_box(kComm, GetParam());
  const std::map<std::int64_t, Eigen::Vector3d> X_ = positions_by_tag(whole_);
  const test::ScratchFolder folder_;
  const std::string xdmf_ = folder_ / "fields.xdmf", h5_ = folder_ / "fields.h5";
};
INSTANTIATE_TEST_SUITE_P(Types, Fields,
                         testing::Values(ElementType::tet4, ElementType::tet10, ElementType::hex8,
                                         ElementType::hex20, ElementType::wedge6,
                                         ElementType::wedge15, ElementType::pyramid5,
                                         ElementType::pyramid13),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST_P(Fields, NumbersAreThoseOfEachNodeInTheOrderOfTheTags) {
  {
    FieldWriter writer = make_writer(2);
    write(writer, 0.0);
    write(writer, 0.25);
    EXPECT_EQ(writer.n_written(), 2);
  }
  const base::H5File file = base::open_hdf5(h5_);
  Integers tags;
  for (const auto& [tag, X] : X_) tags.push_back(tag);
  EXPECT_EQ(base::read_integers(file, "parts/rod/nodes"), tags);
  EXPECT_THAT(base::read_doubles(file, "times"), ElementsAre(0.0, 0.25));
  expect_snapshot(file, 0, 0.0);
  expect_snapshot(file, 1, 0.25);
}

// VTK's shapes: a corner that rises over the first three, and the edges with nodes halfway
// (vtk.org, vtkQuadraticTetra, -Hexahedron, -Wedge, -Pyramid).
struct Shape {
  int above_0;
  std::vector<std::array<int, 2>> edges;
};
const std::map<ElementType, Shape> kVtk = {
    {ElementType::tet4, {3, {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}}},
    {ElementType::hex8,
     {4,
      {{0, 1},
       {1, 2},
       {2, 3},
       {3, 0},
       {4, 5},
       {5, 6},
       {6, 7},
       {7, 4},
       {0, 4},
       {1, 5},
       {2, 6},
       {3, 7}}}},
    {ElementType::wedge6,
     {3, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}}}},
    {ElementType::pyramid5, {4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {1, 4}, {2, 4}, {3, 4}}}}};

TEST_P(Fields, CellsAreTheElementsOfTheMeshWithMiddleNodesInXdmfsOrder) {
  make_writer(1);
  const base::H5File file = base::open_hdf5(h5_);
  const Integers tags = base::read_integers(file, "parts/rod/nodes");
  const int n = n_nodes(GetParam());
  const Integers rows =
      base::read_integers(file, std::string("parts/rod/cells/") + name(GetParam()));
  const mesh::ElementBlock& block = *whole_.find_block(GetParam());
  ASSERT_EQ(rows.size(), block.connectivity.size());

  std::set<std::set<std::int64_t>> expected, found;
  for (std::size_t e = 0; e < rows.size(); e += n) {
    std::set<std::int64_t> element, cell;
    for (int i = 0; i < n; ++i) {
      element.insert(whole_.node_tags[block.connectivity[e + i]]);
      cell.insert(tags[rows[e + i]]);
    }
    expected.insert(element);
    found.insert(cell);
    const auto X = [&](int i) { return X_.at(tags[rows[e + i]]); };
    const Shape& shape = kVtk.at(linear_of(GetParam()));
    EXPECT_GT((X(1) - X(0)).cross(X(2) - X(0)).dot(X(shape.above_0) - X(0)), 0.0);
    const int n_corners = elements::n_corners(GetParam());
    for (int i = n_corners; i < n; ++i) {
      const auto [a, b] = shape.edges[i - n_corners];
      EXPECT_LT((X(i) - (X(a) + X(b)) / 2).norm(), 1e-14);
    }
  }
  EXPECT_EQ(found, expected);
}

TEST_P(Fields, SurfacePictureHasTheNodesOfTheBoundaryOnly) {
  {
    FieldWriter writer = make_writer(1, {}, MeshPicture::surface);
    write(writer, 0.5);
  }
  const base::H5File file = base::open_hdf5(h5_);
  Integers expected;
  for (const auto& [tag, X] : X_)
    if ((X.array() < 1e-12).any() || (X.array() > 1 - 1e-12).any()) expected.push_back(tag);
  ASSERT_LT(expected.size(), X_.size()) << "the box has inner nodes";
  EXPECT_EQ(base::read_integers(file, "parts/rod/nodes"), expected);
  expect_snapshot(file, 0, 0.5);
}

TEST_P(Fields, XdmfListsCompleteSnapshotsOnlyAndEscapesNames) {
  FieldWriter writer = make_writer(9);
  EXPECT_THAT(test::read_text(xdmf_), Not(HasSubstr("<Time")));
  write(writer, 0.125);
  writer.flush();
  const std::string text = test::read_text(xdmf_);
  EXPECT_THAT(text, HasSubstr("<Time Value=\"0.125\"/>"));
  EXPECT_THAT(text, HasSubstr("fields.h5:/parts/rod/positions/000000<"));
  EXPECT_THAT(text, Not(HasSubstr("000001")));
  EXPECT_THAT(text, HasSubstr("Name=\"crank &lt;1&gt;/a\""));
  EXPECT_THAT(text, HasSubstr("/parts/crank%20%3C1%3E%2Fa/positions/000000<"));
}

TEST_P(Fields, MoreSnapshotsThanPlannedAreWritten) {
  {
    FieldWriter writer = make_writer(1);
    for (int k = 0; k < 5; ++k) write(writer, 0.125 * k);
  }
  const base::H5File file = base::open_hdf5(h5_);
  for (int k = 0; k < 5; ++k) expect_snapshot(file, k, 0.125 * k);
}

TEST_P(Fields, ResumeOverwritesLaterSnapshotsAndGoesOn) {
  {
    FieldWriter writer = make_writer(4);
    for (const double t : {0.0, 1.0, 2.0, 3.0}) write(writer, t);
  }
  {
    FieldWriter writer = make_writer(6, 1.5);
    EXPECT_EQ(writer.n_written(), 2);
    EXPECT_THAT(test::read_text(xdmf_), Not(HasSubstr("<Time Value=\"2\"/>")));
    for (const double t : {1.75, 2.75, 3.75}) write(writer, t);
  }
  const base::H5File file = base::open_hdf5(h5_);
  const std::vector<double> times{0.0, 1.0, 1.75, 2.75, 3.75};
  for (int k = 0; k < 5; ++k) expect_snapshot(file, k, times[k]);
  EXPECT_TRUE(std::isnan(base::read_doubles(file, "times").at(5)));
  for (const char* listed : {"\"0\"", "\"1\"", "\"1.75\"", "\"2.75\"", "\"3.75\""})
    EXPECT_THAT(test::read_text(xdmf_), HasSubstr(std::string("<Time Value=") + listed));
}

TEST_P(Fields, ResumeWithOtherPartsIsRefused) {
  make_writer(2);
  EXPECT_THROW(make_writer(2, 0.0, MeshPicture::surface), base::InputError);
  EXPECT_THROW(FieldWriter(kComm, xdmf_, h5_, {make_axes_part(kComm, "rod")}, 2, 0.0),
               base::InputError);
}

TEST_P(Fields, NodeThatNoRankOwnsIsReported) {
  FieldPart part = make_field_part("rod", mesh_, MeshPicture::solids);
  std::replace(part.tags.begin(), part.tags.end(), std::int64_t{1}, std::int64_t{100000});
  EXPECT_THROW(FieldWriter(kComm, xdmf_, h5_, {part}, 1), base::ComputationError);
}

TEST_P(Fields, FolderThatDoesNotExistIsAnInputErrorOnAllRanks) {
  EXPECT_THROW(FieldWriter(kComm, folder_ / "no/f.xdmf", folder_ / "no/f.h5",
                           {make_axes_part(kComm, "a")}, 1),
               base::InputError);
}

}  // namespace
}  // namespace solidyn::results
