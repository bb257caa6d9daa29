#include "study/timing_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "base/language.hpp"
#include "catalogue/ladder.hpp"
#include "study/puzzle.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

constexpr int least_n = 1 << 10, most_n = 1 << 28;

}  // namespace

TimingModel::TimingModel(Start start)
    : sources_(std::move(start.recorded)),
      shown_(sources_.empty() ? -1 : 0),
      wake_(start.wake),
      sweeper_(std::move(start.measure), std::move(start.wake)) {}

const TimingSource* TimingModel::source() const {
  return shown_ < 0 ? nullptr : &sources_[static_cast<std::size_t>(shown_)];
}

bool TimingModel::show(int source) {
  if (source < 0 || source >= static_cast<int>(sources_.size()) || source == shown_) return false;
  shown_ = source;
  hover = -1;
  return true;
}

bool TimingModel::next_source() {
  return !sources_.empty() && show((shown_ + 1) % static_cast<int>(sources_.size()));
}

bool TimingModel::open(const std::string& path, double patience) {
  if (!reader_)
    reader_ = std::make_unique<Worker<std::string, FileRead>>(
        [](const std::string& file, Job&) {
          FileRead read;
          try {
            Timings timings = read_timings(file);
            const std::string name = timings.recorded = std::filesystem::path(file).filename().string();
            read.source = source_of(name, std::move(timings));
          } catch (const std::exception& e) { read.error = in_words(e); }
          return read;
        },
        wake_);
  reader_->begin(path);
  if (!reader_->wait(patience)) return false;
  FileRead read = *reader_->take();
  if (!read.source) throw RequestError(read.error);
  show_opened(std::move(*read.source));
  return true;
}

void TimingModel::show_opened(TimingSource source) {
  // If a file is opened a second time, its new rows replace its old rows.
  const auto same = std::find_if(sources_.begin(), sources_.end(),
                                 [&](const TimingSource& s) { return !s.live && s.name == source.name; });
  hover = -1;
  shown_ = static_cast<int>(same - sources_.begin());
  if (same == sources_.end()) sources_.push_back(std::move(source));
  else *same = std::move(source);
}

void TimingModel::measure(const Algorithm& a, const Chosen& chosen) {
  if (measuring_) throw RequestError(tr("A measurement is running: cancel the measurement first."));
  // Throws if the algorithm is not in the catalogue, because only kernels of the catalogue can be measured.
  algorithm(a.name);
  if (a.is_broken())
    throw RequestError(tr("{} is broken on purpose: its speed means nothing.", puzzle_name(a)));
  if (chosen.now.without_barrier > 0)
    throw RequestError(tr("A wrong kernel's speed means nothing: put the missing barrier back first (X)."));
  if (chosen.now.op == Operator::own)
    throw RequestError(tr("Only built-in operators are measured: choose sum, product, min, max or affine."));
  SweepRequest request;
  request.sizes = powers_of_two(least_n, most_n);
  const auto add = [&](Settings s) {
    s.n = least_n;
    s.columns = 0;  // columns_of() chooses the number of columns for each size
    const Algorithm& its = algorithm(s.algorithm);
    for (const Choice& v : its.choices)  // stores every option, even the default options
      if (v.name != method_choice) s.choose(v.name, upsweep::chosen(its, s, v.name));
    request.kernels.push_back({s, false, false});  // the block and the grid are chosen for each size
  };
  add(chosen.now);
  if (chosen.compared) add(*chosen.compared);
  if (!sweeper_.begin(request))
    throw RequestError(tr("The last measurement has not ended yet: try again in a moment."));
  // Compares with this variant until the user chooses another variant.
  wanted_compared_ = chosen.compared;
  begin_live(request);
}

