# Writes the contents of text files as arrays of C++: cmake -DOUTPUT=PATH -DFILES=PATH;... -P EmbedFiles.cmake
# The array of dir/report.css is `constexpr char report_css[]`, without a terminating 0.
set(code "// Made by EmbedFiles.cmake.\n")
foreach(path IN LISTS FILES)
  get_filename_component(name ${path} NAME)
  string(REGEX REPLACE "[^a-zA-Z0-9]" "_" name ${name})
  file(READ ${path} bytes HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND code "static constexpr char ${name}[] = {${bytes}};\n")
endforeach()
file(WRITE ${OUTPUT} "${code}")
