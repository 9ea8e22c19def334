//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PartsKernel.h"
#include "fuser/Dialect/IR/KernelFacts.h"
#include "fuser/Dialect/Kernel/EqualKernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;
using kernel_ir::FuserGPUDialect;
using kernel_ir::LaunchAttr;

static LaunchAttr getLaunch(gpu::GPUFuncOp kernel) {
  return kernel->getAttrOfType<LaunchAttr>(FuserGPUDialect::kLaunch);
}

static unsigned getIndexBits(gpu::GPUFuncOp kernel) {
  auto bits = kernel->getParentOfType<gpu::GPUModuleOp>()->getAttrOfType<IntegerAttr>(
      FuserGPUDialect::kIndexBits);
  return bits ? bits.getInt() : 64;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

StringRef fuser::findMergeObstacle(gpu::GPUFuncOp kernel) {
  LaunchAttr launch = getLaunch(kernel);
  if (!launch || !kernel.getKnownBlockSizeAttr())
    return "its launch is not known";
  if (launch.getCooperative() || !launch.getCluster().empty())
    return "its blocks wait for each other";
  if (launch.getMinBlocksPerSM())
    return "it has its own number of resident blocks";
  if (launch.getParts())
    return "it has parts already";
  if (launch.getSmem() && !isa<AffineConstantExpr>(launch.getSmem().getResult(0)))
    return "its shared memory depends on sizes";
  if (!kernel.getBody().hasOneBlock() || kernel.getNumWorkgroupAttributions() > 0 ||
      kernel.getNumPrivateAttributions() > 0)
    return "it is not as lowering writes kernels";
  for (unsigned number = 0; number < kernel.getNumArguments(); ++number) {
    if (!kernel.getArgAttr(number, FuserGPUDialect::kBind))
      return "it has an argument without a binding";
    if (isa<kernel_ir::TensorMapType>(kernel.getArgument(number).getType()))
      return "it copies by tensor maps";
  }
  WalkResult result = kernel.walk([](Operation *op) {
    return isa<gpu::GridDimOp, kernel_ir::GridSyncOp, kernel_ir::PartArgumentOp>(op)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return result.wasInterrupted() ? "it depends on the whole grid" : "";
}

/// The operand of the launch that a binding names; nothing for a workspace.
static std::optional<int64_t> getBoundOperand(Attribute binding) {
  if (auto pointer = dyn_cast<kernel_ir::PointerAttr>(binding))
    return pointer.getOperand();
  if (auto size = dyn_cast<kernel_ir::SizeAttr>(binding))
    return size.getOperand();
  if (auto stride = dyn_cast<kernel_ir::StrideAttr>(binding))
    return stride.getOperand();
  if (auto scalar = dyn_cast<kernel_ir::ScalarAttr>(binding))
    return scalar.getOperand();
  return std::nullopt;
}

bool fuser::bindsOperandsOf(LaunchOp launch, gpu::GPUFuncOp kernel) {
  const int64_t numOperands = launch.getInputs().size() + launch.getOutputs().size();
  const int64_t numWorkspaces = getLaunch(kernel).getWorkspaces().size();
  auto isBound = [&](Attribute binding) {
    if (std::optional<int64_t> operand = getBoundOperand(binding))
      return *operand >= 0 && *operand < numOperands;
    auto workspace = dyn_cast<kernel_ir::WorkspaceAttr>(binding);
    return workspace && int64_t(workspace.getIndex()) < numWorkspaces;
  };
  return llvm::all_of(getLaunch(kernel).getSymbols(), isBound) &&
         llvm::all_of(llvm::seq(kernel.getNumArguments()), [&](unsigned argument) {
           return isBound(kernel.getArgAttr(argument, FuserGPUDialect::kBind));
         });
}

static int64_t countThreads(gpu::GPUFuncOp kernel) {
  int64_t threads = 1;
  for (int32_t size : kernel.getKnownBlockSizeAttr().asArrayRef())
    threads *= size;
  return threads;
}

bool fuser::canShareLaunch(gpu::GPUFuncOp a, gpu::GPUFuncOp b) {
  return countThreads(a) == countThreads(b) && getIndexBits(a) == getIndexBits(b);
}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

namespace {

/// Parts with the same code.
struct PartsOfCode {
  gpu::GPUFuncOp kernel;
  unsigned first, count;
};

class PartsKernelBuilder {
public:
  PartsKernelBuilder(MutableArrayRef<LaunchPart> parts, StringRef name, OpBuilder &builder)
      : parts(parts), name(name), outer(builder), builder(builder.getContext()),
        loc(parts.front().launch.getLoc()), context(builder.getContext()) {}

  gpu::GPUModuleOp build();

private:
  void groupByCode();
  void numberOperands();
  Attribute renumber(Attribute binding, unsigned part);
  unsigned addWorkspace(unsigned part, unsigned index);
  void collectSymbols();
  AffineExpr renumber(AffineExpr expr, unsigned part) const;
  LaunchAttr getMergedLaunch();
  ArrayAttr getFacts();
  void addArguments();
  unsigned addArgument(Type type, Attribute binding, DictionaryAttr attributes);
  unsigned addTable(function_ref<Attribute(unsigned part)> getBinding);
  bool isCommon(PartsOfCode code, unsigned argument);
  Value findPart(Value block);
  Value selectPart(Value part, unsigned firstOfTable, unsigned count);
  void findBlock();
  void findThread(gpu::GPUFuncOp kernel, Value (&ids)[3]);
  void emitCode(const PartsOfCode &code, ArrayRef<unsigned> firstArguments);
  void emitCodes(unsigned number);
  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

  MutableArrayRef<LaunchPart> parts;
  StringRef name;
  OpBuilder &outer;
  OpBuilder builder;
  Location loc;
  MLIRContext *context;
  gpu::GPUFuncOp function;
  SmallVector<PartsOfCode> codes;

  // By part: the operands of its kernel as operands of the merged launch.
  SmallVector<SmallVector<int64_t>> operands;
  SmallVector<Value> values;
  /// The symbols of the launch with their numbers, and by part those that its maps read.
  llvm::MapVector<Attribute, unsigned> symbols;
  SmallVector<SmallVector<AffineExpr>> symbolsOfPart;
  SmallVector<AffineExpr> workspaces;
  llvm::DenseMap<std::pair<unsigned, unsigned>, unsigned> workspaceNumbers;

  // The arguments of the kernel. The first of each table: of the numbers of first blocks, and of
  // the blocks along an axis, where they are needed.
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  unsigned firstBlocks = 0;
  std::optional<unsigned> grids[3];
  /// By code and argument: the first argument of its table, or the one of all parts.
  SmallVector<SmallVector<unsigned>> arguments;
  SmallVector<SmallVector<bool>> isShared;

  // In the kernel.
  Value part;
  Value blockIds[3];
};

} // namespace

void PartsKernelBuilder::groupByCode() {
  kernel_ir::EqualKernels equal;
  llvm::MapVector<Operation *, SmallVector<LaunchPart>> byCode;
  llvm::DenseMap<Operation *, Operation *> codeOf;
  for (const LaunchPart &part : parts) {
    Operation *module = part.kernel->getParentOp();
    auto [it, isNew] = codeOf.try_emplace(module, module);
    if (isNew)
      if (gpu::GPUModuleOp same = equal.add(cast<gpu::GPUModuleOp>(module)))
        it->second = same;
    byCode[it->second].push_back(part);
  }
  unsigned next = 0;
  for (auto &[code, own] : byCode) {
    codes.push_back({own.front().kernel, next, static_cast<unsigned>(own.size())});
    for (LaunchPart &part : own)
      parts[next++] = part;
  }
}

void PartsKernelBuilder::numberOperands() {
  operands.resize(parts.size());
  for (auto [part, own] : llvm::zip_equal(parts, operands))
    for (Value input : part.launch.getInputs()) {
      own.push_back(values.size());
      values.push_back(input);
    }
  for (auto [part, own] : llvm::zip_equal(parts, operands))
    for (Value output : part.launch.getOutputs()) {
      own.push_back(values.size());
      values.push_back(output);
    }
}

/// Workspaces are numbered in the order in which arguments name them.
unsigned PartsKernelBuilder::addWorkspace(unsigned part, unsigned index) {
  auto [it, isNew] = workspaceNumbers.try_emplace({part, index}, workspaces.size());
  if (isNew)
    workspaces.push_back(
        renumber(getLaunch(parts[part].kernel).getWorkspaces()[index].getResult(0), part));
  return it->second;
}

Attribute PartsKernelBuilder::renumber(Attribute binding, unsigned part) {
  ArrayRef<int64_t> own = operands[part];
  if (auto pointer = dyn_cast<kernel_ir::PointerAttr>(binding))
    return kernel_ir::PointerAttr::get(context, own[pointer.getOperand()]);
  if (auto size = dyn_cast<kernel_ir::SizeAttr>(binding))
    return kernel_ir::SizeAttr::get(context, own[size.getOperand()], size.getDim());
  if (auto stride = dyn_cast<kernel_ir::StrideAttr>(binding))
    return kernel_ir::StrideAttr::get(context, own[stride.getOperand()], stride.getDim());
  if (auto scalar = dyn_cast<kernel_ir::ScalarAttr>(binding))
    return kernel_ir::ScalarAttr::get(context, own[scalar.getOperand()]);
  auto workspace = cast<kernel_ir::WorkspaceAttr>(binding);
  return kernel_ir::WorkspaceAttr::get(context, addWorkspace(part, workspace.getIndex()),
                                       workspace.getZeroed());
}

void PartsKernelBuilder::collectSymbols() {
  for (unsigned number = 0; number < parts.size(); ++number) {
    SmallVector<AffineExpr> &own = symbolsOfPart.emplace_back();
    for (Attribute symbol : getLaunch(parts[number].kernel).getSymbols()) {
      unsigned next = symbols.size();
      auto it = symbols.insert({renumber(symbol, number), next}).first;
      own.push_back(getAffineSymbolExpr(it->second, context));
    }
  }
}

AffineExpr PartsKernelBuilder::renumber(AffineExpr expr, unsigned part) const {
  return expr.replaceSymbols(symbolsOfPart[part]);
}

LaunchAttr PartsKernelBuilder::getMergedLaunch() {
  AffineExpr blocks = getAffineConstantExpr(0, context), one = getAffineConstantExpr(1, context);
  SmallVector<AffineExpr> grids;
  int64_t sharedBytes = 0;
  for (unsigned number = 0; number < parts.size(); ++number) {
    LaunchAttr launch = getLaunch(parts[number].kernel);
    AffineExpr own = one;
    for (AffineExpr size : launch.getGrid().getResults()) {
      grids.push_back(renumber(size, number));
      own = own * grids.back();
    }
    blocks = blocks + own;
    if (AffineMap smem = launch.getSmem())
      sharedBytes = std::max(sharedBytes, cast<AffineConstantExpr>(smem.getResult(0)).getValue());
  }
  auto getMap = [&](ArrayRef<AffineExpr> results) {
    return AffineMap::get(0, symbols.size(), results, context);
  };
  return LaunchAttr::get(
      context, getMap({blocks, one, one}), llvm::to_vector(llvm::make_first_range(symbols)),
      getMap(getAffineConstantExpr(sharedBytes, context)),
      llvm::map_to_vector(workspaces, [&](AffineExpr bytes) { return getMap(bytes); }),
      /*cooperative=*/false, /*cluster=*/{}, /*minBlocksPerSM=*/std::nullopt, getMap(grids));
}

ArrayAttr PartsKernelBuilder::getFacts() {
  llvm::SetVector<Attribute> facts;
  for (auto [part, own] : llvm::zip_equal(parts, operands))
    if (auto list = part.kernel->getAttrOfType<ArrayAttr>(kKernelFactsAttrName))
      for (FactAttr fact : list.getAsRange<FactAttr>()) {
        int64_t other = fact.getOtherArg();
        if (fact.getKind() == FactKind::Equal)
          other = own[other];
        facts.insert(FactAttr::get(context, fact.getKind(), own[fact.getArg()], fact.getDim(),
                                   fact.getValue(), other, fact.getOtherDim()));
      }
  return ArrayAttr::get(context, facts.getArrayRef());
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

unsigned PartsKernelBuilder::addArgument(Type type, Attribute binding, DictionaryAttr attrs) {
  NamedAttrList list(attrs);
  list.set(FuserGPUDialect::kBind, binding);
  types.push_back(type);
  attributes.push_back(list.getDictionary(context));
  return types.size() - 1;
}

unsigned PartsKernelBuilder::addTable(function_ref<Attribute(unsigned part)> getBinding) {
  unsigned first = types.size();
  for (unsigned number = 0; number < parts.size(); ++number)
    addArgument(builder.getIndexType(), getBinding(number), builder.getDictionaryAttr({}));
  return first;
}

/// True if the argument has the same value in all parts.
bool PartsKernelBuilder::isCommon(PartsOfCode code, unsigned argument) {
  if (code.count == 1)
    return true;
  std::optional<int64_t> operand =
      getBoundOperand(code.kernel.getArgAttr(argument, FuserGPUDialect::kBind));
  if (!operand)
    return false;
  Value value = values[operands[code.first][*operand]];
  return llvm::all_of(llvm::seq(code.first, code.first + code.count),
                      [&](unsigned part) { return values[operands[part][*operand]] == value; });
}

void PartsKernelBuilder::addArguments() {
  firstBlocks =
      addTable([&](unsigned part) { return kernel_ir::FirstBlockAttr::get(context, part); });
  // The number of blocks along the slowest axis is not needed.
  bool isNeeded = false;
  for (unsigned axis = 3; axis-- > 0;) {
    if (isNeeded)
      grids[axis] = addTable(
          [&](unsigned part) { return kernel_ir::PartGridAttr::get(context, part, axis); });
    isNeeded |= llvm::any_of(parts, [&](const LaunchPart &part) {
      auto size = dyn_cast<AffineConstantExpr>(getLaunch(part.kernel).getGrid().getResult(axis));
      return !size || size.getValue() != 1;
    });
  }
  for (PartsOfCode &code : codes) {
    SmallVector<unsigned> &own = arguments.emplace_back();
    SmallVector<bool> &shared = isShared.emplace_back();
    for (unsigned number = 0; number < code.kernel.getNumArguments(); ++number) {
      shared.push_back(isCommon(code, number));
      Attribute binding = code.kernel.getArgAttr(number, FuserGPUDialect::kBind);
      for (unsigned part = code.first; part < code.first + code.count; ++part) {
        unsigned argument =
            addArgument(code.kernel.getArgument(number).getType(), renumber(binding, part),
                        code.kernel.getArgAttrDict(number));
        if (part == code.first)
          own.push_back(argument);
        if (shared.back())
          break;
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Body
//===----------------------------------------------------------------------===//

Value PartsKernelBuilder::selectPart(Value number, unsigned firstOfTable, unsigned count) {
  SmallVector<Value> table(function.getArguments().slice(firstOfTable, count));
  return kernel_ir::PartArgumentOp::create(builder, loc, table.front().getType(), number, table);
}

/// The last part whose first block is at most `block`, by bisection: parts without blocks have the
/// first block of the next one.
Value PartsKernelBuilder::findPart(Value block) {
  unsigned steps = llvm::Log2_64_Ceil(parts.size());
  auto loop = scf::ForOp::create(
      builder, loc, constant(0), constant(steps), constant(1),
      ValueRange{constant(0), constant(static_cast<int64_t>(parts.size()))},
      [&](OpBuilder &, Location, Value, ValueRange range) {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToEnd(range.front().getParentBlock());
        Value half = arith::ShRUIOp::create(builder, loc, range[1], constant(1));
        Value middle = arith::AddIOp::create(builder, loc, range[0], half);
        Value isBehind = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, block,
                                               selectPart(middle, firstBlocks, parts.size()));
        Value rest = arith::SubIOp::create(builder, loc, range[1], half);
        Value first = arith::SelectOp::create(builder, loc, isBehind, middle, range[0]);
        Value count = arith::SelectOp::create(builder, loc, isBehind, rest, half);
        scf::YieldOp::create(builder, loc, ValueRange{first, count});
      });
  return loop.getResult(0);
}

/// The part that a block executes, and its block of the part's own grid.
void PartsKernelBuilder::findBlock() {
  Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  part = findPart(block);
  block = arith::SubIOp::create(builder, loc, block, selectPart(part, firstBlocks, parts.size()));
  Value zero = constant(0);
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (!grids[axis]) {
      blockIds[axis] = block;
      block = zero;
      continue;
    }
    Value size = selectPart(part, *grids[axis], parts.size());
    blockIds[axis] = arith::RemUIOp::create(builder, loc, block, size);
    block = arith::DivUIOp::create(builder, loc, block, size);
  }
}

/// The thread of the part's own block. Threads are numbered with x fastest in both blocks, so that
/// warps are the same.
void PartsKernelBuilder::findThread(gpu::GPUFuncOp kernel, Value (&ids)[3]) {
  ArrayRef<int32_t> own = kernel.getKnownBlockSizeAttr();
  bool isSame = kernel.getKnownBlockSizeAttr() == function.getKnownBlockSizeAttr();
  Value rest = isSame ? Value() : gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (isSame) {
      ids[axis] = gpu::ThreadIdOp::create(builder, loc, static_cast<gpu::Dimension>(axis));
      continue;
    }
    Value size = constant(own[axis]);
    ids[axis] = axis == 2 ? rest : arith::RemUIOp::create(builder, loc, rest, size).getResult();
    rest = arith::DivUIOp::create(builder, loc, rest, size);
  }
}

void PartsKernelBuilder::emitCode(const PartsOfCode &code, ArrayRef<unsigned> firstArguments) {
  IRMapping mapping;
  Value number =
      code.first == 0 ? part : arith::SubIOp::create(builder, loc, part, constant(code.first));
  ArrayRef<bool> shared = isShared[&code - codes.data()];
  for (auto [own, first, isSame] :
       llvm::zip_equal(gpu::GPUFuncOp(code.kernel).getArguments(), firstArguments, shared))
    mapping.map(own, isSame ? function.getArgument(first) : selectPart(number, first, code.count));
  Value threadIds[3], blockSizes[3];
  findThread(code.kernel, threadIds);
  for (unsigned axis = 0; axis < 3; ++axis)
    blockSizes[axis] = constant(gpu::GPUFuncOp(code.kernel).getKnownBlockSizeAttr()[axis]);
  auto getId = [&](Operation *op) -> Value {
    if (auto id = dyn_cast<gpu::BlockIdOp>(op))
      return blockIds[static_cast<unsigned>(id.getDimension())];
    if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
      return threadIds[static_cast<unsigned>(id.getDimension())];
    if (auto size = dyn_cast<gpu::BlockDimOp>(op))
      return blockSizes[static_cast<unsigned>(size.getDimension())];
    return {};
  };
  for (Operation &op : gpu::GPUFuncOp(code.kernel).getBody().front().without_terminator()) {
    if (Value id = getId(&op)) {
      mapping.map(op.getResult(0), id);
      continue;
    }
    Operation *clone = builder.clone(op, mapping);
    if (clone->getNumRegions() > 0)
      clone->walk([&](Operation *inner) {
        if (Value id = getId(inner)) {
          inner->getResult(0).replaceAllUsesWith(id);
          inner->erase();
        }
      });
  }
}

/// The codes from `number` on.
void PartsKernelBuilder::emitCodes(unsigned number) {
  if (number + 1 == codes.size())
    return emitCode(codes[number], arguments[number]);
  Value isOwn = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, part,
                                      constant(codes[number + 1].first));
  auto branch = scf::IfOp::create(builder, loc, isOwn, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  emitCode(codes[number], arguments[number]);
  builder.setInsertionPointToStart(branch.elseBlock());
  emitCodes(number + 1);
}

gpu::GPUModuleOp PartsKernelBuilder::build() {
  groupByCode();
  numberOperands();
  auto module = gpu::GPUModuleOp::create(outer, loc, name);
  module->setAttr(FuserGPUDialect::kIndexBits,
                  builder.getI32IntegerAttr(getIndexBits(codes.front().kernel)));
  builder.setInsertionPointToStart(&module.getBodyRegion().front());
  collectSymbols();
  addArguments();
  function = gpu::GPUFuncOp::create(builder, loc, name, builder.getFunctionType(types, {}));
  function.setAllArgAttrs(attributes);
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  DenseI32ArrayAttr block = codes.front().kernel.getKnownBlockSizeAttr();
  if (llvm::any_of(codes,
                   [&](PartsOfCode &code) { return code.kernel.getKnownBlockSizeAttr() != block; }))
    block = builder.getDenseI32ArrayAttr(
        {static_cast<int32_t>(countThreads(codes.front().kernel)), 1, 1});
  function.setKnownBlockSizeAttr(block);
  function->setAttr(FuserGPUDialect::kLaunch, getMergedLaunch());
  if (ArrayAttr facts = getFacts(); !facts.empty())
    function->setAttr(kKernelFactsAttrName, facts);
  builder.setInsertionPointToStart(&function.getBody().front());
  findBlock();
  emitCodes(0);
  builder.setInsertionPointToEnd(&function.getBody().front());
  gpu::ReturnOp::create(builder, loc);
  return module;
}

gpu::GPUModuleOp fuser::buildPartsKernel(MutableArrayRef<LaunchPart> parts, StringRef name,
                                         OpBuilder &builder) {
  return PartsKernelBuilder(parts, name, builder).build();
}
