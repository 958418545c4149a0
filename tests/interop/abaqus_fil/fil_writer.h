#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <variant>
#include <vector>

namespace solidyn::testing_support {

/// Binary .fil files made of records, little endian.
class FilWriter {
 public:
  using Item = std::variant<int, double, std::string>;  // text: eight characters per word

  FilWriter() { add(1921, {"6.14-1", "01-Jan-2", "020", "12:00:00", 0, 0, 1.0}); }
  void add(int key, const std::vector<Item>& items) {
    const std::size_t length_at = bytes_.size();
    put(std::int64_t{0});
    put(std::int64_t{key});
    for (const Item& item : items) {
      if (const int* number = std::get_if<int>(&item)) put(std::int64_t{*number});
      if (const double* number = std::get_if<double>(&item)) put(*number);
      if (const std::string* text = std::get_if<std::string>(&item)) {
        std::string words = *text;
        words.resize(std::max<std::size_t>(8, (words.size() + 7) / 8 * 8), ' ');
        bytes_ += words;
      }
    }
    const std::int64_t length = static_cast<std::int64_t>((bytes_.size() - length_at) / 8);
    std::memcpy(&bytes_[length_at], &length, 8);
  }
  /// The file, with the last block filled by zeros.
  std::string bytes() const {
    std::string words = bytes_;
    words.resize((words.size() + 4095) / 4096 * 4096, '\0');
    const std::string mark("\0\x10\0\0", 4);
    std::string file;
    for (std::size_t at = 0; at < words.size(); at += 4096)
      file.append(mark).append(words, at, 4096).append(mark);
    return file;
  }

 private:
  template <class T>
  void put(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  std::string bytes_;
};

}  // namespace solidyn::testing_support
