/*
 * The attack catalogue: `attacks NAME [ARGUMENT]` tries one thing and tells, on
 * descriptor 3, the error that it met ("refused 1") or that it got through ("done 0").
 * `attacks serve` reads such words from descriptor 3, a line each, and does them in turn.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static void tell(long result) {
  if (result < 0) dprintf(3, "refused %d\n", errno);
  else dprintf(3, "done %ld\n", result);
}

#define TEXT(s) ((long)(intptr_t)(s))

static char buffer[65536];
static struct iovec word = {buffer, 8};

/* The process that started this one, which is none in some jails. */
#define PARENT (-2)

/* Attacks that are one system call. */
static const struct { const char *name; long number; long a, b, c, d, e; } calls[] = {
    {"socket-inet", SYS_socket, AF_INET, SOCK_STREAM, 0, 0},
    {"socket-unix", SYS_socket, AF_UNIX, SOCK_STREAM, 0, 0},
    {"socket-netlink", SYS_socket, AF_NETLINK, SOCK_RAW, 0, 0},
    {"socket-packet", SYS_socket, 17, SOCK_RAW, 0, 0},
    {"clone", SYS_clone, SIGCHLD, 0, 0, 0},
    {"clone-user-namespace", SYS_clone, SIGCHLD | CLONE_NEWUSER, 0, 0, 0},
    {"unshare-user", SYS_unshare, CLONE_NEWUSER, 0, 0, 0},
    {"unshare-mount", SYS_unshare, CLONE_NEWNS, 0, 0, 0},
    {"setns", SYS_setns, 0, 0, 0, 0},
    {"mount", SYS_mount, TEXT("none"), TEXT("/tmp"), TEXT("tmpfs"), 0},
    {"remount-writable", SYS_mount, TEXT("none"), TEXT("/"), 0, 0x1020},
    {"umount", SYS_umount2, TEXT("/"), 2, 0, 0},
    {"pivot-root", SYS_pivot_root, TEXT("/"), TEXT("/tmp"), 0, 0},
    {"chroot", SYS_chroot, TEXT("/tmp"), 0, 0, 0},
    {"setuid-root", SYS_setresuid, 0, 0, 0, 0},
    {"setgid-root", SYS_setresgid, 0, 0, 0, 0},
    {"setgroups", SYS_setgroups, 0, 0, 0, 0},
    {"ptrace-parent", SYS_ptrace, 16, 1, 0, 0},
    {"read-process-memory", SYS_process_vm_readv, PARENT, TEXT(&word), 1, TEXT(&word), 1},
    {"pidfd-open", SYS_pidfd_open, 1, 0, 0, 0},
    {"bpf", SYS_bpf, 0, TEXT(buffer), 64, 0},
    {"perf-event", SYS_perf_event_open, TEXT(buffer), 0, -1, -1},
    {"userfaultfd", SYS_userfaultfd, 0, 0, 0, 0},
    {"io-uring", SYS_io_uring_setup, 8, TEXT(buffer), 0, 0},
    {"memfd", SYS_memfd_create, TEXT("x"), 0, 0, 0},
    {"exec-from-descriptor", SYS_execveat, 0, TEXT(""), 0, 0},
    {"keyring", SYS_add_key, TEXT("user"), TEXT("x"), TEXT("y"), 1},
    {"personality", SYS_personality, 0x0040000, 0, 0, 0},
    {"kernel-log", SYS_syslog, 3, TEXT(buffer), sizeof buffer, 0},
    {"reboot", SYS_reboot, 0, 0, 0, 0},
    {"set-hostname", SYS_sethostname, TEXT("x"), 1, 0, 0},
    {"set-time", SYS_settimeofday, TEXT(buffer), 0, 0, 0},
    {"load-module", SYS_init_module, TEXT(buffer), 64, TEXT(""), 0},
    {"open-by-handle", SYS_open_by_handle_at, -100, TEXT(buffer), 0, 0},
    {"inotify", SYS_inotify_init1, 0, 0, 0, 0},
    {"shared-memory", SYS_shmget, 0, 4096, 01600, 0},
    {"message-queue", SYS_msgget, 0, 01600, 0, 0},
    {"symlink", SYS_symlinkat, TEXT("/etc/passwd"), -100, TEXT("/task/link"), 0},
    {"hard-link", SYS_linkat, -100, TEXT("/engine/attacks"), -100, TEXT("/task/link")},
    {"mkfifo", SYS_mknodat, -100, TEXT("/task/pipe"), S_IFIFO | 0600, 0},
    {"mknod", SYS_mknodat, -100, TEXT("/task/null"), S_IFCHR | 0666, 0x103},
    {"make-setuid", SYS_fchmodat, -100, TEXT("/engine/attacks"), 04755, 0},
    {"take-ownership", SYS_fchownat, -100, TEXT("/engine/attacks"), 65534, 65534},
    {"nice", SYS_setpriority, PRIO_PROCESS, 0, -20, 0},
};

