// seeds: generated/abaqus_like/*.fil
#include "reader.h"
#include "solidyn/formats/abaqus/fil/fil.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return solidyn::fuzz::feed(data, size, [](std::string_view bytes) {
    solidyn::formats::parse_abaqus_fil(bytes, "fuzzed.fil");
  });
}
