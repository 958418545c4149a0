#pragma once
#include <string>
#include <vector>

#include "report/run_folder.h"

namespace solidyn::report {

/// What the page says without its script.
struct StaticRun {
  std::string name, status, message, title;
  std::vector<Table> tables;
  std::vector<std::string> warnings, notes;
};

/// Text as it stands, never markup.
std::string escaped(const std::string& text);

/// The whole file. @param manifest, data  as doc/report.md has them   @param script of the viewer
std::string make_page(const std::string& title, const std::vector<StaticRun>& runs,
                      const Json& manifest, const std::string& data, const std::string& script);

/// The viewer's script; empty when the program was built without it (SOLIDYN_VIEWER=OFF).
const std::string& viewer_script();

}  // namespace solidyn::report
