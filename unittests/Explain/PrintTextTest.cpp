//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each phrase and each part of a report.
//
//===----------------------------------------------------------------------===//

#include "fuser/Explain/Explanation.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace fuser;
using namespace fuser::explain;
using Reason = BoundaryRecord::Reason;

namespace {

TEST(Phrases, Bytes) {
  const std::pair<double, const char *> cases[] = {
      {0, "0 B"},         {1, "1 B"},        {9.6, "10 B"},     {999, "999 B"},
      {1000, "1.00 KB"},  {9990, "9.99 KB"}, {10000, "10 KB"},  {10400, "10 KB"},
      {999000, "999 KB"}, {1e6, "1.00 MB"},  {1.25e7, "12 MB"}, {1e9, "1.00 GB"},
      {1e10, "10 GB"},    {1e12, "1.00 TB"}, {2.5e13, "25 TB"}, {1e15, "1000 TB"}};
  for (auto [bytes, text] : cases)
    EXPECT_EQ(formatBytes(bytes), text);
}

TEST(Phrases, Times) {
  const std::pair<double, const char *> cases[] = {{0, "0.0 us"},      {0.26, "0.3 us"},
                                                   {12.34, "12.3 us"}, {999.9, "999.9 us"},
                                                   {1000, "1.00 ms"},  {12340, "12.34 ms"}};
  for (auto [time, text] : cases)
    EXPECT_EQ(formatTime(time), text);
}

class PrintText : public testing::Test {
protected:
  PrintText() {
    all.program = "f";
    all.device = "h200";
    all.values = {{"%x", "tensor<4xf32>", 16, {}, "", {}},
                  {"%0", "tensor<4xf32>", 2000, {}, "", {0, 2}}};
    all.ops = {{"fuser.exp", "%0 = fuser.exp %x", {0}, {1}},
               {"fuser.neg", "%1 = fuser.neg %0", {1}, {}}};
  }

  SegmentNode &addSegment() {
    all.segments.push_back({"", "", loc, {}, {}, {}, {}, {}, {}});
    return all.segments.back();
  }
  Boundary makeBoundary(Reason reason, llvm::SmallVector<RefusalNote> refusals = {}) {
    return {reason, loc, 1, 0, 1, std::move(refusals), 12, 7.5};
  }

  /// The report from `first` up to `last`.
  std::string print(llvm::StringRef first, llvm::StringRef last = "\nlayouts of the fusion\n") {
    std::string text;
    llvm::raw_string_ostream out(text);
    printText(out, all);
    const size_t begin = text.find(first), end = text.find(last, begin);
    return begin == std::string::npos ? "" : text.substr(begin, end - begin);
  }

