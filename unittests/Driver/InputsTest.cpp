//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The arguments that options give, and what is said about options that fit none.
//
//===----------------------------------------------------------------------===//

#include "fuser/Driver/Inputs.h"
#include "Random.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Driver/NumPy.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "gtest/gtest.h"

#include <limits>

using namespace mlir;
using namespace fuser;
using namespace fuser::driver;

namespace {

class InputsTest : public testing::Test {
protected:
  InputsTest() { context.loadDialect<FuserDialect>(); }

  /// A program of these arguments, which gives the first one, a tensor %x.
  ProgramFile makeProgram(StringRef arguments, std::vector<std::string> names) {
    ProgramFile file;
    std::string type = (arguments.split(": ").second.split('>').first + ">").str();
    file.module = parseSourceString<ModuleOp>(
        ("fuser.fusion @f(" + arguments + ") -> " + type + " {\nfuser.return %x : " + type + "\n}")
            .str(),
        &context);
    EXPECT_TRUE(file.module);
    file.program = *file.module->getOps<FusionOp>().begin();
    file.argumentNames = std::move(names);
    return file;
  }
  ProgramFile makeProgram() {
    return makeProgram("%x: tensor<?x4xf32>, %y: tensor<?xi32>, %s: f32, %n: i64, %b: i1, "
                       "%z: complex<f64>",
                       {"x", "", "s", "n", "b", "z"});
  }

  /// "x 2x4xf32, s f32 1.5": the arguments, and the values of scalars; or the error.
  static std::string describeInputs(const ProgramFile &file, const InputOptions &options) {
    artifact::Expected<std::vector<Input>> inputs = makeInputs(file, options);
    if (!inputs)
      return inputs.takeError().str();
    std::string text;
    llvm::raw_string_ostream out(text);
    llvm::interleaveComma(*inputs, out, [&](const Input &input) {
      out << input.name << " " << describe(input.array);
      EXPECT_EQ(input.isTensor, isa<RankedTensorType>(input.type));
      if (input.isTensor)
        return;
      std::complex<double> value = toReference(input.array, input.type).asComplex(0);
      out << llvm::format(" %g", value.real());
      if (isa<ComplexType>(input.type))
        out << llvm::format("%+gi", value.imag());
    });
    return text;
  }

  struct Case {
    InputOptions options;
    const char *expected;
  };
  static InputOptions set(std::vector<std::string> InputOptions::*field,
                          std::vector<std::string> values) {
    InputOptions options;
    options.*field = std::move(values);
    return options;
  }
  static InputOptions setAllSizes(std::string text, std::vector<std::string> sizes = {}) {
    InputOptions options = set(&InputOptions::sizes, std::move(sizes));
    options.allSizes = std::move(text);
    return options;
  }
  static InputOptions setDefaultSize(int64_t size) {
    InputOptions options;
    options.defaultSize = size;
    return options;
  }

