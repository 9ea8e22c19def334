//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Causes of a longer predicted time.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/TimeModel.h"
#include "KernelFixture.h"

using namespace fuser;

namespace {

class TimeModelTest : public KernelTest {
protected:
  artifact::DeviceDescription device = artifact::lookupDevice("h200").take();
  KernelWork copy{1e9, 1e9, 0};
  ResourceUse full{512, 100000, 32, 0, 16};

  double predict(ResourceUse use) { return predictMicroseconds(copy, use, device); }
  KernelWork measure(llvm::StringRef text, llvm::StringRef sizes, ResourceUse use = {}) {
    parse(text);
    mlir::FailureOr<KernelView> view = KernelView::create(kernel);
    return measureWork(*view, *SizeHints::parse(kernel, sizes), use);
  }
};

TEST_F(TimeModelTest, AFullDeviceReachesItsRate) {
  double bytes = copy.bytesRead + copy.bytesWritten;
  EXPECT_NEAR(predict(full), bytes / double(device.memoryBandwidth) * 1e6, 10);
  // A grid of unknown size is taken to fill it.
  full.blocks = 0;
  EXPECT_NEAR(predict(full), bytes / double(device.memoryBandwidth) * 1e6, 10);
}

// A multiprocessor begins a block in 80 ns, however little it does.
TEST_F(TimeModelTest, BlocksBeginOneAfterTheOther) {
  full.blocks = 1320000;
  EXPECT_NEAR(predict(full), 1320000.0 / double(device.multiprocessors) * 0.08, 10);
}

// One block of a multiprocessor does nothing else while its threads exchange results; of several,
// others do.
TEST_F(TimeModelTest, ExchangesAreHiddenByOtherBlocks) {
  const double time = predict(full);
  ResourceUse one = full, four = full;
  one.registers = 128;
  one.secondsOfExchanges = four.secondsOfExchanges = 3e-6;
  EXPECT_GT(predict(one), 4 * time);
  EXPECT_LT(predict(four), predict(one) / 3);
  copy.operations = 1e11;
  const double exchanged = predict(one);
  copy.operations = 0;
  EXPECT_GT(exchanged, predict(one) + 2500);
}

// Half as many bytes more, of any kind.
TEST_F(TimeModelTest, EveryByteTakesTime) {
  const double time = predict(full);
  for (double KernelWork::*bytes :
       {&KernelWork::bytesRead, &KernelWork::bytesWritten, &KernelWork::bytesWasted}) {
    copy.*bytes += 1e9;
    EXPECT_NEAR(predict(full), 1.5 * time, 0.05 * time);
    copy.*bytes -= 1e9;
  }
  ResourceUse again = full, waiting = full;
  again.bytesReadAgain = 1e9;
  EXPECT_NEAR(predict(again), 1.5 * time, 0.05 * time);
  waiting.busyShare = 0.5;
  EXPECT_NEAR(predict(waiting), 2 * time, 0.1 * time);
}

// Of arithmetic and memory the longer one decides.
TEST_F(TimeModelTest, ArithmeticOverlapsMemory) {
  const double time = predict(full);
  const double perSecond = getRoofs(device).operationsPerSecond;
  copy.operations = 0.1 * time * 1e-6 * perSecond;
  EXPECT_NEAR(predict(full), time, 0.05 * time);
  copy.operations = 4 * time * 1e-6 * perSecond;
  EXPECT_NEAR(predict(full), 4 * time, 0.2 * time);
}

// Parallelism: too few blocks, or too little under way in each.
TEST_F(TimeModelTest, FewBlocksTakeLonger) {
  ResourceUse few = full, thin = full;
  few.blocks = 4;
  thin.bytesInFlight = 1;
  EXPECT_GT(predict(few), 10 * predict(full));
  EXPECT_GT(predict(thin), 1.5 * predict(full));
}

// Pressure: registers and shared memory leave room for fewer blocks.
TEST_F(TimeModelTest, PressureLeavesRoomForFewerBlocks) {
  EXPECT_EQ(getResidentBlocks(full, device), 4);
  ResourceUse fat = full, wide = full;
  fat.registers = 128;
  EXPECT_EQ(getResidentBlocks(fat, device), 1);
  wide.sharedBytes = 100 * 1024;
  EXPECT_EQ(getResidentBlocks(wide, device), 2);
  wide.sharedBytes = 1024 * 1024;
  EXPECT_EQ(getResidentBlocks(wide, device), 1);
}

TEST_F(TimeModelTest, CountsBytesOfBoundaries) {
  KernelWork work = measure(R"(
    fuser.kernel @k(%x: tensor<?x?xbf16>, %w: tensor<?xf32>) -> tensor<?x?xf32> {
      %b = fuser.broadcast %w dims [0] : tensor<?xf32> -> tensor<1x?xf32>
      %c = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
      %0 = fuser.mul %c, %b : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
      fuser.return %0 : tensor<?x?xf32>
    })",
                            "10,100;100");
  EXPECT_EQ(work.bytesRead, 10 * 100 * 2 + 100 * 4);
  EXPECT_EQ(work.bytesWritten, 10 * 100 * 4);
}

