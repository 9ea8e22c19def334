#!/usr/bin/env bash
# Runs on the GPU every check that the tests run on the host device: each "RUN: fuser-run ... --device=host ... --check"
# line of test/, with the other device; then every op alone, where there is a list of programs. Prints the lines that fail
# and a summary; exits with 1 where one does.
# usage: utils/check_gpu.sh [FUSER_RUN [OPS [OUTCOMES]]]   (default build/bin/fuser-run, and no list)
#   OPS        a file with the output of `build/bin/fuser-op-programs FOLDER`
#   OUTCOMES   a file to write: one line per line of OPS, behind "ok" or "FAIL" (utils/ops_table.py --record)
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.."
run=${1:-build/bin/fuser-run}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0 failed=0
while IFS=: read -r file line; do
  command=${line#*RUN: fuser-run }
  command=${command%%|*}
  command=${command//%s/$file}
  command=${command//%S/$(dirname "$file")}
  command=${command//%examples/examples}
  command=${command//--device=host/--device=cuda}
  case $command in *%*) continue ;; esac # needs something else of lit
  # shellcheck disable=SC2086 # words, as lit's shell has them
  if eval "$run" $command >"$log" 2>&1 && ! grep -qE 'FAILED|mismatch' "$log"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL fuser-run $command"
    grep -E 'fuser-run:|check' "$log" | head -3
  fi
done < <(grep -rE '^(//|#) RUN: fuser-run .*--device=host' test --include='*.mlir' --include='*.test' | grep -e '--check' | sort)

# Checks one line of the list; prints how it ended.
check_op() { # FUSER_RUN line
  # shellcheck disable=SC2086
  if "$1" $2 --device=cuda --check --repeat=0 >/dev/null 2>&1; then echo "ok fuser-run $2"; else echo "FAIL fuser-run $2 --device=cuda --check"; fi
}
export -f check_op
if [ -n "${2:-}" ]; then
  outcomes=$(xargs -P "$(nproc)" -d '\n' -I{} bash -c 'check_op "$1" "$2"' check "$run" {} <"$2")
  grep FAIL <<<"$outcomes"
  [ -z "${3:-}" ] || sort <<<"$outcomes" >"$3"
  passed=$((passed + $(grep -c '^ok' <<<"$outcomes")))
  failed=$((failed + $(grep -c '^FAIL' <<<"$outcomes")))
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
