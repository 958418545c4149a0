#include "formats/nastran/op2/bulk.h"
#include "formats/nastran/op2/words.h"
#include "solidyn/formats/nastran/bulk_and_punch.h"
#include "solidyn/formats/nastran/op2/op2.h"

namespace solidyn::formats {

imported::SolidModel read_op2_geometry(const Op2File& file) {
  imported::ImportReport report;
  warn_of_open_end(file, report);
  std::string text = op2_grids_as_bulk(file, report);
  if (text.empty())
    throw base::InputError("the file contains no grids (tables BGPDT with EQEXIN, or GEOM1)",
                           "write the geometry into it: PARAM,POST,-1 with PARAM,OGEOM,YES",
                           {file.name(), 0, 0});
  text += op2_elements_as_bulk(file, report) + "ENDDATA\n";
  imported::SolidModel model = without_lines([&] { return parse_nastran_bulk(text, file.name()); });
  model.format = "Nastran OP2";
  for (base::Diagnostic& warning : model.report.warnings) warning.where.line = 0;
  for (imported::Material& material : model.materials) material.where.line = 0;
  for (auto& [card, where] : model.report.unsupported) where.line = 0;
  model.report.skipped.insert(report.skipped.begin(), report.skipped.end());
  model.report.warnings.insert(model.report.warnings.end(), report.warnings.begin(),
                               report.warnings.end());
  return model;
}

}  // namespace solidyn::formats
