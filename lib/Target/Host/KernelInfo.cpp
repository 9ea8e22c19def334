//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ContextFields.h"
#include "Stages.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace fuser::host;

const char fuser::host::kBarrierFn[] = "fuser_host_barrier";
const char fuser::host::kGridSyncFn[] = "fuser_host_grid_sync";
const char fuser::host::kShuffleFn[] = "fuser_host_shuffle";
const char fuser::host::kClusterArriveFn[] = "fuser_host_cluster_arrive";
const char fuser::host::kClusterWaitFn[] = "fuser_host_cluster_wait";
const char fuser::host::kMapPeerFn[] = "fuser_host_map_peer";
const char fuser::host::kCopyAsyncFn[] = "fuser_host_copy_async";
const char fuser::host::kCopyCommitFn[] = "fuser_host_copy_commit";
const char fuser::host::kCopyWaitFn[] = "fuser_host_copy_wait";
const char fuser::host::kMBarrierInitFn[] = "fuser_host_mbarrier_init";
const char fuser::host::kMBarrierFenceFn[] = "fuser_host_mbarrier_fence";
const char fuser::host::kMBarrierExpectFn[] = "fuser_host_mbarrier_expect";
const char fuser::host::kMBarrierWaitFn[] = "fuser_host_mbarrier_wait";
const char fuser::host::kCopyBulkFn[] = "fuser_host_copy_bulk";
const char fuser::host::kMBarrierArriveFn[] = "fuser_host_mbarrier_arrive";
const char fuser::host::kCopyTensorFn[] = "fuser_host_copy_tensor";
const char fuser::host::kStoreTensorFn[] = "fuser_host_store_tensor";
const char fuser::host::kStoreCommitFn[] = "fuser_host_store_commit";
const char fuser::host::kStoreWaitFn[] = "fuser_host_store_wait";
const char fuser::host::kRoleBarrierFn[] = "fuser_host_role_barrier";
const char fuser::host::kWaitDependenciesFn[] = "fuser_host_wait_dependencies";
const char fuser::host::kLdMatrixFn[] = "fuser_host_ldmatrix";
const char fuser::host::kStMatrixFn[] = "fuser_host_stmatrix";
const char fuser::host::kMmaFn[] = "fuser_host_mma";
const char fuser::host::kWgmmaFn[] = "fuser_host_wgmma";
const char fuser::host::kWgmmaFenceFn[] = "fuser_host_wgmma_fence";
const char fuser::host::kWgmmaCommitFn[] = "fuser_host_wgmma_commit";
const char fuser::host::kWgmmaWaitFn[] = "fuser_host_wgmma_wait";
const char fuser::host::kWgmmaResultFn[] = "fuser_host_wgmma_result";
const char fuser::host::kFenceAsyncFn[] = "fuser_host_fence_async";
const char fuser::host::kSetMaxRegistersFn[] = "fuser_host_set_max_registers";
const char fuser::host::kFailAlignmentFn[] = "fuser_host_fail_alignment";
const char fuser::host::kFailBoundsFn[] = "fuser_host_fail_bounds";
const char fuser::host::kCheckAccessFn[] = "fuser_host_check_access";
const char fuser::host::kCheckAlignmentFn[] = "fuser_host_check_alignment";
const char fuser::host::kCheckBoundsFn[] = "fuser_host_check_bounds";

uint32_t KernelFacts::addSite(Operation *op) {
  std::string text = op->getName().getStringRef().str();
  if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>())
    text += " at " + place.getFilename().str() + ":" + std::to_string(place.getLine()) + ":" +
            std::to_string(place.getColumn());
  sites.push_back(std::move(text));
  return sites.size() - 1;
}

