#include <fmt/format.h>

#include "model/language/field.h"
#include "model/track/rail_track.h"

namespace solidyn::model {
namespace {

using railway::Outwards;

const Choice<Outwards>& ways_of_y() {
  static const Choice<Outwards> ways = {{"found", Outwards::found},
                                        {"outwards", Outwards::by_positive_y},
                                        {"inwards", Outwards::by_negative_y}};
  return ways;
}

railway::ProfileFileOptions read_options(const TableView& view) {
  railway::ProfileFileOptions options;
  if (view.is_good("unit")) options.metres = find_length_unit(view.text("unit"));
  const std::vector<double> shift = view.numbers("shift");
  if (shift.size() == 2) options.shift = {shift[0], shift[1]};
  options.rotation = view.number("rotation");
  read_choice(view, "y", ways_of_y(), options.outwards);
  options.z_is_up = view.text("z") == "up";
  options.smoothing = view.number("smoothing");
  return options;
}

}  // namespace

const TableSpec& profile_file_table() {
  static const TableSpec table{
      "profile_file",
      "How the numbers of a profile's file become a profile, in this order: scaled, shifted, turned, mirrored. doc/railway.md.",
      {Key("unit", Form::word,
           "unit of length; by default what a .prw or .prr says, and mm in tables", "mm")
           .among({"m", "mm", "cm", "in"}),
       Key("shift", Form::vector, "in the file's directions of y and z", "[0.001, 0]")
           .in(kLength)
           .sized(2)
           .or_else("[0, 0]"),
       Key("rotation", Form::number, "from the file's y to its z", "0.01").in(kAngle).or_else("0"),
       Key("y", Form::word,
           "which way y points: `outwards` to the field side, `inwards` to the flange or the gauge side, or `found` from a wheel's flange, a symmetric head, or the format",
           "outwards")
           .among({"found", "outwards", "inwards"})
           .or_else("found"),
       Key("z", Form::word, "which way z of a table points; that of .prw and .prr points down",
           "up")
           .among({"down", "up"})
           .or_else("down"),
       Key("smoothing", Form::number,
           "root mean square distance of the spline from the points; without, it goes through them",
           "2e-6")
           .in(kLength)
           .within(kNotNegative)
           .or_else("0")}};
  return table;
}

void report_all(const base::InputError& error, const TableView& view, const std::string& key) {
  for (const base::Diagnostic& d : error.diagnostics())
    view.report().error(view.where(key), fmt::format("{}: {}", view.path(key), d.what), d.remedy);
}

std::shared_ptr<const railway::Profile> read_profile_of(const TableView& view,
                                                        railway::ProfileKind kind,
                                                        const std::string& key) {
  const std::string text = view.text(key), options = key + "_file";
  if (text.empty()) return nullptr;
  try {
    const std::string name = text.substr(0, text.find(':'));
    const std::filesystem::path file = (view.context().directory / text).lexically_normal();
    const bool is_file = std::filesystem::exists(file) && !railway::is_built_in_profile(kind, text);
    if (!is_file && view.has(options)) {
      view.report().error(view.where(options),
                          fmt::format("{} is given, but {} `{}` is no file", view.path(options),
                                      view.path(key), text),
                          "remove it, or name the file of a profile");
      return nullptr;
    }
    if (!is_file)
      return std::make_shared<railway::Profile>(railway::make_built_in_profile(kind, text));
    view.context().data_files[view.path(key)] = file;
    const railway::ProfileFileOptions how =
        view.has(options) ? read_options(view.table(options)) : railway::ProfileFileOptions();
    return std::make_shared<railway::Profile>(
        railway::read_profile(kind, file.string(), how).profile);
  } catch (const base::InputError& error) {
    report_all(error, view, key);
    return nullptr;
  }
}

}  // namespace solidyn::model
