#!/usr/bin/env bash
# Runs the scan lab on a GPU within 8 minutes: run.sh PROGRAM FOLDER [quick|all]. quick: some 30 configurations of each type, the most promising;
# all: every one. FOLDER gets lab.csv and the tables; the end of the output is the best of each size, short enough to read.
set -uo pipefail
program=$1 folder=$2 what=${3:-all}
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

# The best three of each size, after the peer; of float sums also the best that is the same on every run.
python3 - "$folder/lab.csv" <<'PY' || true
import csv, sys
tables = {}
for r in csv.DictReader(open(sys.argv[1])):
    if r['median_us']: tables.setdefault((r['kind'], r['type'], int(r['log2_n']), r['mode']), []).append(r)
print(f"{'':30}{'us':>9} {'GB/s':>6} {'copy':>6} {'CUB':>6} same")
for key, rows in tables.items():
    rows.sort(key=lambda r: float(r['median_us']))
    ours = [r for r in rows if r['design'] not in ('copy', 'CUB', 'K1', 'K2')]
    best = ours[:3]
    steady = [r for r in ours if r['same_bits'] == 'yes'][:1]
    copies = [r for r in rows if r['design'] in ('copy', 'K1', 'K2')][:1]
    for r in copies + [r for r in rows if r['design'] == 'CUB'] + best + [r for r in steady if r not in best]:
        print(f"{' '.join(map(str, key)):30}{float(r['median_us']):9.2f} {float(r['gb_per_s']):6.0f} {float(r['of_copy']):6.3f} "
              f"{float(r['times_cub']):6.3f} {r['same_bits']:4} {r['design']} {r['configuration']}")
PY
