/* draughtsd admin COMMAND: what an operator does to the store, while the daemon runs or not. */
#pragma once

/* The whole program behind the word "admin", which is argv[1]. Returns the exit status. */
int admin_main(int argc, char *argv[]);
