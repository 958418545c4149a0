// seeds: nastran/modal/*.pch nastran/dmig/*.pch
#include "reader.h"
#include "solidyn/formats/nastran/bulk_and_punch.h"

/// Modes and matrices: the first byte chooses, so that both see every seed's form.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return solidyn::fuzz::feed(data, size, [](std::string_view bytes) {
    if (bytes.substr(0, 1) == "$")
      solidyn::formats::parse_nastran_punch(bytes, "fuzzed.pch");
    else
      solidyn::formats::parse_nastran_dmig(bytes, "fuzzed.pch");
  });
}
