// RUN: fuser-run %s --device=host --check --range=at=20:170 | FileCheck %s
// A number of each image is read by every thread of a tile of 1024 pixels of 3 channels. Whether a thread has a pixel
// of the last, partial tile depends on a remainder of its index: that of the first thread does not decide for others.
// CHECK: output 0: ok
fuser.fusion @f(%at: tensor<3xi64>, %x: tensor<3x3x197x197xbf16>, %y: tensor<3x3x197x197xbf16>) -> tensor<3x3x197x197xbf16> attributes {arg_layouts = [unit, #fuser.layout<order = [0, 2, 3, 1]>, unit], output_orders = [array<i64: 0, 1, 2, 3>]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %columns = fuser.iota %c0, %c1 : i64, i64 -> tensor<197xi64>
  %column = fuser.broadcast %columns dims [0, 1] : tensor<197xi64> -> tensor<1x1x197xi64>
  %first = fuser.broadcast %at dims [1, 2] : tensor<3xi64> -> tensor<3x1x1xi64>
  %isRight = fuser.ge %column, %first : (tensor<1x1x197xi64>, tensor<3x1x1xi64>) -> tensor<3x1x197xi1>
  %ofAll = fuser.broadcast %isRight dims [1] : tensor<3x1x197xi1> -> tensor<3x1x1x197xi1>
  %z = fuser.where %ofAll, %x, %y : (tensor<3x1x1x197xi1>, tensor<3x3x197x197xbf16>, tensor<3x3x197x197xbf16>) -> tensor<3x3x197x197xbf16>
  fuser.return %z : tensor<3x3x197x197xbf16>
}
