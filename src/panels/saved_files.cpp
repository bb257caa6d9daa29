#include "panels/saved_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/language.hpp"
#include "export/export.hpp"
#include "panels/timing_panel.hpp"
#include "picture/write_png.hpp"
#include "scene/views/image_look.hpp"
#include "study/output_csv.hpp"
#include "words/hidden_answer.hpp"

namespace upsweep {
namespace {

namespace fs = std::filesystem;

constexpr float width = 960, height = 540;

// Calls write("NAME"), write("NAME-2"), write("NAME-3") and so on, until a call returns true. If a file with
// the name exists, `write` must return false and write nothing, see write_new_file().
template <class Write>
void write_with_new_name(const std::string& name, Write write) {
  for (int i = 1; !write(i == 1 ? name : fmt::format("{}-{}", name, i)); ++i) {}
}

// Writes a new file into a folder, and returns the path of the file.
fs::path write_file_with_new_name(const fs::path& folder, const std::string& name, const char* extension,
                                  const std::string& content) {
  fs::path path;
  write_with_new_name(name, [&](const std::string& free) {
    path = folder / (free + extension);
    return write_new_file(path.string(), content);
  });
  return path;
}

}  // namespace

fs::path save_folder() {
  std::error_code error;
  const fs::path folder = fs::current_path(error);
  if (error) throw WorkError(tr("The folder in which Upsweep was started no longer exists."));
  return folder;
}

std::string save_chart(TimingModel& model, const Chosen& chosen, const Theme& theme, const fs::path& folder) {
  if (!model.source() || model.source()->timings->rows.empty())
    throw RequestError(tr("There are no times to draw yet: press S to measure on this computer."));
  // The picture in the file must not depend on the mouse, so the chart is drawn as if the mouse
  // were over none of its parts.
  const int hover = std::exchange(model.hover, -1);
  const Scene scene = timing_picture(model, chosen, model.chart, theme, width, height).scene;
  model.hover = hover;
  std::string chart(timing_chart_names[static_cast<std::size_t>(model.chart)]);
  std::replace(chart.begin(), chart.end(), ' ', '-');
  const std::string name = fmt::format("upsweep-{}-{}", chart, without_name(chosen.now.algorithm));
  fs::path picture, page;
  write_with_new_name(name, [&](const std::string& free) {
    picture = folder / (free + ".svg");
    page = folder / (free + ".pdf");
    return !fs::exists(fs::symlink_status(page)) && write_new_file(picture.string(), svg(scene)) &&
           write_new_file(page.string(), pdf(scene));
  });
  return tr("The chart was saved as {} and as {}.", picture.string(), page.filename().string());
}

std::string save_made_picture(const Recording& recording, const ImageLook& look, const fs::path& folder) {
  if (!recording.picture)
    throw RequestError(tr("This run has no picture to save: choose the algorithm summed_area_table."));
  const RecordedTable& table = recording.table();
  const std::string name =
      look.made == Made::box_means        ? fmt::format("upsweep-box-{}", box_width(look, table.shape()))
      : look.made == Made::depth_of_field ? fmt::format("upsweep-focus-{:.1f}", look.focus)
                                          : std::string("upsweep-error");
  const std::string bytes = png_bytes(made_picture(table, look), (folder / (name + ".png")).string());
  return tr("The picture was saved as {}.", write_file_with_new_name(folder, name, ".png", bytes).string());
}

std::string save_bytes(const fs::path& folder, const std::string& name, const std::string& ending,
                       const std::string& bytes) {
  return tr("Saved as {}.", write_file_with_new_name(folder, name, ending.c_str(), bytes).string());
}

std::string save_output(const Trace& trace, const fs::path& folder) {
  return tr("The output was saved as {}.",
            write_file_with_new_name(folder, "upsweep-" + without_name(trace.settings.algorithm), ".csv",
                                     output_csv(trace))
                .string());
}

}  // namespace upsweep
