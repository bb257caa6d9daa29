#include "machine/gpu/counters.hpp"

#include "base/error.hpp"
#include "base/messages.hpp"
#include "machine/gpu/gpu_device.hpp"

#ifdef UPSWEEP_CUPTI
#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <tuple>
#endif

namespace upsweep {

#ifndef UPSWEEP_CUPTI

struct Counters::State {};
Counters::Counters() { throw RequestError(say::no_counters_built()); }
Counters::~Counters() = default;
std::vector<double> Counters::of_run(std::span<const std::string>, const std::function<void()>&) {
  return {};
}
std::vector<LineCounter> Counters::by_line(std::span<const std::string>, const std::string&,
                                           const std::function<void()>&) {
  return {};
}
std::vector<Counters::Metric> Counters::line_metrics() const { return {}; }

#else

namespace {

// clang-format off
#define UPSWEEP_CUPTI_FUNCTIONS(X) \
  X(cuptiGetResultString) \
  X(cuptiProfilerInitialize) \
  X(cuptiDeviceGetChipName) \
  X(cuptiProfilerHostInitialize) \
  X(cuptiProfilerHostDeinitialize) \
  X(cuptiProfilerHostConfigAddMetrics) \
  X(cuptiProfilerHostGetConfigImageSize) \
  X(cuptiProfilerHostGetConfigImage) \
  X(cuptiProfilerHostEvaluateToGpuValues) \
  X(cuptiRangeProfilerEnable) \
  X(cuptiRangeProfilerDisable) \
  X(cuptiRangeProfilerGetCounterDataSize) \
  X(cuptiRangeProfilerCounterDataImageInitialize) \
  X(cuptiRangeProfilerSetConfig) \
  X(cuptiRangeProfilerStart) \
  X(cuptiRangeProfilerStop) \
  X(cuptiRangeProfilerPushRange) \
  X(cuptiRangeProfilerPopRange) \
  X(cuptiRangeProfilerDecodeData) \
  X(cuptiSassMetricsGetNumOfMetrics) \
  X(cuptiSassMetricsGetMetrics) \
  X(cuptiSassMetricsGetProperties) \
  X(cuptiSassMetricsSetConfig) \
  X(cuptiSassMetricsUnsetConfig) \
  X(cuptiSassMetricsEnable) \
  X(cuptiSassMetricsDisable) \
  X(cuptiSassMetricsGetDataProperties) \
  X(cuptiSassMetricsFlushData) \
  X(cuptiGetSassToSourceCorrelation)
// clang-format on

// The functions of CUPTI. The library is opened by name at run time, so the program also runs without CUPTI.
struct Cupti {
#define X(name) decltype(&::name) name = nullptr;
  UPSWEEP_CUPTI_FUNCTIONS(X)
#undef X
};

const Cupti& cupti() {
  static const Cupti loaded = [] {
    const Library library = open_cupti();
    if (!library) throw RequestError(say::no_cupti(library.why_not()));
    Cupti all;
#define X(name)                                                           \
  all.name = reinterpret_cast<decltype(all.name)>(library.symbol(#name)); \
  if (!all.name) throw RequestError(say::cupti_too_old(library.path(), #name));
    UPSWEEP_CUPTI_FUNCTIONS(X)
#undef X
    return all;
  }();
  return loaded;
}

Message reason(CUptiResult result) {
  const char* text = nullptr;
  if (cupti().cuptiGetResultString(result, &text) != CUPTI_SUCCESS || !text)
    return say::error_number(static_cast<int>(result));
  return plain(text);
}

template <class Error = WorkError>
void require(CUptiResult result, const Message& doing) {
  if (result == CUPTI_SUCCESS) return;
  if (result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES ||
      result == CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES)
    throw RequestError(say::counters_for_administrators());
  throw Error(say::counters_failed(doing, reason(result)));
}

// CUPTI's parameter structs, which contain their own size.
#define UPSWEEP_PARAMETERS(Type, name) \
  Type name = {};                      \
  name.structSize = Type##_STRUCT_SIZE

std::vector<const char*> pointers(std::span<const std::string> names) {
  std::vector<const char*> all;
  for (const std::string& name : names) all.push_back(name.c_str());
  return all;
}

// Calls a function at the end of a scope, even after an exception.
template <class F>
struct AtEnd {
  F f;
  ~AtEnd() { f(); }
};
template <class F>
AtEnd(F) -> AtEnd<F>;

// Finds the source lines of the instructions in a cubin (a compiled GPU program).
class SourceLines {
 public:
  explicit SourceLines(const std::string& image) : image_(image) {}
  std::pair<std::string, int> of(const char* function, std::uint32_t offset) const {
    CUpti_GetSassToSourceCorrelationParams at = {};
    at.size = CUpti_GetSassToSourceCorrelationParamsSize;
    at.cubin = image_.data();
    at.cubinSize = image_.size();
    at.functionName = function;
    at.pcOffset = offset;
    const CUptiResult result = cupti().cuptiGetSassToSourceCorrelation(&at);
    const AtEnd freed{[&] { std::free(at.fileName), std::free(at.dirName); }};
    if (result != CUPTI_SUCCESS || !at.fileName) return {};
    const auto folder = at.dirName ? std::filesystem::path(at.dirName) : std::filesystem::path();
    return {(folder / at.fileName).lexically_normal().string(), static_cast<int>(at.lineNumber)};
  }

 private:
  const std::string& image_;
};

}  // namespace

struct Counters::State {
  Device device;
  std::string chip;
  // `set_up` has the instruction metrics for which CUPTI is set up. `place` converts CUPTI's number of a
  // metric to the metric's index in `set_up`. Both variables keep their values between calls, because CUPTI
  // 13.0 runs out of memory when CUPTI is set up again.
  std::vector<std::string> set_up;
  std::map<std::uint64_t, std::size_t> place;

  void set_up_for(std::span<const std::string> metrics);
  void unset() const {
    if (set_up.empty()) return;
    UPSWEEP_PARAMETERS(CUpti_SassMetricsUnsetConfig_Params, params);
    cupti().cuptiSassMetricsUnsetConfig(&params);
  }
};

void Counters::State::set_up_for(std::span<const std::string> metrics) {
  if (std::equal(metrics.begin(), metrics.end(), set_up.begin(), set_up.end())) return;
  unset();
  set_up.clear();
  place.clear();
  std::vector<CUpti_SassMetrics_Config> configs;
  for (const std::string& name : metrics) {
    UPSWEEP_PARAMETERS(CUpti_SassMetrics_GetProperties_Params, properties);
    properties.pChipName = chip.c_str();
    properties.pMetricName = name.c_str();
    require(cupti().cuptiSassMetricsGetProperties(&properties), say::asking_metric(name));
    place.emplace(properties.metric.metricId, place.size());
    configs.push_back({properties.metric.metricId, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU});
  }
  UPSWEEP_PARAMETERS(CUpti_SassMetricsSetConfig_Params, set);
  set.numOfMetricConfig = configs.size();
  set.pConfigs = configs.data();
  require(cupti().cuptiSassMetricsSetConfig(&set), Message{MessageId::choosing_line_metrics});
  set_up.assign(metrics.begin(), metrics.end());
}

Counters::Counters() : state_(std::make_unique<State>()) {
  UPSWEEP_PARAMETERS(CUpti_Profiler_Initialize_Params, initialize);
  require<RequestError>(cupti().cuptiProfilerInitialize(&initialize), Message{MessageId::starting_profiler});
  UPSWEEP_PARAMETERS(CUpti_Device_GetChipName_Params, chip);
  require<RequestError>(cupti().cuptiDeviceGetChipName(&chip), Message{MessageId::asking_chip});
  state_->chip = chip.pChipName;
}
Counters::~Counters() { state_->unset(); }

std::vector<double> Counters::of_run(std::span<const std::string> metrics,
                                     const std::function<void()>& work) {
  const Cupti& c = cupti();
  std::vector<const char*> names = pointers(metrics);

  // Makes an image: a description of the metrics for the driver.
  UPSWEEP_PARAMETERS(CUpti_Profiler_Host_Initialize_Params, begin);
  begin.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  begin.pChipName = state_->chip.c_str();
  require(c.cuptiProfilerHostInitialize(&begin), Message{MessageId::starting_profiler});
  const AtEnd host_ends{[&] {
    UPSWEEP_PARAMETERS(CUpti_Profiler_Host_Deinitialize_Params, end);
    end.pHostObject = begin.pHostObject;
    c.cuptiProfilerHostDeinitialize(&end);
  }};
  UPSWEEP_PARAMETERS(CUpti_Profiler_Host_ConfigAddMetrics_Params, add);
  add.pHostObject = begin.pHostObject;
  add.ppMetricNames = names.data();
  add.numMetrics = names.size();
  require(c.cuptiProfilerHostConfigAddMetrics(&add), Message{MessageId::choosing_metrics});
  UPSWEEP_PARAMETERS(CUpti_Profiler_Host_GetConfigImageSize_Params, size);
  size.pHostObject = begin.pHostObject;
  require(c.cuptiProfilerHostGetConfigImageSize(&size), Message{MessageId::choosing_metrics});
  std::vector<std::uint8_t> wanted(size.configImageSize);
  UPSWEEP_PARAMETERS(CUpti_Profiler_Host_GetConfigImage_Params, image);
  image.pHostObject = begin.pHostObject;
  image.configImageSize = wanted.size();
  image.pConfigImage = wanted.data();
  require(c.cuptiProfilerHostGetConfigImage(&image), Message{MessageId::choosing_metrics});

  // Counts all work of one call of work() as one range. The loop calls work() once for each pass.
  UPSWEEP_PARAMETERS(CUpti_RangeProfiler_Enable_Params, enable);
  enable.ctx = static_cast<CUcontext>(state_->device.context());
  require(c.cuptiRangeProfilerEnable(&enable), Message{MessageId::switching_counters_on});
  const AtEnd disabled{[&] {
    UPSWEEP_PARAMETERS(CUpti_RangeProfiler_Disable_Params, disable);
    disable.pRangeProfilerObject = enable.pRangeProfilerObject;
    c.cuptiRangeProfilerDisable(&disable);
  }};
  UPSWEEP_PARAMETERS(CUpti_RangeProfiler_GetCounterDataSize_Params, room);
  room.pRangeProfilerObject = enable.pRangeProfilerObject;
  room.pMetricNames = names.data();
  room.numMetrics = names.size();
  room.maxNumOfRanges = room.maxNumRangeTreeNodes = 1;
  require(c.cuptiRangeProfilerGetCounterDataSize(&room), Message{MessageId::asking_room});
  std::vector<std::uint8_t> data(room.counterDataSize);
  UPSWEEP_PARAMETERS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, fresh);
  fresh.pRangeProfilerObject = enable.pRangeProfilerObject;
  fresh.counterDataSize = data.size();
  fresh.pCounterData = data.data();
  require(c.cuptiRangeProfilerCounterDataImageInitialize(&fresh), Message{MessageId::asking_room});
  UPSWEEP_PARAMETERS(CUpti_RangeProfiler_SetConfig_Params, config);
  config.pRangeProfilerObject = enable.pRangeProfilerObject;
  config.configSize = wanted.size();
  config.pConfig = wanted.data();
  config.counterDataImageSize = data.size();
  config.pCounterDataImage = data.data();
  config.range = CUPTI_UserRange;
  config.replayMode = CUPTI_UserReplay;
  config.maxRangesPerPass = 1;
  config.numNestingLevels = config.minNestingLevel = config.targetNestingLevel = 1;
  require(c.cuptiRangeProfilerSetConfig(&config), Message{MessageId::setting_up_counters});

  UPSWEEP_PARAMETERS(CUpti_RangeProfiler_Stop_Params, stop);
  stop.pRangeProfilerObject = enable.pRangeProfilerObject;
  do {
    UPSWEEP_PARAMETERS(CUpti_RangeProfiler_Start_Params, start);
    start.pRangeProfilerObject = enable.pRangeProfilerObject;
    require(c.cuptiRangeProfilerStart(&start), Message{MessageId::starting_pass});
    UPSWEEP_PARAMETERS(CUpti_RangeProfiler_PushRange_Params, push);
    push.pRangeProfilerObject = enable.pRangeProfilerObject;
    push.pRangeName = "run";
    require(c.cuptiRangeProfilerPushRange(&push), Message{MessageId::starting_pass});
    work();
    UPSWEEP_PARAMETERS(CUpti_RangeProfiler_PopRange_Params, pop);
    pop.pRangeProfilerObject = enable.pRangeProfilerObject;
    require(c.cuptiRangeProfilerPopRange(&pop), Message{MessageId::ending_pass});
    require(c.cuptiRangeProfilerStop(&stop), Message{MessageId::ending_pass});
  } while (!stop.isAllPassSubmitted);

  UPSWEEP_PARAMETERS(CUpti_RangeProfiler_DecodeData_Params, decode);
  decode.pRangeProfilerObject = enable.pRangeProfilerObject;
  require(c.cuptiRangeProfilerDecodeData(&decode), Message{MessageId::reading_counters});
  std::vector<double> values(names.size());
  UPSWEEP_PARAMETERS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, evaluate);
  evaluate.pHostObject = begin.pHostObject;
  evaluate.pCounterDataImage = data.data();
  evaluate.counterDataImageSize = data.size();
  evaluate.ppMetricNames = names.data();
  evaluate.numMetrics = names.size();
  evaluate.pMetricValues = values.data();
  require(c.cuptiProfilerHostEvaluateToGpuValues(&evaluate), Message{MessageId::reading_counters});
  return values;
}

std::vector<LineCounter> Counters::by_line(std::span<const std::string> metrics, const std::string& image,
                                           const std::function<void()>& work) {
  const Cupti& c = cupti();
  state_->set_up_for(metrics);
  UPSWEEP_PARAMETERS(CUpti_SassMetricsEnable_Params, enable);
  enable.ctx = static_cast<CUcontext>(state_->device.context());
  enable.enableLazyPatching = 1;
  require(c.cuptiSassMetricsEnable(&enable), Message{MessageId::patching_code});
  const AtEnd disabled{[&] {
    UPSWEEP_PARAMETERS(CUpti_SassMetricsDisable_Params, params);
    params.ctx = enable.ctx;
    c.cuptiSassMetricsDisable(&params);
  }};
  work();

  UPSWEEP_PARAMETERS(CUpti_SassMetricsGetDataProperties_Params, there);
  there.ctx = enable.ctx;
  require(c.cuptiSassMetricsGetDataProperties(&there), Message{MessageId::reading_line_counters});
  std::vector<CUpti_SassMetrics_InstanceValue> values(there.numOfPatchedInstructionRecords *
                                                      there.numOfInstances * metrics.size());
  std::vector<CUpti_SassMetrics_Data> records(there.numOfPatchedInstructionRecords);
  const std::size_t each = records.empty() ? 0 : values.size() / records.size();
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i].structSize = CUPTI_PROFILER_STRUCT_SIZE(CUpti_SassMetrics_Data, pInstanceValues);
    records[i].pInstanceValues = values.data() + i * each;
  }
  UPSWEEP_PARAMETERS(CUpti_SassMetricsFlushData_Params, flush);
  flush.ctx = enable.ctx;
  flush.numOfPatchedInstructionRecords = records.size();
  flush.numOfInstances = there.numOfInstances;
  flush.pMetricsData = records.data();
  require(c.cuptiSassMetricsFlushData(&flush), Message{MessageId::reading_line_counters});

