//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Objects of the host device: relocations of both architectures, and files that are damaged.
//
//===----------------------------------------------------------------------===//

#include "ObjectLoader.h"
#include "ElfObject.h"
#include "HostKernelTest.h"
#include "Relocate.h"
#include "llvm/Support/TargetSelect.h"

#include <elf.h>
#include <unistd.h>

using namespace fuser;
using namespace fuser::runtime;
using namespace fuser::runtime::host;

namespace {

/// Calls of the scheduler and of the math library, constants in memory.
constexpr const char *kKernel = R"mlir(
gpu.module @loaded {
  gpu.func @loaded(%x: memref<f32>, %y: memref<f32>) workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %x[] : memref<f32>
    %e = math.erf %v : f32
    %p = math.powf %e, %v : f32
    memref.store %p, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %c0 = arith.constant 0 : index
    %r = memref.load %s[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %r, %y[] : memref<f32>
    gpu.return
  }
}
)mlir";

#if defined(__x86_64__)
/// Data of other libraries, found through the global offset table, which follows constants.
constexpr const char *kData = R"mlir(
gpu.module @loaded {
  gpu.func @loaded(%x: memref<f32>, %y: memref<f32>) kernel {
    %v = memref.load %x[] : memref<f32>
    %vs = vector.broadcast %v : f32 to vector<64xf32>
    %table = arith.constant dense<[
      1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0,
      17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0,
      33.0, 34.0, 35.0, 36.0, 37.0, 38.0, 39.0, 40.0, 41.0, 42.0, 43.0, 44.0, 45.0, 46.0, 47.0, 48.0,
      49.0, 50.0, 51.0, 52.0, 53.0, 54.0, 55.0, 56.0, 57.0, 58.0, 59.0, 60.0, 61.0, 62.0, 63.0, 64.0]> : vector<64xf32>
    %products = arith.mulf %table, %vs : vector<64xf32>
    %e = vector.reduction <add>, %products : vector<64xf32> into f32
    %u0 = llvm.inline_asm has_side_effects "movq environ@GOTPCREL(%rip), $0", "=r" : () -> !llvm.ptr
    %u1 = llvm.inline_asm has_side_effects "movq stdin@GOTPCREL(%rip), $0", "=r" : () -> !llvm.ptr
    %u2 = llvm.inline_asm has_side_effects "movq stdout@GOTPCREL(%rip), $0", "=r" : () -> !llvm.ptr
    %u3 = llvm.inline_asm has_side_effects "movq stderr@GOTPCREL(%rip), $0", "=r" : () -> !llvm.ptr
    %u4 = llvm.inline_asm has_side_effects "movq daylight@GOTPCREL(%rip), $0", "=r" : () -> !llvm.ptr
    %u5 = llvm.inline_asm has_side_effects "movq timezone@GOTPCREL(%rip), $0", "=r" : () -> !llvm.ptr
    %u6 = llvm.inline_asm has_side_effects "movq tzname@GOTPCREL(%rip), $0", "=r" : () -> !llvm.ptr
    %u7 = llvm.inline_asm has_side_effects "movq optarg@GOTPCREL(%rip), $0", "=r" : () -> !llvm.ptr
    %u8 = llvm.inline_asm has_side_effects "movq program_invocation_name@GOTPCREL(%rip), $0", "=r" : () -> !llvm.ptr
    %u9 = llvm.inline_asm has_side_effects "movq program_invocation_short_name@GOTPCREL(%rip), $0", "=r" : () -> !llvm.ptr
    %u10 = llvm.inline_asm has_side_effects "movq in6addr_any@GOTPCREL(%rip), $0", "=r" : () -> !llvm.ptr
    %u11 = llvm.inline_asm has_side_effects "movq in6addr_loopback@GOTPCREL(%rip), $0", "=r" : () -> !llvm.ptr
    %a0 = llvm.inline_asm "movq optind@GOTPCREL(%rip), $0", "=r" : () -> !llvm.ptr
    %a1 = llvm.inline_asm "movq opterr@GOTPCREL(%rip), $0", "=r" : () -> !llvm.ptr
    %a2 = llvm.inline_asm "movq optopt@GOTPCREL(%rip), $0", "=r" : () -> !llvm.ptr
    %i0 = llvm.load %a0 : !llvm.ptr -> i32
    %i1 = llvm.load %a1 : !llvm.ptr -> i32
    %i2 = llvm.load %a2 : !llvm.ptr -> i32
    %f0 = arith.sitofp %i0 : i32 to f32
    %f1 = arith.sitofp %i1 : i32 to f32
    %f2 = arith.sitofp %i2 : i32 to f32
    %s0 = arith.addf %e, %f0 : f32
    %p1 = arith.mulf %f1, %f2 : f32
    %s1 = arith.addf %s0, %p1 : f32
    memref.store %s1, %y[] : memref<f32>
    gpu.return
  }
}
)mlir";
#endif

