/* What this build is, put together by the compiler; the git id comes from a header that
 * cmake/build_id.cmake keeps up to date at every build. */
#include "engine/base/version.h"

#include "engine/base/build_id.h"

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

#if defined(__x86_64__)
#define MACHINE "x86-64"
#elif defined(__aarch64__)
#define MACHINE "aarch64"
#else
#define MACHINE "other"
#endif

#ifdef __POPCNT__
#define POPCNT " popcnt"
#else
#define POPCNT ""
#endif
#ifdef __BMI2__
#define BMI2 " bmi2"
#else
#define BMI2 ""
#endif
#ifdef __AVX2__
#define AVX2 " avx2"
#else
#define AVX2 ""
#endif

const char *version_number(void)
{
    return BUILD_VERSION;
}

const char *version_source(void)
{
    return BUILD_VERSION " (git " BUILD_GIT_ID ")";
}

const char *version_line(void)
{
    return "Draughtsmith " BUILD_VERSION " (git " BUILD_GIT_ID ", " COMPILER
           ", " MACHINE POPCNT BMI2 AVX2 ")";
}
