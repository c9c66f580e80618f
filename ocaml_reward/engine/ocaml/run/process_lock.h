/*
 * What process_lock.c and fork_server.c share: the memory where a zygote's child leaves what it
 * says.
 */
#include <stddef.h>

#define EVENTS 0 /* indices of the three texts; output's are its descriptors */
#define EVENTS_CAPACITY (16L << 20)
#define VALUES_CAPACITY (12L << 20) /* of these, what values may take */
#define OUTPUT_CAPACITY (64L << 20)

/* Shared by the zygote and its child, and written by code that may be hostile: the zygote
 * believes nothing of it that could harm a later child. */
struct area {
  size_t used[3];
  char events[EVENTS_CAPACITY];
  char output[2][OUTPUT_CAPACITY];
};

extern struct area *ocaml_reward_area;

/* Appends to one of the texts; 0 where it does not fit. */
int ocaml_reward_keep(int text, const void *data, size_t length);

/* Whatever libc writes to standard error goes through our own `write`, and is counted. */
void ocaml_reward_count_stderr(void);

/* What code sees of the world is from here on what it is in every run. */
void ocaml_reward_fix_environment(void);

/* Takes "NONCE OTHERS_MS LEFT_MS OUTPUT_BYTES MEMORY_BYTES WALL_MS ALLOWED SKIP", locks,
 * says hello; returns SKIP. */
const char *ocaml_reward_begin(const char *settings, void (*lock_child)(long memory_bytes));

/* Writes a line that the nonce begins: an event and its detail, which holds no line end. */
void ocaml_reward_say(const char *event, const char *detail, size_t length);
