// The layers below the readers: numbers, records, tables, labels, names of element types.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>

#include "formats/abaqus/deck/complaints.h"
#include "formats/abaqus/deck/elements.h"
#include "formats/abaqus/deck/labels.h"
#include "formats/abaqus/deck/numbers.h"
#include "formats/abaqus/deck/source.h"
#include "formats/calculix/frd_numbers.h"
#include "formats/gmsh/types.h"
#include "formats/shared/complaints.h"
#include "formats/shared/fortran_numbers.h"
#include "formats/shared/fortran_records.h"
#include "formats/shared/import_bytes.h"
#include "formats/shared/line_sections.h"
#include "formats/shared/matrix_terms.h"
#include "formats/shared/plain_table.h"
#include "formats/vtu/data.h"
#include "formats/vtu/types.h"
#include "solidyn/elements/topology.h"

namespace solidyn::formats {
namespace {

using elements::ElementType;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "it was accepted";
}

// ---- numbers

TEST(FortranNumbers, HaveExponentsByLetterOrBySignAlone) {
  const std::pair<const char*, double> good[] = {
      {" 1.5 ", 1.5},   {"1.5E3", 1500.0},   {"1.5D+03", 1500.0}, {"1.5d-2", 0.015},
      {"1.5-2", 0.015}, {"-1.5+3", -1500.0}, {"+2.", 2.0},        {".5", 0.5},
      {"-.5-1", -0.05}, {"7", 7.0},          {"1.0-300", 1e-300}};
  for (const auto& [field, wanted] : good) {
    double value = -77.0;
    EXPECT_TRUE(parse_fortran_real(field, value)) << field;
    EXPECT_DOUBLE_EQ(value, wanted) << field;
  }
  for (const char* field : {"", "   ", "+", "1.5 2", "1.5E", "1.5-", "+-1.5", "1..5", "nan", "inf",
                            "1E999", "1.5+-3", "one", "1,5"}) {
    double value = 0.0;
    EXPECT_FALSE(parse_fortran_real(field, value)) << field;
  }
}

TEST(FortranNumbers, OfWholeNumbersHaveNothingBehind) {
  std::int64_t value = 0;
  EXPECT_TRUE(parse_fortran_integer("  +12 ", value));
  EXPECT_EQ(value, 12);
  EXPECT_TRUE(parse_fortran_integer("-3", value));
  EXPECT_EQ(value, -3);
  for (const char* field : {"", " ", "1.0", "1E3", "+-2", "99999999999999999999", "x"})
    EXPECT_FALSE(parse_fortran_integer(field, value)) << field;
}

double real_in(const std::string& text) {
  ImportBytes file(text, "file");
  LineCursor cursor(file);
  EXPECT_TRUE(cursor.next_line());
  return cursor.real();
}

TEST(LineCursor, ReadsNumbersOfAnyProgram) {
  EXPECT_EQ(real_in("1.5D+03\n"), 1500.0);
  EXPECT_EQ(real_in("1.5-103\n"), 1.5e-103);
  EXPECT_EQ(real_in("+1.5e+2\n"), 150.0);
  EXPECT_EQ(real_in("1e-400\n"), 0.0);  // too small for a double
  for (const char* text : {"nan\n", "inf\n", "1e400\n", "+-1.5\n", "--1\n", "0x10\n", "1.5.2\n",
                           "1e2e3\n", "1-2-3\n", "e5\n"})
    EXPECT_THAT(refusal([&] { real_in(text); }), HasSubstr("instead of a")) << text;
}

TEST(LineCursor, GoesThroughLinesAndNamesThePlaceOfWhatIsWrong) {
  const std::string text = "\n  1, 2.5 3\t4\r\n\n# 5\n7 x\n";
  ImportBytes file(text, "data.txt");
  LineCursor cursor(file);
  ASSERT_TRUE(cursor.next_line());
  EXPECT_EQ(cursor.integer(), 1);
  EXPECT_EQ(cursor.real(), 2.5);
  EXPECT_EQ(cursor.integer(), 3);
  EXPECT_TRUE(cursor.has_more());
  EXPECT_EQ(cursor.integer(), 4);
  EXPECT_FALSE(cursor.has_more());
  EXPECT_THAT(refusal([&] { cursor.integer(); }),
              HasSubstr("data.txt:2: error: the line ends before an integer"));
}

TEST(LineCursor, WholeNumbersAreNoReals) {
  const std::string text = "2.5\n";
  ImportBytes file(text, "data.txt");
  LineCursor cursor(file);
  ASSERT_TRUE(cursor.next_line());
  EXPECT_THAT(refusal([&] { cursor.integer(); }),
              HasSubstr("data.txt:1: error: found `2.5` instead of an integer"));
}

TEST(AbaqusNumbers, KeepTheirPlacesWhereItemsAreBlank) {
  using abaqus::Item;
  abaqus::NumberLine line("1, , -2.5D+1,+3 ,4.");
  double value = 0.0;
  EXPECT_EQ(line.next(value), Item::value);
  EXPECT_EQ(value, 1.0);
  EXPECT_EQ(line.next(value), Item::blank);
  EXPECT_EQ(value, 0.0);
  EXPECT_EQ(line.next(value), Item::value);
  EXPECT_EQ(value, -25.0);
  EXPECT_EQ(line.next(value), Item::value);
  EXPECT_EQ(value, 3.0);
  EXPECT_EQ(line.next(value), Item::value);
  EXPECT_EQ(value, 4.0);
  EXPECT_EQ(line.next(value), Item::end);
  EXPECT_TRUE(line.is_at_end());
}

TEST(AbaqusNumbers, ThatAreNoneAreBad) {
  std::int32_t label = 0;
  double value = 0.0;
  for (const char* item : {"1.5", "1e3", "x", "1 2", "99999999999"})
    EXPECT_FALSE(abaqus::parse_number(item, label)) << item;
  for (const char* item : {"1.5x", "1.5D", "1e999", "", "+-1", "1 2"})
    EXPECT_FALSE(abaqus::parse_number(item, value)) << item;
  EXPECT_TRUE(abaqus::parse_number(" 12 ", label));
  EXPECT_EQ(label, 12);
}

// ---- text

TEST(Complaints, AreThrownTogetherOnceThereAreTwenty) {
  Complaints complaints;
  EXPECT_TRUE(complaints.empty());
  complaints.throw_if_any();
  for (int i = 0; i < 19; ++i) complaints.add({{"f", i + 1, 0}, "wrong", ""});
  try {
    complaints.add(base::InputError("the last one"));
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.diagnostics(), SizeIs(20));
    EXPECT_EQ(error.diagnostics().back().what, "the last one");
  }
}

