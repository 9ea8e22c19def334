//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The page: the data of the report, and the files in Page/, which show it.
//
//===----------------------------------------------------------------------===//

#include "PageFiles.h.inc"
#include "fuser/Explain/Explanation.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::explain;

template <size_t N> static StringRef getText(const char (&bytes)[N]) { return {bytes, N}; }

/// Text for HTML.
static void printEscaped(llvm::raw_ostream &out, StringRef text) {
  for (char c : text)
    switch (c) {
    case '<':
      out << "&lt;";
      break;
    case '>':
      out << "&gt;";
      break;
    case '&':
      out << "&amp;";
      break;
    default:
      out << c;
    }
}

/// JSON in an element of HTML, which ends at the first "</script" and nests at "<!--": a '<' is
/// only in strings, where it has another spelling.
static void printData(llvm::raw_ostream &out, const Explanation &explanation) {
  std::string text = llvm::formatv("{0}", writeJson(explanation)).str();
  for (char c : text)
    if (c == '<')
      out << "\\u003c";
    else
      out << c;
}

void fuser::explain::printHtml(llvm::raw_ostream &out, const Explanation &explanation) {
  StringRef rest = getText(report_html);
  while (!rest.empty()) {
    // A part of the page is at each "{{name}}".
    auto [before, after] = rest.split("{{");
    auto [name, next] = after.split("}}");
    out << before;
    if (name == "title")
      printEscaped(out, explanation.program);
    else if (name == "style")
      out << getText(report_css);
    else if (name == "data")
      printData(out, explanation);
    else if (name == "script")
      out << "(() => {\n\"use strict\";\n"
          << getText(base_js) << getText(graph_js) << getText(cost_js) << getText(nest_js)
          << getText(stages_js) << getText(report_js) << "})();\n";
    rest = next;
  }
}
