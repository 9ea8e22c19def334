//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ArtifactRun.h"
#include "LaunchShapes.h"
#include "Report.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"

#include <chrono>

using namespace mlir;
using namespace fuser;
using namespace fuser::driver;
using artifact::Artifact;
using artifact::ErrorCode;
using artifact::Expected;
using artifact::makeError;
using artifact::Status;

bool fuser::driver::isArtifactFile(const std::string &path) {
  // What is no file cannot be read twice.
  if (path == "-" || !llvm::sys::fs::is_regular_file(path))
    return false;
  auto begin = llvm::MemoryBuffer::getFileSlice(path, /*MapSize=*/8, /*Offset=*/0);
  return begin &&
         artifact::isSerializedArtifact({(*begin)->getBufferStart(), (*begin)->getBufferSize()});
}

Status fuser::driver::checkArtifactOptions(const DriverOptions &options) {
  const std::pair<const char *, bool> requests[] = {
      {"--check", options.check},
      {"--check-accesses", options.checkAccesses},
      {"--device=reference", options.device == DeviceChoice::Reference},
      {"--dump-after", !options.dumpAfter.empty()},
      {"--dump-to", !options.dumpTo.empty()},
      {"--start-from", !options.startFrom.empty()},
      {"--no-run", !options.run},
      {"--program", !options.program.empty()},
      {"--target", !options.target.empty()},
      {"--approximate-math", options.approximateMath},
      {"--dependent-launches", options.dependentLaunches.has_value()},
      {"--profile", !options.profile.empty()},
      {"--save-artifact", !options.saveArtifact.empty()},
      {"--schedules", !options.schedules.empty()},
  };
  for (auto [option, isGiven] : requests)
    if (isGiven)
      return makeError(ErrorCode::Unsupported, option, ": expected a program, but '", options.file,
                       "' is an artifact, which is compiled already");
  return Status();
}

Expected<ProgramFile> fuser::driver::declareProgram(const Artifact &artifact,
                                                    MLIRContext *context) {
  context->getOrLoadDialect<func::FuncDialect>();
  ProgramFile file;
  SmallVector<Type> types;
  for (const artifact::ArgumentSpec &argument : artifact.arguments) {
    Type element = getElementType(argument.dtype, context);
    if (!element)
      return makeError(ErrorCode::Unsupported, "argument '", argument.name,
                       "': expected an element type that programs have, but got ",
                       artifact::toString(argument.dtype));
    SmallVector<int64_t> sizes = llvm::map_to_vector(argument.sizes, [](int64_t size) {
      return size == artifact::kDynamic ? ShapedType::kDynamic : size;
    });
    types.push_back(argument.isTensor ? RankedTensorType::get(sizes, element) : element);
    file.argumentNames.push_back(argument.name);
  }
  for (const artifact::Constant &constant : artifact.constants)
    file.constants.push_back(
        {constant.dtype, constant.sizes, {constant.bytes.begin(), constant.bytes.end()}});
  auto unknown = UnknownLoc::get(context);
  file.module = ModuleOp::create(unknown);
  auto function =
      func::FuncOp::create(unknown, artifact.name, FunctionType::get(context, types, {}));
  function.setPrivate();
  file.module->push_back(function);
  file.program = function;
  return file;
}

DeviceChoice fuser::driver::chooseDevice(const Artifact &artifact, DeviceChoice choice) {
  if (choice != DeviceChoice::Default || artifact.kernels.empty())
    return choice;
  return artifact.kernels.front().format == artifact::KernelFormat::HostObject ? DeviceChoice::Host
                                                                               : DeviceChoice::Cuda;
}

Expected<DeviceResult> fuser::driver::runArtifactOnDevice(const DriverOptions &options,
                                                          Artifact artifact,
                                                          const std::vector<Input> &inputs,
                                                          const RunDevice &device,
                                                          llvm::raw_ostream &out) {
  auto getOrder = [&](unsigned argument) {
    return llvm::map_to_vector(artifact.arguments[argument].order,
                               [](uint32_t dim) { return int64_t(dim); });
  };
  auto uploaded = upload(getOrder, inputs, device.device, /*allocate=*/true);
  if (!uploaded)
    return uploaded.takeError();
  std::vector<runtime::CallArgument> arguments = (*uploaded)->arguments;
  arguments.erase(arguments.begin() + artifact::numPassedArguments(artifact), arguments.end());
  auto start = std::chrono::steady_clock::now();
  auto executable = runtime::Executable::create(std::move(artifact), device.device);
  if (!executable)
    return executable.takeError();
  std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  // The grids depend on the arguments, which must fit.
  if (Status status = (*executable)->checkGuards(arguments); !status)
    return status.takeError();
  printLaunches(out, (*executable)->getArtifact(), inputs);
  printTitle(out, "load") << llvm::format("%.1f ms\n", time.count());
  return callOnDevice(options, device, **executable, arguments, out);
}
