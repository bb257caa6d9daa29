#include "measure/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "catalogue/catalogue.hpp"
#include "machine/gpu/gpu_device.hpp"
#include "measure/excess.hpp"
#include "measure/gpu_bench.hpp"
#include "measure/opengl_bench.hpp"
#include "measure/prober.hpp"
#include "measure/processor.hpp"
#include "trace/provenance.hpp"

namespace upsweep {
namespace {

constexpr int rounds = 5;  // in each round, all rows of a size are measured in turn
constexpr std::uint64_t kept_free = std::uint64_t{1} << 30;  // bytes of the GPU's memory for other programs

// Returns a row's name and variant: "scan_blelloch pad32".
std::string label(const Timing& t) { return t.variant.empty() ? t.name : t.name + " " + t.variant; }

// Opens the GPU. If the computer has no GPU, returns null and sets `why_not` to the reason.
std::unique_ptr<GpuBench> open_gpu(Message& why_not) {
  try {
    return std::make_unique<GpuBench>();
  } catch (const std::exception& e) {
    why_not = message_of(e);
    // Leaves out the advice to use the emulator, because emulated runs are not timed.
    if (why_not.id == MessageId::use_the_emulator)
      why_not = Message(std::get<std::vector<Message>>(why_not.arguments.at(0)).at(0));
    return {};
  }
}

// One way to measure a row on the GPU. Only a row of copies has two ways: the driver's copy, and our copy
// kernel.
struct Way {
  Timing* row = nullptr;
  std::string name;
  std::function<GpuRun(const Settings&)> at;  // returns a run; its n must not be larger than the row's n
  GpuRun run;
  double expected = 0;  // seconds
  int count = 0;
  std::vector<double> samples;
};

class Measuring {
 public:
  Measuring(const SweepRequest& request, const std::function<void(const SweepProgress&)>& progress,
            std::stop_token stop)
      : request_(request), progress_(progress), stop_(std::move(stop)) {}

  Timings all() {
    Trace stamped;
    add_provenance(stamped);
    result_.date = stamped.date;
    result_.program = stamped.program;
    result_.processor = Processor::name();
    SweepLimits limits;
    gpu_ = open_gpu(limits.no_gpu);
    limits.host_memory = Processor::available_memory() / 2;
    limits.no_par = Processor::no_par();
    if (gpu_) describe_gpu(limits);
    open_opengl(limits);
    std::vector<SweepGroup> groups = plan_sweep(request_, limits);
    for (const SweepGroup& g : groups) rows_ += g.rows.size();
    for (SweepGroup& g : groups) {
      if (stop_.stop_requested()) break;
      const std::size_t planned = g.rows.size();
      std::erase_if(g.rows, [&](const Timing& t) { return left_out_.contains(who(t)); });
      const std::vector<SweepRow> asked = g.rows;
      on_gpu(g);
      on_opengl(g);
      on_processor(g);
      for (std::size_t i = 0; i < g.rows.size(); ++i) {
        if (g.rows[i].missing) left_out_.insert(who(asked[i]));
        if (g.rows[i].contender == Contender::kernel && !runs_on_opengl(g.rows[i]) &&
            was_measured(g.rows[i]) && !stop_.stop_requested())
          g.rows[i].excess_wavefronts = excess_.of(g.rows[i].settings);
        if (was_measured(g.rows[i]) || g.rows[i].missing) result_.rows.push_back(std::move(g.rows[i]));
      }
      done_ += planned;
      tell({});
    }
    return std::move(result_);
  }

 private:
  void describe_gpu(SweepLimits& limits) {
    try {
      result_.device = gpu_->device();
      result_.driver = gpu_->driver_version();
      result_.memory_bandwidth = gpu_->memory_bandwidth();
      const std::uint64_t free = gpu_->free_memory();
      limits.device_memory = free > kept_free ? free - kept_free : 0;
      limits.multiprocessors = gpu_->multiprocessors();
      limits.no_library = gpu_->library_of(Result::reduction).missing();
      limits.no_npp = gpu_->library_of(Result::summed_area_table).missing();
      Settings small;
      gpu_->prepare_data(small, GpuBench::data_bytes(small), 1, 0);
      const std::vector<double> samples = gpu_->time(gpu_->empty(), 100, Cache::warm, 5e-6, stop_);
      result_.launch_overhead = spread_of(samples);
      flush_seconds_ = gpu_->flush_seconds(stop_);
    } catch (const WorkError& e) { limits.no_gpu = e.message; }
  }

