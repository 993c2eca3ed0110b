/* What systemd is told, and the socket it may hand over: its protocols are a datagram and three
 * variables (sd_notify(3), sd_listen_fds(3)), which need no library. */
#pragma once

#include <stdbool.h>

/* Sends a state, "READY=1", to whoever started the daemon and wants to know; nothing if nobody. */
void notify_send(const char *state);

/* Seconds in which the watchdog wants to hear "WATCHDOG=1"; 0: there is none. */
double notify_watchdog(void);

/* The listening socket that was handed over, for the daemon to own, close on exec and not blocking;
 * -1: none. Asked for once: the variables are taken away, so that no child sees them. */
int notify_socket(void);
