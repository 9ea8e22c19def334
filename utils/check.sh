#!/usr/bin/env bash
# Installs what is missing, builds everything, and runs every test that needs no GPU.
# Ends with one line, "N passed, N failed", over script checks, lit, unit tests and pytest; fails when any failed.
# usage: utils/check.sh [--fast]     --fast: leave out the tests that build a second project or take over a minute
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source utils/versions.env

fast=0
[ "${1:-}" = --fast ] && fast=1
jobs=$(nproc)
results=build/check
begin=$SECONDS

give_up() {
  echo "check: $*" >&2
  echo "0 passed, 1 failed"
  exit 1
}

echo "== setup"
utils/setup.sh --torch --browser || give_up "setup failed"
setup_seconds=$((SECONDS - begin))
PATH="$PWD/.venv/bin:$PATH"

echo "== build"
mark=$SECONDS
mkdir -p "$results"
rm -f "$results"/*
utils/configure.sh "$results/configure.log" || give_up "configuring failed"
cmake --build build -j "$jobs" --target all fuser-docs -- --quiet || give_up "building failed"
build_seconds=$((SECONDS - mark))

mark=$SECONDS
# One line of checks.txt per script check: "passed NAME" or "failed NAME".
script_check() {
  local name=$1
  shift
  echo "== $name"
  if "$@"; then
    echo "passed $name" >>"$results/checks.txt"
  else
    echo "failed $name" >>"$results/checks.txt"
  fi
}

# A suite that ends badly without a failed test in its report counts as one failure (utils/count_results.py).
declare -A status
suite() {
  local name=$1
  shift
  echo "== $name"
  "$@"
  status[$name]=$?
}

unit_tests() { # ctest's output without the lines of tests that pass
  local label=()
  [ $fast = 0 ] || label=(-LE slow)
  ctest --test-dir build --output-on-failure --no-tests=error -j "$jobs" "${label[@]}" \
    --output-junit "$PWD/$results/unittests.xml" 2>&1 | grep -vE '^ *Start +[0-9]+:|Passed +[0-9.]+ sec$|^Internal ctest|^$'
  return "${PIPESTATUS[0]}"
}

script_check "layering" python utils/check_layering.py
script_check "docs" python utils/check_docs.py
script_check "format" utils/format.sh --check
script_check "ruff" ruff check --quiet .
script_check "kernel counts" python utils/golden.py check --jobs="$jobs"
script_check "bad input" python utils/abuse.py --jobs="$jobs"
[ $fast = 1 ] || script_check "wheel" utils/check_wheel.sh
suite pytest python -m pytest -q --junit-xml="$results/pytest.xml"
suite unittests unit_tests
suite lit "/usr/lib/llvm-$LLVM_VERSION/bin/lit" -s -v --no-progress-bar -j "$jobs" --xunit-xml-output="$results/lit.xml" build/test
tests_seconds=$((SECONDS - mark))

echo "== setup ${setup_seconds} s, build ${build_seconds} s, tests ${tests_seconds} s"
python utils/count_results.py --checks "$results/checks.txt" \
  "$results/pytest.xml:${status[pytest]}" "$results/unittests.xml:${status[unittests]}" "$results/lit.xml:${status[lit]}"
