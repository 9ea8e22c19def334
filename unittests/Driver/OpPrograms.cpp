//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OpPrograms.h"
#include <set>

using fuser::test::Call;
using fuser::test::OpProgram;
using Types = std::vector<std::string>;
using Calls = std::vector<Call>;

static const Types kFloats = {"f32", "bf16", "f16", "f64", "f8E4M3FN", "f8E5M2"};
static const Types kIntegers = {"i32", "i64", "i16", "i8"};
static const Types kBits = {"i32", "i64", "i16", "i8", "i1"};
static const Types kNumbers = {"f32",    "bf16", "f16", "f64", "f8E4M3FN",
                               "f8E5M2", "i32",  "i64", "i16", "i8"};
static const Types kAll = {"f32", "bf16", "f16", "f64", "f8E4M3FN", "f8E5M2",
                           "i32", "i64",  "i16", "i8",  "i1"};

static const Types kComplex = {"c64", "c128"};

std::string fuser::test::instantiate(std::string text, const std::string &type) {
  auto replace = [&](const std::string &name, const std::string &by) {
    for (size_t at; (at = text.find(name)) != std::string::npos;)
      text.replace(at, name.size(), by);
  };
  const bool isComplex = type == "c64" || type == "c128";
  const std::string part = type == "c64" ? "f32" : type == "c128" ? "f64" : type;
  replace("$T", isComplex ? "complex<" + part + ">" : type);
  replace("$P", part);
  return text;
}

/// fuser.fusion @f(ARGUMENTS) -> RESULTS { BODY; return RETURNED }
static std::string fusion(const std::string &arguments, const std::string &results,
                          const std::string &body, const std::string &returned = "%0") {
  return "fuser.fusion @f(" + arguments + ") -> " +
         (returned.find(',') == std::string::npos ? results : "(" + results + ")") + " {\n  " +
         body + "\n  fuser.return " + returned + " : " + results + "\n}\n";
}

namespace {

/// Collects programs.
struct Table {
  std::vector<OpProgram> programs;

  void add(std::string op, std::string text, Types types, Calls calls, std::string variant = "") {
    programs.push_back(
        {std::move(op), std::move(variant), std::move(text), std::move(types), std::move(calls)});
  }

  /// Pointwise ops of `operands` tensors of $T, in their short form where operands and result have
  /// one type.
  void addPointwise(const std::vector<std::string> &ops, int operands, const Types &types,
                    const std::string &result = "$T", const std::string &operand = "$T",
                    const std::string &variant = "") {
    const std::string in = "tensor<?x?x" + operand + ">", out = "tensor<?x?x" + result + ">";
    for (const std::string &op : ops) {
      std::string arguments, names, operandTypes, sizes[4];
      for (int k = 0; k < operands; ++k) {
        const std::string name = "%x" + std::to_string(k), comma = k ? ", " : "";
        arguments += comma + name + ": " + in;
        names += comma + name;
        operandTypes += comma + in;
        const char *shapes[4] = {"3x7", "1x1", "0x5", "33x129"};
        for (int i = 0; i < 4; ++i)
          sizes[i] += (k ? "," : "") + std::string(shapes[i]);
      }
      add(op,
          fusion(arguments, out,
                 "%0 = fuser." + op + " " + names + " : (" + operandTypes + ") -> " + out),
          types, {{sizes[0]}, {sizes[1]}, {sizes[2]}, {sizes[3]}}, variant);
    }
  }

  /// Reductions over the inner, the outer, and all dimensions.
  void addReduction(const std::string &op, const Types &types, const std::string &result = "$T",
                    bool ofNothing = true) {
    const std::string in = "tensor<?x?x$T>";
    Calls calls = {{"3x7"}, {"1x1"}, {"33x129"}, {"300x5"}};
    if (ofNothing)
      calls.push_back({"0x5"});
    auto addDims = [&](const std::string &dims, const std::string &out, const std::string &name) {
      add(op,
          fusion("%x: " + in, out,
                 "%0 = fuser." + op + " %x dims " + dims + " : " + in + " -> " + out),
          types, calls, name);
    };
    addDims("[1]", "tensor<?x" + result + ">", "_inner");
    addDims("[0]", "tensor<?x" + result + ">", "_outer");
    addDims("[0, 1]", "tensor<" + result + ">", "_all");
  }
};

} // namespace

