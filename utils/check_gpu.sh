#!/usr/bin/env bash
# Runs on the GPU every check that the tests run on the host device: each "RUN: fuser-run ... --device=host ... --check"
# line of test/, with the other device; then every op alone, where there is a list of programs. Prints the lines that fail
# and a summary; exits with 1 where one does.
# usage: utils/check_gpu.sh [--sanitizer=TOOL] [--jobs=N] [FUSER_RUN [OPS [OUTCOMES]]]   (default build/bin/fuser-run, no list)
#   TOOL       memcheck, racecheck, initcheck or synccheck of compute-sanitizer: what it finds fails as well
#   N          runs at a time (default: one for each CPU)
#   OPS        a file with the output of `build/bin/fuser-op-programs FOLDER`
#   OUTCOMES   a file to write: one line per line of OPS, behind "ok" or "FAIL" (utils/ops_table.py --record)
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tool='' jobs=$(nproc)
while [[ ${1:-} == --* ]]; do
  case $1 in
  --sanitizer=*) tool=${1#*=} ;;
  --jobs=*) jobs=${1#*=} ;;
  *) echo "check_gpu: expected --sanitizer=TOOL or --jobs=N, but got '$1'" >&2 && exit 2 ;;
  esac
  shift
done
run=${1:-build/bin/fuser-run}
[ -z "$tool" ] || run="compute-sanitizer --tool $tool --error-exitcode 9 --print-limit 3 $run"

# Runs one command; prints "ok COMMAND", or "FAIL COMMAND" and what says why.
check() { # RUN arguments
  local log
  log=$(mktemp)
  # shellcheck disable=SC2086 # words, as lit's shell has them
  if eval "$1" $2 >"$log" 2>&1 && ! grep -qE 'FAILED|mismatch' "$log"; then
    echo "ok fuser-run $2"
  else
    printf '%s\n' "FAIL fuser-run $2"$'\n'"$(grep -E 'fuser-run:|check|=========' "$log" | head -8 | sed 's/^/  /')"
  fi
  rm -f "$log"
}
export -f check

# What each line of standard input runs, some at a time.
check_all() { xargs -P "$jobs" -d '\n' -I{} bash -c 'check "$1" "$2"' check "$run" {}; }

suite() {
  grep -rE '^(//|#) RUN: fuser-run .*--device=host' test --include='*.mlir' --include='*.test' | grep -e '--check' | sort |
    while IFS=: read -r file line; do
      command=${line#*RUN: fuser-run }
      command=${command%%|*}
      command=${command//%s/$file}
      command=${command//%S/$(dirname "$file")}
      command=${command//%examples/examples}
      command=${command//--device=host/--device=cuda}
      case $command in *%*) continue ;; esac # needs something else of lit
      echo "$command"
    done
}

outcomes=$(suite | check_all)
if [ -n "${2:-}" ]; then
  ops=$(sed 's/$/ --device=cuda --check --repeat=0/' "$2" | check_all)
  [ -z "${3:-}" ] || grep -E '^(ok|FAIL)' <<<"$ops" | sed 's/ --device=cuda --check --repeat=0$//' | sort >"$3"
  outcomes+=$'\n'$ops
fi
grep -vE '^ok' <<<"$outcomes"
passed=$(grep -c '^ok' <<<"$outcomes")
failed=$(grep -c '^FAIL' <<<"$outcomes")
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
