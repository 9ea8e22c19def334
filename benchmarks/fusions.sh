#!/usr/bin/env bash
# Checks the examples on the GPU at odd and even sizes, then times them at large ones.
# usage: benchmarks/fusions.sh [FUSER_RUN]   (default build/bin/fuser-run); one line for each fusion and shape
set -u
cd "$(dirname "$0")/.."
run=${1:-build/bin/fuser-run}

sizes_of() { # fusion rows columns -> --sizes
  case $1 in
  mul) echo "$2x$3,$2x$3" ;;
  scale_bias_relu | layer_norm) echo "$2x$3,$3,$3" ;;
  rms_norm) echo "$2x$3,$3" ;;
  *) echo "$2x$3" ;;
  esac
}

fusions="mul scale_bias_relu row_sum channel_sum rms_norm layer_norm softmax"
echo "== check against the reference"
passed=0
for fusion in $fusions; do
  for shape in 3x7 1x1 0x5 5x0 33x5002 64x4096 7x16384 1000x1; do
    sizes=$(sizes_of "$fusion" "${shape%x*}" "${shape#*x}")
    if out=$("$run" "examples/$fusion.mlir" --device=cuda --check --repeat=0 --sizes="$sizes" 2>&1); then
      passed=$((passed + 1))
    else
      echo "FAIL $fusion $shape: $(echo "$out" | grep -vE '^(program|arguments|device|kernels|compile| )' | head -2 | tr '\n' ' ')"
    fi
  done
done

echo "ok: $passed"
echo "== time"
time_one() { # fusion rows columns
  out=$("$run" "examples/$1.mlir" --device=cuda --repeat=30 --sizes="$(sizes_of "$1" "$2" "$3")" 2>&1)
  line=$(echo "$out" | grep '^time' | sed 's/^time *//')
  compile=$(echo "$out" | grep '^compile' | sed 's/^compile *//')
  printf '%-16s %6sx%-6s %s | %s\n' "$1" "$2" "$3" "${line:-$(echo "$out" | tail -1)}" "$compile"
}
for fusion in mul scale_bias_relu; do time_one $fusion 16384 18432; time_one $fusion 16384 5002; time_one $fusion 2048 18432; done
for fusion in row_sum channel_sum; do time_one $fusion 16384 20480; time_one $fusion 16384 5002; time_one $fusion 2048 20480; done
for fusion in rms_norm softmax layer_norm; do time_one $fusion 16384 16384; time_one $fusion 16384 5002; time_one $fusion 2048 16384; done
