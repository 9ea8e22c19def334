//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Text form of #fuser.domain.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/Domain.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace fuser;

namespace {

/// Reads one #fuser.domain; names are local to it.
class DomainParser {
public:
  explicit DomainParser(AsmParser &parser) : parser(parser) {}

  Attribute parse() {
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                       [&] { return parseItem(); }))
      return {};
    if (!hasLogical) {
      parser.emitError(loc) << "expected 'logical = [...]' in a domain";
      return {};
    }
    if (!hasLoop)
      loop = logical;
    parallel.resize(loop.size(), ParallelType::Serial);
    if (!hasAllocation)
      for (unsigned id : logical)
        if (kinds[id] != IdKind::Reduction)
          allocation.push_back(id);
    contiguity.resize(allocation.size(), true);
    return DomainAttr::getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                                  ArrayRef(kinds), ArrayRef(root), ArrayRef(logical),
                                  ArrayRef(transforms), ArrayRef(loop), ArrayRef(parallel),
                                  ArrayRef(allocation), ArrayRef(contiguity));
  }

private:
  ParseResult parseItem() {
    SMLoc loc = parser.getCurrentLocation();
    StringRef keyword;
    if (parser.parseKeyword(&keyword))
      return failure();
    if (keyword == "root" || keyword == "logical" || keyword == "loop" || keyword == "allocation")
      return parseDomainList(keyword, loc);
    std::optional<TransformKind> kind = llvm::StringSwitch<std::optional<TransformKind>>(keyword)
                                            .Case("split", TransformKind::Split)
                                            .Case("merge", TransformKind::Merge)
                                            .Case("swizzle", TransformKind::Swizzle)
                                            .Case("resize", TransformKind::Resize)
                                            .Case("broadcast", TransformKind::Broadcast)
                                            .Default(std::nullopt);
    if (!kind)
      return parser.emitError(loc)
             << "expected a domain (root, logical, loop, allocation) or a transform (split, "
                "merge, swizzle, resize, broadcast), but got '"
             << keyword << "'";
    return parseTransform(*kind, loc);
  }

  ParseResult parseDomainList(StringRef keyword, SMLoc loc) {
    bool &seen = keyword == "root"      ? hasRoot
                 : keyword == "logical" ? hasLogical
                 : keyword == "loop"    ? hasLoop
                                        : hasAllocation;
    if (seen)
      return parser.emitError(loc) << "expected '" << keyword << "' once";
    seen = true;
    if (keyword == "root" && (!kinds.empty() || hasLogical))
      return parser.emitError(loc) << "expected 'root' before every other part of a domain";
    bool defines = kinds.empty() && (keyword == "root" || (keyword == "logical" && !hasRoot));
    SmallVector<unsigned> &ids = keyword == "root"      ? root
                                 : keyword == "logical" ? logical
                                 : keyword == "loop"    ? loop
                                                        : allocation;
    if (parser.parseEqual())
      return failure();
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
      unsigned id;
      if (defines ? parseDefinition(id) : parseUse(id))
        return failure();
      ids.push_back(id);
      if (keyword == "loop")
        return parseParallelType();
      if (keyword == "allocation")
        contiguity.push_back(failed(parser.parseOptionalKeyword("strided")));
      return success();
    });
  }

  ParseResult parseParallelType() {
    parallel.push_back(ParallelType::Serial);
    // `@name` lexes as a symbol.
    StringAttr name;
    SMLoc loc = parser.getCurrentLocation();
    if (failed(parser.parseOptionalSymbolName(name)))
      return success();
    std::optional<ParallelType> type = symbolizeParallelType(name.getValue());
    if (!type)
      return parser.emitError(loc)
             << "expected a parallel type, but got '@" << name.getValue() << "'";
    parallel.back() = *type;
    return success();
  }

  ParseResult parseTransform(TransformKind kind, SMLoc loc) {
    if (!hasLogical && !hasRoot)
      return parser.emitError(loc) << "expected 'root' or 'logical' before the first transform";
    DomainTransform transform{kind};
    if (parser.parseLParen())
      return failure();
    unsigned numInputs = transform.getInputs().size(), numOutputs = transform.getOutputs().size();
    for (unsigned i = 0; i < numInputs; ++i)
      if ((i && parser.parseComma()) || parseUse(transform.inputs[i]))
        return failure();
    if (kind == TransformKind::Split) {
      if (parser.parseComma())
        return failure();
      transform.inner = failed(parser.parseOptionalKeyword("outer"));
    }
    if (kind == TransformKind::Swizzle || kind == TransformKind::Resize)
      if (parser.parseComma())
        return failure();
    if (kind == TransformKind::Split || kind == TransformKind::Swizzle ||
        kind == TransformKind::Resize)
      if (parser.parseInteger(transform.value))
        return failure();
    if (kind == TransformKind::Resize &&
        (parser.parseComma() || parser.parseInteger(transform.after)))
      return failure();
    if (parser.parseRParen() || parser.parseArrow())
      return failure();
    bool pair = numOutputs == 2;
    if ((pair && parser.parseLParen()) || parseDefinition(transform.outputs[0]) ||
        (pair &&
         (parser.parseComma() || parseDefinition(transform.outputs[1]) || parser.parseRParen())))
      return failure();
    transforms.push_back(transform);
    return success();
  }

  ParseResult parseDefinition(unsigned &id) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    std::optional<IdKind> kind = llvm::StringSwitch<std::optional<IdKind>>(name.take_front())
                                     .Case("i", IdKind::Iteration)
                                     .Case("r", IdKind::Reduction)
                                     .Case("b", IdKind::Broadcast)
                                     .Case("e", IdKind::Expanded)
                                     .Default(std::nullopt);
    if (!kind)
      return parser.emitError(loc)
             << "expected an id named after its kind (i, r, b or e first), but got '" << name
             << "'";
    id = kinds.size();
    if (!names.try_emplace(name, id).second)
      return parser.emitError(loc) << "expected a new id, but '" << name << "' is already defined";
    kinds.push_back(*kind);
    return success();
  }

  ParseResult parseUse(unsigned &id) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    auto it = names.find(name);
    if (it == names.end())
      return parser.emitError(loc) << "expected an id defined before, but got '" << name << "'";
    id = it->second;
    return success();
  }

  AsmParser &parser;
  llvm::StringMap<unsigned> names;
  SmallVector<IdKind> kinds;
  SmallVector<unsigned> root, logical, loop, allocation;
  SmallVector<DomainTransform> transforms;
  SmallVector<ParallelType> parallel;
  SmallVector<bool> contiguity;
  bool hasRoot = false, hasLogical = false, hasLoop = false, hasAllocation = false;
};

