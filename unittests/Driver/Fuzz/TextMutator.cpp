//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TextMutator.h"

#include "fuser/Dialect/IR/Fuser.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <random>

using namespace fuser;
using namespace fuser::fuzz;
using llvm::SmallVector;
using llvm::StringRef;

namespace {

enum class TokenKind { Space, Number, Id, Parallel, Word, Value, Punctuation };

struct Token {
  TokenKind kind;
  std::string text;
};

class TextMutator {
public:
  TextMutator(StringRef text, uint64_t seed) : random(seed) { tokenize(text); }
  void edit();
  std::string str() const;

private:
  void tokenize(StringRef text);
  unsigned below(size_t end) { return unsigned(random() % end); }
  SmallVector<unsigned> getTokens(TokenKind kind) const;
  bool pick(TokenKind kind, unsigned &token);
  std::string getNumber(StringRef old);
  void replace(TokenKind kind);
  void swapTokens(TokenKind kind);
  void editLine();

  std::mt19937_64 random;
  std::vector<Token> tokens;
};

} // namespace

static bool isWordCharacter(char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$'; }

static TokenKind getKind(StringRef token) {
  const char first = token.front();
  if (llvm::isSpace(first))
    return TokenKind::Space;
  if (first == '%')
    return TokenKind::Value;
  if (first == '@')
    return symbolizeParallelType(token.drop_front()) ? TokenKind::Parallel : TokenKind::Word;
  if (llvm::isDigit(first) || (first == '-' && token.size() > 1 && llvm::isDigit(token[1])))
    return TokenKind::Number;
  if (first == 'i' && token.size() > 1 && llvm::all_of(token.drop_front(), llvm::isDigit))
    return TokenKind::Id;
  return isWordCharacter(first) ? TokenKind::Word : TokenKind::Punctuation;
}

/// Sizes and element types of tensors, "4x?xf32", are tokens of their own.
static size_t getLength(StringRef text) {
  auto count = [&](size_t from, auto isPart) {
    while (from < text.size() && isPart(text[from]))
      ++from;
    return from;
  };
  const char first = text.front();
  if (llvm::isSpace(first))
    return count(1, [](char c) { return llvm::isSpace(c); });
  if (first == '%' || first == '@' || first == '#')
    return count(1, isWordCharacter);
  if (llvm::isDigit(first) || (first == '-' && text.size() > 1 && llvm::isDigit(text[1])))
    return count(1, [](char c) { return llvm::isDigit(c) || c == '.' || c == 'e' || c == '+'; });
  return isWordCharacter(first) && first != 'x' ? count(1, isWordCharacter) : 1;
}

void TextMutator::tokenize(StringRef text) {
  while (!text.empty()) {
    const size_t length = getLength(text);
    StringRef token = text.take_front(length);
    tokens.push_back({getKind(token), token.str()});
    text = text.drop_front(length);
  }
}

std::string TextMutator::str() const {
  std::string text;
  for (const Token &token : tokens)
    text += token.text;
  return text;
}

SmallVector<unsigned> TextMutator::getTokens(TokenKind kind) const {
  SmallVector<unsigned> found;
  for (unsigned i = 0, e = tokens.size(); i < e; ++i)
    if (tokens[i].kind == kind)
      found.push_back(i);
  return found;
}

bool TextMutator::pick(TokenKind kind, unsigned &token) {
  SmallVector<unsigned> found = getTokens(kind);
  if (!found.empty())
    token = found[below(found.size())];
  return !found.empty();
}

/// No sizes between those that run quickly and those that no machine has.
std::string TextMutator::getNumber(StringRef old) {
  static const char *const kNumbers[] = {"0",
                                         "1",
                                         "2",
                                         "3",
                                         "4",
                                         "7",
                                         "16",
                                         "33",
                                         "-1",
                                         "-2",
                                         "1099511627777",
                                         "9223372036854775807",
                                         "-9223372036854775808",
                                         "18446744073709551616"};
  int64_t number = 0;
  const bool isInteger = !old.getAsInteger(10, number) && number > -1000 && number < 1000;
  switch (below(isInteger ? 5 : 1)) {
  case 1:
    return std::to_string(number + 1);
  case 2:
    return std::to_string(number - 1);
  case 3:
    return std::to_string(number * 2);
  default:
    return kNumbers[below(std::size(kNumbers))];
  }
}

void TextMutator::replace(TokenKind kind) {
  unsigned token = 0, other = 0;
  if (!pick(kind, token))
    return;
  std::string &text = tokens[token].text;
  if (kind == TokenKind::Number && below(2)) {
    text = getNumber(text);
  } else if (kind == TokenKind::Parallel && below(2)) {
    const auto type = symbolizeParallelType(below(getMaxEnumValForParallelType() + 1));
    text = type ? "@" + stringifyParallelType(*type).str() : "";
  } else if (pick(kind, other)) {
    text = tokens[other].text;
  }
}

void TextMutator::swapTokens(TokenKind kind) {
  unsigned first = 0, second = 0;
  if (pick(kind, first) && pick(kind, second))
    std::swap(tokens[first], tokens[second]);
}

/// Drops, repeats or swaps lines of the program.
void TextMutator::editLine() {
  std::string text = str();
  SmallVector<StringRef> lines;
  StringRef(text).split(lines, '\n');
  const unsigned line = below(lines.size()), other = below(lines.size());
  switch (below(3)) {
  case 0:
    lines.erase(lines.begin() + line);
    break;
  case 1:
    lines.insert(lines.begin() + line, lines[other]);
    break;
  default:
    std::swap(lines[line], lines[other]);
  }
  std::string edited = llvm::join(lines, "\n");
  tokens.clear();
  tokenize(edited);
}

void TextMutator::edit() {
  if (tokens.empty())
    return;
  constexpr TokenKind kKinds[] = {TokenKind::Number, TokenKind::Number,   TokenKind::Number,
                                  TokenKind::Id,     TokenKind::Id,       TokenKind::Id,
                                  TokenKind::Value,  TokenKind::Parallel, TokenKind::Parallel,
                                  TokenKind::Word};
  const TokenKind kind = kKinds[below(std::size(kKinds))];
  const unsigned action = below(20);
  unsigned token = below(tokens.size());
  if (action < 12)
    return replace(kind);
  if (action < 15)
    return swapTokens(kind);
  if (action == 15)
    return editLine();
  if (action < 18)
    pick(kind, token);
  if (action % 2)
    tokens.erase(tokens.begin() + token);
  else
    tokens.insert(tokens.begin() + token, tokens[below(tokens.size())]);
}

std::string fuser::fuzz::mutateText(StringRef text, unsigned count, uint64_t seed) {
  TextMutator mutator(text, seed);
  for (unsigned i = 0; i < count; ++i)
    mutator.edit();
  return mutator.str();
}
