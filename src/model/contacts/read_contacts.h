#pragma once
#include "model/read.h"

namespace solidyn::model {

std::vector<ContactDescription> read_contacts(const TableView& file, const ModelDescription& model,
                                              const Names& names);

/// `law` of a contact between shapes with these relative curvatures (1/m; zeros: none).
contact::NormalLaw read_contact_law(const TableView& law, const Eigen::Vector2d& curvatures,
                                    const ModelDescription& model);

void read_contact_sensor(const TableView& view, SensorDescription& sensor,
                         const ModelDescription& model);

}  // namespace solidyn::model