  MLIRContext context;
};

constexpr auto kSizes = &InputOptions::sizes;
constexpr auto kFiles = &InputOptions::files;
constexpr auto kScalars = &InputOptions::scalars;
constexpr auto kRanges = &InputOptions::ranges;

TEST_F(InputsTest, Sizes) {
  ProgramFile file = makeProgram();
  for (auto &[options, expected] : std::initializer_list<Case>{
           {{}, "x 128x4xf32, 1 128xi32"},
           {setDefaultSize(0), "x 0x4xf32, 1 0xi32"},
           {setDefaultSize(-1), "ParseError: --default-size: expected a size of at least 0, but "
                                "got -1"},
           {setAllSizes("2x4,3"), "x 2x4xf32, 1 3xi32"},
           {setAllSizes("2x4,3", {"x=5x4"}), "x 5x4xf32, 1 3xi32"},
           {setAllSizes("2x4"), "ArgumentCount: --sizes 2x4: expected sizes of 2 tensor "
                                "arguments, but got 1"},
           {set(kSizes, {"x=2x4", "1=3"}), "x 2x4xf32, 1 3xi32"},
           {set(kSizes, {"%x=2x4", "%1=3"}), "x 2x4xf32, 1 3xi32"},
           {set(kSizes, {"x=0x4", "1=0"}), "x 0x4xf32, 1 0xi32"},
           {set(kSizes, {"x=274877906945x4", "1=3"}),
            "ParseError: argument 0 (x): expected sizes such as 4096x5002 of at most 2^40 "
            "elements, but got 274877906945x4"},
           {set(kSizes, {"x=0x4", "1=1099511627777"}),
            "ParseError: argument 1 (1): expected sizes such as 4096x5002 of at most 2^40 "
            "elements, but got 1099511627777"},
           {set(kSizes, {"x=2x4"}), "SizeMismatch: argument 1 (1) of type tensor<?xi32>: "
                                    "expected sizes (--size 1=...), but got none"},
           {set(kSizes, {"x=2x5", "1=3"}), "SizeMismatch: argument 0 (x): expected sizes of "
                                           "tensor<?x4xf32>, but got 2x5"},
           {set(kSizes, {"x=2", "1=3"}), "RankMismatch: argument 0 (x): expected sizes of "
                                         "tensor<?x4xf32>, but got 2"},
           {set(kSizes, {"x=", "1=3"}), "RankMismatch: argument 0 (x): expected sizes of "
                                        "tensor<?x4xf32>, but got "},
           {set(kSizes, {"x=2x", "1=3"}), "ParseError: argument 0 (x): expected sizes such as "
                                          "4096x5002 of at most 2^40 elements, but got 2x"},
           {set(kSizes, {"x=-1x4", "1=3"}), "ParseError: argument 0 (x): expected sizes such as "
                                            "4096x5002 of at most 2^40 elements, but got -1x4"},
           {set(kSizes, {"x"}), "ParseError: --size x: expected ARGUMENT=VALUE"},
           {set(kSizes, {"6=1"}), "ParseError: --size 6=1: expected one of the arguments x, 1, s, "
                                  "n, b, z of @f, but got 6"},
           {set(kSizes, {"x=1x4", "0=1x4"}), "ParseError: --size 0=1x4: expected argument 0 (x) "
                                             "once, but got it twice"},
           {set(kSizes, {"x=2x4", "1=3", "s=1"}), "ArgumentKind: argument 2 (s): expected no "
                                                  "sizes of a scalar, but got 1"}}) {
    std::string text = describeInputs(file, options);
    // The scalars are random.
    EXPECT_EQ(StringRef(text).split(", s ").first, expected);
  }
}

TEST_F(InputsTest, AllArgumentsHaveTheLargestDefaultSizeThatFits) {
  ProgramFile file = makeProgram("%x: tensor<?x4xf32>, %y: tensor<?x?x?x?xf32>", {"x", "y"});
  InputOptions options;
  options.shapesOnly = true;
  EXPECT_EQ(describeInputs(file, options), "x 64x4xf32, y 64x64x64x64xf32");
  options.defaultSize = 9;
  EXPECT_EQ(describeInputs(file, options), "x 9x4xf32, y 9x9x9x9xf32");
}

TEST_F(InputsTest, Scalars) {
  ProgramFile file = makeProgram("%x: tensor<?x4xf32>, %s: f32, %n: i64, %b: i1, %z: complex<f64>",
                                 {"x", "s", "n", "b", "z"});
  auto describeScalar = [&](std::string scalar) {
    std::string key = scalar.substr(0, scalar.find('=')), text;
    text = describeInputs(file, set(kScalars, {std::move(scalar)}));
    StringRef rest = StringRef(text).split((", " + key + " ").c_str()).second;
    return rest.empty() ? text : rest.split(", ").first.str();
  };
  for (auto [scalar, expected] : std::initializer_list<std::pair<const char *, const char *>>{
           {"s=1.5", "f32 1.5"},
           {"s=-inf", "f32 -inf"},
           {"s=many", "ParseError: argument 1 (s): expected a value of type f32, but got many"},
           {"n=-7", "i64 -7"},
           {"n=0x10", "i64 16"},
           {"n=true", "ParseError: argument 2 (n): expected a value of type i64, but got true"},
           {"n=1.5", "ParseError: argument 2 (n): expected a value of type i64, but got 1.5"},
           {"b=true", "bool 1"},
           {"b=false", "bool 0"},
           {"b=1", "bool 1"},
           {"b=0", "bool 0"},
           {"b=yes", "ParseError: argument 3 (b): expected a value of type i1, but got yes"},
           {"z=1.5", "complex128 1.5+0i"},
           {"z=-2i", "complex128 0-2i"},
           {"z=1.5-2i", "complex128 1.5-2i"},
           {"z=1.5+2i", "complex128 1.5+2i"},
           {"z=-1.5+2i", "complex128 -1.5+2i"},
           {"z=1e-2+3E+4i", "complex128 0.01+30000i"},
           {"z=2e-1i", "complex128 0+0.2i"},
           {"z=+2E+1i", "complex128 0+20i"},
           {"z=1+i2", "ParseError: argument 4 (z): expected a value of type complex<f64>, but "
                      "got 1+i2"},
           {"z=a+2i", "ParseError: argument 4 (z): expected a value of type complex<f64>, but "
                      "got a+2i"},
           {"z=i", "ParseError: argument 4 (z): expected a value of type complex<f64>, but got "
                   "i"},
           {"x=1", "ArgumentKind: argument 0 (x): expected a scalar to give a value to, but got "
                   "tensor<?x4xf32>"}})
    EXPECT_EQ(describeScalar(scalar), expected) << scalar;
}

/// The least and the largest value of an argument.
static std::pair<double, double> getRange(const Input &input) {
  reference::Tensor tensor = toReference(input.array, getElementTypeOrSelf(input.type));
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    std::complex<double> value = tensor.asComplex(i);
    const double other = isa<ComplexType>(tensor.getElementType()) ? value.imag() : value.real();
    low = std::min({low, value.real(), other});
    high = std::max({high, value.real(), other});
  }
  return {low, high};
}

