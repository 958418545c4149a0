#pragma once
#include <string>
#include <vector>

namespace solidyn::report {

/// "a", "a and b", "a, b and c", "a, b, c and 20 others".
std::string names_in_words(const std::vector<std::string>& names);

/// What notes say of bodies, one sentence for all of them that it is true of.
struct NotesOfBodies {
  std::vector<std::string> without_pictures, not_in_fields, from_first_picture, simplified;
  std::vector<std::string> fast, beside;  ///< between two pictures: turn far; are off their way
  double largest_turn = 0.0;              ///< rad, of the fast ones
  double largest_error = 0.0;             ///< m, of those off their way

  std::vector<std::string> sentences() const;
};

}  // namespace solidyn::report
