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
#include "fuser/Support/InputFile.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

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

/// "@a, @b".
static std::string listNames(ArrayRef<FunctionOpInterface> functions) {
  std::string text;
  for (FunctionOpInterface function : functions)
    text += (text.empty() ? "@" : ", @") + function.getName().str();
  return text;
}

/// The function called `name` among the fusions, host functions and kernels of the module, in this
/// order; without a name the only one of the first kind that it has.
static FailureOr<FunctionOpInterface> chooseProgram(ModuleOp module, StringRef name) {
  SmallVector<FunctionOpInterface> programs;
  auto collect = [&](auto functions) {
    if (name.empty() && !programs.empty())
      return;
    for (auto function : functions)
      programs.push_back(cast<FunctionOpInterface>(function.getOperation()));
  };
  collect(module.getOps<FusionOp>());
  collect(module.getOps<HostOp>());
  collect(module.getOps<KernelOp>());
  for (FunctionOpInterface program : programs)
    if (name.empty() ? programs.size() == 1 : program.getName() == name)
      return program;
  if (programs.empty())
    return module.emitError("expected a fuser.fusion")
           << (name.empty() ? "" : (" called @" + name).str()) << ", but got none";
  if (name.empty())
    return programs[1].emitError("expected --program= with the name of one of ")
           << listNames(programs) << ", but got none";
  return module.emitError("expected --program= with the name of one of ")
         << listNames(programs) << ", but got " << name;
}

/// Where a file has several functions of other dialects and no name is given: an error, before any
/// of them is converted. Functions that are private, or
/// that others call, are parts of programs.
static LogicalResult checkNameIsGiven(ModuleOp module) {
  if (!module.getOps<FusionOp>().empty() || !module.getOps<HostOp>().empty() ||
      !module.getOps<KernelOp>().empty())
    return success();
  SmallVector<FunctionOpInterface> functions;
  for (auto function : module.getOps<FunctionOpInterface>())
    if (!function.isExternal() && !function.isPrivate() &&
        SymbolTable::symbolKnownUseEmpty(function, module))
      functions.push_back(function);
  if (functions.size() < 2)
    return success();
  return functions[1].emitError("expected --program= with the name of one of ")
         << listNames(functions) << ", but got none";
}

FailureOr<ProgramFile> fuser::driver::readProgram(const std::string &path, StringRef name,
                                                  llvm::SourceMgr &sources, MLIRContext *context) {
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = readInput(path, /*isText=*/true);
  if (!buffer)
    return emitError(UnknownLoc::get(context))
           << "cannot open input file '" << path << "': " << llvm::toString(buffer.takeError());
  bool isText = !isBytecode((*buffer)->getMemBufferRef());
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());

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
  if (name.empty() && failed(checkNameIsGiven(*file.module)))
    return failure();
  FailureOr<ImportedProgram> imported = importProgram(*file.module, name);
  if (failed(imported))
    return failure();
  FailureOr<FunctionOpInterface> program = chooseProgram(*file.module, name);
  if (failed(program))
    return failure();
  file.program = *program;
  file.constants = std::move(imported->constants[file.program.getName().str()]);
  file.argumentNames = getArgumentNames(file.program);
  return file;
}
