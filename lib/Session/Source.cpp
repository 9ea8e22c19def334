//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Source.h"

#include "fuser/Dialect/IR/ArgumentNames.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Export/ExportArtifact.h"
#include "fuser/Support/DiagnosticText.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include <chrono>

using namespace mlir;
using namespace fuser;
using namespace fuser::session;
using artifact::Error;
using artifact::ErrorCode;
using artifact::makeError;
using artifact::Status;

/// The type in which a call passes a scalar; f32 if it is not a scalar.
static artifact::DType getScalarType(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().isF64() ? artifact::DType::Complex128
                                            : artifact::DType::Complex64;
  if (type.isInteger(1))
    return artifact::DType::Bool;
  if (type.isInteger(64) || type.isIndex())
    return artifact::DType::I64;
  return type.isF64() ? artifact::DType::F64 : artifact::DType::F32;
}

static Program::Parameter describeParameter(BlockArgument argument) {
  Program::Parameter parameter;
  parameter.name = getArgumentName(argument);
  auto tensor = dyn_cast<RankedTensorType>(argument.getType());
  if (!tensor) {
    parameter.dtype = getScalarType(argument.getType());
    return parameter;
  }
  parameter.rank = tensor.getRank();
  parameter.dtype = getDType(tensor.getElementType());
  for (int64_t size : tensor.getShape())
    parameter.sizes.push_back(ShapedType::isDynamic(size) ? -1 : size);
  return parameter;
}

/// The only program of the module is a fusion before segmentation, its host function after.
Status Source::readSignature(const ImportedProgram &imported) {
  unsigned programs = 0;
  for (Operation &op : *module->getBody()) {
    StringRef name = op.getName().getStringRef();
    if (name != "fuser.fusion" && name != "fuser.host")
      continue;
    if (programs++ > 0)
      continue;
    auto function = cast<FunctionOpInterface>(op);
    signature.aliases.assign(function.getNumResults(), -1);
    if (auto list = op.getAttrOfType<ArrayAttr>("aliases"))
      for (auto alias : list.getAsRange<AliasAttr>())
        signature.aliases[alias.getOutput()] = alias.getInput();
    for (BlockArgument argument : function.getArguments())
      signature.parameters.push_back(describeParameter(argument));
  }
  if (programs != 1)
    return makeError(ErrorCode::InvalidProgram, "expected one fusion or host function, but got ",
                     programs);
  // The only program has all of them.
  for (const auto &[name, constants] : imported.constants)
    for (const ImportedConstant &constant : constants)
      signature.constants.push_back(
          {constant.dtype, constant.sizes, {constant.bytes.begin(), constant.bytes.end()}});
  return {};
}

Status Source::parse() {
  if (module)
    return {};
  auto start = std::chrono::steady_clock::now();
  DialectRegistry registry;
  registerCompilerDialects(registry);
  registerImportDialects(registry);
  context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->printOpOnDiagnostic(false);
  DiagnosticText diagnostics(context.get(), text, kSourceName);
  OwningOpRef<ModuleOp> parsed =
      parseSourceString<ModuleOp>(text, ParserConfig(context.get()), kSourceName);
  if (!parsed)
    return Error{ErrorCode::InvalidProgram, diagnostics.take()};
  FailureOr<ImportedProgram> imported = importProgram(*parsed);
  if (failed(imported))
    return Error{ErrorCode::InvalidProgram, diagnostics.take()};
  module = std::move(parsed);
  if (Status status = readSignature(*imported); !status) {
    module = nullptr;
    return status;
  }
  std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  parseMilliseconds = time.count();
  return {};
}

Signature session::getSignature(const artifact::Artifact &artifact) {
  Signature signature;
  for (size_t i = 0; i < artifact.arguments.size(); ++i) {
    const artifact::ArgumentSpec &argument = artifact.arguments[i];
    Program::Parameter &parameter = signature.parameters.emplace_back();
    // An argument without a name is called by its number in the artifact.
    if (argument.name != "arg" + std::to_string(i))
      parameter.name = argument.name;
    parameter.dtype = argument.dtype;
    parameter.rank = argument.isTensor ? int64_t(argument.sizes.size()) : -1;
    parameter.sizes = argument.sizes;
  }
  for (const artifact::OutputSpec &output : artifact.outputs)
    signature.aliases.push_back(output.isView || output.aliasOfArgument == artifact::kNotAnArgument
                                    ? -1
                                    : int64_t(output.aliasOfArgument));
  return signature;
}