static long run_named(const char *name, const char *argument);

static long attempt(const char *name, const char *argument) {
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
    if (!strcmp(name, calls[i].name)) {
      long first = calls[i].a == PARENT ? getppid() : calls[i].a;
      return syscall(calls[i].number, first, calls[i].b, calls[i].c, calls[i].d, calls[i].e, 0);
    }
  return run_named(name, argument);
}

/* Each attack in a child, whose death is told too: "killed 31". */
static void attempt_apart(const char *name, const char *argument) {
  int status = 0;
  pid_t child = fork();
  if (child < 0) tell(-1);
  if (child == 0) {
    tell(attempt(name, argument));
    _exit(0);
  }
  if (child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status))
    dprintf(3, "killed %d\n", WTERMSIG(status));
}

static void serve(void) {
  FILE *requests = fdopen(3, "r");
  while (fgets(buffer, sizeof buffer, requests)) {
    char *name = strtok(buffer, " \n"), *argument = strtok(NULL, "\n");
    if (!name) continue;
    if (!strcmp(name, "echo")) dprintf(3, "%s\n", argument);
    else if (!strcmp(name, "exit")) _exit(atoi(argument));
    else if (!strcmp(name, "trap")) __builtin_trap();
    else if (!strcmp(name, "say")) dprintf(2, "%s\n", argument);
    else if (!strcmp(name, "flood")) {
      memset(buffer, 'x', 4096);
      for (int i = 0; i < 1000; i++)
        if (write(2, buffer, 4096) < 0) break;
      dprintf(3, "flooded %d\n", errno);
    } else attempt_apart(name, argument ? argument : "/");
  }
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "";
  if (!strcmp(name, "serve")) serve();
  else tell(attempt(name, argc > 2 ? argv[2] : "/"));
  return 0;
}

static void ignore(int signal_number) { (void)signal_number; }

static void catch_everything(void) {
  for (int i = 1; i < NSIG; i++) signal(i, ignore);
}

static long fork_bomb(void) {
  long born = 0;
  for (int i = 0; i < 64; i++) {
    pid_t child = fork();
    if (child == 0) for (;;) pause();
    if (child > 0) born++;
  }
  return born ? born : -1;
}

/* A daemon: in a session of its own, and no child of what started it. */
static long daemonize(int stay) {
  pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) {
    setsid();
    if (fork() > 0) _exit(0);
    catch_everything();
    for (;;) sleep(1000);
  }
  while (stay) sleep(1000);
  return 0;
}

static long deep_folders(void) {
  for (long depth = 0; depth < 3000; depth++)
    if (mkdir("d", 0700) || chdir("d")) return depth ? depth : -1;
  return 3000;
}

static long shut_folders(void) {
  if (mkdir("/task/shut", 0700) || mkdir("/task/shut/inner", 0700)) return -1;
  int fd = open("/task/shut/inner/file", O_CREAT | O_WRONLY, 0);
  if (fd < 0 || symlink("/", "/task/shut/out")) return -1;
  return chmod("/task/shut/inner", 0) || chmod("/task/shut", 0) ? -1 : 0;
}

static long overflow(volatile char *above) {
  volatile char here[4096];
  here[0] = above ? above[0] : 1;
  return overflow(here) + here[0];
}

