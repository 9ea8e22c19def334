"""Prints scripts that parallelize a loop of each extent near a limit of each parallel type."""

EXTENTS = {
    "vectorize": (0, 1, 2, 3, 8, 16, 17, 32),
    "thread_x": (0, 1, 1024, 1025),
    "thread_y": (0, 1, 1024, 1025),
    "thread_z": (0, 1, 64, 65),
    "cluster_x": (0, 1, 8, 9),
    "unroll": (0, 1, 4096, 4097),
    "block_x": (0, 1, 5000),
}
PROGRAM = """fuser.kernel @k(%x: tensor<7xEXTENTxf32>) -> tensor<7xEXTENTxf32> {
  %0 = fuser.relu %x : tensor<7xEXTENTxf32>
  fuser.return %0 : tensor<7xEXTENTxf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.fuser.match ["fuser.relu"] in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.parallelize %op at 1 as TYPE : !transform.any_op
    transform.yield
  }
}
"""

programs = [
    PROGRAM.replace("EXTENT", str(extent)).replace("TYPE", kind)
    for kind, extents in EXTENTS.items()
    for extent in extents
]
print("// -----\n".join(programs))
