#pragma once
#include "model/analyses/analysis_type.h"

/// What the linear analyses of a mechanism have in common.
namespace solidyn::model {

/// `times`.
Field<LinearDescription> times_field();
/// `times` and `axes`.
Fields<LinearDescription> state_fields();
/// `inputs` and `outputs`.
Fields<TransferDescription> transfer_fields();

/// Bodies whose nodes are too many to be linearised.
void refuse_full_meshes(const TableView& view, const ModelDescription& model);

/// Checks that need the whole list of analyses.
void check_linear_analyses(const std::vector<AnalysisDescription>& analyses, bool has_track,
                           Report& report);

}  // namespace solidyn::model
