#!/usr/bin/env bash
# Copies the program and the GPU's tests into one folder, with every library and font that they need. The copies
# run on another Linux machine of the same architecture with the same or a newer C library:
#   scripts/bundle.sh BUILD FOLDER
# BUILD is a build folder that contains upsweep, the two benchmarks, and the tests and tools named below. The
# script first deletes FOLDER. Then the script makes FOLDER with bin/, lib/, and the fonts in home/.
#
# The program finds the fonts if it is started with HOME=FOLDER/home. The other machine must have the C and C++
# libraries and the driver's libraries.
set -euo pipefail
if [[ $# -ne 2 ]]; then sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0" >&2; exit 2; fi
build=$1 folder=$2
programs=("$build/upsweep" "$build"/tests/{gpu_test,gpu_shapes_test,gpu_large_test,gpu_lens_test,gpu_picture_test,gpu_timing_test,gpu_counting_test,kernel_images,planted_bug,lookback_stress,hardware_counters} "$build"/bench/bench_{gpu_recording,depth_of_field})

for program in "${programs[@]}"; do
  if [[ ! -x $program ]]; then echo "$program is not built." >&2; exit 1; fi
done
rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/lib" "$folder/home/.local/share/fonts"
cp "${programs[@]}" "$folder/bin/"
strip "$folder"/bin/*
if [[ -e $build/libupsweep_cub.so ]]; then cp "$build/libupsweep_cub.so" "$folder/bin/"; fi

# These libraries are not copied, because they must belong to the other machine's system and GPU driver.
left_out='^(linux-vdso|ld-linux.*|libc|libm|libdl|libpthread|librt|libresolv|libstdc\+\+|libgcc_s|libcuda)\.so'

# Dear ImGui loads libGL.so.1 at run time, so `ldd` does not list this library.
libgl=$(ldconfig -p | awk '/libGL\.so\.1 .*x86-64/ { print $NF; exit }')
if [[ -n $libgl ]]; then cp --dereference "$libgl" "$folder/lib/libGL.so.1"; fi
ldd "${programs[@]}" ${libgl:+"$libgl"} | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u | while read -r library; do
  if [[ ! $(basename "$library") =~ $left_out ]]; then cp --dereference "$library" "$folder/lib/"; fi
done

for font in Inter-Regular Inter-Medium Inter-SemiBold JetBrainsMono-Regular DejaVuSans; do
  file=$(find /usr/share/fonts -name "$font.[ot]tf" -print -quit)
  if [[ -n $file ]]; then cp "$file" "$folder/home/.local/share/fonts/"; fi
done

du -sh "$folder" | awk '{ print $2 ": " $1 }'
