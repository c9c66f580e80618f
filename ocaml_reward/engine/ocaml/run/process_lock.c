/*
 * The part of the runner that untrusted code cannot reach: it locks the process before
 * any of that code runs, holds the nonce outside the OCaml heap, and is the only writer
 * of descriptor 3.
 *
 * The order of `start` matters: the request is read first (the lock forbids reading
 * descriptor 3), every privilege is dropped next, and the filter comes last because it
 * forbids everything the steps before it need.
 */
#define _GNU_SOURCE
#define CAML_INTERNALS
#include <errno.h>
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

#include "cpu_limits.h"
#include "filter.h"
#include "locking.h"
#include "process_lock.h"
#include "reporting.h"

static struct sock_filter filter[] = FILTER(
  ON_DESCRIPTORS(read, 0, 0),
  ON_DESCRIPTORS(write, 0, RESULT_FD)
);

#if OCAML_VERSION >= 50500
/* As for ocamlrun: it runs any program, though -make-runtime says otherwise (sources.py
 * gives its own word on it another name). */
const enum caml_byte_program_mode caml_byte_program_mode = STANDARD;
#endif

static long others_ms; /* for each phase that is no check, */
static long left_ms;   /* and for all that the program does from here on */
static long output_most, output_left;
static long memory_bytes;
static bool hole_met; /* in this phase */
static timer_t timer, total;

/* Whether more than an eighth of the memory limit is in use, by the limit's own account:
 * code that fills it has used far more in its first tenth of a second, other code less. */
static bool nearly_full(void)
{
  size_t rest = (size_t)memory_bytes / 8 * 7;
  void *area = (void *)syscall(__NR_mmap, NULL, rest, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (area == MAP_FAILED) return true;
  syscall(__NR_munmap, area, rest);
  return false;
}

/* Code that fills memory or prints on and on comes near two limits, and a slow machine's
 * clock may be the first to stop it: that must not name another outcome. */
static void time_is_up(const char *event)
{
  if (nearly_full()) emit("full", "");
  else if (output_left < output_most - output_most / 64) emit("flooding", "");
  emit_used(event);
  _exit(TIMED_OUT);
}

static void on_timer(int signal)
{
  (void)signal;
  time_is_up("timeout");
}

static void on_total(int signal)
{
  (void)signal;
  time_is_up("spent");
}

/* Whichever way a program leaves by itself. */
__attribute__((destructor)) static void on_exit_of_code(void)
{
  if (nonce[0]) emit_used("used");
}

static void make_timers(void)
{
  timer = make_timer(SIGPROF, on_timer);
  total = make_timer(SIGVTALRM, on_total);
}

/* For the phase that `event` begins. */
static void arm(const char *event)
{
  hole_met = false;
  long ms = left_for_ms(event, others_ms, used_us());
  if (ms == 0) time_is_up("timeout");
  set_timer(timer, ms);
}

/* What the tests print goes nowhere but here: no file has this descriptor. */
#define TEST_OUTPUT_FD 1000
static char printed[20000];
static size_t printed_length;

/* The runtime's every write comes through here, in place of libc's.  Counting inside the
 * process ends a flood within the check that caused it; a host that counts what arrives
 * would stop it at some later moment, different in each run.
 *
 * It has libc's name, as those in fork_server.c have, and not one that the linker puts in its
 * place (--wrap): libraries such as dllunix.so are loaded into the running process, and
 * find what they call by its name here before they find libc's. */
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

/* libc's own standard error, where the runtime's last words go ("Fatal error: ...") and what
 * it says of its collections: libc writes that past our `write`, uncounted. */
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
  /* Memory the process has, not address space it reserves: OCaml 5 reserves far more
   * than it uses. */
  limit(RLIMIT_DATA, (rlim_t)memory_bytes);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_NPROC, 0);
  limit(RLIMIT_NOFILE, RESULT_FD + 1);
  make_timers();
  install(filter, sizeof filter / sizeof filter[0]);
}

/* ---- what the harness calls ------------------------------------------------------ */

/* Says hello, and what the start has cost; the code's own time begins here. */
static void hello(void)
{
  ocaml_reward_fix_environment();
  emit_used("hello");
  set_timer(total, left_ms);
  arm("");
}

/* Reads "NONCE OTHERS_MS LEFT_MS OUTPUT_BYTES MEMORY_BYTES ALLOWED SKIP\n" from descriptor 3,
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
  if (sscanf(request, "%64s %ld %ld %ld %ld %65535s %65535s", nonce, &others_ms, &left_ms,
             &output_left, &memory_bytes, checks, skip) != 7)
    _exit(LOCK_FAILED);
  read_allowed(checks, others_ms);
  memset(request, 0, sizeof request);
#if OCAML_VERSION >= 50000 && defined(M_PERTURB)
  /* What the runtime has read the program with is free by now, and not wiped. */
  mallopt(M_PERTURB, 0xff);
#endif
  output_most = output_left;
  ocaml_reward_count_stderr();
  lock();
  hello();
  return caml_copy_string(skip);
}

/* The same for a child of the zygote, which has read its request and locks itself with
 * `lock_child`. */
const char *ocaml_reward_begin(const char *settings, void (*lock_child)(long memory_bytes))
{
  static char checks[65536], skip[65536];
  if (sscanf(settings, "%64s %ld %ld %ld %ld %*d %65535s %65535s", nonce, &others_ms, &left_ms,
             &output_left, &memory_bytes, checks, skip) != 7
      || output_left < 0 || output_left > OUTPUT_CAPACITY)
    _exit(LOCK_FAILED);
  output_most = output_left;
  read_allowed(checks, others_ms);
  make_timers();
  lock_child(memory_bytes);
  hello();
  return skip;
}

/* `event` begins a phase with a CPU budget of its own. */
value ocaml_reward_enter(value event)
{
  arm(String_val(event));
  emit_used(String_val(event));
  return Val_unit;
}

/* `event` happened in the middle of one. */
value ocaml_reward_note(value event, value detail)
{
  emit(String_val(event), String_val(detail));
  return Val_unit;
}

/* `event` ends a phase; what follows, up to the next, is timed anew. */
value ocaml_reward_leave(value event, value detail)
{
  emit(String_val(event), String_val(detail));
  arm("");
  return Val_unit;
}

/* What the tests have printed since this was last asked, as far as there is room for it. */
value ocaml_reward_spoken(value unit)
{
  (void)unit;
  value text = caml_alloc_initialized_string(printed_length, printed);
  printed_length = 0;
  return text;
}

/* Says `event` with all of `detail`, which is one line. */
value ocaml_reward_say_all(value event, value detail)
{
  ocaml_reward_say(String_val(event), String_val(detail), caml_string_length(detail));
  return Val_unit;
}

/* The phase has met a hole in code that does not type.  Said once: code may go round and
 * round through one. */
value ocaml_reward_hole(value unit)
{
  if (!hole_met) emit("hole", "");
  hole_met = true;
  return unit;
}

/* The end of one check, and the CPU time so far.  Its outcome is a number (the order of
 * OUTCOMES in values.py), so that no word in the heap, were it overwritten, changes what is
 * reported. */
value ocaml_reward_ended(value index, value outcome, value detail)
{
  char event[96];
  snprintf(event, sizeof event, "end %ld %ld %ld", Long_val(index), Long_val(outcome),
           used_us());
  emit(event, String_val(detail));
  arm("");
  return Val_unit;
}

/* Ends the process at once: nothing the code left in at_exit runs. */
value ocaml_reward_finish(value unit)
{
  (void)unit;
  emit_used("done");
  _exit(0);
}
