//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Builds a kernel from some ops of a fusion, for queries to schedulers and for outlining.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_KERNELBUILDER_H
#define FUSER_LIB_SEGMENTATION_KERNELBUILDER_H

#include "HostViews.h"
#include "fuser/Scheduling/SizeHints.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <vector>

namespace fuser {

/// One output of a kernel.
struct KernelOutput {
  mlir::Value value;
  /// The corresponding output of the fusion; none: a later kernel reads it.
  std::optional<unsigned> position;
  /// The argument of the fusion in whose buffer it is stored.
  std::optional<unsigned> alias;
  /// Its position in the value that it is a part of; none: it has a separate buffer.
  std::optional<ViewLayout> box = std::nullopt;
  /// The number of that value among the joins of the fusion, and the number of the part; none: the
  /// value that the parts are written into.
  std::optional<unsigned> join = std::nullopt, part = std::nullopt;
  /// The slice of the value that is stored (a `fuser.window`); null: all of it.
  SliceOp window = {};
};

/// The elements of a joined value outside of its parts, which a kernel stores as well.
struct KernelBorder {
  /// The joined value, and its number among the joins of the fusion.
  mlir::Value value;
  unsigned join;
  /// The scalar of all elements.
  mlir::Value fill;
  std::vector<HostView> boxes;
  ViewLayout lies;
};

/// A kernel's argument that is no value of the fusion.
struct ExtraArgument {
  /// The destination of this output of the kernel, which may be strided: the output is stored in
  /// the argument. None: an integer.
  std::optional<unsigned> output;
  mlir::AffineExpr expr;
};

/// A kernel and its inputs, which are values of the fusion. An input that is defined by an op of
/// the kernel itself is a view: the host function creates it, and the kernel is rebased to it.
struct BuiltKernel {
  KernelOp kernel;
  llvm::SmallVector<mlir::Value> inputs;
  /// The arguments after the inputs.
  llvm::SmallVector<ExtraArgument> extras;
  /// Inputs that it gets as views, with their bases, even if another kernel also stores them.
  llvm::SmallPtrSet<mlir::Value, 4> views;
  /// The op of the fusion of which each op of the kernel is a copy, in its order.
  llvm::SmallVector<mlir::Operation *> sources;
};

inline bool isTensor(mlir::Value value) {
  return llvm::isa<mlir::RankedTensorType>(value.getType());
}

/// A scalar that the host function computes, because it depends on sizes of tensors that are not
/// arguments.
bool isHostScalar(mlir::Value scalar, const ExtentAnalysis &analysis);

class KernelBuilder {
public:
  /// `analysis` is that of the fusion; all outlive the builder.
  KernelBuilder(FusionOp fusion, const ExtentAnalysis &analysis, const SizeHints &hints);

  /// A kernel, outside of any module, of `ops` (in order) with `outputs`. Its arguments are the
  /// values that it reads: arguments of the fusion in order, then values of other ops in order;
  /// with `keepArguments`, all arguments of the fusion. If it reads a part of a value that the host
  /// function can express as a view, its argument is that part (and `keepArguments` has no effect),
  /// with the known properties of its address and strides. The kernel keeps layouts, facts,
  /// requirements, aliases, front-end ids and size hints that refer to its arguments and outputs.
  /// Known sizes of values of other ops become facts.
  /// A kernel of strided outputs, or of borders, has additional arguments; borders are additional
  /// results.
  BuiltKernel build(llvm::ArrayRef<mlir::Operation *> ops, llvm::ArrayRef<KernelOutput> outputs,
                    llvm::StringRef name, bool keepArguments,
                    llvm::ArrayRef<KernelBorder> borders = {});

  /// The stride order of an output, slowest dimension first, from LayoutInfo; empty: row-major by
  /// default. Buffer, writer and readers all use this function.
  llvm::SmallVector<int64_t> getOrder(const KernelOutput &output);
  /// True if nothing determines that order: no requirement, fact, hint or allocation.
  bool isDefaultOrder(const KernelOutput &output) const;
  /// The order in which other kernels read a value; if it is returned, that of the buffer of its
  /// first position.
  llvm::SmallVector<int64_t> getOrder(mlir::Value value);

  /// States that a value, which no kernel reads before this, lies in the buffer of the argument.
  void placeIn(mlir::BlockArgument argument, mlir::Value value) { places[value] = argument; }

  /// The layout of a kernel's input: an argument, a value of another kernel, or a part of one.
  ViewLayout getInputLayout(mlir::Value input);

