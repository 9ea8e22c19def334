#!/usr/bin/env bash
# Installs what is missing, builds fuser-run, and runs fusions with a check against the reference: on the GPU where
# there is one, else on the host device.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

utils/setup.sh
utils/configure.sh build/configure.log || {
  echo "demo: configuring failed" >&2
  exit 1
}
echo "demo: building fuser-run"
cmake --build build --target fuser-run -- --quiet

show() {
  echo
  echo "\$ build/bin/fuser-run $*"
  build/bin/fuser-run "$@"
}
show examples/rms_norm.mlir --check
show examples/softmax.mlir --sizes=64x5002 --check
show examples/scale_bias_relu.mlir --check