TEST(ImportedBytes, PlacesAreLinesOfTextAndBytesOfOtherFiles) {
  const std::string text = "a\nb\nc\n";
  ImportBytes file(text, "f");
  EXPECT_EQ(file.diagnose(file.begin() + 4, "what", "").where.line, 3);
  EXPECT_EQ(file.diagnose(nullptr, "what", "").where.line, 0);
  file.become_binary();
  EXPECT_EQ(file.diagnose(file.begin() + 4, "what", "").what, "what (byte 4)");
}

TEST(ImportedBytes, OfNothingAndOfPointersAreRefused) {
  ImportBytes nothing("", "f");
  EXPECT_THAT(refusal([&] { refuse_empty(nothing, "a table"); }), HasSubstr("the file is empty"));
  ImportBytes pointer("version https://git-lfs.github.com/spec/v1\n", "f");
  EXPECT_THAT(refusal([&] { refuse_empty(pointer, "a table"); }), HasSubstr("Git LFS"));
}

TEST(ImportedBytes, AnOpenLastLineIsWarnedOf) {
  imported::ImportReport report;
  warn_of_open_end(ImportBytes("1 2\n3 4\n", "f"), report);
  warn_of_open_end(ImportBytes("", "f"), report);
  EXPECT_THAT(report.warnings, IsEmpty());
  warn_of_open_end(ImportBytes("1 2\n3 4", "f"), report);
  ASSERT_THAT(report.warnings, SizeIs(1));
  EXPECT_EQ(report.warnings[0].where.line, 2);
}

TEST(ShownText, IsShortAndPrintable) {
  EXPECT_EQ(shown_text("a\x01\xC3"), "a??");
  EXPECT_EQ(shown_text(std::string(100, 'x')).size(), 40u);
  EXPECT_EQ(printable(std::string_view("NAME  \0\0", 8)), "NAME");
}

// ---- plain tables

