#pragma once
#include <boost/program_options.hpp>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "solidyn/base/program.h"
#include "solidyn/imported/solid_model.h"

/// What the subcommands of the executable share: reading options, starting and leaving PETSc.
namespace solidyn::drivers {

/// Exit statuses of the program. kDoubtful: the job came to its end and wrote its results, but has
/// reasons to distrust them.
enum Exit {
  kDone = 0,
  kFailed = base::kExitFailed,
  kWrongInput = base::kExitWrongInput,
  kDoubtful = 3
};

/// The arguments of a subcommand, and what follows `--`, which is PETSc's.
struct Arguments {
  std::vector<std::string> own, petsc;
};

/// The command line is wrong; main() prints it once, with a hint, and leaves with kWrongInput.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Command {
  const char* name;
  const char* summary;
  int (*run)(const Arguments& arguments);
};

int bench_command(const Arguments& arguments);
int cache_command(const Arguments& arguments);
int check_command(const Arguments& arguments);
int conicity_command(const Arguments& arguments);
int convert_command(const Arguments& arguments);
int info_command(const Arguments& arguments);
int psd_command(const Arguments& arguments);
int reduce_command(const Arguments& arguments);
int ride_command(const Arguments& arguments);
int report_command(const Arguments& arguments);
int run_command(const Arguments& arguments);
int schema_command(const Arguments& arguments);

/// The options of one subcommand: named ones, and positional arguments.
class Options {
 public:
  /// @param usage  "solidyn check MODEL [options]"   @param example  a command that runs as printed
  Options(std::string usage, std::string purpose, std::string example);
  boost::program_options::options_description_easy_init add() { return named_.add_options(); }
  /// Declares the next argument without a name of its own; all of them are needed.
  void add_positional(const char* name, const char* meaning);
  /// Declares all further arguments, at least one, as texts(name).
  void add_list(const char* name, const char* meaning);

  /// False when only help was asked for, and printed. Throws UsageError.
  bool parse(const Arguments& arguments);
  bool has(const std::string& name) const { return values_.count(name) > 0; }
  std::string text(const std::string& name) const { return values_[name].as<std::string>(); }
  template <class T>
  T value(const std::string& name) const {
    return values_[name].as<T>();
  }
  std::vector<std::string> texts(const std::string& name) const;

 private:
  void print_help() const;

  std::string usage_, purpose_, example_;
  boost::program_options::options_description named_{"options"};
  boost::program_options::options_description hidden_;
  boost::program_options::positional_options_description positional_;
  std::vector<std::string> positional_names_;
  boost::program_options::variables_map values_;
};

/// base::run_program() for work whose end is success.
int run_with_petsc(const std::vector<std::string>& petsc_arguments,
                   const std::function<void()>& work);

/// Metres per unit of length. Throws UsageError for a unit that is not known.
double metres_per(const std::string& unit);

/// What one unit of a mesh file is: of a unit of length (mass and time SI), or of a set of units
/// such as "tonne-mm-s". Throws UsageError for a word that is neither.
imported::Units mesh_units(const std::string& word);

/// What has masses and stiffnesses needs more than a unit of length (other than m, which stands for
/// SI). @throws base::InputError when `word` is one; of a model, when it has materials or masses
/// @param contents  what the file has, for the message
void refuse_unit_of_length(const std::string& file, const std::string& contents,
                           const std::string& word);
void refuse_unit_of_length(const imported::SolidModel& model, const std::string& word);

/// Prints a message once, whatever the number of ranks.
void print_usage_error(const std::string& message);

}  // namespace solidyn::drivers
