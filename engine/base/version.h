/* What this build is: printed by --version, stored as provenance. */
#pragma once

/* "0.1.0" */
const char *version_number(void);

/* "0.1.0 (git 1a2b3c4d5e6f)": what of it decides results; compiler and instruction set do not. */
const char *version_source(void);

/* "Draughtsmith 0.1.0 (git 1a2b3c4d5e6f, gcc 12.2.0, x86-64 popcnt)": version, git id ("unknown"
 * outside a checkout, "+" behind the id when the tree had changes), compiler, instruction set. */
const char *version_line(void);
