//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/IdModel.h"
#include "TestPrograms.h"
#include <random>

using namespace mlir;
using namespace fuser;
using fuser::test::Program;

namespace {

constexpr IdMapping kMappings[] = {IdMapping::Exact, IdMapping::Broadcast, IdMapping::Permissive};

TEST(IdModelTest, PointwiseOpsMapDimensionByDimension) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %0 = fuser.add %x, %y : tensor<?x?xf32>
      fuser.return %0 : tensor<?x?xf32>
    })");
  IdModel model(program.get());
  Value x = program.getArgument(0), y = program.getArgument(1), sum = program.getTensor(0);
  for (IdMapping mapping : kMappings) {
    EXPECT_TRUE(model.areMapped(mapping, {x, 0}, {y, 0}));
    EXPECT_TRUE(model.areMapped(mapping, {x, 1}, {sum, 1}));
    EXPECT_FALSE(model.areMapped(mapping, {x, 0}, {x, 1}));
  }
  SmallVector<ValueId> members =
      model.getMembers(IdMapping::Exact, model.classOf(IdMapping::Exact, sum, 1));
  ASSERT_EQ(members.size(), 3u);
  EXPECT_EQ(members[0], (ValueId{x, 1}));
  EXPECT_EQ(members[1], (ValueId{y, 1}));
  EXPECT_EQ(members[2], (ValueId{sum, 1}));
}

// A broadcast is exactly mapped to broadcasts only; the broadcast graph maps it to what it becomes.
TEST(IdModelTest, BroadcastResolvedTwoWays) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xf32>)
        -> (tensor<?x?xf32>, tensor<?x?xf32>) {
      %0 = fuser.broadcast %x dims [1] : tensor<?xf32> -> tensor<?x1xf32>
      %1 = fuser.set %0 : tensor<?x1xf32>
      %2 = fuser.add %1, %y : (tensor<?x1xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      %3 = fuser.add %1, %z : (tensor<?x1xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      fuser.return %2, %3 : tensor<?x?xf32>, tensor<?x?xf32>
    })");
  IdModel model(program.get());
  Value broadcast = program.getTensor(0), copy = program.getTensor(1);
  Value first = program.getTensor(2), second = program.getTensor(3);
  EXPECT_TRUE(model.areMapped(IdMapping::Exact, {broadcast, 1}, {copy, 1}));
  EXPECT_TRUE(model.areMapped(IdMapping::Exact, {first, 0}, {second, 0}));
  EXPECT_FALSE(model.areMapped(IdMapping::Exact, {copy, 1}, {first, 1}));
  EXPECT_FALSE(model.areMapped(IdMapping::Exact, {first, 1}, {second, 1}));
  EXPECT_TRUE(model.areMapped(IdMapping::Broadcast, {copy, 1}, {first, 1}));
  EXPECT_TRUE(model.areMapped(IdMapping::Broadcast, {first, 1}, {second, 1}));
  EXPECT_TRUE(
      model.isAmbiguous(IdMapping::Broadcast, model.classOf(IdMapping::Broadcast, copy, 1)));
  EXPECT_FALSE(
      model.isAmbiguous(IdMapping::Broadcast, model.classOf(IdMapping::Broadcast, copy, 0)));
}

