//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Wrong values, memory and launches.
//
//===----------------------------------------------------------------------===//

#include "PlantedEdits.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::fuzz;

namespace {

//===----------------------------------------------------------------------===//
// Memory and values
//===----------------------------------------------------------------------===//

void sharedBuffersOverlap(gpu::GPUFuncOp kernel) {
  kernel.walk([](memref::ViewOp op) {
    OpBuilder builder(op);
    op->setOperand(1, constantIndex(builder, op.getLoc(), 0));
  });
}
void storeForgotten(gpu::GPUFuncOp kernel) {
  eraseOne(findFirst<memref::StoreOp>(
      kernel, [](memref::StoreOp op) { return spaceOf(op.getMemRef()) == Space::Global; }));
}
void sharedStoreForgotten(gpu::GPUFuncOp kernel) {
  eraseOne(findFirst<memref::StoreOp>(
      kernel, [](memref::StoreOp op) { return spaceOf(op.getMemRef()) == Space::Shared; }));
}
void shuffleForgotten(gpu::GPUFuncOp kernel) {
  takeOperand(findLast<kernel_ir::ShuffleOp>(kernel), 0);
}
void wrongLane(gpu::GPUFuncOp kernel) {
  if (auto op = findLast<kernel_ir::ShuffleOp>(kernel)) {
    OpBuilder builder(op);
    op.getOffsetMutable().assign(arith::ConstantIntOp::create(builder, op.getLoc(), 2, 32));
  }
}
void firstOfVectorForAnother(gpu::GPUFuncOp kernel) {
  auto op = findFirst<vector::ExtractOp>(kernel, [](vector::ExtractOp each) {
    return each.getStaticPosition().size() == 1 && each.getStaticPosition().front() > 0;
  });
  if (op)
    op.setStaticPosition(ArrayRef<int64_t>{0});
}
/// Lanes without a partial result read one that does not exist, in place of the identity.
void absentPartsCounted(gpu::GPUFuncOp kernel) {
  auto store = findFirst<memref::StoreOp>(kernel, [](memref::StoreOp each) {
    auto load = each.getValueToStore().getDefiningOp<memref::LoadOp>();
    auto branch = dyn_cast<scf::IfOp>(each->getParentOp());
    return load && branch && spaceOf(load.getMemRef()) == Space::Shared &&
           spaceOf(each.getMemRef()) == Space::Register &&
           llvm::any_of(load.getIndices(), [&](Value index) {
             return index.getDefiningOp<arith::RemUIOp>() &&
                    branch.getCondition().getDefiningOp() &&
                    llvm::is_contained(branch.getCondition().getDefiningOp()->getOperands(), index);
           });
  });
  if (!store)
    return;
  auto branch = cast<scf::IfOp>(store->getParentOp());
  OpBuilder builder(branch);
  branch.getConditionMutable().assign(constantTrue(builder, branch.getLoc()));
}
/// What is set before each reduction is set once.
void accumulatorSetOnce(gpu::GPUFuncOp kernel) {
  auto op = findFirst<memref::StoreOp>(kernel, [](memref::StoreOp store) {
    return store.getValueToStore().getDefiningOp<arith::ConstantOp>() &&
           spaceOf(store.getMemRef()) == Space::Register && store->getParentOfType<scf::ForOp>();
  });
  if (!op)
    return;
  Operation *outermost = op;
  while (!isa<gpu::GPUFuncOp>(outermost->getParentOp()))
    outermost = outermost->getParentOp();
  if (constantOf(op.getIndices().front()))
    op->moveBefore(outermost);
}
void wrongIdentity(gpu::GPUFuncOp kernel) {
  auto op = findFirst<memref::StoreOp>(kernel, [](memref::StoreOp store) {
    auto value = store.getValueToStore().getDefiningOp<arith::ConstantOp>();
    return value && isa<FloatAttr>(value.getValue()) &&
           spaceOf(store.getMemRef()) == Space::Register;
  });
  if (!op)
    return;
  OpBuilder builder(op);
  auto type = cast<FloatType>(op.getValueToStore().getType());
  op->setOperand(0,
                 arith::ConstantOp::create(builder, op.getLoc(), builder.getFloatAttr(type, 0.5)));
}
void accumulatorForgotten(gpu::GPUFuncOp kernel) {
  takeOperand(findFirst<arith::AddFOp>(kernel,
                                       [](arith::AddFOp op) {
                                         auto load = op.getLhs().getDefiningOp<memref::LoadOp>();
                                         return load &&
                                                spaceOf(load.getMemRef()) == Space::Register;
                                       }),
              1);
}
void minimumForMaximum(gpu::GPUFuncOp kernel) {
  exchange<arith::MaximumFOp, arith::MinimumFOp>(kernel);
}
void differenceForSum(gpu::GPUFuncOp kernel) { exchange<arith::AddFOp, arith::SubFOp>(kernel); }

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

using Change = llvm::function_ref<AffineExpr(AffineExpr)>;
AffineMap changeResults(AffineMap map, Change change) {
  SmallVector<AffineExpr> results = llvm::map_to_vector(map.getResults(), change);
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(), results, map.getContext());
}
AffineExpr keep(AffineExpr expr) { return expr; }
AffineExpr half(AffineExpr expr) { return expr.floorDiv(2); }
AffineExpr roundDown(AffineExpr expr) {
  auto division = dyn_cast<AffineBinaryOpExpr>(expr);
  return division && division.getKind() == AffineExprKind::CeilDiv
             ? division.getLHS().floorDiv(division.getRHS())
             : expr;
}
void changeLaunch(gpu::GPUFuncOp kernel, Change grid, Change shared, Change workspace) {
  StringRef name = kernel_ir::FuserGPUDialect::kLaunch;
  auto launch = kernel->getAttrOfType<kernel_ir::LaunchAttr>(name);
  SmallVector<AffineMap> workspaces = llvm::map_to_vector(
      launch.getWorkspaces(), [&](AffineMap map) { return changeResults(map, workspace); });
  kernel->setAttr(
      name, kernel_ir::LaunchAttr::get(kernel.getContext(), changeResults(launch.getGrid(), grid),
                                       launch.getSymbols(), changeResults(launch.getSmem(), shared),
                                       workspaces, launch.getCooperative(), launch.getCluster(),
                                       launch.getMinBlocksPerSM(), launch.getParts()));
}
void gridRoundedDown(gpu::GPUFuncOp kernel) { changeLaunch(kernel, roundDown, keep, keep); }
void sharedMemoryTooSmall(gpu::GPUFuncOp kernel) { changeLaunch(kernel, keep, half, keep); }
void workspaceTooSmall(gpu::GPUFuncOp kernel) { changeLaunch(kernel, keep, keep, half); }
void counterNotZeroed(gpu::GPUFuncOp kernel) {
  StringRef name = kernel_ir::FuserGPUDialect::kBind;
  for (unsigned argument = 0; argument < kernel.getNumArguments(); ++argument)
    if (auto space = kernel.getArgAttrOfType<kernel_ir::WorkspaceAttr>(argument, name))
      kernel.setArgAttr(argument, name,
                        kernel_ir::WorkspaceAttr::get(kernel.getContext(), space.getIndex(),
                                                      /*zeroed=*/false));
}
void oneThreadTooMany(gpu::GPUFuncOp kernel) {
  SmallVector<int32_t> size(*kernel.getKnownBlockSize());
  ++size[0];
  kernel.setKnownBlockSize(size);
}
void sizesExchanged(gpu::GPUFuncOp kernel) {
  SmallVector<BlockArgument> sizes;
  for (BlockArgument argument : kernel.getArguments())
    if (argument.getType().isIndex() && !argument.use_empty())
      sizes.push_back(argument);
  if (sizes.size() < 2)
    return;
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : sizes[0].getUses())
    uses.push_back(&use);
  sizes[1].replaceAllUsesWith(sizes[0]);
  for (OpOperand *use : uses)
    use->set(sizes[1]);
}

constexpr PlantedBug kBugs[] = {
    {"shared-buffers-overlap", sharedBuffersOverlap},
    {"store-forgotten", storeForgotten},
    {"shared-store-forgotten", sharedStoreForgotten},
    {"shuffle-forgotten", shuffleForgotten},
    {"wrong-lane", wrongLane},
    {"first-of-vector-for-another", firstOfVectorForAnother},
    {"absent-parts-counted", absentPartsCounted},
    {"accumulator-set-once", accumulatorSetOnce},
    {"wrong-identity", wrongIdentity},
    {"accumulator-forgotten", accumulatorForgotten},
    {"minimum-for-maximum", minimumForMaximum},
    {"difference-for-sum", differenceForSum},
    {"grid-rounded-down", gridRoundedDown},
    {"shared-memory-too-small", sharedMemoryTooSmall},
    {"workspace-too-small", workspaceTooSmall},
    {"counter-not-zeroed", counterNotZeroed},
    {"one-thread-too-many", oneThreadTooMany},
    {"sizes-exchanged", sizesExchanged},
};

} // namespace

ArrayRef<PlantedBug> fuser::fuzz::getValueBugs() { return kBugs; }