TEST_F(InputsTest, RandomValuesFillTheirRanges) {
  ProgramFile file = makeProgram(
      "%x: tensor<?x4xf32>, %i: tensor<?xi32>, %b: tensor<?xi1>, %z: tensor<?xcomplex<f32>>",
      {"x", "i", "b", "z"});
  struct Range {
    double low, high, slack;
  };
  // `slack`: how far from a bound the closest of the values may be.
  auto compare = [&](const InputOptions &options, std::initializer_list<Range> ranges) {
    artifact::Expected<std::vector<Input>> inputs = makeInputs(file, options);
    ASSERT_TRUE(inputs);
    for (auto [input, range] : llvm::zip_equal(*inputs, ranges)) {
      auto [low, high] = getRange(input);
      EXPECT_GE(low, range.low) << input.name;
      EXPECT_LE(low, range.low + range.slack) << input.name;
      EXPECT_LE(high, range.high) << input.name;
      EXPECT_GE(high, range.high - range.slack) << input.name;
    }
  };
  compare(setDefaultSize(4000), {{-3.5, 3.5, 0.5}, {-8, 8, 0}, {0, 1, 0}, {-3.5, 3.5, 0.5}});
  InputOptions options = setDefaultSize(4000);
  options.ranges = {"x=0:100", "i=-3:5", "b=0:9", "z=2:3"};
  compare(options, {{0, 100, 1}, {-3, 4, 0}, {0, 1, 0}, {2, 3, 0.01}});
  options.ranges = {"i=7:7.5"};
  compare(options, {{-3.5, 3.5, 0.5}, {7, 7, 0}, {0, 1, 0}, {-3.5, 3.5, 0.5}});
  for (const char *range : {"1:1", "2:1", "1", "a:2", "1:b", "nan:1"})
    EXPECT_EQ(describeInputs(file, set(kRanges, {std::string("x=") + range})),
              std::string("ParseError: argument 0 (x): expected a range LOW:HIGH with LOW below "
                          "HIGH, but got ") +
                  range);
}

TEST_F(InputsTest, RandomValuesAreThoseOfTheSeedAndTheArgument) {
  ProgramFile file = makeProgram(
      "%x: tensor<9xf64>, %i: tensor<9xi64>, %b: tensor<9xi1>, %z: tensor<9xcomplex<f64>>",
      {"x", "i", "b", "z"});
  InputOptions options = set(kRanges, {"i=-5:7"});
  options.seed = 3;
  artifact::Expected<std::vector<Input>> inputs = makeInputs(file, options);
  ASSERT_TRUE(inputs);
  auto getValues = [&](unsigned index) {
    return toReference((*inputs)[index].array, getElementTypeOrSelf((*inputs)[index].type));
  };
  for (int64_t i = 0; i < 9; ++i) {
    EXPECT_EQ(getValues(0).floats()[i], RandomSource(3, 0).normal(i));
    EXPECT_EQ(getValues(1).integers()[i], RandomSource(3, 1).integer(i, -5, 7));
    EXPECT_EQ((*inputs)[2].array.bytes[i], char(RandomSource(3, 2).bits(i) & 1));
    RandomSource complex(3, 3);
    EXPECT_EQ(getValues(3).complexes()[i],
              std::complex<double>(complex.normal(2 * i), complex.normal(2 * i + 1)));
  }
}

