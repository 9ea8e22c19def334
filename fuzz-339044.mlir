// Seed 339044: wrong
// output 0: 2 of 18432 elements differ, by 0.000016 at most
// fuser-run FILE --device=host --check --sizes=1024x1x3
module {
  fuser.fusion @f(%arg0: tensor<?x1x?xf32>) -> tensor<?x?x?xf32> {
    %0 = fuser.mean %arg0 dims [1] : tensor<?x1x?xf32> -> tensor<?x?xf32>
    %1 = fuser.broadcast %0 dims [2] : tensor<?x?xf32> -> tensor<?x?x1xf32>
    %2 = fuser.cumsum %arg0 dim 0 : tensor<?x1x?xf32> -> tensor<?x1x?xf32>
    %3 = fuser.add %2, %2 : tensor<?x1x?xf32>
    %4 = fuser.mul %3, %1 : (tensor<?x1x?xf32>, tensor<?x?x1xf32>) -> tensor<?x?x?xf32>
    %5 = fuser.tanh %4 : tensor<?x?x?xf32>
    fuser.return %5 : tensor<?x?x?xf32>
  }
}