/// Defines a function that tests some of its arguments and, if `isBad` holds, calls the code that
/// `fail` emits. It is a function because a conversion pattern should not split its block; LLVM
/// inlines it.
static void defineCheck(OpBuilder &builder, Location loc, StringRef name, ArrayRef<Type> arguments,
                        llvm::function_ref<Value(LLVM::LLVMFuncOp)> isBad,
                        llvm::function_ref<void(LLVM::LLVMFuncOp)> fail) {
  Type none = LLVM::LLVMVoidType::get(builder.getContext());
  auto function = LLVM::LLVMFuncOp::create(
      builder, loc, name, LLVM::LLVMFunctionType::get(none, arguments), LLVM::Linkage::Internal);
  function.setAlwaysInline(true);
  OpBuilder::InsertionGuard guard(builder);
  Block *entry = function.addEntryBlock(builder);
  Block *bad = builder.createBlock(&function.getBody());
  Block *done = builder.createBlock(&function.getBody());
  builder.setInsertionPointToEnd(entry);
  LLVM::CondBrOp::create(builder, loc, isBad(function), bad, done);
  builder.setInsertionPointToEnd(bad);
  fail(function);
  LLVM::UnreachableOp::create(builder, loc);
  builder.setInsertionPointToEnd(done);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

/// Defines kCheckAlignmentFn(context, address, alignment - 1, site).
static void defineAlignmentCheck(OpBuilder &builder, Location loc, Type pointer) {
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  Value address;
  auto isBad = [&](LLVM::LLVMFuncOp function) -> Value {
    address = LLVM::PtrToIntOp::create(builder, loc, i64, function.getArgument(1));
    Value low = LLVM::AndOp::create(builder, loc, address, function.getArgument(2));
    Value zero = LLVM::ConstantOp::create(builder, loc, i64, builder.getI64IntegerAttr(0));
    return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, low, zero);
  };
  auto fail = [&](LLVM::LLVMFuncOp function) {
    Value one = LLVM::ConstantOp::create(builder, loc, i32, builder.getI32IntegerAttr(1));
    Value narrow = LLVM::TruncOp::create(builder, loc, i32, function.getArgument(2));
    Value alignment = LLVM::AddOp::create(builder, loc, narrow, one);
    LLVM::CallOp::create(
        builder, loc, TypeRange(), kFailAlignmentFn,
        ValueRange{function.getArgument(0), function.getArgument(3), address, alignment});
  };
  defineCheck(builder, loc, kCheckAlignmentFn, {pointer, pointer, i64, i32}, isBad, fail);
}

/// Defines kCheckBoundsFn(context, index, lanes, elements, site).
static void defineBoundsCheck(OpBuilder &builder, Location loc, Type pointer) {
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  auto isBeyond = [&](LLVM::LLVMFuncOp function, Value index) -> Value {
    // As an unsigned number, a negative index is a large one.
    return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ugt, index,
                                function.getArgument(3));
  };
  auto isBad = [&](LLVM::LLVMFuncOp function) -> Value {
    Value index = function.getArgument(1);
    Value end = LLVM::AddOp::create(builder, loc, index, function.getArgument(2));
    Value first = isBeyond(function, index);
    return LLVM::OrOp::create(builder, loc, first, isBeyond(function, end));
  };
  auto fail = [&](LLVM::LLVMFuncOp function) {
    LLVM::CallOp::create(builder, loc, TypeRange(), kFailBoundsFn,
                         ValueRange{function.getArgument(0), function.getArgument(4),
                                    function.getArgument(1), function.getArgument(2),
                                    function.getArgument(3)});
  };
  defineCheck(builder, loc, kCheckBoundsFn, {pointer, i64, i64, i64, i32}, isBad, fail);
}

void fuser::host::declareRuntime(ModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = module.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  Type none = LLVM::LLVMVoidType::get(module.getContext());
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  Type pair = LLVM::LLVMStructType::getLiteral(module.getContext(), {i64, i64});
  auto declare = [&](StringRef name, Type result, ArrayRef<Type> arguments) {
    LLVM::LLVMFuncOp::create(builder, loc, name, LLVM::LLVMFunctionType::get(result, arguments));
  };
  declare(kBarrierFn, none, {pointer, i32});
  declare(kGridSyncFn, none, {pointer, i32});
  declare(kClusterArriveFn, none, {pointer, i32});
  declare(kClusterWaitFn, none, {pointer, i32});
  declare(kMapPeerFn, i64, {pointer, i32, i64, i32});
  declare(kCopyAsyncFn, none, {pointer, i32, i32, i64, i64, i32, i32});
  declare(kCopyCommitFn, none, {pointer});
  declare(kCopyWaitFn, none, {pointer, i32});
  declare(kMBarrierInitFn, none, {pointer, i32, i64, i32});
  declare(kMBarrierFenceFn, none, {pointer});
  declare(kMBarrierExpectFn, none, {pointer, i32, i64, i64});
  declare(kMBarrierWaitFn, none, {pointer, i32, i64, i64});
  declare(kCopyBulkFn, none, {pointer, i32, i32, i64, i64, i64, i64});
  declare(kMBarrierArriveFn, none, {pointer, i32, i64});
  declare(kCopyTensorFn, none,
          {pointer, i32, i32, i64, i64, i64, i32, i64, i64, i64, i64, i64, i64});
  declare(kStoreTensorFn, none, {pointer, i32, i32, i64, i64, i32, i64, i64, i64, i64, i64, i64});
  declare(kStoreCommitFn, none, {pointer});
  declare(kStoreWaitFn, none, {pointer, i32});
  declare(kRoleBarrierFn, none, {pointer, i32, i32, i32});
  declare(kWaitDependenciesFn, none, {pointer});
  declare(kShuffleFn, pair, {pointer, i32, i32, i64, i32, i32});
  declare(kLdMatrixFn, pair, {pointer, i32, i32, i32, i32, i64});
  declare(kStMatrixFn, none, {pointer, i32, i32, i32, i32, i64, i64, i64});
  declare(kMmaFn, pair, {pointer, i32, i32, i32, i64, i64, i64, i64, i64});
  declare(kWgmmaFn, none,
          {pointer, i32, i32, i32, i64, i32, i32, i64, i64, i32, i32, i64, pointer});
  declare(kWgmmaFenceFn, none, {pointer, i32});
  declare(kWgmmaCommitFn, none, {pointer, i32});
  declare(kWgmmaWaitFn, none, {pointer, i32, i32});
  declare(kWgmmaResultFn, none, {pointer, i32, i32, pointer});
  declare(kFenceAsyncFn, none, {pointer});
  declare(kSetMaxRegistersFn, none, {pointer, i32, i32, i32});
  declare(kFailAlignmentFn, none, {pointer, i32, i64, i32});
  declare(kFailBoundsFn, none, {pointer, i32, i64, i64, i64});
  declare(kCheckAccessFn, none, {pointer, i32, i32, i64, i32, i32});
  defineAlignmentCheck(builder, loc, pointer);
  defineBoundsCheck(builder, loc, pointer);
}

