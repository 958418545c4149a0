// The executable `solidyn`: one subcommand per file of this folder.
//
//   solidyn check examples/slider_crank/slider_crank.yaml
//   mpirun -n 2 solidyn run examples/slider_crank/slider_crank.yaml -o out
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "command.h"

namespace solidyn::drivers {
namespace {

constexpr std::array<Command, 12> kCommands = {{
    {"check", "read a model file, report all errors, print a summary", check_command},
    {"run", "run the analyses of a model file", run_command},
    {"report", "write an HTML file that shows the motion and the results of runs", report_command},
    {"reduce", "reduce one flexible body of a model file to its modes, and write them to a file",
     reduce_command},
    {"convert", "write a mesh in another format: .msh to .smesh and back", convert_command},
    {"conicity", "print the equivalent conicity of a wheel profile on a rail profile",
     conicity_command},
    {"psd", "print power spectral densities of columns of a history", psd_command},
    {"ride", "print comfort and running safety of a railway vehicle from a history", ride_command},
    {"info", "print the contents of a mesh file or a reduced body", info_command},
    {"bench", "time assembly, solution and implicit steps (benchmark)", bench_command},
    {"cache", "show or clear the cache of reduced bodies", cache_command},
    {"schema", "print the JSON Schema of the model file, or the tables of keys in the manual",
     schema_command},
}};

std::string overview() {
  std::string text =
      "solidyn, flexible multibody dynamics\n\n"
      "usage: solidyn COMMAND [arguments] [-- PETSc options]\n"
      "       mpirun -n N solidyn COMMAND ...   (the same job on N ranks)\n\ncommands:\n";
  for (const Command& command : kCommands)
    text += fmt::format("  {:<9} {}\n", command.name, command.summary);
  return text + "\nsolidyn COMMAND --help explains one; solidyn --version prints the version.\n";
}

std::string command_names() {
  std::string names;
  for (const Command& command : kCommands) names += fmt::format(" {}", command.name);
  return names;
}

/// "run " when that is the first word, else "".
std::string known_command(const std::vector<std::string>& words) {
  for (const Command& command : kCommands)
    if (!words.empty() && words[0] == command.name) return words[0] + " ";
  return "";
}

Arguments split(const std::vector<std::string>& words) {
  const auto separator = std::find(words.begin(), words.end(), "--");
  Arguments arguments{{words.begin(), separator}, {}};
  if (separator != words.end()) arguments.petsc.assign(separator + 1, words.end());
  return arguments;
}

int dispatch(const std::vector<std::string>& words) {
  if (words.empty()) throw UsageError("no command given; the commands are" + command_names());
  if (words[0] == "--help" || words[0] == "-h") {
    std::cout << overview();
    return kDone;
  }
  if (words[0] == "--version") {
    std::cout << "solidyn " << SOLIDYN_VERSION << std::endl;
    return kDone;
  }
  for (const Command& command : kCommands)
    if (words[0] == command.name)
      return command.run(split(std::vector<std::string>(words.begin() + 1, words.end())));
  throw UsageError(
      fmt::format("unknown command `{}`; the commands are{}", words[0], command_names()));
}

/// What was printed may have found no place, as on a full disk.
int flush_output() {
  std::cout.flush();
  if (std::cout && std::fflush(stdout) == 0) return kDone;
  errno = 0;
  const bool is_well_now =
      ::write(STDOUT_FILENO, "\n", 1) == 1;  // the stream forgets why it failed
  std::cerr << fmt::format("solidyn: the output could not be written completely{}{}\n",
                           is_well_now ? "" : ": ", is_well_now ? "" : std::strerror(errno));
  return kFailed;
}

}  // namespace
}  // namespace solidyn::drivers

int main(int argc, char** argv) {
  using namespace solidyn::drivers;
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    const int status = dispatch(words);
    return std::max(status, flush_output());
  } catch (const UsageError& error) {
    print_usage_error(
        fmt::format("solidyn: {}\n  try: solidyn {}--help", error.what(), known_command(words)));
    return kWrongInput;
  } catch (const std::exception& error) {
    std::cerr << "solidyn: " << error.what() << std::endl;
    return kFailed;
  }
}
