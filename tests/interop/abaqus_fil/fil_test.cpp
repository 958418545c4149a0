// Results files of Abaqus: the samples, and what the layout allows.
#include "solidyn/formats/abaqus/fil/fil.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "fil_writer.h"
#include "formats/abaqus/fil/records.h"
#include "samples.h"
#include "solidyn/formats/calculix/frd.h"
#include "solidyn/imported/checks.h"

namespace solidyn::formats {
namespace {

using testing::HasSubstr;
using testing_support::facts_of;
using testing_support::FilWriter;
using testing_support::sample;

std::string told(const std::string& bytes) {
  try {
    parse_abaqus_fil(bytes, "job.fil");
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "accepted";
}

class ConstructedFil : public testing::TestWithParam<const char*> {};

TEST_P(ConstructedFil, HoldsModesSevenToNineOfTheBlock) {
  const AbaqusResults fil = read_abaqus_fil(
      sample(std::string("generated/abaqus_like/modal_constructed_") + GetParam() + ".fil"));
  const CalculixResults frd = read_calculix_frd(sample("generated/blocks/block_c3d20.frd"));
  EXPECT_EQ(fil.release, "6.14-1");
  ASSERT_EQ(fil.model.mesh.n_nodes(), 51);
  ASSERT_EQ(fil.model.mesh.blocks.size(), 1u);
  EXPECT_EQ(fil.model.mesh.blocks[0].size(), 4);
  EXPECT_EQ(fil.model.mesh.blocks[0].type, elements::ElementType::hex20);
  EXPECT_EQ(fil.model.mesh.blocks[0].tags, frd.model.mesh.blocks[0].tags);
  EXPECT_EQ(fil.model.mesh.blocks[0].connectivity, frd.model.mesh.blocks[0].connectivity);
  EXPECT_EQ(fil.model.mesh.x, frd.model.mesh.x);
  EXPECT_EQ(fil.model.regions.at(0).element_name, "C3D20");
  EXPECT_EQ(fil.model.mesh.sets.at("XMIN").nodes.size(), 13u);
  for (std::int32_t node : fil.model.mesh.sets.at("XMIN").nodes)
    EXPECT_EQ(fil.model.mesh.x(0, node), 0.0);
  ASSERT_EQ(fil.modes.modes.size(), 3u);
  EXPECT_EQ(fil.modes.node_tags, frd.modes.node_tags);
  EXPECT_EQ(fil.modes.translations, frd.modes.translations.middleCols(6, 3));
  EXPECT_EQ(fil.modes.rotations.size(), 0);
  for (int m = 0; m < 3; ++m) {
    EXPECT_EQ(fil.modes.modes[m].number, m + 1);
    EXPECT_EQ(fil.modes.modes[m].subcase, 1);
    EXPECT_EQ(fil.modes.modes[m].generalized_mass, 1.0);
    EXPECT_NEAR(fil.modes.modes[m].eigenvalue, frd.modes.modes[6 + m].eigenvalue,
                1e-5 * frd.modes.modes[6 + m].eigenvalue);
  }
  EXPECT_FALSE(fil.matrices.has_value());
}

INSTANTIATE_TEST_SUITE_P(All, ConstructedFil, testing::Values("ascii", "le", "be"));

TEST(AbaqusFil, StaticRunWithUserElementsHasTheFactsOfTheManifest) {
  const std::string name = "abaqus/fil/TensileBar_first41blocks.fil";
  SOLIDYN_REQUIRE_SAMPLE(name);
  const auto facts = facts_of(name);
  EXPECT_EQ(std::filesystem::file_size(sample(name)), facts.at("blocks").get<int>() * 4104u);
  const AbaqusResults results = read_abaqus_fil(sample(name));
  EXPECT_EQ(results.release, facts.at("release").get<std::string>());
  EXPECT_EQ(results.model.other_elements.at(facts.at("element_type").get<std::string>()),
            facts.at("elements").get<int>());
  const auto& nodes = results.model.loose_nodes;
  ASSERT_EQ(nodes.size(), facts.at("nodes").get<std::size_t>());
  const auto sixth = std::find_if(nodes.begin(), nodes.end(), [](auto& n) { return n.tag == 6; });
  EXPECT_EQ(sixth->x[0], facts.at("node_6").at(0).get<double>());
  EXPECT_EQ(sixth->x[1], facts.at("node_6").at(1).get<double>());
  EXPECT_EQ(sixth->x[2], 0.0);
  EXPECT_EQ(results.model.mesh.sets.count(facts.at("set_1_name").get<std::string>()), 1u);
  for (const auto& [key, n] : facts.at("record_counts").items()) {
    const auto skipped = results.model.report.skipped.find("record " + key);
    if (skipped != results.model.report.skipped.end()) {
      EXPECT_EQ(skipped->second, n.get<int>()) << key;
    }
  }
  EXPECT_EQ(results.model.report.skipped.at("record 101"), 240);  // static ones
  EXPECT_TRUE(results.modes.modes.empty());
}

/// User elements are no solids: what they connect is told by their records alone.
TEST(AbaqusFil, RecordsOfUserElementsAndSetsHoldTheNodesOfTheManifest) {
  const std::string name = "abaqus/fil/TensileBar_first41blocks.fil";
  SOLIDYN_REQUIRE_SAMPLE(name);
  const auto facts = facts_of(name);
  const std::string bytes = testing_support::bytes_of(name);
  ImportBytes file(bytes, name);
  FilRecords records(file);
  std::map<std::int64_t, std::vector<std::int64_t>> elements;
  std::map<std::int64_t, int> n_of_key;
  std::vector<std::int64_t> first_set;
  for (FilRecord record; records.next(record);) {
    ++n_of_key[record.key];
    const auto integers = [&](std::size_t from) {
      std::vector<std::int64_t> values;
      for (std::size_t i = from; i < record.size(); ++i) values.push_back(record.integer(i));
      return values;
    };
    if (record.key == 1900) elements[record.integer(0)] = integers(2);
    if (record.key == 1931 && first_set.empty()) first_set = integers(1);
  }
  ASSERT_EQ(elements.size(), facts.at("elements").get<std::size_t>());
  EXPECT_EQ(elements.at(1), facts.at("element_1").get<std::vector<std::int64_t>>());
  EXPECT_EQ(first_set, facts.at("set_1_nodes").get<std::vector<std::int64_t>>());
  for (const auto& [key, n] : facts.at("record_counts").items())
    EXPECT_EQ(n_of_key[std::stoll(key)], n.get<int>()) << key;
}

/// Four nodes and a tetrahedron, with a long set name.
FilWriter make_tetrahedron() {
  FilWriter writer;
  writer.add(1900, {5, "C3D4", 1, 2, 3});
  writer.add(1990, {4});
  writer.add(1900, {6, "S4R", 1, 2, 3, 4});
  writer.add(1901, {1, 0.0, 0.0, 0.0});
  writer.add(1901, {2, 1.0, 0.0, 0.0});
  writer.add(1901, {3, 0.0, 1.0, 0.0});
  writer.add(1901, {4, 0.0, 0.0, 1.0});
  writer.add(1931, {"       1", 1});
  writer.add(1932, {2});
  writer.add(1933, {"ALL", 5});
  writer.add(1940, {1, "A_LONG_NAME"});
  return writer;
}

void add_mode(FilWriter& writer, int number, double mass) {
  writer.add(1980, {number, 1e6 * number, mass, 0.0});
  writer.add(1911, {1, "        "});
  for (int node = 1; node <= 4; ++node)
    writer.add(101, {node, 1.0 * node, 0.5, -1.0, 0.25, 0.0, 0.125 * number});
}

TEST(AbaqusFil, ContinuationsSetsRotationsAndSteps) {
  FilWriter writer = make_tetrahedron();
  writer.add(1902, {1, 2, 3, 4, 5, 6, 0, 0});
  writer.add(2000, {0.0, 0.0, 0.0, 0.0, 41, 2, 1, 1, 0.0, 0.0, 0.0});
  add_mode(writer, 1, 3.0);
  add_mode(writer, 2, 4.0);
  writer.add(2001, {});
  const AbaqusResults results = parse_abaqus_fil(writer.bytes(), "job.fil");
  EXPECT_EQ(results.model.mesh.blocks.at(0).size(), 1);
  EXPECT_EQ(results.model.other_elements.at("S4R"), 1);
  EXPECT_EQ(results.model.mesh.sets.at("A_LONG_NAME").nodes, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(results.model.mesh.sets.at("ALL").nodes.size(), 4u);
  EXPECT_EQ(results.model.mesh.sets.at("ALL").dimension, 3);
  ASSERT_EQ(results.modes.modes.size(), 2u);
  EXPECT_EQ(results.modes.modes[1].generalized_mass, 4.0);
  EXPECT_EQ(results.modes.modes[1].subcase, 2);
  EXPECT_EQ(results.modes.translations(3, 0), 2.0);
  EXPECT_EQ(results.modes.rotations(0, 1), 0.25);
  EXPECT_EQ(results.modes.rotations(2, 1), 0.25);
}

TEST(AbaqusFil, ReducedMatricesAreReadByColumnsAndAcrossRecords) {
  FilWriter writer = make_tetrahedron();
  writer.add(1001, {0, "Z1", 3, 2, 4});
  writer.add(1005, {-1});
  writer.add(1002, {1, 3});
  writer.add(1003, {3, 1});
  writer.add(1004, {10});
  writer.add(1011, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0});
  writer.add(1011, {9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0});
  writer.add(1021, {1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0});
  writer.add(1042, {1.0, 2.0});
  const AbaqusResults results = parse_abaqus_fil(writer.bytes(), "job.fil");
  ASSERT_TRUE(results.matrices.has_value());
  const imported::MatrixModel& model = *results.matrices;
  ASSERT_EQ(model.dofs.size(), 5u);
  EXPECT_EQ(model.dofs[1].node, 2);
  EXPECT_EQ(model.dofs[1].component, 3);
  EXPECT_EQ(model.dofs[4].node, -1);
  EXPECT_EQ(model.dofs[4].component, 0);
  const Eigen::MatrixXd k(imported::assemble(model.stiffness));
  EXPECT_EQ(k(0, 0), 1.0);
  EXPECT_EQ(k(0, 1), 2.0);
  EXPECT_EQ(k(1, 0), 2.0);
  EXPECT_EQ(k(1, 3), 8.0);
  EXPECT_EQ(k(4, 4), 15.0);
  EXPECT_EQ(Eigen::MatrixXd(imported::assemble(model.mass)), Eigen::MatrixXd::Identity(5, 5));
  EXPECT_EQ(model.nodes.at(4), Eigen::Vector3d(0, 0, 1));
  EXPECT_EQ(model.nodes.size(), 2u);

  writer.add(1011, {16.0});
  EXPECT_THAT(told(writer.bytes()),
              HasSubstr("the stiffness of 5 rows has 16 terms instead of 15"));
}

TEST(AbaqusFil, MistakesAreToldWithTheirByte) {
  EXPECT_THAT(told(""), HasSubstr("empty"));
  EXPECT_THAT(told("version https://git-lfs.github.com/spec/v1\noid"), HasSubstr("git lfs pull"));
  EXPECT_THAT(told("hello, world"), HasSubstr("not an Abaqus results file"));
  std::string bytes = make_tetrahedron().bytes();
  EXPECT_EQ(told(bytes), "accepted");
  EXPECT_THAT(told(bytes.substr(0, 4000)),
              HasSubstr("the last block has only 4000 of 4104 bytes (byte 0)"));
  std::string marked = bytes;
  marked[4101] = 1;
  EXPECT_THAT(told(marked), HasSubstr("a block marker is damaged (byte 4100)"));
  std::string longer = bytes;
  longer[4] = 127, longer[5] = 127;  // the length of the first record
  EXPECT_THAT(told(longer), HasSubstr("words extends beyond the end of the file (byte 4)"));

  FilWriter missing = make_tetrahedron();
  missing.add(1900, {7, "C3D4", 1, 2, 3, 99});
  EXPECT_THAT(told(missing.bytes()), HasSubstr("node 99 of element 7"));
  FilWriter few = make_tetrahedron();
  few.add(1900, {7, "C3D4", 1, 2, 3});
  EXPECT_THAT(told(few.bytes()), HasSubstr("element 7 (C3D4) has 3 nodes"));
  FilWriter twice = make_tetrahedron();
  twice.add(1901, {4, 0.0, 0.0, 1.0});
  EXPECT_THAT(told(twice.bytes()), HasSubstr("node 4 is defined twice"));
  FilWriter partial = make_tetrahedron();
  add_mode(partial, 1, 1.0);
  partial.add(1980, {2, 1.0, 1.0});
  partial.add(101, {1, 1.0, 2.0, 3.0});
  EXPECT_THAT(told(partial.bytes()), HasSubstr("mode 2 has values at only 1 of 4 nodes"));
  FilWriter late = make_tetrahedron();
  add_mode(late, 1, 1.0);
  late.add(1901, {5, 0.0, 0.0, 1.0});
  EXPECT_THAT(told(late.bytes()), HasSubstr("node 5 follows"));
  EXPECT_THAT(told("*I 19I 41921A6.14-1  A"), HasSubstr("the file ends within a record"));
  EXPECT_THAT(told("*I 13I 41921XYZ"), HasSubstr("an item `I`, `D` or `A`"));
}

}  // namespace
}  // namespace solidyn::formats