/// Calls `visit` with the name of each callee in `root`.
static void walkCallees(Operation *root, llvm::function_ref<void(StringRef)> visit) {
  root->walk([&](LLVM::CallOp call) {
    if (std::optional<StringRef> callee = call.getCallee())
      visit(*callee);
  });
}

/// Erases the unused runtime functions; returns the ABI's flags for the others.
static uint32_t pruneRuntime(ModuleOp module) {
  uint32_t flags = 0;
  const uint32_t groups = FUSER_HOST_USES_MATRICES | FUSER_HOST_USES_WARP_GROUPS;
  // Fences order what is stored.
  const uint32_t stores = groups | FUSER_HOST_USES_COPIES;
  // A check calls its failure function, so that it must be erased first.
  std::pair<StringRef, uint32_t> functions[] = {{kCheckAlignmentFn, 0},
                                                {kCheckBoundsFn, 0},
                                                {kFailAlignmentFn, 0},
                                                {kFailBoundsFn, 0},
                                                {kCheckAccessFn, 0},
                                                {kBarrierFn, FUSER_HOST_USES_BARRIER},
                                                {kShuffleFn, FUSER_HOST_USES_SHUFFLE},
                                                {kGridSyncFn, FUSER_HOST_USES_GRID_SYNC},
                                                {kClusterArriveFn, FUSER_HOST_USES_CLUSTER},
                                                {kClusterWaitFn, FUSER_HOST_USES_CLUSTER},
                                                {kMapPeerFn, FUSER_HOST_USES_CLUSTER},
                                                {kCopyAsyncFn, FUSER_HOST_USES_COPIES},
                                                {kCopyCommitFn, FUSER_HOST_USES_COPIES},
                                                {kCopyWaitFn, FUSER_HOST_USES_COPIES},
                                                {kMBarrierInitFn, FUSER_HOST_USES_COPIES},
                                                {kMBarrierFenceFn, FUSER_HOST_USES_COPIES},
                                                {kMBarrierExpectFn, FUSER_HOST_USES_COPIES},
                                                {kMBarrierWaitFn, FUSER_HOST_USES_COPIES},
                                                {kCopyBulkFn, FUSER_HOST_USES_COPIES},
                                                {kMBarrierArriveFn, FUSER_HOST_USES_COPIES},
                                                {kCopyTensorFn, FUSER_HOST_USES_COPIES},
                                                {kStoreTensorFn, stores},
                                                {kStoreCommitFn, stores},
                                                {kStoreWaitFn, stores},
                                                {kRoleBarrierFn, FUSER_HOST_USES_BARRIER},
                                                {kWaitDependenciesFn, FUSER_HOST_IS_DEPENDENT},
                                                {kLdMatrixFn, FUSER_HOST_USES_MATRICES},
                                                {kStMatrixFn, FUSER_HOST_USES_MATRICES},
                                                {kMmaFn, FUSER_HOST_USES_MATRICES},
                                                {kWgmmaFn, groups},
                                                {kWgmmaFenceFn, groups},
                                                {kWgmmaCommitFn, groups},
                                                {kWgmmaWaitFn, groups},
                                                {kWgmmaResultFn, groups},
                                                {kFenceAsyncFn, groups},
                                                {kSetMaxRegistersFn, FUSER_HOST_USES_MATRICES}};
  // A kernel may be long, so that it is walked once for all functions.
  llvm::StringMap<unsigned> calls;
  walkCallees(module, [&](StringRef callee) { ++calls[callee]; });
  for (auto [name, flag] : functions) {
    if (calls.lookup(name)) {
      flags |= flag;
      continue;
    }
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
    walkCallees(function, [&](StringRef callee) { --calls[callee]; });
    function.erase();
  }
  return flags;
}

