#pragma once
#include <mpi.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "solidyn/model/description.h"

namespace solidyn::model {

/// The files that a model is read from beside its own, by the path of their key:
/// "joints.drive.angle.file", "bodies.rod.mesh". Local.
std::map<std::string, std::filesystem::path> input_files(const ModelDescription& model);

/// The inputs of the motion, by path in the model file: "bodies.crank.mass" ->
/// "0.12". Numbers are written alike however the file writes them, defaults that are written out
/// are left out, and files (mesh, reduced_body) stand for their content, not their name. Left out
/// is what may change between the parts of a run: title, analyses, sensors, solver, output, and
/// frames of rigid bodies that no joint uses. Collective: rank 0 reads the files. @throws
/// base::InputError on all ranks
std::map<std::string, std::string> physics_of(MPI_Comm comm, const ModelDescription& description);

/// One text per path at which two models differ: "bodies.crank.mass was 0.12, is 0.2".
std::vector<std::string> differences(const std::map<std::string, std::string>& before,
                                     const std::map<std::string, std::string>& now);

}  // namespace solidyn::model