std::vector<std::pair<std::int64_t, double>> masses_in(const std::string& text) {
  PlainTable table(text, "masses.csv", "node, mass");
  std::vector<std::pair<std::int64_t, double>> rows;
  while (table.next_row()) {
    const std::int64_t node = table.integer();
    rows.emplace_back(node, table.real());
    table.end_row();
  }
  table.require_rows("masses");
  return rows;
}

TEST(PlainTable, TakesCommasSemicolonsBlanksAndComments) {
  const std::pair<std::int64_t, double> first(1, 0.5), second(7, 2.0);
  for (const char* text :
       {"1, 0.5\n7, 2\n", "1;0.5\n7;2\n", "1 0.5 # light\n\n# none\n7\t2\n",
        "node, mass\n1,0.5\n7,2\n", "Node; MASS\n1;0.5\n7;2\n", "\"node\" \"mass\"\n1 0.5\n7 2\n"})
    EXPECT_THAT(masses_in(text), ElementsAre(first, second)) << text;
}

// As spreadsheets write it.
TEST(PlainTable, MayBeginWithTheMarkOfUtf8) {
  EXPECT_THAT(masses_in("\xEF\xBB\xBF"
                        "1, 0.5\n"),
              SizeIs(1));
  EXPECT_THAT(masses_in("\xEF\xBB\xBF"
                        "node, mass\n1, 0.5\n"),
              SizeIs(1));
}

TEST(PlainTable, RefusesOtherColumnsAndRows) {
  EXPECT_THAT(refusal([] { masses_in("mass, node\n1, 2\n"); }),
              HasSubstr("the columns are named `mass, node`"));
  EXPECT_THAT(refusal([] { masses_in("1, 2, 3\n"); }),
              HasSubstr("masses.csv:1: error: found `3` instead of the end of the line"));
  EXPECT_THAT(refusal([] { masses_in("1\n"); }), HasSubstr("the line ends before a number"));
  EXPECT_THAT(refusal([] { masses_in("1, 2\nnode, mass\n"); }), HasSubstr("masses.csv:2"));
  EXPECT_THAT(refusal([] { masses_in("# nothing\n"); }), HasSubstr("the file contains no masses"));
  EXPECT_THAT(refusal([] { masses_in("node, mass\n"); }), HasSubstr("the file contains no masses"));
}

// ---- terms of matrices

imported::Matrix matrix_in(const std::string& text, std::int64_t order = 0) {
  ImportBytes file(text, "K.mtx");
  return parse_coordinates(file, order);
}

TEST(MatrixTerms, TellTrianglesFromWholeMatrices) {
  using Terms = imported::Matrix::Terms;
  EXPECT_EQ(matrix_in("1 1 5\n2 1 6\n").terms, Terms::lower_triangle);
  EXPECT_EQ(matrix_in("1 1 5\n1 2 6\n").terms, Terms::upper_triangle);
  EXPECT_EQ(matrix_in("1 1 5\n1 2 6\n2 1 6\n").terms, Terms::all);
  EXPECT_EQ(matrix_in("1 1 5\n2 2 6\n").terms, Terms::all);  // a diagonal
  EXPECT_EQ(matrix_in("1 1 5\n3 3 6\n").n_rows, 3);
  EXPECT_EQ(matrix_in("1 1 5\n", 4).n_rows, 4);
}

// One triangle in an order of rows that is not ours: nothing has a counterpart, and all goes below.
TEST(MatrixTerms, OfOneTriangleInAnotherOrderGoBelowTheDiagonal) {
  const imported::Matrix K = matrix_in("1 1 5\n1 2 6\n3 1 7\n");
  EXPECT_EQ(K.terms, imported::Matrix::Terms::lower_triangle);
  EXPECT_THAT(K.rows, ElementsAre(0, 1, 2));
  EXPECT_THAT(K.columns, ElementsAre(0, 0, 0));
  EXPECT_THAT(K.values, ElementsAre(5, 6, 7));
}

TEST(MatrixTerms, ThatContradictEachOtherAreRefused) {
  EXPECT_THAT(
      refusal([] { matrix_in("1 2 5\n2 1 5\n3 1 6\n"); }),
      HasSubstr("2 terms of the matrix have a counterpart in the other triangle, 1 have none"));
  EXPECT_THAT(refusal([] { matrix_in("2 1 5\n1 1 2\n2 1 5\n"); }),
              HasSubstr("the term at row 2 and column 1 of the matrix is defined twice"));
  EXPECT_THAT(refusal([] { matrix_in("0 1 5\n"); }), HasSubstr("the matrix has a term at (0, 1)"));
  EXPECT_THAT(refusal([] { matrix_in("1 5 5\n", 4); }),
              HasSubstr("the matrix has a term at (1, 5), but 4 degrees of freedom are listed"));
  EXPECT_THAT(refusal([] { matrix_in("1 1 5 6\n"); }), HasSubstr("instead of the end of the line"));
}

