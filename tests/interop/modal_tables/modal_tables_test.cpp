// Modal data as plain tables: what they say, and what is refused.
#include "solidyn/formats/tables/modal_tables.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "damage.h"
#include "gzip.h"
#include "samples.h"
#include "scratch_folder.h"
#include "solidyn/base/error.h"
#include "solidyn/formats/imported_files.h"

namespace solidyn::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kTwoPi = 6.283185307179586;

template <class Parse>
std::string told(const Parse& parse) {
  try {
    parse();
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string modes_told(const std::string& text) {
  return told([&] { parse_mode_table(text, "m.csv"); });
}

std::string nodes_told(const std::string& text) {
  return told([&] { parse_node_table(text, "n.csv"); });
}

TEST(ModeTable, HasALinePerModeAndNode) {
  const imported::ModalData modes = parse_mode_table(
      "Mode, Frequency, Node, UX, UY, UZ\n# seven bends\n7, 100, 12, 0.1, 0.2, 0.3\n"
      "7; 100; 5; -1; -2; -3e-1  # tip\n\n9\t250.5 5 1 2 3\r\n9 250.5 12 4 5 6\n",
      "m.csv");
  EXPECT_THAT(modes.node_tags, ElementsAre(12, 5));
  ASSERT_EQ(modes.modes.size(), 2u);
  EXPECT_EQ(modes.modes[0].number, 7);
  EXPECT_EQ(modes.modes[1].number, 9);
  EXPECT_NEAR(std::sqrt(modes.modes[1].eigenvalue) / kTwoPi, 250.5, 1e-12);
  Eigen::MatrixXd expected(6, 2);  // in the order of the first mode's nodes
  expected << 0.1, 4, 0.2, 5, 0.3, 6, -1, 1, -2, 2, -0.3, 3;
  EXPECT_EQ(modes.translations, expected);
  EXPECT_EQ(modes.rotations.size(), 0);
  EXPECT_EQ(modes.x.cols(), 0);
}

TEST(ModeTable, SaysTheSameAsTheResultsThatItWasMadeOf) {
  const imported::ModalData origin =
      read_modal_file(testing_support::sample("generated/blocks/block_c3d20.frd"));
  std::string text;
  const auto n = static_cast<Eigen::Index>(origin.node_tags.size());
  for (std::size_t m = 0; m < origin.modes.size(); ++m)
    for (Eigen::Index i = n; i-- > 0;) {
      const Eigen::Vector3d u =
          origin.translations.block<3, 1>(3 * i, static_cast<Eigen::Index>(m));
      text += fmt::format("{}, {}, {}, {}, {}, {}\n", m + 1,
                          std::sqrt(std::max(0.0, origin.modes[m].eigenvalue)) / kTwoPi,
                          origin.node_tags[static_cast<std::size_t>(i)], u[0], u[1], u[2]);
    }
  const test::ScratchFolder folder;
  test::append_gzip(folder / "modes.csv.gz", text);
  const imported::ModalData modes = read_modal_file(folder / "modes.csv.gz");
  ASSERT_EQ(modes.modes.size(), origin.modes.size());
  for (std::size_t m = 0; m < modes.modes.size(); ++m)
    EXPECT_NEAR(modes.modes[m].eigenvalue, std::max(0.0, origin.modes[m].eigenvalue),
                1e-12 * std::abs(origin.modes[m].eigenvalue));
  for (Eigen::Index i = 0; i < n; ++i)
    EXPECT_EQ(modes.translations.middleRows<3>(3 * (n - 1 - i)),
              origin.translations.middleRows<3>(3 * i));
}

TEST(ModeTable, ErrorsNameTheLine) {
  const std::string good = "1, 10, 5, 0, 0, 1\n1, 10, 6, 0, 0, 2\n";
  EXPECT_EQ(modes_told(good), "accepted");
  EXPECT_THAT(modes_told(""), HasSubstr("m.csv: error: the file contains no modes"));
  EXPECT_THAT(modes_told("frequency, mode, node\n" + good),
              HasSubstr("m.csv:1: error: the columns are named `frequency, mode, node`"));
  EXPECT_THAT(modes_told("1, 10, 5, 0, 0\n"), HasSubstr("m.csv:1: error: the line ends before"));
  EXPECT_THAT(modes_told("1, 10, 5, 0, 0, 1, 2\n"), HasSubstr("the end of the line"));
  EXPECT_THAT(modes_told("1, 10, 5, 0, nan, 1\n"), HasSubstr("m.csv:1: error: found `nan`"));
  EXPECT_THAT(modes_told("1.5, 10, 5, 0, 0, 1\n"), HasSubstr("an integer"));
  EXPECT_THAT(modes_told("1, 10, 5, 0, 0, 1\n1, 11, 6, 0, 0, 1\n"),
              HasSubstr("m.csv:2: error: mode 1 has the frequencies 10 and 11"));
  EXPECT_THAT(modes_told("1, -10, 5, 0, 0, 1\n"), HasSubstr("mode 1 has the frequency -10"));
  EXPECT_THAT(modes_told("1, 10, 5, 0, 0, 1\n1, 10, 5, 0, 0, 1\n"),
              HasSubstr("node 5 appears twice in mode 1"));
  EXPECT_THAT(modes_told(good + "2, 20, 5, 0, 0, 1\n2, 20, 5, 0, 0, 1\n"),
              HasSubstr("m.csv:4: error: node 5 appears twice in mode 2"));
  EXPECT_THAT(modes_told(good + "2, 20, 7, 0, 0, 1\n"),
              HasSubstr("m.csv:3: error: mode 2 has node 7, which the first mode does not have"));
  EXPECT_THAT(modes_told(good + "2, 20, 5, 0, 0, 1\n"),
              HasSubstr("mode 2 has 1 nodes, the first mode 2"));
  EXPECT_THAT(modes_told(good + "2, 20, 5, 0, 0, 1\n3, 30, 5, 0, 0, 1\n"),
              HasSubstr("mode 2 has 1 nodes, the first mode 2"));
  EXPECT_THAT(
      modes_told(good + "2, 20, 5, 0, 0, 1\n2, 20, 6, 0, 0, 1\n" + good),
      HasSubstr("m.csv:5: error: the mode number 1 is negative, too large, or repeated after"));
  EXPECT_THAT(modes_told("1, 10, 0, 0, 0, 1\n"), HasSubstr("node 0 is not positive"));
}

TEST(PlainTables, DamagedOnesGiveDataOrAnError) {
  testing_support::expect_answers_to_damage(
      testing_support::bytes_of("generated/tables/modes.csv"),
      [](const std::string& text) { parse_mode_table(text, "m.csv"); });
  testing_support::expect_answers_to_damage(
      testing_support::bytes_of("generated/tables/nodes.csv"),
      [](const std::string& text) { parse_node_table(text, "n.csv"); });
}

TEST(NodeTable, HasPlacesAndMasses) {
  const NodeTable nodes =
      parse_node_table("node, x, y, z, mass\n3, 0.1, 0.2, 0.3, 1e-3\n1; 1; 2; 3; 0\n", "n.csv");
  ASSERT_EQ(nodes.places.size(), 2u);
  EXPECT_EQ(nodes.places.at(3), Eigen::Vector3d(0.1, 0.2, 0.3));
  EXPECT_EQ(nodes.masses, (std::map<std::int64_t, double>{{1, 0.0}, {3, 1e-3}}));
}

TEST(NodeTable, ErrorsNameTheLine) {
  EXPECT_THAT(nodes_told("# nothing\n"), HasSubstr("n.csv: error: the file contains no nodes"));
  EXPECT_THAT(nodes_told("1, 0, 0, 0, 1\n1, 0, 0, 0, 1\n"),
              HasSubstr("n.csv:2: error: node 1 is defined twice"));
  EXPECT_THAT(nodes_told("1, 0, 0, 0, -1\n"),
              HasSubstr("n.csv:1: error: the mass of node 1 is -1"));
  EXPECT_THAT(nodes_told("1, 0, 0, 1\n"), HasSubstr("n.csv:1: error: the line ends before"));
  EXPECT_THAT(nodes_told("-1, 0, 0, 0, 1\n"), HasSubstr("node -1 is not positive"));
  EXPECT_THAT(nodes_told("tag, x, y, z, mass\n"),
              HasSubstr("expected columns  node, x, y, z, mass"));
}

}  // namespace
}  // namespace solidyn::formats
