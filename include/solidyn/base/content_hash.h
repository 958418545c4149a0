#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace solidyn::base {

/// SHA-256 of a sequence of values: the same bytes give the same key on every machine of one byte
/// order. Strings and arrays are preceded by their length, so that neighbours cannot run into each
/// other.
class ContentHash {
 public:
  ContentHash();
  ContentHash(ContentHash&&) noexcept;
  ContentHash& operator=(ContentHash&&) noexcept;
  ~ContentHash();

  void add_bytes(const void* bytes, std::size_t n);
  void add(double value) { add_bytes(&value, sizeof value); }
  void add(std::int64_t value) { add_bytes(&value, sizeof value); }
  void add(const std::string& text);
  void add(const double* values, std::int64_t n);
  void add(const std::int64_t* values, std::int64_t n);
  /// The bytes of a file. Throws InputError when it cannot be read.
  void add_file(const std::string& path);

  /// 64 hexadecimal digits; more values may still be added afterwards.
  std::string hex() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace solidyn::base
