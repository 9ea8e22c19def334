#!/usr/bin/env bash
# Fuzzes parsers, bytecode and verifiers of our dialects with libFuzzer: builds preset `fuzz`, makes seeds of the programs
# of all tests, and runs text and bytecode one after the other. What it learned stays in build-fuzz/corpus for the next
# time. Fails at the first crash, hang (6 s) or fault, whose input is build-fuzz/crash-* (or timeout-*, oom-*).
# usage: utils/fuzz_parser.sh [--runs=N] [text|bytecode]     N: inputs for each kind (default 100000)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

runs=100000
kinds=(text bytecode)
for argument in "$@"; do
  case "$argument" in
  --runs=*) runs=${argument#--runs=} ;;
  text | bytecode) kinds=("$argument") ;;
  *)
    echo "fuzz_parser: expected --runs=N, text or bytecode, but got '$argument'" >&2
    exit 2
    ;;
  esac
done

[ -f build-fuzz/build.ninja ] || cmake --preset fuzz >/dev/null
ninja -C build-fuzz fuser-fuzz-parser fuser-fuzz-corpus >/dev/null
cd build-fuzz
# Containers and arenas are shared with libMLIR, which is not instrumented: their marks would be out of date. What a context
# holds is freed with it.
export ASAN_OPTIONS=detect_container_overflow=0:allow_user_poisoning=0:detect_leaks=0
rm -rf seeds
bin/fuser-fuzz-corpus seeds seeds ../test ../examples
bin/fuser-fuzz-corpus dictionary >words.dict
for kind in "${kinds[@]}"; do
  echo "== $kind"
  mkdir -p "corpus/$kind"
  bin/fuser-fuzz-parser -runs="$runs" -timeout=6 -max_len=8192 -rss_limit_mb=4096 -dict=words.dict -verbosity=0 \
    -print_final_stats=1 "corpus/$kind" "seeds/$kind"
done
