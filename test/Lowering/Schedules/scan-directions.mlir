// RUN: rm -rf %t && mkdir -p %t/reverse %t/exclusive %t/both
// RUN: cp %S/scan-*.mlir %t/reverse && cp %S/scan-*.mlir %t/exclusive && cp %S/scan-*.mlir %t/both
// RUN: sed -E -i 's/(fuser.cum[a-z]+ %%[a-z0-9]+ dim [0-9])/\1 reverse/' %t/reverse/*.mlir
// RUN: sed -E -i 's/(fuser.cum[a-z]+ %%[a-z0-9]+ dim [0-9])/\1 exclusive/' %t/exclusive/*.mlir
// RUN: sed -E -i 's/(fuser.cum[a-z]+ %%[a-z0-9]+ dim [0-9])/\1 reverse exclusive/' %t/both/*.mlir
// RUN: grep -r '^// RUN: fuser-run %%s' %t | sed -E 's#^([^:]*):// RUN: fuser-run %%s (.*--check.*) [|] FileCheck.*#\1 \2#' > %t.lines
// RUN: fuser-run --batch %t.lines
// RUN: FileCheck %s < %t.lines
// The schedules next to this file for scans that begin at the last index, and for those of what precedes each element.

// CHECK-DAG: reverse/scan-chained-columns.mlir --device=host --check
// CHECK-DAG: exclusive/scan-in-outer-vectors.mlir --device=host --check
// CHECK-DAG: both/scan-by-threads.mlir --device=host --check
