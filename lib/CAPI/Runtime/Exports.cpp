//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The source file of libfuser_runtime.so; all symbols come from the room's archive.
//
//===----------------------------------------------------------------------===//
