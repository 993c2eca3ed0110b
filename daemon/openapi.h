/* The OpenAPI 3.1 description, daemon/openapi.json, built into the program. */
#pragma once

#include <stddef.h>

extern const unsigned char openapi_json[];
extern const size_t openapi_json_size;
