#!/usr/bin/env bash
# Builds the wheel, checks what it needs and how large it is, installs it in a fresh environment, and tests it there.
# usage: utils/check_wheel.sh [--release]
#   --release   build all of it as `pip install .` does (static LLVM, no assertions): takes as long as the first build.
#               Otherwise the wheel is made of the objects of build/, linked with static LLVM.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=utils/versions.env
source utils/versions.env

fail() {
  echo "check_wheel: $*" >&2
  exit 1
}

grep -q "scikit-build-core==$SCIKIT_BUILD_CORE_VERSION\"" pyproject.toml ||
  fail "pyproject.toml: expected scikit-build-core of version $SCIKIT_BUILD_CORE_VERSION (utils/versions.env)"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/build"
settings=()
case "${1:-}" in
"")
  cmake --build build --target fuser_capi_static -- --quiet
  # The pip of Debian 12 has no short form of the option.
  settings=(--config-settings="build-dir=$work/cmake" --config-settings=build.targets=fuser_calls
    --config-settings="cmake.args=-DFUSER_PREBUILT_CAPI=$PWD/build/static/libfuser_capi.so;-GNinja;-DCMAKE_CXX_COMPILER=clang++-$LLVM_VERSION;-DCMAKE_C_COMPILER=clang-$LLVM_VERSION")
  ;;
--release) ;;
*) fail "expected --release or nothing, but got '$1'" ;;
esac
"$work/build/bin/python" -m pip --disable-pip-version-check wheel --quiet --no-deps --wheel-dir "$work" "${settings[@]}" .

wheels=("$work"/*.whl)
[ "${#wheels[@]}" = 1 ] || fail "expected one wheel, but got ${wheels[*]}"
wheel=${wheels[0]}
[[ $wheel == */fuser-*-cp311-abi3-linux_*.whl ]] || fail "expected a wheel for cp311-abi3, but got ${wheel##*/}"
bytes=$(stat -c %s "$wheel")
[ "$bytes" -le 60000000 ] || fail "expected at most 60 MB, but got $bytes bytes"

python3 -m venv "$work/test"
test_python="$work/test/bin/python"
"$test_python" -m pip --disable-pip-version-check install --quiet "$wheel" "numpy==$NUMPY_VERSION" "pytest==$PYTEST_VERSION"
installed=$("$test_python" -c 'import fuser, os; print(os.path.dirname(fuser.__file__))')
[[ $installed == "$work"/test/* ]] || fail "expected the installed package, but got $installed"
for file in libfuser_capi.so fuser_calls.abi3.so share/fuser/libdevice.10.bc py.typed; do
  [ -f "$installed/$file" ] || fail "expected $file in the wheel"
done
readelf="/usr/lib/llvm-$LLVM_VERSION/bin/llvm-readelf"
sh test/consumer/check_library.sh "$readelf" "$installed/libfuser_capi.so"
"$readelf" --sections "$installed/libfuser_capi.so" | grep -q ' \.symtab' && fail "expected a stripped library"

# LLVM's tools, the build tree and the package of the checkout are out of reach; tests read files next to them.
run() { env -i HOME="$work" PATH="$work/test/bin:/usr/bin:/bin" "$test_python" "$@"; }
run -m fuser
run -m pytest -q -p no:cacheprovider -o pythonpath="utils test/python" test/python

# Later versions of Python load the same wheel.
for version in 3.12 3.13; do
  "python$version" -c '' 2>/dev/null || continue
  "python$version" -m venv "$work/$version"
  "$work/$version/bin/python" -m pip --disable-pip-version-check install --quiet "$wheel" "numpy==$NUMPY_VERSION" "pytest==$PYTEST_VERSION"
  (test_python="$work/$version/bin/python" && run -m pytest -q -p no:cacheprovider -o pythonpath="utils test/python" test/python/test_calls.py)
done
echo "ok: ${wheel##*/}, $bytes bytes"
