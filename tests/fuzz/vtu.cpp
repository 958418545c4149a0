// seeds: vtu/*.vtu
#include "solidyn/formats/vtu/vtu.h"

#include "reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return solidyn::fuzz::feed(
      data, size, [](std::string_view bytes) { solidyn::formats::parse_vtu(bytes, "fuzzed.vtu"); });
}
