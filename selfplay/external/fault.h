/* What an external engine can do that loses it a game against the rules of conduct instead of those
 * of draughts. */
#pragma once

/* The numbers stand in records (docs/formats.md) and are never reused. */
enum fault {
    FAULT_NONE,
    FAULT_START,    /* was not ready to play */
    FAULT_CRASH,    /* ended, or closed its output, while it was to move */
    FAULT_HANG,     /* no move within its time and margin */
    FAULT_FLOOD,    /* wrote without end, or a line without end */
    FAULT_NONSENSE, /* wrote what is no Hub, or a move that is none or that nobody asked for */
    FAULT_ILLEGAL,  /* a move that is not legal in the position */
    FAULT_NO_MOVE,  /* said it was done and gave no move */
    FAULTS
};

/* "did not start", "crashed", "hung", "flooded", "nonsense", "illegal move", "gave no move"; "none"
 * for FAULT_NONE. None of them is the name of an end_reason. */
const char *fault_name(enum fault fault);

/* The reverse; FAULT_NONE for any other text. */
enum fault fault_named(const char *name);
