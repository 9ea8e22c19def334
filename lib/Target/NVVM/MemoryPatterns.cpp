//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Accesses with cache hints, which LLVM IR cannot express and inline PTX can, and atomics with the
// required scope.
//
//===----------------------------------------------------------------------===//

#include "EmitOps.h"
#include "Patterns.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser::nvvm;
using fuser::kernel_ir::AtomicAddOp;
using fuser::kernel_ir::CacheHint;
using fuser::kernel_ir::LoadOp;
using fuser::kernel_ir::StoreOp;

//===----------------------------------------------------------------------===//
// Pieces of an access
//===----------------------------------------------------------------------===//

namespace {
/// An access is split into equal pieces, each for one instruction: 1, 2 or 4 bytes, or 2 or 4 words
/// of 4 bytes.
struct Piece {
  int64_t bytes;

  static Piece choose(int64_t totalBytes, int64_t alignment) {
    return {std::min<int64_t>({16, alignment, totalBytes & -totalBytes})};
  }
  int64_t words() const { return std::max<int64_t>(1, bytes / 4); }
  /// ".v4.b32" and the like.
  std::string suffix() const {
    if (bytes < 4)
      return ".b" + std::to_string(bytes * 8);
    return (words() > 1 ? ".v" + std::to_string(words()) : std::string()) + ".b32";
  }
  /// PTX has no registers of 8 bits: bytes use 16.
  unsigned registerBits() const { return bytes >= 4 ? 32 : 16; }
  char constraint() const { return bytes >= 4 ? 'r' : 'h'; }
  /// "{$0, $1, $2, $3}", counting from `first`.
  std::string operands(int64_t first) const {
    std::string text = "$" + std::to_string(first);
    if (words() == 1)
      return text;
    for (int64_t i = 1; i < words(); ++i)
      text += ", $" + std::to_string(first + i);
    return "{" + text + "}";
  }
};
} // namespace

/// The text between "ld.global" or "st.global" and the type.
static StringRef hintText(CacheHint hint) {
  switch (hint) {
  case CacheHint::Ca:
    return ".ca";
  case CacheHint::Cg:
    return ".cg";
  case CacheHint::Cs:
    return ".cs";
  case CacheHint::NoAllocate:
    return ".L1::no_allocate";
  case CacheHint::EvictFirst:
    return ".L1::evict_first";
  case CacheHint::None:
  case CacheHint::Nc:
    return "";
  }
  return "";
}

static int64_t sizeInBytes(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * vector.getElementTypeBitWidth() / 8;
  return type.getIntOrFloatBitWidth() / 8;
}

static Type integerOf(Builder &builder, int64_t bits) { return builder.getIntegerType(bits); }

/// `type` as a vector of `bits`-wide integers of the same size.
static Type asIntegers(Builder &builder, Type type, int64_t bits) {
  int64_t count = sizeInBytes(type) * 8 / bits;
  Type integer = integerOf(builder, bits);
  return count == 1 ? integer : VectorType::get({count}, integer);
}

