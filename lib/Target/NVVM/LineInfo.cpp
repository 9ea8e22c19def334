//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LineInfo.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"

using namespace mlir;
using namespace fuser::nvvm;

/// The first line of a file in a location; 0: none.
static unsigned findLine(Location loc) {
  unsigned line = 0;
  loc->walk([&](Location each) {
    auto file = dyn_cast<FileLineColLoc>(each);
    if (!file)
      return WalkResult::advance();
    line = file.getLine();
    return WalkResult::interrupt();
  });
  return line;
}

void fuser::nvvm::addLineTables(gpu::GPUModuleOp lowered) {
  MLIRContext *context = lowered.getContext();
  auto name = StringAttr::get(context, "kernel");
  auto file = LLVM::DIFileAttr::get(context, name.getValue(), "");
  auto makeId = [&] { return DistinctAttr::create(UnitAttr::get(context)); };
  // All locations are in one file: line tables name no other.
  lowered.walk([&](Operation *op) {
    op->setLoc(FileLineColLoc::get(context, name.getValue(), findLine(op->getLoc()), 1));
  });
  auto unit =
      LLVM::DICompileUnitAttr::get(makeId(), llvm::dwarf::DW_LANG_C, file, name,
                                   /*isOptimized=*/true, LLVM::DIEmissionKind::DebugDirectivesOnly);
  auto type = LLVM::DISubroutineTypeAttr::get(context, llvm::dwarf::DW_CC_normal, {});
  for (auto function : lowered.getOps<LLVM::LLVMFuncOp>()) {
    if (function.isExternal())
      continue;
    auto program = LLVM::DISubprogramAttr::get(
        context, makeId(), unit, file, function.getNameAttr(), function.getNameAttr(), file,
        /*line=*/0, /*scopeLine=*/0,
        LLVM::DISubprogramFlags::Definition | LLVM::DISubprogramFlags::Optimized, type,
        /*retainedNodes=*/{}, /*annotations=*/{});
    function->setLoc(FusedLoc::get(context, {function.getLoc()}, program));
  }
}

/// A label that only line tables have: "$L__tmp3:", "$L__func_begin0:".
static bool isTableLabel(StringRef line) {
  line = line.trim();
  return line.consume_back(":") && (line.starts_with("$L__tmp") || line.starts_with("$L__func_"));
}

/// ".section .debug_macinfo { }": without full debug information it has no contents.
static bool isEmptyTable(StringRef directive) {
  return directive.starts_with(".section") && directive.contains(".debug_") &&
         directive.ends_with("}");
}

std::vector<unsigned> fuser::nvvm::takeLineTable(std::string &ptx) {
  std::vector<unsigned> lines;
  std::string text;
  unsigned current = 0;
  SmallVector<StringRef> all;
  StringRef(ptx).split(all, '\n');
  for (auto [number, line] : llvm::enumerate(all)) {
    StringRef directive = line.trim();
    // ".local" declares memory.
    if (directive.consume_front(".loc\t")) {
      // The number of the file comes first.
      unsigned file = 0;
      directive = directive.ltrim();
      directive.consumeInteger(10, file);
      directive = directive.ltrim();
      if (directive.consumeInteger(10, current))
        current = 0;
      continue;
    }
    if (directive.starts_with(".file") || isTableLabel(line) || isEmptyTable(directive))
      continue;
    const bool isInstruction = line.starts_with("\t") && !directive.starts_with(".");
    lines.push_back(isInstruction ? current : 0);
    text += line;
    if (number + 1 < all.size())
      text += '\n';
    if (line.starts_with("}"))
      current = 0;
  }
  ptx = std::move(text);
  return lines;
}
