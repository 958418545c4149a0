#include "reduction/sbody/sbody_interfaces.h"

namespace solidyn::reduction {
namespace {

std::string report_group(std::size_t i) { return fmt::format("interfaces/{}/report", i); }

}  // namespace

void put_interface_reports(const std::vector<ReducedInterface>& interfaces, SbodyWriter& file) {
  for (std::size_t i = 0; i < interfaces.size(); ++i) {
    const mesh::InterfaceReport& r = interfaces[i].report;
    file.group(report_group(i));
    file.put(report_group(i) + "/attach", std::vector<std::string>{r.attach});
    file.put(report_group(i) + "/n_nodes", std::vector<std::int64_t>{r.n_nodes});
    file.put(report_group(i) + "/first_nodes", r.tags);
    Eigen::MatrixXd places(3, 5);
    places << r.origin, r.centre, r.spread, r.low, r.high;
    file.put(report_group(i) + "/origin_centre_spread_low_high", places);
    file.put(report_group(i) + "/off_point", Eigen::MatrixXd::Constant(1, 1, r.off_point));
  }
}

void get_interface_reports(SbodyReader& file, std::vector<ReducedInterface>& interfaces) {
  for (std::size_t i = 0; i < interfaces.size(); ++i) {
    mesh::InterfaceReport& r = interfaces[i].report;
    r.name = interfaces[i].name;
    r.attach = file.strings(report_group(i) + "/attach").at(0);
    r.n_nodes = file.integers(report_group(i) + "/n_nodes").at(0);
    r.tags = file.integers(report_group(i) + "/first_nodes");
    const Eigen::MatrixXd places = file.matrix(report_group(i) + "/origin_centre_spread_low_high");
    if (places.rows() != 3 || places.cols() != 5)
      throw base::Hdf5Error(fmt::format("{} has the wrong shape", report_group(i)));
    r.origin = places.col(0);
    r.centre = places.col(1);
    r.spread = places.col(2);
    r.low = places.col(3);
    r.high = places.col(4);
    r.off_point = file.matrix(report_group(i) + "/off_point")(0, 0);
  }
}

}  // namespace solidyn::reduction
