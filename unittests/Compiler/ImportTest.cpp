//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which functions of a module become fusions, and the values of their constants.
//
//===----------------------------------------------------------------------===//

#include "fuser/Compiler/Import.h"
#include "fuser/Artifact/DType.h"
#include "fuser/Compiler/Compiler.h"
#include "fuser/Support/DiagnosticText.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace fuser;

namespace {

class ImportTest : public testing::Test {
protected:
  ImportTest() : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
    context.printOpOnDiagnostic(false);
  }
  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerCompilerDialects(registry);
    return registry;
  }

  /// The functions afterwards, in order: "fuser.fusion @f, func.func @g"; or the first error,
  /// without its place.
  std::string import(StringRef text, StringRef name = {}) {
    DiagnosticText diagnostics(&context, "", "program");
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    FailureOr<ImportedProgram> program = failure();
    if (module)
      program = importProgram(*module, name);
    if (failed(program)) {
      const std::string taken = diagnostics.take();
      return StringRef(taken).split("error: ").second.split('\n').first.str();
    }
    imported = std::move(*program);
    std::string found;
    for (auto function : module->getOps<FunctionOpInterface>())
      found += (found.empty() ? "" : ", ") + function->getName().getStringRef().str() + " @" +
               function.getName().str();
    return found;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  ImportedProgram imported;
};

/// A function of one op, or of a call of another function.
std::string function(StringRef name, StringRef op = "math.exp %x") {
  return ("func.func " + name + "(%x: tensor<8xf32>) -> tensor<8xf32> {\n  %0 = " + op +
          " : tensor<8xf32>\n  return %0 : tensor<8xf32>\n}\n")
      .str();
}
std::string call(StringRef name, StringRef callee) {
  return ("func.func " + name + "(%x: tensor<8xf32>) -> tensor<8xf32> {\n  %0 = call " + callee +
          "(%x) : (tensor<8xf32>) -> tensor<8xf32>\n  return %0 : tensor<8xf32>\n}\n")
      .str();
}

TEST_F(ImportTest, EachFunctionIsAProgram) {
  EXPECT_EQ(import(function("@a") + function("@b")), "fuser.fusion @a, fuser.fusion @b");
  // Private ones as well, where none is called.
  EXPECT_EQ(import(function("@a") + function("private @b")), "fuser.fusion @a, fuser.fusion @b");
  EXPECT_EQ(import(""), "");
}

TEST_F(ImportTest, PrivateFunctionsAreInlined) {
  EXPECT_EQ(import(function("private @part") + call("@main", "@part")), "fuser.fusion @main");
  EXPECT_EQ(
      import(call("@main", "@part") + function("private @part") + function("private @unused")),
      "fuser.fusion @main");
  // What another function calls is no program, even if it is public.
  EXPECT_EQ(import(function("@part") + call("@main", "@part")), "fuser.fusion @main");
  EXPECT_EQ(import(function("@part") + call("@main", "@part") + function("private @other")),
            "fuser.fusion @main, fuser.fusion @other");
  EXPECT_EQ(
      import("func.func private @part(tensor<8xf32>) -> tensor<8xf32>\n" + call("@main", "@part")),
      "'func.call' op expected a function of ops that convert to fuser (remarks say which do not, "
      "and why), but got this one in @main");
}

TEST_F(ImportTest, TheChosenFunctionIsTheOnlyProgram) {
  const std::string text = function("@a") + function("@b") + call("@c", "@b");
  EXPECT_EQ(import(text, "a"), "fuser.fusion @a");
  EXPECT_EQ(import(text, "b"), "fuser.fusion @b");
  EXPECT_EQ(import(text, "c"), "fuser.fusion @c");
  EXPECT_EQ(import(text, "d"), "expected the name of one of @a, @b, @c, but got d");
  // A declaration is none of them.
  EXPECT_EQ(import("func.func private @d(tensor<8xf32>) -> tensor<8xf32>\n" + text, "d"),
            "expected the name of one of @a, @b, @c, but got d");
}

TEST_F(ImportTest, NextToPrograms) {
  const std::string fusion = "fuser.fusion @f(%x: tensor<8xf32>) -> tensor<8xf32> {\n"
                             "  %0 = fuser.exp %x : tensor<8xf32>\n"
                             "  fuser.return %0 : tensor<8xf32>\n}\n";
  EXPECT_EQ(import(fusion), "fuser.fusion @f");
  EXPECT_EQ(import(fusion, "f"), "fuser.fusion @f");
  EXPECT_EQ(import(fusion + function("@a")), "fuser.fusion @f, func.func @a");
  EXPECT_EQ(import(fusion + function("@a"), "f"), "fuser.fusion @f, func.func @a");
  EXPECT_EQ(import(fusion + function("@a"), "a"), "fuser.fusion @f, fuser.fusion @a");
}

TEST_F(ImportTest, TheOpThatDoesNotConvertIsNamed) {
  EXPECT_EQ(import("func.func @f(%x: tensor<8xf80>) -> tensor<8xf80> {\n"
                   "  %0 = arith.addf %x, %x : tensor<8xf80>\n"
                   "  return %0 : tensor<8xf80>\n}\n"),
            "'arith.addf' op expected a function of ops that convert to fuser (remarks say which "
            "do not, and why), but got this one in @f");
  EXPECT_EQ(import("func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {\n"
                   "  return %x : tensor<8xf32>\n}\n"),
            "'func.func' op expected a function that computes what it returns by ops that convert "
            "to fuser, but got several calls or none");
}

TEST_F(ImportTest, ConstantsAreBytes) {
  ASSERT_EQ(import("func.func @f(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {\n"
                   "  %a = arith.constant dense<[1.0, 2.0, -0.0]> : tensor<3xf32>\n"
                   "  %m = arith.constant dense<[true, false, true]> : tensor<3xi1>\n"
                   "  %0 = arith.addf %x, %a : tensor<3xf32>\n"
                   "  %1 = arith.select %m, %0, %y : tensor<3xi1>, tensor<3xf32>\n"
                   "  return %1 : tensor<3xf32>\n}\n"),
            "fuser.fusion @f");
  ASSERT_EQ(imported.constants.size(), 1u);
  std::vector<std::string> found;
  for (const ImportedConstant &constant : imported.constants["f"])
    found.push_back(std::string(artifact::toString(constant.dtype)) + " " +
                    std::to_string(constant.sizes.at(0)) + ": " +
                    llvm::toHex(StringRef(constant.bytes.data(), constant.bytes.size())));
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, std::vector<std::string>({"bool 3: 010001", "f32 3: 0000803F0000004000000080"}));
}

} // namespace
