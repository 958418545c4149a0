// seeds: generated/*/*.mtx generated/blocks/block_c3d[48]*.sti generated/blocks/block_c3d[48]*.dof

// Every reader of matrices gets all bytes: the formats exclude each other by their first lines.
#include "reader.h"
#include "solidyn/formats/abaqus/matrices/matrices.h"
#include "solidyn/formats/calculix/matrices.h"
#include "solidyn/formats/tables/matrix_market.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace solidyn;
  const auto feed = [&](const auto& read) { fuzz::feed(data, size, read); };
  feed([](std::string_view bytes) { formats::parse_abaqus_substructure(bytes, "fuzzed.mtx"); });
  feed([](std::string_view bytes) {
    formats::parse_abaqus_matrices(bytes, "fuzzed.mtx", bytes, "fuzzed.mtx", {1, 2, 3});
  });
  feed([](std::string_view bytes) { formats::parse_matrix_market(bytes, "fuzzed.mtx"); });
  feed([](std::string_view bytes) { formats::parse_calculix_matrix(bytes, "fuzzed.sti", 0); });
  feed([](std::string_view bytes) { formats::parse_calculix_dofs(bytes, "fuzzed.dof"); });
  feed([](std::string_view bytes) { formats::parse_dof_map(bytes, "fuzzed.map"); });
  return 0;
}
