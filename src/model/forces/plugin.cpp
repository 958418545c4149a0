#include "model/forces/force_places.h"
#include "solidyn/forces/plugin_force.h"

namespace solidyn::model {
namespace {

/// A force from a shared library (solidyn/plugin/force.h).
struct PluginEntry final : ForceEntryOf<PluginEntry> {
  BetweenPlaces where_it_acts;
  std::filesystem::path library;  ///< absolute
  forces::PluginForce::Parameters parameters;

  static const Fields<PluginEntry>& fields();
  std::string acts_on() const override { return where_it_acts.text(); }
  std::vector<PlaceDescription> places() const override {
    return {where_it_acts.between.begin(), where_it_acts.between.end()};
  }
  std::vector<std::pair<std::string, std::filesystem::path>> files() const override {
    return {{"library", library}};
  }
  std::unique_ptr<forces::Force> build(const Builder& builder) const override {
    return std::make_unique<forces::PluginForce>(
        name, add_own_frames(*this, where_it_acts.between, builder), library.string(), parameters);
  }
};

void read_parameters(PluginEntry& entry, const TableView& view, const Scope&) {
  if (!view.is_good("parameters")) return;
  for (const Entry& parameter : view.find("parameters")->entries)
    entry.parameters.emplace_back(parameter.key, *as_number(parameter.value));
}

const Fields<PluginEntry>& PluginEntry::fields() {
  using Self = PluginEntry;
  static const Fields<Self> list = {
      read_by<Self>(
          Key("between", Form::references, "the two places", "[ground, box.top]").sized(2).needed(),
          [](Self& entry, const TableView& view, const Scope& scope) {
            entry.where_it_acts.read(view, Turns::yes, scope);
          }),
      field(Key("library", Form::path, "shared library (include/solidyn/plugin/force.h)",
                "libgrip.so")
                .needed(),
            &Self::library),
      read_by<Self>(
          Key("parameters", Form::named_numbers,
              "numbers passed unchanged to the library; all other values exchanged with the library are SI",
              "{stiffness: 1e4}"),
          read_parameters)};
  return list;
}

}  // namespace

ForceType plugin_row() { return PluginEntry::row("plugin", "a shared library"); }

}  // namespace solidyn::model
