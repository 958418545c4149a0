#pragma once
#include "model/joints/joint_entry.h"
#include "model/read.h"

/// The types of joints, couplings and drives that a model file may have.
namespace solidyn::model {

/// In the order of the manual.
const std::vector<JointType>& joint_catalogue();

/// Null when no type has this word.
const JointType* find_joint_type(const std::string& word);

/// Words of the joints that leave one of these free, for remedies: "revolute, planar or screw".
std::string joint_types_with(const std::vector<JointFreedom>& freedoms);

/// The types of all joints of the file, and those whose type is wrong.
void read_joint_names(const TableView& file, Names& names);

/// `joints` of a model. @pre its bodies and the names of all joints have been read
std::vector<std::shared_ptr<JointEntry>> read_joints(const TableView& file, const Scope& scope);

/// Their actuators over sensors, which are read after the joints that sensors name.
void read_joint_actuators(const TableView& file, const SensorEntries& sensors,
                          const std::vector<std::shared_ptr<JointEntry>>& joints);

/// The traits of the joint that `key` names; null when the key is not there or wrong, or after a
/// complaint.
const JointTraits* find_referred_traits(const TableView& view, const std::string& key,
                                        const std::string& joint, const Names& names);

/// In equilibria nothing moves, so that a drive cannot give a rate.
void check_rates_in_statics(const ModelDescription& model, Report& report);

/// Adds the springs, dampers, actuators, limits and friction of a joint that is there.
void add_joint_forces(const JointEntry& joint, const Builder& builder);

/// Warns of joints whose two places have poses of their own that do not fit as modelled.
/// @throws base::InputError where they are more than a right angle from fitting
void check_gaps(const ModelDescription& model, const PlaceFinder& places);

}  // namespace solidyn::model
