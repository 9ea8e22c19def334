# Reads utils/versions.env (KEY=VALUE lines) into FUSER_PIN_<KEY>.
file(STRINGS ${PROJECT_SOURCE_DIR}/utils/versions.env lines REGEX "^[A-Z_]+=")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([A-Z_]+)=(.*)$" _ "${line}")
  set(FUSER_PIN_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/utils/versions.env)
