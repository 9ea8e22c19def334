#!/usr/bin/env bash
# Times the fusions of test/Segmentation/Programs on the GPU at 16384 rows, with the number of their kernels; before that
# each is checked against the reference at a smaller size. (Odd sizes: utils/check_gpu.py.)
# usage: benchmarks/padding.sh [FUSER_RUN]   (default build/bin/fuser-run); one line for each fusion
set -u
cd "$(dirname "$0")/.."
run=${1:-build/bin/fuser-run}

# fusion; options for the check; options for the time
fusions="
pad_exp              | --sizes=64x4096                              | --sizes=16384x4096
mul_pad              | --sizes=64x4096,64x4096                      | --sizes=16384x4096,16384x4096
fill_insert          | --sizes=64x4096                              | --sizes=16384x4096
pad_and_source       | --sizes=64x4096                              | --sizes=16384x4096
cat_computed         | --sizes=64x2048,64x1024                      | --sizes=16384x2048,16384x1024
cat_rows             | --sizes=64x4096,32x4096                      | --sizes=16384x4096,8192x4096
rope                 | --sizes=1x4x64x128,64x128,64x128             | --sizes=2x32x16384x128,16384x128,16384x128
rope_pair            | --sizes=1x4x64x128,1x4x64x128,64x128,64x128  | --sizes=1x32x16384x128,1x32x16384x128,16384x128,16384x128
softmax              | --sizes=64x4096                              | --sizes=16384x4096
attention_softmax    | --sizes=1x2x64x2048,1x1x64x2048 --scalar scale=0.1 --scalar low=-10000 | --sizes=1x8x16384x2048,1x1x16384x2048 --scalar scale=0.1 --scalar low=-10000
layer_norm_gelu      | --sizes=64x8192,8192,8192 --scalar eps=1e-5  | --sizes=16384x8192,8192,8192 --scalar eps=1e-5
cross_entropy        | --sizes=64x32000,64 --range target=0:32000   | --sizes=16384x32000,16384 --range target=0:32000
layer_norm_backward  | --sizes=64x8192,64x8192,64,64,8192           | --sizes=16384x8192,16384x8192,16384,16384,8192
"
trim() { sed 's/^ *//; s/ *$//' <<<"$1"; }
while IFS='|' read -r fusion check time; do
  fusion=$(trim "$fusion")
  [ -n "$fusion" ] || continue
  file=test/Segmentation/Programs/$fusion.mlir
  # shellcheck disable=SC2086 # words
  if ! out=$("$run" "$file" --device=cuda --check --repeat=0 $check 2>&1) || grep -q WRONG <<<"$out"; then
    printf '%-20s FAIL %s\n' "$fusion" "$(grep -E 'fuser-run:|check' <<<"$out" | head -2 | tr '\n' ' ')"
    continue
  fi
  # shellcheck disable=SC2086 # words
  out=$("$run" "$file" --device=cuda --repeat=30 $time 2>&1)
  kernels=$(grep -cE '_[0-9]+: grid' <<<"$out")
  line=$(grep '^time' <<<"$out" | sed 's/^time *//')
  printf '%-20s %d kernels, %s\n' "$fusion" "$kernels" "${line:-$(tail -1 <<<"$out")}"
done <<<"$fusions"
