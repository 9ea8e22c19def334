//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ScheduleQuery.h"
#include "fuser/Scheduling/Candidates.h"
#include "fuser/Scheduling/EqualCode.h"
#include "fuser/Scheduling/ScheduleCache.h"
#include "fuser/Support/Interruption.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace fuser;

SmallVector<KernelOutput> fuser::getOutputs(ArrayRef<Operation *> ops,
                                            ArrayRef<Operation *> recomputed,
                                            const llvm::DenseSet<Value> *needed) {
  llvm::SmallPtrSet<Operation *, 16> own(ops.begin(), ops.end());
  SmallVector<KernelOutput> outputs;
  for (Operation *op : ops) {
    if (llvm::is_contained(recomputed, op))
      continue;
    for (Value result : op->getResults()) {
      SmallVector<unsigned> positions;
      bool isRead = false;
      for (OpOperand &use : result.getUses()) {
        if (isa<ReturnOp>(use.getOwner()))
          positions.push_back(use.getOperandNumber());
        else
          isRead |= !own.contains(use.getOwner());
      }
      if (needed)
        isRead = needed->contains(result);
      llvm::sort(positions);
      for (unsigned position : positions)
        outputs.push_back({result, position, std::nullopt});
      if (isRead && positions.empty())
        outputs.push_back({result, std::nullopt, std::nullopt});
    }
  }
  return outputs;
}

Verdict &KnownAnswers::operator()(ArrayRef<Operation *> ops, ArrayRef<KernelOutput> outputs) {
  SmallVector<uintptr_t, 64> key;
  for (Operation *op : ops)
    key.push_back(reinterpret_cast<uintptr_t>(op));
  // Ends the ops.
  key.push_back(0);
  for (const KernelOutput &output : outputs) {
    key.push_back(reinterpret_cast<uintptr_t>(output.value.getAsOpaquePointer()));
    key.push_back(output.position ? *output.position + 1 : 0);
  }
  return answers[StringRef(reinterpret_cast<const char *>(key.data()),
                           key.size() * sizeof(uintptr_t))];
}

ScheduleQuery::ScheduleQuery(FusionOp fusion, const ExtentAnalysis &analysis,
                             const SegmentationOptions &options, SegmentationCounts &counts,
                             DecisionLog *log, KnownAnswers &answers,
                             ArrayRef<RefusedGroup> refused)
    : builder(fusion, analysis, options.hints), options(options), counts(counts), log(log),
      answers(answers), refused(refused) {
  Block &body = fusion.getBody().front();
  for (Operation &op : body.without_terminator())
    for (Value result : op.getResults())
      if (isa<RankedTensorType>(result.getType()) && isArgumentView(fusion, result, analysis))
        argumentViews.insert(result);
  for (auto [position, value] : llvm::enumerate(body.getTerminator()->getOperands()))
    if (argumentViews.contains(value) && isArgumentViewOutput(fusion, position, analysis))
      viewOutputs.insert(position);
}

SmallVector<KernelOutput>
ScheduleQuery::getKernelOutputs(ArrayRef<Operation *> ops, ArrayRef<Operation *> recomputed,
                                const llvm::DenseSet<Value> *needed) const {
  SmallVector<KernelOutput> outputs = getOutputs(ops, recomputed, needed);
  auto isView = [&](const KernelOutput &output) {
    return output.position ? viewOutputs.contains(*output.position)
                           : argumentViews.contains(output.value);
  };
  if (!llvm::all_of(outputs, isView))
    llvm::erase_if(outputs, isView);
  SmallVector<KernelOutput> ordered;
  for (const KernelOutput &output : outputs)
    if (output.position)
      ordered.push_back(output);
  llvm::sort(ordered, [](const KernelOutput &a, const KernelOutput &b) {
    return *a.position < *b.position;
  });
  for (const KernelOutput &output : outputs)
    if (!output.position)
      ordered.push_back(output);
  return ordered;
}

/// Cuts of the kernel as cuts of the fusion.
static SmallVector<OpOperand *> translateCuts(const BuiltKernel &built,
                                              ArrayRef<OpOperand *> cuts) {
  llvm::DenseMap<Operation *, Operation *> sources;
  for (auto [op, source] : llvm::zip_equal(
           KernelOp(built.kernel).getBody().front().without_terminator(), built.sources))
    sources[&op] = source;
  return llvm::map_to_vector(cuts, [&](OpOperand *cut) {
    return &sources.lookup(cut->getOwner())->getOpOperand(cut->getOperandNumber());
  });
}

RefusalNote fuser::describeRefusal(const Scheduler &scheduler, const Refusal &refusal) {
  return {scheduler.getName().str(), refusal.code.str(), refusal.sentence,
          refusal.category != RefusalCategory::OutOfScope};
}

const RefusedGroup *ScheduleQuery::findRefused(ArrayRef<Operation *> ops) const {
  for (const RefusedGroup &group : refused)
    if (static_cast<size_t>(llvm::count_if(
            ops, [&](Operation *op) { return group.ops.contains(op); })) == group.ops.size())
      return &group;
  return nullptr;
}

KernelOp ScheduleQuery::KnownKernel::getKernel() const {
  return kernel ? *kernel : *verdict.accepted->kernel;
}

const Verdict *ScheduleQuery::findKnown(KernelOp kernel, size_t hash) const {
  auto it = knownByHash.find(hash);
  if (it != knownByHash.end())
    for (unsigned number : it->second)
      if (areEqualKernels(known[number].getKernel(), kernel, OperationEquivalence::IgnoreLocations))
        return &known[number].verdict;
  return nullptr;
}

