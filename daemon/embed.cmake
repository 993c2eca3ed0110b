# Writes the table of web.h: cmake -D OUTPUT= -P embed.cmake -- ROOT FILE... ROOT FILE...
#
# After "--" come pairs: the path at which a file is served, then the file. Each goes in as it is
# and, where that is shorter, as gzip -9 makes it; its tag is a hash of its bytes.
set(types
  css text/css html text/html ico image/x-icon js text/javascript json application/json
  mp3 audio/mpeg ogg audio/ogg png image/png svg image/svg+xml txt text/plain wav audio/wav
  webmanifest application/manifest+json woff2 font/woff2)

# Sets `name`_bytes to the bytes of a file as C writes an array, `name`_size to their number.
macro(read_bytes name file)
  file(SIZE ${file} ${name}_size)
  file(READ ${file} ${name}_bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," ${name}_bytes "${${name}_bytes}")
  string(REGEX REPLACE "(................................................................................)"
         "\\1\n" ${name}_bytes "${${name}_bytes}")
endmacro()

set(first ${CMAKE_ARGC})
foreach(i RANGE 1 ${CMAKE_ARGC})
  if("${CMAKE_ARGV${i}}" STREQUAL "--")
    math(EXPR first "${i} + 1")
  endif()
endforeach()

set(arrays "")
set(rows "")
set(number 0)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${first} ${last} 2)
  math(EXPR next "${i} + 1")
  set(path "${CMAKE_ARGV${i}}")
  set(file "${CMAKE_ARGV${next}}")
  get_filename_component(extension "${file}" LAST_EXT)
  string(SUBSTRING "${extension}" 1 -1 extension)
  list(FIND types "${extension}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${file}: no media type is known for .${extension}; see embed.cmake")
  endif()
  math(EXPR at "${at} + 1")
  list(GET types ${at} type)
  if(type MATCHES "^text/")
    string(APPEND type "; charset=utf-8")
  endif()
  file(SHA256 "${file}" tag)
  string(SUBSTRING "${tag}" 0 16 tag)
  read_bytes(plain "${file}")
  execute_process(COMMAND gzip -9 -n -c "${file}" OUTPUT_FILE ${OUTPUT}.gz
                  COMMAND_ERROR_IS_FATAL ANY)
  read_bytes(packed ${OUTPUT}.gz)
  file(REMOVE ${OUTPUT}.gz)
  string(APPEND arrays "static const unsigned char plain_${number}[] = {\n${plain_bytes}\n};\n")
  set(gzip "NULL, 0")
  if(packed_size LESS plain_size)
    string(APPEND arrays
           "static const unsigned char packed_${number}[] = {\n${packed_bytes}\n};\n")
    set(gzip "packed_${number}, sizeof packed_${number}")
  endif()
  string(APPEND rows "    {\"${path}\", \"${type}\", \"${tag}\", plain_${number}, "
         "sizeof plain_${number},\n     ${gzip}},\n")
  math(EXPR number "${number} + 1")
endforeach()

file(WRITE ${OUTPUT} "/* Made by embed.cmake. */
#include \"daemon/net/web.h\"

${arrays}
const struct web_file web_files[] = {
${rows}};
const size_t web_file_count = ${number};
")
