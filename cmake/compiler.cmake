# How every target is compiled: target `house` carries it, each target links it.
add_library(house INTERFACE)
target_compile_definitions(house INTERFACE _POSIX_C_SOURCE=200809L _FILE_OFFSET_BITS=64)
# No warning where snprintf may cut: texts for people are cut on purpose, and where it matters the
# result is checked, which gcc does not see through.
target_compile_options(house INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes
                       -Wmissing-prototypes -Wvla -Wno-format-truncation -ffp-contract=off)
target_include_directories(house INTERFACE ${PROJECT_SOURCE_DIR})
if(WARNINGS_ARE_ERRORS)
  target_compile_options(house INTERFACE -Werror)
endif()
if(SANITIZE)
  target_compile_options(house INTERFACE -fsanitize=${SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_link_options(house INTERFACE -fsanitize=${SANITIZE})
endif()
