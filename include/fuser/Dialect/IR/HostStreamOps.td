//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops of `fuser.host` that distribute launches over streams.

#ifndef FUSER_HOST_STREAM_OPS
#define FUSER_HOST_STREAM_OPS

include "fuser/Dialect/IR/FuserOpBase.td"

def Fuser_StreamOp : Fuser_Op<"stream", [HasParent<"HostOp">]> {
  let summary = "chooses the stream of the ops after it";
  let description = [{
    Launches, copies, library calls, records and waits up to the next `fuser.stream` are in this stream. Stream 0, which
    is the first one, is the stream of the call. Ops of one stream run in order; ops of different streams only as events
    order them. HO11: a number of at most 63; buffers are allocated and freed on stream 0.

    ```mlir
    fuser.stream 1
    ```
  }];
  let arguments = (ins I64Attr:$number);
  let assemblyFormat = "$number attr-dict";
  let hasVerifier = 1;
}

def Fuser_RecordOp : Fuser_Op<"record", [HasParent<"HostOp">]> {
  let summary = "an event after what the current stream has so far";
  let description = [{
    Event `event` is the point that the current stream has reached. HO12: each event is recorded once.

    ```mlir
    fuser.record 0
    ```
  }];
  let arguments = (ins I64Attr:$event);
  let assemblyFormat = "$event attr-dict";
  let hasVerifier = 1;
}

def Fuser_WaitOp : Fuser_Op<"wait", [HasParent<"HostOp">]> {
  let summary = "the current stream waits for an event";
  let description = [{
    The ops after it in the current stream run after all ops that precede the event in its stream, and after what these
    waited for. HO13: the event is recorded before.

    ```mlir
    fuser.stream 1
    fuser.wait 0
    ```
  }];
  let arguments = (ins I64Attr:$event);
  let assemblyFormat = "$event attr-dict";
  let hasVerifier = 1;
}

#endif // FUSER_HOST_STREAM_OPS
