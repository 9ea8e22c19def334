// A kernel that a schedule script schedules is explained by what the script made; the others by their scheduler.
// RUN: fuser-explain %examples/schedules/softmax.mlir | FileCheck %s
// RUN: fuser-explain %examples/schedules/softmax.mlir --format=json | FileCheck %s --check-prefix=JSON
// RUN: fuser-explain %examples/softmax.mlir | FileCheck %s --check-prefix=NONE

// CHECK: segment 0  @softmax_0: inner_persistent
// CHECK: scheduled by the script, so that the scheduler, blocks and time above do not apply:
// CHECK-NEXT: {{^    %.* = fuser.set %x }}
// CHECK: {{^    %.* = fuser.max .*domains = \[#fuser.domain<.*@thread_x.*}}
// JSON: "script": [
// JSON-NEXT: fuser.set %x 
// NONE: segment 0
// NONE-NOT: script
