#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/nastran/lines/cards.h"
#include "formats/nastran/lines/order.h"

namespace solidyn::formats {

/// A file of a deck.
struct NastranSource {
  std::string name;                    ///< for messages
  std::shared_ptr<const void> holder;  ///< keeps the bytes; may be empty for the main file
  std::string_view bytes;
};

/// Opens the file of INCLUDE 'path' in the file `from`; throws InputError.
using NastranInclude =
    std::function<NastranSource(const std::string& path, const std::string& from)>;

/// The file of a deck. Throws InputError when it cannot be read.
NastranSource open_nastran(const std::string& path);
/// Files below the folder of the deck: relative to the including file, else to the deck.
NastranInclude include_below(const std::string& deck);
/// For decks in memory: every INCLUDE is refused.
NastranSource refuse_include(const std::string& path, const std::string& from);

/// A Nastran deck, or a file of bulk data alone, read entry by entry: executive control is ignored
/// , the lines of case control are kept, INCLUDE opens further files, continuations are joined
/// by their tags where these name a line elsewhere in the file, else because they follow, and
/// ENDDATA ends it all. Nothing is kept of entries that were handed out.
/// Local. Proved by NastranDeck.* in tests/unit/formats.
///
///     NastranDeck deck(open_nastran(path), include_below(path));
///     for (NastranCard card; deck.next(card);)
///       if (card.is("GRID")) add_node(card.label(1), card.real(3, 0.0));
class NastranDeck {
 public:
  /// @param main  its bytes live as long as the deck
  NastranDeck(NastranSource main, NastranInclude include);

  /// The next entry of the bulk data; false after the last. The card is good until the next call.
  /// Throws InputError for a line that is no entry, an INCLUDE that cannot be followed, and a
  /// continuation of nothing; the call after that continues behind the line.
  bool next(NastranCard& card);

  struct CaseLine {
    std::string text;  ///< upper case, without comment, joined with its continuations
    LineNumber serial = 0;
  };
  const std::vector<CaseLine>& case_control() const { return case_control_; }
  /// Comments that name an entity, as our writer puts them: $NAME PSOLID 3 steel part.
  struct Named {
    std::string card;
    std::int64_t id = 0;
    std::string name;
  };
  const std::vector<Named>& names() const { return names_; }

  int n_bulk_sections() const { return n_bulk_sections_; }  ///< BEGIN lines until now
  bool has_enddata() const { return has_enddata_; }
  const LineNumbers& lines() const { return lines_; }

 private:
  struct Open {
    NastranSource source;
    std::string_view rest;
    int line = 0;  // of the last line taken
    std::vector<RawLine> order;
    std::size_t n_ordered = 0;  // taken from order
  };
  enum class Section { executive, case_control, bulk };

  void open(NastranSource source, const NastranOrder& order);
  bool take_line(std::string_view& raw);
  bool read_line();
  bool read_ahead();
  bool is_control(std::string_view text);
  void handle_control(std::string_view text);
  void keep_case_line(std::string_view text);
  void follow_include(std::string_view text);
  std::string include_path(std::string_view text);
  void note_name(std::string_view comment);
  void check_name(const NastranLine& line) const;
  void gather(NastranCard& card);
  void skip_entry();
  [[noreturn]] void fail(LineNumber serial, std::string what, std::string remedy) const;

  NastranInclude include_;
  std::vector<Open> open_;                            // the innermost last
  std::vector<std::shared_ptr<const void>> holders_;  // cards point into files read to their end
  Section section_ = Section::bulk;
  LineNumbers lines_;
  LineNumber serial_ = 0;            // of the last line taken
  std::optional<NastranLine> line_;  // read, but not part of a card yet
  std::optional<base::InputError> delayed_;
  std::deque<std::string> expanded_;  // lines with tabs, as columns
  std::vector<CaseLine> case_control_;
  std::vector<Named> names_;
  int n_bulk_sections_ = 0, n_includes_ = 0;
  bool has_enddata_ = false, case_line_continues_ = false;
};

}  // namespace solidyn::formats
