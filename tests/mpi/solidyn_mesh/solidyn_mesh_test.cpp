#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numeric>

#include "scratch_folder.h"
#include "solidyn/base/error.h"
#include "solidyn/base/hdf5.h"
#include "solidyn/base/mpi.h"
#include "solidyn/formats/solidyn/mesh.h"
#include "solidyn/mesh/check.h"
#include "solidyn/mesh/element_geometry.h"
#include "solidyn/mesh/generators.h"

// Every expected value is that of the whole mesh, hence the same on any number of ranks.
namespace solidyn::formats {
namespace {

using elements::ElementType;
using mesh::DistributedMesh;
using mesh::ElementBlock;
using mesh::Mesh;
using mesh::Partitioner;
using testing::HasSubstr;

const MPI_Comm kComm = MPI_COMM_WORLD;

Mesh box(ElementType type) {
  mesh::BoxOptions options;
  options.type = type;
  options.nx = 6, options.ny = 5, options.nz = 4;
  options.size = Eigen::Vector3d(2.0, 0.5, 1.5);
  options.perturbation = 0.15;
  Mesh whole = make_box(options);
  for (std::int64_t& tag : whole.node_tags) tag = 3 * tag + 5;  // numbers with gaps
  whole.sets["odd/name with \"signs\""] = {0, {0, 7, 8}};
  whole.sets["empty"] = {2, {}};
  return whole;
}

// Two blocks: hexahedra, and pyramids on other cells' place beside them.
Mesh two_boxes() {
  Mesh whole = box(ElementType::hex8);
  Mesh other = box(ElementType::tet10);
  const std::int32_t n = static_cast<std::int32_t>(whole.n_nodes());
  Eigen::Matrix3Xd x(3, n + other.n_nodes());
  x << whole.x, other.x.colwise() + Eigen::Vector3d(5, 0, 0);
  whole.x = x;
  whole.node_tags.resize(x.cols());
  std::iota(whole.node_tags.begin(), whole.node_tags.end(), 1);
  for (std::int32_t& node : other.blocks[0].connectivity) node += n;
  whole.blocks.push_back(other.blocks[0]);
  return whole;
}

void write_on_first(const std::string& path, const Mesh& whole) {
  if (base::rank(kComm) == 0) write_solidyn_mesh(path, whole);
  MPI_Barrier(kComm);
}

/// The facts of a distributed mesh that do not depend on the ranks, gathered on all of them.
struct Content {
  std::map<std::int64_t, std::array<double, 3>> nodes;                  // by tag
  std::map<std::int64_t, std::vector<std::int64_t>> elements, surface;  // tag -> node tags
  std::map<std::string, std::vector<std::int64_t>> sets;

