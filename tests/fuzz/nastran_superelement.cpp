// seeds: nastran/superelement/*.pch nastran/superelement/*.asm
#include "reader.h"
#include "solidyn/formats/nastran/superelement/superelement.h"

/// The punch file is fuzzed, beside a small matrix that belongs to none.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string op4 =
      "       1       1       2       2KXX     1P,3E23.16\n       2       1       1\n"
      " 1.0000000000000000E+00\n";
  return solidyn::fuzz::feed(data, size, [](std::string_view bytes) {
    solidyn::formats::parse_nastran_superelement({{bytes, "fuzzed.pch"}, {op4, "fuzzed.op4"}});
  });
}
