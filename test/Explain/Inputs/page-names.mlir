// Names that would be markup if the page did not escape them (test_page.py).
fuser.fusion @"<script>document.title = 'broken'</script>"(%x: tensor<?xf32> loc("</script><b>x</b>")) -> tensor<?xf32> {
  %0 = fuser.exp %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