TEST(RowsOfNodes, AreThreeOrSixEach) {
  using imported::NodeKind;
  EXPECT_THAT(components_of({4, 7}, NodeKind::any, 6, "f"), SizeIs(6));
  const auto six = components_of({4, 7}, NodeKind::any, 12, "f");
  EXPECT_EQ(six[7].node, 7);
  EXPECT_EQ(six[7].component, 2);
  EXPECT_THAT(
      refusal([] {
        components_of({4, 7}, NodeKind::any, 7, "f");
      }),
      HasSubstr("the matrix has 7 rows, but 2 nodes have 6 translations, and 12 with rotations"));
}

TEST(RowsOfSuperelements, FollowTheirListsOfComponents) {
  const std::string text(100, ' ');
  ImportBytes file(text, "f");
  // Two nodes with translations, one with a rotation alone, and a generalised coordinate.
  const auto dofs =
      superelement_dofs({11, 12, 13, -1}, {{0, {1, 2, 3}}, {2, {6}}, {3, {1}}}, file, nullptr);
  ASSERT_THAT(dofs, SizeIs(8));
  EXPECT_EQ(dofs[5].node, 12);
  EXPECT_EQ(dofs[5].component, 3);
  EXPECT_EQ(dofs[6].component, 6);
  EXPECT_EQ(dofs[7].component, 0);
  EXPECT_THAT(refusal([&] {
                superelement_dofs({11}, {{0, {7}}}, file, nullptr);
              }),
              HasSubstr("component 7 of node 11 is not a displacement or rotation"));
  EXPECT_THAT(refusal([&] {
                superelement_dofs({11, 11}, {{0, {1}}}, file, nullptr);
              }),
              testing::Not(HasSubstr("accepted")));
}

// ---- sections of lines

// A rectangle of 2 x 1 that is turned by 0.3 rad: its axes and moments are found again.
TEST(PrincipalAxes, OfATurnedRectangleAreItsOwn) {
  constexpr double I_long = 1.0 * 8.0 / 12.0, I_short = 2.0 * 1.0 / 12.0, turn = 0.3;
  const double c = std::cos(turn), s = std::sin(turn);
  beams::Section section;
  section.I_y = I_short * c * c + I_long * s * s;
  section.I_z = I_long * c * c + I_short * s * s;
  const double I_yz = (I_long - I_short) * s * c;
  const double angle = make_principal(section, I_yz);
  EXPECT_NEAR(angle, turn, 1e-14);
  EXPECT_NEAR(section.I_z, I_long, 1e-14);
  EXPECT_NEAR(section.I_y, I_short, 1e-14);
}

TEST(PrincipalAxes, WithoutAProductOfInertiaStay) {
  beams::Section section;
  section.I_y = 3.0, section.I_z = 1.0;
  EXPECT_EQ(make_principal(section, 0.0), 0.0);
  EXPECT_EQ(section.I_y, 3.0);
}

// ---- records

std::string record(const std::string& content, bool is_swapped = false) {
  auto length = static_cast<std::int32_t>(content.size());
  char bytes[4];
  std::memcpy(bytes, &length, 4);
  if (is_swapped) std::reverse(bytes, bytes + 4);
  return std::string(bytes, 4) + content + std::string(bytes, 4);
}

TEST(FortranRecords, StandBetweenTheirLengths) {
  for (const bool is_swapped : {false, true}) {
    const std::string bytes = record("hello", is_swapped) + record("", is_swapped);
    FortranRecords records(bytes, "f.op2", "OP2", is_swapped);
    EXPECT_EQ(records.next(), "hello");
    EXPECT_EQ(records.offset(), 13u);
    EXPECT_EQ(records.next(), "");
    EXPECT_TRUE(records.is_at_end());
    records.seek(0);
    EXPECT_EQ(records.next(), "hello");
  }
}