// What is pushed counts once, as it is stored; at indices of adjacent elements, a sector for each.
TEST_F(TimeModelTest, CountsWhatIsPushed) {
  auto push = [&](const std::string &dim, const std::string &type) {
    return measure("fuser.kernel @k(%s: tensor<200x128xf32>, %i: tensor<200x128xi32>, %x: " + type +
                       ") -> " + type +
                       " attributes {aliases = [#fuser.alias<output 0, input 2>]} {\n"
                       "%0 = fuser.push %s at %i into %x dim " +
                       dim + " reduce add : tensor<200x128xf32>, tensor<200x128xi32>, " + type +
                       "\nfuser.return %0 : " + type + "\n}",
                   "");
  };
  const KernelWork rows = push("0", "tensor<9000x128xf32>"),
                   columns = push("1", "tensor<200x9000xf32>");
  for (const KernelWork &work : {rows, columns}) {
    EXPECT_EQ(work.bytesRead, 200 * 128 * (4 + 4));
    EXPECT_EQ(work.bytesWritten, 200 * 128 * 4);
  }
  // What the L2 cache moves for each byte of a row, and for each element of its own.
  EXPECT_EQ(rows.bytesWasted, 200 * 128 * 4 * 1.5);
  EXPECT_EQ(columns.bytesWasted, 200 * 128 * (44 - 4));
  // Accesses of one sector wait for each other, the more the fewer destinations there are.
  EXPECT_GT(rows.secondsWaited, 0);
  EXPECT_GT(push("0", "tensor<9x128xf32>").secondsWaited, 500 * rows.secondsWaited);
}

// Elements that are combined in shared memory first are no accesses of global memory; those of the
// copies are.
TEST_F(TimeModelTest, CountsWhatBlocksCombine) {
  ResourceUse use;
  use.sharedBytes = 99 * 4;
  use.copies = 10;
  auto push = [&](const std::string &type) {
    return measure("fuser.kernel @k(%s: tensor<20000x" + type +
                       ">, %i: tensor<20000xi32>, %x: tensor<99x" + type + ">) -> tensor<99x" +
                       type + "> attributes {aliases = [#fuser.alias<output 0, input 2>]} {\n" +
                       "%0 = fuser.push %s at %i into %x dim 0 reduce add : tensor<20000x" + type +
                       ">, tensor<20000xi32>, tensor<99x" + type +
                       ">\nfuser.return %0 : tensor<99x" + type + ">\n}",
                   "", use);
  };
  const KernelWork integers = push("i32"), floats = push("f32");
  EXPECT_EQ(integers.bytesWritten, 10 * 99 * 4);
  EXPECT_EQ(integers.secondsWaited, 0);
  EXPECT_GT(floats.operations, 2 * integers.operations);
}

// Only a part of an argument that is read at an offset is read.
TEST_F(TimeModelTest, CountsThePartThatIsRead) {
  KernelWork work = measure(R"(
    fuser.kernel @k(%x: tensor<100xf32>) -> tensor<10xf32> {
      %0 = fuser.slice %x [5] [10] : tensor<100xf32> -> tensor<10xf32>
      fuser.return %0 : tensor<10xf32>
    })",
                            "100");
  EXPECT_EQ(work.bytesRead, 40);
  EXPECT_EQ(work.bytesWritten, 40);
}

// Elements of a row that are read three bytes apart share sectors. Those of an output, and of a
// transposition, do not.
TEST_F(TimeModelTest, CountsTheRestOfSectors) {
  ResourceUse use;
  use.scattered = {0};
  auto getWasted = [&](const char *text) {
    parse(text);
    mlir::FailureOr<KernelView> view = KernelView::create(kernel);
    mlir::FailureOr<SizeHints> hints = SizeHints::parse(kernel, "");
    EXPECT_TRUE(succeeded(view) && succeeded(hints)) << message;
    return measureWork(*view, *hints, use).bytesWasted;
  };
  const double elements = 8 * 3 * 1000;
  EXPECT_EQ(getWasted(R"(
    fuser.kernel @k(%x: tensor<8x1000x3xi8>) -> tensor<8x3xi8> {
      %0 = fuser.permute %x [0, 2, 1] : tensor<8x1000x3xi8> -> tensor<8x3x1000xi8>
      %1 = fuser.max %0 dims [2] : tensor<8x3x1000xi8> -> tensor<8x3xi8>
      fuser.return %1 : tensor<8x3xi8>
    })"),
            2 * elements);
  EXPECT_EQ(getWasted(R"(
    fuser.kernel @k(%x: tensor<8x1000x3xi8>) -> tensor<8x3x1000xi8> {
      %0 = fuser.permute %x [0, 2, 1] : tensor<8x1000x3xi8> -> tensor<8x3x1000xi8>
      fuser.return %0 : tensor<8x3x1000xi8>
    })"),
            31 * elements);
}

// Recomputation: an op on one row is recomputed for each row that reads it.
TEST_F(TimeModelTest, CountsWhatIsComputedAgain) {
  const char *text = R"(
    fuser.kernel @k(%x: tensor<?x?xf32>, %w: tensor<?xf32>) -> tensor<?x?xf32> {
      %e = fuser.exp %w : tensor<?xf32>
      %b = fuser.broadcast %e dims [0] : tensor<?xf32> -> tensor<1x?xf32>
      %0 = fuser.mul %x, %b : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
      fuser.return %0 : tensor<?x?xf32>
    })";
  double few = measure(text, "1,1000;1000").operations;
  double many = measure(text, "100,1000;1000").operations;
  EXPECT_GT(many, 90 * few);
}

// Unknown sizes count as large, not as an error.
TEST_F(TimeModelTest, UnknownSizesAreLarge) {
  KernelWork work = measure(R"(
    fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.relu %x : tensor<?xf32>
      fuser.return %0 : tensor<?xf32>
    })",
                            "");
  EXPECT_EQ(work.bytesRead, kUnknownSize * 4);
}

} // namespace