class ObjectLoaderTest : public fuser::test::HostKernelTest {
protected:
  artifact::Kernel compile(const char *text = kKernel, const HostTargetOptions &options = {}) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context, "kernel.mlir");
    EXPECT_TRUE(module);
    auto object = emitHostObject(*module->getOps<mlir::gpu::GPUModuleOp>().begin(), options);
    EXPECT_TRUE(mlir::succeeded(object));
    return toKernel(*object);
  }
  static bool isLoadError(const artifact::Error &error) {
    return error.code == ErrorCode::KernelLoadFailed || error.code == ErrorCode::VersionMismatch ||
           error.code == ErrorCode::Unsupported;
  }
};

TEST_F(ObjectLoaderTest, LinksAndRuns) {
  artifact::Kernel kernel = compile();
  auto loaded = device->loadKernel(kernel);
  ASSERT_TRUE(loaded.ok()) << loaded.error().str();
  float x = 0.7f, y = 0;
  fuser::test::Parameters parameters(&x, &y);
  Status status = launch(**loaded, fuser::test::shape(1, 64), parameters);
  ASSERT_TRUE(status.ok()) << status.error().str();
  EXPECT_NEAR(y, std::pow(std::erf(0.7), 0.7), 1e-6);
}

#if defined(__x86_64__)
TEST_F(ObjectLoaderTest, FindsDataOfOtherLibraries) {
  llvm::InitializeNativeTargetAsmParser();
  auto loaded = device->loadKernel(compile(kData));
  ASSERT_TRUE(loaded.ok()) << loaded.error().str();
  for (int number : {1, 5}) {
    optind = number;
    opterr = 10 * number;
    optopt = 3;
    float x = 0.5f, y = 0;
    fuser::test::Parameters parameters(&x, &y);
    Status status = launch(**loaded, fuser::test::shape(1, 1), parameters);
    ASSERT_TRUE(status.ok()) << status.error().str();
    EXPECT_EQ(y, 1040 + 31 * number);
  }
}
#endif

TEST_F(ObjectLoaderTest, EveryTruncationIsRefused) {
  artifact::Kernel whole = compile(), cut = whole;
  for (size_t bytes = 0; bytes < whole.code.size(); ++bytes) {
    cut.code = whole.code.substr(0, bytes);
    auto loaded = LoadedObject::load(cut);
    ASSERT_FALSE(loaded.ok()) << bytes;
    ASSERT_EQ(loaded.error().code, ErrorCode::KernelLoadFailed) << bytes;
  }
}

/// A flipped bit of the code goes unnoticed, because the artifact's hash protects it; one of the
/// tables is a typed error or without effect.
TEST_F(ObjectLoaderTest, FlippedBytesNeverCrash) {
  artifact::Kernel whole = compile(), damaged = whole;
  size_t refused = 0;
  for (size_t at = 0; at < whole.code.size(); ++at)
    for (unsigned char bits : {0x01, 0x80, 0xff}) {
      damaged.code[at] = static_cast<char>(whole.code[at] ^ bits);
      auto loaded = LoadedObject::load(damaged);
      damaged.code[at] = whole.code[at];
      if (loaded)
        continue;
      ++refused;
      ASSERT_TRUE(isLoadError(loaded.error())) << at << ": " << loaded.error().str();
    }
  EXPECT_GT(refused, 300u);
}

TEST_F(ObjectLoaderTest, NamesWhatIsMissing) {
  artifact::Kernel kernel = compile();
  size_t at = kernel.code.find("powf");
  ASSERT_NE(at, std::string::npos);
  kernel.code.replace(at, 4, "zowf");
  auto loaded = LoadedObject::load(kernel);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().str(),
            "KernelLoadFailed: kernel 'loaded': expected an object that links on this host, but "
            "got: symbol 'zowf' is not defined");

  kernel = compile();
  kernel.entry = "other";
  loaded = LoadedObject::load(kernel);
  ASSERT_FALSE(loaded.ok());
  EXPECT_NE(loaded.error().message.find("'fuser_host_info_other' is not defined"),
            std::string::npos);
  kernel.chip = "aarch64-unknown-linux-gnu";
  loaded = LoadedObject::load(kernel);
  ASSERT_FALSE(loaded.ok());
#if defined(__x86_64__)
  EXPECT_EQ(loaded.error().code, ErrorCode::Unsupported);
#endif
}