static void addPointwise(Table &table) {
  table.addPointwise({"exp",   "exp2",       "expm1",   "log",   "log2", "log1p", "sqrt", "rsqrt",
                      "sin",   "cos",        "tan",     "tanh",  "erf",  "floor", "ceil", "trunc",
                      "round", "reciprocal", "sigmoid", "silu",  "gelu", "asin",  "acos", "atan",
                      "sinh",  "cosh",       "asinh",   "acosh", "atanh"},
                     1, kFloats);
  table.addPointwise({"neg", "abs", "relu", "sign", "square"}, 1, kNumbers);
  table.addPointwise({"isreal"}, 1, kAll, "i1");
  table.addPointwise({"ceil_div"}, 2, kNumbers);
  table.addPointwise({"angle", "erfcinv", "erfcx", "sinc", "logit"}, 1, kFloats);
  table.addPointwise({"logaddexp2", "heaviside", "xlog1py", "hardshrink", "softshrink"}, 2,
                     kFloats);
  table.addPointwise({"bitwise_not"}, 1, kBits);
  table.addPointwise({"isnan", "isinf", "isfinite"}, 1, kFloats, "i1");
  table.addPointwise({"logical_not"}, 1, kAll, "i1");
  table.addPointwise({"add", "mul", "maximum", "minimum"}, 2, kAll);
  table.addPointwise({"sub", "floor_div", "trunc_div", "remainder", "fmod"}, 2, kNumbers);
  table.addPointwise({"div", "pow", "atan2", "fmax", "fmin"}, 2, kFloats);
  table.addPointwise({"bitwise_and", "bitwise_or", "bitwise_xor"}, 2, kBits);
  table.addPointwise({"shift_left", "shift_right", "logical_shift_right", "gcd", "lcm"}, 2,
                     kIntegers);
  table.addPointwise(
      {"eq", "ne", "lt", "le", "gt", "ge", "logical_and", "logical_or", "logical_xor"}, 2, kAll,
      "i1");
  table.addPointwise({"clamp"}, 3, kNumbers);
  table.addPointwise({"fma", "lerp"}, 3, kFloats);
  table.addPointwise({"selu", "log_sigmoid", "hardsigmoid", "hardswish", "mish", "log10", "erfc",
                      "cbrt", "erfinv", "frac", "lgamma", "digamma"},
                     1, kFloats);
  table.addPointwise({"signbit", "isposinf", "isneginf"}, 1, kFloats, "i1");
  table.addPointwise({"leaky_relu", "elu", "sigmoid_backward", "tanh_backward", "silu_backward",
                      "gelu_backward", "log_sigmoid_backward", "hardsigmoid_backward",
                      "hardswish_backward", "mish_backward", "copysign", "hypot", "logaddexp",
                      "xlogy"},
                     2, kFloats);
  table.addPointwise(
      {"softplus", "threshold", "leaky_relu_backward", "elu_backward", "threshold_backward"}, 3,
      kFloats);
  table.addPointwise({"nextafter"}, 2, {"f32", "bf16", "f16", "f64"});
  table.addPointwise({"softplus_backward", "addcdiv"}, 4, kFloats);
  const Calls one = {{"3x7"}, {"1x1"}, {"0x5"}, {"33x129"}};
  for (const char *to : {"f32", "bf16", "i32", "i1"})
    table.add("cast",
              fusion("%x: tensor<?x?x$T>", "tensor<?x?x" + std::string(to) + ">",
                     "%0 = fuser.cast %x : tensor<?x?x$T> to tensor<?x?x" + std::string(to) + ">"),
              kAll, one, "_to_" + std::string(to));
  const std::pair<const char *, const char *> sameWidth[] = {
      {"f32", "i32"}, {"f64", "i64"},  {"f16", "i16"},     {"bf16", "f16"},
      {"i32", "f32"}, {"i16", "bf16"}, {"f8E4M3FN", "i8"}, {"i8", "f8E5M2"}};
  for (auto [from, to] : sameWidth)
    table.add(
        "bitcast",
        fusion("%x: tensor<?x?x$T>", "tensor<?x?x" + std::string(to) + ">",
               "%0 = fuser.bitcast %x : tensor<?x?x$T> to tensor<?x?x" + std::string(to) + ">"),
        {from}, one, "_to_" + std::string(to));
  // A negative alpha would be an exponential of anything.
  table.add("celu",
            fusion("%x: tensor<?x$T>, %y: tensor<?x$T>", "tensor<?x$T>",
                   "%a = fuser.abs %y : tensor<?x$T>\n  %0 = fuser.celu %x, %a : tensor<?x$T>"),
            kFloats, {{"7,7"}, {"0,0"}, {"1000,1000"}});
  table.add("where",
            fusion("%c: tensor<?x?xi1>, %x: tensor<?x?x$T>, %y: tensor<?x1x$T>", "tensor<?x?x$T>",
                   "%0 = fuser.where %c, %x, %y : (tensor<?x?xi1>, tensor<?x?x$T>, "
                   "tensor<?x1x$T>) -> tensor<?x?x$T>"),
            kAll, {{"3x7,3x7,3x1"}, {"1x1,1x1,1x1"}, {"0x5,0x5,0x1"}, {"33x129,33x129,33x1"}});
  table.add("addcmul",
            fusion("%x: tensor<?x$T>, %y: tensor<?x$T>, %z: tensor<?x$T>, %s: i64", "tensor<?x$T>",
                   "%0 = fuser.addcmul %x, %y, %z, %s : (tensor<?x$T>, tensor<?x$T>, "
                   "tensor<?x$T>, i64) -> tensor<?x$T>"),
            kNumbers, {{"7,7,7"}, {"0,0,0"}, {"1000,1000,1000"}});
  for (const char *op : {"set", "segment_set"})
    table.add(op,
              fusion("%x: tensor<?x?x$T>", "tensor<?x?x$T>",
                     "%0 = fuser." + std::string(op) + " %x : tensor<?x?x$T>"),
              kAll, one);
  table.add("stride_order",
            fusion("%x: tensor<?x?x$T>", "tensor<?x?x$T>",
                   "%0 = fuser.stride_order %x [1, 0] : tensor<?x?x$T>"),
            kAll, one);
}

