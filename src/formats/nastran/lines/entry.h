#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace solidyn::formats {

/// A real number with a decimal point in at most 16 characters, with as many digits as these hold
/// (12 at least): -1.2345678901-10.
std::string nastran_real(double value);

/// Writes one bulk data entry, field by field, in columns of 8 or 16. Private to the writer.
class NastranEntry {
 public:
  enum class Fields { small, large };

  /// @param name  such as GRID, without *
  NastranEntry(std::string& text, std::string_view name, Fields fields);
  NastranEntry& add(std::string_view field);
  NastranEntry& add(std::int64_t number);
  NastranEntry& add_real(double value) { return add(nastran_real(value)); }  ///< large fields only
  NastranEntry& blank() { return add(std::string_view()); }
  ~NastranEntry();  ///< ends the line
  NastranEntry(const NastranEntry&) = delete;
  NastranEntry& operator=(const NastranEntry&) = delete;

 private:
  std::string& text_;
  std::size_t width_, n_per_line_, n_ = 0;
};

}  // namespace solidyn::formats
