#!/usr/bin/env bash
# Runs all checks that need a GPU, on a machine that has a GPU but cannot build the program. Run this script in the
# repository's root:
#   tests/gpu_check.sh BUNDLE RESULTS [tests|counters|numbers]
# BUNDLE is a folder made by scripts/bundle.sh, and RESULTS is a folder for logs and pictures. The script uses CUDA's tools
# (cuobjdump, compute-sanitizer, ncu) if they are installed.
#
# "tests" runs only the tests and compute-sanitizer. "counters" runs only the comparison of predicted and measured counters.
# "numbers" runs all other checks: times, verify and pictures. The environment variable SCANS sets the number of scans with
# injected delays (default: 2000; 100000 scans take minutes).
#
# At the end, the script prints a table of all checks, and exits with 1 if a check failed.
set -uo pipefail
if [[ $# -lt 2 || $# -gt 3 || ! ${3:-all} =~ ^(all|tests|counters|numbers)$ ]]; then sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0" >&2; exit 2; fi
mkdir -p "$2"
bundle=$(realpath "$1") results=$(realpath "$2") part=${3:-all}
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
export HOME=$bundle/home PATH=$bundle/bin:$PATH:/usr/local/cuda/bin
chmod -R u+x "$bundle/bin"

# Use a bundled library only if this machine does not have the library.
known=$(ldconfig -p)
libraries=$(mktemp -d)
trap 'rm -rf "$libraries"' EXIT
for library in "$bundle"/lib/*; do
  if [[ $known != *"$(basename "$library") "* ]]; then ln -s "$library" "$libraries/"; fi
done
export LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

# Use NVIDIA's EGL if it is installed, even in a folder that the system does not search.
vendor=$(find /usr/local /usr/share -name 10_nvidia.json -path '*egl_vendor.d*' -print -quit 2>/dev/null)
if [[ -n $vendor ]]; then export __EGL_VENDOR_LIBRARY_FILENAMES=$vendor; fi

table=()
patience=330  # seconds
row() { table+=("$(printf '%-5s %-44s %s' "$1" "$2" "$3")"); echo "== ${table[-1]}"; }
# passed NAME LOG COMMAND...: runs a command, for at most $limit seconds (default: 240). Adds a row with the command's time
# to the table. If the command fails, also prints the end of its log.
passed() {
  local name=$1 log=$results/$2.log begin=$SECONDS
  shift 2
  if timeout "${limit:-240}" "$@" >"$log" 2>&1; then row ok "$name" "$((SECONDS - begin)) s"; else
    row FAIL "$name" "see $(basename "$log")"
    tail -n 25 "$log"
  fi
}
have() { command -v "$1" >/dev/null || { row '-' "$2" "$1 is not installed"; false; }; }

nvidia-smi --query-gpu=name,driver_version,compute_cap --format=csv,noheader | head -1 | tee "$results/gpu.txt"
architecture=sm_$(tail -n 1 "$results/gpu.txt" | awk -F', ' '{ sub(/\./, "", $3); print $3 }')
upsweep doctor | tee "$results/doctor.txt"

run_tests() {
  # Runs compute-sanitizer on every correct kernel while the tests run. The filters and options below have three
  # reasons:
  #
  # The recorder replaces barriers by waiting loops, which racecheck and synccheck do not understand. Only
  # memcheck follows grids that grids start. The host copies the whole log of the recorder, and initcheck
  # would report this copy, because parts of the log are never written.
  tools=(memcheck racecheck synccheck initcheck) parts=2 sanitizers=()
  if have compute-sanitizer 'compute-sanitizer'; then
    for tool in "${tools[@]}"; do
      case $tool in
        memcheck) filter='Correct/EveryAlgorithm.*' options=() ;;
        initcheck) filter='Correct/EveryAlgorithm.*-*nested*' options=(--check-api-memory-access no) ;;
        *) filter='Correct/EveryAlgorithm.Runs*-*nested*' options=() ;;
      esac
      for ((i = 0; i < parts; i++)); do
        GTEST_TOTAL_SHARDS=$parts GTEST_SHARD_INDEX=$i timeout "$patience" compute-sanitizer --tool "$tool" "${options[@]}" \
          --error-exitcode 9 "$bundle/bin/gpu_test" --gtest_filter="$filter" >"$results/$tool.$i.log" 2>&1 &
        sanitizers+=($!)
      done
    done
  fi

  # Runs several test processes at a time, with the longest test in a separate process. Tests that measure time run alone.
  longest='Gpu.RecordsWithoutAnyOneBarrier' slow='*Million*:*Sentence*:*Stops*:*EveryBug*'
  shards=14 status=0 pids=()
  begin=$SECONDS
  timeout "$patience" gpu_test --gtest_filter="$longest" >"$results/gpu_test.longest.log" 2>&1 &
  pids+=($!)
  for ((i = 0; i < shards; i++)); do
    GTEST_TOTAL_SHARDS=$shards GTEST_SHARD_INDEX=$i timeout "$patience" gpu_test --gtest_filter="-$slow:$longest" >"$results/gpu_test.$i.log" 2>&1 &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid" || status=1; done
  cat "$results"/gpu_test.*.log >"$results/gpu_test.log"
  rm -f "$results"/gpu_test.*.log
  agreed=$(awk '/recordings agree/ { n += $1 } END { print n + 0 }' "$results/gpu_test.log")
  tests=$(grep -c '^\[       OK' "$results/gpu_test.log")
  row "$([[ $status = 0 ]] && echo ok || echo FAIL)" 'traced = emulated, fast = traced, oracle' "$agreed recordings, $tests tests, $((SECONDS - begin)) s"
  grep -m 12 -A 14 'Failure' "$results/gpu_test.log" | head -n 60
  passed 'a failed kernel is a sentence' sentence "$bundle/bin/gpu_test" --gtest_filter='*Sentence*'
  passed 'hopeless runs are stopped' stopped "$bundle/bin/gpu_test" --gtest_filter='*Stops*:*EveryBug*'
  passed 'a million elements are recorded' million "$bundle/bin/gpu_test" --gtest_filter='*Million*'
  grep -E ' s, .* dropped' "$results/stopped.log" "$results/million.log" | cut -d: -f2-
  passed 'grids and data of two dimensions' shapes "$bundle/bin/gpu_shapes_test"
  passed 'arrays of 16 million elements, checked on GPU' large "$bundle/bin/gpu_large_test"
  passed 'depth of field: the pixels of the CPU' lens "$bundle/bin/gpu_lens_test"
  passed 'record, analyse, draw 1,024 elements < 50 ms' time "$bundle/bin/gpu_picture_test"
  passed 'look-back with injected delays' delays "$bundle/bin/lookback_stress" "${SCANS:-2000}"
  tail -n 1 "$results/delays.log"
  grep -E 'drawn' "$results/time.log"

  # Compares the machine code of the fast kernels with hand-written kernels. The numbers of instructions must be equal; NOPs
  # are not counted.
  if have cuobjdump 'machine code = hand-written'; then
    mkdir -p "$results/cubins"
    kernel_images "$results/cubins" "$architecture"
    count() { cuobjdump -sass "$1" | grep -E '^\s+/\*[0-9a-f]{4,}\*/' | grep -cvE '\sNOP\s*;'; }
    for hand in "$results"/cubins/*.hand.cubin; do
      name=$(basename "$hand" .hand.cubin) a=$(count "$hand") b=$(count "${hand%.hand.cubin}.fast.cubin")
      row "$([[ $a -gt 0 && $a = "$b" ]] && echo ok || echo FAIL)" "machine code of $name" "$b instructions, by hand $a"
    done
    rm -r "$results/cubins"
  fi

  # Waits for compute-sanitizer, which was started at the beginning.
  if [[ ${#sanitizers[@]} -gt 0 ]]; then
    begin=$SECONDS
    for pid in "${sanitizers[@]}"; do wait "$pid"; done
    echo "waited for compute-sanitizer: $((SECONDS - begin)) s"
    for tool in "${tools[@]}"; do
      cat "$results/$tool".[0-9].log >"$results/$tool.log"
      rm -f "$results/$tool".[0-9].log
      runs=$(grep -c '^\[       OK' "$results/$tool.log")
      clean=$(grep -cE '(ERROR SUMMARY: 0 errors|RACECHECK SUMMARY: 0 hazards)' "$results/$tool.log")
      row "$([[ $clean = "$parts" && $runs -gt 0 ]] && echo ok || echo FAIL)" "compute-sanitizer $tool" "$runs tests, $clean of $parts processes without a finding"
      grep -E '=====.*(Error|error|Warning|hazard|Uninitialized|Invalid)' "$results/$tool.log" | grep -v SUMMARY | sort | uniq -c | head -5
    done
  fi
}

compare_counters() {
  limit=900 passed 'hardware counters = predicted, every kernel' predicted hardware_counters
  tail -n 1 "$results/predicted.log"
}

measure() {
  # These programs run alone on the GPU.
  passed 'the window counts' counting "$bundle/bin/gpu_counting_test"
  passed 'full-size times = events by hand' timing "$bundle/bin/gpu_timing_test"
  grep -E 'by hand|GB/s of|warm .* cold' "$results/timing.log"

  # Checks that the command line prints the same JSON for the emulator and for the GPU, except for the names
  # of the machine and of the device.
  same() {
    local difference=0
    for algorithm in reduce_interleaved reduce_sequential scan_hillis_steele scan_double_buffer scan_brent_kung scan_blelloch; do
      for machine in gpu emulated; do
        upsweep trace "$algorithm" --n 1000 --machine $machine --json >"$results/$machine.json" || difference=1
      done
      python3 - "$results/gpu.json" "$results/emulated.json" <<'PYTHON' || difference=1
import json, sys
gpu, emulated = (json.load(open(name)) for name in sys.argv[1:])
for trace in gpu, emulated:
    del trace["machine"], trace["device"]
sys.exit(gpu != emulated)
PYTHON
    done
    rm -f "$results/gpu.json" "$results/emulated.json"
    return $difference
  }
  export -f same
  export results
  passed 'upsweep trace --machine gpu = emulated' trace bash -c same

  # Compares two counts of wavefronts and of excess wavefronts: the hardware's count for the fast kernel, and
  # the count in the recording.
  counters() {
    local unit=l1tex__data metrics
    metrics=$(printf "${unit}_%s," {pipe_lsu_wavefronts,bank_conflicts_pipe_lsu}_mem_shared_op_{ld,st}.sum)
    timeout 120 ncu --clock-control none --csv --metrics "${metrics%,}" gpu_test --gtest_filter='*RunsBlelloch*' >"$results/ncu.csv" 2>&1
    for layout in none pad32; do
      upsweep trace scan_blelloch --n 1024 --block 512 --layout $layout --machine gpu --json >"$results/$layout.json"
    done
    python3 - "$results"/{ncu.csv,none.json,pad32.json} <<'PYTHON'
import csv, json, sys
rows = csv.DictReader(line for line in open(sys.argv[1]) if line.startswith('"'))
counted = {}
for row in rows:
    value = int(float(row["Metric Value"].replace(",", "")))
    counted.setdefault(row["ID"], {})[row["Metric Name"]] = value
counted = list(counted.values())
computed = []
for name in sys.argv[2:]:
    totals = json.load(open(name))["totals"]
    computed.append({
        f"l1tex__data_{metric}_mem_shared_op_{op}.sum": totals[kind][field]
        for op, kind in (("ld", "shared_load"), ("st", "shared_store"))
        for metric, field in (("pipe_lsu_wavefronts", "wavefronts"), ("bank_conflicts_pipe_lsu", "excess"))})
for launch in counted:
    print(" ".join(f"{name[12:]}={launch[name]}" for name in sorted(launch)))
if counted != computed:
    print("computed:", computed)
sys.exit(counted != computed)
PYTHON
  }
  export -f counters
  if have ncu 'hardware counters'; then
    passed 'hardware counters = computed (Blelloch)' counters bash -c counters
    cat "$results/counters.log"
  fi

  # Runs every algorithm with and without the recorder, and compares the results with a sequential loop.
  # Several processes run at a time.
  verify() { upsweep verify --quick --machine gpu --algorithm "$1" >"$results/verify.$1.log" 2>&1; }
  verified() {
    upsweep list --json | python3 -c 'import json, sys
for a in json.load(sys.stdin):
    if a["family"] != "bug" and a["file"].endswith(".cuh"): print(a["name"])' | xargs -P 8 -I{} bash -c 'verify {}'
  }
  export -f verify verified
  passed 'upsweep verify --quick --machine gpu' verify bash -c verified
  tail -qn 1 "$results"/verify.*.log | awk '{ gsub(",", ""); p += $1; f += $3 } END { printf "%d passed, %d failed\n", p, f }'
  passed 'benchmarks' benchmark bench_gpu_recording --benchmark_min_time=0.3
  grep -E '^[a-z_]+/' "$results/benchmark.log"
  passed 'frames with depth of field' frames bench_depth_of_field --benchmark_filter=on_gpu
  grep -E '^on_gpu' "$results/frames.log"
  for picture in 'window.png window' 'tree.png tree' 'banks.png banks'; do
    # shellcheck disable=SC2086  # two words: file and view
    set -- $picture
    passed "picture: $2" "render_$2" upsweep render scan_blelloch --n 64 --machine gpu --step 3 --view "$2" -o "$results/$1"
  done
}

if [[ $part == all || $part == tests ]]; then run_tests; fi
if [[ $part == all || $part == counters ]]; then compare_counters; fi
if [[ $part == all || $part == numbers ]]; then measure; fi

printf '\n%s\n' "$(cat "$results/gpu.txt")"
printf '%s\n' "${table[@]}" | tee "$results/table.txt"
! grep -q ^FAIL "$results/table.txt"