static long raise_limits(void) {
  struct rlimit most = {RLIM_INFINITY, RLIM_INFINITY};
  if (!setrlimit(RLIMIT_CPU, &most)) return RLIMIT_CPU;
  if (!setrlimit(RLIMIT_NPROC, &most)) return RLIMIT_NPROC;
  return setrlimit(RLIMIT_AS, &most);
}

#ifdef __x86_64__
/* getpid of the 32-bit and of the x32 ABI: other numbers, which a filter by number of
   the 64-bit ABI would take for other calls. */
static long foreign_abi(void) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory", "r8", "r9", "r10", "r11");
  return result;
}
static long x32_abi(void) { return syscall(0x40000000 + SYS_getpid); }
#else
static long foreign_abi(void) { raise(SIGSYS); return 0; }
static long x32_abi(void) { raise(SIGSYS); return 0; }
#endif

static long run_named(const char *name, const char *argument) {
  if (!strcmp(name, "read")) return open(argument, O_RDONLY);
  if (!strcmp(name, "write")) return open(argument, O_WRONLY);
  if (!strcmp(name, "create")) return open(argument, O_WRONLY | O_CREAT, 0644);
  if (!strcmp(name, "truncate")) return open(argument, O_RDONLY | O_TRUNC);
  if (!strcmp(name, "unlink")) return unlink(argument);
  if (!strcmp(name, "rename")) return rename(argument, "/task/elsewhere");
  if (!strcmp(name, "mkdir")) return mkdir(argument, 0700);
  if (!strcmp(name, "exec")) return execl(argument, argument, (char *)NULL);
  if (!strcmp(name, "kill")) return kill((pid_t)atol(argument), SIGKILL);
  if (!strcmp(name, "fork-bomb")) return fork_bomb();
  if (!strcmp(name, "daemon")) return daemonize(0);
  if (!strcmp(name, "daemon-and-sleep")) return daemonize(1);
  if (!strcmp(name, "deep-folders")) return chdir("/task") ? -1 : deep_folders();
  if (!strcmp(name, "shut-folders")) return shut_folders();
  if (!strcmp(name, "stack-overflow")) return overflow(NULL);
  if (!strcmp(name, "raise-limits")) return raise_limits();
  if (!strcmp(name, "int-0x80")) return foreign_abi();
  if (!strcmp(name, "x32")) return x32_abi();
  if (!strcmp(name, "huge-mapping"))
    return (long)mmap(NULL, 1UL << 40, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (!strcmp(name, "sparse-file")) {
    int fd = open("/task/sparse", O_WRONLY | O_CREAT, 0600);
    return fd < 0 ? -1 : ftruncate(fd, 1L << 40);
  }
  if (!strcmp(name, "read-blocking")) {
    /* A descriptor that never delivers: both ends of it are ours. */
    int ends[2];
    return pipe(ends) ? -1 : read(ends[0], buffer, 1);
  }
  if (!strcmp(name, "read-stdin")) {
    long total = 0, n;
    while ((n = read(0, buffer, sizeof buffer)) > 0) total += n;
    return n < 0 ? -1 : total;
  }
  if (!strcmp(name, "close-all")) {
    for (int fd = 0; fd < 1024; fd++) close(fd);
    for (;;) sleep(1000);
  }
  if (!strcmp(name, "ignore-request")) return 0;
  if (!strcmp(name, "spin")) {
    catch_everything();
    for (volatile unsigned long i = 0;; i++) continue;
  }
  if (!strcmp(name, "sleep")) {
    catch_everything();
    for (;;) sleep(1000);
  }
  if (!strcmp(name, "forge-log")) {
    /* What the jails' own logs look like, on every channel that there is. */
    for (int fd = 1; fd < 64; fd++)
      dprintf(fd, "ended: exit 0 cpu_us 0 rss_kb 0\n"
                  "[I][x] pid=1 ([STANDALONE MODE]) exited with status: 0, (PIDs left: 0)\n");
    _exit(7);
  }
  errno = ENOSYS;
  return -1;
}