  bool operator==(const Content& other) const {
    return nodes == other.nodes && elements == other.elements && surface == other.surface &&
           sets == other.sets;
  }
};

std::vector<std::int64_t> gathered(const std::vector<std::int64_t>& mine) {
  const int n_ranks = base::size(kComm);
  int n = static_cast<int>(mine.size());
  std::vector<int> counts(n_ranks), first(n_ranks + 1, 0);
  MPI_Allgather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, kComm);
  std::partial_sum(counts.begin(), counts.end(), first.begin() + 1);
  std::vector<std::int64_t> all(first.back());
  MPI_Allgatherv(mine.data(), n, MPI_INT64_T, all.data(), counts.data(), first.data(), MPI_INT64_T,
                 kComm);
  return all;
}

// Elements as type * 10^9 + tag; each starts with the number of its nodes. Faces of one element
// are told apart by their sorted nodes.
std::vector<std::int64_t> flat(const DistributedMesh& mesh,
                               const std::vector<ElementBlock>& blocks) {
  std::vector<std::int64_t> words;
  for (const ElementBlock& block : blocks) {
    const int k = elements::n_nodes(block.type);
    for (std::int64_t e = 0; e < block.size(); ++e) {
      words.insert(words.end(), {k, static_cast<int>(block.type) * 1000000000LL + block.tags[e]});
      for (int i = 0; i < k; ++i) words.push_back(mesh.node_tags[block.connectivity[e * k + i]]);
    }
  }
  return gathered(words);
}

Content content_of(const DistributedMesh& mesh) {
  Content content;
  std::vector<std::int64_t> tags(mesh.node_tags.begin(), mesh.node_tags.begin() + mesh.n_owned);
  std::vector<std::int64_t> bits(3 * mesh.n_owned);
  // A copy of nothing may not be from nowhere: compilers take both places for valid.
  if (!bits.empty()) std::memcpy(bits.data(), mesh.x.data(), bits.size() * sizeof(double));
  tags = gathered(tags), bits = gathered(bits);
  for (std::size_t i = 0; i < tags.size(); ++i)
    std::memcpy(content.nodes[tags[i]].data(), &bits[3 * i], 3 * sizeof(double));
  for (auto [from, to] :
       {std::pair{&mesh.solids, &content.elements}, std::pair{&mesh.surface, &content.surface}}) {
    const std::vector<std::int64_t> words = flat(mesh, *from);
    for (auto at = words.begin(); at != words.end(); at += 2 + at[0]) {
      auto& nodes = (*to)[at[1]];
      nodes.insert(nodes.end(), at + 2, at + 2 + at[0]);
    }
  }
  for (const auto& [name, set] : mesh.sets) {
    std::vector<std::int64_t> mine;
    for (const std::int32_t node : set.nodes) mine.push_back(mesh.node_tags[node]);
    mine = gathered(mine);
    std::sort(mine.begin(), mine.end());
    content.sets[name] = mine;
  }
  return content;
}

DistributedMesh alone(const Mesh& whole) {
  DistributedMesh mesh = mesh::distribute(MPI_COMM_SELF, whole);
  mesh.comm = kComm;
  return mesh;
}

// What the whole mesh on one rank holds, seen without other ranks.
Content content_alone(const Mesh& whole) {
  Content content = [&] {
    DistributedMesh mesh = alone(whole);
    if (base::rank(kComm) > 0) {
      const auto sets = mesh.sets;
      mesh = DistributedMesh{};
      for (const auto& [name, set] : sets) mesh.sets[name];
    }
    return content_of(mesh);
  }();
  return content;
}

class SolidynMesh : public testing::TestWithParam<ElementType> {};
INSTANTIATE_TEST_SUITE_P(Types, SolidynMesh,
                         testing::Values(ElementType::tet4, ElementType::tet10, ElementType::hex8,
                                         ElementType::hex20, ElementType::wedge15,
                                         ElementType::pyramid13),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST_P(SolidynMesh, ContentIsThatOfTheWholeMeshOnAnyNumberOfRanks) {
  const test::ScratchFolder folder;
  const Mesh whole = box(GetParam());
  write_on_first(folder / "box.smesh", whole);
  for (const Partitioner partitioner : {Partitioner::graph, Partitioner::curve}) {
    const DistributedMesh mesh = mesh::distribute(
        kComm, read_solidyn_mesh(kComm, folder / "box.smesh"), "box.smesh", partitioner);
    EXPECT_TRUE(content_of(mesh) == content_alone(whole));
    EXPECT_EQ(mesh.n_global_nodes, whole.n_nodes());
    EXPECT_EQ(mesh.n_global_elements, whole.blocks[0].size());
    const double even = static_cast<double>(mesh.n_global_nodes) / base::size(kComm);
    EXPECT_LT(base::max(kComm, mesh.n_owned), 1.25 * even);
    mesh::check(mesh, "box.smesh");
  }
}

TEST_P(SolidynMesh, KeepsTheRegionsOfElements) {
  const test::ScratchFolder folder;
  Mesh whole = box(GetParam());
  const auto region_of = [](std::int64_t tag) { return static_cast<std::int32_t>(tag * 7 % 5); };
  for (const std::int64_t tag : whole.blocks[0].tags)
    whole.blocks[0].regions.push_back(region_of(tag));
  write_on_first(folder / "box.smesh", whole);
  EXPECT_EQ(read_whole_solidyn_mesh(folder / "box.smesh").blocks[0].regions,
            whole.blocks[0].regions);
  const DistributedMesh mesh =
      mesh::distribute(kComm, read_solidyn_mesh(kComm, folder / "box.smesh"), "box.smesh");
  for (const ElementBlock& block : mesh.solids)
    for (std::int64_t e = 0; e < block.size(); ++e)
      EXPECT_EQ(block.region(e), region_of(block.tags[e]));
}

TEST_P(SolidynMesh, NumberingIsPetscsAndGhostsAgreeWithTheirOwners) {
  const DistributedMesh mesh = mesh::distribute(
      kComm,
      [&] {
        const test::ScratchFolder folder;
        write_on_first(folder / "box.smesh", box(GetParam()));
        return read_solidyn_mesh(kComm, folder / "box.smesh");
      }(),
      "box.smesh");
  std::vector<double> tag_of(mesh.n_global_nodes, 0.0);
  for (std::int32_t i = 0; i < mesh.n_owned; ++i) {
    EXPECT_EQ(mesh.global[i], mesh.first_owned + i);
    tag_of[mesh.global[i]] = static_cast<double>(mesh.node_tags[i]);
  }
  base::sum_in_place(kComm, tag_of.data(), static_cast<int>(tag_of.size()));
  ASSERT_EQ(mesh.x.cols(), mesh.n_local());
  std::vector<bool> is_used(mesh.n_local(), false);
  for (const ElementBlock& block : mesh.solids)
    for (const std::int32_t node : block.connectivity) is_used[node] = true;
  for (std::int32_t i = 0; i < mesh.n_local(); ++i) {
    EXPECT_EQ(static_cast<double>(mesh.node_tags[i]), tag_of[mesh.global[i]]);
    EXPECT_TRUE(is_used[i]) << "a ghost in vain";
  }
  for (std::int32_t i = mesh.n_owned + 1; i < mesh.n_local(); ++i)
    EXPECT_LT(mesh.global[i - 1], mesh.global[i]);
  for (const auto& [name, set] : mesh.sets)
    for (const std::int32_t node : set.nodes) EXPECT_LT(node, mesh.n_owned) << name;
}

TEST(SolidynMeshFile, KeepsAWholeMeshToTheLastBit) {
  const test::ScratchFolder folder;
  const Mesh whole = two_boxes();
  write_on_first(folder / "two.smesh", whole);
  const Mesh again = read_whole_solidyn_mesh(folder / "two.smesh");
  EXPECT_EQ(again.x, whole.x);
  EXPECT_EQ(again.node_tags, whole.node_tags);
  ASSERT_EQ(again.blocks.size(), 2u);
  for (const ElementBlock& block : whole.blocks) {
    EXPECT_EQ(again.find_block(block.type)->connectivity, block.connectivity);
    EXPECT_EQ(again.find_block(block.type)->tags, block.tags);
  }
  ASSERT_EQ(again.sets.size(), whole.sets.size());
  for (const auto& [name, set] : whole.sets) {
    EXPECT_EQ(again.sets.at(name).nodes, set.nodes) << name;
    EXPECT_EQ(again.sets.at(name).dimension, set.dimension) << name;
  }
  EXPECT_EQ(read_whole_solidyn_mesh(folder / "two.smesh", 1e-3).x, 1e-3 * whole.x);
}

TEST(SolidynMeshFile, WrittenBySlicesIsTheSameAsWrittenWhole) {
  const test::ScratchFolder folder;
  const Mesh whole = two_boxes();
  write_on_first(folder / "whole.smesh", whole);
  write_solidyn_mesh(kComm, folder / "slices.smesh",
                     read_solidyn_mesh(kComm, folder / "whole.smesh"));
  const Mesh again = read_whole_solidyn_mesh(folder / "slices.smesh");
  EXPECT_EQ(again.x, whole.x);
  for (const ElementBlock& block : whole.blocks)
    EXPECT_EQ(again.find_block(block.type)->connectivity, block.connectivity);
  for (const auto& [name, set] : whole.sets) EXPECT_EQ(again.sets.at(name).nodes, set.nodes);
}

TEST(SolidynMeshFile, EachRankHoldsItsShareOnly) {
  const test::ScratchFolder folder;
  const Mesh whole = box(ElementType::tet10);
  write_on_first(folder / "box.smesh", whole);
  const mesh::MeshSlices slices = read_solidyn_mesh(kComm, folder / "box.smesh");
  const int n_ranks = base::size(kComm);
  EXPECT_LE(slices.x.cols(), whole.n_nodes() / n_ranks + 1);
  EXPECT_LE(slices.blocks[0].size(), whole.blocks[0].size() / n_ranks + 1);
  EXPECT_EQ(base::sum(kComm, std::int64_t{slices.x.cols()}), whole.n_nodes());
}

TEST(SolidynMeshFile, TheSameFileGivesTheSameParts) {
  const test::ScratchFolder folder;
  write_on_first(folder / "box.smesh", two_boxes());
  const auto read = [&] {
    return mesh::distribute(kComm, read_solidyn_mesh(kComm, folder / "box.smesh"), "box.smesh",
                            Partitioner::curve);
  };
  const DistributedMesh once = read(), again = read();
  EXPECT_EQ(once.node_tags, again.node_tags);
  EXPECT_EQ(once.global, again.global);
}

TEST(SolidynMeshFile, FewerElementsThanRanksLeavesEmptyRanks) {
  const test::ScratchFolder folder;
  Mesh tet;
  tet.x = Eigen::Matrix3Xd::Zero(3, 4);
  tet.x.rightCols<3>().setIdentity();
  tet.node_tags = {11, 12, 13, 14};
  tet.blocks.push_back({ElementType::tet4, {0, 1, 2, 3}, {7}});
  write_on_first(folder / "tet.smesh", tet);
  const DistributedMesh mesh =
      mesh::distribute(kComm, read_solidyn_mesh(kComm, folder / "tet.smesh"), "tet.smesh");
  EXPECT_EQ(base::sum(kComm, std::int64_t{mesh.n_owned}), 4);
  EXPECT_EQ(base::max(kComm, mesh.n_owned), 4);
  EXPECT_TRUE(content_of(mesh) == content_alone(tet));
}

/// What reading a file says, which must be the same on all ranks.
std::string complaint(const std::string& path) {
  std::string text = "nothing";
  try {
    mesh::distribute(kComm, read_solidyn_mesh(kComm, path), path);
  } catch (const base::InputError& error) {
    text = error.what();
  }
  std::string first = text;
  base::broadcast(kComm, first);
  EXPECT_EQ(text, first);
  EXPECT_THAT(text, HasSubstr(path));
  return text;
}

/// Writes a box, damages it on one rank, and returns the complaint.
std::string complaint_after(const std::function<void(const std::string&)>& damage) {
  const test::ScratchFolder folder;
  const std::string path = folder / "box.smesh";
  if (base::rank(kComm) == 0) {
    write_solidyn_mesh(path, box(ElementType::tet10));
    damage(path);
  }
  MPI_Barrier(kComm);
  return complaint(path);
}

template <class T>
void set_value(const std::string& path, const char* dataset, hsize_t at, T value) {
  const base::H5File file = base::update_hdf5(path);
  const base::H5Dataset set{SOLIDYN_HDF5(H5Dopen2(file, dataset, H5P_DEFAULT))};
  const bool is_real = std::is_same_v<T, double>;
  const hid_t type = is_real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64;
  const base::H5Space space{SOLIDYN_HDF5(H5Dget_space(set))};
  std::vector<T> all(H5Sget_simple_extent_npoints(space));
  SOLIDYN_HDF5(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()));
  all[at] = value;
  SOLIDYN_HDF5(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()));
}