  void tell(const Message& what) const {
    if (progress_) progress_({done_, rows_, what, result_});
  }

  static bool is_on_gpu(const Timing& t) { return t.contender != Contender::processor && !runs_on_opengl(t); }

  // ---- the GPU

  static void say_of_the_rest(SweepGroup& group, const Message& why) {
    for (SweepRow& t : group.rows)
      if (is_on_gpu(t) && !t.missing && t.seconds.count == 0) t.missing = why;
  }

  void on_gpu(SweepGroup& group) {
    if (!gpu_ || gpu_->stuck()) return;
    std::vector<SweepRow*> rows;
    for (SweepRow& t : group.rows)
      if (is_on_gpu(t) && !t.missing) rows.push_back(&t);
    try {
      check_results(rows);
      prepare_data(group, rows);
      std::vector<Way> ways = ways_of(rows);
      probe(ways);
      for (int round = 0; round < rounds && !stop_.stop_requested(); ++round)
        for (Way& way : ways) take(way, round);
      for (Way& way : ways) finish(way);
    } catch (const EndlessKernel&) {  // the kernel's row contains the reason
      say_of_the_rest(group, say::behind_endless_kernel());
    } catch (const LostGpu& e) {  // this process cannot use the GPU any more
      say_of_the_rest(group, say::behind_lost_gpu(e.message));
      gpu_.reset();
    } catch (const WorkError& e) { say_of_the_rest(group, e.message); }
  }

  // Calls f if the row's `missing` is empty. If f throws, the error's message becomes `missing`;
  // EndlessKernel and LostGpu are also thrown again.
  template <class F>
  void guarded(Timing& row, F f) {
    if (row.missing) return;
    try {
      f();
    } catch (const EndlessKernel& e) {
      row.missing = e.message;
      throw;
    } catch (const LostGpu& e) {
      row.missing = e.message;
      throw;
    } catch (const std::exception& e) { row.missing = message_of(e); }
  }

  // Checks the result of each kernel and of each library once, not at each size.
  void check_results(const std::vector<SweepRow*>& rows) {
    for (SweepRow* t : rows) {
      if (t->contender == Contender::copy || stop_.stop_requested()) continue;
      const auto [known, fresh] = mistakes_.try_emplace(who(*t));
      if (fresh) {
        tell(say::checking_row(label(*t), t->settings.n));
        guarded(*t, [&] {
          const bool kernel = is_of_catalogue(t->contender);
          Settings s = t->settings;
          s = kernel ? settings_to_check(s) : with_elements(s, checked_elements);
          const Message mistake = kernel ? gpu_->mistake(s) : gpu_->mistake(s, t->result);
          if (mistake) known->second = say::wrong_result_at(s.n, mistake);
        });
      }
      if (!t->missing) t->missing = known->second;
    }
  }

  void prepare_data(const SweepGroup& group, const std::vector<SweepRow*>& rows) {
    std::uint64_t scratch = 0;
    const Settings* kind = nullptr;
    DataBytes most;
    for (SweepRow* t : rows)
      guarded(*t, [&] {
        // The last row decides which data is prepared. The first rows measure plain copies, and any data can
        // be copied.
        kind = &t->settings;
        const DataBytes own = is_of_catalogue(t->contender)     ? GpuBench::data_bytes(t->settings)
                              : t->contender == Contender::copy ? GpuBench::copied_bytes(t->bytes)
                                                                : gpu_->data_bytes(t->settings, t->result);
        most = {std::max(most.inputs, own.inputs), std::max(most.outputs, own.outputs),
                std::max(most.first, own.first)};
        if (is_of_catalogue(t->contender)) scratch = std::max(scratch, GpuBench::scratch_bytes(t->settings));
        if (t->contender == Contender::library)
          scratch = std::max(scratch, gpu_->scratch_bytes(t->settings, t->result));
      });
    if (!kind) return;
    const int copies =
        group.cache == Cache::cold ? rotations(most.inputs + most.outputs, gpu_->l2_bytes()) : 1;
    gpu_->prepare_data(*kind, most, copies, scratch, group.filling);
  }

