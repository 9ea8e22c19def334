//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What each scheduler answers for kernels of Inputs/choices.mlir, and the work and the time that
// are predicted, compared as text with Inputs/choices.txt: thresholds and terms of costs that no
// other test is close to. After a justified change of a scheduler or of the model:
//   FUSER_UPDATE_CHOICES=1 build/bin/FuserSchedulingTests --gtest_filter='Choices.*'
//
//===----------------------------------------------------------------------===//

#include "KernelFixture.h"
#include "fuser/Scheduling/Candidates.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace fuser;
using llvm::StringRef;

namespace {

class Choices : public KernelTest {
protected:
  static std::string read(StringRef name) {
    auto file = llvm::MemoryBuffer::getFile((FUSER_TEST_INPUTS "/" + name).str());
    return file ? (*file)->getBuffer().str() : "";
  }

  /// One line for each scheduler that accepts the kernel, the chosen one first; of the others the
  /// sentences of their refusals, where they are wanted.
  void print(StringRef sizes, const artifact::DeviceDescription &device, bool withRefusals) {
    mlir::FailureOr<KernelView> view = KernelView::create(kernel);
    mlir::FailureOr<SizeHints> hints = SizeHints::parse(kernel, sizes);
    ASSERT_TRUE(succeeded(view) && succeeded(hints)) << message;
    Candidates candidates = askSchedulers(*view, *registry, *hints, device);
    for (const Candidate &candidate : candidates.all) {
      if (!candidate.refusal)
        print(candidate, &candidate == candidates.getChosen() ? "  + " : "  - ");
      else if (withRefusals)
        out << "  " << candidate.scheduler->getName() << ": " << candidate.refusal->sentence
            << "\n";
    }
  }

  void print(const Candidate &candidate, StringRef mark) {
    const ResourceUse &use = candidate.choice.use;
    const KernelWork &work = candidate.work;
    out << mark;
    candidate.choice.params.print(out);
    for (FactAttr fact : candidate.choice.facts) {
      std::string name;
      llvm::raw_string_ostream(name) << fact;
      // "#fuser.fact<NAME>"
      out << ", " << StringRef(name).drop_front(12).drop_back(1);
    }
    out << "\n    " << use.blocks << " x " << use.threads << ", " << use.registers << " registers, "
        << use.sharedBytes << " shared, " << use.bytesInFlight << " in flight, " << use.numSteps
        << " steps, scattered";
    for (unsigned tensor : use.scattered)
      out << " " << tensor;
    out << llvm::format(", again %.4g, busy %.3g\n", use.bytesReadAgain, use.busyShare)
        << llvm::format("    read %.4g, written %.4g, wasted %.4g", work.bytesRead,
                        work.bytesWritten, work.bytesWasted)
        << llvm::format(", operations %.4g: %.4g us\n", work.operations, candidate.microseconds);
  }

  std::shared_ptr<const SchedulerRegistry> registry = createDefaultRegistry();
  std::string text;
  llvm::raw_string_ostream out{text};
};

/// "// KEY a b c" of the lines of a kernel: a, b and c.
llvm::SmallVector<StringRef> getList(StringRef program, StringRef key) {
  StringRef rest = program.split(("// " + key + " ").str()).second;
  llvm::SmallVector<StringRef> words;
  rest.take_until([](char c) { return c == '\n'; }).split(words, ' ');
  return words;
}

TEST_F(Choices, AreThoseOfTheTable) {
  const std::string programs = read("choices.mlir");
  llvm::SmallVector<StringRef> parts;
  StringRef(programs).split(parts, "\n\n");
  for (StringRef program : llvm::drop_begin(parts)) {
    for (StringRef type : getList(program, "types")) {
      std::string kernelText = program.split("fuser.kernel").second.str();
      for (size_t at = 0; (at = kernelText.find_first_of('T', at)) != std::string::npos;)
        kernelText.replace(at, 1, type.str());
      parse("fuser.kernel" + kernelText);
      for (auto [number, sizes] : llvm::enumerate(getList(program, "sizes")))
        for (StringRef chip : {"h200", "a100"}) {
          // Another device for one type: what depends on it depends on the type alike.
          if (chip == "a100" && type != "f32")
            continue;
          out << program.split('\n').first.drop_front(3) << " of " << type << ", " << sizes
              << " on " << chip << "\n";
          print(sizes, *artifact::lookupDevice(chip.str()),
                /*withRefusals=*/number == 0 && chip == "h200" && type == "f32");
        }
    }
  }
  if (std::getenv("FUSER_UPDATE_CHOICES")) {
    std::error_code error;
    llvm::raw_fd_ostream(FUSER_TEST_INPUTS "/choices.txt", error) << text;
    ASSERT_FALSE(error) << error.message();
  }
  const std::string expected = read("choices.txt");
  llvm::SmallVector<StringRef> lines, expectedLines;
  StringRef(text).split(lines, '\n');
  StringRef(expected).split(expectedLines, '\n');
  ASSERT_EQ(lines.size(), expectedLines.size());
  for (size_t i = 0; i < lines.size(); ++i)
    EXPECT_EQ(lines[i].str(), expectedLines[i].str()) << "line " << i + 1;
}

} // namespace
