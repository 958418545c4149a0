#include "formats/nastran/op2/grids.h"

#include "formats/nastran/bulk/grids.h"
#include "formats/nastran/lines/deck.h"
#include "formats/nastran/op2/bulk.h"

namespace solidyn::formats {

struct Op2Grids::Content {
  std::string text;  // the cards point into it
  std::optional<NastranDeck> deck;
  NastranGrids grids;
};

Op2Grids::Op2Grids(const Op2File& file, imported::ImportReport& report)
    : content_(std::make_unique<Content>()) {
  content_->text = op2_grids_as_bulk(file, report);
  content_->deck.emplace(NastranSource{file.name(), {}, content_->text}, refuse_include);
  Complaints complaints;
  without_lines([&] {
    for (NastranCard card; content_->deck->next(card);) content_->grids.add(card);
    content_->grids.finish(content_->deck->lines(), complaints, report);
    complaints.throw_if_any();
  });
  for (base::Diagnostic& warning : report.warnings) warning.where.line = 0;
}

Op2Grids::~Op2Grids() = default;

bool Op2Grids::empty() const { return content_->grids.size() == 0; }

std::optional<Eigen::Vector3d> Op2Grids::find(std::int64_t tag) const {
  const std::int32_t grid = content_->grids.find(tag);
  if (grid < 0) return std::nullopt;
  return content_->grids.x(grid);
}

std::map<std::int64_t, Eigen::Matrix3d> Op2Grids::axes() {
  std::map<std::int64_t, Eigen::Matrix3d> axes;
  NastranGrids& grids = content_->grids;
  Complaints complaints;
  without_lines([&] {
    grids.for_each_axes(
        [&](std::int32_t grid, const Eigen::Matrix3d& R) {
          axes.emplace(grids.tags()[static_cast<std::size_t>(grid)], R);
        },
        complaints);
    complaints.throw_if_any();
  });
  return axes;
}

}  // namespace solidyn::formats
