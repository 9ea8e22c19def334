#!/usr/bin/env bash
# Configures build/: with preset ci where there is no tree or that made it, else with preset dev.
# usage: utils/configure.sh LOG     LOG: what cmake prints; its end is shown where it fails
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=ci
cache=build/CMakeCache.txt
if [ -f "$cache" ] && ! grep -q '^CMAKE_UNITY_BUILD:[A-Z]*=ON$' "$cache"; then
  preset=dev
fi
mkdir -p "$(dirname "$1")"
cmake --preset "$preset" >"$1" 2>&1 || {
  tail -n 40 "$1" >&2
  exit 1
}
