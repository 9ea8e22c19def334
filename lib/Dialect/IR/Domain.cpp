//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// #fuser.domain: invariants, queries, and the builder.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/Domain.h"
#include "fuser/Dialect/IR/DomainLimits.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace fuser;

ArrayRef<unsigned> DomainTransform::getInputs() const {
  switch (kind) {
  case TransformKind::Broadcast:
    return {};
  case TransformKind::Split:
  case TransformKind::Resize:
    return ArrayRef(inputs, 1);
  case TransformKind::Merge:
  case TransformKind::Swizzle:
    return ArrayRef(inputs, 2);
  }
  llvm_unreachable("unknown transform");
}

ArrayRef<unsigned> DomainTransform::getOutputs() const {
  switch (kind) {
  case TransformKind::Split:
  case TransformKind::Swizzle:
    return ArrayRef(outputs, 2);
  case TransformKind::Merge:
  case TransformKind::Resize:
  case TransformKind::Broadcast:
    return ArrayRef(outputs, 1);
  }
  llvm_unreachable("unknown transform");
}

bool DomainTransform::operator==(const DomainTransform &other) const {
  return kind == other.kind && getInputs() == other.getInputs() &&
         getOutputs() == other.getOutputs() && value == other.value && after == other.after &&
         inner == other.inner;
}

llvm::hash_code fuser::hash_value(const DomainTransform &transform) {
  return llvm::hash_combine(static_cast<uint32_t>(transform.kind),
                            llvm::hash_combine_range(transform.getInputs()),
                            llvm::hash_combine_range(transform.getOutputs()), transform.value,
                            transform.after, transform.inner);
}

bool fuser::isThreadType(ParallelType type) {
  return type == ParallelType::ThreadX || type == ParallelType::ThreadY ||
         type == ParallelType::ThreadZ;
}

bool fuser::isBlockType(ParallelType type) {
  return type == ParallelType::BlockX || type == ParallelType::BlockY ||
         type == ParallelType::BlockZ || type == ParallelType::ClusterX;
}

bool fuser::isRepeatableType(ParallelType type) {
  return type == ParallelType::Serial || type == ParallelType::Unroll ||
         type == ParallelType::Unswitch || type == ParallelType::Stream ||
         type == ParallelType::Mma;
}

bool fuser::isDeviceType(ParallelType type) {
  return type == ParallelType::DeviceX || type == ParallelType::DeviceY ||
         type == ParallelType::DeviceZ;
}

IdKind fuser::deriveKind(ArrayRef<IdKind> inputs) {
  if (llvm::is_contained(inputs, IdKind::Reduction))
    return IdKind::Reduction;
  if (llvm::all_of(inputs, [](IdKind kind) { return kind == IdKind::Broadcast; }))
    return IdKind::Broadcast;
  if (llvm::all_of(inputs, [](IdKind kind) {
        return kind == IdKind::Expanded || kind == IdKind::Broadcast;
      }))
    return IdKind::Expanded;
  return IdKind::Iteration;
}

//===----------------------------------------------------------------------===//
// DomainAttr
//===----------------------------------------------------------------------===//

namespace {
/// The parts of a domain under construction that the verifier needs.
struct DomainView {
  function_ref<InFlightDiagnostic()> emitError;
  ArrayRef<IdKind> kinds;
  ArrayRef<DomainTransform> transforms;

  std::string name(unsigned id) const {
    static constexpr char letters[] = {'i', 'r', 'b', 'e'};
    return letters[static_cast<unsigned>(kinds[id])] + std::to_string(id);
  }

  LogicalResult checkIds(ArrayRef<unsigned> ids, StringRef list) const {
    llvm::SmallBitVector seen(kinds.size());
    for (unsigned id : ids) {
      if (id >= kinds.size())
        return emitError() << "expected '" << list << "' to name defined ids, but got id " << id;
      if (seen.test(id))
        return emitError() << "expected every id of '" << list << "' once, but got " << name(id)
                           << " twice";
      seen.set(id);
    }
    return success();
  }

