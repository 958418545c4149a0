#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/nastran/lines/cards.h"
#include "formats/nastran/lines/deck.h"
#include "formats/shared/label_index.h"

namespace solidyn::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> fields_of(const NastranCard& card) {
  std::vector<std::string> fields;
  for (int i = 1; i <= card.n_fields(); ++i) fields.emplace_back(card.field(i));
  return fields;
}

NastranDeck deck_of(std::string_view text) {
  return NastranDeck({"deck.bdf", nullptr, text}, refuse_include);
}

/// The fields of all entries, names first.
std::vector<std::vector<std::string>> cards_of(std::string_view text) {
  std::vector<std::vector<std::string>> cards;
  NastranDeck deck = deck_of(text);
  for (NastranCard card; deck.next(card);) {
    cards.push_back(fields_of(card));
    cards.back().insert(cards.back().begin(), card.name());
  }
  return cards;
}

std::string message_of(std::string_view text) {
  NastranDeck deck = deck_of(text);
  try {
    for (NastranCard card; deck.next(card);) {
    }
  } catch (const base::InputError& error) {
    return error.what();
  }
  return {};
}

template <class Check>
void with_card(std::string_view text, const Check& check) {
  NastranDeck deck = deck_of(text);
  NastranCard card;
  ASSERT_TRUE(deck.next(card));
  check(card);
}

TEST(NastranDeck, SmallFieldsHaveEightColumns) {
  EXPECT_THAT(cards_of("GRID           1       31.0     2.0     3.0            4\n"),
              ElementsAre(ElementsAre("GRID", "1", "3", "1.0", "2.0", "3.0", "4")));
}

TEST(NastranDeck, LargeFieldsMayTouch) {
  EXPECT_THAT(cards_of("GRID*                  1               00.0000000000E+001.0000000000E+00+\n"
                       "*       0.5000000000E+00               7\n"),
              ElementsAre(ElementsAre("GRID", "1", "0", "0.0000000000E+00", "1.0000000000E+00",
                                      "0.5000000000E+00", "7")));
}

