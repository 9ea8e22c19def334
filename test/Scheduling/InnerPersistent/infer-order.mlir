// RUN: fuser-opt %s --fuser-preseg | FileCheck %s
// References of both orders: rows that are normalized are stored along their dimension. The search for a reduction ends after
// 64 ops, of which each counts once.

// CHECK-LABEL: fuser.fusion @chain
// CHECK: fuser.add %x, %y {{.*}}order = [1, 0], rule = "scheduler-inner_persistent"
// CHECK-COUNT-2: fuser.lerp {{.*}}order = [1, 0], rule = "scheduler-inner_persistent"
// CHECK: fuser.lerp {{[^<]*}} : (
fuser.fusion @chain(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %w: tensor<?xf32>)
    -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) attributes {arg_layouts = [unit, #fuser.layout<order = [1, 0]>, unit]} {
  %z = fuser.add %x, %y : tensor<?x?xf32>
  %0 = fuser.sum %z dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.mul %0, %w : tensor<?xf32>
  %2 = fuser.mul %1, %1 : tensor<?xf32>
  %3 = fuser.mul %2, %2 : tensor<?xf32>
  %4 = fuser.mul %3, %3 : tensor<?xf32>
  %5 = fuser.mul %4, %4 : tensor<?xf32>
  %6 = fuser.mul %5, %5 : tensor<?xf32>
  %7 = fuser.mul %6, %6 : tensor<?xf32>
  %8 = fuser.mul %7, %7 : tensor<?xf32>
  %9 = fuser.mul %8, %8 : tensor<?xf32>
  %10 = fuser.mul %9, %9 : tensor<?xf32>
  %11 = fuser.mul %10, %10 : tensor<?xf32>
  %12 = fuser.mul %11, %11 : tensor<?xf32>
  %13 = fuser.mul %12, %12 : tensor<?xf32>
  %14 = fuser.mul %13, %13 : tensor<?xf32>
  %15 = fuser.mul %14, %14 : tensor<?xf32>
  %16 = fuser.mul %15, %15 : tensor<?xf32>
  %17 = fuser.mul %16, %16 : tensor<?xf32>
  %18 = fuser.mul %17, %17 : tensor<?xf32>
  %19 = fuser.mul %18, %18 : tensor<?xf32>
  %20 = fuser.mul %19, %19 : tensor<?xf32>
  %21 = fuser.mul %20, %20 : tensor<?xf32>
  %22 = fuser.mul %21, %21 : tensor<?xf32>
  %23 = fuser.mul %22, %22 : tensor<?xf32>
  %24 = fuser.mul %23, %23 : tensor<?xf32>
  %25 = fuser.mul %24, %24 : tensor<?xf32>
  %26 = fuser.mul %25, %25 : tensor<?xf32>
  %27 = fuser.mul %26, %26 : tensor<?xf32>
  %28 = fuser.mul %27, %27 : tensor<?xf32>
  %29 = fuser.mul %28, %28 : tensor<?xf32>
  %30 = fuser.mul %29, %29 : tensor<?xf32>
  %31 = fuser.mul %30, %30 : tensor<?xf32>
  %32 = fuser.mul %31, %31 : tensor<?xf32>
  %33 = fuser.mul %32, %32 : tensor<?xf32>
  %34 = fuser.mul %33, %33 : tensor<?xf32>
  %35 = fuser.mul %34, %34 : tensor<?xf32>
  %36 = fuser.mul %35, %35 : tensor<?xf32>
  %37 = fuser.mul %36, %36 : tensor<?xf32>
  %38 = fuser.mul %37, %37 : tensor<?xf32>
  %39 = fuser.mul %38, %38 : tensor<?xf32>
  %40 = fuser.mul %39, %39 : tensor<?xf32>
  %41 = fuser.mul %40, %40 : tensor<?xf32>
  %42 = fuser.mul %41, %41 : tensor<?xf32>
  %43 = fuser.mul %42, %42 : tensor<?xf32>
  %44 = fuser.mul %43, %43 : tensor<?xf32>
  %45 = fuser.mul %44, %44 : tensor<?xf32>
  %46 = fuser.mul %45, %45 : tensor<?xf32>
  %47 = fuser.mul %46, %46 : tensor<?xf32>
  %48 = fuser.mul %47, %47 : tensor<?xf32>
  %49 = fuser.mul %48, %48 : tensor<?xf32>
  %50 = fuser.mul %49, %49 : tensor<?xf32>
  %51 = fuser.mul %50, %50 : tensor<?xf32>
  %52 = fuser.mul %51, %51 : tensor<?xf32>
  %53 = fuser.mul %52, %52 : tensor<?xf32>
  %54 = fuser.mul %53, %53 : tensor<?xf32>
  %55 = fuser.mul %54, %54 : tensor<?xf32>
  %56 = fuser.mul %55, %55 : tensor<?xf32>
  %57 = fuser.mul %56, %56 : tensor<?xf32>
  %58 = fuser.mul %57, %57 : tensor<?xf32>
  %59 = fuser.mul %58, %58 : tensor<?xf32>
  %60 = fuser.mul %59, %59 : tensor<?xf32>
  %61 = fuser.mul %60, %60 : tensor<?xf32>
  %62 = fuser.mul %61, %61 : tensor<?xf32>
  %63 = fuser.mul %62, %62 : tensor<?xf32>
  %b0 = fuser.broadcast %0 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %l0 = fuser.lerp %x, %y, %b0 : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %b62 = fuser.broadcast %62 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %l62 = fuser.lerp %x, %y, %b62 : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %b63 = fuser.broadcast %63 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %l63 = fuser.lerp %x, %y, %b63 : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %z, %l0, %l62, %l63 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}

// No value is normalized: one that is reduced only, and others that something else is broadcast to.
// CHECK-LABEL: fuser.fusion @no_rows
// CHECK-NOT: layout_hint
fuser.fusion @no_rows(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %w: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?x?xf32>) attributes {arg_layouts = [unit, #fuser.layout<order = [1, 0]>, unit]} {
  %z = fuser.add %x, %y : tensor<?x?xf32>
  %s = fuser.sum %z dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %0 = fuser.abs %w : tensor<?xf32>
  %1 = fuser.mul %0, %0 : tensor<?xf32>
  %2 = fuser.mul %1, %1 : tensor<?xf32>
  %3 = fuser.mul %2, %2 : tensor<?xf32>
  %4 = fuser.mul %3, %3 : tensor<?xf32>
  %5 = fuser.mul %4, %4 : tensor<?xf32>
  %6 = fuser.mul %5, %5 : tensor<?xf32>
  %7 = fuser.mul %6, %6 : tensor<?xf32>
  %8 = fuser.mul %7, %7 : tensor<?xf32>
  %9 = fuser.mul %8, %8 : tensor<?xf32>
  %10 = fuser.mul %9, %9 : tensor<?xf32>
  %11 = fuser.mul %10, %10 : tensor<?xf32>
  %12 = fuser.mul %11, %11 : tensor<?xf32>
  %13 = fuser.mul %12, %12 : tensor<?xf32>
  %14 = fuser.mul %13, %13 : tensor<?xf32>
  %15 = fuser.mul %14, %14 : tensor<?xf32>
  %16 = fuser.mul %15, %15 : tensor<?xf32>
  %17 = fuser.mul %16, %16 : tensor<?xf32>
  %18 = fuser.mul %17, %17 : tensor<?xf32>
  %19 = fuser.mul %18, %18 : tensor<?xf32>
  %20 = fuser.mul %19, %19 : tensor<?xf32>
  %21 = fuser.mul %20, %20 : tensor<?xf32>
  %22 = fuser.mul %21, %21 : tensor<?xf32>
  %23 = fuser.mul %22, %22 : tensor<?xf32>
  %24 = fuser.mul %23, %23 : tensor<?xf32>
  %25 = fuser.mul %24, %24 : tensor<?xf32>
  %26 = fuser.mul %25, %25 : tensor<?xf32>
  %27 = fuser.mul %26, %26 : tensor<?xf32>
  %28 = fuser.mul %27, %27 : tensor<?xf32>
  %29 = fuser.mul %28, %28 : tensor<?xf32>
  %30 = fuser.mul %29, %29 : tensor<?xf32>
  %b = fuser.broadcast %30 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %l = fuser.lerp %x, %y, %b : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %s, %l : tensor<?xf32>, tensor<?x?xf32>
}
