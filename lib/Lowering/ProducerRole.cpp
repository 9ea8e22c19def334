//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A warp of its own that begins the copies of a loop.
//
//===----------------------------------------------------------------------===//

#include "LoopPipeliner.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Dialect/Loop/Iterations.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace fuser;

static constexpr int64_t kMaxThreads = 1024;

/// What threads of the whole block, or of several, do together, or would have to.
static bool isOfWholeBlock(Operation *op) {
  if (auto buffer = dyn_cast<loop::BufferOp>(op))
    return buffer.isWorkspace() || buffer.getDistributed();
  return isa<loop::LastBlockOp, loop::OrderBlocksOp, loop::AwaitOp, loop::PublishOp>(op);
}

static std::string findProblemOfThreads(loop::KernelOp kernel) {
  const int64_t threads = ShapedType::getNumElements(*kernel.getThreads());
  const int64_t producers = loop::RolesOp::countProducers(kernel);
  if (producers == 0)
    return "expected whole warps of threads next to a producer, but got " +
           std::to_string(threads) + " threads";
  if (threads + producers > kMaxThreads)
    return "expected at most " + std::to_string(kMaxThreads - producers) +
           " threads next to a producer, but got " + std::to_string(threads);
  return {};
}

/// A loop on blocks that has all there is in a block.
static loop::ForOp findOnlyLoop(Block &block) {
  loop::ForOp only;
  for (Operation &op : block) {
    if (isPure(&op))
      continue;
    auto inner = dyn_cast<loop::ForOp>(op);
    if (!inner || !isBlockType(inner.getType()) || only)
      return {};
    only = inner;
  }
  return only;
}

/// `loop`: the serial loop that takes the stages in turn.
static RoleScope findRoleScope(loop::KernelOp kernel, loop::ForOp loop) {
  RoleScope scope;
  scope.problem = findProblemOfThreads(kernel);
  if (!scope.problem.empty())
    return scope;
  kernel.walk([&](Operation *op) {
    if (isOfWholeBlock(op))
      scope.problem = "expected blocks that do not wait for each other next to a producer";
  });
  if (kernel.getCluster())
    scope.problem = "expected a kernel without clusters next to a producer";
  for (auto around = loop->getParentOfType<loop::ForOp>(); around;
       around = around->getParentOfType<loop::ForOp>())
    if (isThreadType(around.getType()))
      scope.problem = "expected no loop on threads around that of a producer";
  if (!scope.problem.empty())
    return scope;
  Block *block = &kernel.getBlock();
  while (loop::ForOp only = findOnlyLoop(*block))
    block = &only.getBlock();
  Operation *around = block->getParentOp();
  for (auto each = loop->getParentOfType<loop::ForOp>(); each && each != around;
       each = each->getParentOfType<loop::ForOp>())
    if (isBlockType(each.getType())) {
      scope.problem = "expected loops on blocks around all that a producer and the others do";
      return scope;
    }
  scope.block = block;
  return scope;
}

//===----------------------------------------------------------------------===//
// The text of roles
//===----------------------------------------------------------------------===//

RoleScope LoopPipeliner::findRoles(bool isOnly) {
  RoleScope scope;
  if (!isOnly)
    scope.problem = "expected one loop with circular buffers next to a producer";
  else if (llvm::any_of(rings, [](const Ring &ring) { return !ring.pieces; }))
    scope.problem = "expected bulk copies to all circular buffers of the loop by a producer";
  else
    scope = findRoleScope(kernel, loop);
  return scope;
}

