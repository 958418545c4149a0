#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "solidyn/results/fields.h"

namespace solidyn::results {

/// A part as the files hold it.
struct XdmfPart {
  struct Cells {
    elements::ElementType shape;
    std::int64_t n;
  };
  std::string name, link;
  std::int64_t n_nodes = 0;
  std::vector<Cells> cells;
  std::vector<FieldQuantity> quantities;
};

/// Paths inside fields.h5.
std::string group_of(const XdmfPart& part);
std::string cells_path(const XdmfPart& part, elements::ElementType shape);
std::string values_path(const XdmfPart& part, const std::string& quantity, std::int64_t snapshot);

/// The text of fields.xdmf, grown snapshot by snapshot. `h5_name` is relative to fields.xdmf.
class XdmfText {
 public:
  XdmfText(std::string h5_name, std::vector<XdmfPart> parts);
  void add_snapshot(std::int64_t snapshot, double time);
  std::string text() const;

 private:
  std::string grid(const XdmfPart& part, const XdmfPart::Cells& cells, std::int64_t snapshot) const;
  std::string data(const std::string& path, std::int64_t n, int n_components,
                   const char* number_type) const;
  std::string h5_name_;
  std::vector<XdmfPart> parts_;
  std::string snapshots_;
};

}  // namespace solidyn::results