// Equal transforms of mapped ids give mapped ids, whichever op has them first.
TEST(IdModelTest, EqualTransformsAreOneGroup) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 128) -> (i3, i4),
          loop = [i3, i4]>]} : tensor<?x?xf32>
      %1 = fuser.set %y {domains = [#fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), merge(i0, i2) -> i4,
          loop = [i4, i3]>]} : tensor<?x?xf32>
      %2 = fuser.add %0, %1 {domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 128) -> (i3, i4),
          split(i4, outer 2) -> (i5, i6), loop = [i3, i5, i6]>]} : tensor<?x?xf32>
      fuser.return %2 : tensor<?x?xf32>
    })");
  IdModel model(program.get());
  Value a = program.getTensor(0), b = program.getTensor(1), c = program.getTensor(2);
  const IdGraph &exact = model.getGraph(IdMapping::Exact);
  for (unsigned id = 0; id < 5; ++id)
    EXPECT_TRUE(model.areMapped(IdMapping::Exact, {a, id}, {c, id})) << id;
  EXPECT_FALSE(model.areMapped(IdMapping::Exact, {a, 2}, {b, 4}));
  // i1 is used by the merge and by the other split; i2 is defined by one merge.
  EXPECT_EQ(exact.getUses(model.classOf(IdMapping::Exact, a, 1)).size(), 2u);
  SmallVector<unsigned> definitions = exact.getDefinitions(model.classOf(IdMapping::Exact, c, 2));
  ASSERT_EQ(definitions.size(), 1u);
  TransformGroup merge = exact.getGroup(definitions[0]);
  EXPECT_EQ(merge.transform.kind, TransformKind::Merge);
  EXPECT_EQ(merge.inputs[1], model.classOf(IdMapping::Exact, b, 1));
}

TEST(IdModelTest, TransformsUniteWhenTheirInputsDoLater) {
  // The splits of %0 and %1 come before the add that makes their inputs equal.
  Program program(R"(
    fuser.kernel @k(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], split(i0, 8) -> (i1, i2), split(i1, 4) -> (i3, i4),
          loop = [i3, i4, i2]>]} : tensor<?xf32>
      %1 = fuser.set %y {domains = [#fuser.domain<logical = [i0], split(i0, 8) -> (i1, i2), split(i1, outer 4) -> (i3, i4),
          loop = [i3, i4, i2]>]} : tensor<?xf32>
      %2 = fuser.add %0, %1 : tensor<?xf32>
      fuser.return %2 : tensor<?xf32>
    })");
  IdModel model(program.get());
  Value a = program.getTensor(0), b = program.getTensor(1);
  EXPECT_TRUE(model.areMapped(IdMapping::Exact, {a, 1}, {b, 1}));
  EXPECT_TRUE(model.areMapped(IdMapping::Exact, {a, 2}, {b, 2}));
  EXPECT_FALSE(model.areMapped(IdMapping::Exact, {a, 3}, {b, 3}));
}

// Root transforms of a reshape are on the way from its operand to its result.
TEST(IdModelTest, ReshapeAndRfactor) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
      %0 = fuser.sum %x dims [1] {domains = [#fuser.domain<root = [i0, r1], split(r1, 16) -> (r2, i3),
          logical = [i0, r2, i3]>]} : tensor<?x?xf32> -> tensor<?x16xf32>
      %1 = fuser.sum %0 dims [1] : tensor<?x16xf32> -> tensor<?xf32>
      fuser.return %1 : tensor<?xf32>
    })");
  IdModel model(program.get());
  Value x = program.getArgument(0), partial = program.getTensor(0), sum = program.getTensor(1);
  EXPECT_TRUE(model.areMapped(IdMapping::Exact, {x, 1}, {partial, 1}));
  // Dimension 1 of the partial sum is its id 3.
  EXPECT_TRUE(model.areMapped(IdMapping::Exact, {partial, 3}, {sum, 1}));
  EXPECT_FALSE(model.areMapped(IdMapping::Exact, {partial, 1}, {sum, 1}));
  const IdGraph &exact = model.getGraph(IdMapping::Exact);
  auto path = exact.findPath({model.classOf(IdMapping::Exact, x, 1)},
                             {model.classOf(IdMapping::Exact, sum, 1)});
  ASSERT_TRUE(path);
  ASSERT_EQ(path->size(), 1u);
  EXPECT_TRUE(path->front().forward);
  EXPECT_EQ(exact.getGroup(path->front().group).transform.kind, TransformKind::Split);
  // One half of a split does not give the whole.
  EXPECT_FALSE(exact.findPath({model.classOf(IdMapping::Exact, sum, 1)},
                              {model.classOf(IdMapping::Exact, x, 1)}));
}

