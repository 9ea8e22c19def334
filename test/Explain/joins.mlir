// RUN: fuser-explain %S/../Segmentation/Programs/joins_of_kernels.mlir --program=pad_softmax | FileCheck %s --check-prefix=PAD
// RUN: fuser-explain %S/../Segmentation/Programs/joins_of_kernels.mlir --program=source_pad_sum | FileCheck %s --check-prefix=SOURCE
// RUN: fuser-explain %S/../Segmentation/Programs/joins_of_several.mlir --program=cat_sums | FileCheck %s --check-prefix=CAT
// RUN: fuser-explain %S/../Segmentation/Programs/joins_of_kernels.mlir --program=crop | FileCheck %s --check-prefix=CROP
// RUN: fuser-explain %S/../Segmentation/Programs/fills_with_two_inserts.mlir --program=columns | FileCheck %s --check-prefix=FILL
// S2.1 to S2.4: how many kernels joins take, and which boxes they write. A destination is no input of its kernel.

// PAD: fused {{ *}}1 kernel,
// PAD: segment 0 {{ *}}@pad_softmax_0: inner_persistent
// PAD: segment 1 {{ *}}no kernel, 1 op
// PAD: @pad_softmax_0 ins(%{{[a-z]+}}, %{{[a-z]+}}) outs(%[[T:[0-9]+]][1:+?, 4:+?], %[[T]])

// SOURCE: fused {{ *}}1 kernel,
// SOURCE: @source_pad_sum_0 ins({{.*}}) outs(%{{[0-9]+}}, %{{[0-9]+}}, %[[T:[0-9]+]][1:+?, 4:+?], %[[T]])

// CAT: fused {{ *}}2 kernels,
// CAT: @cat_sums_0 ins(%{{[a-z]+}}) outs(%[[T:[0-9]+]][0:+?, 0:+?])
// CAT: @cat_sums_1 ins(%{{[a-z]+}}) outs(%[[T]][0:+?, ?:+?])

// CROP: fused {{ *}}1 kernel,
// CROP: @crop_0 ins(%x[3:+?, 0:8])

// FILL: fused {{ *}}1 kernel,
