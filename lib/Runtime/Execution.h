//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One call of an executable.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_EXECUTION_H
#define FUSER_LIB_RUNTIME_EXECUTION_H

#include "ExecutionPlan.h"

namespace fuser::runtime {

/// The state of one call: values of expressions, addresses of buffers, owned memory. Memory that is
/// still owned when the call ends, because of an error or because the program does not free it, is
/// released.
class Execution {
public:
  /// `passed`: the arguments without the artifact's constants; at least as long-lived.
  Execution(const ExecutionPlan &plan, ArrayView<CallArgument> passed, Stream stream);
  ~Execution();
  Execution(const Execution &) = delete;
  Execution &operator=(const Execution &) = delete;

  /// Checks arguments and guards. Without `explain` the error of a guard has no message, which
  /// takes longer than the check.
  Status check(bool explain = true);
  /// Evaluates sizes, then runs the program. `outputs`: the caller's memory; null: allocate.
  Status run(const ArrayView<TensorView> *outputs);
  /// Passes on the results of a run that allocated them; call at most once.
  void takeOutputs(ResultReceiver &receiver);

private:
  int64_t leaf(const artifact::ExprNode &node) const;
  Status evaluate(const std::vector<ExprId> &nodes);
  Status runRange(size_t begin, size_t end);
  Status runLoop(size_t begin);
  Status runIterations(size_t begin, int64_t count);
  /// The streams of a loop with `count` iterations.
  Expected<std::vector<uint32_t>> takeLoopStreams(const artifact::ForBegin &loop, int64_t count);

  Status execute(const artifact::Alloc &op);
  Status execute(const artifact::Free &op);
  Status execute(const artifact::View &op);
  Status execute(const artifact::Launch &op);
  Status execute(const artifact::Copy &op);
  Status execute(const artifact::LibraryCall &op);
  Status execute(const artifact::SelectStream &op);
  Status execute(const artifact::RecordEvent &op) { return callStreams->record(op.event); }
  Status execute(const artifact::WaitEvent &op) { return callStreams->wait(op.event); }
  // Both ends of a loop and the return are handled where ranges are walked.
  Status execute(const artifact::ForBegin &) { return {}; }
  Status execute(const artifact::ForEnd &) { return {}; }
  Status execute(const artifact::Return &) { return {}; }

  Status allocationBytes(const artifact::Alloc &op, size_t &bytes) const;
  Status prepareLaunch(const artifact::Launch &op, PreparedInstruction &prepared);
  Status prepareTensorMaps(const artifact::Launch &op, PreparedInstruction &prepared);
  Status launchConfig(const artifact::Launch &op, LaunchConfig &config) const;
  Status checkParameters(const artifact::Launch &op) const;
  void bindRanges(const artifact::Launch &op);
  /// In elements.
  int64_t strideOf(artifact::BufferId buffer, uint32_t dim) const;
  Status copyView(size_t index);
  Status release(BufferId buffer);
  /// Borrows what a program that uses several streams needs.
  Status openStreams();
  uint32_t getStreamNumber() const { return callStreams ? callStreams->getCurrent() : 0; }
  /// Following work is in this stream.
  void selectStream(uint32_t stream);
  TensorView viewOf(BufferId buffer, std::vector<int64_t> &shape) const;

  const ExecutionPlan &plan;
  Device &device;
  size_t numPassed;
  /// With the constants.
  ArrayView<CallArgument> arguments;
  const ArrayView<TensorView> *outputs = nullptr;
  /// The caller's stream, and the current one.
  Stream callStream, currentStream;
  /// Of a program that uses several streams; else null.
  std::unique_ptr<CallStreams> callStreams;
  /// The streams of the innermost loop around the current instruction; empty: there is none.
  std::vector<uint32_t> loopStreams;
  /// By loop.
  std::vector<int64_t> loopIndices;
  /// Whether a launch of the current chain of dependent launches has blocks.
  bool hasChain = false;
  /// Index of the current instruction.
  size_t position = 0;
  std::unique_ptr<CallState> state;
  // Parts of the state.
  std::vector<int64_t> &values;
  std::vector<char *> &data;
  std::vector<void *> &owned;
};

} // namespace fuser::runtime

#endif // FUSER_LIB_RUNTIME_EXECUTION_H
