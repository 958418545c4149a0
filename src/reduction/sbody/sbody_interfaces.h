#pragma once
#include "reduction/sbody/sbody_file.h"
#include "solidyn/reduction/reduced_body.h"

namespace solidyn::reduction {

/// Which nodes each interface took, `interfaces/<i>/report/*`, for people.
void put_interface_reports(const std::vector<ReducedInterface>& interfaces, SbodyWriter& file);
void get_interface_reports(SbodyReader& file, std::vector<ReducedInterface>& interfaces);

}  // namespace solidyn::reduction
