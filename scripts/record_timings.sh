#!/usr/bin/env bash
# Measures this machine's GPU for assets/timings, which lets a machine without one show real times:
#   scripts/record_timings.sh FILE [PROGRAM]
# FILE is such as assets/timings/nvidia-h200.json, PROGRAM is upsweep (build/upsweep unless told otherwise). Everything from 2^10 to
# 2^28 elements, the last lessons to 2^30, and what the figures need: one file, in which each row is the first that was measured
# of it, and says why it was left out only where it always was.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [[ $# -lt 1 || $# -gt 2 || $1 == -* ]]; then sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0" >&2; exit 2; fi
file=$1 program=${2:-$root/build/upsweep}
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT
"$program" bench --from 2^10 --to 2^30 --seconds 0.1 -o "$parts/1.json" >&2
"$program" bench --all --from 2^10 --to 2^28 --seconds 0.02 -o "$parts/2.json" >&2
"$program" figure all -o "$parts/3.json" >&2
python3 - "$parts" >"$file" <<'PYTHON'
import json, sys
parts = [json.load(open(f"{sys.argv[1]}/{i}.json")) for i in (1, 2, 3)]
rows = {}
for row in (row for part in parts for row in part["rows"]):
    s = row["settings"]
    key = (row["contender"], row["name"], row["variant"], row["cache"], s["n"], s["type"], s["op"])
    if key not in rows or rows[key]["missing"]: rows[key] = row
parts[0]["rows"] = list(rows.values())
json.dump(parts[0], sys.stdout, separators=(",", ":"))
print()
PYTHON
