#!/usr/bin/env bash
# Formats the C++ and Python files of the repository in place.
# usage: utils/format.sh [--check]     --check: change nothing, name the files that would change, fail if there are any
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source utils/versions.env

mapfile -t sources < <(git ls-files --cached --others --exclude-standard '*.h' '*.cpp' '*.c')
if [ "${1:-}" = --check ]; then
  failed=0
  for source in "${sources[@]}"; do
    if ! "clang-format-$LLVM_VERSION" --dry-run --Werror "$source" 2>/dev/null; then
      echo "not formatted: $source"
      failed=1
    fi
  done
  .venv/bin/ruff format --check . || failed=1
  exit $failed
fi
[ ${#sources[@]} -eq 0 ] || "clang-format-$LLVM_VERSION" -i "${sources[@]}"
.venv/bin/ruff format .
