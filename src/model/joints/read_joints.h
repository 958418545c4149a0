#pragma once
#include "model/read.h"

namespace solidyn::model {

/// The law of a drive, and the joint that it acts on.
void read_drive(const TableView& view, JointDescription& joint);
/// A drive moves a joint that can move so, and no two drives move the same coordinate.
void check_driven_joints(const TableView& file, const std::vector<JointDescription>& joints,
                         const Names& names);
/// The terms of gears, racks and couplers. @pre the joints that they name are in `joints`
void read_couplings(const TableView& file, std::vector<JointDescription>& joints,
                    const Names& names);

/// In equilibria nothing moves, so that a drive cannot give a rate.
void check_rates_in_statics(const ModelDescription& model, Report& report);

}  // namespace solidyn::model