TEST(FortranRecords, ThatEndTooSoonOrContradictThemselvesAreRefused) {
  const auto said = [](std::string bytes) {
    return refusal([&] { FortranRecords(bytes, "f.op2", "OP2", false).next(); });
  };
  EXPECT_THAT(said("abc"), HasSubstr("the file ends before a record (byte 0)"));
  EXPECT_THAT(said(record("hello").substr(0, 11)),
              HasSubstr("a record of 5 bytes begins, but the file ends 7 bytes later"));
  std::string other_end = record("hello");
  other_end[9] = 6;
  EXPECT_THAT(said(other_end),
              HasSubstr("a record starts with the length 5 and ends with 6 (byte 9)"));
  EXPECT_THAT(said(std::string(8, '\xff')), HasSubstr("a record has the length -1"));
}

// ---- Abaqus

TEST(AbaqusLabels, AreFoundNearAndFarAndOnce) {
  for (const std::vector<std::int32_t>& labels :
       {std::vector<std::int32_t>{5, 3, 9, 3}, std::vector<std::int32_t>{2000000000, 3, 9, 3}}) {
    const AbaqusLabels index(labels);
    EXPECT_EQ(index.find(3), 1);
    EXPECT_EQ(index.find(labels[0]), 0);
    EXPECT_EQ(index.find(9), 2);
    for (const int other : {0, -4, 4, 10, 1999999999}) EXPECT_EQ(index.find(other), -1) << other;
    EXPECT_THAT(index.repeated(), ElementsAre(3));
  }
  EXPECT_EQ(AbaqusLabels(std::vector<std::int32_t>()).find(1), -1);
}

TEST(AbaqusLabels, RangesTakeThoseThatAreThere) {
  for (const std::int32_t far : {11, 2000000000}) {
    const AbaqusLabels index({4, 6, 7, 10, far});
    std::vector<std::int32_t> positions;
    index.append_range(4, 10, 2, positions);
    EXPECT_THAT(positions, ElementsAre(0, 1, 3));
    positions.clear();
    index.append_range(1, 2147483647, 3, positions);  // 1, 4, 7, 10 ...
    EXPECT_EQ(positions[0], 0);
    EXPECT_EQ(positions[1], 2);
    EXPECT_EQ(positions[2], 3);
    positions.clear();
    EXPECT_EQ(index.append_range(10, 4, 1, positions), 0);
    EXPECT_EQ(index.append_range(4, 10, 0, positions), 0);
    EXPECT_THAT(positions, IsEmpty());
  }
}

TEST(AbaqusTypes, AreSolidsVariantsRefusalsOrOthers) {
  using Kind = AbaqusType::Kind;
  using imported::Integration;
  struct Case {
    const char* name;
    Kind kind;
    int n_nodes;
    Integration integration;
  };
  const Case cases[] = {{"C3D20R", Kind::solid, 20, Integration::reduced},
                        {"c3d8i", Kind::solid, 8, Integration::incompatible_modes},
                        {"C3D8IH", Kind::solid, 8, Integration::incompatible_modes},
                        {"C3D10M", Kind::solid, 10, Integration::standard},
                        {"C3D15", Kind::solid, 15, Integration::standard},
                        {"C3D5", Kind::solid, 5, Integration::standard},
                        {"C3D27", Kind::refused, 0, Integration::standard},
                        {"COH3D8", Kind::refused, 0, Integration::standard},
                        {"SC8R", Kind::refused, 0, Integration::standard},
                        {"S4R", Kind::other, 4, Integration::standard},
                        {"STRI65", Kind::other, 6, Integration::standard},
                        {"MASS", Kind::other, 1, Integration::standard},
                        {"B31", Kind::other, 0, Integration::standard}};
  for (const Case& c : cases) {
    const AbaqusType type = parse_abaqus_type(c.name);
    EXPECT_EQ(type.kind, c.kind) << c.name;
    if (c.n_nodes) EXPECT_EQ(type.n_nodes, c.n_nodes) << c.name;
    EXPECT_EQ(type.integration, c.integration) << c.name;
  }
  EXPECT_TRUE(parse_abaqus_type("C3D8RH").is_hybrid);
  EXPECT_TRUE(parse_abaqus_type("C3D10M").is_modified);
}