/// Total size in bytes of the arrays on the stack of one thread.
static uint64_t threadStackBytes(LLVM::LLVMFuncOp entry) {
  DataLayout layout = DataLayout::closest(entry);
  uint64_t bytes = 0;
  entry.walk([&](LLVM::AllocaOp op) {
    APInt count;
    if (matchPattern(op.getArraySize(), m_ConstantInt(&count)))
      bytes += count.getZExtValue() * layout.getTypeSize(op.getElemType()).getFixedValue();
  });
  return bytes;
}

namespace {

/// Writes constants into the initialiser of a global struct, field by field.
class StructInitializer {
public:
  StructInitializer(OpBuilder &builder, Location loc, Type type)
      : builder(builder), loc(loc), value(LLVM::UndefOp::create(builder, loc, type)) {}

  void addI32(uint32_t number) { add(constantI32(number)); }

  void addI32s(ArrayRef<unsigned> numbers) {
    for (auto [i, number] : llvm::enumerate(numbers))
      value = LLVM::InsertValueOp::create(builder, loc, value, constantI32(number),
                                          ArrayRef<int64_t>{field, static_cast<int64_t>(i)});
    ++field;
  }

  void addAddress(StringRef symbol) {
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    add(LLVM::AddressOfOp::create(builder, loc, pointer, symbol));
  }

  void finish() { LLVM::ReturnOp::create(builder, loc, value); }

private:
  Value constantI32(uint32_t number) {
    return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                    builder.getIntegerAttr(builder.getI32Type(), number));
  }

  void add(Value element) {
    value = LLVM::InsertValueOp::create(builder, loc, value, element, ArrayRef<int64_t>{field++});
  }

  OpBuilder &builder;
  Location loc;
  Value value;
  int64_t field = 0;
};

} // namespace

static void defineBytes(OpBuilder &builder, Location loc, StringRef name, std::string bytes) {
  bytes.push_back('\0');
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal, name,
                         builder.getStringAttr(bytes));
}

void fuser::host::defineKernelInfo(ModuleOp module, LLVM::LLVMFuncOp entry,
                                   const KernelFacts &facts) {
  uint32_t flags = pruneRuntime(module) | (facts.isChecked ? FUSER_HOST_CHECKED : 0);
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = entry.getLoc();
  Type i32 = builder.getI32Type();
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());

  std::string sites;
  for (const std::string &site : facts.sites)
    sites.append(site.c_str(), site.size() + 1);
  defineBytes(builder, loc, "fuser_host_sites", sites);
  defineBytes(builder, loc, "fuser_host_name", facts.name);
  defineBytes(builder, loc, "fuser_host_cpu", facts.cpu);
  SmallVector<int32_t> paramBytes(facts.paramBytes.begin(), facts.paramBytes.end());
  // The object does not store empty arrays.
  if (paramBytes.empty())
    paramBytes.push_back(0);
  auto paramType = LLVM::LLVMArrayType::get(i32, paramBytes.size());
  LLVM::GlobalOp::create(builder, loc, paramType, /*isConstant=*/true, LLVM::Linkage::Internal,
                         "fuser_host_param_bytes", builder.getI32TensorAttr(paramBytes));

  // In the order of fuser_host_kernel_info.
  auto blockType = LLVM::LLVMArrayType::get(i32, 3);
  Type infoType = LLVM::LLVMStructType::getLiteral(
      module.getContext(),
      {i32, i32, blockType, i32, i32, i32, i32, i32, pointer, pointer, pointer, pointer, pointer});
  auto info =
      LLVM::GlobalOp::create(builder, loc, infoType, /*isConstant=*/true, LLVM::Linkage::External,
                             FUSER_HOST_INFO_PREFIX + facts.name, Attribute());
  builder.createBlock(&info.getInitializerRegion());
  StructInitializer fields(builder, loc, infoType);
  fields.addI32(FUSER_HOST_ABI_VERSION);
  fields.addI32(flags);
  fields.addI32s(facts.blockSize);
  fields.addI32(facts.staticSharedBytes);
  fields.addI32(threadStackBytes(entry));
  fields.addI32(facts.paramBytes.size());
  fields.addI32(facts.sites.size());
  fields.addI32(0);
  fields.addAddress("fuser_host_param_bytes");
  fields.addAddress("fuser_host_sites");
  fields.addAddress("fuser_host_name");
  fields.addAddress("fuser_host_cpu");
  fields.addAddress(entry.getName());
  fields.finish();
}
