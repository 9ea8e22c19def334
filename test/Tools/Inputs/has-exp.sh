#!/bin/sh
# Interesting: a valid program in which the exponential of something is summed, with facts.
program=$(fuser-opt "$1" 2>/dev/null) || exit 0
for part in fuser.exp fuser.sum facts; do
  echo "$program" | grep -q "$part" || exit 0
done
exit 1
