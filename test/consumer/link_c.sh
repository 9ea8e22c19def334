#!/bin/sh
# link_c.sh CC FILE.pc SOURCE.c OUTPUT [ARGUMENT...]: compiles a program with the flags of the pkg-config file, and runs it.
set -eu
cc=$1 package=$2 source=$3 output=$4
shift 4
value() { sed -n "s/^$1[=:] *//p" "$package"; }
expand() { sed -e "s|\${libdir}|$libdir|g" -e "s|\${includedir}|$includedir|g" -e "s|\${prefix}|$prefix|g"; }
prefix=$(value prefix)
libdir=$(value libdir | sed "s|\${prefix}|$prefix|")
includedir=$(value includedir | sed "s|\${prefix}|$prefix|")
# shellcheck disable=SC2046
"$cc" "$source" -o "$output" $(value Cflags | expand) $(value Libs | expand) -Wl,-rpath,"$libdir"
"$output" "$@"
