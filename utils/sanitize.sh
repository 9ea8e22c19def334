#!/usr/bin/env bash
# Runs tests with a sanitizer of clang. From nothing on 2 CPUs: an hour (address), 25 minutes (thread), most of it builds.
#   address  AddressSanitizer, LeakSanitizer and UndefinedBehaviorSanitizer: unit tests, lit, and the tests of the Python package,
#            also those of its backend of torch.compile, for which PyTorch is installed
#   thread   ThreadSanitizer: the tests of threads, of the compiler, the runtime, sessions and the C interface, and of the Python package
# LLVM and PyTorch are not instrumented, and need no suppressions. Reports of any process are files of build-*/reports. Ends with
# 0 if all tests pass and there is no report.
# usage: utils/sanitize.sh address|thread
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source utils/versions.env
jobs=$(nproc)

case "${1:-}" in
address) preset=asan targets=(all) setup=(--torch) ;;
thread)
  preset=tsan setup=()
  targets=(fuser_capi fuser_calls FuserThreadsTests FuserCompilerTests FuserRuntimeTests FuserRuntimeHostTests FuserSessionTests
    FuserCAPITest FuserCAPITextsTest FuserCAPIInterruptTest FuserCAPIArtifactTest FuserCAPIRuntimeTest)
  ;;
*)
  echo "usage: utils/sanitize.sh address|thread" >&2
  exit 2
  ;;
esac
utils/setup.sh "${setup[@]}"
PATH="$PWD/.venv/bin:$PATH"
tree=build-$preset
mkdir -p "$tree"
cmake --preset "$preset" >"$tree/configure.log" 2>&1 || {
  tail -n 40 "$tree/configure.log"
  exit 1
}
cmake --build --preset "$preset" -j "$jobs" --target "${targets[@]}" -- --quiet

# The exit status does not tell of each report: `not` accepts that of a sanitizer, ctest judges some tests by what they
# print alone, and tools start processes.
reports=$PWD/$tree/reports
rm -rf "$reports"
mkdir "$reports"

failed=0
if [ "$preset" = asan ]; then
  # LLVM's allocators poison memory in code that is instrumented only. Each thread that the host device simulates would
  # have a stack for what outlives its function, which takes ten times as long.
  export ASAN_OPTIONS=log_path=$reports/report:detect_leaks=1:detect_stack_use_after_return=0:allow_user_poisoning=0
  export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
  ctest --test-dir "$tree" -j "$jobs" -LE slow --timeout 1200 --output-on-failure |
    grep -vE ' Passed |^ *Start ' || failed=1
  "/usr/lib/llvm-$LLVM_VERSION/bin/lit" -s -v --no-progress-bar -j "$jobs" "$tree/test" || failed=1
  ASAN_OPTIONS=${ASAN_OPTIONS/detect_leaks=1/detect_leaks=0} # of CPython
else
  # A report ends the process with 66.
  export TSAN_OPTIONS=log_path=$reports/report:ignore_noninstrumented_modules=1:halt_on_error=1
  ctest --test-dir "$tree" -j "$jobs" -R 'FuserThreads|FuserCompiler|FuserRuntime|FuserSession|FuserCAPI' --timeout 1200 --output-on-failure |
    grep -vE ' Passed |^ *Start ' || failed=1
fi
runtime=$("clang-$LLVM_VERSION" --print-file-name="libclang_rt.$preset-x86_64.so")
FUSER_LIBRARY="$PWD/$tree/lib/libfuser_capi.so" LD_PRELOAD="$runtime" python -m pytest -q test/python || failed=1

found=("$reports"/*)
if [ -e "${found[0]}" ]; then
  failed=1
  head -n 40 "${found[@]:0:5}"
  echo "sanitize: expected no report, but got ${#found[@]} in $reports" >&2
fi
exit $failed
