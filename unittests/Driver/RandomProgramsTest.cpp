//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random fusions on the host device: the results equal those of the reference, and kernels do not
// access memory outside of their boxes (S2.8). FUSER_RANDOM_PROGRAMS sets their number (default
// 30).
//
//===----------------------------------------------------------------------===//

#include "../Segmentation/RandomFusion.h"

#include "fuser/Driver/Driver.h"
#include "fuser/InitAllDialects.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <cstdlib>

using fuser::test::Generator;

namespace {

/// Writes the text where the driver reads it; removed with the object.
class ProgramOnDisk {
public:
  explicit ProgramOnDisk(const std::string &text) {
    int file = 0;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("fuser-random", "mlir", file, path));
    llvm::raw_fd_ostream(file, /*shouldClose=*/true) << text;
  }
  ~ProgramOnDisk() { llvm::sys::fs::remove(path); }
  llvm::SmallString<64> path;
};

TEST(RandomPrograms, RunAsTheReferenceSays) {
  const char *wanted = std::getenv("FUSER_RANDOM_PROGRAMS");
  unsigned count = wanted ? std::atoi(wanted) : 30;
  mlir::DialectRegistry registry;
  fuser::registerAllDialects(registry);
  registry.insert<mlir::arith::ArithDialect, mlir::tensor::TensorDialect>();
  for (unsigned seed = 0; seed < count; ++seed) {
    Generator generator(seed + 100000);
    std::string text = generator.run();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    ProgramOnDisk program(text);
    fuser::driver::DriverOptions options;
    options.file = program.path.str().str();
    options.device = fuser::driver::DeviceChoice::Host;
    options.check = options.checkAccesses = true;
    for (auto [i, sizes] : llvm::enumerate(generator.arguments)) {
      options.inputs.allSizes += i ? "," : "";
      for (auto [dim, size] : llvm::enumerate(sizes))
        options.inputs.allSizes += (dim ? "x" : "") + std::to_string(size);
    }
    std::string report, errors;
    llvm::raw_string_ostream reportStream(report), errorStream(errors);
    auto outcome = fuser::driver::run(options, registry, reportStream, errorStream);
    EXPECT_EQ(outcome, fuser::driver::Outcome::Success) << report << errors;
    if (HasFailure())
      return;
  }
}

} // namespace
