// seeds: nastran/op4/* nastran/superelement/*.op4
#include "reader.h"
#include "solidyn/formats/nastran/op4/op4.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return solidyn::fuzz::feed(
      data, size, [](std::string_view bytes) { solidyn::formats::parse_op4(bytes, "fuzzed.op4"); });
}