/// Ops on complex numbers whose programs for real ones do not fit.
static void addComplex(Table &table) {
  table.addPointwise({"abs", "angle", "real", "imag"}, 1, kComplex, "$P", "$T", "_of_complex");
  table.addPointwise({"conj"}, 1, kComplex);
  table.addPointwise({"complex", "polar"}, 2, kComplex, "$T", "$P");
  const Calls calls = {{"3x7"}, {"1x1"}, {"0x5"}, {"33x129"}};
  Types types = kAll;
  types.insert(types.end(), kComplex.begin(), kComplex.end());
  for (const char *to : {"f32", "f64"})
    table.add("cast",
              fusion("%x: tensor<?x?x$T>", "tensor<?x?xcomplex<" + std::string(to) + ">>",
                     "%0 = fuser.cast %x : tensor<?x?x$T> to tensor<?x?xcomplex<" +
                         std::string(to) + ">>"),
              types, calls, "_to_complex_" + std::string(to));
  for (const char *dims : {"[0]", "[1]"})
    table.add("var_mean",
              fusion("%x: tensor<?x?x$T>", "tensor<?x$P>, tensor<?x$T>",
                     "%0, %1 = fuser.var_mean %x dims " + std::string(dims) +
                         " correction 1 : tensor<?x?x$T> -> tensor<?x$P>, tensor<?x$T>",
                     "%0, %1"),
              kComplex, {{"3x7"}, {"33x129"}, {"1x1"}, {"300x5"}, {"2x5000"}},
              std::string(dims) == "[0]" ? "_outer_complex" : "_inner_complex");
  for (const char *op : {"sum", "mean"})
    table.add(op,
              fusion("%x: tensor<?x?xf32>", "tensor<?xcomplex<f32>>",
                     "%0 = fuser." + std::string(op) +
                         " %x dims [1] : tensor<?x?xf32> -> tensor<?xcomplex<f32>>"),
              {"c64"}, {{"3x7"}, {"33x129"}}, "_real_to_complex");
}

/// Programs of ops that take complex numbers as they take real ones, once more for these: all of
/// their calls with the first complex type too.
static void repeatForComplex(Table &table) {
  const std::set<std::string> ops = {
      "exp",           "exp2",       "log",         "log2",        "log10",
      "sqrt",          "rsqrt",      "sin",         "cos",         "tan",
      "sinh",          "cosh",       "tanh",        "reciprocal",  "sigmoid",
      "neg",           "sign",       "square",      "isnan",       "isinf",
      "isfinite",      "isreal",     "logical_not", "add",         "sub",
      "mul",           "div",        "pow",         "eq",          "ne",
      "logical_and",   "logical_or", "logical_xor", "addcmul",     "addcdiv",
      "where",         "cast",       "set",         "segment_set", "stride_order",
      "sum",           "prod",       "mean",        "any",         "all",
      "cumsum",        "cumprod",    "broadcast",   "expand",      "squeeze",
      "permute",       "reshape",    "slice",       "pad",         "cat",
      "insert_slice",  "repeat",     "full",        "gather",      "take_along_axis",
      "index_select",  "scatter",    "asin",        "acos",        "atan",
      "asinh",         "acosh",      "atanh",       "expm1",       "log1p",
      "silu",          "sinc",       "lerp",        "logaddexp",   "sigmoid_backward",
      "tanh_backward", "push"};
  // Ops with an order or an integer result do not support complex numbers.
  const std::set<std::string> variants = {"_min", "_max", "_to_i64_outer", "_to_i64_inner"};
  for (size_t i = 0, count = table.programs.size(); i < count; ++i) {
    OpProgram program = table.programs[i];
    if (!ops.count(program.op) || variants.count(program.variant))
      continue;
    program.types = kComplex;
    program.variant += "_complex";
    // A product that overflows has no defined direction.
    if (program.op == "prod")
      for (Call &call : program.calls)
        call.ranges = {"x=-1:1"};
    table.programs.push_back(std::move(program));
  }
}

