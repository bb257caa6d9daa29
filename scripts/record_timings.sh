#!/usr/bin/env bash
# Measures this machine's GPU for assets/timings, so that a machine without a GPU can show real times:
#   scripts/record_timings.sh FILE [PROGRAM]
# FILE is, for example, assets/timings/nvidia-h200.json; PROGRAM is upsweep (default: build/upsweep).
#
# Measures the default algorithms of `upsweep bench` from 2^10 elements to 2^30 for float32, and to 2^28 for
# int64 and float16. Measures all algorithms to 2^28 for float32. Also measures the sorts for uint32, which is
# their default type, the summed-area tables for int32, and the algorithms of the published figures.
#
# If a row was measured several times, FILE keeps the first result. If a row has no result, FILE states the
# reason.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [[ $# -lt 1 || $# -gt 2 || $1 == -* ]]; then sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0" >&2; exit 2; fi
file=$1 program=${2:-$root/build/upsweep}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
parts=0
part() {
  local begin=$SECONDS
  "$program" "$@" -o "$folder/part-$((++parts)).json" >&2
  echo "$((SECONDS - begin)) s: $*" >&2
}
part bench --from 2^10 --to 2^30
part bench --from 2^10 --to 2^28 --type int64 --seconds 0.03
part bench --from 2^10 --to 2^28 --type float16 --seconds 0.03
part bench --from 2^10 --to 2^28 --all --seconds 0.02
sorts=(--algorithm radix_sort --algorithm radix_sort_digits --algorithm radix_sort_one_sweep --type uint32)
part bench --from 2^10 --to 2^28 "${sorts[@]}" --seconds 0.02
part bench --from 2^10 --to 2^28 "${sorts[@]}" --variant keys=pairs --seconds 0.02
tables=(--algorithm summed_area_table --algorithm summed_area_table_single_pass --type int32)
part bench --from 2^10 --to 2^28 "${tables[@]}" --seconds 0.02
part bench --from 2^10 --to 2^28 "${tables[@]}" --variant channels=3 --seconds 0.02
part figure all
python3 - "$folder"/part-*.json >"$folder/all.json" <<'PYTHON'
import json, sys
parts = [json.load(open(part)) for part in sys.argv[1:]]
rows = {}
for row in (row for part in parts for row in part["rows"]):
    s = row["settings"]
    key = (row["contender"], row["name"], row["variant"], row["cache"], s["n"], s["type"], s["op"])
    if key not in rows or rows[key]["missing"]: rows[key] = row
parts[0]["rows"] = list(rows.values())
json.dump(parts[0], sys.stdout)
PYTHON
"$program" bench --timings "$folder/all.json" -o "$folder/excess.json" >/dev/null  # adds the excess wavefronts
# Leaves out the numbers that the program computes from the other numbers, so that the file is a fifth shorter.
python3 - "$folder/excess.json" >"$file" <<'PYTHON'
import json, sys
all = json.load(open(sys.argv[1]))
for row in all["rows"]:
    for computed in "bytes_per_second", "elements_per_second", "share_of_ceiling": row.pop(computed, None)
print(json.dumps(all, separators=(",", ":"), ensure_ascii=False))
PYTHON
echo "$SECONDS s in total: $file" >&2
