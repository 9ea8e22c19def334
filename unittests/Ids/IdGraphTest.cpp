//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Ids/IdGraph.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace fuser;

namespace {

// The inverse law of products: a merge of the parts is the whole, and a split by a known extent
// gives the parts.
TEST(IdGraphTest, ProductsAreClosedInBothDirections) {
  IdGraph graph;
  unsigned whole = graph.addNode(), outer = graph.addNode(), inner = graph.addNode();
  unsigned merged = graph.addNode(), otherOuter = graph.addNode(), otherInner = graph.addNode();
  graph.addProduct(whole, outer, inner, std::nullopt, 128);
  graph.addTransform({TransformKind::Merge}, {outer, inner}, {merged});
  graph.addTransform({TransformKind::Split, {}, {}, 128}, {merged}, {otherOuter, otherInner});
  EXPECT_TRUE(graph.areMapped(whole, merged));
  EXPECT_TRUE(graph.areMapped(outer, otherOuter));
  EXPECT_TRUE(graph.areMapped(inner, otherInner));
  // Another factor, or the outer one, which is not known, makes other parts.
  unsigned halves[] = {graph.addNode(), graph.addNode()};
  graph.addTransform({TransformKind::Split, {}, {}, 64}, {whole}, halves);
  EXPECT_FALSE(graph.areMapped(outer, halves[0]));
  graph.addTransform({TransformKind::Split, {}, {}, 128, 0, /*inner=*/false}, {whole}, halves);
  EXPECT_FALSE(graph.areMapped(outer, halves[0]));
}

// Two factorizations of one dimension (6 x 4 as 4 x 6) have no parts in common.
TEST(IdGraphTest, OtherFactorizationsStayApart) {
  IdGraph graph;
  unsigned whole = graph.addNode(), six = graph.addNode(), four = graph.addNode();
  unsigned otherFour = graph.addNode(), otherSix = graph.addNode();
  graph.addProduct(whole, six, four, 6, 4);
  graph.addProduct(whole, otherFour, otherSix, 4, 6);
  EXPECT_FALSE(graph.areMapped(six, otherSix));
  EXPECT_FALSE(graph.areMapped(four, otherFour));
  EXPECT_FALSE(graph.areMapped(six, otherFour));
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
    // A product is two or three entries: a merge, and splits by the extents that are known.
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
      if (pick(5) == 0) {
        unsigned whole = pick(classes.size()), outer = addNode(), inner = addNode();
        std::optional<int64_t> outerExtent, innerExtent;
        entries.push_back({{TransformKind::Merge}, {outer, inner}, {whole}});
        if (pick(2)) {
          innerExtent = 2 + pick(2);
          entries.push_back(
              {{TransformKind::Split, {}, {}, *innerExtent}, {whole}, {outer, inner}});
        }
        if (pick(2)) {
          outerExtent = 2 + pick(2);
          entries.push_back(
              {{TransformKind::Split, {}, {}, *outerExtent, 0, false}, {whole}, {outer, inner}});
        }
        graph.addProduct(whole, outer, inner, outerExtent, innerExtent);
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
              a.transform.inner == b.transform.inner &&
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
  }
}
} // namespace
