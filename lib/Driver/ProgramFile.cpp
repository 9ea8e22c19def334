//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Parses a program and recovers the names of its arguments.
//
//===----------------------------------------------------------------------===//

#include "fuser/Driver/ProgramFile.h"
#include "fuser/Dialect/IR/ArgumentNames.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::driver;

/// Names the arguments of functions of other dialects as the text does; those of fuser name theirs
/// when they are parsed.
static void nameArguments(ModuleOp module, const AsmParserState &state) {
  for (auto function : module.getOps<FunctionOpInterface>()) {
    const AsmParserState::BlockDefinition *block =
        function.isExternal() ? nullptr : state.getBlockDef(&function.getFunctionBody().front());
    if (!block || block->arguments.size() != function.getNumArguments())
      continue;
    for (auto [argument, definition] : llvm::zip_equal(function.getArguments(), block->arguments)) {
      SMRange range = definition.loc;
      StringRef text(range.Start.getPointer(), range.End.getPointer() - range.Start.getPointer());
      text.consume_front("%");
      if (getArgumentName(argument).empty())
        argument.setLoc(nameArgument(argument.getLoc(), text, argument.getArgNumber()));
    }
  }
}

/// What the text calls the arguments, or how they are printed.
static std::vector<std::string> getArgumentNames(FunctionOpInterface program) {
  std::vector<std::string> names;
  for (BlockArgument argument : program.getArguments()) {
    StringRef name = getArgumentName(argument);
    names.push_back(name.empty() ? "arg" + std::to_string(argument.getArgNumber()) : name.str());
  }
  return names;
}

/// The only function of type OpT called `name` (empty: any name); null if there is none. Several
/// are a diagnostic.
template <typename OpT>
static FailureOr<FunctionOpInterface> findProgram(ModuleOp module, StringRef name) {
  FunctionOpInterface found;
  for (OpT candidate : module.getOps<OpT>()) {
    if (!name.empty() && candidate.getSymName() != name)
      continue;
    if (found)
      return candidate.emitOpError("expected one ")
             << OpT::getOperationName() << " or the name of one, but got @"
             << candidate.getSymName() << " besides @" << found.getName();
    found = candidate;
  }
  return found;
}

static FailureOr<FunctionOpInterface> chooseProgram(ModuleOp module, StringRef name) {
  for (auto find : {findProgram<FusionOp>, findProgram<HostOp>, findProgram<KernelOp>}) {
    FailureOr<FunctionOpInterface> found = find(module, name);
    if (failed(found) || *found)
      return found;
  }
  return module.emitError("expected a fuser.fusion")
         << (name.empty() ? "" : (" called @" + name).str()) << ", but got none";
}

FailureOr<ProgramFile> fuser::driver::readProgram(const std::string &path, StringRef name,
                                                  llvm::SourceMgr &sources, MLIRContext *context) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &error);
  if (!buffer)
    return emitError(UnknownLoc::get(context)) << error;
  bool isText = !isBytecode(buffer->getMemBufferRef());
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());

  ProgramFile file;
  AsmParserState state; // stays empty for bytecode, which has no names
  file.module = ModuleOp::create(FileLineColLoc::get(context, path, 1, 1));
  Block *top = file.module->getBody();
  ParserConfig config(context);
  if (failed(isText ? parseAsmSourceFile(sources, top, config, &state)
                    : parseSourceFile(sources, top, config)) ||
      failed(verify(*file.module)))
    return failure();
  // The only `module { ... }` of a file replaces the implicit one.
  Block *body = file.module->getBody();
  if (!body->empty() && isa<ModuleOp>(body->front()) && llvm::hasSingleElement(*body)) {
    auto inner = cast<ModuleOp>(body->front());
    inner->remove();
    file.module = inner;
  }
  nameArguments(*file.module, state);
  FailureOr<ImportedProgram> imported = importProgram(*file.module);
  if (failed(imported))
    return failure();
  file.constants = std::move(imported->constants);
  FailureOr<FunctionOpInterface> program = chooseProgram(*file.module, name);
  if (failed(program))
    return failure();
  file.program = *program;
  file.argumentNames = getArgumentNames(file.program);
  return file;
}
