// seeds: generated/blocks/*.frd
#include "reader.h"
#include "solidyn/formats/calculix/frd.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return solidyn::fuzz::feed(data, size, [](std::string_view bytes) {
    solidyn::formats::parse_calculix_frd(bytes, "fuzzed.frd");
  });
}