/// Why all threads have equal shares of the registers; empty if the roles have those that the
/// schedule asks for.
std::string LoopPipeliner::findProblemOfRegisters() const {
  if (!options.warpGroups)
    return "expected a target whose warp groups can have different numbers of registers (sm_90a)";
  const int64_t consumers = ShapedType::getNumElements(*loop::KernelOp(kernel).getThreads());
  const int64_t producers = loop::RolesOp::countProducers(kernel, /*inGroups=*/true);
  if (producers == 0)
    return "expected whole warp groups (128 threads) next to a producer with registers of its own, "
           "but got " +
           std::to_string(consumers) + " threads";
  const int64_t threads = producers + consumers;
  if (threads > kMaxThreads)
    return "expected at most " + std::to_string(kMaxThreads - producers) +
           " threads next to a producer with registers of its own, but got " +
           std::to_string(consumers);
  const int64_t atLaunch = kernel_ir::SetMaxRegistersOp::getAtLaunch(threads);
  const int64_t sum = producers * registers[0] + consumers * registers[1];
  if (sum > threads * atLaunch)
    return "expected roles with at most " + std::to_string(threads * atLaunch) + " registers, " +
           std::to_string(atLaunch) + " for each of " + std::to_string(threads) +
           " threads, but got " + std::to_string(sum);
  return {};
}

/// The warp of the producer runs the loops around the copies, and nothing else.
void LoopPipeliner::runInRoles(const RoleScope &scope) {
  if (!registers.empty())
    if (std::string problem = findProblemOfRegisters(); !problem.empty()) {
      rings.front().copy.emitRemark(problem) << ": all threads have equal shares of the registers";
      registers.clear();
    }
  auto getValue = [&](AffineExpr leaf) { return facts.getValue(leaf); };
  OpBuilder outside(scope.block, scope.block->begin());
  barriers = createBarriers(outside, countArrivals());
  readBarriers = createBarriers(outside, ShapedType::getNumElements(*kernel.getThreads()));
  createRings(outside);
  auto roles = loop::RolesOp::create(
      outside, loop.getLoc(), loop::RolesOp::countProducers(kernel, !registers.empty()),
      /*producerRegisters=*/IntegerAttr(), /*consumerRegisters=*/IntegerAttr());
  if (!registers.empty()) {
    roles.setProducerRegisters(registers[0]);
    roles.setConsumerRegisters(registers[1]);
  }
  Block &producers = roles.getProducers().emplaceBlock(),
        &consumers = roles.getConsumers().emplaceBlock();
  consumers.getOperations().splice(consumers.end(), scope.block->getOperations(),
                                   std::next(Block::iterator(roles)), scope.block->end());
  produce(producers);
  ofProducer.clear();
  OpBuilder inside(&loop.getBlock(), loop.getBlock().begin());
  wait(inside);
  eraseOld();
  SmallVector<Value> buffers;
  Operation *last = nullptr;
  for (const Ring &ring : rings) {
    buffers.push_back(ring.buffer);
    for (Operation *user : ring.buffer.getUsers())
      if (Operation *item = loop.getBlock().findAncestorOpInBlock(*user);
          item && (!last || last->isBeforeInBlock(item)))
        last = item;
  }
  inside.setInsertionPointAfter(last);
  createRelease(inside, loop.getLoc(), buffers, readBarriers, useBase + iteration, getValue);
}

void LoopPipeliner::produce(Block &block) {
  auto getValue = [&](AffineExpr leaf) { return facts.getValue(leaf); };
  SmallVector<loop::ForOp> loops = {loop};
  llvm::append_range(loops, getIterations(loop));
  OpBuilder builder(&block, block.end());
  for (loop::ForOp each : llvm::reverse(loops)) {
    const std::optional<int64_t> bound =
        each.getBound() ? std::optional<int64_t>(*each.getBound()) : std::nullopt;
    auto clone = createFor(builder, each.getLoc(), facts.getExtent(each).replace(ofProducer),
                           each.getType(), bound, getValue);
    ofProducer[facts.getExpr(each.getInductionVar())] = facts.getExpr(clone.getInductionVar());
    builder.setInsertionPointToEnd(&clone.getBlock());
  }
  SmallVector<Value> buffers =
      llvm::map_to_vector(rings, [](const Ring &ring) { return ring.buffer; });
  const AffineExpr of = ofProducer.lookup(iteration);
  createAcquire(builder, loop.getLoc(), buffers, readBarriers,
                (useBase + iteration).replace(ofProducer), getValue);
  for (const Ring &ring : rings)
    beginBulkCopy(builder, ring, of);
}
