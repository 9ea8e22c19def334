// RUN: not fuser-explain %s --device-file=%t.none 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: fuser-explain: --device-file: cannot open input file '{{.*}}.none': No such file or directory
// RUN: not fuser-explain %s --device-file=/dev/zero 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: fuser-explain: --device-file: cannot open input file '/dev/zero': expected at most 268435456 bytes of a pipe or a device
// RUN: not fuser-explain %s --device-file=%s 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: fuser-explain: line 1: expected a field of a device description, but got
// A file that describes no device.

fuser.fusion @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuser.neg %x : tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}
