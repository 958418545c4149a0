// seeds: nastran/modal/*.op2 nastran/op2_matrices/* nastran/superelement/*.op2
#include "reader.h"
#include "solidyn/formats/nastran/op2/op2.h"

/// One request that may fail for itself, so that the next is made all the same.
template <class Read>
static void try_to(const Read& read) {
  try {
    read();
  } catch (const solidyn::base::InputError&) {
  }
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace solidyn::formats;
  return solidyn::fuzz::feed(data, size, [](std::string_view bytes) {
    const Op2File file(bytes, "fuzzed.op2");
    try_to([&] { read_op2_modes(file); });
    try_to([&] { read_op2_matrices(file); });
    try_to([&] { read_op2_matrix_model(file); });
    try_to([&] { read_op2_geometry(file); });
  });
}
