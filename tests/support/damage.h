#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>

#include "solidyn/base/error.h"

/// Damages a good file in many ways. A reader answers each with a result or one InputError.
namespace solidyn::testing_support {

/// Reads; anything but a result or an InputError with a message fails the test.
inline void expect_answer(const std::string& bytes, const std::string& how,
                          const std::function<void(const std::string&)>& read) {
  try {
    read(bytes);
  } catch (const base::InputError& error) {
    EXPECT_FALSE(error.diagnostics().empty()) << how;
    EXPECT_LE(error.diagnostics().size(), 25u) << how;
  } catch (const std::exception& error) {
    ADD_FAILURE() << how << ": " << error.what();
  }
}

/// Cut at every `stride`-th byte.
inline void expect_answers_when_cut(const std::string& good, std::size_t stride,
                                    const std::function<void(const std::string&)>& read) {
  for (std::size_t n = 0; n < good.size(); n += stride)
    expect_answer(good.substr(0, n), "cut at " + std::to_string(n), read);
}

/// Single bytes exchanged for others, digits and separators first, in `n` copies of the file.
inline void expect_answers_when_bytes_change(const std::string& good, int n,
                                             const std::function<void(const std::string&)>& read) {
  const std::string favourites = std::string("0123456789-+.eE*, \n\r\t\xff\x7f\x80", 24) + '\0';
  std::mt19937 random(1);
  for (int i = 0; i < n; ++i) {
    std::string bytes = good;
    for (int k = 0; k <= i % 4; ++k)
      bytes[random() % bytes.size()] =
          i % 3 ? favourites[random() % favourites.size()] : static_cast<char>(random());
    expect_answer(bytes, "damage " + std::to_string(i), read);
  }
}

/// Runs of bytes removed, repeated or moved, in `n` copies of the file.
inline void expect_answers_when_pieces_move(const std::string& good, int n,
                                            const std::function<void(const std::string&)>& read) {
  std::mt19937 random(2);
  for (int i = 0; i < n; ++i) {
    const std::size_t from = random() % good.size(), size = random() % 200;
    const std::string piece = good.substr(from, size);
    std::string bytes = good;
    if (i % 3 != 0) bytes.erase(from, size);
    if (i % 3 != 1) bytes.insert(random() % (bytes.size() + 1), piece);
    expect_answer(bytes, "piece " + std::to_string(i), read);
  }
}

/// All of the above.
inline void expect_answers_to_damage(const std::string& good,
                                     const std::function<void(const std::string&)>& read,
                                     int n = 2000) {
  expect_answers_when_cut(good, 97, read);
  expect_answers_when_bytes_change(good, n, read);
  expect_answers_when_pieces_move(good, n, read);
}

}  // namespace solidyn::testing_support
