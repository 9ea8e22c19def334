// RUN: fuser-opt %s -verify-diagnostics -split-input-file
// One fault of a #fuser.domain (its text, its invariants, its fit to the op) per piece.

fuser.fusion @unknown_id(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected an id defined before, but got 'i1'}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], loop = [i1]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @defined_twice(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected a new id, but 'i0' is already defined}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0, i0]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @id_without_kind(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected an id named after its kind (i, r, b or e first), but got 'x0'}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [x0]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @no_logical(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected 'logical = [...]' in a domain}}
  %0 = fuser.set %x {domains = [#fuser.domain<>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @root_alone(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected 'logical = [...]' in a domain}}
  %0 = fuser.set %x {domains = [#fuser.domain<root = [i0]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @part_twice(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected 'loop' once}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], loop = [i0], loop = [i0]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @root_late(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected 'root' before every other part of a domain}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], root = [i0]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @transform_early(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected 'root' or 'logical' before the first transform}}
  %0 = fuser.set %x {domains = [#fuser.domain<split(i0, 8) -> (i1, i2), logical = [i0]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @unknown_part(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected a domain (root, logical, loop, allocation) or a transform (split, merge, swizzle, resize, broadcast), but got 'tile'}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], tile(i0, 8) -> (i1, i2)>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @unknown_parallel_type(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected a parallel type, but got '@warp'}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], loop = [i0 @warp]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @loop_twice(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected every id of 'loop' once, but got i0 twice}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], loop = [i0, i0]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @loop_misses_logical(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected 'loop' to cover every id of 'logical' once, but i1 is missing}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], loop = [i0]>]} : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

fuser.fusion @loop_misses_half_of_a_split(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected 'loop' to cover every id of 'logical' once, but i2 is missing}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], split(i0, 8) -> (i1, i2), loop = [i1]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @loop_covers_twice(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected 'loop' to cover every id of 'logical' once, but i0 is covered twice}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], split(i0, 8) -> (i1, i2), loop = [i0, i1, i2]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @merge_of_one(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected two different ids, but got i0 twice}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], merge(i0, i0) -> i1, loop = [i1]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @allocation_misses_logical(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected 'allocation' to cover every id of 'logical' once, but i0 is missing}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], allocation = [i1]>]} : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

fuser.fusion @logical_misses_root(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected 'logical' to cover every id of 'root' once, but r1 is missing}}
  %0 = fuser.sum %x dims [1] {domains = [#fuser.domain<root = [i0, r1], logical = [i0]>]} : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @factor_zero(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected a split factor of at least 1, but got 0}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], split(i0, 0) -> (i1, i2), loop = [i1, i2]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @factor_negative(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected a split factor of at least 1, but got -8}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], split(i0, outer -8) -> (i1, i2), loop = [i1, i2]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @factor_huge(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{integer value too large}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], split(i0, 99999999999999999999) -> (i1, i2), loop = [i1, i2]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @period_zero(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected a swizzle period of at least 1, but got 0}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], swizzle(i0, i1, 0) -> (i2, i3), loop = [i2, i3]>]} : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

fuser.fusion @kind_of_a_split(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected r2 to derive from a reduction id, but its transform has none}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], split(i0, 8) -> (i1, r2), loop = [i1, r2]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @kind_of_a_broadcast(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected broadcast() to define a broadcast id, but got i1}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], broadcast() -> i1, loop = [i0, i1]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @vectorize_outside(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected @vectorize on the innermost loop id, but got it at position 0}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @vectorize, i1]>]} : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

fuser.fusion @parallel_type_twice(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected each parallel type once in 'loop', but got @block_x twice}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @block_x, i1 @block_x]>]} : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

