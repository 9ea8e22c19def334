#!/bin/sh
# link_c.sh CC FILE.pc OUTPUT: compiles capi.c with the flags of the pkg-config file, and runs it.
set -eu
cc=$1 package=$2 output=$3
value() { sed -n "s/^$1[=:] *//p" "$package"; }
expand() { sed -e "s|\${libdir}|$libdir|g" -e "s|\${includedir}|$includedir|g" -e "s|\${prefix}|$prefix|g"; }
prefix=$(value prefix)
libdir=$(value libdir | sed "s|\${prefix}|$prefix|")
includedir=$(value includedir | sed "s|\${prefix}|$prefix|")
# shellcheck disable=SC2046
"$cc" "$(dirname "$0")/capi.c" -o "$output" $(value Cflags | expand) $(value Libs | expand) -Wl,-rpath,"$libdir"
"$output"
