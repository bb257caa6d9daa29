#include "machine/shader/shader_machine.hpp"

#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "catalogue/inputs.hpp"
#include "catalogue/plan.hpp"
#include "gl/context.hpp"
#include "machine/shader/fragment_trace.hpp"
#include "machine/shader/pass_program.hpp"
#include "machine/shader/textures.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

// Returns how many rows of a recorded pass are drawn at once. These rows have about 2^16 texels, and consist
// of whole blocks. If the pass has fewer texels, all its rows are drawn at once.
int rows_at_once(const TextureForm& form, int block, std::int64_t texels) {
  const int whole_blocks = block / std::gcd(block, form.width());
  const int usual = std::max(1, (1 << 16) >> form.width_log);
  return std::min(form.rows(texels), (usual + whole_blocks - 1) / whole_blocks * whole_blocks);
}

// One run: its plan, its passes and its textures.
struct PreparedRun {
  const Algorithm& algorithm;
  Settings settings;
  Plan planned;
  std::map<std::string, KernelSignature> passes;
  std::int64_t most_texels = 1;  // the number of texels of the largest buffer
  TextureForm form;
  std::vector<std::optional<Texture>> textures;  // one for each buffer; an empty buffer has no texture

  PreparedRun(const Algorithm& a, const Settings& s) : algorithm(a), settings(s), planned(plan(a, s)) {
    for (const KernelSignature& pass : kernels_of(a.file, a.text)) passes.emplace(pass.name, pass);
    for (const GlobalBuffer& b : planned.buffers) most_texels = std::max(most_texels, b.count);
    form = form_for(most_texels);
    for (const GlobalBuffer& b : planned.buffers) {
      textures.emplace_back();
      if (b.count > 0) textures.back().emplace(texel_of(s.type), form, form.rows(b.count)).fill();
    }
  }

  void write(const Inputs& inputs) const {
    const auto write_to = [&](int buffer, const std::vector<Value>& values) {
      const std::vector<std::byte> bytes = packed(values, sizeof(std::uint32_t));
      texture(buffer).write(bytes.data(), 0, static_cast<std::int64_t>(values.size()));
    };
    write_to(0, inputs.first);
    int buffer = 1;
    for (const std::vector<Value>& values : more_inputs(planned, settings, inputs))
      write_to(buffer++, values);
  }
  // Fills the input with the digits 0 to 7 in a mixed order, or with ones for a product.
  void write_digits() const {
    const std::int64_t each = std::max<std::int64_t>(1 << 20, form.width()), n = settings.n;
    std::vector<std::uint32_t> digits;
    for (std::int64_t first = 0; first < n; first += each) {
      digits.clear();
      for (std::int64_t i = first; i < std::min(n, first + each); ++i) {
        const auto digit =
            static_cast<std::uint32_t>(settings.op == Operator::product
                                           ? 1
                                           : static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15ull >> 40 & 7);
        digits.push_back(is_real(settings.type) ? std::bit_cast<std::uint32_t>(static_cast<float>(digit))
                                                : digit);
      }
      texture(0).write(digits.data(), static_cast<int>(first / form.width()),
                       static_cast<std::int64_t>(digits.size()));
    }
  }

  const Texture& texture(int buffer) const {
    const auto& found = textures[static_cast<std::size_t>(buffer)];
    if (!found) throw WorkError(say::empty_texture(planned.buffers[static_cast<std::size_t>(buffer)].name));
    return *found;
  }
  // Returns the number of texels that a launch draws: one texel for each thread, but not more texels than the
  // target has.
  std::int64_t texels(const PlannedLaunch& launch, int target) const {
    return std::min(std::int64_t{launch.blocks} * launch.threads,
                    planned.buffers[static_cast<std::size_t>(target)].count);
  }
  Contents outputs() const {
    Contents all;
    for (int b = planned.roles.first_output(); b < planned.roles.first_scratch(); ++b) {
      const std::int64_t count = planned.buffers[static_cast<std::size_t>(b)].count;
      std::vector<std::byte> bytes(static_cast<std::size_t>(count) * sizeof(std::uint32_t));
      texture(b).read(bytes.data(), count);
      all.push_back(unpacked(bytes, sizeof(std::uint32_t)));
    }
    return all;
  }
};

}  // namespace

struct ShaderMachine::State {
  GlContext context;
  std::mutex busy;
  PassPrograms programs;
  std::unique_ptr<PreparedRun> timed;
  std::optional<Texture> other_data;  // used only in flush()
  std::string renderer = context.renderer();

  State() {
    draw_state();
    context.leave();
  }
  ~State() {
    context.enter();
    timed.reset();
    other_data.reset();
    programs = {};
  }

  // Makes the context current in the calling thread, as long as this object exists.
  struct Using {
    explicit Using(State& s) : lock(s.busy), context(s.context) { context.enter(); }
    ~Using() { context.leave(); }
    std::scoped_lock<std::mutex> lock;
    const GlContext& context;
  };

  // Compiles and selects the program of a launch, and passes the launch's arguments to the program. Returns
  // these arguments.
  PassArguments begin(const PreparedRun& run, const PlannedLaunch& launch, PassMode mode,
                      const CompiledPass*& compiled) {
    const KernelSignature& pass = run.passes.at(launch.kernel);
    PassArguments given = pass_arguments(pass, launch);
    compiled = &programs.of(run.algorithm, pass, run.settings, mode);
    compiled->program.use();
    compiled->program.set(compiled->width_log, run.form.width_log);
    compiled->program.set(compiled->first_row, 0);
    for (std::size_t i = 0; i < given.numbers.size(); ++i)
      compiled->program.set(compiled->numbers[i], given.numbers[i]);
    for (std::size_t i = 0; i < given.textures.size(); ++i)
      bind_for_reading(run.texture(given.textures[i]), static_cast<int>(i));
    return given;
  }

