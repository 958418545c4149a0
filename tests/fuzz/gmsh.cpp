// seeds: gmsh/* generated/gmsh/*.msh
#include "solidyn/formats/gmsh/gmsh.h"

#include "reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return solidyn::fuzz::feed(data, size, [](std::string_view bytes) {
    solidyn::formats::parse_gmsh(bytes, "fuzzed.msh");
  });
}