  std::vector<Way> ways_of(const std::vector<SweepRow*>& rows) {
    std::vector<Way> ways;
    const auto add = [&](SweepRow* row, std::string name, std::function<GpuRun(const Settings&)> at) {
      ways.push_back({row, std::move(name), std::move(at), {}, 0, 0, {}});
    };
    for (SweepRow* t : rows) {
      if (t->missing) continue;
      switch (t->contender) {
        case Contender::kernel:
        case Contender::part:
          add(t, t->name, [this, t](const Settings& s) { return gpu_->kernel(s, t->part); });
          break;
        case Contender::library:
          add(t, t->name, [this, what = t->result](const Settings& s) { return gpu_->library(s, what); });
          break;
        default: {
          const auto bytes = [each = t->bytes / 2 / t->settings.n](const Settings& s) {
            return static_cast<std::size_t>(std::llround(each * s.n));
          };
          add(t, "cudaMemcpy", [this, bytes](const Settings& s) { return gpu_->driver_copy(bytes(s)); });
          add(t, "copy kernel", [this, bytes](const Settings& s) { return gpu_->own_copy(bytes(s)); });
        }
      }
    }
    return ways;
  }

  void probe(std::vector<Way>& ways) {
    for (Way& way : ways) {
      if (stop_.stop_requested()) return;
      tell(say::row_under_way(label(*way.row), way.row->settings.n));
      guarded(*way.row, [&] {
        const auto seconds_at = [&](int n) {
          way.run = way.at(with_elements(way.row->settings, n));
          const std::vector<double> once = gpu_->time(way.run, 1, Cache::warm, request_.longest_run, stop_);
          return once.empty() ? 0.0 : once[0];
        };
        const auto seconds =
            probe_(*way.row, way.name, request_.longest_run, say::takes_too_long_to_cancel, seconds_at);
        if (!seconds) return;
        way.run = way.at(way.row->settings);
        way.expected = *seconds;
        const bool cold = way.row->cache == Cache::cold;
        way.count = repetitions(*seconds, cold ? flush_seconds_ : 0, request_.seconds);
      });
    }
  }

  // Measures the runs of `way` for one round. All rounds together measure way.count runs.
  void take(Way& way, int round) {
    const int share = way.count * (round + 1) / rounds - way.count * round / rounds;
    if (share == 0) return;
    tell(say::row_under_way(label(*way.row), way.row->settings.n));
    guarded(*way.row, [&] {
      for (const double s : gpu_->time(way.run, share, way.row->cache, way.expected, stop_))
        way.samples.push_back(s);
    });
  }

  // Stores the measured times of `way` in the row way.row. If the row was measured in two ways, keeps only
  // the times of the faster way.
  void finish(const Way& way) {
    const Spread spread = spread_of(way.samples);
    Timing& row = *way.row;
    if (spread.count == 0 || row.missing) return;
    if (row.seconds.count > 0 && row.seconds.median <= spread.median) return;
    row.seconds = spread;
    row.name = way.name;
  }

  // ---- OpenGL, if any row needs it

  void open_opengl(SweepLimits& limits) {
    const auto needs = [](const Candidate& c) {
      return algorithm(c.settings.algorithm).language == Language::glsl;
    };
    if (std::none_of(request_.kernels.begin(), request_.kernels.end(), needs)) return;
    limits.opengl_memory = gpu_ ? std::min(limits.host_memory, limits.device_memory) : limits.host_memory;
    try {
      opengl_ = std::make_unique<OpenGlBench>();
    } catch (const std::exception& e) { limits.no_opengl = message_of(e); }
  }