  /// `to` must cover `from` exactly: undoing the transforms that define it, last first, gives
  /// `from` (and broadcast ids, which index nothing). Ids in `optional` may be missing from `to`.
  LogicalResult checkCover(ArrayRef<unsigned> from, ArrayRef<unsigned> to, StringRef fromName,
                           StringRef toName, function_ref<bool(unsigned)> optional) const {
    llvm::SmallBitVector live(kinds.size()), source(kinds.size());
    for (unsigned id : from)
      source.set(id);
    for (unsigned id : to)
      live.set(id);
    for (const DomainTransform &transform : llvm::reverse(transforms)) {
      ArrayRef<unsigned> outputs = transform.getOutputs();
      auto isLive = [&](unsigned id) { return live.test(id) && !source.test(id); };
      if (llvm::none_of(outputs, isLive))
        continue;
      for (unsigned id : outputs)
        if (!isLive(id) && !optional(id))
          return emitError() << "expected '" << toName << "' to cover every id of '" << fromName
                             << "' once, but " << name(id) << " is missing";
      for (unsigned id : outputs)
        live.reset(id);
      for (unsigned id : transform.getInputs()) {
        if (live.test(id))
          return emitError() << "expected '" << toName << "' to cover every id of '" << fromName
                             << "' once, but " << name(id) << " is covered twice";
        live.set(id);
      }
    }
    for (unsigned id : live.set_bits())
      if (!source.test(id))
        return emitError() << "expected the ids of '" << toName << "' to derive from '" << fromName
                           << "', but " << name(id) << " does not";
    for (unsigned id : from)
      if (!live.test(id) && !optional(id))
        return emitError() << "expected '" << toName << "' to cover every id of '" << fromName
                           << "' once, but " << name(id) << " is missing";
    return success();
  }
};
} // namespace

static LogicalResult verifyTransform(const DomainView &view, const DomainTransform &transform,
                                     unsigned defined) {
  for (unsigned id : transform.getInputs())
    if (id >= defined)
      return view.emitError() << "expected a transform to use ids defined before it, but got id "
                              << id;
  if (transform.kind == TransformKind::Split && transform.value < 1)
    return view.emitError() << "expected a split factor of at least 1, but got " << transform.value;
  for (int64_t amount : {transform.value, transform.after})
    if (amount > kMaxDomainAmount || amount < -kMaxDomainAmount)
      return view.emitError() << "expected factors and amounts of at most 2^40, but got " << amount;
  if (transform.kind == TransformKind::Swizzle && transform.value < 1)
    return view.emitError() << "expected a swizzle period of at least 1, but got "
                            << transform.value;
  if (transform.getInputs().size() == 2 && transform.inputs[0] == transform.inputs[1])
    return view.emitError() << "expected two different ids, but got "
                            << view.name(transform.inputs[0]) << " twice";
  return success();
}

/// Only reduction ids derive reduction ids (one output of a split reduction id may become an
/// iteration id by rfactor); `broadcast` defines broadcast ids.
static LogicalResult verifyOutputKinds(const DomainView &view, const DomainTransform &transform) {
  bool reduces = llvm::any_of(transform.getInputs(),
                              [&](unsigned id) { return view.kinds[id] == IdKind::Reduction; });
  for (unsigned id : transform.getOutputs()) {
    if (transform.kind == TransformKind::Broadcast && view.kinds[id] != IdKind::Broadcast)
      return view.emitError() << "expected broadcast() to define a broadcast id, but got "
                              << view.name(id);
    if (view.kinds[id] == IdKind::Reduction && !reduces)
      return view.emitError() << "expected " << view.name(id)
                              << " to derive from a reduction id, but its transform has none";
  }
  return success();
}

