#include "window/export_work.hpp"

#include <fmt/format.h>

#include <memory>
#include <new>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/language.hpp"
#include "lessons/handout.hpp"
#include "panels/saved_files.hpp"
#include "picture/write_png.hpp"
#include "trace/file.hpp"
#include "words/in_words.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

namespace fs = std::filesystem;

// Returns a function that calls f. If f throws an error, the returned function returns the error as a
// sentence.
template <class F>
ExportWork guarded(F f) {
  return [f = std::move(f)](Job& job) -> Saved {
    try {
      return f(job);
    } catch (const std::bad_alloc&) {
      return {tr("There is not enough memory for this export. Nothing was saved."), true};
    } catch (const std::exception& e) { return {in_words(e), true}; }
  };
}

Saved kept(const ExportTarget& target, const std::string& ending, std::string bytes) {
  if (target.to_clipboard)
    return {tr("The picture is in the clipboard until this window closes."), false, std::move(bytes)};
  return {save_bytes(target.folder, target.name, ending, bytes)};
}

// A new folder. The destructor deletes the folder if the export has not kept the folder.
class NewFolder {
 public:
  explicit NewFolder(const ExportTarget& target) {
    for (int i = 1; !made_; ++i) {
      path_ = target.folder / (i == 1 ? target.name : fmt::format("{}-{}", target.name, i));
      std::error_code error;
      made_ = fs::create_directory(path_, error);
      if (error && !fs::exists(path_))
        throw WorkError(tr("The folder {} could not be made: {}.", path_.string(), error.message()));
    }
  }
  ~NewFolder() {
    std::error_code error;
    if (made_) fs::remove_all(path_, error);
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;
  void keep() { made_ = false; }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
  bool made_ = false;
};

}  // namespace

ExportWork one_step_work(StepPictures pictures, int step, PicturePaper paper, ExportTarget target) {
  return guarded([=](Job& job) {
    PictureEncoder encoder(paper, 1);
    std::string bytes = encoder.add(pictures.draw(step));
    if (encoder.is_one_file()) bytes = encoder.finish();
    job.check();
    return kept(target, paper.ending, std::move(bytes));
  });
}

ExportWork every_step_work(StepPictures pictures, PicturePaper paper, ExportTarget target) {
  return guarded([=](Job& job) {
    const int count = pictures.count();
    PictureEncoder encoder(paper, count);
    std::unique_ptr<NewFolder> folder;
    if (!encoder.is_one_file()) folder = std::make_unique<NewFolder>(target);
    const std::size_t digits = fmt::to_string(count).size();
    for (int step = 0; step < count; ++step) {
      job.check();
      job.set_progress(static_cast<double>(step) / count);
      const std::string bytes = encoder.add(pictures.draw(step));
      if (folder)
        write_file((folder->path() / tr("step-{:0{}}{}", step + 1, digits, paper.ending)).string(), bytes);
    }
    std::string bytes = folder ? std::string() : encoder.finish();
    job.check();
    if (!folder) return kept(target, paper.ending, std::move(bytes));
    folder->keep();
    return Saved{tr("Saved {} in {}.", counted(count, "picture"), folder->path().string())};
  });
}

ExportWork picture_work(Picture picture, ExportTarget target) {
  return guarded([=](Job&) { return kept(target, ".png", png_bytes(picture, target.name + ".png")); });
}

ExportWork handout_work(OpenedLesson lesson, bool answers, ExportTarget target) {
  return guarded([=](Job& job) {
    const std::string bytes = handout_pdf(handout(lesson, answers, job));
    job.check();
    return kept(target, ".pdf", bytes);
  });
}

ExportWork recording_work(std::shared_ptr<const Recording> recording, std::string place,
                          ExportTarget target) {
  return guarded([=](Job& job) {
    Trace trace = recording->trace;
    trace.state = place;
    const std::string bytes = pack(trace);
    job.check();
    return kept(target, ".upsweep", bytes);
  });
}

ExportWork scene_work(Scene scene, PicturePaper paper, ExportTarget target) {
  return guarded([=](Job&) {
    PictureEncoder encoder(paper, 1);
    std::string bytes = encoder.add(scene);
    if (encoder.is_one_file()) bytes = encoder.finish();
    return kept(target, paper.ending, std::move(bytes));
  });
}

}  // namespace upsweep
