/* A child process that is talked to line by line, and that may do anything: never answer, close its
 * pipes, die, write without end.
 *
 * It runs in a process group of its own with no signal blocked or ignored, so that nothing is left
 * of it or of what it started once it has been ended, or once the process that started it has died,
 * be it of SIGKILL. Its standard error goes nowhere; a command that wants it says `2>FILE`. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/err.h"

struct process;

/* Starts `command` as the shell does. Lines of more than line_max bytes are never given out. NULL
 * with ERR_FAILED when the system gives no process or pipe; a command that does not exist is only
 * seen by its end. */
struct process *process_start(const char *command, size_t line_max, struct err *err);

enum process_answer {
    PROCESS_LINE,     /* a line was read */
    PROCESS_SILENT,   /* none came in the time given */
    PROCESS_LONG,     /* what comes is no line of line_max bytes at most */
    PROCESS_FINISHED, /* it has closed its end, or died, and all its lines have been read */
};

/* The next line, without its end, within `seconds` (0: what is there already). It is the caller's
 * to change until the next call. Bytes of 0 read as '?'. */
enum process_answer process_read(struct process *process, double seconds, char **line);

/* Bytes read so far. */
size_t process_bytes(const struct process *process);

/* Writes a text within `seconds`. False when the process does not take it in time or is gone. */
bool process_write(struct process *process, const char *text, double seconds);

/* Ends the process and all of its group, and frees it; takes NULL. It is given `grace` seconds to
 * end by itself, its input being closed; then it is killed. `how` (may be NULL) receives how it
 * ended: "exited with status 3", "killed by signal 11", "still running". */
enum { PROCESS_END = 64 };
void process_end(struct process *process, double grace, char how[PROCESS_END]);