static void addReductions(Table &table) {
  table.addReduction("sum", kNumbers);
  table.addReduction("prod", kNumbers);
  table.addReduction("max", kAll);
  table.addReduction("min", kAll);
  table.addReduction("mean", kFloats);
  table.addReduction("any", kAll, "i1");
  table.addReduction("all", kAll, "i1");
  for (const char *op : {"max_with_index", "min_with_index"})
    for (const char *dims : {"[0]", "[1]"})
      table.add(op,
                fusion("%x: tensor<?x?x$T>, %i: tensor<?x?xi64>", "tensor<?x$T>, tensor<?xi64>",
                       "%0, %1 = fuser." + std::string(op) + " %x, %i dims " + std::string(dims) +
                           " : tensor<?x?x$T>, tensor<?x?xi64> -> tensor<?x$T>, tensor<?xi64>",
                       "%0, %1"),
                kNumbers, {{"3x7,3x7"}, {"33x129,33x129"}, {"1x1,1x1"}, {"300x5,300x5"}},
                std::string(dims) == "[0]" ? "_outer" : "_inner");
  for (const char *dims : {"[0]", "[1]"})
    table.add("var_mean",
              fusion("%x: tensor<?x?x$T>", "tensor<?x$T>, tensor<?x$T>",
                     "%0, %1 = fuser.var_mean %x dims " + std::string(dims) +
                         " correction 1 : tensor<?x?x$T> -> tensor<?x$T>, tensor<?x$T>",
                     "%0, %1"),
              {"f32", "bf16", "f64"}, {{"3x7"}, {"33x129"}, {"1x1"}},
              std::string(dims) == "[0]" ? "_outer" : "_inner");
  for (const char *dims : {"[0]", "[1]"})
    table.add("max_sum_exp",
              fusion("%x: tensor<?x?x$T>", "tensor<?x$T>, tensor<?x$T>",
                     "%0, %1 = fuser.max_sum_exp %x dims " + std::string(dims) +
                         " : tensor<?x?x$T> -> tensor<?x$T>, tensor<?x$T>",
                     "%0, %1"),
              {"f32", "bf16", "f16", "f64"},
              {{"3x7"}, {"33x129"}, {"1x1"}, {"0x5"}, {"5x0"}, {"2x5000"}},
              std::string(dims) == "[0]" ? "_outer" : "_inner");
}

static void addScans(Table &table) {
  auto add = [&](const std::string &op, const Types &types, const std::string &result,
                 const std::string &name, const std::string &order = "") {
    for (int dim : {0, 1})
      table.add(op,
                fusion("%x: tensor<?x?x$T>", "tensor<?x?x" + result + ">",
                       "%0 = fuser." + op + " %x dim " + std::to_string(dim) + order +
                           " : tensor<?x?x$T> -> tensor<?x?x" + result + ">"),
                types, {{"3x7"}, {"1x1"}, {"0x5"}, {"5x0"}, {"33x129"}, {"300x5"}},
                name + (dim ? "_inner" : "_outer"));
  };
  add("cumsum", kNumbers, "$T", "");
  add("cumsum", {"i1", "i32"}, "i64", "_to_i64");
  add("cumprod", kNumbers, "$T", "");
  add("cummax", kAll, "$T", "");
  add("cummin", kAll, "$T", "");
  add("logcumsumexp", kFloats, "$T", "");
  add("cumsum", kNumbers, "$T", "_reverse", " reverse");
  add("cummax", kAll, "$T", "_preceding", " exclusive");
  table.add("cumsum",
            fusion("%x: tensor<?x$T>", "tensor<?x$T>",
                   "%0 = fuser.cumsum %x dim 0 : tensor<?x$T> -> tensor<?x$T>"),
            {"f32"}, {{"7"}, {"1"}, {"0"}, {"1000"}}, "_flat");
}