/// The address `offset` bytes after `pointer`, in the global address space.
static Value globalAddress(OpBuilder &builder, Location loc, Value pointer, int64_t offset) {
  auto type = LLVM::LLVMPointerType::get(builder.getContext(), /*global=*/1);
  Value global = LLVM::AddrSpaceCastOp::create(builder, loc, type, pointer);
  if (offset == 0)
    return global;
  return LLVM::GEPOp::create(builder, loc, type, builder.getI8Type(), global,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
}

namespace {
struct LoadLowering : ConvertOpToLLVMPattern<LoadOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(LoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value pointer = getStridedElementPtr(rewriter, loc, cast<MemRefType>(op.getBase().getType()),
                                         adaptor.getBase(), adaptor.getIndices());
    Type type = getTypeConverter()->convertType(op.getResult().getType());
    CacheHint hint = op.getHint();
    // LLVM's loads use this policy by default.
    if (hint == CacheHint::None || hint == CacheHint::Ca || hint == CacheHint::Nc) {
      auto load = LLVM::LoadOp::create(rewriter, loc, type, pointer, op.getAlignmentInBytes());
      load.setInvariant(hint == CacheHint::Nc ||
                        (hint == CacheHint::None && op->hasAttr(kReadOnlyMarker)));
      rewriter.replaceOp(op, load);
      return success();
    }
    rewriter.replaceOp(op, loadWithHint(op, type, pointer, rewriter));
    return success();
  }

private:
  /// `.nc` lets LLVM move the loads; a load at the second level must see the writes of other
  /// blocks, and must not move.
  static std::string mnemonic(LoadOp op, const Piece &piece) {
    StringRef hint = hintText(op.getHint());
    bool nc = op->hasAttr(kReadOnlyMarker) && op.getHint() != CacheHint::Cg;
    std::string policy = !nc                             ? hint.str()
                         : op.getHint() == CacheHint::Cs ? hint.str() + ".nc"
                                                         : ".nc" + hint.str();
    return "ld.global" + policy + piece.suffix();
  }

  static Value loadPiece(LoadOp op, const Piece &piece, Value address, OpBuilder &builder) {
    Location loc = op.getLoc();
    Type word = integerOf(builder, piece.registerBits());
    bool fixed = !op->hasAttr(kReadOnlyMarker) || op.getHint() == CacheHint::Cg;
    std::string text = mnemonic(op, piece) + " " + piece.operands(0) + ", [$" +
                       std::to_string(piece.words()) + "];";
    std::string constraints;
    for (int64_t i = 0; i < piece.words(); ++i)
      constraints += std::string("=") + piece.constraint() + ",";
    constraints += fixed ? "l,~{memory}" : "l";
    Type result = word;
    if (piece.words() > 1)
      result = LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                                SmallVector<Type>(piece.words(), word));
    return emitPTX(builder, loc, result, address, text, constraints, /*hasSideEffects=*/fixed)
        .getRes();
  }

  static Value loadWithHint(LoadOp op, Type type, Value pointer, OpBuilder &builder) {
    Location loc = op.getLoc();
    int64_t total = sizeInBytes(type);
    Piece piece = Piece::choose(total, op.getAlignmentInBytes());
    int64_t wordBits = std::min<int64_t>(32, piece.bytes * 8);
    Type integers = asIntegers(builder, type, wordBits);
    SmallVector<Value> words;
    for (int64_t offset = 0; offset < total; offset += piece.bytes) {
      Value loaded = loadPiece(op, piece, globalAddress(builder, loc, pointer, offset), builder);
      for (int64_t i = 0; i < piece.words(); ++i)
        words.push_back(piece.words() == 1
                            ? loaded
                            : LLVM::ExtractValueOp::create(builder, loc, loaded, i).getResult());
    }
    if (piece.bytes == 1)
      for (Value &word : words)
        word = LLVM::TruncOp::create(builder, loc, builder.getI8Type(), word);
    Value packed = words.front();
    if (isa<VectorType>(integers)) {
      packed = LLVM::PoisonOp::create(builder, loc, integers);
      for (auto [i, word] : llvm::enumerate(words))
        packed =
            LLVM::InsertElementOp::create(builder, loc, packed, word, constantI32(builder, loc, i));
    }
    return packed.getType() == type
               ? packed
               : LLVM::BitcastOp::create(builder, loc, type, packed).getResult();
  }
};

struct StoreLowering : ConvertOpToLLVMPattern<StoreOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(StoreOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value pointer = getStridedElementPtr(rewriter, loc, cast<MemRefType>(op.getBase().getType()),
                                         adaptor.getBase(), adaptor.getIndices());
    if (op.getHint() == CacheHint::None)
      LLVM::StoreOp::create(rewriter, loc, adaptor.getValue(), pointer, op.getAlignmentInBytes());
    else
      storeWithHint(op, adaptor.getValue(), pointer, rewriter);
    rewriter.eraseOp(op);
    return success();
  }

private:
  static void storeWithHint(StoreOp op, Value value, Value pointer, OpBuilder &builder) {
    Location loc = op.getLoc();
    int64_t total = sizeInBytes(value.getType());
    Piece piece = Piece::choose(total, op.getAlignmentInBytes());
    Type integers = asIntegers(builder, value.getType(), std::min<int64_t>(32, piece.bytes * 8));
    if (integers != value.getType())
      value = LLVM::BitcastOp::create(builder, loc, integers, value);
    auto word = [&](int64_t i) -> Value {
      Value element = value;
      if (isa<VectorType>(integers))
        element = LLVM::ExtractElementOp::create(builder, loc, value, constantI32(builder, loc, i));
      if (piece.bytes == 1)
        element = LLVM::ZExtOp::create(builder, loc, builder.getI16Type(), element);
      return element;
    };
    std::string text = "st.global" + hintText(op.getHint()).str() + piece.suffix() + " [$0], " +
                       piece.operands(1) + ";";
    std::string constraints = "l";
    for (int64_t i = 0; i < piece.words(); ++i)
      constraints += std::string(",") + piece.constraint();
    constraints += ",~{memory}";
    for (int64_t offset = 0, next = 0; offset < total; offset += piece.bytes) {
      SmallVector<Value> operands{globalAddress(builder, loc, pointer, offset)};
      for (int64_t i = 0; i < piece.words(); ++i)
        operands.push_back(word(next++));
      emitPTX(builder, loc, TypeRange(), operands, text, constraints);
    }
  }
};

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

