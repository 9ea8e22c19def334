// Seed 8031731: fault
// DataRace: kernel 'f_0', block (0, 1, 0), thread (0, 0, 0): expected memref.load at program:1:17 to be ordered with memref.store at program:2:9 of thread (0, 0, 0) of block (0, 0, 0), but no synchronisation of the grid is between them and both touch byte 0 of parameter 0 ('x0', sizes [513, 1, 1], strides [1, 1, 1], 1026 bytes)
// fuser-run FILE --device=host --check --sizes=513x1x1,513x1x1
module {
  fuser.fusion @f(%x0: tensor<513x1x1xbf16>, %x1: tensor<513x1x1xbf16>) -> (tensor<1026xbf16>, tensor<513x1x1xbf16>) attributes {aliases = [#fuser.alias<output 1, input 0>]} {
    %0 = fuser.mul %x0, %x1 : tensor<513x1x1xbf16>
    %1 = fuser.reshape %x1 : tensor<513x1x1xbf16> -> tensor<513x1xbf16>
    %2 = fuser.tanh %0 : tensor<513x1x1xbf16>
    %3 = fuser.min %1 dims [1] : tensor<513x1xbf16> -> tensor<513xbf16>
    %4 = fuser.cat %3, %3 dim 0 : (tensor<513xbf16>, tensor<513xbf16>) -> tensor<1026xbf16>
    fuser.return %4, %2 : tensor<1026xbf16>, tensor<513x1x1xbf16>
  }
}