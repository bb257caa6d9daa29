#!/usr/bin/env bash
# Runs the planted bugs of tests/bugs on a GPU. Compares the findings of two tools: Upsweep's hazard analysis,
# which analyses recordings of the kernels, and compute-sanitizer, which watches runs of the kernels. Run this
# script in the repository's root:
#   tests/bugs_check.sh BUNDLE RESULTS
# BUNDLE is a folder made by scripts/bundle.sh, and RESULTS is a folder for logs.
#
# Several kernels run at the same time. Kernels that never end run after all other kernels, and the script stops them. At
# the end, the script prints the table of docs/hazards.md. The script exits with 1 if Upsweep's analysis misses a bug or
# reports a bug in a correct kernel.
set -uo pipefail
if [[ $# -ne 2 ]]; then sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0" >&2; exit 2; fi
mkdir -p "$2/sanitizer"
bundle=$(realpath "$1") results=$(realpath "$2")
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
export results PATH=$bundle/bin:$PATH:/usr/local/cuda/bin
chmod -R u+x "$bundle/bin"

# Use a bundled library only if this machine does not have the library.
known=$(ldconfig -p)
libraries=$(mktemp -d)
trap 'rm -rf "$libraries"' EXIT
for library in "$bundle"/lib/*; do
  if [[ $known != *"$(basename "$library") "* ]]; then ln -s "$library" "$libraries/"; fi
done
export LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

# Each bug runs in a separate process, because a kernel may make the GPU's context unusable until the process ends.
findings() { timeout -k 5 60 planted_bug --findings "$1" >"$results/$1.log" 2>&1 || echo "    exit code $?" >>"$results/$1.log"; }
watched() {
  local name=$1 tool=$2 log=$results/sanitizer/$1.$2.log
  timeout -k 2 "${limit:-60}" compute-sanitizer --tool "$tool" planted_bug "$name" >"$log" 2>&1 || echo "exit code $?" >>"$log"
}
export -f findings watched

planted_bug --list >"$results/list.txt" || exit 2
tools=()
if command -v compute-sanitizer >/dev/null; then tools=(memcheck racecheck initcheck synccheck); fi
begin=$SECONDS
awk -F'\t' '$1 !~ /endless|deadlock/ { print $2 }' "$results/list.txt" | xargs -P 8 -I{} bash -c 'findings {}'
awk -F'\t' '$1 ~ /endless|deadlock/ { print $2 }' "$results/list.txt" | xargs -I{} bash -c 'findings {}'
echo "analysis: $((SECONDS - begin)) s"
for tool in "${tools[@]}"; do
  begin=$SECONDS
  awk -F'\t' '$1 !~ /endless|deadlock/ { print $2 }' "$results/list.txt" | xargs -P 12 -I{} bash -c "watched {} $tool"
  awk -F'\t' '$1 ~ /endless|deadlock/ { print $2 }' "$results/list.txt" | limit=8 xargs -P 4 -I{} bash -c "watched {} $tool"
  echo "$tool: $((SECONDS - begin)) s"
done

python3 - "$results" "${tools[@]}" <<'PYTHON'
import re, sys
results, tools = sys.argv[1], sys.argv[2:]
summary = re.compile(r"(?:ERROR|RACECHECK) SUMMARY: (\d+)")
# If a grid starts grids, the tools of compute-sanitizer print a warning and count the warning as a report.
# Such a warning is not a finding.
not_followed = "Dynamic Parallelism is not supported by the selected tool"
def reported(log):
    return sum(map(int, summary.findall(log))) > log.count(not_followed)
kinds, rows, wrong = [], {}, []
for line in open(f"{results}/list.txt"):
    kind, name = line.rstrip("\n").split("\t")
    if kind not in rows:
        kinds.append(kind)
        rows[kind] = [0] * (len(tools) + 3)
    row = rows[kind]
    row[0] += 1
    ours = open(f"{results}/{name}.log", errors="replace").read()
    said = ours.startswith("found") or ours.startswith("FALSE ALARM")
    row[1] += said
    if not (ours.startswith("found") or ours.startswith("clean")):
        wrong.append(ours or f"{name}: nothing was said\n")
    by_any = False
    for i, tool in enumerate(tools):
        hit = reported(open(f"{results}/sanitizer/{name}.{tool}.log", errors="replace").read())
        row[2 + i] += hit
        by_any = by_any or hit
    row[-1] += by_any
sys.stdout.write("".join(wrong))
heading = ["planted", "kernels", "upsweep hazards"] + tools + (["any of them"] if tools else [])
print("| " + " | ".join(heading) + " |\n|" + "---|" * len(heading))
def line(name, row):
    print("| " + " | ".join([name] + [str(x) for x in (row if tools else row[:-1])]) + " |")
broken = [k for k in kinds if k != "nothing"]
for kind in broken:
    line(kind, rows[kind])
line("**all bugs**", [sum(rows[k][i] for k in broken) for i in range(len(tools) + 3)])
if "nothing" in rows:
    line("nothing (false alarms)", rows["nothing"])
sys.exit(bool(wrong))
PYTHON
