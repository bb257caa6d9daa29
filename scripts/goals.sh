#!/usr/bin/env bash
# Measures this machine's GPU. Compares the fastest kernels with their peers (functions of other libraries) and
# with the goals for an H200:
#   scripts/goals.sh FOLDER [PROGRAM] [CACHES] [NAMES]
# FOLDER gets the recordings of `upsweep bench` and the table. PROGRAM is upsweep (default: build/upsweep).
# CACHES is warm, cold or "warm cold" (default). NAMES are some of: compaction keys pairs few_keys recurrence
# table grey scan small_scans reduce (default: all).
#
# Each line of the table compares a kernel with its peer. The line has these numbers:
# - the kernel's median time and the peer's median time, which are measured in turn in one run;
# - the peer's time divided by the kernel's time;
# - the kernel's bandwidth divided by the bandwidth of a copy that moves the same number of bytes. For sorts, a
#   note compares the bandwidth of all passes together with the copy's bandwidth.
#
# Exits with 1 if a kernel, a peer or a copy has no time, for example because its result was wrong. Otherwise,
# exits with 2 if a goal was missed.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [[ $# -lt 1 || $# -gt 4 || $1 == -* ]]; then sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0" >&2; exit 1; fi
folder=$1 program=${2:-$root/build/upsweep} caches=${3:-warm cold}
names=${4:-compaction keys pairs few_keys recurrence table grey scan small_scans reduce}
mkdir -p "$folder"
for name in $names; do
  if [[ ! $name =~ ^(compaction|keys|pairs|few_keys|recurrence|table|grey|scan|small_scans|reduce)$ ]]; then
    echo "There is no $name: choose from the NAMES that scripts/goals.sh prints without arguments." >&2
    exit 1
  fi
done
# measure NAME OPTIONS...: writes FOLDER/NAME.CACHE.json
measure() {
  local name=$1 begin cache
  shift
  if [[ " $names " != *" ${name%_[0-9]} "* ]]; then return; fi
  for cache in $caches; do
    begin=$SECONDS
    rm -f "$folder/$name.$cache.json"
    "$program" bench "--$cache" "$@" -o "$folder/$name.$cache.json" >/dev/null 2>"$folder/$name.$cache.log" ||
      { echo "FAILED: upsweep bench --$cache $*"; cat "$folder/$name.$cache.log"; } >&2
    echo "$((SECONDS - begin)) s: bench --$cache $*" >&2
  done
}
measure compaction --algorithm stream_compaction --variant method=look_back --n 2^28
measure keys --algorithm radix_sort --variant method=one_sweep --type uint32 --n 2^28
measure pairs --algorithm radix_sort --variant method=one_sweep --variant keys=pairs --type uint32 --n 2^28
measure few_keys --algorithm radix_sort --variant method=one_sweep --type uint32 --n 2^20
measure recurrence --algorithm linear_recurrence --variant method=look_back --n 2^26
measure table --algorithm summed_area_table --variant method=single_pass --type float32 --shape 16384x16384
measure grey --algorithm summed_area_table --variant method=single_pass --variant pixels=bytes --type int32 --shape 3840x2160
measure scan --algorithm scan_lookback_vectorized --n 2^28
measure small_scans --algorithm scan_lookback_vectorized --from 2^16 --to 2^22
for run in 1 2 3 4 5; do measure "reduce_$run" --algorithm reduce_vectorized --n 2^22; done
python3 - "$folder" "$caches" "$names" <<'PYTHON' | tee "$folder/goals.txt"
import json, sys
folder, caches, names = sys.argv[1], sys.argv[2].split(), sys.argv[3].split()
cub = "cub::Device"
# Each line has the name, the recording, n, the peer with its variant, and the two goals. The first goal is
# the peer's time divided by the kernel's time. The second goal is the kernel's bandwidth divided by the
# copy's bandwidth.
lines = [("stream_compaction, 2^28, half kept", "compaction", 1 << 28, (cub + "Select", ""), 1.25, 0.85),
         ("radix_sort, 2^28 keys", "keys", 1 << 28, (cub + "RadixSort", ""), 1.0, None),
         ("radix_sort, 2^28 pairs", "pairs", 1 << 28, (cub + "RadixSort", "pairs"), 0.95, None),
         ("radix_sort, 2^20 keys", "few_keys", 1 << 20, (cub + "RadixSort", ""), 1.25, None),
         ("linear_recurrence, 2^26", "recurrence", 1 << 26, (cub + "Scan", "maps"), 2.5, 0.85),
         ("summed_area_table, 16,384 x 16,384 float32", "table", 1 << 28, None, None, 0.85),
         ("summed_area_table, 3,840 x 2,160 8-bit grey", "grey", 3840 * 2160, ("nppiIntegral_8u32s", "uint8"), 5, None),
         ("scan_lookback_vectorized, 2^28", "scan", 1 << 28, (cub + "Scan", ""), None, 0.96)]
lines += [(f"scan_lookback_vectorized, 2^{k}", "small_scans", 1 << k, (cub + "Scan", ""), 1 / 0.7, None) for k in range(16, 23, 2)]
lines += [(f"reduce_vectorized, 2^22, run {k} of 5", f"reduce_{k}", 1 << 22, (cub + "Reduce", ""), 1 / 0.72, None) for k in range(1, 6)]
lacking = missed = 0
notes, devices = [], ""
print(f"{'':50}{'cache':6}{'kernel':>10}{'peer':>10}{'times as fast':>21}{'of the copy':>17}")
for name, recording, n, peer, ratio_due, share_due in lines:
    for cache in caches if recording.rstrip("_12345") in names else ():
        def row(is_it):
            found = [r for r in rows if r["settings"]["n"] == n and is_it(r)]
            if not found: problems.append("a row is missing")
            elif not found[0]["seconds"]: problems.append(found[0]["name"] + ": " + found[0]["missing"])
            return found[0] if found and found[0]["seconds"] else None
        problems = []
        try:
            every = json.load(open(f"{folder}/{recording}.{cache}.json"))
            rows = every["rows"]
        except (OSError, ValueError) as e:
            every, rows = {}, []
            problems.append(str(e))
        kernel = row(lambda r: r["contender"] == "kernel")
        other = peer and row(lambda r: (r["contender"], r["name"], r["variant"]) == ("library", *peer))
        def compared(value, due):
            global missed
            if value is None: return "-"
            if due is None: return f"{value:.3f}"
            fails = value < due
            missed += fails
            return f"{value:.3f} {'MISSED' if fails else 'ok'} {due:.3g}"
        micro = lambda r: f"{1e6 * r['seconds']['median']:.1f}" if r else "-"
        ratio = other["seconds"]["median"] / kernel["seconds"]["median"] if kernel and other else None
        share = kernel and kernel["share_of_ceiling"]
        if kernel and share is None: problems.append("no copy was measured")
        print(f"{name:50}{cache:6}{micro(kernel):>10}{micro(other):>10}{compared(ratio, ratio_due):>21}{compared(share, share_due):>17}")
        for problem in sorted(set(problems)): print(f"    NOT MEASURED: {problem}")
        lacking += bool(problems)
        passes = kernel and kernel.get("bytes_of_all_passes")
        if passes and share: notes.append(f"{name}, {cache}: all passes move {passes / n:.1f} bytes an element, at {share * passes / kernel['bytes']:.3f} of the copy's bandwidth")
        devices = every.get("device", devices)
print(*notes, sep="\n")
print(f"Times in microseconds, medians. {devices}. Goals missed: {missed}. Lines with something that was not measured: {lacking}.")
sys.exit(1 if lacking else 2 if missed else 0)
PYTHON
