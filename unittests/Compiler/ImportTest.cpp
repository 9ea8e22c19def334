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
    registerImportDialects(registry);
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

/// A value that an `scf.if` chooses between `then` and `otherwise`, where `condition` is true.
std::string choice(StringRef condition, StringRef then = "%t = arith.negf %x : tensor<?x4xf32>",
                   StringRef otherwise = "", StringRef value = "%x") {
  return ("func.func @f(%x: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {\n"
          "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
          "  %c2 = arith.constant 2 : index\n  %d = tensor.dim %x, %c0 : tensor<?x4xf32>\n"
          "  %p = arith.cmpi " +
          condition + " : index\n  %v = scf.if %p -> tensor<?x4xf32> {\n    " + then +
          "\n    scf.yield %t : tensor<?x4xf32>\n  } else {\n    " + otherwise +
          "\n    scf.yield " + value +
          " : tensor<?x4xf32>\n  }\n"
          "  %r = math.exp %v : tensor<?x4xf32>\n  return %r : tensor<?x4xf32>\n}\n")
      .str();
}

// The value of a size of 1 is dropped where TOSA's conversion makes it. Without ops of TOSA nothing
// is, so that the other function has one.
TEST_F(ImportTest, BroadcastsAtRunTimeAreDropped) {
  const std::string tosa = "func.func @g(%x: tensor<8xf32>) -> tensor<8xf32> {\n"
                           "  %0 = tosa.tanh %x : (tensor<8xf32>) -> tensor<8xf32>\n"
                           "  return %0 : tensor<8xf32>\n}\n";
  auto isDropped = [&](const std::string &text) {
    const std::string found = import(text + tosa);
    if (found == "fuser.fusion @f, fuser.fusion @g")
      return true;
    EXPECT_EQ(found.rfind("'scf.if' op expected a function of ops that convert", 0), 0u) << found;
    return false;
  };
  EXPECT_TRUE(isDropped(choice("eq, %d, %c1")));
  std::string body;
  llvm::raw_string_ostream(body) << module->getBody()->front();
  EXPECT_NE(body.find("fuser.exp %arg0"), std::string::npos) << body;
  EXPECT_FALSE(isDropped(choice("ne, %d, %c1")));
  EXPECT_FALSE(isDropped(choice("eq, %d, %c2")));
  EXPECT_FALSE(isDropped(choice("eq, %n, %c1")));
  // Both values are computed, or the one for 1 does more than that.
  EXPECT_FALSE(isDropped(choice("eq, %d, %c1", "%t = arith.negf %x : tensor<?x4xf32>",
                                "%e = math.sin %x : tensor<?x4xf32>", "%e")));
  EXPECT_FALSE(isDropped(choice("eq, %d, %c1", "%q = arith.divsi %n, %d : index\n"
                                               "    %t = tensor.empty(%q) : tensor<?x4xf32>")));
  EXPECT_NE(import(choice("eq, %d, %c1")), "fuser.fusion @f");
}

// All of a fusion of TOSA: the greater of two sizes is either of them.
TEST_F(ImportTest, ChainsOfBroadcastsAtRunTime) {
  EXPECT_EQ(import("func.func @f(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>, %z: tensor<1x4xf32>)\n"
                   "    -> tensor<?x4xf32> {\n"
                   "  %0 = tosa.add %x, %y : (tensor<?x4xf32>, tensor<?x4xf32>) -> "
                   "tensor<?x4xf32>\n"
                   "  %1 = tosa.sub %0, %z : (tensor<?x4xf32>, tensor<1x4xf32>) -> "
                   "tensor<?x4xf32>\n"
                   "  %2 = tosa.maximum %y, %1 : (tensor<?x4xf32>, tensor<?x4xf32>) -> "
                   "tensor<?x4xf32>\n"
                   "  return %2 : tensor<?x4xf32>\n}\n"),
            "fuser.fusion @f");
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  EXPECT_EQ(text, R"(module {
  fuser.fusion @f(%arg0: tensor<?x4xf32>, %arg1: tensor<?x4xf32>, %arg2: tensor<1x4xf32>) -> tensor<?x4xf32> {
    %0 = fuser.add %arg0, %arg1 : tensor<?x4xf32>
    %1 = fuser.sub %0, %arg2 : (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
    %2 = fuser.maximum %arg1, %1 : tensor<?x4xf32>
    fuser.return %2 : tensor<?x4xf32>
  }
})");
}

TEST_F(ImportTest, ResourcesHaveTheBytesOfTheirType) {
  auto text = [](StringRef resources) {
    return ("func.func @f(%x: tensor<2xi32>) -> tensor<2xi32> {\n"
            "  %a = arith.constant dense_resource<r> : tensor<2xi32>\n"
            "  %0 = arith.addi %x, %a : tensor<2xi32>\n  return %0 : tensor<2xi32>\n}\n"
            "{-# dialect_resources: { builtin: {" +
            resources + "} } #-}\n")
        .str();
  };
  ASSERT_EQ(import(text("r: \"0x040000000100000002000000\"")), "fuser.fusion @f");
  ASSERT_EQ(imported.constants["f"].size(), 1u);
  const ImportedConstant &constant = imported.constants["f"][0];
  EXPECT_EQ(constant.dtype, artifact::DType::I32);
  EXPECT_EQ(constant.sizes, std::vector<int64_t>{2});
  EXPECT_EQ(std::string(constant.bytes.begin(), constant.bytes.end()),
            std::string("\1\0\0\0\2\0\0\0", 8));
  EXPECT_EQ(import(text("r: \"0x0400000001000000\"")),
            "'fuser.fusion' op expected a resource of 8 bytes for a constant of type "
            "'tensor<2xi32>', but got 4");
  EXPECT_EQ(import(text("")),
            "'fuser.fusion' op expected a resource of 8 bytes for a constant of type "
            "'tensor<2xi32>', but got 0");
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
