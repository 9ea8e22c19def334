// RUN: fuser-opt %s -verify-diagnostics -split-input-file
// A hint is only advice, but one that makes no sense is a fault of the file; labels are those of LayoutHints.cpp.

// HT1
fuser.fusion @no_array(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{expected 'fuser.layout_hints' to hold one #fuser.layout_hint or unit for each of 1 results, but got 1 : i64}}
  %0 = fuser.neg %x {fuser.layout_hints = 1} : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}

// -----

// HT1
fuser.fusion @number(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{expected 'fuser.layout_hints' to hold one #fuser.layout_hint or unit for each of 1 results, but got [unit, unit]}}
  %0 = fuser.neg %x {fuser.layout_hints = [unit, unit]} : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}

// -----

// HT2
fuser.fusion @rank(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{expected the layout hint of result 0 to be a permutation of the dimensions of 'tensor<4x8xf32>', but got [0]}}
  %0 = fuser.neg %x {fuser.layout_hints = [#fuser.layout_hint<order = [0], rule = "by-hand">]} : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}

// -----

fuser.fusion @permutation(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{expected 'order' to be a permutation of 0 to 1, but got [1, 1]}}
  %0 = fuser.neg %x {fuser.layout_hints = [#fuser.layout_hint<order = [1, 1], rule = "by-hand">]} : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}

// -----

fuser.fusion @rule(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{expected 'rule' to name what made the hint}}
  %0 = fuser.neg %x {fuser.layout_hints = [#fuser.layout_hint<order = [0, 1], rule = "">]} : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}

// -----

// DO1
fuser.fusion @not_an_alloc(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{expected 'fuser.default_order' on a 'fuser.alloc', but got it on 'fuser.neg'}}
  %0 = fuser.neg %x {fuser.default_order} : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}

// -----

// DO1
fuser.host @not_a_unit() -> tensor<4x8xf32> {
  // expected-error @+1 {{expected 'fuser.default_order' to be a unit attribute, but got 1 : i64}}
  %0 = fuser.alloc() {fuser.default_order = 1} : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}

// -----

// expected-error @+1 {{expected 'fuser.allows_empty' to be a unit attribute, but got 1 : i64}}
fuser.fusion @not_a_unit(%x: tensor<?xf32>) -> tensor<?xf32> attributes {fuser.allows_empty = 1} {
  fuser.return %x : tensor<?xf32>
}