// The fit to the op.
fuser.fusion @number_of_domains(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected one domain for each of 1 results, but got 2}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0]>, #fuser.domain<logical = [i0]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @one_domain_for_two(%x: tensor<?xf32>) -> tensor<f32> {
  // expected-error @+1 {{expected one domain for each of 2 results, but got 1}}
  %0, %1 = fuser.var_mean %x dims [0] correction 0 {domains = [#fuser.domain<logical = [r0]>]}
      : tensor<?xf32> -> tensor<f32>, tensor<f32>
  fuser.return %0 : tensor<f32>
}

// -----

fuser.fusion @rank(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected the domain of result 0 to have 1 logical ids that are no reductions ('tensor<?xf32>'), but got 2}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0, i1]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @kind_of_an_id(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected id 0 of the domain of result 0 to be of kind 'iteration', but got 'reduction'}}
  %0 = fuser.sum %x dims [1] {domains = [#fuser.domain<logical = [r0, i1]>]} : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @broadcast_id(%x: tensor<1xf32>) -> tensor<1xf32> {
  // expected-error @+1 {{expected id 0 of the domain of result 0 to be of kind 'broadcast', but got 'iteration'}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0]>]} : tensor<1xf32>
  fuser.return %0 : tensor<1xf32>
}

// -----

fuser.fusion @number_of_roots(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected the domain of result 0 to start from 2 ids, but got 1}}
  %0 = fuser.sum %x dims [1] {domains = [#fuser.domain<logical = [i0]>]} : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @inline_at_negative(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected 'inline_at' between 0 and the 1 loop ids, but got -1}}
  %0 = fuser.set %x {inline_at = -1 : i64} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @inline_at_large(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{expected 'inline_at' between 0 and the 0 loop ids, but got 1}}
  %0 = fuser.set %x {inline_at = 1 : i64} : tensor<f32>
  fuser.return %0 : tensor<f32>
}

// -----

fuser.fusion @inline_at_reduction(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected 'inline_at' to stop before the first reduction loop, but got 2}}
  %0 = fuser.sum %x dims [1] {inline_at = 2 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @domains_of_another_type(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{attribute 'domains' failed to satisfy constraint: one #fuser.domain for each result}}
  %0 = fuser.set %x {domains = [1]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @memory_of_another_type(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{attribute 'memory' failed to satisfy constraint}}
  %0 = fuser.exp %x {memory = "shared"} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @logical_after_transform(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected 'root' or 'logical' before the first transform}}
  %0 = fuser.set %x {domains = [#fuser.domain<split(i0, 8) -> (i1, i2), logical = [i0]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @keyword_without_equal(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected '='}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical [i0]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @no_keyword(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected valid keyword}}
  %0 = fuser.set %x {domains = [#fuser.domain<8>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @transform_without_inputs(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected '('}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], split i0>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @input_is_no_id(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected valid keyword}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], split(8, 8) -> (i1, i2)>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @split_without_factor(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected ','}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], split(i0) -> (i1, i2)>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @factor_is_no_integer(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected integer value}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], split(i0, x) -> (i1, i2)>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @swizzle_without_period(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected ','}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], swizzle(i0, i1) -> (i2, i3)>]} : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

fuser.fusion @resize_without_second_amount(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected ','}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], resize(i0, 1) -> i1>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @transform_without_outputs(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected '->'}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], split(i0, 8)>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @one_output_of_two(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected ','}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], split(i0, 8) -> (i1)>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @output_is_no_id(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected valid keyword}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], split(i0, 8) -> (8, i1)>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @loop_of_others(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected the ids of 'loop' to derive from 'logical', but i0 does not}}
  %0 = fuser.set %x {domains = [#fuser.domain<root = [i0], split(i0, 8) -> (i1, i2), logical = [i1, i2], loop = [i0]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @large_factor(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected factors and amounts of at most 2^40, but got 9223372036854775807}}
  %0 = fuser.neg %x {domains = [#fuser.domain<logical = [i0], split(i0, 9223372036854775807) -> (i1, i2), loop = [i1, i2]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @large_resize(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected factors and amounts of at most 2^40, but got -9223372036854775808}}
  %0 = fuser.neg %x {domains = [#fuser.domain<logical = [i0], resize(i0, 0, -9223372036854775808) -> i1, loop = [i1]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