/// Writes one #fuser.domain.
class DomainPrinter {
public:
  DomainPrinter(AsmPrinter &printer, DomainAttr domain) : printer(printer), domain(domain) {}

  void print() {
    printer << "<";
    bool hasRoot = !domain.getRoot().empty();
    if (hasRoot)
      printList("root", domain.getRoot());
    else
      printList("logical", domain.getLogical());
    for (const DomainTransform &transform : domain.getTransforms()) {
      printer << ", ";
      printTransform(transform);
    }
    if (hasRoot) {
      printer << ", ";
      printList("logical", domain.getLogical());
    }
    printer << ", loop = [";
    llvm::interleaveComma(llvm::zip(domain.getLoop(), domain.getParallel()), printer,
                          [&](auto pair) {
                            printId(std::get<0>(pair));
                            if (std::get<1>(pair) != ParallelType::Serial)
                              printer << " @" << stringifyParallelType(std::get<1>(pair));
                          });
    printer << "], allocation = [";
    llvm::interleaveComma(llvm::zip(domain.getAllocation(), domain.getContiguity()), printer,
                          [&](auto pair) {
                            printId(std::get<0>(pair));
                            if (!std::get<1>(pair))
                              printer << " strided";
                          });
    printer << "]>";
  }

private:
  void printId(unsigned id) {
    static constexpr char letters[] = {'i', 'r', 'b', 'e'};
    printer << letters[static_cast<unsigned>(domain.getKinds()[id])] << id;
  }

  void printList(StringRef name, ArrayRef<unsigned> ids) {
    printer << name << " = [";
    llvm::interleaveComma(ids, printer, [&](unsigned id) { printId(id); });
    printer << "]";
  }

  void printTransform(const DomainTransform &transform) {
    static constexpr const char *names[] = {"split", "merge", "swizzle", "resize", "broadcast"};
    printer << names[static_cast<unsigned>(transform.kind)] << "(";
    llvm::interleaveComma(transform.getInputs(), printer, [&](unsigned id) { printId(id); });
    if (transform.kind == TransformKind::Split)
      printer << (transform.inner ? ", " : ", outer ") << transform.value;
    if (transform.kind == TransformKind::Swizzle)
      printer << ", " << transform.value;
    if (transform.kind == TransformKind::Resize)
      printer << ", " << transform.value << ", " << transform.after;
    ArrayRef<unsigned> outputs = transform.getOutputs();
    printer << ") -> " << (outputs.size() == 2 ? "(" : "");
    llvm::interleaveComma(outputs, printer, [&](unsigned id) { printId(id); });
    printer << (outputs.size() == 2 ? ")" : "");
  }

  AsmPrinter &printer;
  DomainAttr domain;
};

} // namespace

Attribute DomainAttr::parse(AsmParser &parser, Type) { return DomainParser(parser).parse(); }

void DomainAttr::print(AsmPrinter &printer) const { DomainPrinter(printer, *this).print(); }