TEST_F(InputsTest, RandomScalarsArePositive) {
  ProgramFile file = makeProgram("%x: tensor<?x4xf32>, %s: f32, %n: i64", {"x", "s", "n"});
  double low = 9, high = 0;
  int64_t least = 99, most = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    InputOptions options = setDefaultSize(1);
    options.seed = seed;
    artifact::Expected<std::vector<Input>> inputs = makeInputs(file, options);
    ASSERT_TRUE(inputs);
    double real = toReference((*inputs)[1].array, (*inputs)[1].type).floats()[0];
    int64_t integer = toReference((*inputs)[2].array, (*inputs)[2].type).integers()[0];
    low = std::min(low, real);
    high = std::max(high, real);
    least = std::min(least, integer);
    most = std::max(most, integer);
  }
  EXPECT_GE(low, 0.5);
  EXPECT_LT(low, 0.6);
  EXPECT_LT(high, 1.5);
  EXPECT_GT(high, 1.4);
  EXPECT_EQ(least, 1);
  EXPECT_EQ(most, 8);
}

TEST_F(InputsTest, Files) {
  SmallString<64> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("inputs", "npy", path));
  const std::string name = path.str().str();
  // The dtypes of files that each type of elements takes.
  for (auto [type, taken] : std::initializer_list<std::pair<const char *, const char *>>{
           {"i1", "bool"},
           {"i8", "i8, u8"},
           {"i16", "i16, u16"},
           {"i32", "i32, u32"},
           {"i64", "i64, u64"},
           {"f16", "f16"},
           {"bf16", "bf16"},
           {"f32", "f32"},
           {"f64", "f64"},
           {"f8E4M3FN", "u8, f8e4m3"},
           {"f8E5M2", "u8, f8e4m3"},
           {"complex<f32>", "complex64"},
           {"complex<f64>", "complex128"}}) {
    ProgramFile file =
        makeProgram(std::string("%x: tensor<1x4xf32>, %y: tensor<2x") + type + ">", {"x", "y"});
    SmallVector<StringRef> read;
    for (DType dtype : {DType::Bool, DType::I8, DType::I16, DType::I32, DType::I64, DType::U8,
                        DType::U16, DType::U32, DType::U64, DType::F16, DType::BF16, DType::F32,
                        DType::F64, DType::F8E4M3, DType::Complex64, DType::Complex128}) {
      HostArray array{dtype, {2}, std::vector<char>(2 * artifact::byteSize(dtype), 1)};
      ASSERT_TRUE(writeNumPy(name, array));
      artifact::Expected<std::vector<Input>> inputs = makeInputs(file, set(kFiles, {"y=" + name}));
      if (!inputs)
        continue;
      read.push_back(artifact::toString(dtype));
      const HostArray &given = (*inputs)[1].array;
      EXPECT_EQ(given.dtype, getDType(getElementTypeOrSelf((*inputs)[1].type)));
      EXPECT_EQ(given.bytes, array.bytes);
    }
    EXPECT_EQ(llvm::join(read, ", "), taken) << type;
  }
  // bf16 as numpy programs store it.
  ProgramFile file = makeProgram("%x: tensor<2xbf16>, %s: f32", {"x", "s"});
  ASSERT_TRUE(writeNumPy(name, {DType::U16, {2}, {1, 2, 3, 4}}));
  InputOptions options = set(kFiles, {"x=" + name});
  EXPECT_EQ(describeInputs(file, options), "DTypeMismatch: argument 0 (x) from " + name +
                                               ": expected elements of type bf16, but got u16");
  options.uint16IsBF16 = true;
  options.scalars = {"s=2"};
  EXPECT_EQ(describeInputs(file, options), "x 2xbf16, s f32 2");
  // Shapes, and what contradicts a file.
  ASSERT_TRUE(writeNumPy(name, {DType::BF16, {3}, std::vector<char>(6)}));
  EXPECT_EQ(describeInputs(file, options), "SizeMismatch: argument 0 (x) from " + name +
                                               ": expected tensor<2xbf16>, but got 3xbf16");
  ASSERT_TRUE(writeNumPy(name, {DType::BF16, {2, 1}, std::vector<char>(4)}));
  EXPECT_EQ(describeInputs(file, options), "RankMismatch: argument 0 (x) from " + name +
                                               ": expected tensor<2xbf16>, but got 2x1xbf16");
  ASSERT_TRUE(writeNumPy(name, {DType::F32, {}, {0, 0, 0, 0x40}}));
  EXPECT_EQ(describeInputs(file, set(kFiles, {"s=" + name})), "x 2xbf16, s f32 2");
  for (auto [field, entry] :
       {std::pair(kSizes, "s=2"), std::pair(kRanges, "s=0:1"), std::pair(kScalars, "s=2")}) {
    InputOptions both = set(field, {entry});
    both.files = {"s=" + name};
    EXPECT_EQ(describeInputs(file, both),
              "ParseError: argument 1 (s): expected nothing besides its file " + name);
  }
  llvm::sys::fs::remove(path);
  EXPECT_EQ(describeInputs(file, options), "IoError: " + name + ": No such file or directory");
}

