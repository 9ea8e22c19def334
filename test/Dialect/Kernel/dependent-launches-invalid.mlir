// RUN: fuser-opt %s -split-input-file -verify-diagnostics

gpu.module @m {
  gpu.func @branch(%some: i1) kernel {
    scf.if %some {
      // expected-error @+1 {{'fuser_gpu.wait_dependencies' op expected to be in the entry block of the kernel, which every thread executes}}
      fuser_gpu.wait_dependencies
    }
    gpu.return
  }
}

// -----
gpu.module @m {
  gpu.func @block(%some: i1) kernel {
    cf.cond_br %some, ^wait, ^done
  ^wait:
    // expected-error @+1 {{expected to be in the entry block of the kernel, which every thread executes}}
    fuser_gpu.wait_dependencies
    cf.br ^done
  ^done:
    gpu.return
  }
}

// -----
func.func @function() {
  // expected-error @+1 {{expected to be in the entry block of the kernel, which every thread executes}}
  fuser_gpu.wait_dependencies
  return
}
