/*
 * Locks the process before any untrusted code runs, keeps the nonce outside the OCaml heap, and is
 * the only writer of descriptor 3.
 *
 * The order matters: the request is read first, as the lock forbids reading descriptor 3, then
 * privileges are dropped, and the filter comes last, as it forbids the other steps.
 */
#define _GNU_SOURCE
#define CAML_INTERNALS
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <caml/alloc.h>
#include <caml/memory.h>
#include <caml/mlvalues.h>
#include <caml/version.h>
#if OCAML_VERSION >= 50500
#include <caml/startup.h>
#endif

#include "filter.h"
#include "locking.h"
#include "process_lock.h"
#include "steps.h"
#include "reporting.h"

static struct sock_filter filter[] = FILTER(
  ON_DESCRIPTORS(read, 0, 0),
  ON_DESCRIPTORS(write, 0, RESULT_FD)
);

#if OCAML_VERSION >= 50500
/* As in ocamlrun, which runs any program; sources.py renames the definition of -make-runtime. */
const enum caml_byte_program_mode caml_byte_program_mode = STANDARD;
#endif

static long phase_ms; /* the CPU limit of each phase */
static long left_ms;  /* and of the whole program */
static long output_most, output_left;
static long memory_bytes;
static bool hole_met; /* in this phase */
static timer_t timer, total;

/* Whether more than an eighth of the memory limit is in use: code that fills memory uses far
 * more in its first tenth of a second, other code less. */
static bool nearly_full(void)
{
  size_t rest = (size_t)memory_bytes / 8 * 7;
  void *area = (void *)syscall(__NR_mmap, NULL, rest, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (area == MAP_FAILED) return true;
  syscall(__NR_munmap, area, rest);
  return false;
}

/* Code that fills memory or floods its output approaches two limits; which one comes first must not
 * change the outcome. */
static void limit_is_reached(const char *event)
{
  if (nearly_full()) emit("full", "");
  else if (output_left < output_most - output_most / 64) emit("flooding", "");
  emit_used(event);
  _exit(TIMED_OUT);
}

static void on_timer(int signal)
{
  (void)signal;
  limit_is_reached("timeout");
}

static void on_total(int signal)
{
  (void)signal;
  limit_is_reached("spent");
}

/* For any normal exit. */
__attribute__((destructor)) static void on_exit_of_code(void)
{
  if (nonce[0]) emit_used("used");
}

static void make_timers(void)
{
  timer = make_timer(SIGPROF, on_timer);
  total = make_timer(SIGVTALRM, on_total);
}

/* Sets the limits of the phase that `event` begins. */
static void arm(const char *event)
{
  hole_met = false;
  give_steps(event);
  set_timer(timer, phase_ms);
}

static void take(long steps)
{
  left -= steps;
  if (left < 0) {
    left = 0;
    limit_is_reached(all_given ? "all_steps" : "steps");
  }
}

/* Counts a step of the code.  A hostile one may change the counter; it still has the timers. */
value ocaml_reward_tick(value unit)
{
  take(1);
  return unit;
}

void ocaml_reward_charge(size_t bytes)
{
  take((long)(bytes / 256));
}

/* The tests' output; no file has this descriptor. */
#define TEST_OUTPUT_FD 1000
static char printed[20000];
static size_t printed_length;

/* Replaces libc's write.  Counting output in the process ends a flood within the check that
 * caused it, in every run.  It has libc's name instead of --wrap because libraries such as
 * dllunix.so are loaded at run time and find it by name. */
ssize_t write(int fd, const void *data, size_t length)
{
  if (fd == TEST_OUTPUT_FD) {
    size_t room = sizeof printed - printed_length;
    size_t kept = length < room ? length : room;
    memcpy(printed + printed_length, data, kept);
    printed_length += kept;
    return (ssize_t)length;
  }
  if (fd == 1 || fd == 2) {
    output_left -= (long)length;
    if (output_left < 0 && nonce[0]) {
      emit_used("flood");
      _exit(FLOODED);
    }
  }
  if (ocaml_reward_area) {
    if ((fd == 1 || fd == 2) && ocaml_reward_keep(fd, data, length)) return (ssize_t)length;
    errno = EBADF;
    return -1;
  }
  return syscall(__NR_write, fd, data, length);
}

/* libc's stderr, for the runtime's last messages, which would bypass our `write`. */
static ssize_t write_stderr(void *cookie, const char *data, size_t length)
{
  (void)cookie;
  return write(2, data, length) < 0 ? 0 : (ssize_t)length;
}

void ocaml_reward_count_stderr(void)
{
  cookie_io_functions_t functions = {NULL, write_stderr, NULL, NULL};
  FILE *words = fopencookie(NULL, "w", functions);
  if (words == NULL) _exit(LOCK_FAILED);
  setvbuf(words, NULL, _IONBF, 0);
  stderr = words;
}

/* ---- the lock ------------------------------------------------------------------- */

static void lock(void)
{
#ifdef __NR_close_range
  syscall(__NR_close_range, RESULT_FD + 1, ~0U, 0);
#endif
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 0);
  /* Used memory, not address space: OCaml 5 reserves far more than it uses. */
  limit(RLIMIT_DATA, (rlim_t)memory_bytes);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_NPROC, 0);
  limit(RLIMIT_NOFILE, RESULT_FD + 1);
  make_timers();
  install(filter, sizeof filter / sizeof filter[0]);
}

