// solidyn schema: prints what the grammar of the model file generates.
//
//   solidyn schema > solidyn.schema.json
#include "solidyn/model/schema.h"

#include <iostream>

#include "command.h"

namespace solidyn::drivers {

int schema_command(const Arguments& arguments) {
  Options options(
      "solidyn schema [--keys]",
      "Prints the JSON Schema of the model file, for completion and validation in editors.",
      "solidyn schema > solidyn.schema.json");
  options.add()("keys", "print the tables of keys in the manual (Markdown) instead");
  if (!options.parse(arguments)) return kDone;
  std::cout << (options.has("keys") ? model::key_tables() : model::json_schema()) << std::flush;
  return kDone;
}

}  // namespace solidyn::drivers
