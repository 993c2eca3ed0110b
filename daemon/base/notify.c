/* systemd's variables: NOTIFY_SOCKET, WATCHDOG_USEC, LISTEN_FDS. */
#include "daemon/base/notify.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { FIRST_SOCKET = 3 };

void notify_send(const char *state)
{
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (path == NULL || (path[0] != '/' && path[0] != '@') ||
        strlen(path) >= sizeof address.sun_path) {
        return;
    }
    size_t length = strlen(path);
    memcpy(address.sun_path, path, length);
    if (path[0] == '@') {
        address.sun_path[0] = '\0'; /* an abstract name */
    }
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return;
    }
    /* Who is not there to hear it is told nothing; systemd acts on silence itself. */
    (void)sendto(fd, state, strlen(state), MSG_NOSIGNAL, (const struct sockaddr *)&address,
                 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
    close(fd);
}

/* A variable that is a whole number; -1: it is not there. */
static long long number_of(const char *name)
{
    const char *text = getenv(name);
    char *end;

    if (text == NULL || *text == '\0') {
        return -1;
    }
    long long number = strtoll(text, &end, 10);
    return *end == '\0' && number >= 0 ? number : -1;
}

/* Whether a variable names this process, or is not there. */
static bool is_for_us(const char *name)
{
    return getenv(name) == NULL || number_of(name) == (long long)getpid();
}

double notify_watchdog(void)
{
    long long microseconds = number_of("WATCHDOG_USEC");

    return microseconds > 0 && is_for_us("WATCHDOG_PID") ? (double)microseconds / 1e6 : 0.0;
}

int notify_socket(void)
{
    bool handed = number_of("LISTEN_FDS") >= 1 && number_of("LISTEN_PID") == (long long)getpid();

    unsetenv("LISTEN_FDS");
    unsetenv("LISTEN_PID");
    unsetenv("LISTEN_FDNAMES");
    if (!handed || fcntl(FIRST_SOCKET, F_SETFD, FD_CLOEXEC) != 0) {
        return -1;
    }
    int flags = fcntl(FIRST_SOCKET, F_GETFL);
    return flags >= 0 && fcntl(FIRST_SOCKET, F_SETFL, flags | O_NONBLOCK) == 0 ? FIRST_SOCKET : -1;
}