std::optional<LLVM::AtomicBinOp> atomicOperation(arith::AtomicRMWKind kind) {
  switch (kind) {
  case arith::AtomicRMWKind::addf:
    return LLVM::AtomicBinOp::fadd;
  case arith::AtomicRMWKind::addi:
    return LLVM::AtomicBinOp::add;
  case arith::AtomicRMWKind::andi:
    return LLVM::AtomicBinOp::_and;
  case arith::AtomicRMWKind::assign:
    return LLVM::AtomicBinOp::xchg;
  case arith::AtomicRMWKind::maximumf:
    return LLVM::AtomicBinOp::fmaximum;
  case arith::AtomicRMWKind::maxnumf:
    return LLVM::AtomicBinOp::fmax;
  case arith::AtomicRMWKind::maxs:
    return LLVM::AtomicBinOp::max;
  case arith::AtomicRMWKind::maxu:
    return LLVM::AtomicBinOp::umax;
  case arith::AtomicRMWKind::minimumf:
    return LLVM::AtomicBinOp::fminimum;
  case arith::AtomicRMWKind::minnumf:
    return LLVM::AtomicBinOp::fmin;
  case arith::AtomicRMWKind::mins:
    return LLVM::AtomicBinOp::min;
  case arith::AtomicRMWKind::minu:
    return LLVM::AtomicBinOp::umin;
  case arith::AtomicRMWKind::ori:
    return LLVM::AtomicBinOp::_or;
  case arith::AtomicRMWKind::xori:
    return LLVM::AtomicBinOp::_xor;
  default:
    return std::nullopt;
  }
}

/// Upstream orders such an access with the whole system; in kernel IR only the update is atomic,
/// and barriers and fences provide order.
struct AtomicRMWLowering : ConvertOpToLLVMPattern<memref::AtomicRMWOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(memref::AtomicRMWOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    std::optional<LLVM::AtomicBinOp> operation = atomicOperation(op.getKind());
    if (!operation)
      return rewriter.notifyMatchFailure(op, "the kind has no atomic instruction");
    MemRefType type = op.getMemRefType();
    Value pointer = getStridedElementPtr(rewriter, op.getLoc(), type, adaptor.getMemref(),
                                         adaptor.getIndices());
    bool shared = gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type);
    rewriter.replaceOpWithNewOp<LLVM::AtomicRMWOp>(op, *operation, pointer, adaptor.getValue(),
                                                   LLVM::AtomicOrdering::monotonic,
                                                   shared ? "block" : "device");
    return success();
  }
};

/// LLVM has no atomics of several elements.
struct AtomicAddLowering : ConvertOpToLLVMPattern<AtomicAddOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(AtomicAddOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value pointer = getStridedElementPtr(rewriter, loc, cast<MemRefType>(op.getBase().getType()),
                                         adaptor.getBase(), adaptor.getIndices());
    const int64_t count = cast<VectorType>(op.getValue().getType()).getNumElements();
    SmallVector<Value> operands{globalAddress(rewriter, loc, pointer, /*offset=*/0)};
    std::string names, constraints = "l";
    for (int64_t i = 0; i < count; ++i) {
      operands.push_back(LLVM::ExtractElementOp::create(rewriter, loc, adaptor.getValue(),
                                                        constantI32(rewriter, loc, i)));
      names += (i == 0 ? "$" : ", $") + std::to_string(i + 1);
      constraints += ",f";
    }
    emitPTX(rewriter, loc, TypeRange(), operands,
            "red.global.add.v" + std::to_string(count) + ".f32 [$0], {" + names + "};",
            constraints + ",~{memory}");
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void fuser::nvvm::populateMemoryPatterns(const LLVMTypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<LoadLowering, StoreLowering, AtomicRMWLowering, AtomicAddLowering>(converter,
                                                                                  kOurBenefit);
}
