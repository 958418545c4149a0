// seeds: generated/abaqus_like/*.fil
#include "solidyn/formats/abaqus_fil.h"

#include "reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return solidyn::fuzz::feed(data, size, [](std::string_view bytes) {
    solidyn::formats::parse_abaqus_fil(bytes, "fuzzed.fil");
  });
}
