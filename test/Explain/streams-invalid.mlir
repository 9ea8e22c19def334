// The kernels of a fusion over streams are those of its parts, which only outlining makes.
// RUN: not fuser-explain %s --target=h200 --sizes=64x256 2>&1 | FileCheck %s
// RUN: not fuser-explain %s --target=h200 --sizes=64x256 --format=html 2>&1 | FileCheck %s

// CHECK: streams-invalid.mlir:[[#@LINE+1]]:1: error: 'fuser.fusion' op expected a fusion that is not distributed over streams or devices
fuser.fusion @rows(%0: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 4) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i0, i1]>]} : tensor<?x?xbf16>
  fuser.return %1 : tensor<?x?xbf16>
}
