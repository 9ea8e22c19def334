// fuser-tune enumerates the schedules of each kernel, checks them, and writes a file of which fuser-run and fuser-explain take
// the parameters. The host device measures no times: the choices of the model are kept.
// RUN: rm -rf %t && mkdir %t
// RUN: fuser-tune %s --device=host --sizes=24x1000 --top=6 -o %t/a.mlir | FileCheck %s
// CHECK: program     @two_kernels
// CHECK: device      host
// CHECK: target      NVIDIA H100
// CHECK: kernel      two_kernels_0: 6 schedules, {{[0-9]+}} refused, {{[0-9]+}} left out
// CHECK-NEXT: scheduler {{ *}}parameters {{ *}}predicted {{ *}}measured {{ *}}spread {{ *}}verdict
// CHECK-NEXT: inner_persistent {{ *}}as chosen {{ *}}{{[0-9.]+}} us {{ *}}- {{ *}}-  the model's choice, kept
// What another scheduler chooses comes before what is next to the choice.
// CHECK-NEXT: streaming {{ *}}threads_x = 256, vector = 4 {{.*}}  same results
// CHECK-COUNT-4: inner_persistent {{.*}}  same results
// CHECK: chosen:  #fuser_sched.inner_persistent<
// CHECK: refused: {{.*}}row-too-long {{[0-9]+}}
// CHECK: kernel      two_kernels_1: {{[0-9]+}} schedules
// CHECK: pointwise
// CHECK: time        not measured
// CHECK: schedules   {{.*}}a.mlir: 2 kernels, 0 changed

// The file has the kernels as segmentation makes them, and is the same each time.
// RUN: FileCheck %s --check-prefix=FILE --input-file=%t/a.mlir
// FILE: module attributes {fuser_sched.device = "NVIDIA H100"} {
// FILE-NEXT: fuser.kernel @two_kernels_0(%x: tensor<?x?xf32>) {{.*}} attributes {fuser_sched.sizes = [array<i64: 24, 1000>], schedule = #fuser_sched.inner_persistent<threads = {{[0-9]+}}, vector = 4, vectors = {{[0-9]+}}
// FILE: fuser.kernel @two_kernels_1(
// RUN: fuser-tune %s --device=host --sizes=24x1000 --top=6 -o - 2> %t/report | diff - %t/a.mlir
// RUN: grep -c "same results" %t/report

// Other parameters than the model's: the launch is that of the file.
// RUN: sed -E 's/inner_persistent<[^>]*>/inner_persistent<threads = 32, vector = 4, vectors = 8, rows = 2>/' %t/a.mlir > %t/b.mlir
// RUN: fuser-run %s --device=host --sizes=24x1000 --schedules=%t/b.mlir --check | FileCheck %s --check-prefix=RAN
// RAN: kernels     two_kernels_0: grid 12, block 32x2
// RAN: tuned       two_kernels_0, two_kernels_1
// RAN: check       output 0: ok
// RUN: fuser-explain %s --sizes=24x1000 --schedules=%t/b.mlir | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: @two_kernels_0: inner_persistent, 5 ops, 12 blocks x 64 threads
// EXPLAIN: tuned   #fuser_sched.inner_persistent<threads = 32, vector = 4, vectors = 8, rows = 2>
// RUN: fuser-explain %s --sizes=24x1000 --schedules=%t/b.mlir --format=json | FileCheck %s --check-prefix=JSON
// JSON: "tuned": "#fuser_sched.inner_persistent<threads = 32, vector = 4, vectors = 8, rows = 2>"
// RUN: fuser-run %s --device=host --sizes=24x1000 --schedules=%t/b.mlir --no-run --dump-after=choose 2> /dev/null | FileCheck %s --check-prefix=CHOSEN
// CHOSEN: fuser.kernel @two_kernels_0
// CHOSEN-SAME: #fuser.fact<at_most 0[1], 1000>
// CHOSEN-SAME: fuser_sched.tuned
// CHOSEN-SAME: schedule = #fuser_sched.inner_persistent<threads = 32, vector = 4, vectors = 8, rows = 2>

// An entry is for one size.
// RUN: fuser-run %s --device=host --sizes=24x500 --schedules=%t/b.mlir --check | FileCheck %s --check-prefix=OTHER
// OTHER: tuned       none: no kernel equals one of the schedules
// OTHER: check       output 0: ok

// Tuning continues from a file: the entry is the first schedule, and its neighbors are among the others.
// RUN: fuser-tune %s --device=host --sizes=24x1000 --top=12 --schedules=%t/b.mlir -o %t/d.mlir | FileCheck %s --check-prefix=GIVEN
// RUN: diff %t/b.mlir %t/d.mlir
// GIVEN: inner_persistent {{ *}}as given {{.*}}  the schedule of the file, kept
// GIVEN-NEXT: inner_persistent {{ *}}threads = 64, vectors = 4, rows = 1 {{.*}}  same results
// GIVEN-NEXT: streaming
// GIVEN: inner_persistent {{ *}}threads = 64 {{.*}}  same results
// GIVEN: given:   #fuser_sched.inner_persistent<threads = 32, vector = 4, vectors = 8, rows = 2>
// GIVEN: kernel      two_kernels_1
// GIVEN-NEXT: scheduler
// GIVEN-NEXT: pointwise {{ *}}as given

// A budget ends what has not begun; the file has the choices.
// RUN: fuser-tune %s --device=host --sizes=24x1000 --top=6 --budget=1e-9 -o %t/c.mlir | FileCheck %s --check-prefix=BUDGET
// RUN: diff %t/a.mlir %t/c.mlir
// BUDGET: the model's choice, kept
// BUDGET: not reached
// BUDGET: ended       before all schedules were measured
fuser.fusion @two_kernels(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.exp %2 : tensor<?x?xf32>
  %4 = fuser.segment_set %3 : tensor<?x?xf32>
  %5 = fuser.neg %4 : tensor<?x?xf32>
  fuser.return %5 : tensor<?x?xf32>
}