// Each face of each solid by its number, and none twice.
TEST(AbaqusFaces, AreAllThoseOfASolid) {
  for (const ElementType type :
       {ElementType::tet4, ElementType::tet10, ElementType::hex8, ElementType::hex20,
        ElementType::wedge6, ElementType::wedge15, ElementType::pyramid5}) {
    const auto n = static_cast<int>(elements::faces(type).size());
    std::vector<bool> is_found(n, false);
    for (int i = 1; i <= n; ++i) {
      const auto face = find_abaqus_face(type, "S" + std::to_string(i));
      ASSERT_TRUE(face) << elements::name(type) << i;
      EXPECT_FALSE(is_found[*face]);
      is_found[*face] = true;
    }
    EXPECT_FALSE(find_abaqus_face(type, "S" + std::to_string(n + 1)));
    for (const char* other : {"", "S", "S0", "P1", "S12", "1"})
      EXPECT_FALSE(find_abaqus_face(type, other)) << other;
  }
}

TEST(AbaqusLines, SplitAtCommasThatNoQuotesProtect) {
  std::vector<std::string_view> items;
  split_abaqus_line("  a , \"b, c\",, d ,", items);
  EXPECT_THAT(items, ElementsAre("a", "b, c", "", "d"));
  split_abaqus_line("", items);
  EXPECT_THAT(items, IsEmpty());
}

struct KeywordsOf {
  AbaqusComplaints complaints;
  std::vector<AbaqusKeyword> keywords;
  std::vector<std::string> data;
  explicit KeywordsOf(const std::string& text) {
    AbaqusSource source(
        text, "f.inp",
        [](const std::string&, std::string& reason) -> std::optional<FileBytes> {
          reason = "not here";
          return {};
        },
        complaints);
    for (AbaqusKeyword keyword; source.next_keyword(keyword);) {
      keywords.push_back(keyword);
      for (std::string_view line; source.next_data(line);) data.emplace_back(line);
    }
  }
};

TEST(AbaqusLines, KeywordsHaveParametersOverSeveralLines) {
  const KeywordsOf of(
      "before any keyword\n** a comment\n*Node, nset = All nodes,\n  system=R\n1, 0, 0\n** within\n2, 1, 0\r\n*END part\n");
  ASSERT_THAT(of.keywords, SizeIs(2));
  EXPECT_EQ(of.keywords[0].name, "NODE");
  ASSERT_TRUE(of.keywords[0].has("NSET"));
  EXPECT_EQ(*of.keywords[0].find("NSET"), "All nodes");
  EXPECT_EQ(*of.keywords[0].find("SYSTEM"), "R");
  EXPECT_FALSE(of.keywords[0].has("INPUT"));
  EXPECT_EQ(of.keywords[0].place.line, 3);
  EXPECT_EQ(of.keywords[1].name, "ENDPART");
  EXPECT_THAT(of.data, ElementsAre("1, 0, 0", "2, 1, 0"));
}

TEST(AbaqusLines, IncludesThatAreNotThereAreComplainedOf) {
  KeywordsOf of("*INCLUDE, INPUT=other.inp\n*INCLUDE\n*NODE\n");
  EXPECT_THAT(of.keywords, SizeIs(1));
  const std::string said = refusal([&] { of.complaints.throw_if_any(); });
  EXPECT_THAT(said, HasSubstr("f.inp:1: error: the file `other.inp` cannot be included: not here"));
  EXPECT_THAT(said, HasSubstr("f.inp:2: error: *INCLUDE names no file"));
}

// ---- CalculiX

TEST(FrdNumbers, StandInColumns) {
  const std::string text = " -1         7 1.00000E+00-2.50000E+00 3.00000E-02\n -3\n";
  ImportBytes file(text, "f.frd");
  FrdLines lines(file);
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.label(10), 7);
  double values[3];
  lines.reals(13, values, 3);
  EXPECT_THAT(values, ElementsAre(1.0, -2.5, 0.03));
  EXPECT_EQ(lines.integer(60, 5, "a count", 42), 42);
  EXPECT_THAT(refusal([&] { lines.integer(60, 5, "a count"); }),
              HasSubstr("expected a count, but the field is empty"));
  EXPECT_THAT(refusal([&] { lines.real(3, 10, "a value"); }), HasSubstr("instead of a value"));
}

// A negative number whose exponent has three digits is a column longer.
TEST(FrdNumbers, MayBeAColumnLonger) {
  const std::string text = " -1         7-1.00000E-101 2.00000E+00-3.00000E-102\n";
  ImportBytes file(text, "f.frd");
  FrdLines lines(file);
  ASSERT_TRUE(lines.next());
  double values[3];
  lines.reals(13, values, 3);
  EXPECT_THAT(values, ElementsAre(-1e-101, 2.0, -3e-102));
}

