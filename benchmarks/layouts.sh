#!/usr/bin/env bash
# Checks benchmarks/programs/layouts.mlir on the GPU at odd and even sizes, then times it at large ones.
# usage: benchmarks/layouts.sh [FUSER_RUN]   (default build/bin/fuser-run); one line for each program and shape
set -u
cd "$(dirname "$0")/.."
run=${1:-build/bin/fuser-run}

for program in follow required; do
  for sizes in 1x1x1x1 2x3x5x7 4x64x14x14 3x129x33x17 0x3x4x4; do
    out=$("$run" benchmarks/programs/layouts.mlir --program=$program --device=cuda --check --repeat=0 --sizes=$sizes 2>&1) ||
      { echo "FAIL $program $sizes"; echo "$out" | tail -3; }
  done
  for sizes in 128x256x96x96 128x255x96x96 64x64x224x224; do
    out=$("$run" benchmarks/programs/layouts.mlir --program=$program --device=cuda --repeat=30 --sizes=$sizes 2>&1)
    printf '%-9s %-15s %s | %s | %s\n' "$program" "$sizes" "$(echo "$out" | grep '^kernels' | sed 's/^kernels *//')" \
      "$(echo "$out" | grep '^time' | sed 's/^time *//')" "$(echo "$out" | grep '^outputs' | sed 's/^outputs *//')"
  done
done