/// What the object says of itself.
TEST_F(ObjectLoaderTest, OtherInterfacesAndProcessorsAreRefused) {
  artifact::Kernel kernel = compile();
  auto elf = ElfObject::read(kernel.code);
  ASSERT_TRUE(elf.ok());
  size_t version = 0;
  for (const ElfSymbol &symbol : elf->symbols)
    if (symbol.name == FUSER_HOST_INFO_PREFIX "loaded" && symbol.section != 0)
      version = elf->sections[symbol.section].data.data() + symbol.value - kernel.code.data();
  ASSERT_NE(version, 0u);
  ASSERT_EQ(kernel.code[version], char(FUSER_HOST_ABI_VERSION));
  kernel.code[version] = char(FUSER_HOST_ABI_VERSION + 1);
  auto loaded = LoadedObject::load(kernel);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().str(), "VersionMismatch: kernel 'loaded': expected version " +
                                      std::to_string(FUSER_HOST_ABI_VERSION) +
                                      " of the host interface, but got " +
                                      std::to_string(FUSER_HOST_ABI_VERSION + 1));
#if defined(__x86_64__)
  HostTargetOptions options;
  options.cpu = "btver1";
  loaded = LoadedObject::load(compile(kKernel, options));
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().str(), "Unsupported: kernel 'loaded': expected code that a " +
                                      hostProcessor() + " runs, but got code for btver1");
#endif
}

uint32_t patched(uint32_t type, uint32_t word, uint64_t address, uint64_t target,
                 int64_t addend = 0) {
  unsigned char bytes[4];
  std::memcpy(bytes, &word, 4);
  EXPECT_TRUE(relocate(type, bytes, address, target, addend, kAArch64)) << type;
  std::memcpy(&word, bytes, 4);
  return word;
}

/// The words are those of LLVM's linker for the same instructions and addresses.
TEST(Relocate, AArch64) {
  constexpr uint64_t code = 0x210000, far = 0x1010004, data = 0x8765000;
  EXPECT_EQ(patched(R_AARCH64_CALL26, 0x94000000, code, far), 0x94380001u);
  EXPECT_EQ(patched(R_AARCH64_JUMP26, 0x14000000, code + 4, far), 0x14380000u);
  EXPECT_EQ(patched(R_AARCH64_ADR_PREL_PG_HI21, 0x90000000, code + 8, data, 0x50), 0xb0042aa0u);
  EXPECT_EQ(patched(R_AARCH64_ADR_GOT_PAGE, 0x90000000, code + 8, data + 0x50), 0xb0042aa0u);
  EXPECT_EQ(patched(R_AARCH64_ADD_ABS_LO12_NC, 0x91000000, code, data, 0x50), 0x91014000u);
  EXPECT_EQ(patched(R_AARCH64_LDST8_ABS_LO12_NC, 0x39400001, code, data, 0x50), 0x39414001u);
  EXPECT_EQ(patched(R_AARCH64_LDST16_ABS_LO12_NC, 0x79400001, code, data, 0x50), 0x7940a001u);
  EXPECT_EQ(patched(R_AARCH64_LDST32_ABS_LO12_NC, 0xb9400001, code, data, 0x50), 0xb9405001u);
  EXPECT_EQ(patched(R_AARCH64_LDST64_ABS_LO12_NC, 0xf9400001, code, data, 0x50), 0xf9402801u);
  EXPECT_EQ(patched(R_AARCH64_LD64_GOT_LO12_NC, 0xf9400001, code, data + 0x50), 0xf9402801u);
  EXPECT_EQ(patched(R_AARCH64_LDST128_ABS_LO12_NC, 0x3dc00001, code, data, 0x50), 0x3dc01401u);
  EXPECT_EQ(patched(R_AARCH64_PREL32, 0, 0x8765060, code), 0xf7aaafa0u);
}

TEST(Relocate, RefusesWhatDoesNotFit) {
  unsigned char bytes[8] = {};
  EXPECT_FALSE(relocate(R_AARCH64_CALL26, bytes, 0, 1 << 27, 0, kAArch64));
  EXPECT_FALSE(relocate(R_AARCH64_LDST64_ABS_LO12_NC, bytes, 0, 12, 0, kAArch64));
  EXPECT_FALSE(relocate(R_X86_64_PC32, bytes, 0, uint64_t(1) << 31, 0, kX86_64));
  EXPECT_TRUE(relocate(R_X86_64_PC32, bytes, uint64_t(1) << 31, 0, 0, kX86_64));
  EXPECT_FALSE(relocate(R_X86_64_32, bytes, 0, uint64_t(1) << 32, 0, kX86_64));
  EXPECT_TRUE(relocate(R_X86_64_64, bytes, 0, uint64_t(1) << 63, -1, kX86_64));
  EXPECT_EQ(bytes[0], 0xff);
  EXPECT_EQ(bytes[7], 0x7f);
  EXPECT_FALSE(relocate(R_X86_64_TPOFF32, bytes, 0, 0, 0, kX86_64));
  EXPECT_EQ(getRelocationBytes(R_X86_64_TPOFF32, kX86_64), 0u);
}

} // namespace