void ScheduleQuery::addKnown(OwningOpRef<KernelOp> kernel, size_t hash, const Verdict &verdict) {
  knownByHash[hash].push_back(known.size());
  known.push_back({std::move(kernel), verdict});
}

void ScheduleQuery::askAbout(const BuiltKernel &built, Verdict &verdict) {
  OwningOpRef<KernelOp> kernel(built.kernel);
  const size_t hash = hashCode(*kernel);
  if (const Verdict *answer = findKnown(*kernel, hash)) {
    verdict = *answer;
    counts.answers += verdict.candidates.size() + verdict.refusals.size();
    // It is verified with the first one.
    verdict.accepted = nullptr;
    return;
  }
  // A failed analysis of these ops is a refusal too.
  std::string message;
  ScopedDiagnosticHandler handler(KernelOp(built.kernel)->getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    if (message.empty())
                                      message = diagnostic.str();
                                    return success();
                                  });
  FailureOr<KernelView> view = KernelView::create(built.kernel);
  FailureOr<SizeHints> hints = SizeHints::fromAttribute(built.kernel);
  if (failed(view) || failed(hints)) {
    verdict.refusals.push_back({"analysis", "analysis", message});
    return;
  }
  Candidates candidates = askSchedulers(*view, *options.registry, *hints, options.device);
  counts.answers += candidates.all.size();
  for (const Candidate &candidate : candidates.all) {
    if (!candidate.refusal) {
      verdict.candidates.push_back({candidate.scheduler->getName().str(), candidate.microseconds});
      continue;
    }
    const Refusal &refusal = *candidate.refusal;
    verdict.refusals.push_back(describeRefusal(*candidate.scheduler, refusal));
    if (!refusal.cuts.empty())
      verdict.cuts.push_back(translateCuts(built, refusal.cuts));
  }
  if (!candidates.chosen)
    return;
  Candidate &chosen = candidates.all[*candidates.chosen];
  verdict.scheduler = chosen.scheduler;
  verdict.use = chosen.choice.use;
  verdict.work = chosen.work;
  verdict.microseconds = chosen.microseconds;
  if (options.verifier)
    verdict.accepted = std::make_shared<AcceptedKernel>(
        AcceptedKernel{std::move(kernel), std::move(*view), std::move(chosen)});
  // Operands of other ops would have to be found for cuts.
  if (verdict.cuts.empty())
    addKnown(std::move(kernel), hash, verdict);
}

Verdict ScheduleQuery::ask(QueryRecord::Purpose purpose, ArrayRef<Operation *> ops,
                           ArrayRef<Operation *> recomputed, const llvm::DenseSet<Value> *needed) {
  ++counts.queries;
  Verdict verdict;
  if (const RefusedGroup *group = findRefused(ops)) {
    verdict.refusals = group->refusals;
  } else if (!isInterrupted(ops.front()->getContext())) {
    const SmallVector<KernelOutput> outputs = getKernelOutputs(ops, recomputed, needed);
    Verdict &known = answers(ops, outputs);
    if (known.isKnown()) {
      ++counts.known;
      counts.answers += known.candidates.size() + known.refusals.size();
    } else {
      BuiltKernel built = builder.build(ops, outputs, "query", /*keepArguments=*/false);
      askAbout(built, known);
    }
    verdict = known;
  }
  if (log) {
    verdict.record = log->queries.size();
    log->queries.push_back({purpose, SmallVector<Operation *>(ops),
                            verdict ? verdict.scheduler->getName().str() : "", verdict.refusals,
                            verdict.microseconds, verdict.candidates});
  }
  return verdict;
}

void Verdict::describe(Segment &segment) const {
  segment.scheduler = scheduler->getName().str();
  segment.work = work;
  segment.use = use;
  segment.microseconds = microseconds;
  segment.candidates = candidates;
  segment.accepted = accepted;
}

StringRef fuser::stringifyPurpose(QueryRecord::Purpose purpose) {
  switch (purpose) {
  case QueryRecord::Purpose::Piece:
    return "piece";
  case QueryRecord::Purpose::Part:
    return "part";
  case QueryRecord::Purpose::Single:
    return "single";
  case QueryRecord::Purpose::Merge:
    return "merge";
  case QueryRecord::Purpose::Recompute:
    return "recompute";
  }
  llvm_unreachable("unknown purpose");
}

StringRef fuser::describeReason(BoundaryRecord::Reason reason) {
  switch (reason) {
  case BoundaryRecord::Reason::Mark:
    return "a fuser.segment_set asks for it";
  case BoundaryRecord::Reason::Circle:
    return "segments would depend on each other in a circle: two marks are on the way";
  case BoundaryRecord::Reason::Refusal:
    return "no scheduler takes both";
  case BoundaryRecord::Reason::Cost:
    return "one kernel would take longer than both";
  case BoundaryRecord::Reason::Host:
    return "one side is no kernel: a library computes it, or kernels write it part by part";
  }
  llvm_unreachable("unknown reason");
}

StringRef fuser::stringifyReason(BoundaryRecord::Reason reason) {
  switch (reason) {
  case BoundaryRecord::Reason::Mark:
    return "mark";
  case BoundaryRecord::Reason::Circle:
    return "circle";
  case BoundaryRecord::Reason::Refusal:
    return "refusal";
  case BoundaryRecord::Reason::Cost:
    return "cost";
  case BoundaryRecord::Reason::Host:
    return "host";
  }
  llvm_unreachable("unknown reason");
}
