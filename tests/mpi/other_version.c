/* Stands in for engine/base/version.c in a program that is built from other sources. */
#include "engine/base/version.h"

const char *version_number(void)
{
    return "0.0.1";
}

const char *version_source(void)
{
    return "0.0.1 (git 0123456789ab)";
}

const char *version_line(void)
{
    return "Draughtsmith 0.0.1 (git 0123456789ab)";
}
