/*
 * Shared by process_lock.c and fork_server.c: the memory with a child's output.
 */
#include <stddef.h>

#define EVENTS 0 /* indices of the texts; output's are its descriptors */
#define EVENTS_CAPACITY (16L << 20)
#define VALUES_CAPACITY (12L << 20) /* the part for values */
#define OUTPUT_CAPACITY (64L << 20)

/* Written by code that may be hostile: the zygote trusts nothing in it that could harm a later
 * child. */
struct area {
  size_t used[3];
  char events[EVENTS_CAPACITY];
  char output[2][OUTPUT_CAPACITY];
};

extern struct area *ocaml_reward_area;

/* Appends to a text; 0 if it does not fit. */
int ocaml_reward_keep(int text, const void *data, size_t length);

/* Makes libc's stderr use our `write`, so that it is counted. */
void ocaml_reward_count_stderr(void);

/* Fixes clock, object ids and program name (fixed_environment.c). */
void ocaml_reward_fix_environment(void);

/* Parses "NONCE PHASE_MS LEFT_MS OUTPUT_BYTES MEMORY_BYTES WALL_MS STEPS SKIP", locks,
 * reports the start; returns SKIP. */
const char *ocaml_reward_begin(const char *settings, void (*lock_child)(long memory_bytes));

/* Counts steps for a long call of the library: one for each 256 bytes that it makes. */
void ocaml_reward_charge(size_t bytes);

/* Has the code of a stock program begin deeper in the stack (stack_depth.c). */
void ocaml_reward_deepen(void);

/* Whether the code may run. */
int ocaml_reward_is_locked(void);

/* Reports that the program asks for what the jail has not, once for each. */
void ocaml_reward_miss(const char *what);

/* Writes an event line: nonce, event and detail, which has no line end. */
void ocaml_reward_say(const char *event, const char *detail, size_t length);
