#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "solidyn/imported/matrices.h"

/// What matrices in OP4 files, ASCII and binary, and in OP2 files have in common. Private to their
/// readers.
namespace solidyn::formats {

/// Who knows the place in the file: throws InputError with it.
class NastranMatrixPlace {
 public:
  virtual ~NastranMatrixPlace() = default;
  [[noreturn]] virtual void fail(const std::string& what) const = 0;
};

/// The four numbers and the name at the head of a matrix.
struct NastranMatrixHeader {
  std::int64_t n_columns = 0, n_rows = 0, form = 0, type = 0;
  std::string name;
};

/// The head of a string of terms in a sparse column of an OP4 file.
struct Op4String {
  std::int64_t row = 0;      ///< from 1
  std::int64_t n_words = 0;  ///< that its terms take
  std::int64_t cost = 0;     ///< words of the column that it takes with its head
};

/// Makes one matrix of the columns and strings of a file, and checks that each is where a
/// matrix of that size can have it, behind those before it.
class NastranMatrixBuilder {
 public:
  NastranMatrixBuilder(const NastranMatrixHeader& header, const NastranMatrixPlace& place);

  bool is_complex() const { return is_complex_; }
  /// Heads of strings take two words: announced by a negative number of rows, or for want of bits.
  bool is_bigmat() const { return is_bigmat_; }
  bool is_double() const { return matrix_.type % 2 == 0; }
  int n_parts() const { return is_complex_ ? 2 : 1; }  ///< numbers of a term

  /// False for the column behind the last, which ends the matrix.
  bool begin_column(std::int64_t column);
  Op4String unpack(std::int64_t packed) const;
  static Op4String unpack_bigmat(std::int64_t length, std::int64_t row);
  /// Checks a string against the words that its column has left.
  void check_cost(const Op4String& string, std::int64_t n_words_left) const;
  void begin_string(std::int64_t row, std::int64_t n_terms);
  void add(double real, double imaginary);
  imported::Matrix finish(double precision);

 private:
  const NastranMatrixPlace& place_;
  imported::Matrix matrix_;
  bool is_complex_ = false, is_bigmat_ = false;
  std::int64_t column_ = 0;    ///< from 1; 0: none yet
  std::int64_t next_row_ = 1;  ///< the first that the column has not passed
};

}  // namespace solidyn::formats
