/*
 * Starts one command so that it cannot outlive, or inherit anything from, its starter.
 *
 *   launch -p PARENT -l LOGFD [-u UID -g GID] [-d DIR] [-E NAME=VALUE]...
 *          [-r RESOURCE=VALUE]... [-s HEX] [-f] [-w] -- COMMAND [ARGUMENT]...
 *
 *   -p  die with this parent (0: whoever the parent is, it is not checked)
 *   -l  the log descriptor; everything above it is closed
 *   -u, -g  drop to this user and group, without any supplementary group
 *   -E  the environment consists of these (and -e: of nothing else)
 *   -r  a hard and soft resource limit, by the number of its RLIMIT_ constant
 *   -s  a seccomp filter: struct sock_filter records as hexadecimal digits
 *   -f  COMMAND is the final program: it must not see the log descriptor
 *   -w  stay as its parent and log how it ended, with what it used
 *
 * It reads no file and allocates nothing.  A failure is one line "fault: ..." on the log
 * and exit status 125.
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

static void report_end(pid_t child) {
  int status;
  struct rusage used;
  while (wait4(child, &status, 0, &used) < 0)
    if (errno != EINTR) fault("wait4");
  long long cpu = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000LL +
                  used.ru_utime.tv_usec + used.ru_stime.tv_usec;
  int signalled = WIFSIGNALED(status);
  dprintf(log_fd, "ended: %s %d cpu_us %lld rss_kb %ld\n", signalled ? "signal" : "exit",
          signalled ? WTERMSIG(status) : WEXITSTATUS(status), cpu, used.ru_maxrss);
  _exit(0);
}

int main(int argc, char **argv) {
  static struct { int resource; rlim_t value; } limits[MAX_LIMITS];
  static char *environment[MAX_ENVIRONMENT + 1];
  int limit_count = 0, environment_count = 0, clear = 0, final = 0, stay = 0, option;
  long parent = 0, uid = -1, gid = -1;
  const char *directory = NULL, *filter = NULL;

  while ((option = getopt(argc, argv, "+p:l:u:g:d:E:r:s:efw")) != -1) {
    char *end;
    switch (option) {
      case 'p': parent = atol(optarg); break;
      case 'l': log_fd = atoi(optarg); break;
      case 'u': uid = atol(optarg); break;
      case 'g': gid = atol(optarg); break;
      case 'd': directory = optarg; break;
      case 'e': clear = 1; break;
      case 'f': final = 1; break;
      case 'w': stay = 1; break;
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

  if (gid >= 0) {
    if (setgroups(0, NULL)) fault("setgroups");
    if (setresgid((gid_t)gid, (gid_t)gid, (gid_t)gid)) fault("setresgid");
  }
  if (uid >= 0 && setresuid((uid_t)uid, (uid_t)uid, (uid_t)uid)) fault("setresuid");

  /* Changing user clears the death signal, hence only now; and a parent that died before
     this line sends none, hence the second look. */
  if (prctl(PR_SET_PDEATHSIG, SIGKILL)) fault("pdeathsig");
  if (parent > 0 && getppid() != (pid_t)parent) _exit(125);
  if (directory && chdir(directory)) fault(directory);

  if (stay) {
    /* Nobody inside may read or trace the process that reports. */
    prctl(PR_SET_DUMPABLE, 0);
    pid_t child = fork();
    if (child < 0) fault("fork");
    if (child > 0) {
      close(0);
      close(1);
      close(2);
      close(3);
      report_end(child);
    }
    /* Dumpable again through exec; until then this is still trusted code. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL)) fault("pdeathsig");
  }
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