static void addRandom(Table &table) {
  for (const char *op : {"random_uniform", "random_normal"}) {
    const std::string name(op);
    table.add(name,
              fusion("%s: i64, %o: i64, %n: index", "tensor<?x7x$T>",
                     "%0 = fuser." + name + " %s, %o sizes(%n) : tensor<?x7x$T>"),
              kFloats,
              {{"", {"n=5", "s=42", "o=0"}},
               {"", {"n=1", "s=-1", "o=-1"}},
               {"", {"n=0", "s=1", "o=1"}},
               {"", {"n=300", "s=81985529216486895", "o=9223372036854775807"}}});
    table.add(name,
              fusion("%s: i64, %o: i64", "tensor<3x1x64x$T>",
                     "%0 = fuser." + name + " %s, %o : tensor<3x1x64x$T>"),
              {"f32", "f64"}, {{"", {"s=7", "o=12"}}}, "_static");
    table.add(
        name,
        fusion("%s: i64, %o: i64", "tensor<$T>", "%0 = fuser." + name + " %s, %o : tensor<$T>"),
        {"f32"}, {{"", {"s=7", "o=12"}}}, "_scalar");
  }
}

static void addShapes(Table &table) {
  table.add("broadcast",
            fusion("%x: tensor<?x?x$T>", "tensor<?x1x?x$T>",
                   "%0 = fuser.broadcast %x dims [1] : tensor<?x?x$T> -> tensor<?x1x?x$T>"),
            kAll, {{"3x7"}, {"0x5"}, {"33x129"}});
  table.add("expand",
            fusion("%x: tensor<?x1x$T>, %n: index", "tensor<?x?x$T>",
                   "%0 = fuser.expand %x sizes(%n) : tensor<?x1x$T> -> tensor<?x?x$T>"),
            kAll, {{"3x1", {"n=5"}}, {"3x1", {"n=0"}}, {"0x1", {"n=4"}}, {"200x1", {"n=3"}}});
  table.add("squeeze",
            fusion("%x: tensor<?x1x?x$T>", "tensor<?x?x$T>",
                   "%0 = fuser.squeeze %x dims [1] : tensor<?x1x?x$T> -> tensor<?x?x$T>"),
            kAll, {{"3x1x7"}, {"0x1x5"}, {"33x1x129"}});
  table.add("permute",
            fusion("%x: tensor<?x?x3x$T>", "tensor<3x?x?x$T>",
                   "%0 = fuser.permute %x [2, 0, 1] : tensor<?x?x3x$T> -> tensor<3x?x?x$T>"),
            kAll, {{"5x7x3"}, {"1x1x3"}, {"0x5x3"}, {"33x40x3"}});
  table.add("reshape",
            fusion("%x: tensor<?x4x6x$T>", "tensor<?x8x3x$T>",
                   "%0 = fuser.reshape %x : tensor<?x4x6x$T> -> tensor<?x8x3x$T>"),
            kAll, {{"3x4x6"}, {"1x4x6"}, {"0x4x6"}, {"33x4x6"}});
  table.add("reshape",
            fusion("%x: tensor<?x?x64x$T>", "tensor<?x64x$T>",
                   "%0 = fuser.reshape %x : tensor<?x?x64x$T> -> tensor<?x64x$T>"),
            {"f32"}, {{"3x5x64"}, {"0x5x64"}}, "_merged");
  table.add("slice",
            fusion("%x: tensor<?x?x$T>, %o: index, %n: index", "tensor<4x?x$T>",
                   "%0 = fuser.slice %x [2, %o] [4, %n] strides [1, 3] : tensor<?x?x$T> -> "
                   "tensor<4x?x$T>"),
            kAll, {{"7x11", {"o=1", "n=4"}}, {"6x2", {"o=0", "n=0"}}, {"9x400", {"o=5", "n=100"}}});
  table.add("pad",
            fusion("%x: tensor<?x?x$T>, %v: i64", "tensor<?x?x$T>",
                   "%0 = fuser.pad %x low [1, -2] high [-1, 3] value %v : tensor<?x?x$T>, i64 -> "
                   "tensor<?x?x$T>"),
            kAll, {{"3x7"}, {"1x2"}, {"0x5"}, {"33x129"}});
  table.add("pad",
            fusion("%x: tensor<?x?x$T>, %v: i64, %l: index, %h: index", "tensor<?x?x$T>",
                   "%0 = fuser.pad %x low [%l, 0] high [2, %h] value %v : tensor<?x?x$T>, i64 -> "
                   "tensor<?x?x$T>"),
            {"f32"},
            {{"3x7", {"l=2", "h=-3"}}, {"3x7", {"l=-2", "h=3"}}, {"0x0", {"l=200", "h=3"}}},
            "_dynamic");
  table.add("cat",
            fusion("%x: tensor<?x?x$T>, %y: tensor<?x?x$T>, %z: tensor<?x3x$T>", "tensor<?x?x$T>",
                   "%0 = fuser.cat %x, %y, %z dim 1 : (tensor<?x?x$T>, tensor<?x?x$T>, "
                   "tensor<?x3x$T>) -> tensor<?x?x$T>"),
            kAll, {{"3x7,3x4,3x3"}, {"3x0,3x400,3x3"}, {"0x7,0x4,0x3"}});
  table.add("cat",
            fusion("%x: tensor<?x?x$T>, %y: tensor<5x?x$T>", "tensor<?x?x$T>",
                   "%0 = fuser.cat %x, %y dim 0 : (tensor<?x?x$T>, tensor<5x?x$T>) -> "
                   "tensor<?x?x$T>"),
            {"f32"}, {{"3x7,5x7"}, {"0x64,5x64"}, {"9x64,5x64"}}, "_outer");
  table.add("insert_slice",
            fusion("%x: tensor<2x?x$T>, %y: tensor<?x?x$T>, %o: index", "tensor<?x?x$T>",
                   "%0 = fuser.insert_slice %x into %y [1, %o] : tensor<2x?x$T> into "
                   "tensor<?x?x$T>"),
            kAll, {{"2x3,5x9", {"o=2"}}, {"2x0,3x9", {"o=9"}}, {"2x100,40x300", {"o=200"}}});
  table.add("repeat",
            fusion("%x: tensor<3x?x$T>", "tensor<6x?x$T>",
                   "%0 = fuser.repeat %x [2, 1] : tensor<3x?x$T> -> tensor<6x?x$T>"),
            kAll, {{"3x7"}, {"3x0"}, {"3x200"}});
  table.add("repeat",
            fusion("%x: tensor<?x?x$T>", "tensor<?x?x$T>",
                   "%0 = fuser.repeat %x [1, 3] : tensor<?x?x$T> -> tensor<?x?x$T>"),
            {"f32"}, {{"3x7"}, {"0x7"}, {"33x40"}}, "_inner");
  table.add("full",
            fusion("%v: i64, %n: index", "tensor<?x8x$T>",
                   "%0 = fuser.full %v sizes(%n) : i64 -> tensor<?x8x$T>"),
            kAll, {{"", {"n=3"}}, {"", {"n=0"}}, {"", {"n=100"}}});
  table.add("iota",
            fusion("%a: i64, %b: i64, %n: index", "tensor<?x$T>",
                   "%0 = fuser.iota %a, %b length(%n) : i64, i64 -> tensor<?x$T>"),
            kNumbers, {{"", {"n=7"}}, {"", {"n=0"}}, {"", {"n=1"}}, {"", {"n=1000"}}});
}

