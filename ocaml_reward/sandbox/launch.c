/*
 * Starts one command so that it cannot outlive, or inherit anything from, its starter.
 *
 *   launch [-p PARENT] -l LOGFD -w NAME [-u UID -g GID] [-d DIR] [-e] [-E NAME=VALUE]...
 *          [-r RESOURCE=VALUE]... [-s HEX] [-a] [-f] -- COMMAND [ARGUMENT]...
 *
 *   -p  end everything when this parent dies
 *   -l  the log descriptor; everything above it is closed
 *   -w  how the report on the log names the command
 *   -u, -g  drop to this user and group, without any supplementary group
 *   -d  change to this folder
 *   -e, -E  the environment consists of these and of nothing else
 *   -r  a hard and soft resource limit, by the number of its RLIMIT_ constant
 *   -s  a seccomp filter: struct sock_filter records as hexadecimal digits
 *   -a  nothing that COMMAND starts has its addresses randomised, where the kernel lets us
 *   -f  COMMAND is the final program: it must not see the log descriptor
 *
 * It stays as the parent.  SIGTERM, or the end of its own parent, kills the command with
 * all that descends from it, in whatever session or namespace.  nsjail's and bwrap's own
 * death signals come too late for a child that has not set one yet.
 *
 * The report is "NAME ended: exit|signal N cpu_us N rss_kb N"; a failure to start is one
 * line "fault: ...".
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

enum { MAX_LIMITS = 32, MAX_ENVIRONMENT = 256, MAX_FILTER = 4096 };

extern char **environ;
static int log_fd = 2;

static void fault(const char *what) {
  dprintf(log_fd, "fault: %s: %s\n", what, strerror(errno));
  _exit(125);
}

static void close_above(int last) {
  if (syscall(SYS_close_range, (unsigned)last + 1, ~0U, 0) == 0) return;
  /* Linux before 5.9 lacks close_range; the limit bounds what can be open. */
  long most = sysconf(_SC_OPEN_MAX);
  for (long fd = last + 1; fd < (most < 0 ? 65536 : most); fd++) close((int)fd);
}

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  errno = EINVAL;
  fault("seccomp filter");
  return 0;
}

static void install_filter(const char *hex) {
  static struct sock_filter code[MAX_FILTER];
  size_t bytes = strlen(hex) / 2;
  if (bytes > sizeof code || bytes % sizeof code[0] != 0) {
    errno = EINVAL;
    fault("seccomp filter");
  }
  unsigned char *out = (unsigned char *)code;
  for (size_t i = 0; i < bytes; i++)
    out[i] = (unsigned char)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
  struct sock_fprog program = {
      .len = (unsigned short)(bytes / sizeof code[0]), .filter = code};
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program)) fault("seccomp");
}

/* Kill every child: those of processes that died are ours, for we are their subreaper. */
static void kill_children(void) {
  if (getpid() == 1) {
    kill(-1, SIGKILL);
    return;
  }
  char path[64], list[16384], *at = list, *end;
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = fd < 0 ? -1 : read(fd, list, sizeof list - 1);
  if (fd >= 0) close(fd);
  if (length <= 0) return;
  list[length] = 0;
  for (long pid = strtol(at, &end, 10); end != at; at = end, pid = strtol(at, &end, 10))
    if (pid > 1) kill((pid_t)pid, SIGKILL);
}

/* Wait until `command` has ended and nothing that descends from it is left. */
static void supervise(pid_t command, const sigset_t *wanted, const char *name) {
  int status = 0, alive = 1, ending = 0, all_used = 0;
  struct rusage used;
  memset(&used, 0, sizeof used);
  for (;;) {
    int one;
    struct rusage its;
    pid_t ended = wait4(-1, &one, WNOHANG, &its);
    if (ended == command) {
      status = one;
      used = its;
      alive = 0;
      ending = 1;
    } else if (ended > 0) {
      all_used = 1;
    } else if (ended < 0 && errno == ECHILD) {
      break;
    } else if (ended == 0 && ending) {
      struct timespec moment = {0, 500000};
      if (alive) kill(command, SIGKILL);
      kill_children();
      sigtimedwait(wanted, NULL, &moment);
    } else if (ended == 0 && sigwaitinfo(wanted, NULL) == SIGTERM) {
      ending = 1;
    }
  }
  if (alive) fault("the record of its end");
  /* What outlived the command was not in its own account. */
  if (all_used) getrusage(RUSAGE_CHILDREN, &used);
  long long cpu = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000LL +
                  used.ru_utime.tv_usec + used.ru_stime.tv_usec;
  int signalled = WIFSIGNALED(status);
  dprintf(log_fd, "%s ended: %s %d cpu_us %lld rss_kb %ld\n", name,
          signalled ? "signal" : "exit", signalled ? WTERMSIG(status) : WEXITSTATUS(status),
          cpu, used.ru_maxrss);
  _exit(0);
}