/* ---- what the harness calls ------------------------------------------------------ */

/* Reports the start and its cost; the code's time and steps begin here. */
static void hello(void)
{
  left = given;
  emit_used("hello");
  set_timer(total, left_ms);
  arm("");
}

/* Reads "NONCE PHASE_MS LEFT_MS OUTPUT_BYTES MEMORY_BYTES STEPS SKIP\n" from descriptor 3,
 * locks, says hello; returns SKIP. */
value ocaml_reward_start(value unit)
{
  static char request[65536], checks[65536], skip[65536];
  size_t length = 0;
  (void)unit;
  while (length < sizeof request - 1 && memchr(request, '\n', length) == NULL) {
    ssize_t n = read(RESULT_FD, request + length, sizeof request - 1 - length);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(LOCK_FAILED);
    length += (size_t)n;
  }
  request[length] = 0;
  if (sscanf(request, "%64s %ld %ld %ld %ld %65535s %65535s", nonce, &phase_ms, &left_ms,
             &output_left, &memory_bytes, checks, skip) != 7)
    _exit(LOCK_FAILED);
  read_allowed(checks);
  memset(request, 0, sizeof request);
#if OCAML_VERSION >= 50000 && defined(M_PERTURB)
  /* The buffer that the program was read from is freed, but not wiped. */
  mallopt(M_PERTURB, 0xff);
#endif
  output_most = output_left;
  ocaml_reward_count_stderr();
  lock();
  ocaml_reward_deepen();
  ocaml_reward_fix_environment();
  hello();
  return caml_copy_string(skip);
}

/* The same in a child of the zygote, which has already read its request. */
const char *ocaml_reward_begin(const char *settings, void (*lock_child)(long memory_bytes))
{
  static char checks[65536], skip[65536];
  if (sscanf(settings, "%64s %ld %ld %ld %ld %*d %65535s %65535s", nonce, &phase_ms, &left_ms,
             &output_left, &memory_bytes, checks, skip) != 7
      || output_left < 0 || output_left > OUTPUT_CAPACITY)
    _exit(LOCK_FAILED);
  output_most = output_left;
  read_allowed(checks);
  make_timers();
  lock_child(memory_bytes);
  hello();
  return skip;
}

/* Begins a phase with its own limits. */
value ocaml_reward_enter(value event)
{
  arm(String_val(event));
  emit_used(String_val(event));
  return Val_unit;
}

value ocaml_reward_note(value event, value detail)
{
  emit(String_val(event), String_val(detail));
  return Val_unit;
}

/* Ends a phase. */
value ocaml_reward_leave(value event, value detail)
{
  emit(String_val(event), String_val(detail));
  arm("");
  return Val_unit;
}

/* Takes what the tests have printed, as far as it fits. */
value ocaml_reward_spoken(value unit)
{
  (void)unit;
  value text = caml_alloc_initialized_string(printed_length, printed);
  printed_length = 0;
  return text;
}

/* Reports `event` with a long detail. */
value ocaml_reward_say_all(value event, value detail)
{
  ocaml_reward_say(String_val(event), String_val(detail), caml_string_length(detail));
  return Val_unit;
}

int ocaml_reward_is_locked(void)
{
  return nonce[0] != 0;
}

void ocaml_reward_miss(const char *what)
{
  static const char *reported[8];
  if (!ocaml_reward_is_locked()) return;
  for (size_t i = 0; i < sizeof reported / sizeof reported[0]; i++) {
    if (reported[i] == what) return;
    if (reported[i] == NULL) {
      reported[i] = what;
      emit("absent", what);
      return;
    }
  }
}

/* Reports a hole once per phase, as code may reach it in a loop. */
value ocaml_reward_hole(value unit)
{
  if (!hole_met) emit("hole", "");
  hole_met = true;
  return unit;
}

/* Reports the end of a check, CPU time and steps.  The outcome is a number (OUTCOMES in
 * values.py), so that overwriting a string in the heap does not change it. */
value ocaml_reward_ended(value index, value outcome, value detail)
{
  char event[96];
  snprintf(event, sizeof event, "end %ld %ld %ld %ld", Long_val(index), Long_val(outcome),
           used_us(), steps());
  emit(event, String_val(detail));
  arm("");
  return Val_unit;
}

/* Ends the process without at_exit. */
value ocaml_reward_finish(value unit)
{
  (void)unit;
  emit_used("done");
  _exit(0);
}
