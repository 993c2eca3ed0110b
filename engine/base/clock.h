/* Time: a monotonic clock for durations, the calendar for records. */
#pragma once

#include <stddef.h>

/* Seconds since an arbitrary fixed moment; never goes back. */
double clock_seconds(void);

enum { CLOCK_STAMP = 21 };

/* The present moment in UTC as ISO 8601, "2026-11-30T07:38:31Z". */
void clock_stamp(char out[CLOCK_STAMP]);

/* A duration for people: "4.2 s", "3 min 20 s", "2 h 05 min". */
void clock_duration(double seconds, char *out, size_t size);
