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

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// OpIds
//===----------------------------------------------------------------------===//

/// The input of a merge that has the index of its output, as the other one has one element; kNoId
/// where neither has.
static unsigned getMergedAlone(DomainAttr domain, const DomainTransform &merge,
                               function_ref<std::optional<int64_t>(unsigned)> getExtent) {
  // A dimension that has one element by a fact has readers that do not know the broadcast: it takes
  // the place of the other input only if that is no broadcast.
  for (bool asBroadcast : {true, false})
    for (unsigned one : {0, 1})
      if (getExtent(merge.inputs[one]) == 1 &&
          (!asBroadcast || domain.getKinds()[merge.inputs[one]] == IdKind::Broadcast))
        return merge.inputs[1 - one];
  return kNoId;
}

OpIds::OpIds(TensorViewOpInterface op, function_ref<std::optional<int64_t>(unsigned)> getExtent)
    : op(op), domain(op.getDomain()) {
  IdGraph graph;
  addDomain(graph, op, domain);
  for (const DomainTransform &transform : domain.getTransforms())
    if (transform.kind == TransformKind::Merge)
      if (unsigned alone = getMergedAlone(domain, transform, getExtent); alone != kNoId)
        graph.unite(transform.outputs[0], alone);
  SmallVector<unsigned> first(domain.getNumIds(), kNoId);
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
  EdgeGraph(const OpIds &producer, const OpIds &consumer)
      : from(producer.getDomain()), to(consumer.getDomain()) {
    for (const OpIds *ids : {&producer, &consumer}) {
      unsigned begin = addDomain(graph, ids->getOp(), ids->getDomain());
      for (unsigned id = 0, e = ids->getDomain().getNumIds(); id < e; ++id)
        graph.unite(begin + id, begin + ids->getLeader(id));
      (ids == &producer ? firstOfProducer : firstOfConsumer) = begin;
    }
  }

  void unite(unsigned p, unsigned c) { graph.unite(firstOfProducer + p, firstOfConsumer + c); }

  /// Identifies two ids of a shared loop and, as far as their transforms agree, the ids that they
  /// are made of. That the extents agree is checked with the loops.
  void share(unsigned p, unsigned c) {
    unite(p, c);
    int a = from.getDefinition(p), b = to.getDefinition(c);
    if (a < 0 || b < 0)
      return;
    const DomainTransform &x = from.getTransforms()[a], &y = to.getTransforms()[b];
    if (x.kind != y.kind || x.value != y.value || x.inner != y.inner ||
        (x.outputs[0] == p) != (y.outputs[0] == c))
      return;
    for (auto [inA, inB] : llvm::zip(x.getInputs(), y.getInputs()))
      share(inA, inB);
  }

  /// The first id of the consumer in the class of an id of the producer, or kNoId.
  unsigned find(unsigned p) const {
    for (unsigned c = 0, e = to.getNumIds(); c < e; ++c)
      if (graph.areMapped(firstOfProducer + p, firstOfConsumer + c))
        return c;
    return kNoId;
  }

private:
  DomainAttr from, to;
  IdGraph graph;
  unsigned firstOfProducer = 0, firstOfConsumer = 0;
};
} // namespace

SmallVector<unsigned> fuser::mapProducerIds(const OpIds &producer, const OpIds &consumer,
                                            unsigned operand, unsigned numShared,
                                            const llvm::SmallDenseSet<unsigned> &repeated) {
  DomainAttr from = producer.getDomain(), to = consumer.getDomain();
  EdgeGraph graph(producer, consumer);
  for (unsigned position = 0; position < numShared; ++position)
    graph.share(from.getLoop()[position], to.getLoop()[position]);
  Operation *op = consumer.getOp();
  unsigned result = cast<OpResult>(op->getOperand(operand)).getResultNumber();
  SmallVector<unsigned> dims = producer.getOp().getDomain(result).getResultIds();
  for (auto [id, map] : llvm::zip(dims, cast<DomainMappingOpInterface>(op).getDimMaps(operand))) {
    if (map.kind != DimMap::Kind::Mapped || graph.find(id) != kNoId)
      continue;
    unsigned root = to.getRootOrLogical()[map.id];
    if (!repeated.contains(root))
      graph.unite(id, root);
  }
  SmallVector<unsigned> map;
  for (unsigned id = 0, e = from.getNumIds(); id < e; ++id)
    map.push_back(graph.find(id));
  return map;
}
