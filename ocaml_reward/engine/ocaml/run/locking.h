/*
 * Steps that every lock takes: limits that only go down, no file system, the filter.
 */
#include <linux/seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LOCK_FAILED 97 /* exit status: the machine refused the lock */
#define TIMED_OUT 98   /* exit status: the CPU timer fired */
#define FLOODED 99     /* exit status: more output than allowed */

static void limit(int resource, rlim_t value)
{
  struct rlimit now;
  struct rlimit wanted = {value, value};
  if (getrlimit(resource, &now) || (now.rlim_max >= value && setrlimit(resource, &wanted)))
    _exit(LOCK_FAILED);
}

/* A signal after so much CPU time.  A handler, not the default action: process 1 of a pid
 * namespace ignores signals that it does not handle. */
static inline timer_t make_timer(int signal, void (*handler)(int))
{
  struct sigaction action;
  struct sigevent event;
  timer_t timer;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigfillset(&action.sa_mask);
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = signal;
  if (sigaction(signal, &action, NULL)
      || timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer))
    _exit(LOCK_FAILED);
  return timer;
}

static inline void set_timer(timer_t timer, long ms)
{
  struct itimerspec spec = {{0, 0}, {ms / 1000, (ms % 1000) * 1000000L}};
  timer_settime(timer, 0, &spec, NULL);
}

static void install(struct sock_filter *filter, size_t length)
{
  struct sock_fprog program = {(unsigned short)length, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
      || syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program))
    _exit(LOCK_FAILED);
}
