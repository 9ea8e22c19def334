#!/usr/bin/env bash
# Runs clang-tidy (.clang-tidy) over C++ sources of the repository; every finding is an error.
# Needs a configured build/ whose generated headers are there, and clang-tidy: utils/setup.sh --tidy installs it.
# usage: utils/tidy.sh [--all | FILE...]     default: .cpp files that differ from main, or that are not committed
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source utils/versions.env

tidy="clang-tidy-$LLVM_VERSION"
command -v "$tidy" >/dev/null || {
  echo "tidy: expected $tidy; install it with utils/setup.sh --tidy" >&2
  exit 1
}
[ -f build/compile_commands.json ] || {
  echo "tidy: expected a configured build tree; run cmake --preset dev" >&2
  exit 1
}

if [ "${1:-}" = --all ]; then
  mapfile -t files < <(git ls-files '*.cpp')
elif [ $# -gt 0 ]; then
  files=("$@")
else
  base=$(git merge-base HEAD main 2>/dev/null || git rev-parse HEAD)
  mapfile -t files < <({
    git diff --name-only --diff-filter=d "$base" -- '*.cpp'
    git ls-files --others --exclude-standard '*.cpp'
  } | sort -u)
fi

# Only what this build compiles: a consumer project in the tests has a build of its own.
compiled=()
for file in "${files[@]}"; do
  if grep -qF "\"file\": \"$PWD/$file\"" build/compile_commands.json; then
    compiled+=("$file")
  else
    echo "tidy: not part of build/, left out: $file"
  fi
done
[ ${#compiled[@]} -gt 0 ] || {
  echo "tidy: 0 files"
  exit 0
}

findings=$(mktemp)
trap 'rm -f "$findings"' EXIT
status=0
printf '%s\n' "${compiled[@]}" |
  xargs -P "$(nproc)" -n 1 "$tidy" -p build --quiet --warnings-as-errors='*' >"$findings" 2>/dev/null || status=1
cat "$findings"
echo "tidy: ${#compiled[@]} files, $(grep -cE ': (warning|error): ' "$findings" || true) findings"
exit $status