TEST(FrdNumbers, RawOnesHaveTheByteOrderThatMakesTheFirstSmall) {
  for (const bool is_swapped : {false, true}) {
    std::string text;
    const auto put = [&](auto value) {
      char bytes[sizeof value];
      std::memcpy(bytes, &value, sizeof value);
      if (is_swapped) std::reverse(bytes, bytes + sizeof value);
      text.append(bytes, sizeof value);
    };
    put(std::int32_t{17}), put(1.5F), put(2.5);
    ImportBytes file(text, "f.frd", ImportBytes::Kind::binary);
    FrdLines lines(file);
    double value = 0.0;
    EXPECT_EQ(lines.binary_integer(), 17);
    lines.binary_reals(FrdFormat::binary_float, &value, 1);
    EXPECT_EQ(value, 1.5);
    lines.binary_reals(FrdFormat::binary_double, &value, 1);
    EXPECT_EQ(value, 2.5);
    EXPECT_THAT(refusal([&] { lines.binary_integer(); }),
                HasSubstr("the file ends within a block"));
  }
}

// ---- VTU

std::string packed_header(std::initializer_list<std::uint32_t> numbers) {
  std::string bytes;
  for (const std::uint32_t n : numbers) bytes.append(reinterpret_cast<const char*>(&n), 4);
  return bytes;
}

std::string compressed(const std::string& text) {
  std::string packed(compressBound(text.size()), '\0');
  uLongf n = packed.size();
  EXPECT_EQ(compress(reinterpret_cast<Bytef*>(packed.data()), &n,
                     reinterpret_cast<const Bytef*>(text.data()), text.size()),
            Z_OK);
  return packed.substr(0, n);
}

VtuCoding coding(bool is_compressed) {
  VtuCoding coding;
  coding.is_compressed = is_compressed;
  coding.n_bytes_left = 1000;
  return coding;
}

TEST(VtuData, RawOnesBeginWithTheirLength) {
  VtuCoding plain = coding(false);
  EXPECT_EQ(decode_vtu_raw(packed_header({5}) + "hello, and more", plain), "hello");
  EXPECT_THAT(refusal([&] { decode_vtu_raw(packed_header({50}) + "hello", plain); }),
              HasSubstr("its data end prematurely"));
  EXPECT_THAT(refusal([&] { decode_vtu_raw("ab", plain); }), HasSubstr("its data end prematurely"));
}

TEST(VtuData, CompressedOnesAreBlocksOfWhichTheLastIsPartial) {
  const std::string a = compressed("0123456789"), b = compressed("abc");
  const std::string header = packed_header(
      {2, 10, 3, static_cast<std::uint32_t>(a.size()), static_cast<std::uint32_t>(b.size())});
  VtuCoding packed = coding(true);
  EXPECT_EQ(decode_vtu_raw(header + a + b, packed), "0123456789abc");
  EXPECT_EQ(packed.n_bytes_left, 980u);  // of two blocks of at most 10
  std::string damaged = header + a + b;
  damaged[header.size() + 4] ^= 0x55;
  EXPECT_THAT(refusal([&] { decode_vtu_raw(damaged, packed); }),
              HasSubstr("a compressed block is damaged"));
}

// A few bytes may announce many.
TEST(VtuData, BlocksThatDeclareTooMuchAreRefused) {
  VtuCoding packed = coding(true);
  EXPECT_THAT(refusal([&] {
                decode_vtu_raw(packed_header({1000000, 1000000, 0}), packed);
              }),
              HasSubstr("implausible for the file size"));
  EXPECT_THAT(refusal([&] {
                decode_vtu_raw(packed_header({4000000000U, 1, 0}), packed);
              }),
              HasSubstr("implausible for the file size"));
}

TEST(VtuData, Base64MayBePaddedBetweenHeaderAndData) {
  VtuCoding plain = coding(false);
  EXPECT_EQ(decode_vtu_base64("BQAAAGhlbGxv", plain), "hello");       // at one go
  EXPECT_EQ(decode_vtu_base64(" BQAA\n AGhl bGxv", plain), "hello");  // with blanks within
  EXPECT_EQ(decode_vtu_base64("BAAAAGhlbGw=", plain), "hell");
  EXPECT_THAT(refusal([&] { decode_vtu_base64("BQAAAGhl", plain); }),
              HasSubstr("its data end prematurely"));
  EXPECT_THAT(refusal([&] { decode_vtu_base64("BQAA!Ghl", plain); }),
              HasSubstr("its data are not base64"));
  EXPECT_THAT(refusal([&] { decode_vtu_base64("=QAAAGhl", plain); }),
              HasSubstr("its data are not base64"));
}