void remove(const std::string& path, const char* name) {
  const base::H5File file = base::update_hdf5(path);
  SOLIDYN_HDF5(H5Ldelete(file, name, H5P_DEFAULT));
}

TEST(BrokenSolidynMesh, TruncatedFileIsRefusedOnAllRanks) {
  for (const double fraction : {0.0, 0.01, 0.5, 0.999}) {
    const std::string text = complaint_after([&](const std::string& path) {
      std::filesystem::resize_file(
          path, static_cast<std::uintmax_t>(fraction * std::filesystem::file_size(path)));
    });
    EXPECT_THAT(text, HasSubstr("as an HDF5 file")) << fraction;
  }
}

TEST(BrokenSolidynMesh, ForeignFilesAreRefusedOnAllRanks) {
  EXPECT_THAT(complaint_after([](const std::string& path) {
                base::write_attribute(base::create_hdf5(path), "format", std::string("sbody"));
              }),
              HasSubstr("is not a Solidyn mesh"));
  EXPECT_THAT(complaint_after([](const std::string& path) { base::create_hdf5(path); }),
              HasSubstr("is not a Solidyn mesh"));
  EXPECT_THAT(
      complaint_after([](const std::string& path) { std::ofstream(path) << "$MeshFormat"; }),
      HasSubstr("as an HDF5 file"));
  EXPECT_THAT(complaint_after([](const std::string& path) { std::filesystem::remove(path); }),
              HasSubstr("does not exist"));
}