static void addIndexing(Table &table) {
  table.add("gather",
            fusion("%x: tensor<?x?x$T>, %i: tensor<?x?xi64>", "tensor<?x?x$T>",
                   "%0 = fuser.gather %x, %i dim 1 : tensor<?x?x$T>, tensor<?x?xi64> -> "
                   "tensor<?x?x$T>"),
            kAll, {{"4x6,3x10"}, {"4x6,0x10"}, {"4x0,3x10"}, {"33x40,33x129", {}, {"i=-2:42"}}});
  table.add("gather",
            fusion("%x: tensor<?x?x$T>, %i: tensor<?x?xi32>", "tensor<?x?x$T>",
                   "%0 = fuser.gather %x, %i dim 0 : tensor<?x?x$T>, tensor<?x?xi32> -> "
                   "tensor<?x?x$T>"),
            {"f32"}, {{"4x6,10x5"}, {"33x40,129x40", {}, {"i=-2:42"}}}, "_outer");
  table.add("take_along_axis",
            fusion("%x: tensor<?x?x$T>, %i: tensor<1x?xi32>", "tensor<?x?x$T>",
                   "%0 = fuser.take_along_axis %x, %i dim 1 : tensor<?x?x$T>, tensor<1x?xi32> -> "
                   "tensor<?x?x$T>"),
            kAll, {{"4x6,1x10"}, {"0x6,1x10"}, {"33x40,1x129", {}, {"i=0:40"}}});
  table.add("index_select",
            fusion("%x: tensor<?x?x$T>, %i: tensor<?xi64>", "tensor<?x?x$T>",
                   "%0 = fuser.index_select %x, %i dim 0 : tensor<?x?x$T>, tensor<?xi64> -> "
                   "tensor<?x?x$T>"),
            kAll, {{"4x6,10"}, {"0x6,3"}, {"4x6,0"}, {"40x65,200", {}, {"i=-3:43"}}});
  table.add("index_select",
            fusion("%x: tensor<?x?x?x$T>, %i: tensor<?x?xi32>", "tensor<?x?x?x?x$T>",
                   "%0 = fuser.index_select %x, %i dim 1 : tensor<?x?x?x$T>, tensor<?x?xi32> -> "
                   "tensor<?x?x?x?x$T>"),
            {"f32"}, {{"4x6x3,5x2"}, {"3x0x6,3x1"}, {"7x40x65,20x9", {}, {"i=-3:43"}}}, "_matrix");
  for (const char *index : {"i64", "i32"})
    table.add(
        "scatter",
        fusion("%s: tensor<?x?x$T>, %i: tensor<?x?x" + std::string(index) + ">, %x: tensor<?x?x$T>",
               "tensor<?x?x$T>",
               "%0 = fuser.scatter %s at %i into %x dim 1 : tensor<?x?x$T>, tensor<?x?x" +
                   std::string(index) + ">, tensor<?x?x$T>"),
        kAll,
        {{"3x4,3x4,5x9"},
         {"3x0,3x0,5x9"},
         {"0x4,0x4,5x9"},
         {"3x4,3x4,3x0"},
         {"30x40,30x40,33x129", {}, {"i=-2:131"}}},
        "_" + std::string(index));
  table.add("scatter",
            fusion("%s: tensor<?x$T>, %i: tensor<?xi64>, %x: tensor<?x$T>", "tensor<?x$T>",
                   "%0 = fuser.scatter %s at %i into %x dim 0 : tensor<?x$T>, tensor<?xi64>, "
                   "tensor<?x$T>"),
            {"f32"}, {{"40,40,9"}, {"4,4,300", {}, {"i=0:300"}}}, "_flat");
  for (const char *reduce : {"add", "mul", "min", "max"})
    table.add("scatter",
              fusion("%s: tensor<?x?x$T>, %i: tensor<?x?xi64>, %x: tensor<?x?x$T>",
                     "tensor<?x?x$T>",
                     "%0 = fuser.scatter %s at %i into %x dim 1 reduce " + std::string(reduce) +
                         " : tensor<?x?x$T>, tensor<?x?xi64>, tensor<?x?x$T>"),
              {"f32", "bf16", "f64", "i32"},
              {{"3x4,3x4,5x9"},
               {"3x0,3x0,5x9"},
               {"3x40,3x40,3x5", {}, {"i=-1:6"}},
               {"30x40,30x40,33x129", {}, {"i=-2:131"}}},
              "_" + std::string(reduce));
  // Each index once: any of several elements would remain.
  table.add("push",
            fusion("%s: tensor<?x$T>, %x: tensor<?x$T>, %a: i64", "tensor<?x$T>",
                   "%c0 = arith.constant 0 : index\n  %b = arith.constant -1 : i64\n  "
                   "%n = tensor.dim %s, %c0 : tensor<?x$T>\n  "
                   "%i = fuser.iota %a, %b length(%n) : i64, i64 -> tensor<?xi64>\n  "
                   "%0 = fuser.push %s at %i into %x dim 0 : tensor<?x$T>, tensor<?xi64>, "
                   "tensor<?x$T>"),
            kAll, {{"4,9", {"a=5"}}, {"0,9", {"a=5"}}, {"4,0", {"a=5"}}, {"300,200", {"a=250"}}});
  for (const char *reduce : {"add", "mul", "min", "max"})
    table.add("push",
              fusion("%s: tensor<?x?x$T>, %i: tensor<?x?xi64>, %x: tensor<?x?x$T>",
                     "tensor<?x?x$T>",
                     "%0 = fuser.push %s at %i into %x dim 1 reduce " + std::string(reduce) +
                         " : tensor<?x?x$T>, tensor<?x?xi64>, tensor<?x?x$T>"),
              {"f32", "bf16", "f16", "f64", "i32", "i64", "i16", "i8"},
              {{"3x4,3x4,5x9"},
               {"3x0,3x0,5x9"},
               {"3x40,3x40,3x5", {}, {"i=-1:6"}},
               {"30x40,30x40,33x129", {}, {"i=-2:131"}}},
              "_" + std::string(reduce));
}