TEST(VtuNumbers, AreOfTheTypeThatIsDeclared) {
  const float floats[] = {1.5F, -2.0F};
  const std::string_view bytes(reinterpret_cast<const char*>(floats), sizeof floats);
  EXPECT_THAT(convert_vtu_numbers<double>(bytes, "Float32", false), ElementsAre(1.5, -2.0));
  EXPECT_THAT(refusal([&] { convert_vtu_numbers<std::int64_t>(bytes, "Float32", false); }),
              HasSubstr("it contains real numbers instead of integers"));
  EXPECT_THAT(refusal([&] { convert_vtu_numbers<double>(bytes.substr(0, 7), "Float32", false); }),
              HasSubstr("its length is not a whole number of values"));
  EXPECT_THAT(refusal([&] { convert_vtu_numbers<double>(bytes, "String", false); }),
              HasSubstr("its type `String` is unknown"));
  EXPECT_THAT(convert_vtu_numbers<std::int64_t>(std::string_view("\x01\xff", 2), "UInt8", false),
              ElementsAre(1, 255));
  EXPECT_THAT(convert_vtu_numbers<std::int64_t>(std::string_view("\x01\xff", 2), "Int8", false),
              ElementsAre(1, -1));
  EXPECT_THAT(convert_vtu_numbers<std::int64_t>(std::string_view("\x00\x01", 2), "Int16", true),
              ElementsAre(1));
}

TEST(VtuNumbers, AsTextAreWholeWords) {
  EXPECT_THAT(parse_vtu_numbers<double>(" 1 -2.5e3\n+4\t"), ElementsAre(1.0, -2500.0, 4.0));
  EXPECT_THAT(parse_vtu_numbers<std::int64_t>(""), IsEmpty());
  EXPECT_THAT(refusal([] { parse_vtu_numbers<std::int64_t>("1 2.5"); }),
              HasSubstr("`2.5` is not a valid number there"));
  EXPECT_THAT(refusal([] { parse_vtu_numbers<double>("1 +-2"); }),
              HasSubstr("`+-2` is not a valid number there"));
}

// ---- types of other programs

TEST(ElementTypes, OfGmshAndVtkAreThoseOfTheTable) {
  for (const elements::ElementTraits& e : elements::kElements) {
    const GmshType* gmsh = find_gmsh_type(e.gmsh);
    ASSERT_NE(gmsh, nullptr) << e.name;
    EXPECT_EQ(gmsh->type, e.type);
    EXPECT_EQ(gmsh->n_nodes, e.n_nodes);
    EXPECT_EQ(gmsh->dimension, e.dimension);
    EXPECT_FALSE(has_inner_nodes(*gmsh));
    const VtuType* vtk = find_vtu_type(e.vtk);
    ASSERT_NE(vtk, nullptr) << e.name;
    EXPECT_EQ(vtk->type, e.type);
    EXPECT_EQ(vtu_type(e.type).number, e.vtk);
    EXPECT_THAT(vtk->order, SizeIs(e.n_nodes));
    std::vector<int> sorted = vtk->order;
    std::sort(sorted.begin(), sorted.end());
    for (int i = 0; i < e.n_nodes; ++i) EXPECT_EQ(sorted[i], i) << e.name;
  }
  EXPECT_EQ(find_gmsh_type(-3), nullptr);
  EXPECT_EQ(find_gmsh_type(100000), nullptr);
  EXPECT_EQ(find_vtu_type(-3), nullptr);
  EXPECT_EQ(find_vtu_type(7), nullptr);  // polygons
}

TEST(ElementTypes, WithNodesInsideFacesAreThoseWithoutThem) {
  int n_inner = 0;
  for (int number = 1; number < 150; ++number) {
    const GmshType* type = find_gmsh_type(number);
    if (!type || !type->type || !has_inner_nodes(*type)) continue;
    ++n_inner;
    EXPECT_LT(elements::n_nodes(*type->type), type->n_nodes) << type->name;
  }
  EXPECT_EQ(n_inner, 4);  // quad9, hex27, wedge18, pyramid14
}

}  // namespace
}  // namespace solidyn::formats
