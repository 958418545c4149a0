#pragma once
#include "model/loads/load_entry.h"

/// The types of loads that a model file may have.
namespace solidyn::model {

/// In the order of the manual.
const std::vector<LoadType>& load_catalogue();

/// Null when no type has this word.
const LoadType* find_load_type(const std::string& word);

/// `loads` of a model. @pre its bodies have been read
std::vector<std::shared_ptr<const LoadEntry>> read_loads(const TableView& file, const Scope& scope);

/// What modal and floating-frame bodies must know of the loads on their nodes and faces.
std::vector<reduction::LoadDefinition> load_definitions(const ModelDescription& model,
                                                        const BodyEntry& body);
/// Those on nodes and faces of a body in absolute coordinates.
std::vector<bodies::SolidLoad> solid_loads(const ModelDescription& model, const BodyEntry& body);
/// Those along a beam. @param line as of LoadEntry::on_beam
std::vector<bodies::LineLoad> line_loads(const ModelDescription& model, const BeamEntry& body,
                                         const BeamLine* line, int n_elements);

/// Adds the load to the system. Bodies are there; they have those that they carry already.
void add_load(const LoadEntry& load, const Builder& builder);

}  // namespace solidyn::model
