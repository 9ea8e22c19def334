// RUN: fuser-explain %examples/softmax.mlir --target=h200 --sizes=16384x16384 | FileCheck %s
// RUN: fuser-explain %examples/softmax.mlir --target=h200 --sizes=16384x16384 --format=svg > %t.svg
// RUN: %python -c "import sys, xml.etree.ElementTree as e; print(sorted({t.tag.split('}')[1] for t in e.parse(sys.argv[1]).iter()}))" %t.svg | FileCheck %s --check-prefix=SVG
// One segment: nothing is a boundary. Time and bytes beside those of a kernel for each op.

// CHECK: program     @softmax
// CHECK-NEXT: device      NVIDIA H200
// CHECK-NEXT: sizes       16384,16384{{$}}
// CHECK-NEXT: fused       1 kernel, 537 MB read, 537 MB written, {{[0-9.]+}} us
// CHECK-NEXT: unfused     9 kernels, {{.*}} ms ({{[0-9.]+}}x)
// CHECK-NEXT: asked       1 groups, {{.*}} 1 accepted whole, 0 taken apart
// CHECK: segment 0  @softmax_0: inner_persistent, 9 ops, 16384 blocks x 128 threads, 537 MB read, 537 MB written
// CHECK-NEXT: fuser.cast %x
// CHECK: reads   %x (537 MB)
// CHECK-NEXT: writes  {{.*}} (537 MB, output 0)
// CHECK-NOT: boundaries
// CHECK: launches
// CHECK-NEXT: @softmax_0 ins(%x) outs(%0)
// CHECK: layouts of the fusion
// CHECK: %x {{.*}}fact {{.*}}[0, 1]
// CHECK: layouts of the host function

// SVG: ['path', 'rect', 'style', 'svg', 'text', 'title']
