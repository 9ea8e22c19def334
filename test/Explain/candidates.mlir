// RUN: fuser-explain %s --program=transposed --target=h200 --sizes=4096x4096,4096x4096 | FileCheck %s
// RUN: fuser-explain %s --program=transposed --target=h200 --sizes=4096x4096,4096x4096 --format=json \
// RUN:   | %python -c "import json, sys; [print(s['scheduler'], [c['scheduler'] for c in s['candidates']], s['microseconds'] == min(c['microseconds'] for c in s['candidates']), [r['scheduler'] + ' ' + r['code'] for r in q['refusals']]) for r in [json.load(sys.stdin)] for s, q in zip(r['segments'], r['queries'])]" \
// RUN:   | FileCheck %s --check-prefix=JSON
// RUN: fuser-explain %s --program=alone --target=h200 --sizes=64x64 | FileCheck %s --check-prefix=ALONE
// RUN: fuser-explain %s --program=cut --target=h200 --sizes=1024x1024,1024x1024,1024x1024 | FileCheck %s --check-prefix=CUT
// Each scheduler that accepts a kernel is there with its time, and each other one with its refusal.

// The chosen one takes the least time.
// CHECK: segment 0  @transposed_0: transpose, {{.*}}, {{[0-9.]+}} us
// CHECK: writes
// CHECK-NEXT: instead of  pointwise ({{[0-9.]+}} us)
// JSON: transpose ['transpose', 'pointwise'] True ['accumulation no-accumulation', 'inner_persistent no-reduction', 'reduction no-reduction', 'inner_outer no-reduction', 'outer_persistent no-reduction', 'streaming no-reduction', 'scan no-scan']
fuser.fusion @transposed(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.add %0, %y : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// Nothing is said where one scheduler accepts.
// ALONE: segment 0  @alone_0: pointwise
// ALONE-NOT: instead of
fuser.fusion @alone(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// The boundary has the specific refusals, each with its scheduler and the reshape at fault.
// CUT: boundaries
// CUT-NEXT: 0 -> 1  %{{[0-9]+}} {{.*}} no scheduler takes both: inner_persistent [reshape-of-loops]: expected loops that are the same on both sides of 'fuser.reshape'
// CUT-NEXT: reduction [reshape-of-loops]:
fuser.fusion @cut(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %a = fuser.add %x, %y : tensor<?x?xf32>
  %b = fuser.add %a, %z : tensor<?x?xf32>
  %0 = fuser.exp %b : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.neg %2 : tensor<?xf32>
  fuser.return %1, %3 : tensor<?xf32>, tensor<?xf32>
}