TEST_F(InputsTest, ArgumentsThatNoMemoryHolds) {
  EXPECT_EQ(describeInputs(makeProgram("%x: tensor<2xi5>", {"x"}), {}),
            "Unsupported: argument 0 (x): expected a type that memory can hold, but got "
            "tensor<2xi5>");
  ProgramFile file = makeProgram("%x: tensor<1xf32>, %s: f32, %y: tensor<?xf32>", {"x", "s", "y"});
  std::string text = describeInputs(file, set(kSizes, {"y=1099511627776"}));
  EXPECT_TRUE(StringRef(text).starts_with("OutOfMemory: argument 2 (y): expected arguments that "
                                          "fit the machine's "))
      << text;
  EXPECT_TRUE(StringRef(text).ends_with(
      " bytes of memory, but up to this one they take 17592186044432 bytes"))
      << text;
  // Nothing runs.
  InputOptions options = set(kSizes, {"y=1099511627776"});
  options.shapesOnly = true;
  artifact::Expected<std::vector<Input>> inputs = makeInputs(file, options);
  ASSERT_TRUE(inputs);
  EXPECT_EQ(describe((*inputs)[2].array), "1099511627776xf32");
  EXPECT_TRUE((*inputs)[2].array.bytes.empty());
}

TEST_F(InputsTest, ConstantsAreNotGiven) {
  ProgramFile file = makeProgram("%x: tensor<2xf32>, %c: tensor<2xi8>", {"x", "c"});
  file.constants = {{DType::I8, {2}, {7, -7}}};
  artifact::Expected<std::vector<Input>> inputs = makeInputs(file, {});
  ASSERT_TRUE(inputs);
  EXPECT_EQ(describe((*inputs)[1].array), "2xi8");
  EXPECT_EQ((*inputs)[1].array.bytes, std::vector<char>({7, -7}));
  for (const char *key : {"c", "1"})
    EXPECT_EQ(describeInputs(file, set(kSizes, {std::string(key) + "=2"})),
              std::string("ParseError: --size ") + key +
                  "=2: expected one of the arguments x of @f, but got " + key);
  EXPECT_EQ(describeInputs(file, setAllSizes("2,2")),
            "ArgumentCount: --sizes 2,2: expected sizes of 1 tensor arguments, but got 2");
}

TEST_F(InputsTest, RequestedSizes) {
  ProgramFile file = makeProgram();
  for (auto &[options, expected] : std::initializer_list<Case>{
           {{}, ""},
           {setAllSizes("2x4,3"), "2,4;3;;;;"},
           {set(kSizes, {"1=3"}), "?,4;3;;;;"},
           {set(kSizes, {"x=2x4"}), "2,4;?;;;;"},
           {setAllSizes("2x4"), "ArgumentCount: --sizes 2x4: expected sizes of 2 tensor "
                                "arguments, but got 1"},
           {set(kSizes, {"x"}), "ParseError: --size x: expected ARGUMENT=VALUE"},
           {set(kSizes, {"x=2x5"}), "SizeMismatch: argument 0 (x): expected sizes of "
                                    "tensor<?x4xf32>, but got 2x5"}}) {
    artifact::Expected<std::string> text = describeRequestedSizes(file, options);
    EXPECT_EQ(text ? *text : text.takeError().str(), expected);
  }
}

} // namespace