LogicalResult DomainAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<IdKind> kinds, ArrayRef<unsigned> root,
                                 ArrayRef<unsigned> logical, ArrayRef<DomainTransform> transforms,
                                 ArrayRef<unsigned> loop, ArrayRef<ParallelType> parallel,
                                 ArrayRef<unsigned> allocation, ArrayRef<bool> contiguity) {
  DomainView view{emitError, kinds, transforms};
  if (failed(view.checkIds(root, "root")) || failed(view.checkIds(logical, "logical")) ||
      failed(view.checkIds(loop, "loop")) || failed(view.checkIds(allocation, "allocation")))
    return failure();
  // Ids are numbered in the order of their definition: first the ids of the initial domain, then
  // the outputs of the transforms.
  ArrayRef<unsigned> start = root.empty() ? logical : root;
  unsigned next = 0;
  for (unsigned id : start)
    if (id != next++)
      return emitError() << "expected the starting ids to be numbered 0 to " << start.size() - 1
                         << ", but got " << id;
  for (const DomainTransform &transform : transforms) {
    if (failed(verifyTransform(view, transform, next)))
      return failure();
    for (unsigned id : transform.getOutputs())
      if (id != next++)
        return emitError() << "expected transform outputs to be numbered in order (" << next - 1
                           << "), but got " << id;
  }
  if (next != kinds.size())
    return emitError() << "expected " << next << " id kinds, but got " << kinds.size();
  for (const DomainTransform &transform : transforms)
    if (failed(verifyOutputKinds(view, transform)))
      return failure();
  if (parallel.size() != loop.size())
    return emitError() << "expected one parallel type for each of " << loop.size()
                       << " loop ids, but got " << parallel.size();
  if (contiguity.size() != allocation.size())
    return emitError() << "expected one contiguity flag for each of " << allocation.size()
                       << " allocation ids, but got " << contiguity.size();
  auto never = [](unsigned) { return false; };
  if (!root.empty() && failed(view.checkCover(root, logical, "root", "logical", never)))
    return failure();
  if (failed(view.checkCover(logical, loop, "logical", "loop", never)))
    return failure();
  auto reduction = [&](unsigned id) { return kinds[id] == IdKind::Reduction; };
  if (failed(view.checkCover(logical, allocation, "logical", "allocation", reduction)))
    return failure();
  for (auto [index, type] : llvm::enumerate(parallel)) {
    if (isRepeatableType(type))
      continue;
    if (llvm::is_contained(parallel.take_front(index), type))
      return emitError() << "expected each parallel type once in 'loop', but got @"
                         << stringifyParallelType(type) << " twice";
    if (type == ParallelType::Vectorize && index + 1 != parallel.size())
      return emitError() << "expected @vectorize on the innermost loop id, but got it at position "
                         << index;
  }
  return success();
}

SmallVector<unsigned> DomainAttr::getResultIds() const {
  SmallVector<unsigned> ids;
  for (unsigned id : getLogical())
    if (getKinds()[id] != IdKind::Reduction)
      ids.push_back(id);
  return ids;
}

bool DomainAttr::isTrivial() const {
  return getTransforms().empty() && getLoop() == getLogical() &&
         llvm::all_of(getParallel(),
                      [](ParallelType type) { return type == ParallelType::Serial; }) &&
         getAllocation() == ArrayRef<unsigned>(getResultIds()) &&
         llvm::all_of(getContiguity(), [](bool contiguous) { return contiguous; });
}

ParallelType DomainAttr::getParallelType(unsigned id) const {
  for (auto [loopId, type] : llvm::zip(getLoop(), getParallel()))
    if (loopId == id)
      return type;
  return ParallelType::Serial;
}

int DomainAttr::getDefinition(unsigned id) const {
  for (auto [index, transform] : llvm::enumerate(getTransforms()))
    if (llvm::is_contained(transform.getOutputs(), id))
      return index;
  return -1;
}

//===----------------------------------------------------------------------===//
// DomainBuilder
//===----------------------------------------------------------------------===//

DomainBuilder::DomainBuilder(MLIRContext *context, ArrayRef<IdKind> logicalKinds)
    : context(context) {
  for (IdKind kind : logicalKinds) {
    unsigned id = addId(kind);
    logical.push_back(id);
    loop.push_back(id);
    parallel.push_back(ParallelType::Serial);
    if (kind != IdKind::Reduction) {
      allocation.push_back(id);
      contiguity.push_back(true);
    }
  }
}

DomainBuilder::DomainBuilder(DomainAttr domain)
    : context(domain.getContext()), kinds(domain.getKinds()), root(domain.getRoot()),
      logical(domain.getLogical()), loop(domain.getLoop()), allocation(domain.getAllocation()),
      transforms(domain.getTransforms()), parallel(domain.getParallel()),
      contiguity(domain.getContiguity()) {}

unsigned DomainBuilder::addId(IdKind kind) {
  kinds.push_back(kind);
  return kinds.size() - 1;
}

void DomainBuilder::replaceInLoop(ArrayRef<unsigned> inputs, ArrayRef<unsigned> outputs) {
  unsigned *first = llvm::find(loop, inputs.front());
  if (first == loop.end())
    return;
  unsigned position = first - loop.begin();
  for (unsigned id : inputs) {
    unsigned *it = llvm::find(loop, id);
    assert(it != loop.end() && "expected the ids of a transform to be in loop together");
    unsigned index = it - loop.begin();
    if (index < position)
      --position;
    parallel.erase(parallel.begin() + index);
    loop.erase(it);
  }
  loop.insert(loop.begin() + position, outputs.begin(), outputs.end());
  parallel.insert(parallel.begin() + position, outputs.size(), ParallelType::Serial);
}

