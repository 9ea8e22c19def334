#!/bin/sh
# check_library.sh READELF LIBRARY...: fails where a library needs more than the C library, or exports more than fuser_*.
set -eu
readelf=$1
shift
for library in "$@"; do
  "$readelf" -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | while read -r needed; do
    case $needed in
    libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | ld-linux-*) ;;
    *) echo "$library: needs $needed" ;;
    esac
  done
  # Defined and visible: value, size, type, binding, visibility, section, name.
  "$readelf" --dyn-syms --wide "$library" | awk -v library="$library" \
    '$1 ~ /^[0-9]+:$/ && $7 != "UND" && $5 != "LOCAL" && $8 !~ /^fuser_/ { print library ": exports " $8 }'
done | { ! grep .; }
echo "ok: $*"
