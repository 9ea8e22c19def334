/*===----------------------------------------------------------------------===
 * Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===
 * The binary interface between a kernel compiled for the host device (room
 * Target/Host) and the scheduler that runs it with one fiber per GPU thread
 * (room Runtime/Host). Plain C: neither side sees the other's headers.
 *
 * A host object for kernel NAME defines one symbol, FUSER_HOST_INFO_PREFIX NAME,
 * a `fuser_host_kernel_info`; everything else is reached through it. It leaves
 * the `fuser_host_*` functions below and the C math library undefined.
 *===----------------------------------------------------------------------===*/
#ifndef FUSER_ARTIFACT_HOSTABI_H
#define FUSER_ARTIFACT_HOSTABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever a struct, a function or the meaning of a field changes. */
#define FUSER_HOST_ABI_VERSION 9u

/* The info symbol of kernel `f` is `fuser_host_info_f`. */
#define FUSER_HOST_INFO_PREFIX "fuser_host_info_"

/* Lanes of a warp: consecutive linear thread ids (x fastest) within a block. */
#define FUSER_HOST_WARP_SIZE 32u

/* What one GPU thread may ask about itself. Written by the scheduler, read by
 * the kernel; constant while one call of the entry lasts. */
typedef struct fuser_host_context {
  uint32_t thread_id[3];
  uint32_t block_id[3];
  uint32_t block_dim[3];
  uint32_t grid_dim[3];
  uint32_t cluster_dim[3];       /* blocks of a cluster; block_id / cluster_dim is the cluster */
  uint32_t lane_id;              /* linear thread id modulo FUSER_HOST_WARP_SIZE */
  uint32_t dynamic_shared_bytes; /* bytes at `dynamic_shared` */
  void *static_shared;           /* the block's `static_shared_bytes` bytes */
  void *dynamic_shared;
} fuser_host_context;

/* Runs one GPU thread. `params[i]` points at the value of parameter i: at a
 * `void *` for a buffer, at the map itself for a tensor map, at an integer of the kernel's index
 * width for an index, at the scalar itself otherwise (i1 as one byte). The convention of
 * cuLaunchKernel, so that both devices pack arguments alike. */
typedef void (*fuser_host_entry)(fuser_host_context *context, void **params);

/* Bits of fuser_host_kernel_info::flags. A kernel that uses none of the waits may
 * be run as a plain loop over threads. */
#define FUSER_HOST_USES_BARRIER 1u
#define FUSER_HOST_USES_SHUFFLE 2u
#define FUSER_HOST_USES_GRID_SYNC 4u     /* must be launched cooperatively */
#define FUSER_HOST_CHECKED 8u            /* calls fuser_host_check_access */
#define FUSER_HOST_USES_CLUSTER 16u      /* waits for the cluster, or accesses its shared memory */
#define FUSER_HOST_USES_COPIES 32u       /* begins asynchronous copies */
#define FUSER_HOST_USES_MATRICES 64u     /* its warps multiply, load or store matrices */
#define FUSER_HOST_USES_WARP_GROUPS 128u /* its warp groups multiply matrices */
#define FUSER_HOST_WAITS 247u            /* all of the above but CHECKED */
#define FUSER_HOST_IS_DEPENDENT 256u     /* its threads wait for the launches before it */

typedef struct fuser_host_kernel_info {
  uint32_t abi_version;
  uint32_t flags;
  uint32_t block_size[3]; /* the only block the kernel was compiled for; 0: any */
  uint32_t static_shared_bytes;
  uint32_t thread_stack_bytes; /* the thread's own arrays, and large frames */
  uint32_t num_params;
  uint32_t num_sites;
  uint32_t reserved;           /* zero */
  const uint32_t *param_bytes; /* size of each parameter's value */
  const char *sites;           /* num_sites texts, each ended by a zero byte */
  const char *name;            /* of the gpu.func */
  const char *cpu;             /* the LLVM processor name it was compiled for */
  fuser_host_entry entry;
} fuser_host_kernel_info;

/* Values of `mode` of fuser_host_shuffle. */
#define FUSER_HOST_SHUFFLE_XOR 0u
#define FUSER_HOST_SHUFFLE_UP 1u
#define FUSER_HOST_SHUFFLE_DOWN 2u
#define FUSER_HOST_SHUFFLE_IDX 3u

typedef struct fuser_host_shuffle_result {
  uint64_t value;
  uint64_t valid; /* 1: the source lane lies in the segment; 0: `value` is the caller's own */
} fuser_host_shuffle_result;

/* Every wait names its `site`, an index into `sites`: threads that wait for each
 * other at different sites have diverged, which is reported instead of a hang. */

/* Waits for every thread of the block that has not returned. */
void fuser_host_barrier(fuser_host_context *context, uint32_t site);

/* Waits for every thread of the grid that has not returned. */
void fuser_host_grid_sync(fuser_host_context *context, uint32_t site);