TEST(BrokenSolidynMesh, AnotherVersionIsRefusedOnAllRanks) {
  EXPECT_THAT(complaint_after([](const std::string& path) {
                const base::H5File file = base::update_hdf5(path);
                SOLIDYN_HDF5(H5Adelete(file, "version"));
                base::write_attribute(file, "version", std::int64_t{2});
              }),
              HasSubstr("version 2"));
}

TEST(BrokenSolidynMesh, MissingAndMisshapenArraysAreRefusedOnAllRanks) {
  for (const char* name : {"nodes", "nodes/x", "nodes/tags", "elements", "elements/tet10/nodes",
                           "elements/tet10/tags", "sets"})
    EXPECT_THAT(complaint_after([&](const std::string& path) { remove(path, name); }),
                HasSubstr(std::string(name) + " is missing"));
  EXPECT_THAT(complaint_after([](const std::string& path) {
                remove(path, "nodes/tags");
                base::write_dataset(base::update_hdf5(path), "nodes/tags",
                                    std::vector<std::int64_t>{1, 2, 3});
              }),
              HasSubstr("nodes has 1287 rows, but nodes/tags has 3"));
  EXPECT_THAT(complaint_after([](const std::string& path) {
                remove(path, "elements/tet10/nodes");
                base::write_dataset(base::update_hdf5(path), "elements/tet10/nodes",
                                    std::vector<std::int64_t>(20, 0).data(), {5, 4});
              }),
              HasSubstr("has the shape [5, 4]; expected 10 per row"));
  EXPECT_THAT(complaint_after([](const std::string& path) {
                base::create_group(base::update_hdf5(path), "elements/tet11");
              }),
              HasSubstr("elements/tet11 is not an element type"));
}

