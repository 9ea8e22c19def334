#!/bin/sh
# log-steps.sh LOG FILE (in any order): interesting is the program itself, which comes first, and nothing else that is
# tried. That goes to the log, in order, one line for each program.
for word in "$@"; do
  case $word in
  *.log) log=$word ;;
  *) file=$word ;;
  esac
done
[ -e "$log.first" ] || cp "$file" "$log.first"
cmp -s "$file" "$log.first" && exit 1
step=$(tr -s ' \n' ' ' < "$file")
grep -qxF -e "$step" "$log" 2>/dev/null || echo "$step" >> "$log"
exit 0
