#!/usr/bin/env bash
# Checks layouts.mlir and orders_and_pads.mlir of benchmarks/programs on the GPU at odd and even sizes, then times them at large ones.
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

# Another order, or a border: at most 3 % behind the copy rate or the kernel without.
programs="copy_bf16 copy_f32 two_orders_bf16 two_orders_f32 sum pad_sum softmax pad_softmax layer_norm pad_layer_norm"
for program in $programs; do
  options=(benchmarks/programs/orders_and_pads.mlir --program="$program" --device=cuda)
  small=37x4096 large=16384x4096
  case $program in
  copy* | two*) small=37x129 large=8192x8192 ;;
  *layer_norm) options+=(--scalar eps=1e-5) ;;
  esac
  out=$("$run" "${options[@]}" --check --repeat=0 --sizes=$small 2>&1) || { echo "FAIL $program"; echo "$out" | tail -3; }
  out=$("$run" "${options[@]}" --repeat=30 --sizes=$large 2>&1)
  printf '%-16s %s kernels | %s\n' "$program" "$(grep -cE '_[0-9]+: grid' <<<"$out")" "$(grep '^time' <<<"$out" | sed 's/^time *//')"
done