static void addContractions(Table &table) {
  const Types types = {"f32", "bf16", "f64", "i32"};
  table.add("matmul",
            fusion("%a: tensor<?x?x$T>, %b: tensor<?x?x$T>", "tensor<?x?x$T>",
                   "%0 = fuser.matmul %a, %b : tensor<?x?x$T>, tensor<?x?x$T> -> tensor<?x?x$T>"),
            types, {{"3x5,5x7"}, {"1x1,1x1"}, {"3x0,0x7"}, {"0x5,5x7"}, {"33x40,40x65"}});
  table.add("matmul",
            fusion("%a: tensor<?x3x5xbf16>, %b: tensor<1x5x?xbf16>", "tensor<?x3x?xf32>",
                   "%0 = fuser.matmul %a, %b : tensor<?x3x5xbf16>, tensor<1x5x?xbf16> -> "
                   "tensor<?x3x?xf32>"),
            {"f32"}, {{"2x3x5,1x5x7"}}, "_batched");
  table.add("linear",
            fusion("%x: tensor<?x?x?x$T>, %w: tensor<?x?x$T>", "tensor<?x?x?x$T>",
                   "%0 = fuser.linear %x, %w : tensor<?x?x?x$T>, tensor<?x?x$T> -> "
                   "tensor<?x?x?x$T>"),
            types, {{"2x3x5,7x5"}, {"2x0x5,7x5"}, {"2x3x0,7x0"}, {"4x9x33,65x33"}});
  table.add("linear",
            fusion("%x: tensor<?x?x$T>, %w: tensor<?x?x$T>, %b: tensor<?x$T>", "tensor<?x?x$T>",
                   "%0 = fuser.linear %x, %w bias %b : tensor<?x?x$T>, tensor<?x?x$T>, "
                   "tensor<?x$T> -> tensor<?x?x$T>"),
            types, {{"3x5,7x5,7"}, {"40x33,65x33,65"}}, "_bias");
  auto addSdpa = [&](const std::string &attributes, const std::string &lse, const Types &elements,
                     const std::string &variant) {
    table.add("sdpa",
              fusion("%q: tensor<?x?x?x$T>, %k: tensor<?x?x?x$T>, %v: tensor<?x?x?x$T>",
                     "tensor<?x?x?x$T>, tensor<?x?x" + lse + ">",
                     "%0, %1 = fuser.sdpa %q, %k, %v " + attributes +
                         " : tensor<?x?x?x$T>, tensor<?x?x?x$T>, tensor<?x?x?x$T> -> "
                         "tensor<?x?x?x$T>, tensor<?x?x" +
                         lse + ">",
                     "%0, %1"),
              elements,
              {{"2x5x8,2x7x8,2x7x6"},
               {"1x1x1,1x1x1,1x1x1"},
               {"0x5x8,0x7x8,0x7x6"},
               {"2x5x8,2x0x8,2x0x6"},
               {"2x9x16,2x33x16,2x33x140"}},
              variant);
  };
  for (const char *only : {"0", "1"})
    table.add("sdpa",
              fusion("%q: tensor<?x?x$T>, %k: tensor<?x?x$T>, %v: tensor<?x?x$T>",
                     only == std::string("0") ? "tensor<?x?x$T>" : "tensor<?x$T>",
                     "%0, %1 = fuser.sdpa %q, %k, %v : tensor<?x?x$T>, tensor<?x?x$T>, "
                     "tensor<?x?x$T> -> tensor<?x?x$T>, tensor<?x$T>",
                     "%" + std::string(only)),
              {"f32", "f64"}, {{"5x8,7x8,7x6"}}, "_only_" + std::string(only));
  addSdpa("", "f32", {"f32", "bf16", "f16"}, "");
  addSdpa("{causal, scale = 0.25}", "f32", {"f32", "bf16"}, "_causal");
  addSdpa("", "f64", {"f64"}, "_f64");
}

std::vector<OpProgram> fuser::test::getOpPrograms() {
  Table table;
  addPointwise(table);
  addReductions(table);
  addScans(table);
  addShapes(table);
  addIndexing(table);
  addContractions(table);
  addRandom(table);
  repeatForComplex(table);
  addComplex(table);
  return std::move(table.programs);
}
