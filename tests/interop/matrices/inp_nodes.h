#pragma once
#include <Eigen/Dense>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace solidyn::testing_support {

/// The nodes of an Abaqus input file without transformed instances.
inline std::map<std::int64_t, Eigen::Vector3d> nodes_of_input(const std::string& path) {
  std::map<std::int64_t, Eigen::Vector3d> nodes;
  std::ifstream file(path);
  bool are_nodes = false;
  for (std::string line; std::getline(file, line);) {
    if (line[0] == '*') {
      are_nodes = line.substr(0, 5) == "*NODE" || line.substr(0, 5) == "*Node";
      are_nodes = are_nodes && (line.size() < 6 || line[5] == ',' || line[5] == '\r');
      continue;
    }
    if (!are_nodes) continue;
    for (char& c : line)
      if (c == ',') c = ' ';
    std::istringstream items(line);
    std::int64_t tag = 0;
    Eigen::Vector3d x;
    items >> tag >> x[0] >> x[1] >> x[2];
    nodes[tag] = x;
  }
  return nodes;
}

}  // namespace solidyn::testing_support
