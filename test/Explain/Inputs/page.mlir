// A program of several segments, whose names must not become markup of the page (test_page.py).
fuser.fusion @report(
    %x: tensor<?x?xbf16> loc("<script>x</script>"), %weights: tensor<?xf32>,
    %a_very_long_name_of_an_argument_that_a_front_end_made_from_the_path_of_a_module_encoder_layers_17_attention_output_dense_bias: tensor<?xf32>,
    %epsilon: f32) -> (tensor<?x?xbf16>, tensor<?xf32>) {
  %xf = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %max = fuser.max %xf dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %m = fuser.broadcast %max dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %shifted = fuser.sub %xf, %m : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %exp = fuser.exp %shifted : tensor<?x?xf32>
  %sum = fuser.sum %exp dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %s = fuser.broadcast %sum dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %quotient = fuser.div %exp, %s : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %cut = fuser.segment_set %quotient : tensor<?x?xf32>
  %w = fuser.broadcast %weights dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %b = fuser.broadcast %a_very_long_name_of_an_argument_that_a_front_end_made_from_the_path_of_a_module_encoder_layers_17_attention_output_dense_bias dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %scaled = fuser.mul %cut, %w : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %biased = fuser.add %scaled, %b : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %y = fuser.relu %biased : tensor<?x?xf32>
  %0 = fuser.cast %y : tensor<?x?xf32> to tensor<?x?xbf16>
  %again = fuser.segment_set %y : tensor<?x?xf32>
  %1 = fuser.sum %again dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0, %1 : tensor<?x?xbf16>, tensor<?xf32>
}
