//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Evaluates the integer expressions of launches.
//
//===----------------------------------------------------------------------===//

#include "LaunchShapes.h"
#include "Report.h"

using namespace llvm;
using namespace fuser;
using namespace fuser::driver;
using artifact::ExprId;
using artifact::ExprKind;
using artifact::ExprNode;

namespace {

/// Sizes, strides and scalars of the inputs.
class InputLeaves {
public:
  InputLeaves(const artifact::Artifact &artifact, const std::vector<Input> &inputs)
      : inputs(inputs) {
    for (auto [input, spec] : zip_equal(inputs, artifact.arguments)) {
      SmallVector<int64_t> order(spec.order.begin(), spec.order.end());
      strides.push_back(input.isTensor ? getDenseStrides(input.array.shape, order)
                                       : SmallVector<int64_t>());
    }
  }

  int64_t operator()(const ExprNode &node) const {
    switch (node.kind) {
    case ExprKind::Size:
      return inputs[node.a].array.shape[node.b];
    case ExprKind::Stride:
      return strides[node.a][node.b];
    case ExprKind::Scalar:
      return toReference(inputs[node.a].array, inputs[node.a].type).integers()[0];
    case ExprKind::Alignment:
      return kAllocationAlignment;
    default:
      return 0;
    }
  }

private:
  /// The alignment that Device::allocate guarantees.
  static constexpr int64_t kAllocationAlignment = 256;

  const std::vector<Input> &inputs;
  std::vector<SmallVector<int64_t>> strides;
};

} // namespace

std::vector<LaunchShape> fuser::driver::getLaunchShapes(const artifact::Artifact &artifact,
                                                        const std::vector<Input> &inputs) {
  std::vector<int64_t> values(artifact.exprs.size());
  // The arguments satisfy the guards, so that a failing expression belongs to a launch that does
  // not run. The others are evaluated nevertheless.
  const InputLeaves leaves(artifact, inputs);
  for (ExprId id = 0; id < values.size(); ++id)
    (void)artifact::evaluate(artifact.exprs, {&id, 1}, leaves, values.data());
  std::vector<LaunchShape> shapes;
  for (const artifact::Instruction &instruction : artifact.program.instructions) {
    auto *launch = std::get_if<artifact::Launch>(&instruction);
    if (!launch)
      continue;
    LaunchShape shape;
    shape.kernel = launch->kernel;
    for (unsigned axis = 0; axis < 3; ++axis) {
      shape.grid[axis] = values[launch->grid[axis]];
      shape.block[axis] = values[launch->block[axis]];
    }
    shape.dynamicSharedBytes = values[launch->dynamicSharedBytes];
    shape.cooperative = launch->cooperative;
    shape.dependent = launch->dependent;
    shapes.push_back(shape);
  }
  return shapes;
}

/// "4096" or "128x4": extents up to the last one that is not 1.
static void printExtents(raw_ostream &out, const int64_t (&extents)[3]) {
  out << extents[0];
  if (extents[1] != 1 || extents[2] != 1)
    out << "x" << extents[1];
  if (extents[2] != 1)
    out << "x" << extents[2];
}

void fuser::driver::printLaunches(raw_ostream &out, const artifact::Artifact &artifact,
                                  const std::vector<Input> &inputs) {
  for (auto [index, shape] : enumerate(getLaunchShapes(artifact, inputs))) {
    const artifact::Kernel &kernel = artifact.kernels[shape.kernel];
    printTitle(out, index ? "" : "kernels") << kernel.name << ": grid ";
    printExtents(out, shape.grid);
    out << ", block ";
    printExtents(out, shape.block);
    if (shape.dynamicSharedBytes)
      out << ", " << shape.dynamicSharedBytes << " bytes of dynamic shared memory";
    if (shape.cooperative)
      out << ", cooperative";
    out << " (" << artifact::toString(kernel.format) << ", " << kernel.chip << ", "
        << kernel.code.size() << " bytes" << (shape.dependent ? ", dependent" : "") << ")\n";
  }
}