  void draw(const PreparedRun& run, const Job* job = nullptr) {
    for (const PlannedLaunch& launch : run.planned.launches) {
      if (job != nullptr) job->check();
      const CompiledPass* compiled = nullptr;
      const PassArguments given = begin(run, launch, PassMode::fast, compiled);
      run.texture(given.target).draw_into();
      draw_texels(run.form, run.texels(launch, given.target));
    }
  }

  void record(const PreparedRun& run, Trace& trace, const RecordOptions& options) {
    FragmentTrace fragments(trace, options);
    const std::int64_t width = run.form.width();
    const EventTargets targets(texel_of(run.settings.type), run.form,
                               rows_at_once(run.form, run.settings.block, run.most_texels));
    DrawnEvents drawn;
    for (auto& events : drawn) events.resize(static_cast<std::size_t>(targets.rows() * width));
    std::size_t done = 0;
    for (const PlannedLaunch& launch : run.planned.launches) {
      const CompiledPass* compiled = nullptr;
      const PassArguments given = begin(run, launch, PassMode::recorded, compiled);
      const std::int64_t all = run.texels(launch, given.target);
      fragments.begin_pass(launch, run.passes.at(launch.kernel));
      for (std::int64_t first = 0; first < all; first += targets.rows() * width) {
        if (options.job != nullptr) options.job->check();
        const auto row = static_cast<int>(first / width);
        const std::int64_t count = std::min<std::int64_t>(targets.rows() * width, all - first);
        const int rows = run.form.rows(count);
        compiled->program.set(compiled->first_row, row);
        targets.draw_into();
        draw_texels(run.form, count);
        for (int k = 0; k < most_fragment_events; ++k)
          targets.read_events(k, rows, drawn[static_cast<std::size_t>(k)].data());
        targets.copy_numbers(run.texture(given.target), row, count);
        fragments.add(drawn, count);
      }
      if (options.job != nullptr)
        options.job->set_progress(static_cast<double>(++done) /
                                  static_cast<double>(run.planned.launches.size()));
    }
    fragments.end_pass();
  }

  // Replaces the contents of the caches: clears a texture that is larger than any cache.
  void flush() {
    constexpr TextureForm form{13};
    constexpr int rows = 1 << 13;  // a texture of 256 MiB
    if (!other_data) other_data.emplace(Texture::Texel::float32, form, rows);
    other_data->draw_into();
    glScissor(0, 0, form.width(), rows);
    glClear(GL_COLOR_BUFFER_BIT);
  }
};

ShaderMachine::ShaderMachine() try : state_(std::make_unique<State>()) {
} catch (const WorkError& e) { throw RequestError(e.message); }

ShaderMachine::~ShaderMachine() = default;

std::string ShaderMachine::device() const { return state_->renderer; }

bool ShaderMachine::is_software() const {
  return state_->renderer.starts_with("llvmpipe") || state_->renderer.starts_with("softpipe");
}

Trace ShaderMachine::record(const Settings& s, const Inputs& inputs, const RecordOptions& options) {
  return record(algorithm(s.algorithm), s, inputs, options);
}

Trace ShaderMachine::record(const Algorithm& a, const Settings& s, const Inputs& inputs,
                            const RecordOptions& options) {
  expect_language(a, kind());
  const State::Using current(*state_);
  const PreparedRun run(a, s);
  run.write(inputs);
  Trace trace;
  trace.settings = s;
  trace.machine = kind();
  trace.device = device();
  trace.file = a.file;
  trace.text = a.text;
  trace.input = inputs.first;
  trace.more_inputs = more_inputs(run.planned, s, inputs);
  trace.buffers = run.planned.buffers;
  state_->record(run, trace, options);
  trace.more_outputs = run.outputs();
  trace.output = std::move(trace.more_outputs.front());
  trace.more_outputs.erase(trace.more_outputs.begin());
  return trace;
}

Contents ShaderMachine::run_all(const Settings& s, const Inputs& inputs, Job* job) {
  const Algorithm& a = algorithm(s.algorithm);
  expect_language(a, kind());
  const State::Using current(*state_);
  const PreparedRun run(a, s);
  run.write(inputs);
  state_->draw(run, job);
  return run.outputs();
}

void ShaderMachine::begin_timing(const Settings& s) {
  const Algorithm& a = algorithm(s.algorithm);
  expect_language(a, kind());
  const State::Using current(*state_);
  state_->timed.reset();
  state_->timed = std::make_unique<PreparedRun>(a, s);
  state_->timed->write_digits();
}

void ShaderMachine::end_timing() {
  const State::Using current(*state_);
  state_->timed.reset();
  state_->other_data.reset();
}

double ShaderMachine::time(bool cold) {
  const State::Using current(*state_);
  if (cold) state_->flush();
  glFinish();
  std::array<GLuint, 2> queries{};
  glGenQueries(2, queries.data());
  glQueryCounter(queries[0], GL_TIMESTAMP);
  state_->draw(*state_->timed);
  glQueryCounter(queries[1], GL_TIMESTAMP);
  std::array<GLuint64, 2> nanoseconds{};
  for (std::size_t i = 0; i < 2; ++i) glGetQueryObjectui64v(queries[i], GL_QUERY_RESULT, &nanoseconds[i]);
  glDeleteQueries(2, queries.data());
  return 1e-9 * static_cast<double>(nanoseconds[1] - nanoseconds[0]);
}

}  // namespace upsweep
