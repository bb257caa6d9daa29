// Carries out exports in another thread: draws pictures, packs them, and writes files with new names.
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

// The result of an export: a sentence that names the file or says what went wrong.
struct Saved {
  std::string sentence;
  bool has_failed = false;
  std::string picture{};  // a PNG file for the clipboard, if it is not empty
};
using ExportWork = std::function<Saved(Job&)>;
using Exporter = Worker<ExportWork, Saved>;

// Where an export goes: a new file "NAME.png", or "NAME-2.png", ... in a folder.
struct ExportTarget {
  std::filesystem::path folder;
  std::string name;
  bool to_clipboard = false;  // a PNG file is returned instead
};

// The functions return work that catches errors: it returns them as sentences. A cancelled export leaves no
// file.

ExportWork one_step_work(StepPictures pictures, int step, PicturePaper paper, ExportTarget target);
// Writes one file, or a new folder of numbered PNG or SVG files.
ExportWork every_step_work(StepPictures pictures, PicturePaper paper, ExportTarget target);
ExportWork picture_work(Picture picture, ExportTarget target);
// Writes the handout of a lesson.
ExportWork handout_work(OpenedLesson lesson, bool answers, ExportTarget target);
// Writes a recording, with the text of the place that it shows when it is opened.
ExportWork recording_work(std::shared_ptr<const Recording> recording, std::string place, ExportTarget target);
ExportWork scene_work(Scene scene, PicturePaper paper, ExportTarget target);

}  // namespace upsweep
