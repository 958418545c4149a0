#include "reader_damage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <set>

#include "solidyn/base/error.h"
#include "solidyn/base/log.h"

namespace solidyn::testing_support {
namespace {

enum class Kind { cut, bytes, piece_lost, piece_repeated, line_lost, line_repeated };

struct Damaged {
  Kind kind = Kind::cut;
  std::string bytes, how;
  int n_bytes = 0;              // exchanged
  bool has_lines_moved = true;  // ends of lines are lost or new
};

/// First and last byte of a line, its end included.
std::pair<std::size_t, std::size_t> line_at(const std::string& bytes, std::size_t at) {
  const std::size_t before = at == 0 ? std::string::npos : bytes.rfind('\n', at - 1);
  const std::size_t end = bytes.find('\n', at);
  return {before == std::string::npos ? 0 : before + 1,
          end == std::string::npos ? bytes.size() : end + 1};
}

class Damager {
 public:
  explicit Damager(const DamagedReader& reader) : good_(reader.bytes), is_text_(reader.is_text) {
    for (const char c : reader.reader + reader.sample)
      seed_ = seed_ * 31 + static_cast<unsigned>(c);
    random_.seed(seed_);
  }

  /// A third are cuts, a third exchanged bytes, the rest pieces or lines.
  Damaged next(int i) {
    if (i % 3 == 0) return cut();
    if (i % 3 == 1) return exchange();
    return i % 2 == 0 || !is_text_ ? move_piece() : move_line();
  }

 private:
  std::size_t place(std::size_t n) { return random_() % std::max<std::size_t>(n, 1); }

  Damaged cut() {
    const std::size_t n = place(good_.size());
    return {Kind::cut, good_.substr(0, n), fmt::format("cut at byte {} of {}", n, good_.size()), 0};
  }

  char other_byte(char old) {
    static const std::string kFavourites = "0123456789-+.eE*, \n";
    for (;;) {
      const char c = is_text_ ? kFavourites[random_() % kFavourites.size()]
                              : static_cast<char>(random_() % 256);
      if (c != old) return c;
    }
  }

  Damaged exchange() {
    Damaged damaged{Kind::bytes, good_, "", 0, false};
    damaged.n_bytes = 1 + static_cast<int>(random_() % 3);
    for (int k = 0; k < damaged.n_bytes; ++k) {
      char& c = damaged.bytes[place(good_.size())];
      const char old = c;
      c = other_byte(old);
      damaged.has_lines_moved |= old == '\n' || c == '\n';
      damaged.how +=
          fmt::format("{}byte {}: {:#04x} to {:#04x}", k ? ", " : "", &c - damaged.bytes.data(),
                      static_cast<unsigned char>(old), static_cast<unsigned char>(c));
    }
    return damaged;
  }

  Damaged move_piece() {
    const std::size_t from = place(good_.size()), size = 1 + random_() % 200;
    const std::string piece = good_.substr(from, size);
    if (random_() % 2 == 0) {
      Damaged damaged{Kind::piece_lost, good_, fmt::format("{} bytes lost at {}", size, from), 0};
      if (is_of_one_number(piece)) damaged.n_bytes = 1;
      damaged.bytes.erase(from, size);
      return damaged;
    }
    Damaged damaged{Kind::piece_repeated, good_, fmt::format("{} bytes repeated at {}", size, from),
                    0};
    damaged.bytes.insert(from, piece);
    if (is_of_one_number(piece)) damaged.n_bytes = 1;
    return damaged;
  }

  /// Then a number or a name is longer or shorter, and the file says that one.
  bool is_of_one_number(const std::string& piece) const {
    return is_text_ && piece.find_first_of(" ,;\t\n\"<>") == std::string::npos;
  }

  Damaged move_line() {
    const auto [first, last] = line_at(good_, place(good_.size()));
    const std::string line = good_.substr(first, last - first);
    if (random_() % 2 == 0) {
      Damaged damaged{Kind::line_lost, good_, fmt::format("the line at byte {} lost", first), 0};
      damaged.bytes.erase(first, line.size());
      return damaged;
    }
    Damaged damaged{Kind::line_repeated, good_, fmt::format("the line at byte {} repeated", first),
                    0};
    damaged.bytes.insert(first, line);
    return damaged;
  }

