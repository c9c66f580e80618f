/*
 * Replaces the clock, random seed, pid, program name and closure hashes with constants, so that
 * every run is the same.  Addresses are fixed by launch.c.
 *
 * Each call of the clock advances it by a step, so that a program which waits by polling the
 * clock ends.  Who sleeps wakes at once, later by the clock; timers never ring, as the lock has its
 * own.
 */
#define _GNU_SOURCE
#define CAML_INTERNALS
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include <caml/alloc.h>
#include <caml/custom.h>
#include <caml/hash.h>
#include <caml/memory.h>
#include <caml/mlvalues.h>
#include <caml/version.h>
#if OCAML_VERSION < 50000
#include <caml/address_class.h>
#endif

#include "process_lock.h"

#define START 1704067200L /* the first second of 2024 */
#define STEP_US 1000L     /* per call */
#define NAME "/task/prog" /* the path in the stock engine */
#define FIRST_OBJECT 4096 /* more than are created at start-up */

value caml_sys_argv(value unit);
value caml_fresh_oo_id(value unit);

static long questions, slept_us;

/* Object ids and the program name differ between engines. */
void ocaml_reward_fix_environment(void)
{
  questions = slept_us = 0;
  while (Long_val(caml_fresh_oo_id(Val_unit)) < FIRST_OBJECT) {}
  value name = caml_copy_string(NAME);
  Store_field(caml_sys_argv(Val_unit), 0, name);
}

/* ---- the clock, in place of libc's ------------------------------------------------ */

static long passed_us(void)
{
  return ++questions * STEP_US + slept_us;
}

static struct timeval as_timeval(long us)
{
  struct timeval made = {us / 1000000, us % 1000000};
  return made;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
  (void)zone;
  *now = as_timeval(START * 1000000 + passed_us());
  return 0;
}

time_t time(time_t *now)
{
  time_t seconds = START + passed_us() / 1000000;
  if (now) *now = seconds;
  return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
  long us = passed_us();
  now->tv_sec = (clock == CLOCK_REALTIME ? START : 0) + us / 1000000;
  now->tv_nsec = us % 1000000 * 1000;
  return 0;
}

int getrusage(__rusage_who_t who, struct rusage *usage)
{
  memset(usage, 0, sizeof *usage);
  if (who == RUSAGE_SELF) usage->ru_utime = as_timeval(passed_us());
  return 0;
}

clock_t times(struct tms *used)
{
  clock_t ticks = passed_us() * sysconf(_SC_CLK_TCK) / 1000000;
  memset(used, 0, sizeof *used);
  used->tms_utime = ticks;
  return ticks;
}

/* ---- sleeping and timers ---------------------------------------------------------- */

/* At most about a year each time, so that the clock does not overflow. */
static void sleep_us(long seconds, long us)
{
  if (seconds >= 0 && seconds < 32000000) slept_us += seconds * 1000000 + us;
}

int nanosleep(const struct timespec *time, struct timespec *left)
{
  (void)left;
  sleep_us(time->tv_sec, time->tv_nsec / 1000);
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
  (void)clock;
  return flags ? 0 : nanosleep(time, left);
}

int select(int count, fd_set *restrict read, fd_set *restrict written, fd_set *restrict other,
           struct timeval *restrict time)
{
  (void)count;
  if (read) FD_ZERO(read);
  if (written) FD_ZERO(written);
  if (other) FD_ZERO(other);
  if (time) sleep_us(time->tv_sec, time->tv_usec);
  return 0;
}

unsigned alarm(unsigned seconds)
{
  (void)seconds;
  return 0;
}

int getitimer(__itimer_which_t which, struct itimerval *now)
{
  (void)which;
  memset(now, 0, sizeof *now);
  return 0;
}

int setitimer(__itimer_which_t which, const struct itimerval *restrict wanted,
              struct itimerval *restrict before)
{
  (void)wanted;
  return before ? getitimer(which, before) : 0;
}

/* No signal of the program's own ever comes. */
value ocaml_reward_install_signal_handler(value number, value action)
{
  (void)number;
  (void)action;
  return Val_long(0); /* Signal_default */
}