TEST(IdModelTest, PathsGoBothWays) {
  // From the loop ids of %1 to those of %0: back through a split and a merge, forward through two
  // other splits. The broadcast id comes from nothing.
  Program program(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], split(i0, 2) -> (i2, i3), split(i1, 4) -> (i4, i5),
          broadcast() -> b6, merge(i4, b6) -> i7, loop = [i2, i7, i3, i5]>]} : tensor<?x?xf32>
      %1 = fuser.set %0 {domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 128) -> (i3, i4),
          loop = [i3, i4]>]} : tensor<?x?xf32>
      fuser.return %1 : tensor<?x?xf32>
    })");
  IdModel model(program.get());
  Value a = program.getTensor(0), b = program.getTensor(1);
  const IdGraph &exact = model.getGraph(IdMapping::Exact);
  auto classes = [&](Value value) {
    SmallVector<IdClass> result;
    for (unsigned id : cast<TensorViewOpInterface>(value.getDefiningOp()).getDomain().getLoop())
      result.push_back(model.classOf(IdMapping::Exact, value, id));
    return result;
  };
  auto path = exact.findPath(classes(b), classes(a));
  ASSERT_TRUE(path);
  std::vector<std::pair<TransformKind, bool>> steps;
  for (IdPathStep step : *path)
    steps.push_back({exact.getGroup(step.group).transform.kind, step.forward});
  EXPECT_EQ(steps, (std::vector<std::pair<TransformKind, bool>>{{TransformKind::Split, false},
                                                                {TransformKind::Merge, false},
                                                                {TransformKind::Split, true},
                                                                {TransformKind::Split, true},
                                                                {TransformKind::Broadcast, true},
                                                                {TransformKind::Merge, true}}));
  // Every step finds what it needs.
  SmallVector<IdClass> known = classes(b);
  for (IdPathStep step : *path) {
    TransformGroup group = exact.getGroup(step.group);
    for (IdClass needed : step.forward ? group.inputs : group.outputs)
      EXPECT_TRUE(llvm::is_contained(known, needed));
    llvm::append_range(known, step.forward ? group.outputs : group.inputs);
  }
  EXPECT_FALSE(
      exact.findPath(classes(b), classes(a), [](IdPathStep step) { return step.forward; }));
  EXPECT_TRUE(exact.findPath(classes(a), classes(a))->empty());
}

TEST(IdModelTest, MergesWithBroadcastsForwardInThePermissiveGraph) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %0 = fuser.broadcast %x dims [1] {domains = [#fuser.domain<logical = [i0, b1], merge(i0, b1) -> i2, loop = [i2]>]}
        : tensor<?xf32> -> tensor<?x1xf32>
      %1 = fuser.add %0, %y {domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, loop = [i2]>]}
        : (tensor<?x1xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      fuser.return %1 : tensor<?x?xf32>
    })");
  IdModel model(program.get());
  Value broadcast = program.getTensor(0), sum = program.getTensor(1);
  EXPECT_FALSE(model.areMapped(IdMapping::Exact, {broadcast, 2}, {sum, 2}));
  EXPECT_TRUE(model.areMapped(IdMapping::Broadcast, {broadcast, 2}, {sum, 2}));
  EXPECT_FALSE(model.areMapped(IdMapping::Broadcast, {broadcast, 0}, {broadcast, 2}));
  EXPECT_TRUE(model.areMapped(IdMapping::Permissive, {broadcast, 0}, {broadcast, 2}));
  EXPECT_TRUE(model.areMapped(IdMapping::Permissive, {program.getArgument(0), 0}, {broadcast, 2}));
}