  const std::string& good_;
  bool is_text_;
  unsigned seed_ = 1;
  std::mt19937 random_;
};

/// Warnings of the reader, and those that went to the log.
struct Reading {
  BodyNumbers body;
  Told told;
};

Reading read_quietly(const DamagedReader& reader, const std::string& bytes) {
  base::clear_logged_warnings();
  Reading reading;
  reading.body = reader.read(bytes, reading.told);
  for (const std::string& warning : base::logged_warnings()) reading.told.add(warning);
  return reading;
}

bool is_equal(double a, double b, double roundoff) {
  constexpr double kSame = 1e-6;
  return a == b ||
         std::abs(a - b) <= std::max(kSame * std::max(std::abs(a), std::abs(b)), roundoff);
}

/// Of numbers, and of sets; a set of another name is one that is lost and one that is new.
/// @param a  of the good file
int count_differences(const BodyNumbers& a, const BodyNumbers& b) {
  int n = 0;
  for (std::size_t i = 0; i < a.all.size(); ++i) n += !is_equal(a.all[i], b.all[i], a.roundoff[i]);
  for (const auto& [name, members] : a.sets) {
    const auto other = b.sets.find(name);
    n += other == b.sets.end() || other->second != members;
  }
  for (const auto& [name, members] : b.sets) n += a.sets.count(name) == 0;
  return n;
}

/// Whether nothing but names of sets differs.
bool has_renamed_sets_only(const BodyNumbers& a, const BodyNumbers& b) {
  const auto members_of = [](const BodyNumbers& body) {
    std::multiset<std::vector<std::int32_t>> all;
    for (const auto& entry : body.sets) all.insert(entry.second);
    return all;
  };
  return count_differences({a.all, a.roundoff, {}}, {b.all, b.roundoff, {}}) == 0 &&
         members_of(a) == members_of(b);
}

/// Lines that stand for themselves: what is left of the file is a complete one.
bool is_other_deck(const DamagedReader& reader, const Damaged& damaged) {
  if (!reader.has_cards || !damaged.has_lines_moved) return false;
  return damaged.kind != Kind::cut || damaged.bytes.empty() || damaged.bytes.back() == '\n' ||
         reader.bytes[damaged.bytes.size()] == '\n';
}

DamageOutcome judge(const DamagedReader& reader, const Reading& good, const Damaged& damaged) {
  std::optional<Reading> reading;
  try {
    reading = read_quietly(reader, damaged.bytes);
  } catch (const base::InputError&) {
    return DamageOutcome::refused;
  }
  const bool has_shape = reading->body.all.size() == good.body.all.size();
  const int n = has_shape ? count_differences(good.body, reading->body) : 0;
  if (has_shape && n == 0) return DamageOutcome::same;
  if (reading->told.has_more_than(good.told)) return DamageOutcome::warned;
  // An exchanged byte joins two numbers or splits one; a matrix has a term and its mirror image.
  constexpr int kNumbersPerByte = 4;
  if (has_shape && n <= kNumbersPerByte * damaged.n_bytes) return DamageOutcome::as_written;
  if (has_shape && has_renamed_sets_only(good.body, reading->body))
    return DamageOutcome::as_written;
  return is_other_deck(reader, damaged) ? DamageOutcome::other_deck : DamageOutcome::silent;
}

}  // namespace

void Told::add(const std::string& text) {
  std::string kind;
  for (const char c : text)
    if (std::string_view("0123456789+-.e").find(c) == std::string_view::npos) kind += c;
  kinds_.insert(std::move(kind));
}

void Told::add(const std::vector<base::Diagnostic>& warnings) {
  for (const base::Diagnostic& warning : warnings) add(warning.what);
}

bool Told::has_more_than(const Told& good) const {
  return std::any_of(kinds_.begin(), kinds_.end(), [&](const std::string& kind) {
    return kinds_.count(kind) > good.kinds_.count(kind);
  });
}

const char* name(DamageOutcome outcome) {
  static const char* const kNames[] = {"refused",    "warned",     "same",
                                       "as written", "other deck", "silent"};
  return kNames[static_cast<int>(outcome)];
}

DamageRow damage_reader(const DamagedReader& reader, int n) {
  constexpr std::size_t kShown = 5;
  base::set_log_level(base::LogLevel::off);
  const Reading good = read_quietly(reader, reader.bytes);
  DamageRow row{reader.reader, reader.sample, {}, {}};
  Damager damager(reader);
  for (int i = 0; i < n; ++i) {
    const Damaged damaged = damager.next(i);
    const DamageOutcome outcome = judge(reader, good, damaged);
    ++row.counts[static_cast<int>(outcome)];
    if (outcome == DamageOutcome::silent && row.silent.size() < kShown)
      row.silent.push_back(damaged.how);
  }
  base::clear_logged_warnings();
  base::set_log_level(base::LogLevel::info);
  return row;
}

std::string format(const std::vector<DamageRow>& rows) {
  std::string text = fmt::format("{:<22} {:<46}", "reader", "sample");
  for (int i = 0; i < kDamageOutcomes; ++i)
    text += fmt::format(" {:>10}", name(static_cast<DamageOutcome>(i)));
  text += '\n';
  for (const DamageRow& row : rows) {
    text += fmt::format("{:<22} {:<46}", row.reader, row.sample);
    for (const int n : row.counts) text += fmt::format(" {:>10}", n);
    text += '\n';
  }
  return text;
}

}  // namespace solidyn::testing_support
