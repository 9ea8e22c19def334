#!/usr/bin/env bash
# Installs what fuser needs and this machine lacks: Debian packages (as root) and a Python environment in .venv/.
# Prints nothing when nothing is missing. Versions: utils/versions.env.
# usage: utils/setup.sh [--tidy] [--torch] [--browser]
#   --tidy: also clang-tidy, which no build and no test needs
#   --torch: also PyTorch, which tests of its backend need
#   --browser: also a headless browser, which the test of fuser-explain's page needs
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=utils/versions.env
source utils/versions.env

fail() {
  echo "setup: $*" >&2
  exit 1
}

# Runs a command with its output in a log; shows the log's end only when the command fails.
quietly() {
  local log
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}

packages=(
  "llvm-$LLVM_VERSION-dev" "libmlir-$LLVM_VERSION-dev" "mlir-$LLVM_VERSION-tools" "llvm-$LLVM_VERSION-tools"
  "clang-$LLVM_VERSION" "clang-format-$LLVM_VERSION" "libclang-rt-$LLVM_VERSION-dev" "lld-$LLVM_VERSION"
  libc6-dev libstdc++-12-dev libgtest-dev zlib1g-dev libzstd-dev
  cmake ninja-build ccache git python3 python3-venv python3-dev
)

with_torch=0
for option in "$@"; do
  case "$option" in
  --tidy) packages+=("clang-tidy-$LLVM_VERSION") ;;
  --torch) with_torch=1 ;;
  --browser) packages+=(chromium-headless-shell) ;;
  *) fail "expected --tidy, --torch or --browser, but got '$option'" ;;
  esac
done

installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing=()
for package in "${packages[@]}"; do
  installed "$package" || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  command -v apt-get >/dev/null ||
    fail "expected a Debian 12 machine with apt-get; install these packages by hand: ${missing[*]}"
  [ "$(id -u)" -eq 0 ] ||
    fail "missing packages; as root run: apt-get install --no-install-recommends ${missing[*]}"
  echo "setup: installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  quietly apt-get update || fail "apt-get update failed"
  quietly apt-get install -y --no-install-recommends "${missing[@]}" || fail "apt-get install failed"
fi

# The stamp holds the pins that .venv was made from; a changed pin or an interrupted run makes it anew.
wheels=(
  "ruff==$RUFF_VERSION" "numpy==$NUMPY_VERSION" "pytest==$PYTEST_VERSION"
)
cuda_wheels=( # libdevice.10.bc and ptxas; what else these wheels ask for is not used
  "nvidia-nvvm==$CUDA_WHEEL_VERSION" "nvidia-cuda-nvcc==$CUDA_WHEEL_VERSION"
)
stamp=.venv/fuser-pins
pins="${wheels[*]} ${cuda_wheels[*]}"
if [ ! -f "$stamp" ] || [ "$(cat "$stamp")" != "$pins" ] || ! .venv/bin/python -c '' 2>/dev/null; then
  echo "setup: making .venv with $pins"
  rm -rf .venv
  python3 -m venv .venv || fail "python3 -m venv failed"
  quietly .venv/bin/python -m pip install "${wheels[@]}" || fail "pip install ${wheels[*]} failed"
  quietly .venv/bin/python -m pip install --no-deps "${cuda_wheels[@]}" || fail "pip install ${cuda_wheels[*]} failed"
  echo "$pins" >"$stamp"
fi

# pip may offer no PyTorch for this machine; then tests that need it are skipped.
torch_stamp=.venv/fuser-torch torch_wheels=("torch==$TORCH_VERSION" "expecttest==$EXPECTTEST_VERSION")
if [ $with_torch = 1 ] && { [ ! -f "$torch_stamp" ] || [ "$(cat "$torch_stamp")" != "${torch_wheels[*]}" ]; }; then
  echo "setup: adding ${torch_wheels[*]} to .venv"
  if quietly .venv/bin/python -m pip install "${torch_wheels[@]}"; then
    echo "${torch_wheels[*]}" >"$torch_stamp"
  else
    echo "setup: pip offers no ${torch_wheels[*]} here: tests of torch.compile will be skipped" >&2
  fi
fi