/* The barrier of the cluster: a thread arrives, and later waits until every thread
 * of the cluster that has not returned has arrived. */
void fuser_host_cluster_arrive(fuser_host_context *context, uint32_t site);
void fuser_host_cluster_wait(fuser_host_context *context, uint32_t site);

/* The address in the shared memory of the block with the number `rank` in the
 * cluster (x fastest) that corresponds to `address` in that of the caller. Ends the
 * launch with an error where there is no such block. */
uint64_t fuser_host_map_peer(fuser_host_context *context, uint32_t site, uint64_t address,
                             uint32_t rank);

/* Begins to copy `bytes` bytes, of which `existing` are read and the others are 0, to
 * shared memory. `memory` is that of the source, as for fuser_host_check_access. The
 * copy is done when the thread waits for its group: as late as a GPU may do it. */
void fuser_host_copy_async(fuser_host_context *context, uint32_t site, uint32_t memory,
                           uint64_t source, uint64_t target, uint32_t bytes, uint32_t existing);
/* Makes a group of the copies that the thread has begun since the last one. */
void fuser_host_copy_commit(fuser_host_context *context);
/* Does all copies but those of the last `pending` groups. */
void fuser_host_copy_wait(fuser_host_context *context, uint32_t pending);

/* Makes the 8 bytes at `barrier`, in shared memory, a barrier whose phases have `count`
 * arrivals. */
void fuser_host_mbarrier_init(fuser_host_context *context, uint32_t site, uint64_t barrier,
                              uint32_t count);
/* Shows the barriers that the thread has initialized to the engine that copies. */
void fuser_host_mbarrier_fence(fuser_host_context *context);
/* Arrives at a barrier, whose present phase waits for `bytes` bytes more. */
void fuser_host_mbarrier_expect(fuser_host_context *context, uint32_t site, uint64_t barrier,
                                uint64_t bytes);
/* Waits until a phase of a barrier is complete, counted from the init. */
void fuser_host_mbarrier_wait(fuser_host_context *context, uint32_t site, uint64_t barrier,
                              uint64_t phase);
/* Begins to copy `bytes` bytes to shared memory, for the present phase of `barrier`.
 * `memory` is that of the source, as for fuser_host_check_access. They are copied when a
 * thread waits for the phase. */
void fuser_host_copy_bulk(fuser_host_context *context, uint32_t site, uint32_t memory,
                          uint64_t source, uint64_t target, uint64_t bytes, uint64_t barrier);

/* Arrives at a barrier without bytes. */
void fuser_host_mbarrier_arrive(fuser_host_context *context, uint32_t site, uint64_t barrier);
/* Begins to copy the box at the coordinates c0 ... (the first `rank` of them, the slowest
 * first) by the tensor map at `map`, in `bytes` bytes, as fuser_host_copy_bulk does. */
void fuser_host_copy_tensor(fuser_host_context *context, uint32_t site, uint32_t memory,
                            uint64_t map, uint64_t target, uint64_t barrier, uint32_t rank,
                            uint64_t bytes, int64_t c0, int64_t c1, int64_t c2, int64_t c3,
                            int64_t c4);
/* Begins to copy what is at `source` in shared memory to the box at the coordinates. */
void fuser_host_store_tensor(fuser_host_context *context, uint32_t site, uint32_t memory,
                             uint64_t map, uint64_t source, uint32_t rank, uint64_t bytes,
                             int64_t c0, int64_t c1, int64_t c2, int64_t c3, int64_t c4);
/* Makes a group of the stores that the thread has begun since the last one. */
void fuser_host_store_commit(fuser_host_context *context);
/* Waits for all groups of stores of the thread but the last `pending` ones. */
void fuser_host_store_wait(fuser_host_context *context, uint32_t pending);
/* Waits for `threads` threads of the block at its barrier `id` (1 to 15). */
void fuser_host_role_barrier(fuser_host_context *context, uint32_t site, uint32_t id,
                             uint32_t threads);

/* The thread has waited for the launches before this one: it may access what they do. */
void fuser_host_wait_dependencies(fuser_host_context *context);

/* Exchanges `value` within the segment of `width` lanes (a power of two, at most
 * the warp) that the calling lane belongs to, and waits for its live lanes.
 * The value of a lane that has returned or never existed is all ones. */
fuser_host_shuffle_result fuser_host_shuffle(fuser_host_context *context, uint32_t site,
                                             uint32_t mode, uint64_t value, uint32_t offset,
                                             uint32_t width);

/* What a lane has of a matrix: registers of 32 bits, two in each word. */
typedef struct fuser_host_fragment {
  uint64_t words[2];
} fuser_host_fragment;

/* All lanes of the warp load 1, 2 or 4 (`count`) matrices of 8 x 8 elements of 16 bits
 * (fuser_gpu.ldmatrix). `memory` is FUSER_HOST_SHARED, or 0 where the access is not
 * checked. */