  /// Facts of the fusion, and the equalities that its ops imply; each call is checked against them.
  /// Null if there are none.
  mlir::ArrayAttr getProgramFacts() const { return programFacts; }

private:
  /// A dimension of a tensor.
  struct Size {
    mlir::Value tensor;
    int64_t dim;
  };
  void collectInputs(llvm::ArrayRef<mlir::Operation *> ops, llvm::ArrayRef<KernelOutput> outputs);
  llvm::SmallVector<unsigned> findFacts(llvm::ArrayRef<KernelOutput> outputs);
  void collectViews(llvm::ArrayRef<mlir::Operation *> ops, llvm::ArrayRef<KernelOutput> outputs);
  /// True if the kernel gets a reshape of a value that it does not compute as its argument: the
  /// layout permits it, without additional strides to pass, and the kernel does not read the base
  /// in any other way, so that no op inside relates the two shapes.
  bool isReshapedOutside(const HostView &view);
  bool isReadWithWhole(mlir::Operation *op, const HostView &view);
  bool isInterleaved(mlir::Operation *op, const HostView &view);
  bool isOfWindow(mlir::Operation *op, const HostView &view);
  bool isOfUnknownPart(mlir::Operation *op, const HostView &view);
  void takeSizesOfReadInputs();
  /// True if the host function creates a view of the input, which may be strided.
  bool isView(mlir::Value input) const;
  void collectNeeded(llvm::ArrayRef<KernelOutput> outputs);
  /// The argument in whose buffer the input lies at its index; null: it is another value.
  mlir::BlockArgument getPlace(mlir::Value input) const;
  mlir::BlockArgument getRootArgument(mlir::Value view);
  void addArgumentFacts(mlir::Value view, unsigned number, llvm::SetVector<mlir::Attribute> &facts);
  void addBufferFacts(mlir::RankedTensorType type, const ViewLayout &lies, unsigned number,
                      unsigned argument, int64_t rootAlignment,
                      llvm::SetVector<mlir::Attribute> &facts, bool alwaysAligned = false);
  void addReachFact(mlir::Value like, const ViewLayout &lies, unsigned number,
                    llvm::SetVector<mlir::Attribute> &facts);
  void addScalar(mlir::Value scalar);
  void addFacts(KernelOp kernel, bool keepArguments);
  void addArgumentAttributes(KernelOp kernel, bool keepArguments);
  void addOutputAttributes(KernelOp kernel);
  mlir::AffineExpr useHints(mlir::AffineExpr expr) const;
  std::optional<int64_t> getExpectedSize(mlir::Value input, unsigned dim);
  void addSizeHints(KernelOp kernel);
  void collectExtras();
  /// The number and the dimension of an input that has this size, in canonical form, if any.
  std::optional<std::pair<unsigned, unsigned>>
  findSize(mlir::AffineExpr expr, llvm::function_ref<bool(mlir::Value)> isAllowed = {}) const;
  /// The layout of a result that may be strided: a part, or a border; null for other results.
  const ViewLayout *getBox(unsigned result) const;
  /// The value whose sizes a result has.
  mlir::Value getLike(unsigned result) const;
  mlir::RankedTensorType getResultType(unsigned result) const;
  /// A scalar of the kernel with the value of an expression of which it has the size or the integer
  /// argument.
  mlir::Value buildInteger(KernelOp kernel, mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::AffineExpr expr);
  /// A pad of an argument that crops a few elements of it: what it is as a slice and a pad that
  /// only adds elements. By dimension: `low` and `high` are the amounts that are added, `offsets`
  /// those that the slice begins at, and `cuts` how many elements it lacks.
  struct Shift {
    llvm::SmallVector<int64_t> low, high, offsets, cuts;
  };
  std::optional<Shift> getShift(PadOp pad);
  void addShiftFacts(llvm::SetVector<mlir::Attribute> &facts);
  /// Clones a shift as a pad of a slice, all lanes of which have one guard: shifts of an argument
  /// are loaded together. Returns how many ops it created at the end of the block: none for other
  /// pads.
  unsigned cloneShift(mlir::OpBuilder &builder, PadOp pad, mlir::IRMapping &mapping);
  mlir::Value buildWindow(KernelOp kernel, mlir::OpBuilder &builder, SliceOp slice,
                          mlir::Value value);
  mlir::Value buildBorder(KernelOp kernel, mlir::OpBuilder &builder, const KernelBorder &border,
                          mlir::Value fill);

  FusionOp fusion;
  const ExtentAnalysis &analysis;
  const SizeHints &hints;
  const mlir::ArrayAttr programFacts;
  /// Positions in `programFacts` by the argument or output that they are about.
  llvm::DenseMap<int64_t, llvm::SmallVector<unsigned, 2>> factsByNumber;
  llvm::DenseMap<mlir::Value, mlir::BlockArgument> places;

  // State of the kernel under construction.
  llvm::SetVector<mlir::Value> inputs;
  llvm::SetVector<mlir::Operation *> scalarOps;
  /// The size of an input that scalars are computed from, instead of that of a tensor which the
  /// kernel does not read.
  llvm::DenseMap<mlir::Operation *, Size> equalSizes;
  /// Ops that the kernel computes, and ops whose results it gets as views.
  llvm::SmallPtrSet<mlir::Operation *, 16> own, views, needed;
  llvm::ArrayRef<KernelOutput> outputs;
  llvm::ArrayRef<KernelBorder> borders;
  llvm::SmallVector<ExtraArgument> extras;
};

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_KERNELBUILDER_H
