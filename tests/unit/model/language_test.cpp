// The parts of the front door that know no physics: the tree of a file, what is said of it, and how
// a table is read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "model/check.h"
#include "model/language/formula_names.h"
#include "model/language/overrides.h"
#include "model/language/parameters.h"
#include "model/language/point_file.h"
#include "model/language/spelling.h"
#include "model/language/table_view.h"
#include "model/language/type_table.h"
#include "model/language/value.h"
#include "model/language/value_checker.h"
#include "model/language/without_defaults.h"

namespace solidyn::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

Value tree_of(const std::string& text) {
  Report report;
  Value root = parse_yaml(text, "file.yaml", report);
  report.throw_if_any();
  return root;
}

template <class Call>
base::InputError error_of(const Call& call) {
  try {
    call();
  } catch (const base::InputError& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was refused";
  return base::InputError("");
}

/// What a report holds, as the user reads it.
std::string text_of(const Report& report) {
  try {
    report.throw_if_any();
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

// ---- the tree

TEST(Yaml, EveryValueKnowsItsLineAndColumn) {
  const Value root = tree_of("bodies:\n  rod: {mass: 2.5, at: [1, 2, 3]}\n");
  const Entry& rod = *root.find("bodies")->value.find("rod");
  EXPECT_EQ(rod.where.line, 2);
  EXPECT_EQ(rod.where.column, 3);
  const Entry& mass = *rod.value.find("mass");
  EXPECT_EQ(mass.where.column, 9);
  EXPECT_EQ(mass.value.where.column, 15);
  EXPECT_EQ(rod.value.find("at")->value.items.at(2).where.column, 31);
  EXPECT_EQ(rod.value.find("length"), nullptr);
}

TEST(Yaml, QuotesMakeTextOfANumber) {
  const Value root = tree_of("a: 3\nb: \"3\"\nc: '3'\n");
  EXPECT_EQ(as_number(root.find("a")->value), 3.0);
  EXPECT_FALSE(as_number(root.find("b")->value));
  EXPECT_FALSE(as_number(root.find("c")->value));
  EXPECT_EQ(root.find("b")->value.text, "3");
}

TEST(Yaml, DuplicateKeysAreReportedWithTheLineOfTheFirst) {
  Report report;
  const Value root = parse_yaml("a: 1\nb: 2\na: 3\n", "file.yaml", report);
  EXPECT_THAT(text_of(report),
              HasSubstr("file.yaml:3:1: error: duplicate key `a`; first given on line 1"));
  EXPECT_EQ(root.find("a")->value.text, "1");
}

TEST(Yaml, AKeyThatIsAListIsReportedAndTheRestIsRead) {
  Report report;
  const Value root = parse_yaml("[1, 2]: 3\nb: 2\n", "file.yaml", report);
  EXPECT_THAT(text_of(report), HasSubstr("file.yaml:1:1: error: a key is not a plain scalar"));
  EXPECT_EQ(root.find("b")->value.text, "2");
}

TEST(Yaml, WhatIsNoModelIsRefused) {
  EXPECT_THAT(error_of([] { tree_of(""); }).what(),
              HasSubstr("file.yaml: error: the file is empty"));
  EXPECT_THAT(error_of([] { tree_of("# a comment alone\n"); }).what(),
              HasSubstr("the file is empty"));
  EXPECT_THAT(error_of([] { tree_of("a: 1\n---\nb: 2\n"); }).what(),
              HasSubstr("the file contains more than one YAML document"));
  const auto broken = error_of([] { tree_of("a: 1\nb: [1, 2\nc: 3\n"); });
  EXPECT_THAT(broken.what(), HasSubstr("the file is not YAML"));
  EXPECT_GE(broken.diagnostics().at(0).where.line, 2);
}

// A chain of anchors of ten lines can stand for more values than there is memory.
TEST(Yaml, FilesThatExpandWithoutEndAreRefused) {
  std::string text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 8; ++i) {
    text += fmt::format("a{0}: &a{0} [", i);
    for (int k = 0; k < 10; ++k) text += fmt::format("{}*a{}", k ? ", " : "", i - 1);
    text += "]\n";
  }
  EXPECT_THAT(error_of([&] { tree_of(text); }).what(),
              HasSubstr("the file has more than 2000000 values"));
  std::string deep = "a: ", end;
  for (int i = 0; i < 45; ++i) deep += "[", end += "]";
  EXPECT_THAT(error_of([&] { tree_of(deep + "1" + end); }).what(),
              HasSubstr("values are nested more than 40 deep"));
}

TEST(Yaml, FlattenedTreesWriteNumbersAlike) {
  const auto all = flattened(tree_of(
      "a: 1e-1\nb: 0.10\nc: \"0.10\"\nlist: [1.0, [2, x]]\ntables: [{k: 1}, {k: 2.50}]\nempty: {}\n"));
  EXPECT_EQ(all.at("a"), "0.1");
  EXPECT_EQ(all.at("b"), "0.1");
  EXPECT_EQ(all.at("c"), "0.10");
  EXPECT_EQ(all.at("list"), "[1, [2, x]]");
  EXPECT_EQ(all.at("tables.0.k"), "1");
  EXPECT_EQ(all.at("tables.1.k"), "2.5");
  EXPECT_EQ(all.at("empty"), "{}");
}

TEST(Yaml, MessagesShowValuesShortened) {
  const Value root = tree_of("nothing:\ntext: \"a b\"\ntable: {a: 1, b: [2, 3]}\nlong: [" +
                             std::string(100, '7') + "]\nlist: []\n");
  EXPECT_EQ(shown(root.find("nothing")->value), "empty");
  EXPECT_EQ(shown(root.find("text")->value), "\"a b\"");
  EXPECT_EQ(shown(root.find("table")->value), "{a: 1, b: [2, 3]}");
  EXPECT_EQ(shown(root.find("list")->value), "[]");
  EXPECT_THAT(shown(root.find("long")->value), testing::EndsWith(" ..."));
  EXPECT_LT(shown(root.find("long")->value).size(), 70u);
}

TEST(Yaml, AValueOfTheCommandLineHasOnePlace) {
  Value root = tree_of("a: {b: [1, 2]}\n");
  relocate(root, {"--set a", 0, 0});
  const Entry& a = *root.find("a");
  EXPECT_EQ(a.where.file, "--set a");
  EXPECT_EQ(a.value.find("b")->value.items.at(1).where.file, "--set a");
  EXPECT_EQ(a.value.find("b")->value.items.at(1).where.line, 0);
}

// ---- numbers

Value scalar(const std::string& text) {
  Value value;
  value.kind = Value::Kind::scalar;
  value.text = text;
  return value;
}

TEST(Numbers, AreThoseOfYaml) {
  const std::pair<const char*, double> good[] = {{"1", 1.0},   {"-2.5", -2.5}, {"+3", 3.0},
                                                 {"1e3", 1e3}, {"1E-3", 1e-3}, {".5", 0.5},
                                                 {"5.", 5.0}};
  for (const auto& [text, number] : good) EXPECT_EQ(as_number(scalar(text)), number) << text;
  for (const char* text :
       {"", "+", "1,5", "1 2", "0x10", "1e", "--1", "+-1", "1_000", "one", "nan(1)", "infinity"})
    EXPECT_FALSE(plain_number(scalar(text))) << text;
}

TEST(Numbers, ThatAreNotFiniteAreNumbersThatNoKeyTakes) {
  for (const char* text : {".inf", "-.inf", "inf", ".nan", "nan", "1e400"}) {
    ASSERT_TRUE(plain_number(scalar(text))) << text;
    EXPECT_FALSE(std::isfinite(*plain_number(scalar(text)))) << text;
    EXPECT_FALSE(as_number(scalar(text))) << text;
  }
}

TEST(Numbers, TooSmallOnesAreZero) {
  EXPECT_EQ(as_number(scalar("1e-400")), 0.0);
  EXPECT_EQ(as_number(scalar("4e-320")), 4e-320);
}

TEST(Ranges, ContainTheirEndsWhereTheySaySo) {
  EXPECT_FALSE(kPositive.contains(0.0));
  EXPECT_TRUE(kPositive.contains(1e-300));
  EXPECT_TRUE(kNotNegative.contains(0.0));
  EXPECT_FALSE(kNotNegative.contains(-1e-300));
  const Range half_open{0.0, 1.0, true, false};
  EXPECT_TRUE(half_open.contains(0.0));
  EXPECT_FALSE(half_open.contains(1.0));
  EXPECT_EQ(kPositive.text(), "> 0");
  EXPECT_EQ(kNotNegative.text(), ">= 0");
  EXPECT_EQ((Range{0.0, 1.0, true, true}.text()), ">= 0 and <= 1");
  EXPECT_EQ(Range{}.text(), "");
}

TEST(Units, ScaleByThePowersOfAQuantity) {
  Units units;
  units.length = 1e-3, units.mass = 1e3, units.time = 1.0, units.angle = M_PI / 180.0,
  units.force = 1.0;                              // mm, t, s, deg, N
  EXPECT_DOUBLE_EQ(units.scale(kPressure), 1e6);  // MPa
  EXPECT_DOUBLE_EQ(units.scale(kDensity), 1e12);  // t/mm^3
  EXPECT_DOUBLE_EQ(units.scale(kInertia), 1e-3);  // t mm^2
  EXPECT_DOUBLE_EQ(units.scale(kTorque), 1e-3);   // N mm
  EXPECT_DOUBLE_EQ(units.scale(kTorsionalStiffness), 1e-3 * 180.0 / M_PI);
  EXPECT_DOUBLE_EQ(units.scale(kWallTime), 1.0);
  EXPECT_DOUBLE_EQ(units.scale(kTemperatureChange), 1.0);
  EXPECT_EQ(find_length_unit("in"), 0.0254);
  EXPECT_FALSE(find_length_unit("yd"));
}

// ---- spelling

TEST(Spelling, FindsTheWordThatIsMeant) {
  const std::vector<std::string> words = {"mass", "inertia", "youngs_modulus", "poissons_ratio",
                                          "step"};
  EXPECT_EQ(find_nearest("intertia", words), "inertia");
  EXPECT_EQ(find_nearest("msas", words), "mass");  // neighbours swapped
  EXPECT_EQ(find_nearest("Mass", words), "mass");  // capitals
  EXPECT_EQ(find_nearest("youngs", words), "youngs_modulus");
  EXPECT_EQ(find_nearest("damping", words), "");
  EXPECT_EQ(find_nearest("", words), "");
  EXPECT_EQ(find_nearest(std::string(200, 'm'), words), "");
}

// All words of one or two letters are near to each other: none of them is meant.
TEST(Spelling, ShortWordsAreNotGuessed) {
  EXPECT_EQ(find_nearest("x", {"y", "z"}), "");
  EXPECT_EQ(find_nearest("EA", {"ea", "GJ"}), "ea");
}

TEST(Spelling, ListsAtMostTwelve) {
  EXPECT_EQ(listed({"a"}), "a");
  EXPECT_EQ(listed({"a", "b", "c"}), "a, b or c");
  EXPECT_EQ(listed({"a", "b"}, "and"), "a and b");
  std::vector<std::string> many;
  for (int i = 0; i < 14; ++i) many.push_back("w" + std::to_string(i));
  EXPECT_THAT(listed(many), testing::EndsWith("w11 ... (14 in all)"));
  EXPECT_EQ(suggestion("zzz", {"a", "b"}, "there are"), "there are a and b");
  EXPECT_EQ(suggestion("zzz", {}, "there are"), "");
}

TEST(FormulaNames, AreNoFunctionsAndNoPartsOfNumbers) {
  EXPECT_THAT(names_in("2*sin(w*t) + 1e-3*p.z"), ElementsAre("w", "t", "p.z"));
  EXPECT_THAT(names_in("max (a, b_2)"), ElementsAre("a", "b_2"));
  EXPECT_THAT(names_in("1.5e3"), IsEmpty());
  EXPECT_THAT(names_in("2a"), ElementsAre("a"));
  EXPECT_THAT(names_in(""), IsEmpty());
  EXPECT_THAT(names_in("_x-.5"), ElementsAre("_x"));
}

// ---- reports

TEST(Reports, AreInTheOrderOfTheFile) {
  Report report;
  report.error({"f", 7, 2}, "third");
  report.error({"f", 2, 9}, "second", "do it");
  report.error({"f", 2, 1}, "first");
  report.warning({"f", 5, 1}, "later");
  report.warning({"f", 4, 1}, "earlier");
  EXPECT_FALSE(report.is_empty());
  const auto error = error_of([&] { report.throw_if_any(); });
  ASSERT_THAT(error.diagnostics(), SizeIs(3));
  EXPECT_EQ(error.diagnostics()[0].what, "first");
  EXPECT_EQ(error.diagnostics()[1].remedy, "do it");
  EXPECT_EQ(error.diagnostics()[2].what, "third");
  EXPECT_EQ(report.warnings().at(0).what, "earlier");
}

TEST(Reports, OfWarningsAloneThrowNothing) {
  Report report;
  report.warning({"f", 4, 1}, "odd");
  EXPECT_TRUE(report.is_empty());
  EXPECT_NO_THROW(report.throw_if_any());
}

// ---- tables

/// A table with a key of each kind, and `kind` that selects some of them.
const TableSpec& tool_table() {
  static const TableSpec inner{
      "inner",
      "things within",
      {Key("a", Form::number, "first", "1").within(kPositive).or_else("2").in(kLength),
       Key("b", Form::text, "second", "x")}};
  static const TableSpec table{
      "tool",
      "for tests",
      {Key("kind", Form::word, "which", "saw")
           .among({"saw", "drill"})
           .later({"lathe"})
           .or_else("saw"),
       Key("length", Form::number, "how long", "3").in(kLength).within(kPositive).needed(),
       Key("teeth", Form::integer, "how many", "9").or_else("20").within(kOneOrMore).of({"saw"}),
       Key("bit", Form::number, "its diameter", "5").in(kLength).needed().of({"drill"}),
       Key("axis", Form::direction, "along which", "[0, 0, 1]"),
       Key("at", Form::vector, "where", "[1, 2, 3]").in(kLength).or_else("[0, 0, 0.5]"),
       Key("tags", Form::references, "names", "[a, b]").sized(kAnySize),
       Key("flags", Form::words, "some", "[hot]").among({"hot", "wet"}),
       Key("inertia", Form::inertia, "moments", "[1, 1, 1]"),
       Key("matrix", Form::matrix, "two by two", "[1, 2]").sized(2),
       Key("inner", Form::table, "a group", "{a: 1}").holds(inner),
       Key("parts", Form::named_tables, "groups", "{p: {a: 1}}").holds(inner),
       Key("rows", Form::list, "groups", "[{a: 1}]").holds(inner),
       Key("spots", Form::named_vectors, "points", "{p: [1, 2, 3]}").in(kLength),
       Key("file", Form::path, "of points", "data.csv"),
       Key("path", Form::positions, "points", "[[0, 0, 0]]"),
       Key("with", Form::number, "goes with axis", "1").with("axis")},
      "kind"};
  return table;
}

std::string complaints(const std::string& yaml) {
  Report report;
  const Value root = tree_of(yaml);
  check_table(root, tool_table(), "tool", {"file.yaml", 1, 1},
              std::filesystem::temp_directory_path(), report);
  return text_of(report);
}

TEST(CheckedTables, RightOnesAreNotComplainedAbout) {
  EXPECT_EQ(
      complaints(
          "length: 3\nteeth: 9\naxis: [0, 1, 0]\nat: [1, 2, 3]\ntags: [a, b, c]\nflags: [wet]\nmatrix: [[1, 2], [3, 4]]\n"
          "inner: {a: 1}\nparts: {p: {b: x}, q: {}}\nrows: [{a: 1}, {b: y}]\nspots: {p: [1, 2, 3]}\nwith: 1\npath: [[1, 2, 3]]\n"),
      "");
  EXPECT_EQ(complaints("length: 3\nkind: drill\nbit: 2\ninertia: [1, 2, 3, 4, 5, 6]\n"), "");
  EXPECT_EQ(complaints("length: 3\ninertia: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\nparts:\n"), "");
}

TEST(CheckedTables, EachFormHasItsComplaint) {
  const std::pair<const char*, const char*> cases[] = {
      {"length: x", "tool.length is x: expected a number"},
      {"length: 0", "tool.length is 0: it must be > 0"},
      {"length: .nan", "tool.length"},
      {"length:", "tool.length has no value"},
      {"length: 1\nteeth: 2.5", "tool.teeth is 2.5: expected an integer"},
      {"length: 1\nteeth: 3e9", "tool.teeth is 3e9: expected an integer"},
      {"length: 1\naxis: [0, 0, 0]", "tool.axis is [0, 0, 0]: expected a direction"},
      {"length: 1\naxis: [0, 1]", "tool.axis is [0, 1]: expected 3 numbers, got 2"},
      {"length: 1\nat: [0, x, 1]", "number 2 of tool.at is x: expected a number"},
      {"length: 1\ntags: []", "tool.tags is empty: expected names"},
      {"length: 1\ntags: [[a]]", "tool.tags is [a]: expected"},
      {"length: 1\nflags: [dry]", "dry"},
      {"length: 1\nflags: [hot, hot]", "hot"},
      {"length: 1\ninertia: [1, 2]",
       "tool.inertia is [1, 2]: expected three or six numbers, or three rows of three"},
      {"length: 1\nmatrix: [[1, 2]]", "tool.matrix has 1 rows: expected 2"},
      {"length: 1\nmatrix: [[1, 2], [3]]",
       "row 2 of tool.matrix is [3]: expected 2 numbers, got 1"},
      {"length: 1\ninner: 3", "tool.inner is 3: expected a group of keys"},
      {"length: 1\ninner: {c: 3}", "unknown key tool.inner.c"},
      {"length: 1\nparts: [1]", "tool.parts is [1]: expected names, each with a group of keys"},
      {"length: 1\nparts: {2nd: {}}", "`2nd` is not a valid name"},
      {"length: 1\nrows: {a: 1}", "tool.rows is {a: 1}: expected a list"},
      {"length: 1\nrows: []", "tool.rows is empty"},
      {"length: 1\nrows: [{a: -1}]", "tool.rows.0.a is -1: it must be > 0"},
      {"length: 1\nspots: {p: [1, 2]}", "tool.spots.p is [1, 2]: expected 3 numbers, got 2"},
      {"length: 1\nfile: no_such_file.csv", "tool.file: there is no file `no_such_file.csv`"},
      {"length: 1\nfile: .", "tool.file: not a file: `.`"},
      {"length: 1\npath: [[1, 2]]", "point 1 of tool.path is [1, 2]: expected 3 numbers, got 2"},
      {"length: 1\nwith: 2", "tool.with is given without `axis`"},
      {"length: 1\nkind: lathe", "tool.kind: `lathe` is not yet implemented"},
      {"length: 1\nkind: dril", "tool.kind: unknown kind `dril`"},
      {"length: 1\nkind: [saw]", "tool.kind is [saw]: expected a word"},
      {"length: 1\nkind: drill", "tool.bit is missing (kind drill needs it)"},
      {"length: 1\nkind: drill\nbit: 1\nteeth: 4", "tool.teeth does not apply to kind drill"},
      {"teeth: 3", "tool.length is missing"},
  };
  for (const auto& [yaml, wanted] : cases) EXPECT_THAT(complaints(yaml), HasSubstr(wanted)) << yaml;
}

// One mistake is one complaint: a misspelt key is not missing as well.
TEST(CheckedTables, AMisspeltKeyIsNotMissingToo) {
  const std::string text = complaints("lenght: 3");
  EXPECT_THAT(text, HasSubstr("unknown key tool.lenght"));
  EXPECT_THAT(text, HasSubstr("did you mean `length`?"));
  EXPECT_THAT(text, Not(HasSubstr("is missing")));
}

// Without its type nothing more can be said of a table than that.
TEST(CheckedTables, OfUnknownTypeAreComplainedAboutOnce) {
  const std::string text = complaints("length: x\nkind: plane\nbit: 0\n");
  EXPECT_THAT(text, HasSubstr("unknown kind `plane`"));
  EXPECT_THAT(text, Not(HasSubstr("tool.length")));
  EXPECT_THAT(text, Not(HasSubstr("tool.bit")));
}

TEST(CheckedTables, ChoicesAskForExactlyOne) {
  const TableSpec choice{
      "choice",
      "",
      {Key("a", Form::number, "one way", "1"), Key("b", Form::number, "the other", "1")},
      "",
      false,
      {"a", "b"}};
  const auto said = [&](const std::string& yaml) {
    Report report;
    check_table(tree_of(yaml).find("c")->value, choice, "c", {}, ".", report);
    return text_of(report);
  };
  EXPECT_EQ(said("c: {a: 1}"), "");
  EXPECT_THAT(said("c: {}"), HasSubstr("c is empty"));
  EXPECT_THAT(said("c: {a: 1, b: 2}"), HasSubstr("c has both `a` and `b`"));
  EXPECT_THAT(said("c: {d: 1}"), HasSubstr("c has none of a or b"));
}

TEST(CheckedTables, KeysOfOtherTypesAreWarnedOfWhereTheTypeMayChangeAlone) {
  TableSpec lenient = tool_table();
  lenient.ignores_keys_of_other_types = true;
  Report report;
  check_table(tree_of("length: 1\nkind: drill\nbit: 1\nteeth: 4\n"), lenient, "tool", {}, ".",
              report);
  EXPECT_TRUE(report.is_empty());
  ASSERT_THAT(report.warnings(), SizeIs(1));
  EXPECT_EQ(report.warnings()[0].what, "tool.teeth does not apply to kind drill and is ignored");
}

/// A view of the table in millimetres.
class Views : public testing::Test {
 protected:
  Views() { context_.units.length = 1e-3; }
  TableView view(const std::string& yaml) {
    roots_.push_back(std::make_unique<Value>(tree_of(yaml)));
    return {*roots_.back(), tool_table(), "tool", {"file.yaml", 1, 1}, context_};
  }

  std::filesystem::path folder_ = std::filesystem::temp_directory_path();
  Report report_;
  Context context_{{}, folder_, report_};
  std::vector<std::unique_ptr<Value>> roots_;
};

TEST_F(Views, GiveNumbersInSiAndDefaultsAsTheyAre) {
  const TableView given = view("length: 250\nat: [1, 2, 3]\naxis: [0, 3, 4]\nflags: [wet, hot]\n");
  EXPECT_DOUBLE_EQ(given.number("length"), 0.25);
  EXPECT_TRUE(given.vector("at").isApprox(Eigen::Vector3d(1e-3, 2e-3, 3e-3), 1e-14));
  EXPECT_TRUE(given.direction("axis").isApprox(Eigen::Vector3d(0.0, 0.6, 0.8), 1e-14));
  EXPECT_THAT(given.texts("flags"), ElementsAre("wet", "hot"));
  EXPECT_EQ(given.integer("teeth"), 20);  // its default
  const TableView bare = view("length: 1\n");
  EXPECT_TRUE(bare.vector("at").isApprox(Eigen::Vector3d(0.0, 0.0, 0.5), 1e-14));  // m: not scaled
  EXPECT_EQ(bare.text("kind"), "saw");
  EXPECT_EQ(bare.type(), "saw");
  EXPECT_STREQ(bare.si("length"), "m");
}

// So that reading continues to the next mistake.
TEST_F(Views, WrongValuesReadAsTheirDefaultsAndAreNotGood) {
  const TableView wrong = view("length: x\nteeth: -3\nat: [1, 2]\naxis: [0, 0, 0]\n");
  EXPECT_TRUE(wrong.has("teeth"));
  EXPECT_FALSE(wrong.is_good("teeth"));
  EXPECT_EQ(wrong.integer("teeth"), 20);
  EXPECT_EQ(wrong.number("length"), 0.0);
  EXPECT_TRUE(wrong.vector("at").isApprox(Eigen::Vector3d(0.0, 0.0, 0.5)));
  EXPECT_TRUE(wrong.direction("axis").isApprox(Eigen::Vector3d::UnitZ()));
  EXPECT_EQ(wrong.where("teeth").line, 2);
}

// A key of another type is as if it were not there.
TEST_F(Views, DoNotSeeKeysOfOtherTypes) {
  const TableView drill = view("length: 1\nkind: drill\nbit: 2\nteeth: 7\n");
  EXPECT_FALSE(drill.has("teeth"));
  EXPECT_EQ(drill.integer("teeth"), 20);
  EXPECT_DOUBLE_EQ(drill.number("bit"), 2e-3);
  EXPECT_TRUE(drill.has_any({"teeth", "bit"}));
  EXPECT_FALSE(drill.has_any({"teeth", "tags"}));
}

TEST_F(Views, NestedTablesKnowTheirPathsAndPlaces) {
  const TableView outer = view("length: 1\nparts:\n  p: {a: 4}\n  q: {}\nrows: [{a: 5}, {b: z}]\n");
  const auto parts = outer.tables("parts");
  ASSERT_THAT(parts, SizeIs(2));
  EXPECT_EQ(parts[0].first, "p");
  EXPECT_EQ(parts[0].second.path("a"), "tool.parts.p.a");
  EXPECT_DOUBLE_EQ(parts[0].second.number("a"), 4e-3);
  EXPECT_DOUBLE_EQ(parts[1].second.number("a"), 2.0);
  const auto rows = outer.tables("rows");
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[1].first, "1");
  EXPECT_EQ(rows[1].second.path("b"), "tool.rows.1.b");
  EXPECT_EQ(rows[1].second.text("b"), "z");
  const TableView none =
      outer.table("inner");  // not there: all defaults, at the place of the outer one
  EXPECT_FALSE(none.has("a"));
  EXPECT_DOUBLE_EQ(none.number("a"), 2.0);
  EXPECT_EQ(none.where("a").line, 1);
  EXPECT_THAT(outer.tables("spots"), IsEmpty());
}

TEST(WithoutDefaults, LeavesOutWhatSaysNoMoreThanNothing) {
  Units units;
  units.length = 1e-3;
  const auto kept = [&](const std::string& yaml) {
    return flattened(without_defaults(tree_of(yaml), tool_table(), units));
  };
  // Defaults are in SI: 500 mm and 2000 mm are 0.5 m and 2 m.
  EXPECT_THAT(kept("length: 1\nteeth: 20\nat: [0, 0, 500]\ninner: {a: 2000}\n"),
              ElementsAre(std::pair<const std::string, std::string>("length", "1")));
  const auto given =
      kept("length: 1\nteeth: 21\nat: [0, 0, 0.5]\ninner: {a: 2, b: x}\nrows: [{a: 2000}]\n");
  EXPECT_EQ(given.at("teeth"), "21");
  EXPECT_EQ(given.at("at"), "[0, 0, 0.5]");
  EXPECT_EQ(given.at("inner.a"), "2");
  EXPECT_EQ(given.count("rows.0.a"), 0u);
  // A key of another type stays: it has been warned of, and would count with that type.
  EXPECT_EQ(kept("length: 1\nkind: drill\nteeth: 20\n").count("teeth"), 1u);
}

TEST(TypeTables, AKeyThatTypesHaveAlikeIsOneKey) {
  TableSpec table{"t", "", {Key("type", Form::word, "which", "a")}, "type"};
  const KeySpec same = Key("k", Form::number, "stiffness", "1").within(kPositive);
  const KeySpec other = Key("k", Form::number, "stiffness", "1").within(kNotNegative);
  add_keys_of_type("a", {same}, table);
  add_keys_of_type("b", {same}, table);
  add_keys_of_type("c", {other}, table);
  ASSERT_THAT(table.keys, SizeIs(3));
  EXPECT_THAT(table.find("k", "b")->types, ElementsAre("a", "b"));
  EXPECT_THAT(table.find("k", "c")->types, ElementsAre("c"));
  EXPECT_EQ(table.find("k", "c")->range.text(), ">= 0");
  EXPECT_EQ(table.find("k", "d"), nullptr);
  EXPECT_NE(table.find_any("k"), nullptr);
}

// ---- parameters and overrides on trees of their own

std::string resolved(const std::string& yaml, const std::string& key) {
  Value root = tree_of(yaml);
  Report report;
  resolve_parameters(root, report);
  report.throw_if_any();
  return root.find(key)->value.text;
}

TEST(ParameterTexts, TakeNumbersOfFullLength) {
  EXPECT_EQ(resolved("parameters: {a: 0.1}\nb: \"=a/3\"\n", "b"), "0.03333333333333333");
  EXPECT_EQ(resolved("parameters: {a: 2, b: \"=a^2\"}\nc: \"=b-a\"\n", "c"), "2");
}

// -2 in front of ^ would bind otherwise: -2^2 is -4.
TEST(ParameterTexts, PutNegativeNumbersInParentheses) {
  EXPECT_EQ(resolved("parameters: {a: -2}\nb: \"{=a}^2*t\"\n", "b"), "(-2)^2*t");
  EXPECT_EQ(resolved("parameters: {a: 2}\nb: \"case_{=a}.csv\"\n", "b"), "case_2.csv");
}

TEST(ParameterTexts, ComplainWhereTheFormulaStands) {
  const auto said = [](const std::string& yaml) {
    Value root = tree_of(yaml);
    Report report;
    resolve_parameters(root, report);
    return text_of(report);
  };
  EXPECT_THAT(said("parameters: {a: 1}\nb: \"{=a*t\"\n"),
              HasSubstr("file.yaml:2:4: error: b is \"{=a*t\": `{=a*t` has no closing }"));
  EXPECT_THAT(said("parameters: {a: 0}\nb: \"=1/a\"\n"), HasSubstr("`1/a` is inf"));
  EXPECT_THAT(said("parameters: {a: \"=b\", b: 1}\nc: \"=a+b\"\n"),
              HasSubstr("parameter `b` is defined further down"));
  EXPECT_THAT(said("b: \"=width\"\n"),
              HasSubstr("define it at the top of the file, for example  parameters: {width: 1.0}"));
  EXPECT_THAT(said("parameters: {length: 1}\nb: \"=lenght\"\n"),
              HasSubstr("did you mean `length`?"));
  EXPECT_THAT(said("parameters: {pi: 3}\n"), HasSubstr("`pi` is a constant in formulas"));
  EXPECT_THAT(said("parameters: {a-b: 3}\n"), HasSubstr("it cannot be used in formulas"));
  EXPECT_THAT(said("parameters: {a: yes}\nb: \"=a\"\n"),
              HasSubstr("parameters.a is yes: expected a number"));
}

std::string overridden(const std::string& text) {
  Value root = tree_of(
      "bodies: {rod: {type: rigid, mass: 1}}\nanalyses: [{dynamics: {step: 1}}, {statics: {steps: 2}}]\n");
  Report report;
  apply_override(text, root, report);
  report.throw_if_any();
  return shown(root);
}

TEST(OverrideTexts, FindTheirPlace) {
  EXPECT_THAT(overridden("bodies.rod.mass=2"), HasSubstr("{rod: {type: rigid, mass: 2}}"));
  EXPECT_THAT(overridden("bodies.rod.center_of_mass=[1, 2, 3]"),
              HasSubstr("center_of_mass: [1, 2"));
}

TEST(OverrideTexts, ThatCannotBeReadSayWhy) {
  const auto said = [](const std::string& text) {
    return std::string(error_of([&] { overridden(text); }).what());
  };
  EXPECT_THAT(said("bodies.rod.mass"), HasSubstr("`=` is missing"));
  EXPECT_THAT(said("=3"), HasSubstr("`=` is missing"));
  EXPECT_THAT(said("bodies.rod.mass=[1, 2"), HasSubstr("cannot read the value `[1, 2`"));
  EXPECT_THAT(said("bodies.rod.mass="), HasSubstr("cannot read the value ``"));
  EXPECT_THAT(said("bodies.rod.mass={a: 1, a: 2}"),
              HasSubstr("cannot read the value `{a: 1, a: 2}`"));
  EXPECT_THAT(said("bodies.rood.mass=1"), HasSubstr("did you mean `bodies.rod`?"));
  EXPECT_THAT(said("analyses.7.dynamics.step=1"),
              HasSubstr("the entries of `analyses` are analyses.0 to analyses.1"));
  EXPECT_THAT(said("analyses.kinematics.step=1"),
              HasSubstr("the model has no `analyses.kinematics`"));
}

// ---- files of columns

class PointFiles : public testing::Test {
 protected:
  PointFiles() : file_(std::filesystem::temp_directory_path() / "solidyn_language_points.csv") {}
  ~PointFiles() override { std::filesystem::remove(file_); }
  PointFile read(const std::string& text) const {
    std::ofstream(file_) << text;
    return read_point_file(file_);
  }
  std::string refusal(const std::string& text) const {
    return error_of([&] { read(text); }).what();
  }

  std::filesystem::path file_;
};

TEST_F(PointFiles, TakeAnyUsualSeparator) {
  for (const char* text : {"0,1\n2,3\n", "0;1\n2;3\n", "0 1\n2   3\n", "0\t1\n2\t3\n",
                           " 0 , 1 \r\n\r\n# note\n2, 3\r\n"}) {
    const PointFile points = read(text);
    ASSERT_THAT(points.columns, SizeIs(2)) << text;
    EXPECT_THAT(points.columns[0], ElementsAre(0.0, 2.0)) << text;
    EXPECT_THAT(points.columns[1], ElementsAre(1.0, 3.0)) << text;
    EXPECT_THAT(points.names, IsEmpty());
  }
}

TEST_F(PointFiles, KeepNamesAndUnits) {
  const PointFile points = read("# units: s, m, N\nt, \"way of x\", force\n0, 1, 2\n1, 2, 3\n");
  EXPECT_THAT(points.names, ElementsAre("t", "way of x", "force"));
  EXPECT_THAT(points.units, ElementsAre("s", "m", "N"));
  EXPECT_THAT(read("t x\n0 1\n").names, ElementsAre("t", "x"));
  EXPECT_THAT(read("t, x, y\n0, 1\n").names, IsEmpty());  // names of other columns say nothing
}

// As spreadsheets write it. The mark belongs to no number: the first row was taken for names by it.
TEST_F(PointFiles, MayBeginWithTheMarkOfUtf8) {
  const PointFile points = read(
      "\xEF\xBB\xBF"
      "0, 1\n2, 3\n");
  EXPECT_THAT(points.columns.at(0), ElementsAre(0.0, 2.0));
  EXPECT_THAT(points.names, IsEmpty());
  EXPECT_THAT(read("\xEF\xBB\xBF"
                   "t, x\n2, 3\n")
                  .names,
              ElementsAre("t", "x"));
}

TEST_F(PointFiles, RefuseLinesThatAreNoRows) {
  EXPECT_THAT(refusal("0, 1\n2\n"),
              HasSubstr("line 2 of `" + file_.string() + "` is `2`, not two numbers"));
  EXPECT_THAT(refusal("0, 1\n2, x\n"), HasSubstr("line 2"));
  EXPECT_THAT(refusal("0, 1, 2\n1, 2\n"), HasSubstr("not 3 numbers"));
  EXPECT_THAT(refusal("t, x\ny, z\n"), HasSubstr("line 2"));
  EXPECT_THAT(refusal("1\n2\n"), HasSubstr("line 1"));
  EXPECT_THAT(refusal("0 1.5mm\n1 2\n"), HasSubstr("line 1"));  // a row with a slip, not names
  EXPECT_THAT(refusal("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"),
              HasSubstr("Git LFS"));
}

TEST_F(PointFiles, ThatCannotBeOpenedAreNamed) {
  EXPECT_THAT(error_of([] { read_point_file("/no/such/file.csv"); }).what(),
              HasSubstr("cannot read `/no/such/file.csv`"));
}

}  // namespace
}  // namespace solidyn::model
