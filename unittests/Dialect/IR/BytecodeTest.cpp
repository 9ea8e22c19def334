//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Versions of the dialect in bytecode: the written version, and reads of other versions.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Support/DialectBytecode.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fuser;

namespace {

/// The content of a file's entry for the version of a dialect.
using VersionEntry = SmallVector<uint64_t>;

/// A dialect with fuser's name and any entry.
class OtherDialect : public Dialect {
public:
  OtherDialect(MLIRContext *context, VersionEntry entry)
      : Dialect("fuser", context, TypeID::get<OtherDialect>()) {
    allowUnknownOperations();
    addInterface(std::make_unique<Bytecode>(this, entry));
  }

private:
  class Bytecode : public BytecodeDialectInterface {
  public:
    Bytecode(Dialect *dialect, const VersionEntry &entry)
        : BytecodeDialectInterface(dialect), entry(entry) {}
    void writeVersion(DialectBytecodeWriter &writer) const override {
      for (uint64_t number : entry)
        writer.writeVarInt(number);
    }

  private:
    VersionEntry entry;
  };
};

/// A file whose dialect has that entry; one op of it, which has no properties.
std::string writeFile(const VersionEntry &entry) {
  DialectRegistry registry;
  registry.insert(TypeID::get<OtherDialect>(), "fuser", [&](MLIRContext *context) -> Dialect * {
    return context->getOrLoadDialect("fuser", TypeID::get<OtherDialect>(), [&] {
      return std::make_unique<OtherDialect>(context, entry);
    });
  });
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  OpBuilder builder(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getUnknownLoc());
  builder.setInsertionPointToEnd(module->getBody());
  builder.create(OperationState(builder.getUnknownLoc(), "fuser.yield"));
  std::string file;
  llvm::raw_string_ostream stream(file);
  EXPECT_TRUE(succeeded(writeBytecodeToFile(*module, stream)));
  return file;
}

/// Reads a file without verification; returns the first diagnostic, empty where there is none.
std::string readFile(StringRef file) {
  MLIRContext context;
  context.loadDialect<FuserDialect>();
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (message.empty())
      message = diagnostic.str();
  });
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(file, config, "file");
  EXPECT_EQ(bool(module), message.empty());
  return message;
}

TEST(BytecodeTest, VersionsUpToThePresentAreRead) {
  EXPECT_EQ(readFile(writeFile({})), ""); // a file without a version
  EXPECT_EQ(readFile(writeFile({0, 7})), "");
  EXPECT_EQ(readFile(writeFile({1, 0})), "");
  EXPECT_EQ(readFile(writeFile({1, 2})), "");
}

TEST(BytecodeTest, LaterVersionsAreRefusedByName) {
  EXPECT_EQ(readFile(writeFile({1, 3})),
            "expected dialect 'fuser' of version 1.2 or older, but got version 1.3");
  EXPECT_EQ(readFile(writeFile({2, 0})),
            "expected dialect 'fuser' of version 1.2 or older, but got version 2.0");
  EXPECT_EQ(readFile(writeFile({~uint64_t(0), 3})), "expected dialect 'fuser' of version 1.2 or "
                                                    "older, but got version "
                                                    "18446744073709551615.3");
}

TEST(BytecodeTest, ATruncatedVersionIsAnError) { EXPECT_NE(readFile(writeFile({1})), ""); }

TEST(BytecodeTest, TheVersionIsWritten) {
  MLIRContext context;
  context.loadDialect<FuserDialect>();
  OpBuilder builder(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getUnknownLoc());
  builder.setInsertionPointToEnd(module->getBody());
  YieldOp::create(builder, builder.getUnknownLoc());
  std::string file;
  llvm::raw_string_ostream stream(file);
  ASSERT_TRUE(succeeded(writeBytecodeToFile(*module, stream)));
  // Section 7 (versions of dialects), 2 bytes: 1 and 2, each as twice the number and one.
  EXPECT_NE(StringRef(file).find(StringRef("\x07\x05\x03\x05", 4)), StringRef::npos);
}

} // namespace