TEST(NastranDeck, FreeFieldsStandBetweenCommas) {
  EXPECT_THAT(cards_of("grid, 12 ,,1.0000000001,2., 3.\nCHEXA,1,2,3,4,5,6,7,8,+\n,9,10\n"),
              ElementsAre(ElementsAre("GRID", "12", "", "1.0000000001", "2.", "3."),
                          ElementsAre("CHEXA", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10")));
}

TEST(NastranDeck, LargeFreeFieldsAreFourInALine) {
  EXPECT_THAT(cards_of("GRID*,1,,0.1,0.2\n*,0.3,7\n"),
              ElementsAre(ElementsAre("GRID", "1", "", "0.1", "0.2", "0.3", "7")));
}

TEST(NastranDeck, TabsAdvanceToTheNextField) {
  EXPECT_THAT(cards_of("SPC1\t2\t1\t164\t168\t154\nSPC1\t3\t1\t7\n"),
              ElementsAre(ElementsAre("SPC1", "2", "1", "164", "168", "154"),
                          ElementsAre("SPC1", "3", "1", "7")));
}

TEST(NastranDeck, SmallRowAfterHalfALargeOneBeginsANewRow) {
  EXPECT_THAT(cards_of("RBE2*                  1               2          123456               3\n"
                       "+              4\n"),
              ElementsAre(ElementsAre("RBE2", "1", "2", "123456", "3", "", "", "", "", "4")));
}

TEST(NastranDeck, ContinuationsAreFoundByTheirTags) {
  EXPECT_THAT(
      cards_of("CHEXA   1       2       3       4       5       6       7       8       +a\n"
               "CHEXA   2       2       3       4       5       6       7       8       +B\n"
               "GRID    9\n"
               "+B      22\n"
               "+A      11      12                                                      +C\n"
               "GRID    8\n"
               "+C      19\n"),
      ElementsAre(ElementsAre("CHEXA", "1", "2", "3", "4", "5", "6", "7", "8", "11", "12", "", "",
                              "", "", "", "", "19"),
                  ElementsAre("CHEXA", "2", "2", "3", "4", "5", "6", "7", "8", "22"),
                  ElementsAre("GRID", "9"), ElementsAre("GRID", "8")));
}

TEST(NastranDeck, TagsThatNameNothingContinueTheLineBefore) {
  EXPECT_THAT(
      cards_of("CTETRA  1       2       3       4       5       6       7       8\n"
               "+X      9       10\n"),
      ElementsAre(ElementsAre("CTETRA", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10")));
}

TEST(NastranDeck, ControlSectionsCommentsAndTextBehindEnddataAreNoEntries) {
  NastranDeck deck = deck_of(
      "SOL 103 $ modes\r\nCEND\r\n  SPC = 2\r\nSET 4 = 1,\r\n 5 THRU 9\r\nBEGIN BULK\r\n"
      "$ nothing\r\nGRID,1$ one\r\n\r\nenddata 382500f6\r\nrubbish, more\r\n");
  NastranCard card;
  ASSERT_TRUE(deck.next(card));
  EXPECT_EQ(card.label(1), 1);
  EXPECT_EQ(card.where().line, 8);
  EXPECT_FALSE(deck.next(card));
  EXPECT_TRUE(deck.has_enddata());
  ASSERT_EQ(deck.case_control().size(), 2u);
  EXPECT_EQ(deck.case_control()[1].text, "SET 4 = 1,5 THRU 9");
}

TEST(NastranDeck, IncludedEntriesKnowTheirFile) {
  const auto include = [](const std::string& path, const std::string& from) {
    return NastranSource{path + " in " + from, nullptr, "GRID,7\n"};
  };
  NastranDeck deck({"top", nullptr, "GRID,1\nInclude 'a/\nb.inc'\nGRID,2\n"}, include);
  std::vector<std::string> places;
  for (NastranCard card; deck.next(card);)
    places.push_back(card.where().file + ":" + std::to_string(card.where().line));
  EXPECT_THAT(places, ElementsAre("top:1", "a/b.inc in top:1", "top:4"));
}

TEST(NastranDeck, RefusesCyclesOfIncludes) {
  const auto include = [](const std::string& path, const std::string&) {
    return NastranSource{path, nullptr, "INCLUDE 'b'\n"};
  };
  NastranDeck deck({"a", nullptr, "INCLUDE 'b'\nGRID,1\n"}, include);
  NastranCard card;
  try {
    deck.next(card);
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("includes itself"));
  }
  EXPECT_TRUE(deck.next(card));  // it goes on behind the line
}

TEST(NastranDeck, RefusesWhatIsNoEntry) {
  EXPECT_THAT(message_of("GRID,1\n=,*1,=,*1.\n"), HasSubstr("deck.bdf:2: error: `=` repeats"));
  EXPECT_THAT(message_of("        1\n"), HasSubstr("continuation without a parent entry"));
  EXPECT_THAT(message_of("<html>\n"), HasSubstr("not the name of a bulk data entry"));
  EXPECT_THAT(message_of("INCLUDE 'x'\n"), HasSubstr("cannot be followed here"));
  EXPECT_THAT(message_of("INCLUDE 'x\n"), HasSubstr("no closing quote"));
  EXPECT_THAT(message_of("GRID,1,2,3,4,5,6,7,8,9,10\n"), HasSubstr("more than ten fields"));
  EXPECT_THAT(
      message_of(
          "CHEXA   1       2       3       4       5       6       7       8       +A\n+B      9\n"),
      HasSubstr(":2: error: a continuation without a parent entry"));
}

TEST(NastranCard, ReadsNastransReals) {
  with_card("X,2.9+7,7.+10,-1.-3,1.D+2,.5,+1.5E-2,1.0E-400,1.e3\n", [](const NastranCard& card) {
    EXPECT_EQ(card.real(1), 2.9e7);
    EXPECT_EQ(card.real(2), 7e10);
    EXPECT_EQ(card.real(3), -1e-3);
    EXPECT_EQ(card.real(4), 100.0);
    EXPECT_EQ(card.real(5), 0.5);
    EXPECT_EQ(card.real(6), 0.015);
    EXPECT_EQ(card.real(7), 0.0);
    EXPECT_EQ(card.real(8), 1000.0);
    EXPECT_EQ(card.real(9, 4.0), 4.0);
  });
}

TEST(NastranCard, RefusesNumbersOfTheOtherKind) {
  with_card("X,12,1.5,NAN,inf,1.0E+400,1..,*1,-inf\n,0,1.5.2,1.+,-\n", [](const NastranCard& card) {
    for (const int i : {1, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13})
      EXPECT_THROW(card.real(i), base::InputError) << card.field(i);
    for (const int i : {2, 3, 6, 7, 12, 13, 14})
      EXPECT_THROW(card.integer(i), base::InputError) << card.field(i);
    EXPECT_THROW(card.label(9), base::InputError);
  });
}

TEST(NastranCard, MessagesNameEntryAndField) {
  with_card("MAT1,1,7\n,,,x\n", [](const NastranCard& card) {
    try {
      card.real(2);
      FAIL();
    } catch (const base::InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("deck.bdf:1: error: MAT1: field 3 is `7`"));
    }
    try {
      card.integer(11);
      FAIL();
    } catch (const base::InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("field 4 of its continuation 1 is `x`"));
    }
  });
}

TEST(NastranCard, ComponentsAreDigitsOneToSix) {
  with_card("X,312,0,,7,11\n", [](const NastranCard& card) {
    EXPECT_EQ(card.components(1), "123");
    EXPECT_EQ(card.components(2), "");
    EXPECT_EQ(card.components(3), "");
    EXPECT_THROW(card.components(4), base::InputError);
    EXPECT_THROW(card.components(5), base::InputError);
  });
}

TEST(LabelIndex, FindsLabelsNearAndFar) {
  const std::vector<std::int64_t> near = {7, 3, 9, 3}, far = {2000000000, 5, 99999999, 5, -4};
  const LabelIndex dense(near), sparse(far);
  EXPECT_EQ(dense.find(9), 2);
  EXPECT_EQ(dense.find(8), -1);
  EXPECT_EQ(dense.find(-1), -1);
  EXPECT_THAT(dense.repeated(), ElementsAre(3));
  EXPECT_EQ(sparse.find(99999999), 2);
  EXPECT_EQ(sparse.find(2000000000), 0);
  EXPECT_EQ(sparse.find(6), -1);
  EXPECT_THAT(sparse.repeated(), ElementsAre(3));
  EXPECT_EQ(LabelIndex().find(1), -1);
}

}  // namespace
}  // namespace solidyn::formats
