#pragma once
#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "formats/shared/ascii.h"
#include "formats/shared/byte_order.h"
#include "solidyn/base/error.h"

/// Where the numbers of an MSH file come from: text or bytes. Both sources offer the same calls, so
/// that the layout of each version is written once. Private to the Gmsh reader.
namespace solidyn::formats {

/// The whole file in memory, for messages.
struct GmshFile {
  std::string_view bytes;
  std::string name;
  bool is_binary = false;

  /// Throws InputError with the line (ASCII) or byte (binary) of `at`.
  [[noreturn]] void fail(const char* at, std::string what, std::string remedy) const;
};

inline constexpr const char* kExportAgain =
    "the file is damaged or truncated: write it again, or export it with another version or encoding (Gmsh: -format msh41, -format msh22, -bin)";

/// Whitespace-separated numbers.
class TextSource {
 public:
  static constexpr std::size_t kIntBytes = 2, kSizeBytes = 2, kRealBytes = 2;  // at least

  TextSource(const GmshFile& file, std::string_view body)
      : file_(file), at_(body.data()), end_(body.data() + body.size()) {}

  std::int64_t integer() {
    std::int64_t value = 0;
    parse(value, "an integer");
    return value;
  }
  std::int64_t size() { return integer(); }
  std::int64_t text_size() { return integer(); }
  double real() {
    double value = 0.0;
    parse(value, "a number");
    return value;
  }
  const char* here() {
    skip_space();
    return at_;
  }
  bool is_at_end() { return here() == end_; }
  std::size_t n_left() const { return static_cast<std::size_t>(end_ - at_) + 1; }
  [[noreturn]] void fail(const char* at, std::string what,
                         std::string remedy = kExportAgain) const {
    file_.fail(at, std::move(what), std::move(remedy));
  }

 private:
  static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  void skip_space() {
    while (at_ != end_ && is_space(*at_)) ++at_;
  }
  template <class T>
  void parse(T& value, const char* expected) {
    skip_space();
    const char* first = after_plus(at_, end_);
    const auto [last, error] = std::from_chars(first, end_, value);
    if (error != std::errc() || (last != end_ && !is_space(*last))) fail_token(expected);
    at_ = last;
  }
  [[noreturn]] void fail_token(const char* expected) const;

  const GmshFile& file_;
  const char* at_;
  const char* end_;
};

/// Raw numbers in either byte order.
class BinarySource {
 public:
  static constexpr std::size_t kIntBytes = 4, kSizeBytes = 4, kRealBytes = 8;  // at least

  BinarySource(const GmshFile& file, std::string_view body, bool is_swapped, int size_bytes)
      : file_(file),
        at_(body.data()),
        end_(body.data() + body.size()),
        is_swapped_(is_swapped),
        size_bytes_(size_bytes) {}

  std::int64_t integer() { return take<std::int32_t>(); }
  std::int64_t size() { return size_bytes_ == 8 ? take<std::int64_t>() : take<std::int32_t>(); }
  /// MSH 2 writes the counts of binary sections as a line of text.
  std::int64_t text_size();
  double real() { return take<double>(); }
  const char* here() const { return at_; }
  bool is_at_end() const {
    return std::all_of(at_, end_, [](char c) { return c == '\n' || c == '\r'; });
  }
  std::size_t n_left() const { return static_cast<std::size_t>(end_ - at_); }
  [[noreturn]] void fail(const char* at, std::string what,
                         std::string remedy = kExportAgain) const {
    file_.fail(at, std::move(what), std::move(remedy));
  }

 private:
  template <class T>
  T take() {
    if (n_left() < sizeof(T)) fail(at_, "the section ends in the middle of its data");
    const T value = load<T>(at_, is_swapped_);
    at_ += sizeof(T);
    return value;
  }

  const GmshFile& file_;
  const char* at_;
  const char* end_;
  bool is_swapped_;
  int size_bytes_;
};

}  // namespace solidyn::formats
