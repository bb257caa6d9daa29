#!/usr/bin/env bash
# Runs the scan lab on a GPU within 8 minutes: run.sh PROGRAM FOLDER [quick|all]. quick: some 30 configurations of each type, the most promising;
# all: every one. FOLDER gets lab.csv and the tables; the end of the output is the best of each size, short enough to read.
set -uo pipefail
program=$1 folder=$2 what=${3:-all}
if ! "$program" --list > /dev/null; then
  echo "run.sh: $program does not start on this machine" >&2
  exit 1
fi
mkdir -p "$folder"
rm -f "$folder/lab.csv"
names=()
if [ "$what" = quick ]; then
  # B1 and B2 with each look-back and order, A as Merrill and Garland have it and with groups, the small ones.
  names=(--name "B1 256x8 rows, 6 slots;B1 512x4;B2 256x8 rows, 3 groups, 4 slots;B2 256x8 rows, 2 groups, 4 slots;B1 256x4;A 256x8;A 512x8;C cluster 4;D 512x4 rows, chunks of 1;S ;R1 ;R2 ")
fi
lab() { "$program" "${names[@]}" --csv "$folder/lab.csv" "$@" 2>&1 | tee -a "$folder/tables.txt" | grep -E "left out|left|waited|time is up|SMs" || true; }
lab --kind scan --type float32 --n 28,30 --seconds 110 --top 25
lab --kind scan --type float32 --n 22,20,18,16 --seconds 60 --top 15
lab --kind scan --type float16,int64 --n 28,22,20 --seconds 110 --top 15
lab --kind reduce --n 28,30,22,20 --type float32,int64 --seconds 80 --top 15
lab --kind scan --type float32 --n 24,26 --seconds 50 --top 10
lab --kind scan --type float16,int64 --n 30,26,24,18,16 --seconds 60 --top 8

# A line for each size: the best copy, CUB, and the best of ours. Then, for the largest float32 scans, the best eight.
python3 - "$folder/lab.csv" <<'PY' || true
import csv, sys
tables = {}
for r in csv.DictReader(open(sys.argv[1])):
    if r['median_us']: tables.setdefault((r['kind'], r['type'], int(r['log2_n']), r['mode']), []).append(r)
line = lambda r: (f"{float(r['median_us']):8.2f} us {float(r['gb_per_s']):5.0f} GB/s {float(r['of_copy']):.3f} of copy "
                  f"{float(r['times_cub']):.3f} x CUB, same bits {r['same_bits']}: {r['design']} {r['configuration']}")
ours = {}
for key, rows in tables.items():
    rows.sort(key=lambda r: float(r['median_us']))
    ours[key] = [r for r in rows if r['design'] not in ('copy', 'CUB', 'K1', 'K2')]
    if ours[key]: print(*key, line(ours[key][0]))
for key in ours:
    if key[:2] == ('scan', 'float32') and key[2] >= 28:
        print('\n' + ' '.join(map(str, key)))
        for r in [r for r in tables[key] if r['design'] in ('copy', 'CUB', 'K1', 'K2')][:3] + ours[key][:8]: print(line(r))
PY