int main(int argc, char **argv) {
  static struct { int resource; rlim_t value; } limits[MAX_LIMITS];
  static char *environment[MAX_ENVIRONMENT + 1];
  int limit_count = 0, environment_count = 0, clear = 0, final = 0;
  int fixed = 0, option;
  long parent = 0, uid = -1, gid = -1;
  const char *directory = NULL, *filter = NULL, *name = "command";

  while ((option = getopt(argc, argv, "+p:l:w:u:g:d:E:r:s:aef")) != -1) {
    char *end;
    switch (option) {
      case 'p': parent = atol(optarg); break;
      case 'l': log_fd = atoi(optarg); break;
      case 'w': name = optarg; break;
      case 'u': uid = atol(optarg); break;
      case 'g': gid = atol(optarg); break;
      case 'd': directory = optarg; break;
      case 'a': fixed = 1; break;
      case 'e': clear = 1; break;
      case 'f': final = 1; break;
      case 's': filter = optarg; break;
      case 'E':
        if (environment_count == MAX_ENVIRONMENT) _exit(125);
        environment[environment_count++] = optarg;
        clear = 1;
        break;
      case 'r':
        if (limit_count == MAX_LIMITS) _exit(125);
        limits[limit_count].resource = (int)strtol(optarg, &end, 10);
        limits[limit_count++].value = (rlim_t)strtoull(end + 1, NULL, 10);
        break;
      default: _exit(125);
    }
  }
  if (optind == argc) _exit(125);
  close_above(log_fd);

  sigset_t wanted, before;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGTERM);
  sigaddset(&wanted, SIGCHLD);
  sigprocmask(SIG_BLOCK, &wanted, &before);
  if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)) fault("subreaper");
  if (prctl(PR_SET_PDEATHSIG, parent > 0 ? SIGTERM : SIGKILL)) fault("pdeathsig");
  /* A parent that died before that line sends no signal. */
  if (parent > 0 && getppid() != (pid_t)parent) _exit(125);
  /* Nobody inside may read or trace the process that reports. */
  prctl(PR_SET_DUMPABLE, 0);

  pid_t self = getpid(), child = fork();
  if (child < 0) fault("fork");
  if (child > 0) {
    close(0);
    close(1);
    close(2);
    close(3);
    supervise(child, &wanted, name);
  }

  sigprocmask(SIG_SETMASK, &before, NULL);
  if (gid >= 0) {
    if (setgroups(0, NULL)) fault("setgroups");
    if (setresgid((gid_t)gid, (gid_t)gid, (gid_t)gid)) fault("setresgid");
  }
  if (uid >= 0 && setresuid((uid_t)uid, (uid_t)uid, (uid_t)uid)) fault("setresuid");
  /* Should our parent be killed itself; a change of user would clear this. */
  if (prctl(PR_SET_PDEATHSIG, SIGKILL)) fault("pdeathsig");
  if (getppid() != self) _exit(125);
  if (directory && chdir(directory)) fault(directory);
  if (fixed) personality(ADDR_NO_RANDOMIZE);
  if (final && fcntl(log_fd, F_SETFD, FD_CLOEXEC)) fault("log descriptor");
  for (int i = 0; i < limit_count; i++) {
    struct rlimit both = {limits[i].value, limits[i].value};
    if (setrlimit((__rlimit_resource_t)limits[i].resource, &both)) fault("setrlimit");
  }
  if (filter) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) fault("no_new_privs");
    install_filter(filter);
  }
  execve(argv[optind], argv + optind, clear ? environment : environ);
  fault(argv[optind]);
}
