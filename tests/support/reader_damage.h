#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "solidyn/base/error.h"

/// What damaged files make of a body. Each reader gets its samples cut off, with bytes exchanged,
/// and with pieces and lines lost or repeated. A file that still says something, in one consistent
/// way, is read as it says: a digit of a coordinate that turns into another one is another body,
/// and nobody can tell. What must not be is a body that is neither that of the file nor told to be
/// doubtful.
namespace solidyn::testing_support {

/// Of a damaged file.
enum class DamageOutcome {
  refused,     ///< by one InputError
  warned,      ///< read, with a warning that the good file does not have
  same,        ///< the same body: to 1e-6, tags, sets and numbers of modes included
  as_written,  ///< a few numbers or sets differ, no more than the exchanged bytes touch
  other_deck,  ///< of formats whose lines stand for themselves: lines are lost, repeated or joined
  silent       ///< another body without a word
};
constexpr int kDamageOutcomes = 6;
const char* name(DamageOutcome outcome);

/// All that a reader makes of a file: numbers in a fixed order, and what belongs to each name.
struct BodyNumbers {
  std::vector<double> all;
  std::vector<double> roundoff;  ///< of each: what a program might as well have left out
  std::map<std::string, std::vector<std::int32_t>> sets;
};

/// Warnings of a reading by their kind, which is their text without its numbers.
class Told {
 public:
  void add(const std::string& text);
  void add(const std::vector<base::Diagnostic>& warnings);
  template <class Map>
  void add_names(const Map& map) {
    for (const auto& entry : map) add(entry.first);
  }
  /// Whether there is one of a kind that the good file does not have, or has less often.
  bool has_more_than(const Told& good) const;

 private:
  std::multiset<std::string> kinds_;
};

struct DamagedReader {
  std::string reader, sample;
  std::string bytes;  ///< of the good sample
  bool is_text = true;
  bool has_cards = false;  ///< no counts, no end mark: a shorter file is another good one
  /// @throws base::InputError. What is doubtful goes to `told`, or to the log.
  std::function<BodyNumbers(const std::string& bytes, Told& told)> read;
};

struct DamageRow {
  std::string reader, sample;
  int counts[kDamageOutcomes] = {};
  std::vector<std::string> silent;  ///< how the first of them were damaged
};

/// Deterministic. @param n  damaged files of each sample
DamageRow damage_reader(const DamagedReader& reader, int n);

/// A line per reader and sample.
std::string format(const std::vector<DamageRow>& rows);

}  // namespace solidyn::testing_support
