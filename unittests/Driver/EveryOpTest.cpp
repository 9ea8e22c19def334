//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every op of the dialect compiles in a program of its own, runs on the host device and agrees with
// the reference: for each element type that it takes, at odd sizes, at 1, at 0, and beyond one
// block.
//
//===----------------------------------------------------------------------===//

#include "OpPrograms.h"
#include "fuser/Driver/Driver.h"
#include "fuser/InitAllDialects.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace mlir;
using fuser::test::Call;
using fuser::test::OpProgram;

namespace {

/// A file that lives as long as this object.
class TemporaryFile {
public:
  explicit TemporaryFile(StringRef text) {
    int descriptor;
    if (llvm::sys::fs::createTemporaryFile("every-op", "mlir", descriptor, path))
      return;
    llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << text;
  }
  ~TemporaryFile() { (void)llvm::sys::fs::remove(path); }
  std::string getPath() const { return std::string(path); }

private:
  llvm::SmallString<128> path;
};

DialectRegistry getRegistry() {
  DialectRegistry registry;
  fuser::registerAllDialects(registry);
  registry.insert<arith::ArithDialect, math::MathDialect, tensor::TensorDialect>();
  return registry;
}

void run(const std::string &text, const Call &call) {
  TemporaryFile file(text);
  fuser::driver::DriverOptions options;
  options.file = file.getPath();
  options.device = fuser::driver::DeviceChoice::Host;
  options.check = true;
  options.repeat = 0;
  options.inputs.allSizes = call.sizes;
  options.inputs.scalars = call.scalars;
  options.inputs.ranges = call.ranges;
  std::string report;
  llvm::raw_string_ostream out(report);
  fuser::driver::Outcome outcome = fuser::driver::run(options, getRegistry(), out, out);
  EXPECT_EQ(outcome, fuser::driver::Outcome::Success) << "sizes " << call.sizes << " of\n"
                                                      << text << report;
}

class OpAlone : public testing::TestWithParam<OpProgram> {};

TEST_P(OpAlone, GivesWhatTheReferenceGives) {
  const OpProgram &program = GetParam();
  for (const std::string &type : program.types) {
    std::string text = fuser::test::instantiate(program.text, type);
    if (type != program.types.front()) {
      run(text, program.calls.front());
      continue;
    }
    for (const Call &call : program.calls)
      run(text, call);
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, OpAlone, testing::ValuesIn(fuser::test::getOpPrograms()),
                         [](const testing::TestParamInfo<OpProgram> &info) {
                           return info.param.op + info.param.variant;
                         });

TEST(OpPrograms, HaveEveryOpThatMakesTensors) {
  MLIRContext context(getRegistry());
  auto *dialect = context.getOrLoadDialect<fuser::FuserDialect>();
  llvm::StringSet<> covered;
  for (const OpProgram &program : fuser::test::getOpPrograms()) {
    EXPECT_NE(program.text.find("fuser." + program.op + " "), std::string::npos) << program.text;
    covered.insert("fuser." + program.op);
  }
  unsigned numOps = 0;
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    // Ops that only a library computes have no kernel to test; borders and windows are in no
    // fusion.
    if (&name.getDialect() != dialect || !name.hasInterface<fuser::TensorViewOpInterface>() ||
        name.hasInterface<fuser::LibraryOpInterface>() ||
        llvm::is_contained({"fuser.border", "fuser.window"}, name.getStringRef()))
      continue;
    ++numOps;
    EXPECT_TRUE(covered.contains(name.getStringRef()))
        << "no program in OpPrograms.cpp has " << name.getStringRef().str() << " alone";
  }
  EXPECT_GT(numOps, 80u);
}

} // namespace
