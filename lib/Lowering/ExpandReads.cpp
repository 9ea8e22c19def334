//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExpandReads.h"
#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Dialect/IR/ElementReader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

void ExpandedReads::setLane(const AccessSite &site, int64_t lane) {
  if (!site.lanes)
    return;
  expanded.map(loop::ForOp(site.lanes).getInductionVar(), index.constant(lane));
  for (Value each : site.indices)
    if (auto it = laneIndices.find(each); it != laneIndices.end())
      expanded.map(each, it->second[lane]);
}

bool ExpandedReads::dependsOnLane(const AccessSite &site, AffineExpr expr) const {
  if (!site.lanes)
    return false;
  const Value variable = loop::ForOp(site.lanes).getInductionVar();
  return llvm::any_of(llvm::seq<unsigned>(0, site.numDims), [&](unsigned dim) {
    return (site.indices[dim] == variable || laneIndices.contains(site.indices[dim])) &&
           expr.isFunctionOfDim(dim);
  });
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

void ExpandedReads::addIndex(loop::IndexOp op) {
  const AccessSite site(op);
  const loop::AccessAttr access = op.getAccess();
  laneIndices.erase(op);
  if (!dependsOnLane(site, access.getMap().getResult(0))) {
    setLane(site, 0);
    expanded.map(op, expanded.toIndex(readChunk(site, op.getBuffer(), access, 1).value));
    return;
  }
  const Value read = readParts(site, op.getBuffer(), access).value;
  SmallVector<Value> lanes;
  for (int64_t lane = 0; lane < site.width; ++lane)
    lanes.push_back(expanded.toIndex(buffers.getLane(read, lane)));
  laneIndices[op] = std::move(lanes);
}

void ExpandedReads::addIndex(loop::XorOp op) {
  const AccessSite site(op);
  auto build = [&](int64_t lane) {
    setLane(site, lane);
    return index.bitXor(evaluate(site, op.getTerms().getResult(0)),
                        evaluate(site, op.getTerms().getResult(1)));
  };
  laneIndices.erase(op);
  if (llvm::none_of(op.getTerms().getResults(),
                    [&](AffineExpr term) { return dependsOnLane(site, term); })) {
    expanded.map(op, build(0));
    return;
  }
  SmallVector<Value> lanes;
  for (int64_t lane = 0; lane < site.width; ++lane)
    lanes.push_back(build(lane));
  laneIndices[op] = std::move(lanes);
  setLane(site, 0);
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

/// A complex scalar is two parts, an element of it is one value.
Value ExpandedReads::readScalar(Value scalar) {
  Value value = expanded.lookup(scalar);
  if (!isa<ComplexType>(value.getType()))
    return value;
  const Location loc = expanded.getLoc();
  return ElementBuilder(builder, loc, value.getType())
      .pack(
          {complex::ReOp::create(builder, loc, value), complex::ImOp::create(builder, loc, value)});
}

Value ExpandedReads::getPeer(const AccessSite &site, loop::AccessAttr access) {
  if (access.getMap().getNumResults() == 1)
    return {};
  Value peer = evaluate(site, access.getMap().getResult(0));
  return peer == expanded.getHardwareIndex(ParallelType::ClusterX) ? Value() : peer;
}

/// The access to one element with what is known of its address: code generation joins lanes that
/// are neighbors with those of other tiles (the even and odd elements of rows).
loop::AccessAttr ExpandedReads::align(const AccessSite &site, Value buffer,
                                      loop::AccessAttr access) {
  auto argument = dyn_cast<BlockArgument>(buffer);
  if (!argument)
    return access;
  return loop::AccessAttr::get(access.getContext(), access.getMap(), access.getGuard(),
                               access.getChunk(),
                               expanded.getAlignment(argument, access.getMap().getResults().back(),
                                                     site.indices, site.numDims),
                               access.getClamped(), access.getKept(), access.getFollows());
}

ExpandedReads::Read ExpandedReads::readChunk(const AccessSite &site, Value buffer,
                                             loop::AccessAttr access, int64_t count,
                                             Value condition) {
  const Location loc = expanded.getLoc();
  std::optional<Value> guard = expanded.evaluate(access.getGuard(), site.indices, site.op);
  if (!guard)
    return {buffers.getZero(buffer, count),
            arith::ConstantOp::create(builder, loc, builder.getBoolAttr(false))};
  const Value inside = index.both(*guard, condition);
  const AffineExpr expr = access.getMap().getResults().back();
  const bool isOne = !dependsOnLane(site, expr);
  auto workspace = buffer.getDefiningOp<loop::BufferOp>();
  const bool ofOtherBlocks =
      site.mergesBlocks && workspace && workspace.getType().getSpace() == MemoryType::Global;
  const loop::AccessAttr aligned = isOne || count != 1 ? access : align(site, buffer, access);
  auto loadSome = [&](Value peer, Value offset, int64_t some) {
    return ofOtherBlocks ? buffers.loadThroughL2(buffer, offset, access, some)
                         : buffers.load(buffer, peer, offset, aligned, some);
  };
  auto load = [&] {
    Value peer = getPeer(site, access);
    Value offset = evaluate(site, expr);
    return isOne ? buffers.splat(loadSome(peer, offset, 1), count) : loadSome(peer, offset, count);
  };
  // Registers are read without a branch.
  if (!inside || buffers.isSSA(buffer) || cast<loop::BufferType>(buffer.getType()).isPrivate())
    return {load(), inside};
  Value zero = buffers.getZero(buffer, count);
  auto ifOp = scf::IfOp::create(builder, loc, zero.getType(), inside, /*addThenBlock=*/true,
                                /*addElseBlock=*/true);
  OpBuilder::InsertionGuard insertion(builder);
  builder.setInsertionPointToEnd(ifOp.elseBlock());
  scf::YieldOp::create(builder, loc, zero);
  builder.setInsertionPointToEnd(ifOp.thenBlock());
  IndexBuilder::Scope scope(index, ifOp);
  scf::YieldOp::create(builder, loc, load());
  return {ifOp.getResult(0), inside};
}

SmallVector<Value> ExpandedReads::readChunks(const AccessSite &site, Value buffer,
                                             loop::AccessAttr access) {
  const int64_t chunk = access.getChunk();
  SmallVector<Value> values(site.width / chunk);
  // Those with a branch come last: the loads of the others can be merged.
  auto isBranch = [&](int64_t number) {
    setLane(site, number * chunk);
    return !expanded.holds(access.getGuard(), site.indices, site.op);
  };
  SmallVector<int64_t> numbers;
  for (bool branch : {false, true})
    llvm::copy_if(llvm::seq<int64_t>(0, values.size()), std::back_inserter(numbers),
                  [&](int64_t number) { return isBranch(number) == branch; });
  for (int64_t number : numbers) {
    setLane(site, number * chunk);
    values[number] = readChunk(site, buffer, access, chunk).value;
  }
  return values;
}

/// The constraints for whose numbers `isTaken` is true.
static loop::ConstraintsAttr filter(loop::ConstraintsAttr constraints,
                                    function_ref<bool(unsigned number)> isTaken) {
  SmallVector<loop::ConstraintKind> kinds;
  SmallVector<AffineExpr> bounds;
  for (auto [number, kind] : llvm::enumerate(constraints.getKinds()))
    if (isTaken(number)) {
      kinds.push_back(kind);
      bounds.append({constraints.getLhs(number), constraints.getRhs(number)});
    }
  const AffineMap map = constraints.getBounds();
  return loop::ConstraintsAttr::get(
      constraints.getContext(), kinds,
      AffineMap::get(map.getNumDims(), map.getNumSymbols(), bounds, constraints.getContext()));
}

/// The chunks in one branch on what holds for all lanes or for none (a row that exists), in which
/// only lanes with a condition of their own have branches. Nothing if all lanes have no condition
/// in common, or one that is known; of one chunk; and of registers, which are read without a
/// branch.
std::optional<SmallVector<Value>> ExpandedReads::readInBranch(const AccessSite &site, Value buffer,
                                                              loop::AccessAttr access) {
  const loop::ConstraintsAttr guard = access.getGuard();
  const int64_t chunk = access.getChunk();
  if (site.width == chunk || buffers.isSSA(buffer) ||
      cast<loop::BufferType>(buffer.getType()).isPrivate())
    return std::nullopt;
  auto isOfLane = [&](unsigned number) {
    return dependsOnLane(site, guard.getLhs(number)) || dependsOnLane(site, guard.getRhs(number));
  };
  setLane(site, 0);
  const std::optional<Value> common = expanded.evaluate(
      filter(guard, [&](unsigned number) { return !isOfLane(number); }), site.indices, site.op);
  if (!common || !*common)
    return std::nullopt;
  const Location loc = expanded.getLoc();
  const SmallVector<Value> zeros(site.width / chunk, buffers.getZero(buffer, chunk));
  auto ifOp = scf::IfOp::create(builder, loc, ValueRange(zeros).getTypes(), *common,
                                /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard insertion(builder);
  builder.setInsertionPointToEnd(ifOp.elseBlock());
  scf::YieldOp::create(builder, loc, zeros);
  builder.setInsertionPointToEnd(ifOp.thenBlock());
  IndexBuilder::Scope scope(index, ifOp);
  const auto inner = loop::AccessAttr::get(
      access.getContext(), access.getMap(), filter(guard, isOfLane), chunk, access.getAlignment(),
      access.getClamped(), access.getKept(), access.getFollows());
  scf::YieldOp::create(builder, loc, readChunks(site, buffer, inner));
  return SmallVector<Value>(ifOp.getResults());
}

ExpandedReads::Read ExpandedReads::readParts(const AccessSite &site, Value buffer,
                                             loop::AccessAttr access) {
  const Location loc = expanded.getLoc();
  const int64_t chunk = access.getChunk();
  std::optional<SmallVector<Value>> values = readInBranch(site, buffer, access);
  if (!values)
    values = readChunks(site, buffer, access);
  SmallVector<Value> exist(values->size());
  for (int64_t number = 0, count = exist.size(); number < count; ++number) {
    setLane(site, number * chunk);
    std::optional<Value> guard = expanded.evaluate(access.getGuard(), site.indices, site.op);
    exist[number] =
        guard ? *guard : arith::ConstantOp::create(builder, loc, builder.getBoolAttr(false));
  }
  setLane(site, 0);
  if (llvm::none_of(exist, [](Value each) { return bool(each); }))
    return {buffers.join(*values), {}};
  for (Value &each : exist) {
    if (!each)
      each = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    each = buffers.splat(each, chunk);
  }
  Value inside = buffers.join(exist);
  return {buffers.join(*values), inside};
}

ExpandedReads::Read ExpandedReads::read(loop::TileOp tile, unsigned input) {
  const Value buffer = tile.getInputs()[input];
  if (loop::AccessAttr access = tile.getRead(input))
    return readParts(AccessSite(tile), buffer, access);
  return {buffers.splat(readScalar(buffer), tile.getWidth()), {}};
}

//===----------------------------------------------------------------------===//
// Whole reads
//===----------------------------------------------------------------------===//

/// Reads for the element of a tile at the lane that is set.
class ExpandedReads::WholeReader : public ElementReader {
public:
  WholeReader(ExpandedReads &reads, loop::TileOp tile) : reads(reads), tile(tile), site(tile) {}

  Value getRootIndex(unsigned root) override {
    return reads.evaluate(site, tile.getRoots().getResult(root));
  }

  Value getExtent(unsigned operandNumber, unsigned dim) override {
    auto whole = tile.getWhole(operandNumber, dim).getDefiningOp<loop::WholeOp>();
    return reads.expanded.evaluate(whole.getExtentExpr(), whole.getIndices(),
                                   whole.getExtent().getNumDims());
  }

  Element read(unsigned operandNumber, ValueRange whole, Value condition) override {
    auto mapping = cast<DomainMappingOpInterface>(tile.getElementOp());
    for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(operandNumber)))
      if (map.kind == DimMap::Kind::Whole) {
        reads.expanded.map(tile.getWhole(operandNumber, dim), reads.index.define(whole.front()));
        whole = whole.drop_front();
      }
    if (condition)
      reads.index.define(condition);
    const Value buffer = tile.getInputs()[operandNumber];
    Read read = reads.readChunk(site, buffer, tile.getRead(operandNumber), 1, condition);
    // Registers are read without a branch.
    if (read.inside && reads.buffers.isSSA(buffer))
      read.value = arith::SelectOp::create(reads.builder, reads.expanded.getLoc(), read.inside,
                                           read.value, reads.buffers.getZero(buffer, 1));
    return {read.value, read.inside};
  }

  SmallVector<Value> loop(Value extent, ValueRange initial, Body body) override {
    OpBuilder &builder = reads.builder;
    const Location loc = reads.expanded.getLoc();
    auto forOp = scf::ForOp::create(builder, loc, reads.index.constant(0), extent,
                                    reads.index.constant(1), initial);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(forOp.getBody());
    IndexBuilder::Scope scope(reads.index, forOp);
    scf::YieldOp::create(builder, loc, body(forOp.getInductionVar(), forOp.getRegionIterArgs()));
    return forOp.getResults();
  }

private:
  ExpandedReads &reads;
  loop::TileOp tile;
  AccessSite site;
};

SmallVector<Value> ExpandedReads::buildWholeReads(loop::TileOp tile) {
  const AccessSite site(tile);
  auto op = cast<WholeReadOpInterface>(tile.getElementOp());
  SmallVector<SmallVector<Value>> lanes(tile.getOutputs().size());
  for (int64_t lane = 0; lane < site.width; ++lane) {
    setLane(site, lane);
    WholeReader reader(*this, tile);
    SmallVector<Value> elements = op.buildElements(builder, expanded.getLoc(), reader);
    for (auto [result, element] : llvm::zip_equal(lanes, elements))
      result.push_back(element);
  }
  setLane(site, 0);
  return llvm::map_to_vector(
      lanes, [&](ArrayRef<Value> elements) -> Value { return buffers.join(elements); });
}
