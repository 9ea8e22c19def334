# Documentation from TableGen: `ninja fuser-docs` writes build/docs/<Room>/<File>.md.
# utils/check_docs.py fails where an op, attribute, interface or pass has nothing to show there.
add_custom_target(fuser-docs)

# fuser_document(<file.td> <mlir-tblgen flags of its declarations...>)
# Adds the page that goes with a declaration flag to fuser-docs; other flags add none.
function(fuser_document td generator)
  set(pages
    -gen-dialect-decls:-gen-dialect-doc
    -gen-op-decls:-gen-op-doc
    -gen-attrdef-decls:-gen-attrdef-doc
    -gen-typedef-decls:-gen-typedef-doc
    -gen-enum-decls:-gen-enum-doc
    -gen-op-interface-decls:-gen-op-interface-docs
    -gen-attr-interface-decls:-gen-attr-interface-docs
    -gen-pass-decls:-gen-pass-doc)
  set(page_generator "")
  foreach(page IN LISTS pages)
    if(page MATCHES "^${generator}:(.*)$")
      set(page_generator ${CMAKE_MATCH_1})
    endif()
  endforeach()
  if(NOT page_generator)
    return()
  endif()
  file(RELATIVE_PATH room ${PROJECT_SOURCE_DIR}/include/fuser ${CMAKE_CURRENT_SOURCE_DIR})
  get_filename_component(stem ${td} NAME_WE)
  get_filename_component(td ${td} ABSOLUTE)
  string(MAKE_C_IDENTIFIER "fuser-docs-${room}-${stem}" target)
  if(TARGET ${target})  # the file declares things of a second kind
    string(REGEX REPLACE "^-gen-(.*)-docs?$" "-\\1" kind ${page_generator})
    string(APPEND stem ${kind})
    string(APPEND target ${kind})
  endif()
  set(page ${PROJECT_BINARY_DIR}/docs/${room}/${stem}.md)
  get_filename_component(folder ${page} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${page}
    COMMAND ${MLIR_TABLEGEN_EXE} ${page_generator} ${td}
      -I ${PROJECT_SOURCE_DIR}/include -I ${CMAKE_CURRENT_SOURCE_DIR} -I ${FUSER_LLVM_ROOT}/include
      -d ${page}.d -o ${page}
    DEPENDS ${td}
    DEPFILE ${page}.d
    COMMENT "Documenting ${room}/${stem}")
  add_custom_target(${target} DEPENDS ${page})
  add_dependencies(fuser-docs ${target})
endfunction()
