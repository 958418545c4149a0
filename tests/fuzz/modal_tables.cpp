// seeds: generated/tables/*.csv
#include "solidyn/formats/tables/modal_tables.h"

#include "reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace solidyn;
  const auto feed = [&](const auto& read) { fuzz::feed(data, size, read); };
  feed([](std::string_view bytes) { formats::parse_mode_table(bytes, "fuzzed.csv"); });
  feed([](std::string_view bytes) { formats::parse_node_table(bytes, "fuzzed.csv"); });
  feed([](std::string_view bytes) { formats::parse_nodal_masses(bytes, "fuzzed.csv"); });
  return 0;
}