  void on_opengl(SweepGroup& group) {
    for (SweepRow& t : group.rows) {
      if (!runs_on_opengl(t) || t.missing || stop_.stop_requested()) continue;
      const auto [known, fresh] = mistakes_.try_emplace(who(t));
      guarded(t, [&] {
        tell(say::row_under_way(label(t), t.settings.n));
        const Settings checked = settings_to_check(t.settings);
        if (const Message wrong = fresh ? opengl_->mistake(checked) : Message{})
          known->second = say::wrong_result_at(checked.n, wrong);
        t.missing = known->second;
        if (!t.missing) t.seconds = spread_of(opengl_samples(t));
        opengl_->forget();
      });
      if (t.seconds.count > 0) opengl_->name_renderer(t);
    }
  }

  std::vector<double> opengl_samples(SweepRow& t) {
    const auto seconds_at = [&](int n) {
      return opengl_->seconds(with_elements(t.settings, n), Cache::warm);
    };
    std::vector<double> samples;
    const auto first =
        probe_(t, t.name, request_.longest_processor_run, say::takes_too_long_to_wait, seconds_at);
    if (!first) return samples;
    const int count = repetitions(*first, 0, request_.seconds);
    while (static_cast<int>(samples.size()) < count && !stop_.stop_requested())
      samples.push_back(opengl_->seconds(t.settings, t.cache));
    return samples;
  }

  // ---- the CPU

  void on_processor(SweepGroup& group) {
    bool prepared = false;
    for (SweepRow& t : group.rows) {
      if (t.contender != Contender::processor || t.missing || stop_.stop_requested()) continue;
      tell(say::row_under_way(label(t), t.settings.n));
      guarded(t, [&] {
        if (!processor_) processor_ = std::make_unique<Processor>();
        if (!std::exchange(prepared, true) && !processor_->prepare(t.settings, stop_)) return;
        t.seconds = spread_of(processor_samples(t));
      });
    }
  }

  std::vector<double> processor_samples(SweepRow& t) {
    const auto seconds_at = [&](int n) {
      Settings s = t.settings;
      s.n = n;
      return processor_->run(s, t.result, t.cores, stop_).value_or(0);
    };
    const auto warm_up =
        probe_(t, t.name, request_.longest_processor_run, say::takes_too_long_to_wait, seconds_at);
    std::vector<double> samples;
    if (!warm_up) return samples;
    const int count = repetitions(*warm_up, t.cache == Cache::cold ? flush_processor() : 0, request_.seconds);
    for (int i = 0; i < count; ++i) {
      if (t.cache == Cache::cold) processor_->flush();
      const auto seconds = processor_->run(t.settings, t.result, t.cores, stop_);
      if (!seconds) break;
      samples.push_back(*seconds);
    }
    return samples;
  }

  // Fills the CPU's caches with other data. Returns how many seconds the filling took.
  double flush_processor() {
    const auto begin = std::chrono::steady_clock::now();
    processor_->flush();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  const SweepRequest& request_;
  const std::function<void(const SweepProgress&)>& progress_;
  std::stop_token stop_;
  Timings result_;
  std::size_t rows_ = 0, done_ = 0;
  std::unique_ptr<GpuBench> gpu_;
  std::unique_ptr<OpenGlBench> opengl_;  // null if no row needs OpenGL, or if there is no OpenGL
  std::unique_ptr<Processor> processor_;
  ExcessWavefronts excess_;
  double flush_seconds_ = 0;
  // The contenders (kernels, libraries or the CPU) whose error was already reported. Each error is reported
  // only at the smallest size.
  std::set<Who> left_out_;
  // For each contender whose result was checked: a message about the wrong result, or an empty message if the
  // result is correct.
  std::map<Who, Message> mistakes_;
  Prober probe_{stop_};
};

}  // namespace

Timings measure(const SweepRequest& request, const std::function<void(const SweepProgress&)>& progress,
                std::stop_token stop) {
  return Measuring(request, progress, std::move(stop)).all();
}

Message why_no_gpu() {
  Message why_not;
  open_gpu(why_not);
  return why_not;
}

}  // namespace upsweep
