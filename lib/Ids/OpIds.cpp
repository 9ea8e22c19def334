//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Equal indices within one op, and between a consumer and its producer.
//
//===----------------------------------------------------------------------===//

#include "fuser/Ids/OpIds.h"
#include "DomainGraph.h"
#include "fuser/Ids/EdgeIds.h"

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// OpIds
//===----------------------------------------------------------------------===//

/// The input of a merge that has the index of its output, because the other input has extent 1;
/// kNoId if neither input has extent 1.
static unsigned getMergedAlone(DomainAttr domain, const DomainTransform &merge,
                               function_ref<std::optional<int64_t>(unsigned)> getExtent) {
  // If a dimension has extent 1 only by a fact, its readers do not treat it as a broadcast: the
  // merge has the index of the other input only if that is not a broadcast.
  for (bool asBroadcast : {true, false})
    for (unsigned one : {0, 1})
      if (getExtent(merge.inputs[one]) == 1 &&
          (!asBroadcast || domain.getKinds()[merge.inputs[one]] == IdKind::Broadcast))
        return merge.inputs[1 - one];
  return kNoId;
}

OpIds::OpIds(TensorViewOpInterface op, function_ref<std::optional<int64_t>(unsigned)> getExtent,
             function_ref<int64_t(unsigned)> getDivisor)
    : op(op), domain(op.getDomain()) {
  IdGraph graph;
  addDomain(graph, op, domain);
  auto addProduct = [&](unsigned whole, ArrayRef<unsigned> parts) {
    graph.addProduct(whole, parts[0], parts[1], getExtent(parts[0]), getExtent(parts[1]));
  };
  bool isMergedAgain = false, isSplitAgain = false;
  for (const DomainTransform &transform : llvm::reverse(domain.getTransforms())) {
    const unsigned first = transform.inputs[0];
    if (transform.kind == TransformKind::Merge) {
      if (unsigned alone = getMergedAlone(domain, transform, getExtent); alone != kNoId)
        graph.unite(transform.outputs[0], alone);
      // The split by the extent of a part gives the parts again, and the merge of the parts of a
      // split gives the whole.
      if (isSplitAgain)
        addProduct(transform.outputs[0], transform.getInputs());
      isMergedAgain = true;
    } else if (transform.kind == TransformKind::Split) {
      if (isMergedAgain && getDivisor(first) % transform.value == 0)
        addProduct(first, transform.getOutputs());
      isSplitAgain = true;
    }
  }
  // Loop indices are at hand; those of other ids are computed.
  SmallVector<unsigned> first(domain.getNumIds(), kNoId);
  for (unsigned id : llvm::reverse(domain.getLoop()))
    first[graph.getClass(id)] = id;
  for (unsigned id = 0, e = domain.getNumIds(); id < e; ++id) {
    unsigned &leader = first[graph.getClass(id)];
    if (leader == kNoId)
      leader = id;
    leaders.push_back(leader);
  }
}

//===----------------------------------------------------------------------===//
// Producers
//===----------------------------------------------------------------------===//

namespace {
/// The ids of a producer, then those of its consumer.
class EdgeGraph {
public:
  EdgeGraph(const OpIds &producer, const OpIds &consumer,
            const llvm::SmallBitVector &producerRepeated,
            const llvm::SmallBitVector &consumerRepeated)
      : consumer(consumer), to(consumer.getDomain()) {
    for (const OpIds *ids : {&producer, &consumer}) {
      unsigned begin = addDomain(graph, ids->getOp(), ids->getDomain(),
                                 ids == &producer ? &producerRepeated : &consumerRepeated);
      for (unsigned id = 0, e = ids->getDomain().getNumIds(); id < e; ++id)
        graph.unite(begin + id, begin + ids->getLeader(id));
      (ids == &producer ? firstOfProducer : firstOfConsumer) = begin;
    }
  }

  void unite(unsigned p, unsigned c) { graph.unite(firstOfProducer + p, firstOfConsumer + c); }

  /// The first id of the consumer in the class of an id of the producer, or kNoId; preferably one
  /// that has the index of a loop, judging by the consumer alone.
  unsigned find(unsigned p) const {
    unsigned found = kNoId;
    for (unsigned c = 0, e = to.getNumIds(); c < e; ++c) {
      if (!graph.areMapped(firstOfProducer + p, firstOfConsumer + c))
        continue;
      if (llvm::any_of(to.getLoop(), [&](unsigned loop) { return consumer.haveOneIndex(c, loop); }))
        return consumer.getLeader(c);
      if (found == kNoId)
        found = c;
    }
    return found;
  }

private:
  const OpIds &consumer;
  DomainAttr to;
  IdGraph graph;
  unsigned firstOfProducer = 0, firstOfConsumer = 0;
};
} // namespace

SmallVector<unsigned> fuser::mapProducerIds(const OpIds &producer, const OpIds &consumer,
                                            unsigned operand, unsigned numShared,
                                            const llvm::SmallBitVector &producerRepeated,
                                            const llvm::SmallBitVector &consumerRepeated,
                                            EdgeIds::ReadsAll readsAll) {
  DomainAttr from = producer.getDomain(), to = consumer.getDomain();
  Operation *op = consumer.getOp();
  unsigned result = cast<OpResult>(op->getOperand(operand)).getResultNumber();
  if (result == 0 && producerRepeated.none() && consumerRepeated.none() &&
      producer.getLeaders() == consumer.getLeaders() &&
      isElementwiseEdge(from, op->getOpOperand(operand)))
    return llvm::to_vector(consumer.getLeaders());
  EdgeGraph graph(producer, consumer, producerRepeated, consumerRepeated);
  // The loops are checked separately for equal extents.
  EdgeIds(producer.getOp(), op->getOpOperand(operand), readsAll)
      .visitShared(numShared, [&](unsigned p, unsigned c) {
        // A broadcast shares the loop, not the index of the ids that the loop is made of: these may
        // differ where another broadcast is split further.
        if (from.getKinds()[p] != IdKind::Broadcast || graph.find(p) == kNoId)
          graph.unite(p, c);
      });
  SmallVector<unsigned> dims = producer.getOp().getDomain(result).getResultIds();
  for (auto [id, map] : llvm::zip(dims, cast<DomainMappingOpInterface>(op).getDimMaps(operand))) {
    if (map.kind != DimMap::Kind::Mapped || graph.find(id) != kNoId)
      continue;
    unsigned root = to.getRootOrLogical()[map.id];
    if (!consumerRepeated.test(root))
      graph.unite(id, root);
  }
  SmallVector<unsigned> map;
  for (unsigned id = 0, e = from.getNumIds(); id < e; ++id)
    map.push_back(graph.find(id));
  return map;
}
