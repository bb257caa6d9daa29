// Makes the functions that another thread runs for an export. These functions draw pictures, pack pictures,
// and write files with new names.
#pragma once
#include <filesystem>
#include <functional>
#include <string>

#include "base/job.hpp"
#include "lessons/course.hpp"
#include "picture/picture.hpp"
#include "scene/step_pictures.hpp"
#include "study/worker.hpp"
#include "window/picture_encoder.hpp"

namespace upsweep {

// The result of an export: a sentence that names the file, or that names the error.
struct Saved {
  std::string sentence;
  bool has_failed = false;
  std::string picture{};  // the bytes of a PNG file for the clipboard; empty for none
};
using ExportWork = std::function<Saved(Job&)>;
using Exporter = Worker<ExportWork, Saved>;

// The target of an export: a new file in a folder. The file is called "NAME.png", or "NAME-2.png" if the
// first name is taken, and so on.
struct ExportTarget {
  std::filesystem::path folder;
  std::string name;
  // True if the ExportWork returns the bytes of a PNG file instead of writing a file.
  bool to_clipboard = false;
};

// Each of the next functions returns an ExportWork. A call of the ExportWork carries out the export, and
// returns an error as a sentence. A cancelled export leaves no file.

ExportWork one_step_work(StepPictures pictures, int step, PicturePaper paper, ExportTarget target);
// Returns an ExportWork that writes one file, or a new folder with numbered PNG or SVG files.
ExportWork every_step_work(StepPictures pictures, PicturePaper paper, ExportTarget target);
ExportWork picture_work(Picture picture, ExportTarget target);
ExportWork handout_work(OpenedLesson lesson, bool answers, ExportTarget target);
// Returns an ExportWork that writes a recording. `place` is the text of the place that the recording shows
// when the user opens the file.
ExportWork recording_work(std::shared_ptr<const Recording> recording, std::string place, ExportTarget target);
ExportWork scene_work(Scene scene, PicturePaper paper, ExportTarget target);

}  // namespace upsweep
