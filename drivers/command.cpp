#include "command.h"

#include <fmt/format.h>

#include <iostream>

#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/program.h"
#include "solidyn/model/units.h"

namespace solidyn::drivers {

namespace po = boost::program_options;

Options::Options(std::string usage, std::string purpose, std::string example)
    : usage_(std::move(usage)), purpose_(std::move(purpose)), example_(std::move(example)) {
  named_.add_options()("help,h", "show this help");
}

void Options::add_positional(const char* name, const char* meaning) {
  hidden_.add_options()(name, po::value<std::string>(), meaning);
  positional_.add(name, 1);
  positional_names_.emplace_back(name);
}

void Options::add_list(const char* name, const char* meaning) {
  hidden_.add_options()(name, po::value<std::vector<std::string>>(), meaning);
  positional_.add(name, -1);
  positional_names_.emplace_back(name);
}

bool Options::parse(const Arguments& arguments) {
  po::options_description all;
  all.add(named_).add(hidden_);
  try {
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::store(po::command_line_parser(arguments.own)
                  .options(all)
                  .positional(positional_)
                  .style(style)
                  .run(),
              values_);
  } catch (const po::too_many_positional_options_error&) {
    throw UsageError(fmt::format(
        "more than {} argument{}; usage: {}",
        positional_names_.size() == 1 ? "one" : fmt::to_string(positional_names_.size()),
        positional_names_.size() == 1 ? "" : "s", usage_));
  } catch (const po::error& error) {
    throw UsageError(fmt::format("{}; usage: {}", error.what(), usage_));
  }
  if (has("help")) {
    print_help();
    return false;
  }
  for (const std::string& name : positional_names_)
    if (!has(name)) throw UsageError(fmt::format("the {} is missing; usage: {}", name, usage_));
  return true;
}

std::vector<std::string> Options::texts(const std::string& name) const {
  return has(name) ? values_[name].as<std::vector<std::string>>() : std::vector<std::string>();
}

void Options::print_help() const {
  std::cout << "usage: " << usage_ << "\n\n" << purpose_ << "\n\n" << named_;
  std::cout << "\nexample:\n  " << example_ << std::endl;
}

int run_with_petsc(const std::vector<std::string>& petsc_arguments,
                   const std::function<void()>& work) {
  return base::run_program(petsc_arguments, [&work] {
    work();
    return static_cast<int>(kDone);
  });
}

double metres_per(const std::string& unit) {
  if (const std::optional<double> metres = model::find_length_unit(unit)) return *metres;
  throw UsageError(
      fmt::format("unknown unit of length `{}`; expected m, dm, cm, mm, um, in or ft", unit));
}

imported::Units mesh_units(const std::string& word) {
  if (const std::optional<double> metres = model::find_length_unit(word)) return {*metres, 1, 1};
  try {
    return imported::units_by_name(word);
  } catch (const base::InputError& e) {
    throw UsageError(fmt::format(
        "unknown unit of length `{}`; expected m, dm, cm, mm, um, in, ft, or one of the unit systems {}",
        word, e.diagnostics().front().remedy));
  }
}

void refuse_unit_of_length(const std::string& file, const std::string& contents,
                           const std::string& word) {
  const std::optional<double> metres = model::find_length_unit(word);
  if (!metres || *metres == 1.0) return;
  throw base::InputError(
      fmt::format("{} has {}; --mesh-units {} is a unit of length and cannot convert them", file,
                  contents, word),
      "give the unit system of the file, for example  --mesh-units tonne-mm-s");
}

void refuse_unit_of_length(const imported::SolidModel& model, const std::string& word) {
  if (model.materials.empty() && model.masses.empty()) return;
  refuse_unit_of_length(
      model.source,
      fmt::format("{} materials and {} point masses", model.materials.size(), model.masses.size()),
      word);
}

void print_usage_error(const std::string& message) {
  base::expect_single_process_without_launcher();
  MPI_Init(nullptr, nullptr);
  if (base::rank(MPI_COMM_WORLD) == 0) std::cerr << message << std::endl;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}

}  // namespace solidyn::drivers