TEST(BrokenSolidynMesh, NodeNumbersOutOfRangeAreRefusedOnAllRanks) {
  EXPECT_THAT(
      complaint_after([](const std::string& path) {
        set_value<std::int64_t>(path, "elements/tet10/nodes", 7199, 1287);
      }),
      HasSubstr("elements/tet10/nodes contains the node 1287; the file has nodes 0 to 1286"));
  EXPECT_THAT(complaint_after([](const std::string& path) {
                set_value<std::int64_t>(path, "sets/0/nodes", 0, -1);
              }),
              HasSubstr("sets/0/nodes contains the node -1"));
}

TEST(BrokenSolidynMesh, CoordinatesMustBeFinite) {
  EXPECT_THAT(complaint_after([](const std::string& path) {
                set_value<double>(path, "nodes/x", 3 * 1286, std::nan(""));
              }),
              HasSubstr("has the coordinates (nan"));
}

TEST(BrokenSolidynMesh, LooseNodesAreRefusedOnAllRanks) {
  Mesh whole = box(ElementType::tet4);
  whole.x.conservativeResize(3, whole.x.cols() + 1);
  whole.x.rightCols<1>().setZero();
  whole.node_tags.push_back(4711);
  const test::ScratchFolder folder;
  write_on_first(folder / "loose.smesh", whole);
  EXPECT_THAT(complaint(folder / "loose.smesh"),
              HasSubstr("1 nodes belong to no solid element, such as node 4711"));
}

TEST(BrokenSolidynMesh, FacesOfThreeSolidsAreRefusedOnAllRanks) {
  Mesh whole = box(ElementType::tet4);
  ElementBlock& block = whole.blocks[0];
  const std::vector<std::int32_t> first(block.connectivity.begin(), block.connectivity.begin() + 4);
  for (int copy = 0; copy < 2; ++copy) {
    block.connectivity.insert(block.connectivity.begin(), first.begin(), first.end());
    block.tags.insert(block.tags.begin(), 90000 + copy);
  }
  const test::ScratchFolder folder;
  write_on_first(folder / "thrice.smesh", whole);
  EXPECT_THAT(complaint(folder / "thrice.smesh"),
              HasSubstr("are shared by more than two solid elements"));
}

TEST(BrokenSolidynMesh, InvertedElementsAreRefusedOnAllRanks) {
  Mesh whole = box(ElementType::tet4);
  std::swap(whole.blocks[0].connectivity[0], whole.blocks[0].connectivity[1]);
  const test::ScratchFolder folder;
  write_on_first(folder / "inverted.smesh", whole);
  const DistributedMesh mesh = mesh::distribute(
      kComm, read_solidyn_mesh(kComm, folder / "inverted.smesh"), "inverted.smesh");
  try {
    mesh::check(mesh, "inverted.smesh");
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("are inverted: elements 1;"));
  }
}

}  // namespace
}  // namespace solidyn::formats
