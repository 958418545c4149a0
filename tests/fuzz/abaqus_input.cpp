// seeds: abaqus/*/*.inp generated/*/*.inp
#include "reader.h"
#include "solidyn/formats/abaqus/deck/input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return solidyn::fuzz::feed(data, size, [](std::string_view bytes) {
    solidyn::formats::parse_abaqus_input(bytes, "fuzzed.inp");
  });
}