  const SourceLines lines(image);
  std::map<std::tuple<std::string, std::string, int>, LineCounter> sums;
  for (const CUpti_SassMetrics_Data& record : records) {
    const char* name = record.functionName ? record.functionName : "";
    const auto [file, line] = lines.of(name, record.pcOffset);
    LineCounter& sum = sums[{name, file, line}];
    sum.function = name;
    sum.file = file;
    sum.line = line;
    sum.values.resize(metrics.size());
    for (std::size_t i = 0; i < each; ++i)
      if (const auto at = state_->place.find(record.pInstanceValues[i].metricId); at != state_->place.end())
        sum.values[at->second] += record.pInstanceValues[i].value;
  }
  std::vector<LineCounter> all;
  for (auto& [key, sum] : sums) all.push_back(std::move(sum));
  return all;
}

std::vector<Counters::Metric> Counters::line_metrics() const {
  const Cupti& c = cupti();
  UPSWEEP_PARAMETERS(CUpti_SassMetrics_GetNumOfMetrics_Params, count);
  count.pChipName = state_->chip.c_str();
  require(c.cuptiSassMetricsGetNumOfMetrics(&count), Message{MessageId::asking_line_metrics});
  std::vector<CUpti_SassMetrics_MetricDetails> details(count.numOfMetrics);
  UPSWEEP_PARAMETERS(CUpti_SassMetrics_GetMetrics_Params, get);
  get.pChipName = state_->chip.c_str();
  get.numOfMetrics = details.size();
  get.pMetricsList = details.data();
  require(c.cuptiSassMetricsGetMetrics(&get), Message{MessageId::asking_line_metrics});
  std::vector<Metric> all;
  for (const auto& d : details)
    all.push_back({d.pMetricName, d.pMetricDescription ? d.pMetricDescription : ""});
  return all;
}

#endif

}  // namespace upsweep
