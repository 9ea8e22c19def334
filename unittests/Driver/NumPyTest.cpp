//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reading and writing .npy files, whole and damaged.
//
//===----------------------------------------------------------------------===//

#include "fuser/Driver/NumPy.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "gtest/gtest.h"

#include <fstream>
#include <numeric>

using namespace fuser::driver;
using fuser::artifact::ErrorCode;
using fuser::artifact::Expected;

namespace {

class NumPyTest : public testing::Test {
protected:
  NumPyTest() {
    llvm::SmallString<128> name;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("fuser", "npy", name));
    path = name.str().str();
  }
  ~NumPyTest() override { llvm::sys::fs::remove(path); }

  /// Writes a file of version 1 with this header, followed by these bytes.
  void writeFile(const std::string &header, const std::string &bytes) {
    std::ofstream stream(path, std::ios::binary);
    stream << "\x93NUMPY" << '\x01' << '\x00' << char(header.size() & 0xff)
           << char(header.size() >> 8) << header << bytes;
  }
  std::string errorOf(const std::string &header, const std::string &bytes) {
    writeFile(header, bytes);
    Expected<HostArray> array = readNumPy(path);
    if (array)
      return "no error";
    std::string message = array.error().message;
    EXPECT_EQ(message.substr(0, path.size() + 2), path + ": ");
    return message.substr(path.size() + 2);
  }

  std::string path;
};

TEST_F(NumPyTest, ReadsBackEveryTypeThatItWrites) {
  for (DType dtype : {DType::Bool, DType::I8, DType::I16, DType::I32, DType::I64, DType::U8,
                      DType::U16, DType::U32, DType::U64, DType::F16, DType::BF16, DType::F32,
                      DType::F64, DType::Complex64, DType::Complex128}) {
    for (std::vector<int64_t> shape : {std::vector<int64_t>{}, {5}, {3, 2}, {0, 7}}) {
      HostArray array;
      array.dtype = dtype;
      array.shape = shape;
      array.bytes.resize(array.getNumElements() * byteSize(dtype));
      std::iota(array.bytes.begin(), array.bytes.end(), 1);
      ASSERT_TRUE(writeNumPy(path, array).ok());
      Expected<HostArray> read = readNumPy(path);
      ASSERT_TRUE(read.ok()) << read.error().message;
      EXPECT_EQ(read->dtype, dtype);
      EXPECT_EQ(read->shape, shape);
      EXPECT_EQ(read->bytes, array.bytes);
    }
  }
}

TEST_F(NumPyTest, ElementsStartAtAMultipleOf64) {
  HostArray array;
  array.shape = {1};
  array.bytes.resize(4);
  ASSERT_TRUE(writeNumPy(path, array).ok());
  uint64_t size;
  ASSERT_FALSE(llvm::sys::fs::file_size(path, size));
  EXPECT_EQ((size - 4) % 64, 0u);
}

TEST_F(NumPyTest, TurnsFortranOrderIntoRowMajor) {
  writeFile("{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3), }\n", "adbecf");
  Expected<HostArray> array = readNumPy(path);
  ASSERT_TRUE(array.ok()) << array.error().message;
  EXPECT_EQ(std::string(array->bytes.begin(), array->bytes.end()), "abcdef");
}

TEST_F(NumPyTest, ReadsUint16AsBF16WhereAsked) {
  writeFile("{'descr': '<u2', 'fortran_order': False, 'shape': (1,), }\n",
            std::string("\x80\x3f", 2));
  EXPECT_EQ(readNumPy(path)->dtype, DType::U16);
  EXPECT_EQ(readNumPy(path, /*uint16IsBF16=*/true)->dtype, DType::BF16);
}

TEST_F(NumPyTest, RefusesDamagedFiles) {
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n";
  EXPECT_EQ(errorOf(good, "1234"), "expected 8 bytes of elements, but got 4");
  EXPECT_EQ(errorOf("{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }\n", "12345678"),
            "expected a little-endian bool, integer, float or complex type, but got '>f4'");
  EXPECT_EQ(errorOf("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }\n", ""),
            "expected 'descr' to name one element type");
  EXPECT_EQ(errorOf("{'descr': '<f4', 'fortran_order': 3, 'shape': (2,), }\n", ""),
            "expected 'fortran_order' to be True or False");
  for (const char *shape : {"2", "(2, -1)", "(2, x)", "(4294967296, 4294967296)", "(2"})
    EXPECT_EQ(
        errorOf("{'descr': '<f4', 'fortran_order': False, 'shape': " + std::string(shape), ""),
        "expected 'shape' to be a tuple of sizes");
  std::ofstream(path, std::ios::binary) << "\x93NUMPY\x01";
  EXPECT_EQ(readNumPy(path).error().message,
            path + ": expected a .npy file, but got no NumPy magic");
  std::ofstream(path, std::ios::binary) << "\x93NUMPY\x01" << std::string("\x00\x40\x00{", 4);
  EXPECT_EQ(readNumPy(path).error().message,
            path + ": expected a header of 64 bytes, but the file ends");
  for (char version : {0, 4, 9}) {
    std::ofstream(path, std::ios::binary)
        << "\x93NUMPY" << version << std::string("\x00\x40\x00{", 4);
    EXPECT_EQ(readNumPy(path).error().message,
              path + ": expected .npy version 1, 2 or 3, but got " + std::to_string(version));
  }
}

TEST_F(NumPyTest, RefusesFilesThatAreNotThere) {
  Expected<HostArray> array = readNumPy("/nonexistent/a.npy");
  ASSERT_FALSE(array.ok());
  EXPECT_EQ(array.error().code, ErrorCode::IoError);
  EXPECT_EQ(array.error().message, "/nonexistent/a.npy: No such file or directory");
  HostArray one;
  one.bytes.resize(4);
  EXPECT_EQ(writeNumPy("/nonexistent/a.npy", one).error().code, ErrorCode::IoError);
}

TEST_F(NumPyTest, WritesEitherF8AsRawBytes) {
  for (DType dtype : {DType::F8E4M3, DType::F8E5M2}) {
    HostArray array;
    array.dtype = dtype;
    array.shape = {2, 2};
    array.bytes = {1, 2, char(0x80), 127};
    ASSERT_TRUE(writeNumPy(path, array).ok());
    Expected<HostArray> back = readNumPy(path);
    ASSERT_TRUE(back.ok());
    // The file does not tell which one it is.
    EXPECT_EQ(back->dtype, DType::F8E4M3);
    EXPECT_EQ(back->bytes, array.bytes);
    EXPECT_EQ(back->shape, array.shape);
  }
}

} // namespace