TEST(IdModelTest, UpdateExtendsAndIsCurrentNotices) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.set %x : tensor<?xf32>
      %1 = fuser.set %0 {domains = [#fuser.domain<logical = [i0], split(i0, 8) -> (i1, i2), loop = [i1, i2]>]} : tensor<?xf32>
      fuser.return %1 : tensor<?xf32>
    })");
  IdModel model(program.get());
  EXPECT_TRUE(model.isCurrent());
  Value first = program.getTensor(0), second = program.getTensor(1);
  auto op = cast<TensorViewOpInterface>(first.getDefiningOp());
  DomainBuilder builder(op.getDomain());
  builder.split(0, 8);
  op.setDomain(builder.build());
  EXPECT_FALSE(model.isCurrent());
  EXPECT_TRUE(model.update(op));
  EXPECT_TRUE(model.isCurrent());
  EXPECT_TRUE(model.areMapped(IdMapping::Exact, {first, 2}, {second, 2}));
  // Another split instead: no extension.
  DomainBuilder other(op.getTrivialDomain(0));
  other.split(0, 4);
  op.setDomain(other.build());
  EXPECT_FALSE(model.isCurrent());
  EXPECT_FALSE(model.update(op));
  EXPECT_TRUE(model.isCurrent());
  EXPECT_FALSE(model.areMapped(IdMapping::Exact, {first, 2}, {second, 2}));
  // A new operand.
  second.getDefiningOp()->setOperand(0, program.getArgument(0));
  EXPECT_FALSE(model.isCurrent());
}

// The closure against the definition, by brute force to a fixed point, on random graphs.
TEST(IdGraphTest, ClosureMatchesBruteForce) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    auto pick = [&](unsigned bound) { return random() % bound; };
    IdGraph graph;
    struct Entry {
      DomainTransform transform;
      SmallVector<unsigned> inputs, outputs;
    };
    std::vector<Entry> entries;
    std::vector<unsigned> classes; // by brute force
    auto addNode = [&] {
      classes.push_back(classes.size());
      return graph.addNode();
    };
    for (int i = 0; i < 6; ++i)
      addNode();
    auto uniteClasses = [&](unsigned a, unsigned b) {
      unsigned from = classes[a], to = classes[b];
      for (unsigned &name : classes)
        name = name == from ? to : name;
      return from != to;
    };
    for (int i = 0; i < 60; ++i) {
      if (pick(5) == 0) {
        unsigned a = pick(classes.size()), b = pick(classes.size());
        graph.unite(a, b);
        uniteClasses(a, b);
        continue;
      }
      Entry entry;
      bool isSplit = pick(2);
      entry.transform.kind = isSplit ? TransformKind::Split : TransformKind::Merge;
      entry.transform.value = isSplit ? 2 + pick(2) : 0;
      entry.inputs.push_back(pick(classes.size()));
      if (!isSplit)
        entry.inputs.push_back(pick(classes.size()));
      entry.outputs.push_back(addNode());
      if (isSplit)
        entry.outputs.push_back(addNode());
      graph.addTransform(entry.transform, entry.inputs, entry.outputs);
      entries.push_back(entry);
    }
    bool changed = true;
    while (changed) {
      changed = false;
      for (const Entry &a : entries)
        for (const Entry &b : entries)
          if (a.transform.kind == b.transform.kind && a.transform.value == b.transform.value &&
              llvm::all_of(llvm::zip(a.inputs, b.inputs), [&](auto pair) {
                return classes[std::get<0>(pair)] == classes[std::get<1>(pair)];
              }))
            for (auto [x, y] : llvm::zip(a.outputs, b.outputs))
              changed |= uniteClasses(x, y);
    }
    for (unsigned a = 0; a < classes.size(); ++a)
      for (unsigned b = 0; b < a; ++b)
        ASSERT_EQ(graph.areMapped(a, b), classes[a] == classes[b])
            << a << " and " << b << ", seed " << seed;
    for (unsigned node = 0; node < classes.size(); ++node)
      for (unsigned member : graph.getMembers(graph.getClass(node)))
        ASSERT_EQ(classes[member], classes[node]);
  }
}
} // namespace
