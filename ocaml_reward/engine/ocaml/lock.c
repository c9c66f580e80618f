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
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <caml/alloc.h>
#include <caml/memory.h>
#include <caml/mlvalues.h>

#include "filter.h"

#define LOCK_FAILED 97 /* exit status: the machine refused the lock */
#define TIMED_OUT 98   /* exit status: the CPU timer fired */
#define FLOODED 99     /* exit status: more output than allowed */

static char nonce[65];
static long check_ms;
static long output_left;
static long memory_bytes;
static timer_t timer;

/* ---- reporting: every line starts with the nonce -------------------------------- */

static void write_all(const char *text, size_t length)
{
  while (length > 0) {
    ssize_t n = syscall(__NR_write, RESULT_FD, text, length);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(LOCK_FAILED);
    text += n;
    length -= (size_t)n;
  }
}

static void emit(const char *event, const char *detail)
{
  char line[1024];
  int n = snprintf(line, sizeof line, "%s %s|%s", nonce, event, detail);
  if (n >= (int)sizeof line) n = sizeof line - 1;
  /* One event is one line: whatever an exception printed must not look like two. */
  for (int i = 0; i < n; i++)
    if ((unsigned char)line[i] < 0x20) line[i] = ' ';
  line[n] = '\n';
  write_all(line, (size_t)n + 1);
}

static void on_timer(int signal)
{
  (void)signal;
  write_all(nonce, strlen(nonce));
  write_all(" timeout|\n", 10);
  _exit(TIMED_OUT);
}

static void arm(long ms)
{
  struct itimerspec spec = {{0, 0}, {ms / 1000, (ms % 1000) * 1000000L}};
  timer_settime(timer, 0, &spec, NULL);
}

/* The runtime's every write comes through here, in place of libc's.  Counting inside the
 * process ends a flood within the check that caused it; a host that counts what arrives
 * would stop it at some later moment, different in each run. */
ssize_t write(int fd, const void *data, size_t length)
{
  if (fd == 1 || fd == 2) {
    output_left -= (long)length;
    if (output_left < 0 && nonce[0]) {
      emit("flood", "");
      _exit(FLOODED);
    }
  }
  return syscall(__NR_write, fd, data, length);
}

/* ---- the lock ------------------------------------------------------------------- */

static void limit(int resource, rlim_t value)
{
  struct rlimit now;
  struct rlimit wanted = {value, value};
  if (getrlimit(resource, &now) || (now.rlim_max >= value && setrlimit(resource, &wanted)))
    _exit(LOCK_FAILED);
}

static void lock(void)
{
  struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
  struct sigaction action;
  struct sigevent event;

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

  /* A handler, not the default action: process 1 of a pid namespace ignores signals
   * that it does not handle. */
  memset(&action, 0, sizeof action);
  action.sa_handler = on_timer;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGPROF;
  if (sigaction(SIGPROF, &action, NULL)
      || timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer))
    _exit(LOCK_FAILED);

  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
      || syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program))
    _exit(LOCK_FAILED);
}

/* ---- what the harness calls ------------------------------------------------------ */

/* Reads "NONCE CHECK_MS OUTPUT_BYTES MEMORY_BYTES SKIP\n" from descriptor 3, locks, says
 * hello; returns SKIP. */
value ocaml_reward_start(value unit)
{
  static char request[65536], skip[65536];
  size_t length = 0;
  (void)unit;
  while (length < sizeof request - 1 && memchr(request, '\n', length) == NULL) {
    ssize_t n = read(RESULT_FD, request + length, sizeof request - 1 - length);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(LOCK_FAILED);
    length += (size_t)n;
  }
  request[length] = 0;
  if (sscanf(request, "%64s %ld %ld %ld %65535s", nonce, &check_ms, &output_left,
             &memory_bytes, skip) != 5)
    _exit(LOCK_FAILED);
  memset(request, 0, sizeof request);
  lock();
  emit("hello", "");
  arm(check_ms);
  return caml_copy_string(skip);
}

static long cpu_us(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1000000L + now.tv_nsec / 1000;
}

/* `event` begins a phase with a CPU budget of its own. */
value ocaml_reward_enter(value event)
{
  char detail[32];
  arm(check_ms);
  snprintf(detail, sizeof detail, "%ld", cpu_us());
  emit(String_val(event), detail);
  return Val_unit;
}

/* `event` ends a phase; what follows, up to the next, is timed anew. */
value ocaml_reward_leave(value event, value detail)
{
  emit(String_val(event), String_val(detail));
  arm(check_ms);
  return Val_unit;
}

/* The end of one check.  Its outcome is a number (the order of OUTCOMES in tally.py), so
 * that no word in the heap, were it overwritten, changes what is reported. */
value ocaml_reward_ended(value index, value outcome, value detail)
{
  char event[64];
  snprintf(event, sizeof event, "end %ld %ld", Long_val(index), Long_val(outcome));
  emit(event, String_val(detail));
  arm(check_ms);
  return Val_unit;
}

/* Ends the process at once: nothing the code left in at_exit runs. */
value ocaml_reward_finish(value unit)
{
  (void)unit;
  emit("done", "");
  _exit(0);
}
