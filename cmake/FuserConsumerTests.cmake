# Tests that find_package(Fuser) works: test/consumer is built against the build tree and against an installed tree.
set(consumer_source ${PROJECT_SOURCE_DIR}/test/consumer)
set(consumer_binary ${PROJECT_BINARY_DIR}/test/consumer)

function(fuser_add_consumer_test name package_dir)
  add_test(NAME consumer.${name}
    COMMAND ${CMAKE_CTEST_COMMAND}
      --build-and-test ${consumer_source} ${consumer_binary}/${name}
      --build-generator ${CMAKE_GENERATOR}
      --build-options -DFuser_DIR=${package_dir} -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE}
        -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER} -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
        -DCMAKE_EXE_LINKER_FLAGS=${CMAKE_EXE_LINKER_FLAGS}
      --test-command consumer)
  set_tests_properties(consumer.${name} PROPERTIES LABELS slow TIMEOUT 300
    PASS_REGULAR_EXPRESSION "lowered to kernel axpy_0[^c]*compiled axpy: 1 kernel")
endfunction()

fuser_add_consumer_test(build-tree ${PROJECT_BINARY_DIR}/lib/cmake/fuser)

add_test(NAME consumer.install
  COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${consumer_binary}/prefix)
set_tests_properties(consumer.install PROPERTIES LABELS slow FIXTURES_SETUP installed)
fuser_add_consumer_test(install-tree ${consumer_binary}/prefix/${CMAKE_INSTALL_LIBDIR}/cmake/fuser)
set_tests_properties(consumer.install-tree PROPERTIES FIXTURES_REQUIRED installed)

# Installed tools start, and C programs link with the flags of the pkg-config files.
set(prefix ${consumer_binary}/prefix)
add_test(NAME consumer.installed-tool
  COMMAND ${prefix}/${CMAKE_INSTALL_BINDIR}/fuser-run ${PROJECT_SOURCE_DIR}/examples/mul.mlir --device=host --check)
set_tests_properties(consumer.installed-tool PROPERTIES LABELS slow FIXTURES_REQUIRED installed
  PASS_REGULAR_EXPRESSION "check .* ok")
add_test(NAME consumer.c
  COMMAND sh ${consumer_source}/link_c.sh ${CMAKE_C_COMPILER} ${prefix}/${CMAKE_INSTALL_LIBDIR}/pkgconfig/fuser_capi.pc
    ${consumer_source}/capi.c ${consumer_binary}/c)
set_tests_properties(consumer.c PROPERTIES LABELS slow FIXTURES_REQUIRED installed
  PASS_REGULAR_EXPRESSION "expected one fusion")

# What an installed tool compiled, a C program runs with the runtime alone.
add_test(NAME consumer.save-artifact
  COMMAND ${prefix}/${CMAKE_INSTALL_BINDIR}/fuser-run ${consumer_source}/Inputs/mul.mlir --device=host
    --save-artifact=${consumer_binary}/mul.artifact)
set_tests_properties(consumer.save-artifact PROPERTIES LABELS slow FIXTURES_REQUIRED installed
  FIXTURES_SETUP saved-artifact)
add_test(NAME consumer.runtime
  COMMAND sh ${consumer_source}/link_c.sh ${CMAKE_C_COMPILER}
    ${prefix}/${CMAKE_INSTALL_LIBDIR}/pkgconfig/fuser_runtime.pc ${consumer_source}/runtime.c ${consumer_binary}/runtime
    ${consumer_binary}/mul.artifact)
set_tests_properties(consumer.runtime PROPERTIES LABELS slow FIXTURES_REQUIRED "installed;saved-artifact"
  PASS_REGULAR_EXPRESSION "expected 2 arguments, but got 1.*loaded product, 2 arguments.*ran, 0 wrong"
  ENVIRONMENT LD_LIBRARY_PATH=)
if(NOT LLVM_USE_SANITIZER)
  add_test(NAME consumer.runtime-library
    COMMAND sh ${consumer_source}/check_library.sh ${CMAKE_READELF} $<TARGET_FILE:fuser_runtime>)
endif()
