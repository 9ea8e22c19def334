// RUN: fuser-run %s --device=host --check --program=pad --size x=5x64 --size y=5x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad --size x=0x64 --size y=0x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_and_keep --size x=9x24 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_both_ways --size x=3x16 --size b=16 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_twice --size x=7x40 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=cat --size x=9x6 --size y=9x10 --size z=9x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=crop --size x=9x48 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=wide_and_narrow --size x=9x32 --size b=40 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_gathered --size x=9x50 --size i=12 --range i=0:50 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=selected_and_joined_twice --range i=0:6 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// S2.1, S2.6: vectors are as wide as the output allows, whatever the offset of what they are made of: parts of them are
// read where there is something, and all of them is computed.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

// IR-LABEL: gpu.func @pad_0
// IR-COUNT-8: vector.load %reinterpret_cast{{.*}}, vector<2xbf16>
// IR-NOT: vector.load %reinterpret_cast
// IR: vector.store %{{.*}}, %reinterpret_cast{{.*}}, vector<8xbf16>
fuser.fusion @pad(%x: tensor<?x64xbf16>, %y: tensor<?x64xbf16>, %v: f32) -> tensor<?x96xbf16> {
  %0 = fuser.div %x, %y : tensor<?x64xbf16>
  %1 = fuser.pad %0 low [0, 2] high [0, 30] value %v : tensor<?x64xbf16>, f32 -> tensor<?x96xbf16>
  fuser.return %1 : tensor<?x96xbf16>
}

// What is padded is stored in the parts that it is read in.
// IR-LABEL: gpu.func @pad_and_keep_0
// IR-COUNT-2: vector.store %{{.*}}, %reinterpret_cast{{.*}}, vector<2xf32>
// IR: vector.store %{{.*}}, %reinterpret_cast{{.*}}, vector<4xf32>
fuser.fusion @pad_and_keep(%x: tensor<?x24xf32>, %v: f32) -> (tensor<?x24xf32>, tensor<?x32xf32>) {
  %0 = fuser.exp %x : tensor<?x24xf32>
  %1 = fuser.pad %0 low [0, 2] high [0, 6] value %v : tensor<?x24xf32>, f32 -> tensor<?x32xf32>
  fuser.return %0, %1 : tensor<?x24xf32>, tensor<?x32xf32>
}

fuser.fusion @pad_both_ways(%x: tensor<?x16xf32>, %b: tensor<16xf32>, %v: f32) -> tensor<?x20xf32> {
  %0 = fuser.broadcast %b dims [0] : tensor<16xf32> -> tensor<1x16xf32>
  %1 = fuser.add %x, %0 : (tensor<?x16xf32>, tensor<1x16xf32>) -> tensor<?x16xf32>
  %2 = fuser.pad %1 low [2, 1] high [1, 3] value %v : tensor<?x16xf32>, f32 -> tensor<?x20xf32>
  %3 = fuser.exp %2 : tensor<?x20xf32>
  fuser.return %3 : tensor<?x20xf32>
}

fuser.fusion @pad_twice(%x: tensor<?x40xbf16>, %v: f32, %w: f32) -> tensor<?x64xbf16> {
  %0 = fuser.exp %x : tensor<?x40xbf16>
  %1 = fuser.pad %0 low [0, 1] high [0, 5] value %v : tensor<?x40xbf16>, f32 -> tensor<?x46xbf16>
  %2 = fuser.sin %1 : tensor<?x46xbf16>
  %3 = fuser.pad %2 low [0, 4] high [0, 14] value %w : tensor<?x46xbf16>, f32 -> tensor<?x64xbf16>
  fuser.return %3 : tensor<?x64xbf16>
}

fuser.fusion @cat(%x: tensor<?x6xf32>, %y: tensor<?x10xf32>, %z: tensor<?x1xf32>) -> tensor<?x16xf32> {
  %0 = fuser.exp %x : tensor<?x6xf32>
  %1 = fuser.mul %y, %z : (tensor<?x10xf32>, tensor<?x1xf32>) -> tensor<?x10xf32>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<?x6xf32>, tensor<?x10xf32>) -> tensor<?x16xf32>
  fuser.return %2 : tensor<?x16xf32>
}

// Nothing is missing: no guards.
// IR-LABEL: gpu.func @crop_0
// IR-NOT: scf.if {{.*}} ->
// IR: vector.store %{{.*}}, %reinterpret_cast{{.*}}, vector<8xbf16>
fuser.fusion @crop(%x: tensor<?x48xbf16>, %v: f32) -> tensor<?x32xbf16> {
  %0 = fuser.exp %x : tensor<?x48xbf16>
  %1 = fuser.pad %0 low [0, -3] high [0, -13] value %v : tensor<?x48xbf16>, f32 -> tensor<?x32xbf16>
  fuser.return %1 : tensor<?x32xbf16>
}

// An operand without rows has no say in the width; its vector is more than one access.
// IR-LABEL: gpu.func @wide_and_narrow_0
// IR: vector.store %{{.*}}, %reinterpret_cast{{.*}}, vector<8xbf16>
fuser.fusion @wide_and_narrow(%x: tensor<?x32xbf16>, %b: tensor<40xf32>, %v: f32) -> tensor<?x40xbf16> {
  %0 = fuser.pad %x low [0, 4] high [0, 4] value %v : tensor<?x32xbf16>, f32 -> tensor<?x40xbf16>
  %1 = fuser.cast %0 : tensor<?x40xbf16> to tensor<?x40xf32>
  %2 = fuser.broadcast %b dims [0] : tensor<40xf32> -> tensor<1x40xf32>
  %3 = fuser.add %1, %2 : (tensor<?x40xf32>, tensor<1x40xf32>) -> tensor<?x40xf32>
  %4 = fuser.cast %3 : tensor<?x40xf32> to tensor<?x40xbf16>
  fuser.return %4 : tensor<?x40xbf16>
}

// What reads at data does so only where it exists.
fuser.fusion @pad_gathered(%x: tensor<?x?xf32>, %i: tensor<12xi64>, %v: f32) -> tensor<?x16xf32> {
  %0 = fuser.index_select %x, %i dim 1 : tensor<?x?xf32>, tensor<12xi64> -> tensor<?x12xf32>
  %1 = fuser.exp %0 : tensor<?x12xf32>
  %2 = fuser.pad %1 low [0, 2] high [0, 2] value %v : tensor<?x12xf32>, f32 -> tensor<?x16xf32>
  fuser.return %2 : tensor<?x16xf32>
}

// What reads at data is in no vector that exists in part in any of the joined values.
fuser.fusion @selected_and_joined_twice(%x: tensor<6xi32>, %i: tensor<16xi64>, %y: tensor<1xi32>, %z: tensor<3xi32>) -> tensor<20xi32> {
  %0 = fuser.index_select %x, %i dim 0 : tensor<6xi32>, tensor<16xi64> -> tensor<16xi32>
  %1 = fuser.cat %0, %y dim 0 : (tensor<16xi32>, tensor<1xi32>) -> tensor<17xi32>
  %2 = fuser.neg %1 : tensor<17xi32>
  %3 = fuser.cat %2, %z dim 0 : (tensor<17xi32>, tensor<3xi32>) -> tensor<20xi32>
  fuser.return %3 : tensor<20xi32>
}