std::pair<unsigned, unsigned> DomainBuilder::split(unsigned id, int64_t factor, bool inner) {
  DomainTransform transform{
      TransformKind::Split, {id, kNoId}, {addId(kinds[id]), 0}, factor, 0, inner};
  transform.outputs[1] = addId(kinds[id]);
  transforms.push_back(transform);
  replaceInLoop(transform.getInputs(), transform.getOutputs());
  return {transform.outputs[0], transform.outputs[1]};
}

unsigned DomainBuilder::merge(unsigned outer, unsigned inner) {
  DomainTransform transform{TransformKind::Merge,
                            {outer, inner},
                            {addId(deriveKind({kinds[outer], kinds[inner]})), kNoId}};
  transforms.push_back(transform);
  replaceInLoop(transform.getInputs(), transform.getOutputs());
  return transform.outputs[0];
}

std::pair<unsigned, unsigned> DomainBuilder::swizzle(unsigned outer, unsigned inner,
                                                     int64_t period) {
  DomainTransform transform{
      TransformKind::Swizzle, {outer, inner}, {addId(kinds[outer]), 0}, period};
  transform.outputs[1] = addId(kinds[inner]);
  transforms.push_back(transform);
  replaceInLoop(transform.getInputs(), transform.getOutputs());
  return {transform.outputs[0], transform.outputs[1]};
}

unsigned DomainBuilder::resize(unsigned id, int64_t before, int64_t after) {
  DomainTransform transform{
      TransformKind::Resize, {id, kNoId}, {addId(kinds[id]), kNoId}, before, after};
  transforms.push_back(transform);
  replaceInLoop(transform.getInputs(), transform.getOutputs());
  return transform.outputs[0];
}

unsigned DomainBuilder::broadcast(unsigned position) {
  DomainTransform transform{
      TransformKind::Broadcast, {kNoId, kNoId}, {addId(IdKind::Broadcast), kNoId}};
  transforms.push_back(transform);
  loop.insert(loop.begin() + position, transform.outputs[0]);
  parallel.insert(parallel.begin() + position, ParallelType::Serial);
  return transform.outputs[0];
}

void DomainBuilder::reorderLoop(ArrayRef<unsigned> order) {
  assert(order.size() == loop.size() && "expected a permutation of the loop domain");
  SmallVector<unsigned> ids;
  SmallVector<ParallelType> types;
  for (unsigned position : order) {
    ids.push_back(loop[position]);
    types.push_back(parallel[position]);
  }
  setLoop(ids, types);
}

void DomainBuilder::parallelize(unsigned id, ParallelType type) {
  unsigned *it = llvm::find(loop, id);
  assert(it != loop.end() && "expected a loop id");
  parallel[it - loop.begin()] = type;
}

void DomainBuilder::setLoop(ArrayRef<unsigned> ids, ArrayRef<ParallelType> types) {
  loop.assign(ids.begin(), ids.end());
  parallel.assign(types.begin(), types.end());
}

void DomainBuilder::setAllocation(ArrayRef<unsigned> ids, ArrayRef<bool> flags) {
  allocation.assign(ids.begin(), ids.end());
  if (flags.empty())
    contiguity.assign(ids.size(), true);
  else
    contiguity.assign(flags.begin(), flags.end());
}

void DomainBuilder::setLogical(ArrayRef<unsigned> ids) {
  if (root.empty())
    root = logical;
  logical.assign(ids.begin(), ids.end());
  allocation.clear();
  for (unsigned id : logical)
    if (kinds[id] != IdKind::Reduction)
      allocation.push_back(id);
  contiguity.assign(allocation.size(), true);
}

DomainAttr DomainBuilder::build() const {
  // The caller knows the op and emits the diagnostic.
  ScopedDiagnosticHandler silence(context, [thread = llvm::get_threadid()](Diagnostic &) {
    return success(llvm::get_threadid() == thread);
  });
  auto emitHere = [&] { return emitError(UnknownLoc::get(context)); };
  if (failed(DomainAttr::verify(emitHere, kinds, root, logical, transforms, loop, parallel,
                                allocation, contiguity)))
    return {};
  return DomainAttr::get(context, kinds, root, logical, transforms, loop, parallel, allocation,
                         contiguity);
}
