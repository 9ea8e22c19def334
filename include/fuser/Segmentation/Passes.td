//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_SEGMENTATION_PASSES_TD
#define FUSER_SEGMENTATION_PASSES_TD

include "mlir/Pass/PassBase.td"

def FuserSegmentFusions : Pass<"fuser-segment-fusions", "::mlir::ModuleOp"> {
  let summary = "Turn every fusion into as few kernels as schedulers accept, and the host function that launches them";
  let description = [{
    Decides which ops run together, then outlines: each `fuser.fusion @f` becomes `fuser.kernel @f_0`, `@f_1`, ... and
    `fuser.host @f`, which sizes and allocates buffers, launches the kernels in order and frees what lies between them.

    The fusion is cut at `fuser.segment_set` and nowhere else (without one it is a single piece), and the schedulers are
    asked once for each piece: whether one accepts it and finds parameters for the expected sizes. An accepted piece is a
    kernel, unless its parts are predicted to take less time: then it is refused as well (ADR 176). A refused one is cut where a refusal asks for it, and what is refused still into single ops; the parts are
    merged along values and between readers of one value, those first that save most time, while a scheduler accepts the
    result and it takes less time than they do. Pieces are never merged with each other. Cheap ops whose result would be
    read from memory are computed in each kernel that needs them. An op that only a fallback takes gives a remark.

    The pipelines pass a check of lowering: a kernel is kept only if its schedule can be lowered (ADR 50). Otherwise the
    next fastest scheduler gets it, which `fuser_sched.only` names, or its ops are refused like any other group. A remark
    at the fusion and `fuser_sched.fallbacks` of the host function say so.

    What a kernel reads from another one has the sizes, divisors and orders that the fusion knows, as facts and layouts.
    Expected sizes become the attribute `fuser_sched.sizes` of each kernel.

    Ops that run over streams become the body of a `fuser.for`; several streams of one loop domain are nested loops. Ops
    that read each other's parts share one `fuser.for`. A value whose allocation domain has the stream is allocated in the
    loop, any other value before it. Each iteration computes a fusion of its part, which is partitioned and outlined
    separately (S4.8, `test/Segmentation/stream-loops.mlir`). More than one device is refused.

    Launches of independent kernels with the same ops, whatever their ranks and sizes, get the same `fuser_sched.batch` if
    one launch is predicted to take less time than several (ADR 78): `fuser-merge-launches` merges them after lowering.
    Launches that overlap get a `fuser_sched.stream` if several streams are predicted to take at least 5 % less time than
    one (ADR 91): `fuser-assign-streams` inserts streams and events after lowering.

    An argument that is stored in another order than row-major is copied first, by a kernel of its own, if the kernels are
    predicted to take at least 15 % less time then (ADR 188, `test/Segmentation/copy-arguments.mlir`).

    A fusion whose ops are scheduled already, or that has the attribute `fuser_sched.one_kernel`, is one kernel. A mark whose two sides are connected by other values as well is not honoured: a remark says so. Does nothing to a
    module without a `fuser.fusion`. Fails at an op that no scheduler takes even alone, and at a fusion whose output
    sizes its arguments do not determine.

    Example: `test/Segmentation/segment-fusions.mlir`.
  }];
  // Needs a registry: see createSegmentFusionsPass.
  let constructor = "nullptr";
  let options = [
    Option<"target", "target", "std::string", "\"sm_90\"", "device to segment for: a name or a chip, e.g. h200, sm_90">,
    Option<"sizes", "sizes", "std::string", "\"\"",
           "expected sizes of the fusion's arguments, in elements: `16384,5002;5002;` (scalars: nothing, unknown: ?)">,
    Option<"explain", "explain", "bool", "false", "emit a remark for each refused group, with the reasons, and note on each kernel why it is one">,
    Option<"origins", "origins", "bool", "false",
           "number the ops of each fusion in `fuser.origin`, which the ops of kernels keep">,
    Option<"batch", "batch", "bool", "true", "batch launches of similar independent kernels">,
    Option<"streams", "streams", "bool", "true",
           "distribute launches over streams where this is predicted to take less time">,
    Option<"forceStreams", "force-streams", "bool", "false",
           "distribute launches over streams wherever dependences permit it: for tests">,
  ];
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels outlined">,
    Statistic<"numCopies", "copies", "Outputs that had to be copied">,
    Statistic<"numArgumentCopies", "argument-copies", "Arguments that are copied to row-major order">,
    Statistic<"numQueries", "queries", "Groups about which the schedulers were asked">,
    Statistic<"numAnswers", "answers", "Answers of single schedulers">,
    Statistic<"numKnown", "known", "Groups whose answers were known from an earlier query">,
    Statistic<"numAccepted", "accepted", "Pieces that were accepted whole">,
    Statistic<"numShattered", "shattered", "Pieces that were taken apart">,
    Statistic<"numParts", "parts", "Parts of the latter that were accepted after a cut that a refusal asked for">,
    Statistic<"numCostly", "costly", "Merges that schedulers accept and that would cost time">,
    Statistic<"numMerges", "merges", "Merges of what was taken apart">,
    Statistic<"numRecomputed", "recomputed", "Cheap ops that a further kernel computes">,
    Statistic<"numBatches", "batches", "Launches that are to consist of several">,
    Statistic<"numStreams", "streams", "Streams of host functions that use several">,
  ];
  let dependentDialects = ["::fuser::FuserDialect", "::fuser::FuserSchedDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FuserOutlineKernels : Pass<"fuser-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Turn every fusion into one kernel and the host function that launches it";
  let description = [{
    Outlines as `fuser-segment-fusions` does, but queries no scheduler: the whole fusion becomes one kernel, for
    schedules that are written by hand.

    Replaces each `fuser.fusion @f` by `fuser.kernel @f_0`, which computes the same, and by
    `fuser.host @f`, which sizes and allocates the outputs, launches the kernel and returns. The
    kernel keeps arguments, layouts, facts, requirements, aliases and front-end ids; an argument
    that nothing uses stays. An output is allocated in its required order, else in the order of its
    allocation domain or layout hint, else row-major; an aliased output is stored in its argument.
    Any order that is not row-major becomes the kernel's required order of that output, so that
    producer and buffer agree whatever becomes of the hint.

    An output that is itself an argument is a `fuser.copy` in the host function, or nothing if it is
    aliased to that argument. A copy that changes the layout (S0.1) is a kernel of its own, with one
    `fuser.set` and the attribute `fuser_sched.copy`.

    Sizes that must be equal for the program to make sense, and that no fact makes equal, become
    facts of both functions, so that every call is checked for them.

    Does nothing to a module without a `fuser.fusion`. Fails at a fusion whose output sizes its
    arguments do not determine.

    Example: `test/Segmentation/outline-kernels.mlir`.
  }];
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels outlined">,
    Statistic<"numCopies", "copies", "Outputs that are arguments and had to be copied">,
  ];
  let dependentDialects = ["::fuser::FuserDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FuserSettleBoundaries : Pass<"fuser-settle-boundaries", "::mlir::ModuleOp"> {
  let summary = "Choose the orders of buffers between kernels that schedulers prefer";
  let description = [{
    Runs right after outlining and is the only pass that changes the order of a buffer that kernels write: on its
    `fuser.alloc`, as the required order of the kernel that writes it, and in the layouts of the kernels that read it.
    It does so for buffers between kernels and for outputs of the program (S0.6), if

    - the order is a default (`fuser.default_order`) or the written value still has a layout hint, and the program does not
      require the order of that buffer;
    - the scheduler of one of the kernels prefers another order;
    - schedulers accept all kernels in that order, and lowering takes their schedules;
    - the predicted time of the kernels does not increase, and decreases by 5 % if their schedulers prefer different
      orders. Buffers that kernels connect are changed together if they can be, because a kernel may need several in one
      order.

    The pass removes `fuser.default_order`: after it, `fuser-verify-layouts` refuses any change.

    Does nothing if a buffer is written or read by anything but one launch of a kernel, to kernels that are scheduled
    already, and to launches of a batch.

    Example: `test/Segmentation/settle-boundaries.mlir`.
  }];
  // Needs a registry: see createSettleBoundariesPass.
  let constructor = "nullptr";
  let options = [
    Option<"target", "target", "std::string", "\"sm_90\"", "device to predict times for: a name or a chip, e.g. h200, sm_90">,
  ];
  let statistics = [Statistic<"numSettled", "settled", "Buffers whose order changed">];
}

#endif // FUSER_SEGMENTATION_PASSES_TD
