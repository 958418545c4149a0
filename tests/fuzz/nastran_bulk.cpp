// seeds: nastran/solids/* nastran/modal/*.bdf nastran/modal/*.inc
// seeds: nastran/superelement/*.asm nastran/superelement/*.pch nastran/dmig/*.bdf
// seeds: generated/gmsh/*.bdf
#include "reader.h"
#include "solidyn/formats/nastran/bulk_and_punch.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return solidyn::fuzz::feed(data, size, [](std::string_view bytes) {
    solidyn::formats::parse_nastran_bulk(bytes, "fuzzed.bdf");
  });
}
