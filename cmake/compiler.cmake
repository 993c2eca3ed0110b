# How every target is compiled: target `house` carries it, each target links it.

# The instruction set, chosen here and nowhere else: docs/decisions/instruction-set.md.
set(isa_default "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(isa_default x86-64-v2)
endif()
set(ISA "${isa_default}" CACHE STRING "what -march= takes; empty for the compiler's own default")

add_library(house INTERFACE)
target_compile_definitions(house INTERFACE _POSIX_C_SOURCE=200809L _FILE_OFFSET_BITS=64)
# No warning where snprintf may cut: texts for people are cut on purpose, and where it matters the
# result is checked, which gcc does not see through.
target_compile_options(house INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes
                       -Wmissing-prototypes -Wvla $<$<C_COMPILER_ID:GNU>:-Wno-format-truncation>
                       -ffp-contract=off)
target_include_directories(house INTERFACE ${PROJECT_SOURCE_DIR})
if(ISA)
  target_compile_options(house INTERFACE -march=${ISA})
endif()
if(WARNINGS_ARE_ERRORS)
  target_compile_options(house INTERFACE -Werror)
endif()
if(SANITIZE)
  target_compile_options(house INTERFACE -fsanitize=${SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_link_options(house INTERFACE -fsanitize=${SANITIZE})
endif()
if(FUZZ)
  # The coverage that libFuzzer steers by; only the targets have its main.
  target_compile_options(house INTERFACE -fsanitize=fuzzer-no-link)
endif()