fuser_host_fragment fuser_host_ldmatrix(fuser_host_context *context, uint32_t site, uint32_t memory,
                                        uint32_t count, uint32_t transposed, uint64_t address);

/* All lanes of the warp store 1, 2 or 4 (`count`) such matrices (fuser_gpu.stmatrix): `word0`
 * and `word1` are what the lane has of them. */
void fuser_host_stmatrix(fuser_host_context *context, uint32_t site, uint32_t memory,
                         uint32_t count, uint32_t transposed, uint64_t address, uint64_t word0,
                         uint64_t word1);

/* Formats of the elements of fuser_host_mma. */
#define FUSER_HOST_BF16 0u
#define FUSER_HOST_F16 1u

/* All lanes of the warp multiply matrices of 16 x k and k x 8 elements, and add the
 * product to one of 16 x 8 f32 (fuser_gpu.mma). */
fuser_host_fragment fuser_host_mma(fuser_host_context *context, uint32_t site, uint32_t format,
                                   uint32_t k, uint64_t lhs0, uint64_t lhs1, uint64_t rhs,
                                   uint64_t sum0, uint64_t sum1);

/* All lanes of a warp group begin to multiply matrices of 64 x 16 and 16 x n elements, and to
 * add the product to one of 64 x n f32 (fuser_gpu.wgmma). Of an operand: the address of its first
 * element, the bytes of a row, and the bytes between parts of transposed rows. `sums` are the
 * n / 2 elements of the lane; afterwards they are undefined until fuser_host_wgmma_result
 * replaces them. */
void fuser_host_wgmma(fuser_host_context *context, uint32_t site, uint32_t format, uint32_t n,
                      uint64_t lhs, uint32_t lhs_bytes, uint32_t lhs_transposed, uint64_t lhs_pitch,
                      uint64_t rhs, uint32_t rhs_bytes, uint32_t rhs_transposed, uint64_t rhs_pitch,
                      float *sums);
/* Of a warp: shows elements of accumulators to the products that follow, makes a group of the
 * products since the last one, and does all products but those of the last `pending` groups. */
void fuser_host_wgmma_fence(fuser_host_context *context, uint32_t site);
void fuser_host_wgmma_commit(fuser_host_context *context, uint32_t site);
void fuser_host_wgmma_wait(fuser_host_context *context, uint32_t site, uint32_t pending);
/* Replaces the `count` undefined elements that a product left by its elements. */
void fuser_host_wgmma_result(fuser_host_context *context, uint32_t site, uint32_t count,
                             float *elements);
/* Shows what the thread wrote to shared memory to products of warp groups. */
void fuser_host_fence_async(fuser_host_context *context);

/* All lanes of a warp group change how many registers each of them has, or wait until others have
 * given back enough (fuser_gpu.set_max_registers). */
void fuser_host_set_max_registers(fuser_host_context *context, uint32_t site, uint32_t increases,
                                  uint32_t registers);

/* Ends the launch with an error: an access that states `alignment` bytes came to
 * `address`. Does not return. */
void fuser_host_fail_alignment(fuser_host_context *context, uint32_t site, uint64_t address,
                               uint32_t alignment);

/* Ends the launch with an error: `lanes` elements from `index` on were asked of a
 * dimension that has `elements`. Does not return. */
void fuser_host_fail_bounds(fuser_host_context *context, uint32_t site, int64_t index,
                            int64_t lanes, int64_t elements);

/* `memory` of fuser_host_check_access: the number of a pointer parameter, or this
 * for the shared memory of the block. */
#define FUSER_HOST_SHARED 0xFFFFFFFFu
/* The shared memory of a block of the cluster. */
#define FUSER_HOST_PEER_SHARED 0xFFFFFFFEu

/* `kind` of fuser_host_check_access. */
#define FUSER_HOST_READ 0u
#define FUSER_HOST_WRITE 1u
#define FUSER_HOST_ATOMIC 2u    /* reads and writes at once, and orders nothing else */
#define FUSER_HOST_TICKET 3u    /* the same, and orders what the threads that draw did before */
#define FUSER_HOST_READ_ONLY 4u /* reads what no kernel writes while this one runs */
#define FUSER_HOST_AWAIT                                                                           \
  5u /* waits for a ticket, and orders what the threads that drew did before */

/* Ends the launch with an error where the thread may not access the `bytes` bytes
 * at `address` now: they are outside of the memory, another thread's access is not
 * ordered with this one, or they are read before they were written. Kernels that
 * were compiled with checks call it before each access to global or shared memory. */
void fuser_host_check_access(fuser_host_context *context, uint32_t site, uint32_t memory,
                             uint64_t address, uint32_t bytes, uint32_t kind);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* FUSER_ARTIFACT_HOSTABI_H */
