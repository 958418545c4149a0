#pragma once
#include <mpi.h>

#include <filesystem>
#include <string>
#include <vector>

#include "solidyn/model/description.h"

namespace solidyn::model {

/// The purpose of reading a model: `reduce` needs one of its bodies, and no analyses.
enum class Purpose { run, reduce };

/// Reads and checks a model file. `overrides` are "path.in.model=value" (the value in YAML),
/// applied to the tree before it is checked: "bodies.rod.type=modal",
/// "analyses.0.dynamics.step=1e-5"; where only one entry of a list has the key, the number can be
/// left out: "analyses.dynamics.step=1e-5". Throws one InputError with everything that is wrong, in
/// the order of the file. Local. Proved by tests/robustness/models.
ModelDescription load_model(const std::filesystem::path& path,
                            const std::vector<std::string>& overrides = {},
                            Purpose purpose = Purpose::run);

/// The same from text. `source` is the name in messages, `directory` where relative paths start.
ModelDescription parse_model(const std::string& text, const std::string& source,
                             const std::filesystem::path& directory,
                             const std::vector<std::string>& overrides = {},
                             Purpose purpose = Purpose::run);

/// Collective: rank 0 reads the file, every rank parses the same text; all throw if one does.
ModelDescription load_model(MPI_Comm comm, const std::filesystem::path& path,
                            const std::vector<std::string>& overrides = {},
                            Purpose purpose = Purpose::run);

/// What the loader found suspicious, into the log.
void log_warnings(const ModelDescription& model);

}  // namespace solidyn::model
