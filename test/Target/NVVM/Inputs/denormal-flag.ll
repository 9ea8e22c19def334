; Another value of the flag than the option ftz sets.
define float @__nv_f(float %x) {
  ret float %x
}
!llvm.module.flags = !{!0}
!0 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