// Prepares the chart for new points. The axes of the chart show all sizes from the start, so that nothing
// moves when points arrive.
void TimingModel::begin_live(const SweepRequest& request) {
  measuring_ = true;
  cancelling_ = false;
  progress_ = {};
  error_.clear();
  TimingSource live{tr("this computer"), std::make_shared<const Timings>(), true, request.sizes.front(),
                    request.sizes.back()};
  shown_before_ = shown_;
  live_before_.reset();
  if (sources_.empty() || !sources_.front().live) sources_.insert(sources_.begin(), std::move(live));
  else live_before_ = std::exchange(sources_.front(), std::move(live));
  shown_ = 0;
  hover = -1;
}

void TimingModel::cancel() {
  if (!measuring_) return;
  cancelling_ = true;
  sweeper_.cancel();
}

bool TimingModel::tick() {
  if (auto read = reader_ ? reader_->take() : std::nullopt) {
    if (read->source) show_opened(std::move(*read->source));
    else error_ = std::move(read->error);
    return true;
  }
  auto news = sweeper_.take();
  if (!news || sources_.empty() || !sources_.front().live) return false;
  if (!news->progress.what.empty()) progress_.what = news->progress.what;
  if (news->progress.all > 0) progress_.done = news->progress.done, progress_.all = news->progress.all;
  if (news->timings) sources_.front().timings = std::move(news->timings);
  if (news->over) {
    measuring_ = cancelling_ = false;
    error_ = news->error;
    leave_empty_sweep();
  }
  return true;
}

void TimingModel::leave_empty_sweep() {
  const std::vector<Timing>& rows = sources_.front().timings->rows;
  const bool is_only_source = sources_.size() == 1 && !live_before_;
  if (is_only_source || std::ranges::any_of(rows, was_measured)) return;
  const auto reason = std::ranges::find_if(rows, [](const Timing& t) { return bool(t.missing); });
  if (error_.empty() && reason != rows.end())
    error_ = tr("Nothing was measured here. {}", in_words(reason->missing));
  if (shown_ == 0) shown_ = shown_before_;
  else if (!live_before_) --shown_;
  if (live_before_) sources_.front() = *std::exchange(live_before_, std::nullopt);
  else sources_.erase(sources_.begin());
  hover = -1;
}

std::array<std::optional<TimingCase>, 2> TimingModel::cases() const {
  const TimingSource* s = source();
  return s ? std::array{s->cases.pays, s->cases.hidden} : std::array<std::optional<TimingCase>, 2>{};
}

std::optional<Settings> TimingModel::compared(const Algorithm& a, const Settings& now) const {
  const auto timings = source() ? source()->timings : nullptr;
  if (!known_ || known_->now != now || known_->wanted != wanted_compared_ || known_->timings != timings)
    known_ = Known{now, wanted_compared_, timings, find_compared(a, now)};
  return known_->compared;
}

std::optional<Settings> TimingModel::find_compared(const Algorithm& a, const Settings& now) const {
  if (wanted_compared_ && is_same_ladder(a, wanted_compared_->algorithm)) {
    const Settings wanted = with_choices_of(now, *wanted_compared_);
    try {
      validate(wanted);
      if (wanted.algorithm != now.algorithm || variant_name(wanted) != variant_name(now)) return wanted;
    } catch (const RequestError&) {}  // for this type or operator, the algorithm does not have the variant
  }
  const std::vector<Settings> all = comparable_with(a, now);
  if (all.empty()) return std::nullopt;
  const auto measured = std::find_if(all.begin(), all.end(), [&](const Settings& s) {
    return source() && why_not_there(*source()->timings, s).empty();
  });
  return measured == all.end() ? all.front() : *measured;
}

void TimingModel::pin(const Timing& row) {
  const std::pair key(who(as_run(row)), row.settings.n);
  const auto at = std::find(pins_.begin(), pins_.end(), key);
  if (at == pins_.end()) pins_.push_back(key);
  else pins_.erase(at);
}

bool TimingModel::is_pinned(const Timing& row) const {
  return std::find(pins_.begin(), pins_.end(), std::pair(who(as_run(row)), row.settings.n)) != pins_.end();
}

}  // namespace upsweep
