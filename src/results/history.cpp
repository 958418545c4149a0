#include "solidyn/results/history.h"

#include <fmt/format.h>

#include <utility>

#include "solidyn/base/error.h"
#include "solidyn/base/log_stage.h"
#include "solidyn/base/mpi.h"

namespace solidyn::results {
namespace {

using base::InputError;

void require_plain(const std::string& word) {
  if (word.empty() || word.find_first_of(",\"\n\r") != std::string::npos)
    throw InputError(fmt::format("`{}` cannot name a column of history.csv", word),
                     "use a name without commas, quotation marks and line breaks");
}

std::string make_header(const std::vector<HistoryColumn>& columns) {
  std::string units = "# units: s", names = "time";
  for (const HistoryColumn& column : columns) {
    require_plain(column.name);
    require_plain(column.unit);
    units += "," + column.unit;
    names += "," + column.name;
  }
  return units + "\n" + names + "\n";
}

// Collective: a name that cannot be a column is refused on all ranks.
std::string checked_header(MPI_Comm comm, const std::vector<HistoryColumn>& columns) {
  std::string header;
  base::run_together(comm, [&] { header = make_header(columns); });
  return header;
}

}  // namespace

HistoryWriter::HistoryWriter(MPI_Comm comm, std::string path,
                             const std::vector<HistoryColumn>& columns,
                             std::optional<double> resume_at)
    : n_columns_(static_cast<std::ptrdiff_t>(columns.size())),
      file_(comm, std::move(path), checked_header(comm, columns), resume_at) {}

void HistoryWriter::write(double time, const Eigen::Ref<const Eigen::VectorXd>& values) {
  const base::LogStage stage(base::Stage::output);
  if (!file_.is_open()) return;
  SOLIDYN_ASSERT(values.size() == n_columns_);
  append_number(time, file_.rows());
  for (const double value : values) {
    file_.rows() += ',';
    append_number(value, file_.rows());
  }
  file_.rows() += '\n';
  file_.row_is_added();
}

void HistoryWriter::flush() { file_.flush(); }

}  // namespace solidyn::results