  mlir::MLIRContext context;
  mlir::Location loc = mlir::UnknownLoc::get(&context);
  Explanation all;
};

TEST_F(PrintText, ReasonsOfBoundaries) {
  const RefusalNote first{"scan", "no-scan", "expected a scan"}, second{"other", "code", "no"};
  EXPECT_EQ(describe(makeBoundary(Reason::Mark)), "a fuser.segment_set asks for it");
  EXPECT_EQ(describe(makeBoundary(Reason::Circle)),
            "segments would depend on each other in a circle: two marks are on the way");
  EXPECT_EQ(describe(makeBoundary(Reason::Cost)), "together it would take 12.0 us, apart 7.5 us");
  EXPECT_EQ(describe(makeBoundary(Reason::Host)),
            "one side is no kernel: a library computes it, or kernels write it part by part");
  EXPECT_EQ(describe(makeBoundary(Reason::Refusal)), "no scheduler takes both");
  EXPECT_EQ(describe(makeBoundary(Reason::Refusal, {first, second})),
            "no scheduler takes both: scan [no-scan]: expected a scan");
}

TEST_F(PrintText, Summary) {
  all.counts.queries = 1;
  all.counts.answers = 2;
  all.counts.accepted = 3;
  all.counts.shattered = 4;
  all.counts.parts = 5;
  all.counts.merges = 6;
  all.counts.costly = 7;
  all.counts.recomputed = 8;
  all.fused = {1, 1000, 20, 10};
  all.unfused = {2, 3000, 40, 25};
  EXPECT_EQ(print("program"),
            "program     @f\n"
            "device      h200\n"
            "sizes       not known: each dimension is taken to be 2048\n"
            "fused       1 kernel, 1.00 KB read, 20 B written, 10.0 us\n"
            "unfused     2 kernels, 3.00 KB read, 40 B written, 25.0 us (2.50x)\n"
            "asked       1 groups, 2 answers; 3 accepted whole, 4 taken apart, 5 parts, 6 merges, "
            "7 too costly, 8 recomputed\n");
  all.sizes = "4x8";
  all.fused = {0, 0, 0, 0};
  EXPECT_EQ(print("sizes", "unfused"), "sizes       4x8\n"
                                       "fused       0 kernels, 0 B read, 0 B written, 0.0 us\n");
  all.fused.microseconds = 0.5;
  EXPECT_EQ(print("unfused", "asked"),
            "unfused     2 kernels, 3.00 KB read, 40 B written, 25.0 us (50.00x)\n");
  all.fused.microseconds = 0;
  // Nothing to compare with.
  EXPECT_EQ(print("unfused", "asked"),
            "unfused     2 kernels, 3.00 KB read, 40 B written, 25.0 us\n");
}

TEST_F(PrintText, Segments) {
  SegmentNode &segment = addSegment();
  segment.ops = {0};
  EXPECT_EQ(print("\nsegment"), "\nsegment 0  no kernel, 1 op, 0 B read, 0 B written, 0.0 us\n"
                                "    %0 = fuser.exp %x\n");
  segment.kernel = "k";
  segment.scheduler = "pointwise";
  segment.ops = {0, 1};
  segment.recomputed = {0};
  segment.reads = {0, 1};
  segment.writes = {1};
  segment.work = {16, 2000, 0, 0};
  segment.use.threads = 64;
  segment.use.blocks = 1;
  segment.microseconds = 2;
  segment.candidates = {{"pointwise", 2}};
  EXPECT_EQ(print("\nsegment"),
            "\nsegment 0  @k: pointwise, 2 ops, 1 blocks x 64 threads, 16 B read, 2.00 KB written, "
            "2.0 us\n"
            "  * %0 = fuser.exp %x\n"
            "    %1 = fuser.neg %0\n"
            "  reads   %x (16 B), %0 (2.00 KB, output 0, output 2)\n"
            "  writes  %0 (2.00 KB, output 0, output 2)\n");
  segment.candidates = {{"transpose", 3}, {"pointwise", 2}, {"reduction", 4000}};
  segment.isSettled = true;
  segment.script = {"a", "b"};
  all.measured = {{"k", 1.5}, {"other", 7}};
  EXPECT_EQ(print("  writes"),
            "  writes  %0 (2.00 KB, output 0, output 2)\n"
            "  settled: the order of a buffer that it reads or writes changed after segmentation\n"
            "  instead of  transpose (3.0 us), reduction (4.00 ms)\n"
            "  scheduled by the script, so that the scheduler, blocks and time above do not "
            "apply:\n"
            "    a\n"
            "    b\n");
  EXPECT_EQ(print("written, 2.0", "\n"), "written, 2.0 us (measured 1.5 us)");
  segment.candidates.pop_back();
  EXPECT_EQ(print("  instead", "\n"), "  instead of  transpose (3.0 us)");
}

TEST_F(PrintText, Copies) {
  CopyNode copy{"k", "transpose", {10, 20, 0, 0}, {}, 3};
  copy.use.blocks = 5;
  copy.use.threads = 32;
  all.copies = {copy};
  EXPECT_EQ(print("\ncopy"), "\ncopy       @k: transpose, copies a buffer, 5 blocks x 32 threads, "
                             "10 B read, 20 B written, 3.0 us\n");
}

TEST_F(PrintText, Boundaries) {
  const llvm::SmallVector<RefusalNote> notes = {{"scan", "a", "first"},
                                                {"transpose", "b", "second"},
                                                {"reduction", "c", "third", /*isSpecific=*/false},
                                                {"matmul", "d", "fourth"}};
  all.ignoredMarks = {"%5 = fuser.segment_set"};
  EXPECT_EQ(print("\nboundaries"), "\nboundaries\n  not honoured: %5 = fuser.segment_set\n");
  all.ignoredMarks.clear();
  EXPECT_EQ(print("\nboundaries"), "");
  all.boundaries = {makeBoundary(Reason::Mark), makeBoundary(Reason::Refusal, notes)};
  EXPECT_EQ(print("\nboundaries"),
            "\nboundaries\n"
            "  0 -> 1  %0 (2.00 KB)  a fuser.segment_set asks for it\n"
            "  0 -> 1  %0 (2.00 KB)  no scheduler takes both: scan [a]: first\n"
            "      transpose [b]: second\n"
            "      matmul [d]: fourth\n");
}

TEST_F(PrintText, Launches) {
  EXPECT_EQ(print("\nlaunches"), "");
  all.launches = {{"a", {"%x", "%y"}, {"%z"}}, {"b", {}, {"%u", "%v"}, 0, 3, 0, 5}};
  all.batches = {{4, 10, 16.5}, {2, 1, 2}};
  EXPECT_EQ(print("\nlaunches", "\nstreams"),
            "\nlaunches\n"
            "  @a ins(%x, %y) outs(%z)\n"
            "  @b ins() outs(%u, %v) batch 0 stream 3\n"
            "  batch 0: one launch instead of 4, 10.0 us instead of 16.5 us\n"
            "  batch 1: one launch instead of 2, 1.0 us instead of 2.0 us\n");
}

// A column is a microsecond here.
TEST_F(PrintText, Streams) {
  auto add = [&](unsigned stream, double start, double end) {
    all.launches.push_back({"k", {}, {}, std::nullopt, stream, start, end});
  };
  add(0, 0, 36);
  EXPECT_EQ(print("\nstreams"), "");
  add(1, 36, 72);
  add(0, 40, 40.5);
  add(0, 50, 52);
  all.launches.push_back({"k", {}, {}});
  const std::string line(33, '=');
  EXPECT_EQ(print("\nstreams"), "\nstreams (predicted, 72.0 us)\n"
                                "  stream 0  |[0" +
                                    line + "]" + "    ]         []" + std::string(20, ' ') + "|\n" +
                                    "  stream 1  |" + std::string(36, ' ') + "[1" + line + "]|\n");
  for (Launch &launch : all.launches) {
    launch.start /= 128;
    launch.end /= 128;
  }
  EXPECT_EQ(print("\nstreams", ")"), "\nstreams (predicted, 0.6 us");
  // No time passes.
  for (Launch &launch : all.launches)
    launch.start = launch.end = 0;
  EXPECT_EQ(print("\nstreams"), "");
}

TEST_F(PrintText, Remarks) {
  std::string text;
  context.getDiagEngine().registerHandler([&](mlir::Diagnostic &diagnostic) {
    EXPECT_EQ(diagnostic.getSeverity(), mlir::DiagnosticSeverity::Remark);
    text += diagnostic.str() + "\n";
    for (mlir::Diagnostic &note : diagnostic.getNotes())
      text += "  " + note.str() + "\n";
    return mlir::success();
  });
  addSegment().microseconds = 4;
  addSegment().ops = {0};
  all.boundaries = {
      makeBoundary(Reason::Refusal, {{"scan", "a", "first"}, {"reduction", "c", "third", false}})};
  emitRemarks(all);
  EXPECT_EQ(text, "segment 0: no kernel, 0 ops, predicted 4.0 us\n"
                  "segment 1: no kernel, 1 op, predicted 0.0 us\n"
                  "boundary of segments 0 and 1: no scheduler takes both: scan [a]: first\n"
                  "  reduction [c]: third\n");
}

} // namespace
