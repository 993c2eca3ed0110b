# Writes HEADER with the version and the git id of SOURCE, only when it differs from what is there,
# so that nothing is compiled again for nothing. Run at every build: cmake -D ... -P build_id.cmake
cmake_minimum_required(VERSION 3.25)

set(id "")
set(changes "")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --short=12 HEAD
                  OUTPUT_VARIABLE id OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${GIT} -C ${SOURCE} status --porcelain --untracked-files=no
                  OUTPUT_VARIABLE changes ERROR_QUIET)
endif()
if(id STREQUAL "")
  set(id unknown)
elseif(NOT changes STREQUAL "")
  string(APPEND id +)
endif()

file(CONFIGURE OUTPUT ${HEADER} CONTENT
"/* Written by cmake/build_id.cmake. */
#pragma once

#define BUILD_VERSION \"${VERSION}\"
#define BUILD_GIT_ID \"${id}\"
")
