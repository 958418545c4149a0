#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "solidyn/base/error.h"

namespace solidyn::fuzz {

/// A reader makes of any bytes a result or an InputError; anything else ends the fuzzer.
template <class Read>
int feed(const std::uint8_t* data, std::size_t size, const Read& read) {
  try {
    read(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const base::InputError&) {
  }
  return 0;
}

}  // namespace solidyn::fuzz
