/*
 * Locks the native process that parses and types code: its input is hostile, so it may only
 * compute and reply on its open descriptors.
 */
#define _GNU_SOURCE
#include <caml/mlvalues.h>

#include "filter.h"
#include "locking.h"
#include "landlock.h"

#define FIRST_FD 3 /* requests and replies */
#define LAST_FD 5

static struct sock_filter filter[] = FILTER(
  ON_DESCRIPTORS(read, FIRST_FD, LAST_FD),
  ON_DESCRIPTORS(write, 2, LAST_FD)
);

static timer_t timer;
static pid_t timer_owner; /* timers do not survive a fork */

static void on_timer(int signal)
{
  (void)signal;
  _exit(TIMED_OUT);
}

/* After this many ms of CPU time the process ends with TIMED_OUT; 0 disarms.  Called before the
 * seal the first time. */
value ocaml_reward_arm(value ms)
{
  if (timer_owner != getpid()) {
    timer = make_timer(SIGPROF, on_timer);
    timer_owner = getpid();
  }
  set_timer(timer, Long_val(ms));
  return Val_unit;
}

/* The state of a checker in shared memory, for the zygote if it dies (frames.ml). */
static value *progress;

value ocaml_reward_share_progress(value unit)
{
  progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (progress == MAP_FAILED) _exit(LOCK_FAILED);
  return unit;
}

value ocaml_reward_set_progress(value now)
{
  *(volatile value *)progress = now;
  return Val_unit;
}

value ocaml_reward_progress(value unit)
{
  (void)unit;
  return *(volatile value *)progress;
}

/* Locks the process, with a memory limit. */
value ocaml_reward_seal(value memory_bytes)
{
  close(0);
  close(1);
#ifdef __NR_close_range
  syscall(__NR_close_range, LAST_FD + 1, ~0U, 0);
#endif
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 0);
  limit(RLIMIT_DATA, (rlim_t)Long_val(memory_bytes));
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_NPROC, 0);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) _exit(LOCK_FAILED);
  forbid_files();
  install(filter, sizeof filter / sizeof filter[0]);
  return Val_unit;
}