char *getcwd(char *folder, size_t room)
{
  static const char here[] = "/task";
  if (folder == NULL || room < sizeof here) {
    errno = ERANGE;
    return NULL;
  }
  return memcpy(folder, here, sizeof here);
}

pid_t getpid(void)
{
  return 2;
}

pid_t getppid(void)
{
  return 1;
}

/* ---- primitives in place of OCaml's (table.h) ------------------------------------- */

/* Different at each call, so that two generators differ. */
value ocaml_reward_sys_random_seed(value unit)
{
  static long asked;
  value seed = caml_alloc_small(2, 0);
  (void)unit;
  Field(seed, 0) = Val_long(20240101);
  Field(seed, 1) = Val_long(++asked);
  return seed;
}

value ocaml_reward_sys_executable_name(value unit)
{
  (void)unit;
  return caml_copy_string(NAME);
}

/* The runtime hashes the addresses of these. */
static int lies_outside(value custom)
{
  static const char *const names[] = {"_chan", "_mutex", "_condition"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(Custom_ops_val(custom)->identifier, names[i]) == 0) return 1;
  return 0;
}

static int has_a_content(value v)
{
#if OCAML_VERSION < 50000
  return Is_block(v) && Is_in_value_area(v);
#else
  return Is_block(v);
#endif
}

#define MOST 256     /* limit on values in the queue */
#define LINKS 1000   /* limit on forwarded values */

/* The runtime's caml_hash, except for code addresses and channels, which differ between runs. */
value ocaml_reward_hash(value count, value limit, value seed, value obj)
{
  value queue[MOST];
  long read = 0, written = 1, room = Long_val(limit), left = Long_val(count);
  uint32_t h = (uint32_t)Long_val(seed);
  if (room < 0 || room > MOST) room = MOST;
  queue[0] = obj;
  while (read < written && left > 0) {
    value v = queue[read++];
    mlsize_t i = 0, size;
    int links = LINKS;
  again:
    if (!has_a_content(v)) {
      h = caml_hash_mix_intnat(h, Is_long(v) ? v : 0);
      left--;
      continue;
    }
    switch (Tag_val(v)) {
    case String_tag:
      h = caml_hash_mix_string(h, v);
      left--;
      break;
    case Double_tag:
      h = caml_hash_mix_double(h, Double_val(v));
      left--;
      break;
    case Double_array_tag:
      for (size = Wosize_val(v) / Double_wosize; i < size; i++) {
        h = caml_hash_mix_double(h, Double_flat_field(v, i));
        if (--left <= 0) break;
      }
      break;
    case Abstract_tag:
#ifdef Cont_tag
    case Cont_tag:
#endif
      break;
    case Infix_tag:
      h = caml_hash_mix_uint32(h, (uint32_t)Infix_offset_val(v));
      v -= Infix_offset_val(v);
      goto again;
    case Forward_tag:
      do v = Forward_val(v);
      while (--links > 0 && has_a_content(v) && Tag_val(v) == Forward_tag);
      if (links > 0) goto again;
      break;
    case Object_tag:
      h = caml_hash_mix_intnat(h, Oid_val(v));
      left--;
      break;
    case Custom_tag:
      if (Custom_ops_val(v)->hash != NULL) {
        uint32_t n = lies_outside(v) ? 0 : (uint32_t)Custom_ops_val(v)->hash(v);
        h = caml_hash_mix_uint32(h, n);
        left--;
      }
      break;
    default:
      /* Tag and size, without the collector's colour, and then the fields. */
      size = Wosize_val(v);
      h = caml_hash_mix_uint32(h, (uint32_t)(size << 10 | Tag_val(v)));
#if OCAML_VERSION >= 41200
      if (Tag_val(v) == Closure_tag)
        for (; i < Start_env_closinfo(Closinfo_val(v)); i++) {
          h = caml_hash_mix_intnat(h, Is_long(Field(v, i)) ? Field(v, i) : 0);
          left--;
        }
#endif
      for (; i < size && written < room; i++) queue[written++] = Field(v, i);
    }
  }
  h ^= h >> 16;
  h *= 0x85ebca6b;
  h ^= h >> 13;
  h *= 0xc2b2ae35;
  h ^= h >> 16;
  return Val_long(h & 0x3fffffff);
}
